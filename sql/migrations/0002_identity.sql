-- Members, what they sign in with, and what operators did.

CREATE TABLE identity_member (
  id            INTEGER PRIMARY KEY, -- never given again: the row of a deleted member stays
  email         TEXT NOT NULL,       -- as it was written, '' once deleted
  email_key     TEXT UNIQUE,         -- folded, NULL once deleted
  username      TEXT UNIQUE,         -- NULL once deleted
  display_name  TEXT NOT NULL,
  name_key      TEXT NOT NULL,       -- display_name folded
  status        TEXT NOT NULL CHECK (status IN ('active', 'disabled', 'deleted')),
  timezone      TEXT NOT NULL,       -- IANA name
  locale        TEXT NOT NULL,       -- BCP 47 tag
  password_hash TEXT NOT NULL,       -- Argon2id as a PHC string, '' once deleted
  generation    INTEGER NOT NULL,    -- counts what makes an earlier proof of identity worthless
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  last_seen_at  INTEGER,             -- to the day
  CHECK ((status = 'deleted') = (email_key IS NULL)),
  CHECK ((status = 'deleted') = (username IS NULL))
) STRICT;

CREATE INDEX identity_member_name ON identity_member (name_key);

CREATE TABLE identity_token (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  label        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,     -- to the day
  expires_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX identity_token_member ON identity_token (member_id, last_used_at);

-- Device passwords: what a DAV client signs in with instead of the account's.
CREATE TABLE identity_device (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of its 20 characters
  label        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER               -- to the day
) STRICT;

CREATE INDEX identity_device_member ON identity_device (member_id);

-- One-time codes: invitations to register, links to choose a new password.
CREATE TABLE identity_ticket (
  id         TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL CHECK (purpose IN ('invitation', 'reset')),
  hash       BLOB NOT NULL UNIQUE,   -- SHA-256 of the code
  email      TEXT NOT NULL,          -- invitation: the only address it admits, folded, or ''
  member_id  INTEGER REFERENCES identity_member (id), -- reset: whose password. Invitation: who came by it
  created_by TEXT NOT NULL,          -- an actor, as in identity_audit
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT;

CREATE INDEX identity_ticket_member ON identity_ticket (member_id);

-- What operators did. No secrets, and nothing personal: it outlives members.
CREATE TABLE identity_audit (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  actor     TEXT NOT NULL,           -- a member's number, 'cli:<user>' or 'setup'
  action    TEXT NOT NULL,
  member_id INTEGER REFERENCES identity_member (id),
  detail    TEXT NOT NULL
) STRICT;

CREATE INDEX identity_audit_member ON identity_audit (member_id);
