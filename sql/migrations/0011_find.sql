-- Find: the searches of each member. Findings themselves are surfaces.

-- Consecutive searches of a member.
CREATE TABLE find_session (
  id            TEXT PRIMARY KEY,
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  started_at    INTEGER NOT NULL,
  last_query_at INTEGER NOT NULL
) STRICT;

CREATE INDEX find_session_member ON find_session (member_id, last_query_at);
CREATE INDEX find_session_last_query ON find_session (last_query_at);

CREATE TABLE find_query (
  id            TEXT PRIMARY KEY,
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  session_id    TEXT NOT NULL REFERENCES find_session (id),
  query         TEXT NOT NULL,
  scope         TEXT NOT NULL CHECK (scope IN ('nearby', 'everywhere')), -- as requested
  applied_scope TEXT NOT NULL CHECK (applied_scope IN ('nearby', 'everywhere')),
  latitude      REAL,             -- origin of the search in degrees, NULL for none
  longitude     REAL,
  radius        INTEGER NOT NULL, -- meters
  place         TEXT,             -- name of the place of a search near a place
  status        TEXT NOT NULL CHECK (status IN ('ok', 'location_required', 'provider_error')),
  finding_count INTEGER NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX find_query_member ON find_query (member_id, created_at);
CREATE INDEX find_query_session ON find_query (session_id);
CREATE INDEX find_query_created ON find_query (created_at);

-- Findings of each member, with the rank in the latest search that found them.
CREATE TABLE find_head (
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  finding_id    TEXT NOT NULL,
  rank          INTEGER NOT NULL, -- 1 for the first finding
  score         REAL NOT NULL,    -- 0 to 1
  first_seen_at INTEGER NOT NULL,
  last_seen_at  INTEGER NOT NULL,
  seen_count    INTEGER NOT NULL,
  PRIMARY KEY (member_id, finding_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX find_head_member ON find_head (member_id, last_seen_at);
CREATE INDEX find_head_last_seen ON find_head (last_seen_at);
