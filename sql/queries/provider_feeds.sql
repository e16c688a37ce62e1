-- Feeds, their articles, and the read marks of members.

-- name: add-feed
INSERT INTO provider_feed (provider, subject, local, url, title, description, home, etag, last_modified, fetched_at, next_at, refresh_at)
VALUES (:provider, :subject, :local, :url, '', '', '', '', '', 0, 0, 0)
ON CONFLICT (provider, url) DO NOTHING
RETURNING id;

-- name: feeds
SELECT id, subject, local, url, title, description, home, etag, last_modified, fetched_at, next_at, failed_at, failure
  FROM provider_feed WHERE provider = :provider ORDER BY id;

-- name: shared-feeds
-- Returns the feeds of the providers in the list, except those that only one member
-- sees.
SELECT provider, id, subject, local, url, title, description, home, etag, last_modified, fetched_at, next_at, failed_at, failure
  FROM provider_feed
 WHERE provider IN (SELECT value FROM json_each(:providers)) AND subject = ''
 ORDER BY provider, id;

-- name: remove-feeds
UPDATE provider_feed SET provider = NULL WHERE provider = :provider;

-- name: remove-feed
UPDATE provider_feed SET provider = NULL WHERE provider = :provider AND id = :feed AND subject = :subject;

-- name: delete-removed-marks
DELETE FROM provider_read_mark
 WHERE (feed_id, article_id, subject) IN (SELECT m.feed_id, m.article_id, m.subject
                                            FROM provider_feed AS f JOIN provider_read_mark AS m ON m.feed_id = f.id
                                           WHERE f.provider IS NULL LIMIT :limit);

-- name: delete-removed-articles
DELETE FROM provider_article
 WHERE (feed_id, id) IN (SELECT a.feed_id, a.id FROM provider_feed AS f JOIN provider_article AS a ON a.feed_id = f.id
                          WHERE f.provider IS NULL LIMIT :limit);

-- name: delete-removed-feeds
DELETE FROM provider_feed WHERE id IN (SELECT id FROM provider_feed WHERE provider IS NULL LIMIT :limit);

-- name: claim
-- Reserves the fetch of all feeds that are due, so that no other request fetches them. A
-- fetch in the future means that the clock was set back.
UPDATE provider_feed SET fetched_at = :now, next_at = :next, refresh_at = :refresh
 WHERE provider = :provider AND (next_at <= :now OR fetched_at > :now)
RETURNING id;

-- name: put-state
UPDATE provider_feed
   SET fetched_at = :now, next_at = :next, refresh_at = :refresh, failure = :failure,
       failed_at = iif(:failure = '', NULL, coalesce(failed_at, :now))
 WHERE id = :id AND url = :url; -- the id may be that of another feed, added since

-- name: put-feed
UPDATE provider_feed
   SET title = :title, description = :description, home = :home, etag = :etag, last_modified = :modified
 WHERE id = :id;

-- name: put-articles
-- An article without a date, or with a later one, is as old as its first fetch.
INSERT INTO provider_article (feed_id, id, published_at, content)
SELECT :feed, value ->> 'id', value ->> 'published_at', value ->> 'content' FROM json_each(:articles) WHERE true
ON CONFLICT (feed_id, id) DO UPDATE SET content = excluded.content, published_at = min(published_at, excluded.published_at)
 WHERE content <> excluded.content OR published_at > excluded.published_at;

-- name: delete-old-marks
-- Deletes marks of the articles that are not among the newest.
DELETE FROM provider_read_mark
 WHERE (feed_id, article_id, subject) IN (SELECT feed_id, article_id, subject FROM provider_read_mark
                                           WHERE feed_id = :feed AND article_id NOT IN (SELECT id FROM provider_article WHERE feed_id = :feed
                                                                                         ORDER BY published_at DESC, id LIMIT :keep)
                                           LIMIT :limit);

-- name: delete-old-articles
-- Deletes the articles that are not among the newest and have no marks.
DELETE FROM provider_article
 WHERE feed_id = :feed AND id NOT IN (SELECT id FROM provider_article WHERE feed_id = :feed ORDER BY published_at DESC, id LIMIT :keep)
   AND NOT EXISTS (SELECT 1 FROM provider_read_mark AS m WHERE m.feed_id = provider_article.feed_id AND m.article_id = provider_article.id);

-- name: articles
-- Returns the newest articles of each feed.
SELECT feed_id, id, published_at, content
  FROM (SELECT a.feed_id, a.id, a.published_at, a.content, row_number() OVER (PARTITION BY a.feed_id ORDER BY a.published_at DESC, a.id) AS n
          FROM provider_feed AS f JOIN provider_article AS a ON a.feed_id = f.id
         WHERE f.provider = :provider)
 WHERE n <= :limit ORDER BY feed_id, n;

-- name: request-refresh
-- Makes feeds due. feed is NULL for all.
UPDATE provider_feed SET next_at = min(next_at, :now)
 WHERE provider = :provider AND id = coalesce(:feed, id) AND refresh_at <= :now;

-- name: has-article
SELECT count(*) FROM provider_feed AS f JOIN provider_article AS a ON a.feed_id = f.id WHERE f.provider = :provider AND a.id = :article;

-- name: add-mark
INSERT INTO provider_read_mark (feed_id, article_id, subject, marked_at)
SELECT a.feed_id, a.id, :subject, :now FROM provider_feed AS f JOIN provider_article AS a ON a.feed_id = f.id
 WHERE f.provider = :provider AND a.id = :article
ON CONFLICT DO NOTHING;

-- name: remove-mark
DELETE FROM provider_read_mark
 WHERE subject = :subject AND article_id = :article AND feed_id IN (SELECT id FROM provider_feed WHERE provider = :provider);

-- name: marks
-- Returns the latest marks of each member, so that many marks of one member do not
-- displace those of others.
SELECT article_id, subject
  FROM (SELECT m.article_id, m.subject, row_number() OVER (PARTITION BY m.subject ORDER BY m.marked_at DESC, m.article_id) AS n
          FROM provider_feed AS f JOIN provider_read_mark AS m ON m.feed_id = f.id
         WHERE f.provider = :provider)
 ORDER BY n, article_id, subject LIMIT :limit;

-- name: marks-of-subjects
SELECT f.provider, a.content, m.marked_at
  FROM provider_read_mark AS m JOIN provider_feed AS f ON f.id = m.feed_id JOIN provider_article AS a ON a.feed_id = m.feed_id AND a.id = m.article_id
 WHERE m.subject IN (SELECT value FROM json_each(:subjects)) ORDER BY m.marked_at, m.feed_id, m.article_id;

-- name: remove-marks
DELETE FROM provider_read_mark
 WHERE (feed_id, article_id, subject) IN (SELECT feed_id, article_id, subject FROM provider_read_mark
                                           WHERE subject IN (SELECT value FROM json_each(:subjects)) LIMIT :limit);
