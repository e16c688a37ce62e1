-- Threads and messages. Whoever reads or writes in a thread does so through
-- messages_participant: without a row there, nothing of it is shown.

-- name: inbox
-- A member's threads with the beginning of the latest message, the latest
-- first.
SELECT t.id, t.messages, t.created_at, t.updated_at, p.partner_id, p.place, p.marker, p.unread, substr(m.body, 1, 120) AS summary
  FROM messages_participant AS p
  JOIN messages_thread AS t ON t.id = p.thread_id
  JOIN messages_message AS m ON m.thread_id = t.id AND m.seq = t.messages
 WHERE p.member_id = :member AND p.place < :before
 ORDER BY p.place DESC LIMIT :limit;

-- name: thread-versions
-- A member's threads, the latest first, with what each is another one by.
SELECT thread_id AS id, concat(place, ' ', unread) AS version
  FROM messages_participant
 WHERE member_id = :member
 ORDER BY place DESC LIMIT :limit;

-- name: threads
-- Those of the list that are the member's, in its order.
SELECT t.id, t.messages, t.created_at, t.updated_at, p.partner_id, p.place, p.marker, p.unread, substr(m.body, 1, 120) AS summary
  FROM json_each(:ids) AS l
 CROSS JOIN messages_participant AS p ON p.member_id = :member AND p.thread_id = l.value
  JOIN messages_thread AS t ON t.id = p.thread_id
  JOIN messages_message AS m ON m.thread_id = t.id AND m.seq = t.messages
 ORDER BY l.key;

-- name: exists
SELECT EXISTS (SELECT 1 FROM messages_thread WHERE id = :id);

-- name: unread-total
SELECT coalesce(sum(unread), 0) FROM messages_participant WHERE member_id = :member AND unread > 0;

-- name: thread-between
SELECT id FROM messages_thread WHERE low_id = :low AND high_id = :high;

-- name: add-thread
INSERT INTO messages_thread (id, low_id, high_id, members, messages, created_at, updated_at)
VALUES (:id, :low, :high, 2, 0, :now, :now);

-- name: add-participant
INSERT INTO messages_participant (member_id, thread_id, partner_id, place, marker, unread)
SELECT :member, :thread, :partner, coalesce(max(place), 0) + 1, 0, 0 FROM messages_participant WHERE member_id = :member;

-- name: count-message
UPDATE messages_thread SET messages = messages + 1, updated_at = :now WHERE id = :thread RETURNING messages;

-- name: add-message
INSERT INTO messages_message (id, thread_id, seq, sender_id, body, created_at)
VALUES (:id, :thread, :seq, :sender, :body, :now)
RETURNING n;

-- name: index-message
INSERT INTO messages_search (rowid, words) VALUES (:n, :words);

-- name: deliver
-- Puts a thread first in both inboxes. Who wrote has read all of it.
UPDATE messages_participant
   SET place = 1 + (SELECT max(q.place) FROM messages_participant AS q WHERE q.member_id = messages_participant.member_id),
       marker = iif(member_id = :sender, :seq, marker), unread = iif(member_id = :sender, 0, unread + 1)
 WHERE thread_id = :thread;

-- name: messages
-- The last messages before one of them.
SELECT id, thread_id, seq, sender_id, body, created_at FROM messages_message
 WHERE thread_id = :thread AND seq < :before
 ORDER BY seq DESC LIMIT :limit;

-- name: place-of
-- The seq of a message in its thread.
SELECT seq FROM messages_message WHERE id = :id AND thread_id = :thread;

-- name: mark-read
UPDATE messages_participant
   SET marker = :seq,
       unread = (SELECT count(*) FROM messages_message WHERE thread_id = :thread AND seq > :seq AND sender_id <> :member)
 WHERE member_id = :member AND thread_id = :thread AND marker < :seq;

-- name: search
-- The member's messages that have the words, the latest first, after one of
-- them.
-- scan: so FTS5 calls it; the words, which are the member's own, choose the rows
SELECT m.id, m.thread_id, m.seq, m.sender_id, m.body, m.created_at
  FROM messages_search AS f
 CROSS JOIN messages_message AS m ON m.n = f.rowid
 CROSS JOIN messages_participant AS p ON p.thread_id = m.thread_id AND p.member_id = :member
 WHERE messages_search MATCH :words
   AND f.rowid < coalesce((SELECT n FROM messages_message WHERE id = :after), 9223372036854775807)
 ORDER BY f.rowid DESC LIMIT :limit;

-- name: leave-threads
-- Counts a member out of their threads.
UPDATE messages_thread SET members = members - 1 WHERE low_id = :member OR high_id = :member;

-- name: leave
DELETE FROM messages_participant WHERE member_id = :member;

-- name: abandoned
-- A thread that nobody has any more.
-- scan: of an index that has such threads alone
SELECT id FROM messages_thread WHERE members = 0 LIMIT 1;

-- name: delete-messages
-- Some messages of a thread.
DELETE FROM messages_message
 WHERE n IN (SELECT n FROM messages_message WHERE thread_id = :thread LIMIT :most);

-- name: delete-thread
DELETE FROM messages_thread WHERE id = :id;
