-- Mirrors of Social events. Each sync changes the mirrors of several events with a
-- fixed number of statements; a member has at most one mirror of an event.

-- name: synced-revisions
SELECT event_id, revision FROM json_each(:events) AS l CROSS JOIN calendar_event_sync AS s ON s.event_id = l.value;

-- name: put-synced-revisions
-- Each row is a pair of an event and a revision.
INSERT INTO calendar_event_sync (event_id, revision) SELECT value ->> 0, value ->> 1 FROM json_each(:rows) WHERE true
    ON CONFLICT (event_id) DO UPDATE SET revision = excluded.revision;

-- name: mirrors
-- Returns the mirrors of events with their owners. Mirrors in orphaned calendars
-- are omitted.
SELECT o.n, o.size, o.calendar_id, o.segment, o.source_digest, c.owner_id, o.source_object_id AS event_id
  FROM json_each(:events) AS l
 CROSS JOIN calendar_object AS o ON o.source_object_id = l.value AND o.source_service = 'social'
  JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE c.owner_id IS NOT NULL
 ORDER BY l.key, c.owner_id, o.n;

-- name: default-calendars
-- Returns the default calendars of members. A member may have none.
SELECT c.owner_id, c.id AS calendar_id
  FROM json_each(:members) AS m CROSS JOIN calendar_calendar AS c ON c.owner_id = m.value AND c.is_default = 1;

-- name: objects-with-uid
-- Returns the objects that are in place of new mirrors, whose rows are those of add-mirrors.
SELECT o.n, o.size, o.calendar_id, o.segment, NULL AS source_digest, 0 AS owner_id, '' AS event_id
  FROM json_each(:rows) AS r CROSS JOIN calendar_object AS o ON o.calendar_id = r.value ->> 1 AND o.uid = r.value ->> 3;

-- name: bump-syncs
-- Increments the seq of each calendar.
UPDATE calendar_calendar SET seq = seq + 1, home_seq = :home_seq WHERE id IN (SELECT value FROM json_each(:calendars));

-- name: readers-of
-- Returns the members who have access to any of the calendars.
SELECT DISTINCT a.member_id FROM json_each(:calendars) AS c CROSS JOIN calendar_access AS a ON a.calendar_id = c.value;

-- name: add-mirrors
-- Adds mirrors without text. Each row has the id, the calendar, the event and the UID.
INSERT INTO calendar_object (id, calendar_id, segment, uid, component, title, etag, size, seq, floating, first_start, last_end, open, hidden,
                             source_service, source_object_type, source_object_id, created_at, updated_at)
SELECT value ->> 0, value ->> 1, (value ->> 0) || '.ics', value ->> 3, 'VEVENT', '', '', 0, 0, 0, 0, 0, 0, 0, 'social', 'event', value ->> 2, :now, :now
  FROM json_each(:rows) WHERE true
RETURNING n, calendar_id, source_object_id AS event_id;

-- name: update-mirrors
UPDATE calendar_object
   SET title = r.title, etag = r.etag, size = r.size, source_digest = r.digest, updated_at = :now,
       seq = (SELECT c.seq FROM calendar_calendar AS c WHERE c.id = calendar_object.calendar_id)
  FROM (SELECT value ->> 'n' AS n, value ->> 'etag' AS etag, value ->> 'size' AS size, value ->> 'digest' AS digest, value ->> 'title' AS title
          FROM json_each(:rows)) AS r
 WHERE calendar_object.n = r.n;

-- name: put-mirror-data
INSERT INTO calendar_data (n, data) SELECT value ->> 'n', unhex(value ->> 'data') FROM json_each(:rows) WHERE true
    ON CONFLICT (n) DO UPDATE SET data = excluded.data;

-- name: set-mirror-bounds
-- Sets the columns that are derived from the event times. All mirrors of a group
-- have the same times.
WITH row AS MATERIALIZED (
  SELECT m.value AS n, g.value AS g FROM json_each(:groups) AS g CROSS JOIN json_each(g.value -> 'mirrors') AS m
)
UPDATE calendar_object
   SET floating = row.g ->> 'floating', first_start = row.g ->> 'first_start', last_end = row.g ->> 'last_end',
       indexed_from = row.g ->> 'from', indexed_to = row.g ->> 'to'
  FROM row
 WHERE calendar_object.n = row.n;

-- name: delete-mirror-occurrences
DELETE FROM calendar_occurrence WHERE n IN (SELECT m.value FROM json_each(:groups) AS g CROSS JOIN json_each(g.value -> 'mirrors') AS m);

-- name: add-mirror-occurrences
-- Adds the occurrences of each group to each of its mirrors.
INSERT OR IGNORE INTO calendar_occurrence (calendar_id, floating, band, starts, ends, n, recurrence_id, busy)
SELECT o.calendar_id, i.value ->> 'f', i.value ->> 's', i.value ->> 'a', i.value ->> 'b', o.n, i.value ->> 'r', i.value ->> 'y'
  FROM json_each(:groups) AS g CROSS JOIN json_each(g.value -> 'mirrors') AS m CROSS JOIN calendar_object AS o ON o.n = m.value
 CROSS JOIN json_each(g.value -> 'occurrences') AS i;

-- name: ensure-trash-of
-- Creates the trash of each owner of the objects unless it exists.
INSERT INTO calendar_trash (member_id, objects, octets)
SELECT DISTINCT c.owner_id, 0, 0
  FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE true
    ON CONFLICT (member_id) DO NOTHING;

-- name: trash-objects
-- Copies objects to the trash of their owners. Mirrors cannot be restored and
-- are not copied.
INSERT INTO calendar_trashed (id, trash, calendar_id, segment, uid, component, title, deleted_at, properties, data)
SELECT o.id, t.n, o.calendar_id, o.segment, o.uid, o.component, o.title, :now,
       (SELECT json_group_array(json_object('namespace', space, 'name', local, 'element', element)) FROM calendar_property WHERE object = o.n),
       d.data
  FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value
  JOIN calendar_data AS d ON d.n = o.n
  JOIN calendar_calendar AS c ON c.id = o.calendar_id JOIN calendar_trash AS t ON t.member_id = c.owner_id
 WHERE o.source_service IS NULL;

-- name: add-tombstones
INSERT INTO calendar_tombstone (calendar_id, segment, seq, deleted_at)
SELECT o.calendar_id, o.segment, c.seq, :now
  FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE true
    ON CONFLICT (calendar_id, segment) DO UPDATE SET seq = excluded.seq, deleted_at = excluded.deleted_at;

-- name: delete-objects
DELETE FROM calendar_object WHERE n IN (SELECT value FROM json_each(:list));
