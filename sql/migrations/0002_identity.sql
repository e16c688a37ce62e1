-- Members, their credentials, one-time links and the audit log.

CREATE TABLE identity_member (
  id            INTEGER PRIMARY KEY, -- never reused: the row of a deleted member stays
  email         TEXT NOT NULL,       -- as entered; '' if deleted
  email_key     TEXT UNIQUE,         -- folded; NULL if deleted
  username      TEXT UNIQUE,         -- folded; NULL if deleted
  display_name  TEXT NOT NULL,
  name_key      TEXT NOT NULL,       -- display_name folded
  status        TEXT NOT NULL CHECK (status IN ('active', 'disabled', 'deleted')),
  timezone      TEXT,                -- IANA name; NULL until a browser of the member reports one, for that of the server
  locale        TEXT NOT NULL,       -- BCP 47 tag
  formats       TEXT,                -- BCP 47 tag of the formats of dates and numbers; NULL for those of the locale and the browser
  color         TEXT,                -- an svc.Color; NULL for the default of the id
  is_operator   INTEGER NOT NULL DEFAULT 0, -- 0 or 1; without effect unless active
  password_hash TEXT NOT NULL,       -- Argon2id, PHC string format; '' if deleted
  generation    INTEGER NOT NULL,    -- incremented whenever earlier authentications become invalid
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  last_seen_at  INTEGER,             -- accurate to a day
  CHECK ((status = 'deleted') = (email_key IS NULL)),
  CHECK ((status = 'deleted') = (username IS NULL))
) STRICT;

CREATE INDEX identity_member_name ON identity_member (name_key);

-- Time zones of browsers that the member does not want for the account.
CREATE TABLE identity_declined_zone (
  member_id INTEGER NOT NULL REFERENCES identity_member (id),
  timezone  TEXT NOT NULL, -- IANA name
  PRIMARY KEY (member_id, timezone)
) STRICT, WITHOUT ROWID;

CREATE INDEX identity_member_operator ON identity_member (id) WHERE is_operator = 1;

CREATE TABLE identity_token (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  label        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,     -- accurate to a day
  expires_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX identity_token_member ON identity_token (member_id, last_used_at);

-- Device passwords, for DAV clients.
CREATE TABLE identity_device (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the 20 characters without separators
  label        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,              -- accurate to a day
  by_command   INTEGER NOT NULL      -- whether a command created it, and removes it: its use is not that of the member
) STRICT;

CREATE INDEX identity_device_member ON identity_device (member_id);

-- Members who were deleted, whose data is still being deleted.
CREATE TABLE identity_deletion (
  member_id  INTEGER PRIMARY KEY REFERENCES identity_member (id),
  deleted_at INTEGER NOT NULL
) STRICT;

-- One-time links: invitations to register and password resets.
CREATE TABLE identity_link (
  id         TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL CHECK (purpose IN ('invitation', 'reset', 'device')),
  hash       BLOB NOT NULL UNIQUE,   -- SHA-256 of the code
  email      TEXT NOT NULL,          -- invitation: the only address that may register, folded; '' for any
  member_id  INTEGER REFERENCES identity_member (id), -- reset, device: the member; invitation: the member who registered with it
  label      TEXT NOT NULL,          -- device: the name of the device; otherwise ''
  created_by TEXT NOT NULL,          -- actor, as in identity_audit
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT;

CREATE INDEX identity_link_member ON identity_link (member_id);

-- Actions of operators. Contains no secrets and no personal data, because it is
-- kept after members are deleted.
CREATE TABLE identity_audit (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  actor     TEXT NOT NULL,           -- member id, 'cli:<user>', 'setup' or 'settings'
  action    TEXT NOT NULL,
  member_id INTEGER REFERENCES identity_member (id),
  detail    TEXT NOT NULL
) STRICT;

CREATE INDEX identity_audit_member ON identity_audit (member_id);
