-- Providers: third-party services whose records members can see.
CREATE TABLE provider_provider (
  number       INTEGER PRIMARY KEY,
  id           TEXT UNIQUE, -- NULL for a removed provider, whose records are being deleted
  member_id    INTEGER REFERENCES identity_member (id), -- the only member who sees it; NULL for all
  label        TEXT NOT NULL,
  source_url   TEXT NOT NULL,
  action_url   TEXT NOT NULL, -- '' if the provider performs no actions
  secret       BLOB NOT NULL, -- signs the requests to the provider
  interval     INTEGER NOT NULL CHECK (interval >= 0), -- milliseconds between acquisitions; 0 for none
  created_at   INTEGER NOT NULL,
  generation   INTEGER NOT NULL DEFAULT 0, -- the one that members see
  payload      BLOB, -- SHA-256 of the payload of the generation
  counts       TEXT NOT NULL DEFAULT '{}', -- JSON: numbers of its records
  staging      TEXT, -- identifies the ingestion that stages the next generation
  attempted_at INTEGER, -- last acquisition
  acquired_at  INTEGER, -- last successful acquisition
  failure      TEXT NOT NULL DEFAULT '', -- reason why the last acquisition failed
  failures     INTEGER NOT NULL DEFAULT 0 -- consecutive ones
) STRICT;

CREATE INDEX provider_provider_member ON provider_provider (member_id) WHERE member_id IS NOT NULL;

-- Objects, collections and extensions. A row never changes, except that a later
-- generation ends it. It belongs to the generations from since up to until, exclusive.
CREATE TABLE provider_record (
  id              INTEGER PRIMARY KEY,
  provider_number INTEGER NOT NULL REFERENCES provider_provider (number),
  kind            TEXT NOT NULL CHECK (kind IN ('object', 'collection', 'extension')),
  name            TEXT NOT NULL, -- source_type/source_id of an object; otherwise its id
  key             TEXT NOT NULL, -- identifies an object in ids of actions
  audience        TEXT NOT NULL CHECK (audience IN ('members', 'operators', 'listed', 'none')),
  content         TEXT NOT NULL, -- JSON
  digest          BLOB NOT NULL, -- SHA-256 of content, which determines the audience
  since           INTEGER NOT NULL,
  until           INTEGER
) STRICT;

CREATE UNIQUE INDEX provider_record_name ON provider_record (provider_number, kind, name, since);
CREATE INDEX provider_record_key ON provider_record (key);
CREATE INDEX provider_record_until ON provider_record (provider_number, until) WHERE until IS NOT NULL;
CREATE INDEX provider_record_since ON provider_record (provider_number, since);

-- The members who can see an object that lists them.
CREATE TABLE provider_reader (
  record_id INTEGER NOT NULL REFERENCES provider_record (id) ON DELETE CASCADE,
  name      TEXT NOT NULL, -- subject, or e-mail address in lower case
  PRIMARY KEY (record_id, name)
) STRICT, WITHOUT ROWID;

-- The actions on objects.
CREATE TABLE provider_action (
  key       TEXT NOT NULL, -- identifies the action in its id
  record_id INTEGER NOT NULL REFERENCES provider_record (id) ON DELETE CASCADE,
  PRIMARY KEY (key, record_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX provider_action_record ON provider_action (record_id);
