-- Surfaces: the surfaces and stacks of each member.

-- The state of a member's workspace. A member who never changed it may have no
-- row.
CREATE TABLE surface_workspace (
  member_id       INTEGER PRIMARY KEY REFERENCES identity_member (id),
  revision        INTEGER NOT NULL, -- number of changes
  last_numeric_id INTEGER NOT NULL, -- the highest numeric_id ever assigned
  updated_at      INTEGER           -- time of the latest change
) STRICT;

CREATE TABLE surface_surface (
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  surface_id   TEXT NOT NULL,
  numeric_id   INTEGER NOT NULL,
  surface_type TEXT NOT NULL,
  title        TEXT NOT NULL,
  content      TEXT NOT NULL, -- JSON: surface.Content
  mode         TEXT NOT NULL CHECK (mode IN ('stacked', 'docked', 'detached', 'shared', 'field_anchored')),
  metadata     TEXT NOT NULL, -- JSON: metadata of the placement
  unstacked_at INTEGER,       -- when the surface left the workspace, NULL before
  PRIMARY KEY (member_id, surface_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX surface_surface_workspace ON surface_surface (member_id, numeric_id) WHERE unstacked_at IS NULL;
CREATE INDEX surface_surface_unstacked ON surface_surface (unstacked_at) WHERE unstacked_at IS NOT NULL;
CREATE INDEX surface_surface_member_unstacked ON surface_surface (member_id, unstacked_at) WHERE unstacked_at IS NOT NULL;

CREATE TABLE surface_stack (
  member_id          INTEGER NOT NULL REFERENCES identity_member (id),
  stack_key          TEXT NOT NULL,
  focused_surface_id TEXT,          -- a surface of the stack
  surface_order      TEXT NOT NULL, -- JSON: array of surface ids
  PRIMARY KEY (member_id, stack_key)
) STRICT, WITHOUT ROWID;

-- Sessions: the time from the first focus of a surface until the surface leaves its
-- last stack.
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
