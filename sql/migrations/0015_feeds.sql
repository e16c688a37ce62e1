-- Feeds: the articles of RSS, Atom and JSON feeds, which a provider inside of the program
-- publishes.
CREATE TABLE provider_feed (
  id            INTEGER PRIMARY KEY,
  provider      TEXT, -- its id; NULL for a removed feed, whose articles are being deleted
  subject       TEXT NOT NULL, -- pseudonym of the only member who sees it, '' for all
  local         INTEGER NOT NULL, -- the operator named an address that is not public
  url           TEXT NOT NULL, -- may contain a secret
  title         TEXT NOT NULL,
  description   TEXT NOT NULL,
  home          TEXT NOT NULL, -- URL of the web site, '' if unknown
  etag          TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  fetched_at    INTEGER NOT NULL, -- last attempt
  next_at       INTEGER NOT NULL, -- no fetch before
  refresh_at    INTEGER NOT NULL, -- no fetch before, if a member requests it
  failed_at     INTEGER, -- since when it cannot be fetched
  failure       TEXT NOT NULL DEFAULT '' -- reason, for members
) STRICT;

CREATE UNIQUE INDEX provider_feed_url ON provider_feed (provider, url);

-- The newest articles of each feed.
CREATE TABLE provider_article (
  feed_id      INTEGER NOT NULL REFERENCES provider_feed (id) ON DELETE CASCADE,
  id           TEXT NOT NULL,
  published_at INTEGER NOT NULL,
  content      TEXT NOT NULL, -- JSON
  PRIMARY KEY (feed_id, id)
) STRICT, WITHOUT ROWID;

-- The articles that members have read.
CREATE TABLE provider_read_mark (
  feed_id    INTEGER NOT NULL,
  article_id TEXT NOT NULL,
  subject    TEXT NOT NULL, -- pseudonym of the member
  marked_at  INTEGER NOT NULL,
  PRIMARY KEY (feed_id, article_id, subject),
  FOREIGN KEY (feed_id, article_id) REFERENCES provider_article (feed_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX provider_read_mark_subject ON provider_read_mark (subject);
