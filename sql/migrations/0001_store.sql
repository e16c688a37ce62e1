-- The store's own tables.

CREATE TABLE store_meta (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  instance_key BLOB NOT NULL,   -- 32 random bytes: keys the ids World derives
  epoch        TEXT NOT NULL,   -- drawn anew by restore: no sync token of before is good after
  seq          INTEGER NOT NULL -- number of the last commit that changed what members see
) STRICT;

CREATE TABLE store_migration (
  version    INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,     -- SHA-256 of the file that was applied
  applied_at INTEGER NOT NULL
) STRICT;
