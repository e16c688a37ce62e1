-- Calendars as the basis of access, calendar objects, and the bookkeeping of
-- their changes. A calendar without a row in calendar_access does not exist for
-- a member.

-- name: calendars
-- Returns the calendars of a member in their order.
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.own_zone, c.components, c.is_default, c.seq, c.pruned_seq,
       c.events, c.tasks, c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible, f.created_at AS feed_created_at,
       (SELECT json_group_array(json_array(other.member_id, other.role)) FROM calendar_access AS other
         WHERE other.calendar_id = c.id AND other.member_id <> :member) AS others
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
  LEFT JOIN calendar_feed AS f ON f.member_id = a.member_id AND f.calendar_id = a.calendar_id
 WHERE a.member_id = :member
 ORDER BY a.position, c.created_at, c.id;

-- name: calendar
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.own_zone, c.components, c.is_default, c.seq, c.pruned_seq,
       c.events, c.tasks, c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible, f.created_at AS feed_created_at,
       (SELECT json_group_array(json_array(other.member_id, other.role)) FROM calendar_access AS other
         WHERE other.calendar_id = c.id AND other.member_id <> :member) AS others
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
  LEFT JOIN calendar_feed AS f ON f.member_id = a.member_id AND f.calendar_id = a.calendar_id
 WHERE a.member_id = :member AND a.calendar_id = :id;

-- name: calendar-at
-- Returns the calendar at a segment of a member's calendar home.
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.own_zone, c.components, c.is_default, c.seq, c.pruned_seq,
       c.events, c.tasks, c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible, f.created_at AS feed_created_at,
       (SELECT json_group_array(json_array(other.member_id, other.role)) FROM calendar_access AS other
         WHERE other.calendar_id = c.id AND other.member_id <> :member) AS others
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
  LEFT JOIN calendar_feed AS f ON f.member_id = a.member_id AND f.calendar_id = a.calendar_id
 WHERE a.member_id = :member AND a.segment = :segment;

-- name: default-calendar
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.own_zone, c.components, c.is_default, c.seq, c.pruned_seq,
       c.events, c.tasks, c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible, f.created_at AS feed_created_at,
       (SELECT json_group_array(json_array(other.member_id, other.role)) FROM calendar_access AS other
         WHERE other.calendar_id = c.id AND other.member_id <> :member) AS others
  FROM calendar_calendar AS c JOIN calendar_access AS a ON a.member_id = c.owner_id AND a.calendar_id = c.id
  LEFT JOIN calendar_feed AS f ON f.member_id = a.member_id AND f.calendar_id = a.calendar_id
 WHERE c.owner_id = :member AND c.is_default = 1;

-- name: readers
-- Returns the members who have access to a calendar.
SELECT member_id FROM calendar_access WHERE calendar_id = :calendar;

-- name: readers-of-all
-- Returns the members who have access to one of the calendars.
SELECT DISTINCT member_id FROM calendar_access WHERE calendar_id IN (SELECT value FROM json_each(:calendars));

-- name: bump-sync
-- Increments the seq of a calendar by a number of changes to its objects.
UPDATE calendar_calendar SET seq = seq + :changes, home_seq = :home_seq WHERE id = :calendar RETURNING seq;

-- name: next-home-seq
UPDATE calendar_home_seq SET last = last + 1 WHERE id = 1 RETURNING last;

-- name: set-calendar-home-seq
UPDATE calendar_calendar SET home_seq = :home_seq WHERE id = :calendar;

-- name: is-segment-taken
-- Reports whether a calendar, a file or a collection is at a segment of a home.
SELECT EXISTS (SELECT 1 FROM calendar_access WHERE member_id = :member AND segment = :segment)
    OR EXISTS (SELECT 1 FROM calendar_file WHERE member_id = :member AND path = :segment);

-- name: add-home-tombstone
INSERT INTO calendar_home_tombstone (member_id, segment, home_seq) VALUES (:member, :segment, :home_seq)
    ON CONFLICT (member_id, segment) DO UPDATE SET home_seq = excluded.home_seq;

