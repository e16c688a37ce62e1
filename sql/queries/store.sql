-- The store's own statements.

-- name: meta
-- What is this file's own, and does not change while it is open.
SELECT instance_key, epoch FROM store_meta WHERE id = 1;

-- name: seq
SELECT seq FROM store_meta WHERE id = 1;

-- name: set-seq
UPDATE store_meta SET seq = :seq WHERE id = 1;
