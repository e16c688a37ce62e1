-- Threads of two members and their messages. A statement that serves a member
-- reads a thread through the member's row of messages_participant.

-- name: threads-before
-- Returns a member's threads below a position, the latest first, with the
-- beginning of the latest message.
SELECT t.id, t.message_count, t.created_at, t.updated_at, p.partner_id, p.position, p.read_seq, p.unread_count,
       p.marked_unread, substr(m.body, 1, 120) AS summary, m.sender_id AS last_sender_id,
       (SELECT r.id FROM messages_message AS r WHERE r.thread_id = t.id AND r.seq = p.read_seq) AS read_up_to
  FROM messages_participant AS p
  JOIN messages_thread AS t ON t.id = p.thread_id
  JOIN messages_message AS m ON m.thread_id = t.id AND m.seq = t.message_count
 WHERE p.member_id = :member AND p.position < :before
 ORDER BY p.position DESC LIMIT :limit;

-- name: thread-versions
-- Returns the versions of a member's latest threads. A new message changes the
-- position, reading changes the read cursor or the mark.
SELECT thread_id AS id, concat(position, ' ', unread_count, ' ', read_seq, ' ', marked_unread) AS version
  FROM messages_participant
 WHERE member_id = :member
 ORDER BY position DESC LIMIT :limit;

-- name: threads-by-id
-- Returns the member's threads among ids, in the order of ids.
SELECT t.id, t.message_count, t.created_at, t.updated_at, p.partner_id, p.position, p.read_seq, p.unread_count,
       p.marked_unread, substr(m.body, 1, 120) AS summary, m.sender_id AS last_sender_id,
       (SELECT r.id FROM messages_message AS r WHERE r.thread_id = t.id AND r.seq = p.read_seq) AS read_up_to
  FROM json_each(:ids) AS l
 CROSS JOIN messages_participant AS p ON p.member_id = :member AND p.thread_id = l.value
  JOIN messages_thread AS t ON t.id = p.thread_id
  JOIN messages_message AS m ON m.thread_id = t.id AND m.seq = t.message_count
 ORDER BY l.key;

-- name: thread-exists
SELECT EXISTS (SELECT 1 FROM messages_thread WHERE id = :id);

-- name: unread-total
SELECT coalesce(sum(unread_count), 0) FROM messages_participant WHERE member_id = :member AND unread_count > 0;

-- name: thread-between
SELECT id FROM messages_thread WHERE low_id = :low AND high_id = :high;

-- name: add-thread
INSERT INTO messages_thread (id, low_id, high_id, member_count, message_count, created_at, updated_at)
VALUES (:id, :low, :high, 2, 0, :now, :now);

-- name: add-participants
-- Adds both rows of a thread, each at the top of the inbox. pairs contains each
-- participant with their partner.
INSERT INTO messages_participant (member_id, thread_id, partner_id, position, read_seq, unread_count, marked_unread)
SELECT l.value ->> 0, :thread, l.value ->> 1,
       1 + coalesce((SELECT max(p.position) FROM messages_participant AS p WHERE p.member_id = l.value ->> 0), 0), 0, 0, 0
  FROM json_each(:pairs) AS l;

-- name: next-seq
-- Counts a new message and returns its seq.
UPDATE messages_thread SET message_count = message_count + 1, updated_at = :now WHERE id = :thread RETURNING message_count;

-- name: add-message
INSERT INTO messages_message (id, thread_id, seq, sender_id, body, created_at)
VALUES (:id, :thread, :seq, :sender, :body, :now)
RETURNING row_id;

-- name: add-to-index
INSERT INTO messages_search (rowid, terms) VALUES (:row, :terms);

-- name: update-participants
-- Moves a thread to the top of both inboxes after a new message. The sender has
-- read the whole thread.
UPDATE messages_participant
   SET position = 1 + (SELECT max(q.position) FROM messages_participant AS q WHERE q.member_id = messages_participant.member_id),
       read_seq = iif(member_id = :sender, :seq, read_seq), unread_count = iif(member_id = :sender, 0, unread_count + 1),
       marked_unread = iif(member_id = :sender, 0, marked_unread)
 WHERE thread_id = :thread;

-- name: messages-before
-- Returns the messages of a thread below a seq, the latest first.
SELECT id, thread_id, seq, sender_id, body, created_at FROM messages_message
 WHERE thread_id = :thread AND seq < :before
 ORDER BY seq DESC LIMIT :limit;

-- name: message-seq
-- Returns the seq of a message of the thread.
SELECT seq FROM messages_message WHERE id = :id AND thread_id = :thread;

-- name: mark-read
-- Moves a member's read cursor forward to a seq, and removes the mark.
UPDATE messages_participant
   SET read_seq = max(read_seq, :seq), marked_unread = 0,
       unread_count = (SELECT count(*) FROM messages_message
                        WHERE thread_id = :thread AND seq > max(messages_participant.read_seq, :seq) AND sender_id <> :member)
 WHERE member_id = :member AND thread_id = :thread AND (read_seq < :seq OR marked_unread = 1);

-- name: mark-unread
-- Marks a thread that has no unread messages as unread. The read cursor stays.
UPDATE messages_participant SET marked_unread = 1
 WHERE member_id = :member AND thread_id = :thread AND unread_count = 0 AND marked_unread = 0;

-- name: search
-- Returns the member's messages that match an FTS5 expression, the latest first,
-- beginning after a message.
-- scan: MATCH restricts the scan of the FTS5 index to the member's own terms
SELECT m.id, m.thread_id, m.seq, m.sender_id, m.body, m.created_at
  FROM messages_search AS f
 CROSS JOIN messages_message AS m ON m.row_id = f.rowid
 CROSS JOIN messages_participant AS p ON p.thread_id = m.thread_id AND p.member_id = :member
 WHERE messages_search MATCH :terms
   AND f.rowid < coalesce((SELECT row_id FROM messages_message WHERE id = :after), 9223372036854775807)
 ORDER BY f.rowid DESC LIMIT :limit;

-- name: decrement-member-count
-- Decrements the member count of the threads that delete-participants deletes the rows of.
UPDATE messages_thread SET member_count = member_count - 1
 WHERE id IN (SELECT thread_id FROM messages_participant WHERE member_id = :member ORDER BY thread_id LIMIT :limit);

-- name: delete-participants
-- Deletes a member's rows of the first threads.
DELETE FROM messages_participant
 WHERE member_id = :member
   AND thread_id IN (SELECT thread_id FROM messages_participant WHERE member_id = :member ORDER BY thread_id LIMIT :limit);

-- name: orphaned-thread
-- Returns a thread whose members are both deleted.
-- scan: the partial index contains only such threads
SELECT id FROM messages_thread WHERE member_count = 0 LIMIT 1;

-- name: delete-messages
-- Deletes up to limit messages of a thread. A trigger deletes their index
-- entries.
DELETE FROM messages_message
 WHERE row_id IN (SELECT row_id FROM messages_message WHERE thread_id = :thread LIMIT :limit);

-- name: delete-thread
DELETE FROM messages_thread WHERE id = :id;
