-- The store's own tables.

CREATE TABLE store_meta (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  instance_key BLOB NOT NULL,   -- 32 random bytes: keys the ids World derives
  epoch        TEXT NOT NULL    -- drawn anew by restore: no sync token of before is good after
) STRICT;

CREATE TABLE store_migration (
  version    INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,     -- SHA-256 of the file that was applied
  applied_at INTEGER NOT NULL
) STRICT;

-- How often what a member sees of a topic has changed. Member 0 counts for
-- everybody.
CREATE TABLE store_revision (
  member_id INTEGER NOT NULL,
  topic     TEXT NOT NULL,
  revision  INTEGER NOT NULL,
  PRIMARY KEY (member_id, topic)
) STRICT, WITHOUT ROWID;

-- What of a topic has changed of late, for whoever it shows to.
CREATE TABLE store_change (
  seq   INTEGER PRIMARY KEY,
  topic TEXT NOT NULL,
  item  TEXT NOT NULL
) STRICT;
