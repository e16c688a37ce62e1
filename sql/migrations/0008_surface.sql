-- Surfaces: what a member has before them, and how it is arranged.

-- What all of a member's arrangement has. Who never changed anything may have
-- no row.
CREATE TABLE surface_workspace (
  member_id   INTEGER PRIMARY KEY REFERENCES identity_member (id),
  revision    INTEGER NOT NULL, -- how often it was changed
  last_number INTEGER NOT NULL, -- the highest numeric_id that was given to a surface
  updated_at  INTEGER           -- when it was changed the last time
) STRICT;

CREATE TABLE surface_surface (
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  surface_id   TEXT NOT NULL,
  numeric_id   INTEGER NOT NULL,
  surface_type TEXT NOT NULL,
  title        TEXT NOT NULL,
  content      TEXT NOT NULL, -- JSON: what it shows, and what may be done to it
  mode         TEXT NOT NULL CHECK (mode IN ('stacked', 'docked', 'detached', 'shared', 'field_anchored')),
  metadata     TEXT NOT NULL, -- JSON: where it is, in its mode
  left_at      INTEGER,       -- when it left the last stack that it was in
  PRIMARY KEY (member_id, surface_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX surface_surface_shown ON surface_surface (member_id, numeric_id) WHERE left_at IS NULL;
CREATE INDEX surface_surface_left ON surface_surface (left_at) WHERE left_at IS NOT NULL;
CREATE INDEX surface_surface_surplus ON surface_surface (member_id, left_at) WHERE left_at IS NOT NULL;

CREATE TABLE surface_stack (
  member_id          INTEGER NOT NULL REFERENCES identity_member (id),
  stack_key          TEXT NOT NULL,
  focused_surface_id TEXT,          -- one of its surfaces
  surface_order      TEXT NOT NULL, -- JSON: the ids of its surfaces
  PRIMARY KEY (member_id, stack_key)
) STRICT, WITHOUT ROWID;

-- That a member has turned to a surface, from then on until it is in no stack
-- any more.
CREATE TABLE surface_session (
  id             TEXT PRIMARY KEY,
  member_id      INTEGER NOT NULL,
  surface_id     TEXT NOT NULL,
  state          TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'closed')),
  opened_at      INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  closed_at      INTEGER,
  FOREIGN KEY (member_id, surface_id) REFERENCES surface_surface (member_id, surface_id) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX surface_session_open ON surface_session (member_id, surface_id) WHERE state <> 'closed';
CREATE INDEX surface_session_surface ON surface_session (member_id, surface_id, opened_at);
CREATE INDEX surface_session_closed ON surface_session (closed_at) WHERE closed_at IS NOT NULL;
