-- Find. Each statement is about one member, except the purges.

-- name: open-session
-- Returns the latest session of a member, unless it has ended.
SELECT id FROM find_session WHERE member_id = :member AND last_query_at > :since AND last_query_at <= :now ORDER BY last_query_at DESC LIMIT 1;

-- name: put-session
INSERT INTO find_session (id, member_id, started_at, last_query_at) VALUES (:id, :member, :now, :now)
    ON CONFLICT (id) DO UPDATE SET last_query_at = excluded.last_query_at;

-- name: add-query
INSERT INTO find_query (id, member_id, session_id, query, scope, applied_scope, latitude, longitude, radius, place, status, finding_count, created_at)
VALUES (:id, :member, :session, :query, :scope, :applied, :latitude, :longitude, :radius, :place, :status, :count, :now);

-- name: delete-oldest-queries
DELETE FROM find_query WHERE id IN (
       SELECT id FROM find_query WHERE member_id = :member ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET :keep);

-- name: delete-empty-sessions
DELETE FROM find_session WHERE member_id = :member AND NOT EXISTS (SELECT 1 FROM find_query WHERE session_id = find_session.id);

-- name: put-heads
INSERT INTO find_head (member_id, finding_id, rank, score, first_seen_at, last_seen_at, seen_count)
SELECT :member, value ->> 'id', value ->> 'rank', value ->> 'score', :now, :now, 1 FROM json_each(:heads) WHERE true
    ON CONFLICT (member_id, finding_id) DO UPDATE SET rank = excluded.rank, score = excluded.score,
       last_seen_at = excluded.last_seen_at, seen_count = seen_count + 1;

-- name: delete-oldest-heads
DELETE FROM find_head WHERE member_id = :member AND finding_id IN (
       SELECT finding_id FROM find_head WHERE member_id = :member ORDER BY last_seen_at DESC, finding_id LIMIT -1 OFFSET :keep);

-- name: queries
-- Returns the queries of a member before a position, the latest first.
SELECT id, session_id, query, scope, applied_scope, latitude, longitude, radius, place, status, finding_count, created_at
  FROM find_query WHERE member_id = :member AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: sessions
SELECT id, started_at, last_query_at FROM find_session WHERE member_id = :member AND id > :after ORDER BY id LIMIT :limit;

-- name: heads
SELECT finding_id, rank, score, first_seen_at, last_seen_at, seen_count
  FROM find_head WHERE member_id = :member AND finding_id > :after ORDER BY finding_id LIMIT :limit;

-- name: delete-queries
DELETE FROM find_query WHERE member_id = :member AND id IN (SELECT id FROM find_query WHERE member_id = :member LIMIT :limit);

-- name: delete-sessions
DELETE FROM find_session WHERE member_id = :member AND id IN (SELECT id FROM find_session WHERE member_id = :member LIMIT :limit);

-- name: delete-heads
DELETE FROM find_head WHERE member_id = :member AND finding_id IN (SELECT finding_id FROM find_head WHERE member_id = :member LIMIT :limit);

-- name: purge-queries
DELETE FROM find_query WHERE id IN (SELECT id FROM find_query WHERE created_at < :before LIMIT :limit);

-- name: purge-sessions
-- Deletes sessions whose queries have been purged.
DELETE FROM find_session WHERE id IN (
       SELECT s.id FROM find_session AS s
        WHERE s.last_query_at < :before AND NOT EXISTS (SELECT 1 FROM find_query WHERE session_id = s.id) LIMIT :limit);

-- name: purge-heads
DELETE FROM find_head WHERE (member_id, finding_id) IN (SELECT member_id, finding_id FROM find_head WHERE last_seen_at < :before LIMIT :limit);
