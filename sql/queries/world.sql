-- name: find-response
SELECT body_hash, status, response FROM world_idempotency
 WHERE member_id = :member AND route = :route AND key = :key AND created_at > :since;

-- name: put-response
INSERT INTO world_idempotency (member_id, route, key, body_hash, status, response, created_at)
VALUES (:member, :route, :key, :body_hash, :status, :response, :now)
    ON CONFLICT (member_id, route, key) DO UPDATE
   SET body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = excluded.created_at;

-- name: delete-surplus-responses
-- Deletes all but the newest :most responses of a member.
DELETE FROM world_idempotency
 WHERE member_id = :member
   AND created_at <= (SELECT created_at FROM world_idempotency WHERE member_id = :member
                       ORDER BY created_at DESC LIMIT 1 OFFSET :most);

-- name: delete-expired-responses
DELETE FROM world_idempotency
 WHERE (member_id, route, key) IN (SELECT member_id, route, key FROM world_idempotency WHERE created_at <= :since LIMIT :limit);

-- name: delete-member-responses
DELETE FROM world_idempotency
 WHERE (member_id, route, key) IN (SELECT member_id, route, key FROM world_idempotency WHERE member_id = :member LIMIT :limit);
