-- Threads of two members and their messages. Each service with threads has its own
-- tables, whose names begin with {tables}. A statement that serves a member reads a
-- thread through the member's row of the participants.

-- name: threads-before
-- Returns a member's threads below a position, the latest first, with the
-- beginning of the latest message.
SELECT t.id, t.message_count, t.created_at, t.updated_at, p.partner_id, p.position, p.read_seq, p.unread_count,
       p.marked_unread, substr(m.body, 1, 120) AS summary, m.sender_id AS last_sender_id,
       (SELECT r.id FROM {tables}_message AS r WHERE r.thread_id = t.id AND r.seq = p.read_seq) AS read_up_to
  FROM {tables}_participant AS p
 CROSS JOIN {tables}_thread AS t ON t.id = p.thread_id
 CROSS JOIN {tables}_message AS m ON m.thread_id = t.id AND m.seq = t.message_count
 WHERE p.member_id = :member AND p.position < :before
 ORDER BY p.position DESC LIMIT :limit;

-- name: threads-by-id
-- Returns the member's threads among ids, in the order of ids.
SELECT t.id, t.message_count, t.created_at, t.updated_at, p.partner_id, p.position, p.read_seq, p.unread_count,
       p.marked_unread, substr(m.body, 1, 120) AS summary, m.sender_id AS last_sender_id,
       (SELECT r.id FROM {tables}_message AS r WHERE r.thread_id = t.id AND r.seq = p.read_seq) AS read_up_to
  FROM json_each(:ids) AS l
 CROSS JOIN {tables}_participant AS p ON p.member_id = :member AND p.thread_id = l.value
 CROSS JOIN {tables}_thread AS t ON t.id = p.thread_id
 CROSS JOIN {tables}_message AS m ON m.thread_id = t.id AND m.seq = t.message_count
 ORDER BY l.key;

-- name: thread-versions
-- Returns the versions of a member's latest threads. A new message changes the
-- position, reading changes the read cursor or the mark.
SELECT thread_id AS id, partner_id, concat(position, ' ', unread_count, ' ', read_seq, ' ', marked_unread) AS version
  FROM {tables}_participant
 WHERE member_id = :member
 ORDER BY position DESC LIMIT :limit;

-- name: unread-total
SELECT coalesce(sum(unread_count), 0) FROM {tables}_participant WHERE member_id = :member AND unread_count > 0;

-- name: thread-between
SELECT id FROM {tables}_thread WHERE low_id = :low AND high_id = :high;

-- name: add-thread
INSERT INTO {tables}_thread (id, low_id, high_id, message_count, created_at, updated_at) VALUES (:id, :low, :high, 0, :now, :now);

-- name: add-participants
-- Adds both rows of a thread, each at the top of the list. pairs contains each
-- participant with their partner.
INSERT INTO {tables}_participant (member_id, thread_id, partner_id, position, read_seq, unread_count, marked_unread)
SELECT l.value ->> 0, :thread, l.value ->> 1,
       1 + coalesce((SELECT max(p.position) FROM {tables}_participant AS p WHERE p.member_id = l.value ->> 0), 0), 0, 0, 0
  FROM json_each(:pairs) AS l;

-- name: next-seq
-- Counts a new message and returns its seq.
UPDATE {tables}_thread SET message_count = message_count + 1, updated_at = :now WHERE id = :thread RETURNING message_count;

-- name: add-message
INSERT INTO {tables}_message (id, thread_id, seq, sender_id, body, created_at)
VALUES (:id, :thread, :seq, :sender, :body, :now)
RETURNING rowid;

-- name: update-participants
-- Moves a thread to the top of both lists after a new message. The sender has read
-- the whole thread.
UPDATE {tables}_participant
   SET position = 1 + (SELECT max(q.position) FROM {tables}_participant AS q WHERE q.member_id = {tables}_participant.member_id),
       read_seq = iif(member_id = :sender, :seq, read_seq), unread_count = iif(member_id = :sender, 0, unread_count + 1),
       marked_unread = iif(member_id = :sender, 0, marked_unread)
 WHERE thread_id = :thread;

-- name: messages-before
-- Returns the messages of a thread below a seq, the latest first.
SELECT id, thread_id, seq, sender_id, body, created_at FROM {tables}_message
 WHERE thread_id = :thread AND seq < :before
 ORDER BY seq DESC LIMIT :limit;

-- name: message-seq
-- Returns the seq of a message of the thread.
SELECT seq FROM {tables}_message WHERE id = :id AND thread_id = :thread;

-- name: mark-read
-- Moves a member's read cursor forward to a seq, and removes the mark.
UPDATE {tables}_participant
   SET read_seq = max(read_seq, :seq), marked_unread = 0,
       unread_count = (SELECT count(*) FROM {tables}_message
                        WHERE thread_id = :thread AND seq > max({tables}_participant.read_seq, :seq) AND sender_id <> :member)
 WHERE member_id = :member AND thread_id = :thread AND (read_seq < :seq OR marked_unread = 1);

-- name: mark-unread
-- Marks a thread that has no unread messages as unread. The read cursor stays.
UPDATE {tables}_participant SET marked_unread = 1
 WHERE member_id = :member AND thread_id = :thread AND unread_count = 0 AND marked_unread = 0;

-- name: leave-threads
DELETE FROM {tables}_participant
 WHERE member_id = :member AND thread_id IN (SELECT thread_id FROM {tables}_participant WHERE member_id = :member LIMIT :limit);

-- name: delete-orphaned-messages
-- Deletes messages of the member's threads without participants.
DELETE FROM {tables}_message
 WHERE id IN (SELECT m.id FROM {tables}_thread AS t CROSS JOIN {tables}_message AS m ON m.thread_id = t.id
               WHERE (t.low_id = :member OR t.high_id = :member)
                 AND NOT EXISTS (SELECT 1 FROM {tables}_participant AS p WHERE p.thread_id = t.id)
               LIMIT :limit);

-- name: delete-orphaned-threads
-- Deletes the member's threads without participants, after their messages.
DELETE FROM {tables}_thread
 WHERE id IN (SELECT t.id FROM {tables}_thread AS t
               WHERE (t.low_id = :member OR t.high_id = :member)
                 AND NOT EXISTS (SELECT 1 FROM {tables}_participant AS p WHERE p.thread_id = t.id)
               LIMIT :limit);
