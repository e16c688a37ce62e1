-- Identity of the database file and the commit sequence number.

-- name: meta
-- Returns the columns that do not change while the file is open.
SELECT instance_key, epoch FROM store_meta WHERE id = 1;

-- name: migrations
-- Returns the migrations that the file has, in order.
-- scan: one row per migration
SELECT version, name, checksum FROM store_migration ORDER BY version;

-- name: seq
SELECT seq FROM store_meta WHERE id = 1;

-- name: set-seq
UPDATE store_meta SET seq = :seq WHERE id = 1;

-- name: changes
-- Returns the number of rows that the connection has changed.
SELECT total_changes();

-- name: free-bytes
-- Returns the bytes of unused pages inside the database file.
SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size;

-- name: data-version
-- Returns a number that differs from the earlier one of the same connection if
-- another connection has committed in between.
PRAGMA data_version;