-- name: delete-home-tombstone
DELETE FROM calendar_home_tombstone WHERE member_id = :member AND segment = :segment;

-- name: usage
-- Returns the owner of a calendar and the number of their objects, trash included,
-- and the size of one object.
SELECT c.owner_id, total(c.objects) + coalesce(max(t.objects), 0) AS objects,
       (SELECT size FROM calendar_object WHERE n = :n) AS size
  FROM calendar_calendar AS c LEFT JOIN calendar_trash AS t ON t.member_id = c.owner_id
 WHERE c.owner_id = (SELECT owner_id FROM calendar_calendar WHERE id = :calendar);

-- name: count-calendars
SELECT count(*) FROM calendar_calendar WHERE owner_id = :member;

-- name: visible-object
-- Returns an object of a calendar that the member has access to.
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at,
       c.name AS calendar_name, c.color AS calendar_color, o.color, c.timezone AS calendar_timezone, a.role
  FROM calendar_object AS o
  JOIN calendar_access AS a ON a.member_id = :member AND a.calendar_id = o.calendar_id
  JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE o.id = :id;

-- name: object-at
-- Returns the object at a segment of a calendar.
SELECT n, size, id, calendar_id, segment, uid, component, etag, hidden, source_service, source_object_type, source_object_id,
       created_at, updated_at
  FROM calendar_object WHERE calendar_id = :calendar AND segment = :segment;

-- name: task-of-uid
-- Returns the object of a calendar with a UID, and whether it is an open task.
SELECT n, size, id, calendar_id, segment, uid, component, etag, hidden, source_service, source_object_type, source_object_id,
       created_at, updated_at, open
  FROM calendar_object WHERE calendar_id = :calendar AND uid = :uid;

-- name: segment-of-uid
SELECT segment FROM calendar_object WHERE calendar_id = :calendar AND uid = :uid;

-- name: data
-- Returns the text of objects, in the order of their keys.
SELECT data FROM calendar_data WHERE n IN (SELECT value FROM json_each(:list)) ORDER BY n;

-- name: presences
-- Returns the objects with these UIDs in the calendars of a member, and in the trash of the
-- owner of a calendar. The weight is the number of rows to delete if the object is replaced, and
-- taken is 1 if the segment of an object in the trash is in use in that calendar.
SELECT o.uid, o.n, o.size, o.id, o.calendar_id, c.name AS calendar_name, o.segment, o.component, o.etag,
       o.source_service IS NOT NULL AS mirror, 0 AS trashed, 0 AS taken,
       CASE WHEN o.calendar_id = :calendar THEN (SELECT count(*) FROM calendar_occurrence WHERE n = o.n) ELSE 0 END AS weight
  FROM json_each(:uids) AS u CROSS JOIN calendar_access AS a ON a.member_id = :member
  CROSS JOIN calendar_object AS o ON o.calendar_id = a.calendar_id AND o.uid = u.value
  JOIN calendar_calendar AS c ON c.id = o.calendar_id
UNION ALL
SELECT d.uid, d.n, length(d.data), d.id, d.calendar_id, '', d.segment, d.component, '', 0, 1,
       EXISTS (SELECT 1 FROM calendar_object WHERE calendar_id = :calendar AND segment = d.segment),
       json_array_length(d.properties)
  FROM json_each(:uids) AS u CROSS JOIN calendar_trash AS t ON t.member_id = :owner
  CROSS JOIN calendar_trashed AS d ON d.trash = t.n AND d.uid = u.value AND d.component <> '';

-- name: trashed-objects
-- Returns objects in the trash by their keys, in the order of the keys.
SELECT properties, data FROM calendar_trashed WHERE n IN (SELECT value FROM json_each(:list)) ORDER BY n;

-- name: remove-from-trash
DELETE FROM calendar_trashed WHERE n IN (SELECT value FROM json_each(:list));

-- name: next-object-key
-- Returns the key of the next object to add.
SELECT coalesce(max(n), 0) + 1 FROM calendar_object;

