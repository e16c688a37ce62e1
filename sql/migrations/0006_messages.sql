-- Threads of two members, and what they write to each other.

CREATE TABLE messages_thread (
  id         TEXT PRIMARY KEY,       -- thr_…
  low_id     INTEGER NOT NULL REFERENCES identity_member(id), -- its two members,
  high_id    INTEGER NOT NULL REFERENCES identity_member(id), -- by number
  members    INTEGER NOT NULL,       -- how many have not left
  messages   INTEGER NOT NULL,       -- how many, and so the seq of the last
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,       -- when the last was written
  UNIQUE (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_thread_high ON messages_thread (high_id);
CREATE INDEX messages_thread_abandoned ON messages_thread (id) WHERE members = 0;

-- A thread as one of its members has it. Who has left has none.
CREATE TABLE messages_participant (
  member_id  INTEGER NOT NULL REFERENCES identity_member(id),
  thread_id  TEXT NOT NULL REFERENCES messages_thread(id),
  partner_id INTEGER NOT NULL,       -- the other of the two
  place      INTEGER NOT NULL,       -- in the inbox: the higher, the later something was written
  marker     INTEGER NOT NULL,       -- seq of the last message that was read
  unread     INTEGER NOT NULL,       -- how many the partner wrote after it
  PRIMARY KEY (member_id, thread_id),
  UNIQUE (member_id, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_participant_thread ON messages_participant (thread_id);
CREATE INDEX messages_participant_unread ON messages_participant (member_id, unread) WHERE unread > 0;

CREATE TABLE messages_message (
  n          INTEGER PRIMARY KEY,    -- is shown to nobody: it counts everybody's messages
  id         TEXT NOT NULL UNIQUE,   -- msg_…
  thread_id  TEXT NOT NULL REFERENCES messages_thread(id),
  seq        INTEGER NOT NULL,       -- 1 for the first of its thread
  sender_id  INTEGER NOT NULL,       -- one of the two
  body       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (thread_id, seq)
) STRICT;

-- The words of messages, each once for each of the two who may find it: see
-- messages/words.go. The text itself is not in it.
CREATE VIRTUAL TABLE messages_search USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TRIGGER messages_message_removed AFTER DELETE ON messages_message BEGIN
  DELETE FROM messages_search WHERE rowid = OLD.n;
END;
