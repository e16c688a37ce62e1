-- Identity of the database file and the applied migrations.

CREATE TABLE store_meta (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  instance_key BLOB NOT NULL,   -- secret key of this server, 32 random bytes
  epoch        TEXT NOT NULL,   -- renewed by restore; invalidates sync tokens and ETags
  seq          INTEGER NOT NULL -- sequence number of the last commit that changed visible data
) STRICT;

CREATE TABLE store_migration (
  version    INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,     -- SHA-256 of the migration file
  applied_at INTEGER NOT NULL
) STRICT;

-- Description of a backup. Only backups have the row.
CREATE TABLE store_backup (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  note TEXT NOT NULL -- JSON
) STRICT;
