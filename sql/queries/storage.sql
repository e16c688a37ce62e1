-- The storage that members use. Triggers keep storage_usage, so there are no
-- statements that write it.

-- name: usage
SELECT octets FROM storage_usage WHERE member_id = :member;
