-- Responses to requests with an Idempotency-Key, kept for a day.

CREATE TABLE world_idempotency (
  member_id  INTEGER NOT NULL REFERENCES identity_member(id),
  route      TEXT NOT NULL,                 -- method and path
  key        TEXT NOT NULL,
  body_hash  BLOB NOT NULL,                 -- SHA-256 of the request body
  status     INTEGER NOT NULL,              -- HTTP status
  response   BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (member_id, route, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX world_idempotency_age ON world_idempotency (created_at);
CREATE INDEX world_idempotency_member ON world_idempotency (member_id, created_at);
