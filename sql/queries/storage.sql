-- The storage that members use. Triggers keep storage_usage, so there are no
-- statements that write it.

-- name: usage
SELECT octets FROM storage_usage WHERE member_id = :member;

-- name: usages
SELECT member_id, octets FROM storage_usage WHERE member_id IN (SELECT value FROM json_each(:members));
