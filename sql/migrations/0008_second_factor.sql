-- Second factors, the clients of sessions, known networks, and changes to the
-- operator list.

CREATE TEMP TABLE old_token AS SELECT * FROM identity_token;
DROP TABLE identity_token;

CREATE TABLE identity_token (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  label        TEXT NOT NULL,
  method       TEXT NOT NULL,        -- how the member signed in, such as 'password'; '' if unknown
  address      TEXT NOT NULL,        -- IP address of the client at the last recorded use; '' if unknown
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,     -- accurate to an hour
  expires_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX identity_token_member ON identity_token (member_id, last_used_at);

INSERT INTO identity_token (id, member_id, hash, label, method, address, created_at, last_used_at, expires_at)
SELECT id, member_id, hash, label, '', '', created_at, last_used_at, expires_at FROM old_token;
DROP TABLE old_token;

-- Members with at least one confirmed second factor.
CREATE TABLE identity_factor (
  member_id  INTEGER PRIMARY KEY REFERENCES identity_member (id),
  created_at INTEGER NOT NULL
) STRICT;

-- Authenticator apps (RFC 6238), at most one for each member.
CREATE TABLE identity_totp (
  member_id    INTEGER PRIMARY KEY REFERENCES identity_member (id),
  secret       BLOB NOT NULL,    -- sealed with the key file of the data directory
  last_step    INTEGER NOT NULL, -- time step of the last accepted code, 0 for none
  created_at   INTEGER NOT NULL,
  confirmed_at INTEGER           -- NULL until the member has entered a code
) STRICT;

-- Unused recovery codes. A used code is deleted.
CREATE TABLE identity_recovery_code (
  member_id INTEGER NOT NULL REFERENCES identity_member (id),
  hash      BLOB NOT NULL, -- SHA-256 of the 20 characters without separators
  PRIMARY KEY (member_id, hash)
) STRICT, WITHOUT ROWID;

-- Passkeys (WebAuthn).
CREATE TABLE identity_passkey (
  id            TEXT PRIMARY KEY,
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  credential_id BLOB NOT NULL UNIQUE,
  credential    TEXT NOT NULL, -- JSON: public key, flags and signature counter
  label         TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  last_used_at  INTEGER
) STRICT;

CREATE INDEX identity_passkey_member ON identity_passkey (member_id);

-- Challenges to prove a second factor, or to register a passkey.
CREATE TABLE identity_challenge (
  hash       BLOB PRIMARY KEY, -- SHA-256 of the challenge
  member_id  INTEGER NOT NULL REFERENCES identity_member (id),
  purpose    TEXT NOT NULL CHECK (purpose IN ('sign-in', 'registration')),
  generation INTEGER NOT NULL, -- of the member; the challenge is invalid after a change
  method     TEXT NOT NULL,    -- how the first factor was proved
  ceremony   TEXT NOT NULL,    -- JSON: state of the WebAuthn ceremony; '' without passkeys
  failures   INTEGER NOT NULL, -- wrong answers so far
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX identity_challenge_member ON identity_challenge (member_id, expires_at);

-- Networks from which a member has signed in.
CREATE TABLE identity_network (
  member_id INTEGER NOT NULL REFERENCES identity_member (id),
  network   TEXT NOT NULL,    -- IPv4 /24 or IPv6 /64
  used_at   INTEGER NOT NULL, -- last sign-in or recorded use of a session
  PRIMARY KEY (member_id, network)
) STRICT, WITHOUT ROWID;

-- Addresses of the setting admin-allowed-emails. If the environment or a flag sets it, these are
-- all addresses; otherwise those of the file that belong to no member yet.
CREATE TABLE identity_operator_email (
  email_key TEXT PRIMARY KEY -- folded
) STRICT, WITHOUT ROWID;

-- The value of the setting that the server took last.
CREATE TABLE identity_operator_setting (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  source TEXT NOT NULL, -- 'variable NAME' or 'flag NAME' sets the operators; '' for the settings file
  digest TEXT NOT NULL  -- keyed digest of the addresses
) STRICT;
