-- The store's own statements.

-- name: meta
-- What is this file's own, and does not change while it is open.
SELECT instance_key, epoch FROM store_meta WHERE id = 1;

-- name: touch
-- Counts one change of a topic for each member of the list.
INSERT INTO store_revision (member_id, topic, revision)
SELECT value, :topic, 1 FROM json_each(:members) WHERE true
    ON CONFLICT DO UPDATE SET revision = revision + 1;

-- name: revision
-- The counts of one member and of everybody (0), of all topics.
SELECT coalesce(sum(revision) FILTER (WHERE member_id = :member), 0) AS own,
       coalesce(sum(revision) FILTER (WHERE member_id = 0), 0) AS shared
  FROM store_revision
 WHERE member_id IN (0, :member);

-- name: revisions
-- The same for each topic, together.
SELECT topic, sum(revision) AS revision FROM store_revision WHERE member_id IN (0, :member) GROUP BY topic;

-- name: note-changes
-- Each is a topic and an item.
INSERT INTO store_change (topic, item) SELECT value ->> 0, value ->> 1 FROM json_each(:changes);

-- name: forget-changes
DELETE FROM store_change WHERE seq <= (SELECT max(seq) FROM store_change) - :keep;

-- name: last-change
SELECT coalesce(max(seq), 0) FROM store_change;

-- name: changes
-- The change of that number, if it is still there, and all later ones.
SELECT seq, topic, item FROM store_change WHERE seq >= :seq ORDER BY seq;
