-- Providers and their records. Members see the records of the current generation.

-- name: add-provider
INSERT INTO provider_provider (id, member_id, label, source_url, action_url, secret, interval, created_at)
VALUES (:id, :member, :label, :source, :action, :secret, :interval, :now)
RETURNING number;

-- name: providers
SELECT number, id, coalesce(member_id, 0) AS member_id, label, source_url, action_url, secret, interval, created_at, generation, payload, counts, attempted_at, acquired_at, failure, failures
  FROM provider_provider WHERE id IS NOT NULL ORDER BY id;

-- name: provider
SELECT number, id, coalesce(member_id, 0) AS member_id, label, source_url, action_url, secret, interval, created_at, generation, payload, counts, attempted_at, acquired_at, failure, failures
  FROM provider_provider WHERE id = :id;

-- name: remove-provider
UPDATE provider_provider SET id = NULL, member_id = NULL, staging = NULL, secret = x'' WHERE id = :id;

-- name: providers-of-member
SELECT id FROM provider_provider WHERE member_id = :member AND id IS NOT NULL;

-- name: put-attempt
UPDATE provider_provider
   SET attempted_at = :now, failure = :failure, failures = iif(:failure = '', 0, failures + 1), acquired_at = iif(:failure = '', :now, acquired_at)
 WHERE number = :number AND id = :id; -- the number may be that of another provider, added since

-- name: digests
SELECT id, kind, name, digest FROM provider_record
 WHERE provider_number = :number AND since <= :generation AND (until IS NULL OR until > :generation);

-- name: stage
-- Begins to stage the next generation. An ingestion that is still running ends.
UPDATE provider_provider SET staging = :staging WHERE number = :number AND id = :id AND generation = :generation;

-- name: is-staging
SELECT count(*) FROM provider_provider WHERE number = :number AND staging = :staging;

-- name: delete-staged
-- Deletes records of the next generation that an interrupted ingestion has added.
DELETE FROM provider_record WHERE id IN (
       SELECT id FROM provider_record WHERE provider_number = :number AND since > :generation LIMIT :limit);

-- name: keep-staged
-- Keeps the records of the current generation that an interrupted ingestion has marked as ended.
UPDATE provider_record SET until = NULL WHERE id IN (
       SELECT id FROM provider_record WHERE provider_number = :number AND until > :generation LIMIT :limit);

-- name: add-records
INSERT INTO provider_record (provider_number, kind, name, key, audience, content, digest, since)
SELECT :number, value ->> 'kind', value ->> 'name', value ->> 'key', value ->> 'audience', value ->> 'content', unhex(value ->> 'digest'), :since
  FROM json_each(:records) WHERE true
RETURNING id, kind, name;

-- name: add-readers
INSERT INTO provider_reader (record_id, name) SELECT value ->> 0, value ->> 1 FROM json_each(:readers) WHERE true ON CONFLICT DO NOTHING;

-- name: add-actions
INSERT INTO provider_action (key, record_id) SELECT value ->> 0, value ->> 1 FROM json_each(:actions);

-- name: end-records
UPDATE provider_record SET until = :until WHERE id IN (SELECT value FROM json_each(:ids));

-- name: publish
UPDATE provider_provider SET generation = generation + 1, payload = :payload, counts = :counts, staging = NULL WHERE number = :number AND staging = :staging;

-- name: delete-ended
-- Deletes records that no member can see any longer.
-- scan: there are few providers
DELETE FROM provider_record WHERE id IN (
       SELECT r.id FROM provider_provider AS p JOIN provider_record AS r ON r.provider_number = p.number AND r.until <= p.generation LIMIT :limit);

-- name: delete-removed-records
DELETE FROM provider_record WHERE id IN (
       SELECT r.id FROM provider_provider AS p JOIN provider_record AS r ON r.provider_number = p.number WHERE p.id IS NULL LIMIT :limit);

-- name: delete-removed
DELETE FROM provider_provider WHERE id IS NULL AND NOT EXISTS (SELECT 1 FROM provider_record WHERE provider_number = number);

-- name: visible-objects
-- Returns objects of all providers: at most the same number of each, if there are too many.
-- scan: there are few providers
SELECT id, version
  FROM (SELECT CAST(r.id AS TEXT) AS id, hex(r.digest) AS version, p.id AS provider, r.name, row_number() OVER (PARTITION BY p.number ORDER BY r.name) AS n
          FROM provider_provider AS p JOIN provider_record AS r ON r.provider_number = p.number AND r.kind = 'object'
         WHERE p.id IS NOT NULL AND r.since <= p.generation AND (r.until IS NULL OR r.until > p.generation)
           AND (r.audience = 'members' OR r.audience = 'operators' AND :operator
                OR r.audience = 'listed' AND EXISTS (SELECT 1 FROM provider_reader AS m WHERE m.record_id = r.id AND m.name IN (SELECT value FROM json_each(:names))))
         ORDER BY n, provider LIMIT :limit)
 ORDER BY provider, name;

-- name: objects-by-id
SELECT r.id, p.id AS provider, p.label, r.key, r.content
  FROM provider_record AS r JOIN provider_provider AS p ON p.number = r.provider_number
 WHERE r.id IN (SELECT value FROM json_each(:ids));

-- name: visible-by-key
-- Returns the objects with some keys, and the object of the action with a key.
SELECT r.id, p.id AS provider, p.label, r.key, r.content
  FROM provider_record AS r JOIN provider_provider AS p ON p.number = r.provider_number
 WHERE r.id IN (SELECT id FROM provider_record WHERE key IN (SELECT value FROM json_each(:objects)) UNION ALL SELECT record_id FROM provider_action WHERE key = :action)
   AND p.id IS NOT NULL AND r.since <= p.generation AND (r.until IS NULL OR r.until > p.generation)
   AND (r.audience = 'members' OR r.audience = 'operators' AND :operator
        OR r.audience = 'listed' AND EXISTS (SELECT 1 FROM provider_reader AS m WHERE m.record_id = r.id AND m.name IN (SELECT value FROM json_each(:names))));

-- name: collections
-- scan: there are few providers
SELECT p.id AS provider, r.content
  FROM provider_provider AS p JOIN provider_record AS r ON r.provider_number = p.number AND r.kind = 'collection'
 WHERE p.id IS NOT NULL AND r.since <= p.generation AND (r.until IS NULL OR r.until > p.generation)
 ORDER BY p.id, r.name LIMIT :limit;
