-- The store's own statements.

-- name: meta
-- The one row every transaction reads first: with it a read snapshot begins.
SELECT instance_key, epoch FROM store_meta WHERE id = 1;

-- name: touch
-- Counts one change for each member of the list.
INSERT INTO store_revision (member_id, revision, updated_at)
SELECT value, 1, :now FROM json_each(:members) WHERE true
    ON CONFLICT (member_id) DO UPDATE
   SET revision = revision + 1, updated_at = excluded.updated_at;

-- name: revision
-- The counts of everybody (0) and of one member.
SELECT member_id, revision, updated_at FROM store_revision WHERE member_id IN (0, :member);
