-- Pictures of web pages that surfaces show. Clients know only their ids.
CREATE TABLE surface_picture (
  member_id  INTEGER NOT NULL,
  id         TEXT NOT NULL,
  surface_id TEXT NOT NULL,
  source     TEXT NOT NULL, -- address at the site
  PRIMARY KEY (member_id, id, surface_id),
  FOREIGN KEY (member_id, surface_id) REFERENCES surface_surface (member_id, surface_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX surface_picture_surface ON surface_picture (member_id, surface_id);
