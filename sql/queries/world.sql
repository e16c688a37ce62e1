-- name: find-answer
SELECT body_hash, status, answer FROM world_idempotency
 WHERE member_id = :member AND route = :route AND key = :key AND created_at > :since;

-- name: keep-answer
INSERT INTO world_idempotency (member_id, route, key, body_hash, status, answer, created_at)
VALUES (:member, :route, :key, :body_hash, :status, :answer, :now)
    ON CONFLICT (member_id, route, key) DO UPDATE
   SET body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at;

-- name: forget-surplus
-- All but a member's latest answers.
DELETE FROM world_idempotency
 WHERE member_id = :member
   AND created_at <= (SELECT created_at FROM world_idempotency WHERE member_id = :member
                       ORDER BY created_at DESC LIMIT 1 OFFSET :most);

-- name: forget-answers
DELETE FROM world_idempotency WHERE created_at <= :since;

-- name: forget-member
DELETE FROM world_idempotency WHERE member_id = :member;
