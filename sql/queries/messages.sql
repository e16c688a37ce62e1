-- Threads are in thread.sql.

-- name: thread-exists
SELECT EXISTS (SELECT 1 FROM messages_thread WHERE id = :id);

-- name: add-to-index
INSERT INTO messages_search (rowid, terms) VALUES (:row, :terms);

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
