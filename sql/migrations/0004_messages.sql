-- Messages: private threads of two members.

CREATE TABLE messages_thread (
  id            TEXT PRIMARY KEY,       -- thr_…
  low_id        INTEGER NOT NULL REFERENCES identity_member(id), -- the smaller of the two member ids
  high_id       INTEGER NOT NULL REFERENCES identity_member(id), -- the larger
  message_count INTEGER NOT NULL,       -- also the seq of the latest message
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,       -- time of the latest message
  UNIQUE (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_thread_high ON messages_thread (high_id);

-- The state of a thread for one of its participants. The row is deleted with the
-- member's account.
CREATE TABLE messages_participant (
  member_id    INTEGER NOT NULL REFERENCES identity_member(id),
  thread_id    TEXT NOT NULL REFERENCES messages_thread(id),
  partner_id   INTEGER NOT NULL,       -- the other member
  position     INTEGER NOT NULL,       -- in the member's inbox, the highest is the latest
  read_seq     INTEGER NOT NULL,       -- read cursor: seq of the last message read
  unread_count INTEGER NOT NULL,       -- messages of the partner after read_seq
  marked_unread INTEGER NOT NULL,      -- 1 if the member has marked the thread as unread
  PRIMARY KEY (member_id, thread_id),
  UNIQUE (member_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_participant_thread ON messages_participant (thread_id);
CREATE INDEX messages_participant_unread ON messages_participant (member_id, unread_count) WHERE unread_count > 0;

CREATE TABLE messages_message (
  row_id     INTEGER PRIMARY KEY,    -- rowid in messages_search. Never published: it counts the messages of all members
  id         TEXT NOT NULL UNIQUE,   -- msg_…
  thread_id  TEXT NOT NULL REFERENCES messages_thread(id),
  seq        INTEGER NOT NULL,       -- position in the thread, from 1
  sender_id  INTEGER NOT NULL,       -- one of the two members
  body       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (thread_id, seq)
) STRICT;

-- Full-text index. Its terms are explained in svc/messages/tokenize.go. It does
-- not store the text.
CREATE VIRTUAL TABLE messages_search USING fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TRIGGER messages_message_removed AFTER DELETE ON messages_message BEGIN
  DELETE FROM messages_search WHERE rowid = OLD.row_id;
END;