-- name: add-objects
-- Adds objects without text. Each row is an array of columns. MATERIALIZED: json_each formats
-- its value for each reference.
WITH list (value) AS MATERIALIZED (SELECT value FROM json_each(:rows))
INSERT INTO calendar_object (n, seq, uid, component, title, etag, size, floating, first_start, last_end, indexed_from, indexed_to,
                             open, open_start, open_due, completed_at, zone_conflict, id, segment, calendar_id, hidden, created_at, updated_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9,
       value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15, value ->> 16, value ->> 17, value ->> 18, :calendar, 0, :now, :now
  FROM list;

-- name: delete-tombstones
-- Deletes the tombstones at the segments of added objects.
DELETE FROM calendar_tombstone WHERE calendar_id = :calendar AND segment IN (SELECT value FROM json_each(:segments));

-- name: add-data
-- Adds the texts of objects: those at offsets, counted from 1, in the texts of all objects.
INSERT INTO calendar_data (n, data)
SELECT value ->> 0, substr(:texts, value ->> 1, value ->> 2) FROM json_each(:extents);

-- name: add-occurrences
-- Adds occurrences of objects. The list contains lines of 70 octets, from which substr takes
-- the columns faster than ->> does from JSON. OR IGNORE: two overrides of an object may have
-- the same recurrence id.
WITH RECURSIVE line (at) AS (SELECT 1 UNION ALL SELECT at + 70 FROM line WHERE at + 70 < length(:list))
INSERT OR IGNORE INTO calendar_occurrence (calendar_id, floating, band, starts, ends, n, recurrence_id, busy)
SELECT :calendar, CAST(substr(:list, at + 50, 1) AS INTEGER), CAST(substr(:list, at + 51, 1) AS INTEGER),
       CAST(substr(:list, at + 16, 17) AS INTEGER), CAST(substr(:list, at + 33, 17) AS INTEGER), CAST(substr(:list, at, 16) AS INTEGER),
       rtrim(CAST(substr(:list, at + 53, 16) AS TEXT)), CAST(substr(:list, at + 52, 1) AS INTEGER)
  FROM line;

-- name: replace-objects
-- Replaces the derived columns of objects. The rows begin like those of add-objects.
WITH list (value) AS MATERIALIZED (SELECT value FROM json_each(:rows))
UPDATE calendar_object
   SET seq = value ->> 1, uid = value ->> 2, component = value ->> 3, title = value ->> 4, etag = value ->> 5, size = value ->> 6,
       floating = value ->> 7, first_start = value ->> 8, last_end = value ->> 9, indexed_from = value ->> 10, indexed_to = value ->> 11,
       open = value ->> 12, open_start = value ->> 13, open_due = value ->> 14, completed_at = value ->> 15, zone_conflict = value ->> 16, updated_at = :now
  FROM list WHERE calendar_object.n = list.value ->> 0;

-- name: replace-data
-- Replaces the texts of objects, as add-data adds them.
WITH list (value) AS MATERIALIZED (SELECT value FROM json_each(:extents))
UPDATE calendar_data SET data = substr(:texts, value ->> 1, value ->> 2) FROM list WHERE calendar_data.n = list.value ->> 0;

-- name: delete-occurrences
-- Deletes the occurrences of objects.
DELETE FROM calendar_occurrence WHERE n IN (SELECT value FROM json_each(:list));

-- name: delete-object
DELETE FROM calendar_object WHERE n = :n;

-- name: ensure-trash
-- Creates the trash of the owner of a calendar unless it exists.
INSERT INTO calendar_trash (member_id, objects, octets)
SELECT owner_id, 0, 0 FROM calendar_calendar WHERE id = :calendar
    ON CONFLICT (member_id) DO NOTHING;

-- name: trash-object
-- Copies an object to the trash. Mirrors cannot be restored and are not copied.
INSERT INTO calendar_trashed (id, trash, calendar_id, segment, uid, component, title, deleted_at, properties, data)
SELECT o.id, t.n, o.calendar_id, o.segment, o.uid, o.component, o.title, :now,
       (SELECT json_group_array(json_object('namespace', space, 'name', local, 'element', element)) FROM calendar_property WHERE object = o.n),
       d.data
  FROM calendar_object AS o JOIN calendar_data AS d ON d.n = o.n
  JOIN calendar_calendar AS c ON c.id = o.calendar_id JOIN calendar_trash AS t ON t.member_id = c.owner_id
 WHERE o.n = :n AND o.source_service IS NULL;

-- name: move-object
UPDATE calendar_object SET calendar_id = :calendar, segment = :segment, seq = :seq, updated_at = :now WHERE n = :n;

-- name: objects-to-move
-- Returns the first objects of a calendar for a move to the calendar :to. The weight is
-- the number of rows that the move of an object changes, and taken is 1 if an object with
-- its UID is in the other calendar.
SELECT o.n, o.component, 9 + (SELECT count(*) FROM calendar_occurrence WHERE n = o.n) AS weight,
       EXISTS (SELECT 1 FROM calendar_object AS t WHERE t.calendar_id = :to AND t.uid = o.uid) AS taken
  FROM calendar_object AS o WHERE o.calendar_id = :from ORDER BY o.seq LIMIT :limit;

-- name: mirrors-to-move
-- Returns the rows of objects-to-move for the mirrors of a calendar.
SELECT o.n, o.component, 9 + (SELECT count(*) FROM calendar_occurrence WHERE n = o.n) AS weight,
       EXISTS (SELECT 1 FROM calendar_object AS t WHERE t.calendar_id = :to AND t.uid = o.uid) AS taken
  FROM calendar_object AS o WHERE o.calendar_id = :from AND o.source_service IS NOT NULL ORDER BY o.n LIMIT :limit;

-- name: is-uid-taken
-- Reports whether one of the first objects of a calendar, or of its mirrors among them, has
-- the UID of an object in the calendar :to.
SELECT EXISTS (
  SELECT 1 FROM (SELECT uid, source_service FROM calendar_object WHERE calendar_id = :from LIMIT :limit) AS o
    JOIN calendar_object AS t ON t.calendar_id = :to AND t.uid = o.uid
   WHERE o.source_service IS NOT NULL OR NOT :only_mirrors);

-- name: add-tombstones-of-moving
-- Adds tombstones for objects that move from a calendar. :seq is the seq of the calendar
-- before the move.
INSERT INTO calendar_tombstone (calendar_id, segment, seq, deleted_at)
SELECT :from, o.segment, :seq + l.key + 1, :now
  FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value WHERE true
    ON CONFLICT (calendar_id, segment) DO UPDATE SET seq = excluded.seq, deleted_at = excluded.deleted_at;

-- name: move-objects
-- Moves objects to another calendar. An object whose segment is in use there gets a new
-- segment. :seq is the seq of that calendar before the move.
UPDATE calendar_object
   SET calendar_id = :to, updated_at = :now, seq = moving.seq,
       segment = CASE WHEN moving.taken THEN calendar_object.id || '.ics' ELSE calendar_object.segment END
  FROM (SELECT o.n, :seq + l.key + 1 AS seq,
               EXISTS (SELECT 1 FROM calendar_object AS t WHERE t.calendar_id = :to AND t.segment = o.segment) AS taken
          FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value) AS moving
 WHERE calendar_object.n = moving.n;

-- name: move-occurrences
-- Moves the occurrences of objects that have been moved to a calendar. :after is
-- the seq of the calendar before the move.
UPDATE calendar_occurrence SET calendar_id = :calendar
 WHERE n IN (SELECT n FROM calendar_object WHERE calendar_id = :calendar AND seq > :after);

-- name: delete-tombstones-of-moved
-- Deletes the tombstones that a calendar has for objects that have been moved to
-- it. :after is the seq of the calendar before the move.
DELETE FROM calendar_tombstone
 WHERE calendar_id = :calendar
   AND segment IN (SELECT segment FROM calendar_object WHERE calendar_id = :calendar AND seq > :after);

-- name: copy-object
INSERT INTO calendar_object (id, calendar_id, segment, uid, component, title, etag, size, seq, floating, first_start, last_end,
                             indexed_from, indexed_to, open, open_start, open_due, completed_at, zone_conflict, color, hidden, created_at, updated_at)
SELECT :id, :calendar, :segment, uid, component, title, etag, size, :seq, floating, first_start, last_end,
       indexed_from, indexed_to, open, open_start, open_due, completed_at, zone_conflict, color, 0, :now, :now
  FROM calendar_object WHERE n = :from
RETURNING n;

-- name: objects-to-copy
-- Returns the objects of a calendar that are not hidden. The weight is the number of rows
-- that the copy of an object adds or changes.
SELECT o.n, o.size, 3 + (SELECT count(*) FROM calendar_occurrence WHERE n = o.n) + (SELECT count(*) FROM calendar_property WHERE object = o.n) AS weight
  FROM calendar_object AS o WHERE o.calendar_id = :calendar AND o.hidden = 0 ORDER BY o.n LIMIT :limit;

-- name: copy-objects
-- Copies objects to a staged calendar. Each row is a pair of a key and a new id. Objects
-- that no longer exist are omitted. If the source changes meanwhile, an object may get the
-- segment or the UID of one that has been copied: it then gets a new segment or is omitted.
INSERT OR IGNORE INTO calendar_object (id, calendar_id, segment, uid, component, title, etag, size, seq, floating, first_start, last_end,
                                       indexed_from, indexed_to, open, open_start, open_due, completed_at, zone_conflict, color, hidden, created_at, updated_at)
SELECT r.value ->> 1, :calendar,
       CASE WHEN EXISTS (SELECT 1 FROM calendar_object WHERE calendar_id = :calendar AND segment = o.segment)
            THEN (r.value ->> 1) || '.ics' ELSE o.segment END,
       o.uid, o.component, o.title, o.etag, o.size, :seq + r.key + 1, o.floating, o.first_start, o.last_end,
       o.indexed_from, o.indexed_to, o.open, o.open_start, o.open_due, o.completed_at, o.zone_conflict, o.color, 0, :now, :now
  FROM json_each(:rows) AS r CROSS JOIN calendar_object AS o ON o.n = r.value ->> 0;

-- name: copy-data-of-all
-- Copies the text of the objects that copy-objects has copied.
INSERT INTO calendar_data (n, data)
SELECT c.n, d.data
  FROM json_each(:rows) AS r CROSS JOIN calendar_object AS c ON c.id = r.value ->> 1
  CROSS JOIN calendar_data AS d ON d.n = r.value ->> 0;

-- name: copy-properties-of-all
INSERT INTO calendar_property (object, space, local, element)
SELECT c.n, p.space, p.local, p.element
  FROM json_each(:rows) AS r CROSS JOIN calendar_object AS c ON c.id = r.value ->> 1
  CROSS JOIN calendar_property AS p ON p.object = r.value ->> 0;

-- name: copy-occurrences-of-all
INSERT INTO calendar_occurrence (calendar_id, floating, band, starts, ends, n, recurrence_id, busy)
SELECT :calendar, i.floating, i.band, i.starts, i.ends, c.n, i.recurrence_id, i.busy
  FROM json_each(:rows) AS r CROSS JOIN calendar_object AS c ON c.id = r.value ->> 1
  CROSS JOIN calendar_occurrence AS i ON i.n = r.value ->> 0;

-- name: copy-data
INSERT INTO calendar_data (n, data) SELECT :to, data FROM calendar_data WHERE n = :from;

-- name: copy-occurrences
INSERT INTO calendar_occurrence (calendar_id, floating, band, starts, ends, n, recurrence_id, busy)
SELECT :calendar, floating, band, starts, ends, :to, recurrence_id, busy FROM calendar_occurrence WHERE n = :from;

-- name: copy-properties
INSERT INTO calendar_property (object, space, local, element)
SELECT :to, space, local, element FROM calendar_property WHERE object = :from;

-- name: restore-properties
-- Adds the dead properties of objects. Each row is a pair of the id and the properties of an object.
INSERT INTO calendar_property (object, space, local, element)
SELECT o.n, p.value ->> 'namespace', p.value ->> 'name', p.value ->> 'element'
  FROM json_each(:rows) AS r CROSS JOIN calendar_object AS o ON o.id = r.value ->> 0 CROSS JOIN json_each(r.value ->> 1) AS p;

-- name: set-display
-- Sets the color of a mirror and whether it is hidden.
UPDATE calendar_object SET color = :color, hidden = :hidden, seq = :seq, updated_at = :now WHERE n = :n;

-- name: add-tombstone
INSERT INTO calendar_tombstone (calendar_id, segment, seq, deleted_at) VALUES (:calendar, :segment, :seq, :now)
    ON CONFLICT (calendar_id, segment) DO UPDATE SET seq = excluded.seq, deleted_at = excluded.deleted_at;

-- name: delete-tombstone
DELETE FROM calendar_tombstone WHERE calendar_id = :calendar AND segment = :segment;

-- name: prunable-seq
-- Returns the seq of the last tombstone that is too old or is followed by too
-- many others, within a batch of the oldest tombstones; 0 if there is none.
SELECT coalesce(max(seq), 0)
  FROM (SELECT seq, deleted_at FROM calendar_tombstone WHERE calendar_id = :calendar ORDER BY seq LIMIT :limit)
 WHERE deleted_at < :before
    OR seq <= (SELECT seq FROM calendar_tombstone WHERE calendar_id = :calendar ORDER BY seq DESC LIMIT 1 OFFSET :keep);

-- name: prune-tombstones
DELETE FROM calendar_tombstone WHERE calendar_id = :calendar AND seq <= :seq;

-- name: set-pruned-seq
UPDATE calendar_calendar SET pruned_seq = :seq WHERE id = :calendar;

-- name: partly-indexed
-- Returns a batch of the series that are not indexed up to a time, ordered by
-- key.
SELECT n, size, etag FROM calendar_object
 WHERE indexed_to < :until AND n > :after ORDER BY n LIMIT :limit;

-- name: all-objects
-- Returns a batch of the objects of all calendars, ordered by key.
SELECT n, size, etag FROM calendar_object WHERE n > :after ORDER BY n LIMIT :limit;

-- name: zone-data
-- scan: there is one row
SELECT version, rebuilt FROM calendar_zone_data;

-- name: begin-zone-data
-- Begins a rebuild of the index by other time zone data.
INSERT INTO calendar_zone_data (id, version, rebuilt) VALUES (1, :version, 0)
    ON CONFLICT (id) DO UPDATE SET version = excluded.version, rebuilt = 0;

-- name: advance-zone-data
-- scan: there is one row
UPDATE calendar_zone_data SET rebuilt = :rebuilt WHERE version = :version;

-- name: indexed-objects
-- Returns a batch of the objects of all calendars with their bounds, ordered by key.
SELECT n, size, etag, floating, first_start, last_end, indexed_from, indexed_to, zone_conflict FROM calendar_object
 WHERE n > :after ORDER BY n LIMIT :limit;

-- name: zone-conflicts
-- Returns the zones that most objects define in another way than the time zone data.
SELECT zone_conflict AS zone, count(*) AS objects FROM calendar_object WHERE zone_conflict IS NOT NULL
 GROUP BY zone_conflict ORDER BY objects DESC, zone LIMIT :limit;

-- name: occurrences
-- Returns the indexed occurrences of objects.
SELECT n, floating, band, starts, ends, recurrence_id, busy FROM calendar_occurrence WHERE n IN (SELECT value FROM json_each(:list));

-- name: reindex-object
-- Sets the columns that are derived from the text of an object, unless the text
-- has changed since they were computed.
UPDATE calendar_object
   SET component = :component, title = :title, etag = :etag, size = :size, floating = :floating,
       first_start = :first_start, last_end = :last_end, indexed_from = :indexed_from, indexed_to = :indexed_to,
       open = :open, open_start = :open_start, open_due = :open_due, completed_at = :completed_at, zone_conflict = :zone_conflict
 WHERE n = :n AND etag = :was
RETURNING calendar_id;
