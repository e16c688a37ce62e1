-- Calendars and entries. Whoever reads or writes one does so through
-- calendar_access: what a member has no row for does not exist for them.

-- name: calendars
-- The member's calendars in their order.
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.components, c.is_default, c.seq, c.forgotten,
       c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
 WHERE a.member_id = :member
 ORDER BY a.position, c.created_at, c.id;

-- name: calendar
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.components, c.is_default, c.seq, c.forgotten,
       c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
 WHERE a.member_id = :member AND a.calendar_id = :id;

-- name: calendar-at
-- The one at that place in the member's home.
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.components, c.is_default, c.seq, c.forgotten,
       c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
 WHERE a.member_id = :member AND a.segment = :segment;

-- name: default-calendar
SELECT c.id, c.owner_id, c.name, c.description, c.color, c.timezone, c.components, c.is_default, c.seq, c.forgotten,
       c.created_at, c.updated_at, a.role, a.segment, a.position, a.visible
  FROM calendar_calendar AS c JOIN calendar_access AS a ON a.member_id = c.owner_id AND a.calendar_id = c.id
 WHERE c.owner_id = :member AND c.is_default = 1;

-- name: add-calendar
INSERT INTO calendar_calendar (id, owner_id, name, description, color, timezone, components, is_default, seq, forgotten, entries, octets, stamp,
                               created_at, updated_at)
VALUES (:id, :owner, :name, :description, :color, :timezone, :components, :is_default, 0, 0, 0, 0, :stamp, :now, :now);

-- name: update-calendar
UPDATE calendar_calendar
   SET name = :name, description = :description, color = :color, timezone = :timezone, updated_at = :now
 WHERE id = :id;

-- name: hide-calendar
-- Takes a calendar from everybody who sees it.
DELETE FROM calendar_access WHERE calendar_id = :id;

-- name: grant
INSERT INTO calendar_access (member_id, calendar_id, role, segment, position, visible)
VALUES (:member, :calendar, :role, :segment, :position, 1);

-- name: arrange
UPDATE calendar_access SET position = :position, visible = :visible
 WHERE member_id = :member AND calendar_id = :calendar;

-- name: last-position
SELECT coalesce(max(position), -1) FROM calendar_access WHERE member_id = :member;

-- name: readers
-- Everybody who sees the calendar.
SELECT member_id FROM calendar_access WHERE calendar_id = :calendar;

-- name: hide-owned
-- Takes all calendars of a member from everybody who sees them.
DELETE FROM calendar_access WHERE calendar_id IN (SELECT id FROM calendar_calendar WHERE owner_id = :member);

-- name: abandon-owned
UPDATE calendar_calendar SET owner_id = NULL WHERE owner_id = :member;

-- name: revoke-access
DELETE FROM calendar_access WHERE member_id = :member;

-- name: preferences
SELECT day_start, day_end, week_start, slot_minutes FROM calendar_preferences WHERE member_id = :member;

-- name: put-preferences
INSERT INTO calendar_preferences (member_id, day_start, day_end, week_start, slot_minutes)
VALUES (:member, :day_start, :day_end, :week_start, :slot_minutes)
    ON CONFLICT (member_id) DO UPDATE SET day_start = excluded.day_start, day_end = excluded.day_end,
       week_start = excluded.week_start, slot_minutes = excluded.slot_minutes;

-- name: forget-preferences
DELETE FROM calendar_preferences WHERE member_id = :member;

-- name: next-seq
-- Counts changes to what a calendar holds.
UPDATE calendar_calendar SET seq = seq + :changes, stamp = :stamp WHERE id = :calendar RETURNING seq;

-- name: usage
-- What the owner of a calendar stores, trash included, and how large one of the
-- entries is (0 for a new one).
SELECT total(c.entries) + coalesce(max(b.entries), 0) AS entries, total(c.octets) + coalesce(max(b.octets), 0) AS octets,
       (SELECT size FROM calendar_object WHERE n = :n) AS size
  FROM calendar_calendar AS c LEFT JOIN calendar_bin AS b ON b.member_id = c.owner_id
 WHERE c.owner_id = (SELECT owner_id FROM calendar_calendar WHERE id = :calendar);

-- name: count-owned
SELECT count(*) FROM calendar_calendar WHERE owner_id = :member;

-- name: object-at
-- What a write must know of the entry it would replace.
SELECT n, size, id, calendar_id, segment, uid, component, etag, hidden, source_service, source_object_type, source_object_id,
       created_at, updated_at
  FROM calendar_object WHERE calendar_id = :calendar AND segment = :segment;

-- name: object-with-uid
SELECT segment FROM calendar_object WHERE calendar_id = :calendar AND uid = :uid;

-- name: add-object
INSERT INTO calendar_object (id, calendar_id, segment, uid, component, title, etag, size, seq, floating, begins, ends,
                             indexed_from, indexed_to, open, completed_at, hidden, created_at, updated_at)
VALUES (:id, :calendar, :segment, :uid, :component, :title, :etag, :size, :seq, :floating, :begins, :ends,
        :indexed_from, :indexed_to, :open, :completed_at, 0, :now, :now)
RETURNING n;

-- name: update-object
UPDATE calendar_object
   SET uid = :uid, component = :component, title = :title, etag = :etag, size = :size, seq = :seq, floating = :floating,
       begins = :begins, ends = :ends, indexed_from = :indexed_from, indexed_to = :indexed_to,
       open = :open, completed_at = :completed_at, updated_at = :now
 WHERE n = :n;

-- name: move-object
-- Puts an entry into another calendar.
UPDATE calendar_object SET calendar_id = :calendar, segment = :segment, seq = :seq, updated_at = :now WHERE n = :n;

-- name: copy-object
INSERT INTO calendar_object (id, calendar_id, segment, uid, component, title, etag, size, seq, floating, begins, ends,
                             indexed_from, indexed_to, open, completed_at, color, hidden, created_at, updated_at)
SELECT :id, :calendar, :segment, uid, component, title, etag, size, :seq, floating, begins, ends,
       indexed_from, indexed_to, open, completed_at, color, 0, :now, :now
  FROM calendar_object WHERE n = :from
RETURNING n;

-- name: copy-data
INSERT INTO calendar_data (n, data) SELECT :to, data FROM calendar_data WHERE n = :from;

-- name: copy-occurrences
INSERT INTO calendar_occurrence (calendar_id, floating, span, starts, ends, n, recurrence_id, busy)
SELECT :calendar, floating, span, starts, ends, :to, recurrence_id, busy FROM calendar_occurrence WHERE n = :from;

-- name: tint-object
-- What the member decides about a mirror beside its text: its color, and
-- whether they want to see it.
UPDATE calendar_object SET color = :color, hidden = :hidden, seq = :seq, updated_at = :now WHERE n = :n;

-- name: move-all
-- Puts all entries of a calendar, or all mirrors, into another one. An entry
-- whose name is taken there gets its id as a name.
UPDATE calendar_object
   SET calendar_id = :to, updated_at = :now, seq = moving.seq,
       segment = CASE WHEN moving.taken THEN calendar_object.id || '.ics' ELSE calendar_object.segment END
  FROM (SELECT o.n, :seq + row_number() OVER (ORDER BY o.n) AS seq,
               EXISTS (SELECT 1 FROM calendar_object AS t WHERE t.calendar_id = :to AND t.segment = o.segment) AS taken
          FROM calendar_object AS o
         WHERE o.calendar_id = :from AND (o.source_service IS NOT NULL OR NOT :mirrors)) AS moving
 WHERE calendar_object.n = moving.n;

-- name: move-occurrences
-- Makes the occurrences of entries that came into a calendar follow them.
UPDATE calendar_occurrence SET calendar_id = :calendar
 WHERE n IN (SELECT n FROM calendar_object WHERE calendar_id = :calendar AND seq > :after);

-- name: unbury-all
-- Forgets the deletion of whatever has come back.
DELETE FROM calendar_tombstone
 WHERE calendar_id = :calendar
   AND segment IN (SELECT segment FROM calendar_object WHERE calendar_id = :calendar AND seq > :after);

-- name: delete-object
DELETE FROM calendar_object WHERE n = :n;

-- name: open-bin
-- Whose the calendar is has one from their first deletion on.
INSERT INTO calendar_bin (member_id, entries, octets)
SELECT owner_id, 0, 0 FROM calendar_calendar WHERE id = :calendar
    ON CONFLICT (member_id) DO NOTHING;

-- name: trash-object
-- Mirrors are not their member's to bring back.
INSERT INTO calendar_trash (id, bin, calendar_id, segment, component, title, deleted_at, properties, data)
SELECT o.id, b.n, o.calendar_id, o.segment, o.component, o.title, :now,
       (SELECT json_group_array(json_object('namespace', space, 'name', local, 'element', element)) FROM calendar_property WHERE object = o.n),
       d.data
  FROM calendar_object AS o JOIN calendar_data AS d ON d.n = o.n
  JOIN calendar_calendar AS c ON c.id = o.calendar_id JOIN calendar_bin AS b ON b.member_id = c.owner_id
 WHERE o.n = :n AND o.source_service IS NULL;

-- name: trash-calendar
INSERT INTO calendar_trash (id, bin, calendar_id, segment, component, title, deleted_at, properties, data)
SELECT :id, n, :id, :segment, '', '', :now, '[]', x'' FROM calendar_bin WHERE member_id = :member;

-- name: trash
-- What a member deleted, the last of it first, without its data.
SELECT t.id, t.calendar_id, t.component, t.title, t.deleted_at, coalesce(c.name, '') AS calendar_name
  FROM calendar_bin AS b CROSS JOIN calendar_trash AS t ON t.bin = b.n
  LEFT JOIN calendar_calendar AS c ON c.id = t.calendar_id AND c.owner_id IS NOT NULL
 WHERE b.member_id = :member AND (t.deleted_at, t.id) < (:before, :before_id)
 ORDER BY t.deleted_at DESC, t.id DESC LIMIT :limit;

-- name: trash-refs
-- Where all of it is, in the same order, for export.
SELECT t.n, length(t.data) + length(t.properties) AS size
  FROM calendar_bin AS b CROSS JOIN calendar_trash AS t ON t.bin = b.n
 WHERE b.member_id = :member
 ORDER BY t.deleted_at DESC, t.id DESC;

-- name: trash-rows
-- What was deleted, in the order of their numbers.
SELECT t.id, t.calendar_id, t.segment, t.component, t.title, t.deleted_at, t.properties, t.data, coalesce(c.name, '') AS calendar_name
  FROM calendar_trash AS t LEFT JOIN calendar_calendar AS c ON c.id = t.calendar_id AND c.owner_id IS NOT NULL
 WHERE t.n IN (SELECT value FROM json_each(:list))
 ORDER BY t.n;

-- name: trashed
SELECT t.id, t.calendar_id, t.segment, t.component, t.title, t.deleted_at, t.properties, t.data, coalesce(c.name, '') AS calendar_name
  FROM calendar_trash AS t LEFT JOIN calendar_calendar AS c ON c.id = t.calendar_id AND c.owner_id IS NOT NULL
 WHERE t.id = :id AND t.bin = (SELECT n FROM calendar_bin WHERE member_id = :member);

-- name: untrash
DELETE FROM calendar_trash WHERE id = :id AND bin = (SELECT n FROM calendar_bin WHERE member_id = :member);

-- name: abandon-trashed
-- Gives up the calendars that a member has in the trash, or one of them.
UPDATE calendar_calendar SET owner_id = NULL
 WHERE id IN (SELECT id FROM calendar_trash
               WHERE bin = (SELECT n FROM calendar_bin WHERE member_id = :member) AND component = '' AND (id = :id OR :id = ''));

-- name: empty-bin
UPDATE calendar_bin SET member_id = NULL WHERE member_id = :member RETURNING entries;

-- name: rubbish
-- What is in emptied bins or was deleted before some time, some of it.
SELECT n, weight
  FROM (SELECT t.n, 1 + (length(t.data) + length(t.properties)) / 4096 AS weight
          FROM calendar_bin AS b CROSS JOIN calendar_trash AS t ON t.bin = b.n WHERE b.member_id IS NULL
        UNION ALL
        SELECT n, 1 + (length(data) + length(properties)) / 4096 FROM calendar_trash WHERE deleted_at < :before)
 LIMIT :limit;

-- name: abandon-rubbish
-- Gives up the calendars among what is thrown away.
UPDATE calendar_calendar SET owner_id = NULL
 WHERE id IN (SELECT t.id FROM json_each(:list) AS thrown CROSS JOIN calendar_trash AS t ON t.n = thrown.value WHERE t.component = '');

-- name: delete-rubbish
DELETE FROM calendar_trash WHERE n IN (SELECT value FROM json_each(:list));

-- name: delete-bins
-- Those that are emptied and empty.
DELETE FROM calendar_bin WHERE member_id IS NULL AND NOT EXISTS (SELECT 1 FROM calendar_trash WHERE bin = calendar_bin.n);

-- name: abandoned
-- A calendar that nobody has any more.
SELECT id FROM calendar_calendar WHERE owner_id IS NULL LIMIT 1;

-- name: remains
-- Some of what such a calendar holds, and in how many rows and pages.
SELECT o.n, 1 + o.size / 4096 + (SELECT count(*) FROM calendar_occurrence WHERE n = o.n)
            + (SELECT count(*) FROM calendar_property WHERE object = o.n) AS weight
  FROM calendar_object AS o WHERE o.calendar_id = :calendar ORDER BY o.seq LIMIT :limit;

-- name: delete-remains
DELETE FROM calendar_object WHERE n IN (SELECT value FROM json_each(:list));

-- name: delete-tombstones
-- The first of those of a calendar, as long as there are more.
DELETE FROM calendar_tombstone
 WHERE calendar_id = :calendar
   AND seq < (SELECT seq FROM calendar_tombstone WHERE calendar_id = :calendar ORDER BY seq LIMIT 1 OFFSET :most);

-- name: delete-calendar
DELETE FROM calendar_calendar WHERE id = :calendar;

-- name: put-data
INSERT INTO calendar_data (n, data) VALUES (:n, :data) ON CONFLICT (n) DO UPDATE SET data = excluded.data;

-- name: add-occurrences
-- OR IGNORE: an override may say twice what an instance already is.
INSERT OR IGNORE INTO calendar_occurrence (calendar_id, floating, span, starts, ends, n, recurrence_id, busy)
SELECT :calendar, value ->> 'f', value ->> 's', value ->> 'a', value ->> 'b', :n, value ->> 'r', value ->> 'y' FROM json_each(:list);

-- name: clear-occurrences
DELETE FROM calendar_occurrence WHERE n = :n;

-- name: bury
INSERT INTO calendar_tombstone (calendar_id, segment, seq, buried_at) VALUES (:calendar, :segment, :seq, :now)
    ON CONFLICT (calendar_id, segment) DO UPDATE SET seq = excluded.seq, buried_at = excluded.buried_at;

-- name: forgettable
-- The last deletion in a calendar that is too old to be remembered, or has too
-- many after it; 0 if there is none.
SELECT coalesce(max(seq), 0)
  FROM (SELECT seq, buried_at, row_number() OVER (ORDER BY seq DESC) AS place FROM calendar_tombstone WHERE calendar_id = :calendar)
 WHERE place > :most OR buried_at < :before;

-- name: forget-deletions
DELETE FROM calendar_tombstone WHERE calendar_id = :calendar AND seq <= :seq;

-- name: note-forgotten
UPDATE calendar_calendar SET forgotten = :seq WHERE id = :calendar;

-- name: unbury
DELETE FROM calendar_tombstone WHERE calendar_id = :calendar AND segment = :segment;

-- name: resources
SELECT n, segment, component, etag, size, updated_at
  FROM calendar_object WHERE calendar_id = :calendar AND hidden = 0;

-- name: tags
-- No more than most clients ask for, in one text: of thousands of entries each
-- row counts. Each has a line with its tag, which ends with the second quote,
-- and its segment, which has no line end.
SELECT coalesce(group_concat(etag || segment, char(10)), '') FROM calendar_object WHERE calendar_id = :calendar AND hidden = 0;

-- name: resources-named
-- In the order of the names.
SELECT o.n, o.segment, o.component, o.etag, o.size, o.updated_at, d.data
  FROM json_each(:names) AS name
 CROSS JOIN calendar_object AS o ON o.calendar_id = :calendar AND o.segment = name.value
  LEFT JOIN calendar_data AS d ON :data AND d.n = o.n
 WHERE o.hidden = 0
 ORDER BY name.key;

-- name: resources-of
-- All entries of a component, or of any ('').
SELECT n, segment, component, etag, size, updated_at, 1 AS certain
  FROM calendar_object
 WHERE calendar_id = :calendar AND hidden = 0 AND (:component = '' OR component = :component);

-- name: resources-in
-- Entries with an instance in a range, by the index, and then those that
-- reach into it beyond what is indexed of them, which is not certain.
WITH band AS MATERIALIZED (
  SELECT value ->> 'f' AS floating, value ->> 's' AS span, value ->> 'l' AS least, value ->> 'b' AS before,
         value ->> 'a' AS after, value ->> 'n' AS now, value ->> 'c' AS certain
    FROM json_each(:bands)
), hit AS MATERIALIZED (
  SELECT occ.n, max(band.certain) AS certain
    FROM band CROSS JOIN calendar_occurrence AS occ
      ON occ.calendar_id = :calendar AND occ.floating = band.floating AND occ.span = band.span
     AND occ.starts > band.least AND occ.starts < band.before
   WHERE occ.ends > band.after
   GROUP BY occ.n
)
SELECT o.n, o.segment, o.component, o.etag, o.size, o.updated_at, hit.certain
  FROM hit JOIN calendar_object AS o ON o.n = hit.n
 WHERE o.hidden = 0 AND (:component = '' OR o.component = :component)
UNION ALL
SELECT o.n, o.segment, o.component, o.etag, o.size, o.updated_at, 0
  FROM calendar_object AS o
 WHERE o.calendar_id = :calendar AND o.indexed_to IS NOT NULL
   AND (o.indexed_from > :from - 86400000 OR o.indexed_to < :to + 86400000)
   AND o.begins < :to + 86400000 AND o.ends > :from - 86400000
   AND o.hidden = 0 AND (:component = '' OR o.component = :component)
   AND o.n NOT IN (SELECT n FROM hit);

-- name: busy-in
-- When a calendar makes its member busy, by the index: for each start in one
-- band of it the last end of each type. In the order of the index, so that
-- nothing has to be sorted.
SELECT occ.starts, max(CASE occ.busy WHEN 1 THEN occ.ends END) AS busy, max(CASE occ.busy WHEN 2 THEN occ.ends END) AS tentative
  FROM calendar_occurrence AS occ
 WHERE occ.calendar_id = :calendar AND occ.floating = :floating AND occ.span = :span
   AND occ.starts > :least AND occ.starts < :before AND occ.ends > :after AND occ.busy > 0
   AND occ.n NOT IN (SELECT h.n FROM calendar_object AS h WHERE h.calendar_id = :calendar AND h.hidden = 1)
 GROUP BY occ.starts;

-- name: busy-unclear
-- Entries of which only their text tells when they make anybody busy.
SELECT o.n, o.size FROM calendar_object AS o
 WHERE o.calendar_id = :calendar AND o.component = 'VFREEBUSY' AND o.hidden = 0;

-- name: busy-beyond
-- Series that reach into a range beyond what is indexed of them.
SELECT n, size FROM calendar_object
 WHERE calendar_id = :calendar AND indexed_to IS NOT NULL
   AND (indexed_from > :from - 86400000 OR indexed_to < :to + 86400000)
   AND begins < :to + 86400000 AND ends > :from - 86400000 AND hidden = 0 AND component = 'VEVENT';

-- name: resources-since
-- What changed after a number, in order: entries as they are now, and names of
-- those that are gone. From the beginning nothing is gone.
SELECT n, segment, component, etag, size, updated_at, seq, 0 AS gone
  FROM calendar_object WHERE calendar_id = :calendar AND seq > :after AND hidden = 0
UNION ALL
SELECT 0, segment, '', '', 0, 0, seq, 1
  FROM calendar_tombstone WHERE calendar_id = :calendar AND seq > :after AND :after > 0
 ORDER BY seq
 LIMIT :limit;

-- name: tags-since
-- The same with no more than most clients ask for.
SELECT segment, etag, seq, 0 AS gone
  FROM calendar_object WHERE calendar_id = :calendar AND seq > :after AND hidden = 0
UNION ALL
SELECT segment, '', seq, 1
  FROM calendar_tombstone WHERE calendar_id = :calendar AND seq > :after AND :after > 0
 ORDER BY seq
 LIMIT :limit;

-- name: object
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at,
       c.name AS calendar_name, c.color, o.color AS own_color, c.timezone AS calendar_timezone, a.role
  FROM calendar_object AS o
  JOIN calendar_access AS a ON a.member_id = :member AND a.calendar_id = o.calendar_id
  JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE o.id = :id;

-- name: objects
-- Entries by id, without their data.
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at,
       c.name AS calendar_name, c.color, o.color AS own_color, c.timezone AS calendar_timezone, a.role
  FROM json_each(:ids) AS wanted CROSS JOIN calendar_object AS o ON o.id = wanted.value
  JOIN calendar_access AS a ON a.member_id = :member AND a.calendar_id = o.calendar_id
  JOIN calendar_calendar AS c ON c.id = o.calendar_id;

-- name: titles
-- What those of the entries are called that the member sees.
SELECT o.id, o.title
  FROM json_each(:ids) AS wanted CROSS JOIN calendar_object AS o ON o.id = wanted.value
  JOIN calendar_access AS a ON a.member_id = :member AND a.calendar_id = o.calendar_id;

-- name: data
-- The data of entries, in the order of their numbers.
SELECT data FROM calendar_data WHERE n IN (SELECT value FROM json_each(:list)) ORDER BY n;

-- name: upcoming
-- What of a member's visible calendars has an instance in a window, with the
-- start and the end of the one to speak of: the first that is not over, else
-- the last. Then what reaches into the window beyond what is indexed of it,
-- which is not certain, and tasks that are still to do whenever they are. In no
-- order; what is never is at the end of all time.
WITH band AS MATERIALIZED (
  SELECT value ->> 'f' AS floating, value ->> 's' AS span, value ->> 'l' AS least, value ->> 'b' AS before,
         value ->> 'a' AS after, value ->> 'n' AS now, value ->> 'c' AS certain
    FROM json_each(:bands)
), mine AS MATERIALIZED (
  SELECT calendar_id FROM calendar_access WHERE member_id = :member AND visible = 1
), hit AS MATERIALIZED (
  SELECT occ.n, max(band.certain) AS certain,
         coalesce(min(CASE WHEN occ.ends > band.now THEN occ.starts END), max(occ.starts)) AS pick,
         min(CASE WHEN occ.ends > band.now THEN occ.ends END) AS until
    FROM mine CROSS JOIN band CROSS JOIN calendar_occurrence AS occ
      ON occ.calendar_id = mine.calendar_id AND occ.floating = band.floating AND occ.span = band.span
     AND occ.starts > band.least AND occ.starts < band.before
   WHERE occ.ends > band.after
   GROUP BY occ.n
), beyond AS MATERIALIZED (
  SELECT o.n
    FROM mine CROSS JOIN calendar_object AS o ON o.calendar_id = mine.calendar_id
   WHERE o.indexed_to IS NOT NULL AND (o.indexed_from > :from - 86400000 OR o.indexed_to < :to + 86400000)
     AND o.begins < :to + 86400000 AND o.ends > :from - 86400000
), found AS (
  SELECT n, certain AND n NOT IN (SELECT n FROM beyond) AS certain, pick, until FROM hit
  UNION ALL
  SELECT n, 0, NULL, NULL FROM beyond WHERE n NOT IN (SELECT n FROM hit)
  UNION ALL
  SELECT o.n, 1, NULL, NULL
    FROM mine CROSS JOIN calendar_object AS o ON o.calendar_id = mine.calendar_id
   WHERE o.component = 'VTODO' AND o.open = 1 AND o.n NOT IN (SELECT n FROM hit) AND o.n NOT IN (SELECT n FROM beyond)
)
SELECT o.n, o.size, o.id, o.calendar_id, o.seq, o.open, found.certain,
       coalesce(found.pick, 1000000000000000) AS pick, coalesce(found.until, 1000000000000000) AS until
  FROM found CROSS JOIN calendar_object AS o ON o.n = found.n
 WHERE o.hidden = 0 AND o.component IN ('VEVENT', 'VTODO');

-- name: between
-- Entries of the member's visible calendars, or of one calendar, that have an
-- instance in a range, or may have, without their data.
WITH band AS MATERIALIZED (
  SELECT value ->> 'f' AS floating, value ->> 's' AS span, value ->> 'l' AS least, value ->> 'b' AS before,
         value ->> 'a' AS after, value ->> 'n' AS now, value ->> 'c' AS certain
    FROM json_each(:bands)
), mine AS MATERIALIZED (
  SELECT a.calendar_id, a.role, c.name, c.color, c.timezone
    FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
   WHERE a.member_id = :member AND (a.calendar_id = :calendar OR :calendar = '' AND a.visible = 1)
), hit AS MATERIALIZED (
  SELECT DISTINCT occ.n
    FROM mine CROSS JOIN band CROSS JOIN calendar_occurrence AS occ
      ON occ.calendar_id = mine.calendar_id AND occ.floating = band.floating AND occ.span = band.span
     AND occ.starts > band.least AND occ.starts < band.before
   WHERE occ.ends > band.after
), found AS (
  SELECT n FROM hit
  UNION ALL
  SELECT o.n
    FROM mine CROSS JOIN calendar_object AS o ON o.calendar_id = mine.calendar_id
   WHERE o.indexed_to IS NOT NULL AND (o.indexed_from > :from - 86400000 OR o.indexed_to < :to + 86400000)
     AND o.begins < :to + 86400000 AND o.ends > :from - 86400000 AND o.n NOT IN (SELECT n FROM hit)
)
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at,
       mine.name AS calendar_name, mine.color, o.color AS own_color, mine.timezone AS calendar_timezone, mine.role
  FROM found CROSS JOIN calendar_object AS o ON o.n = found.n JOIN mine ON mine.calendar_id = o.calendar_id
 WHERE o.hidden = 0 AND o.component IN ('VEVENT', 'VTODO') AND (:component = '' OR o.component = :component)
 ORDER BY o.begins, o.n;

-- name: visible
-- Everything in a calendar that its members see.
SELECT n, size FROM calendar_object WHERE calendar_id = :calendar AND hidden = 0 ORDER BY n;

-- name: put-feed
INSERT INTO calendar_feed (calendar_id, member_id, hash, created_at) VALUES (:calendar, :member, :hash, :now)
    ON CONFLICT (member_id, calendar_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at;

-- name: feeds
-- The links that a member has given out.
SELECT calendar_id, created_at FROM calendar_feed WHERE member_id = :member;

-- name: feed-of
SELECT member_id, calendar_id FROM calendar_feed WHERE hash = :hash;

-- name: delete-feed
DELETE FROM calendar_feed WHERE member_id = :member AND calendar_id = :calendar;

-- name: delete-feeds
-- All of a member.
DELETE FROM calendar_feed WHERE member_id = :member;

-- name: tasks
-- Tasks of the member's visible calendars that are still to do, and those that
-- were done in a time, after one of them in this order, without their data.
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at, o.open, coalesce(o.completed_at, 0) AS completed_at,
       c.name AS calendar_name, c.color, o.color AS own_color, c.timezone AS calendar_timezone, a.role
  FROM calendar_access AS a
  JOIN calendar_calendar AS c ON c.id = a.calendar_id
  JOIN calendar_object AS o ON o.calendar_id = a.calendar_id
 WHERE a.member_id = :member AND a.visible = 1
   AND o.component = 'VTODO' AND o.hidden = 0
   AND (o.open = 1 OR :all OR o.completed_at >= :since AND o.completed_at < :until)
   AND (o.open < :open OR o.open = :open AND o.id > :id)
 ORDER BY o.open DESC, o.id
 LIMIT :limit;

-- name: all
-- Everything in a calendar, for export.
SELECT n, size, segment FROM calendar_object WHERE calendar_id = :calendar ORDER BY n;

-- name: member-files
-- Files and plain collections of a member, for export.
SELECT n, size FROM calendar_file WHERE member_id = :member ORDER BY path;

-- name: file-rows
-- Files with what is in them, in the order of their numbers.
SELECT f.n, f.path, f.collection, f.media_type, f.etag, f.size, f.created_at, f.updated_at, d.data
  FROM calendar_file AS f LEFT JOIN calendar_file_data AS d ON d.n = f.n
 WHERE f.n IN (SELECT value FROM json_each(:list))
 ORDER BY f.n;

-- name: member-properties
-- Where the properties are of a member's home and of all that is in it, for
-- export.
SELECT rowid AS n, length(element) AS size FROM calendar_property WHERE member_id = :member
UNION ALL
SELECT p.rowid, length(p.element)
  FROM calendar_access AS a CROSS JOIN calendar_property AS p ON p.calendar_id = a.calendar_id
 WHERE a.member_id = :member
UNION ALL
SELECT p.rowid, length(p.element)
  FROM calendar_access AS a CROSS JOIN calendar_object AS o ON o.calendar_id = a.calendar_id
  CROSS JOIN calendar_property AS p ON p.object = o.n
 WHERE a.member_id = :member
UNION ALL
SELECT p.rowid, length(p.element)
  FROM calendar_file AS f CROSS JOIN calendar_property AS p ON p.file = f.n
 WHERE f.member_id = :member;

-- name: property-rows
-- Properties and the paths of what they are of, in the order of their
-- numbers.
SELECT coalesce(f.path, a.segment || coalesce('/' || o.segment, ''), '') AS path, p.space, p.local, p.element
  FROM calendar_property AS p
  LEFT JOIN calendar_file AS f ON f.n = p.file
  LEFT JOIN calendar_object AS o ON o.n = p.object
  LEFT JOIN calendar_calendar AS c ON c.id = coalesce(p.calendar_id, o.calendar_id)
  LEFT JOIN calendar_access AS a ON a.member_id = c.owner_id AND a.calendar_id = c.id
 WHERE p.rowid IN (SELECT value FROM json_each(:list))
 ORDER BY p.rowid;

-- name: partly-indexed
-- Series whose index ends too soon, some of them.
SELECT n, size, etag FROM calendar_object
 WHERE indexed_to < :until AND n > :after ORDER BY n LIMIT :limit;

-- name: entries
-- Entries of all calendars, some of them.
SELECT n, size, etag FROM calendar_object WHERE n > :after ORDER BY n LIMIT :limit;

-- name: reindex
-- Sets what follows from the octets of an entry, if they are still those that
-- it was found out of.
UPDATE calendar_object
   SET component = :component, title = :title, etag = :etag, size = :size, floating = :floating, begins = :begins, ends = :ends,
       indexed_from = :indexed_from, indexed_to = :indexed_to, open = :open, completed_at = :completed_at
 WHERE n = :n AND etag = :was
RETURNING calendar_id;

-- name: next-stamp
UPDATE calendar_stamp SET last = last + 1 WHERE id = 1 RETURNING last;

-- name: stamp-calendar
UPDATE calendar_calendar SET stamp = :stamp WHERE id = :calendar;

-- name: stamp-file
UPDATE calendar_file SET stamp = :stamp WHERE member_id = :member AND path = :path;

-- name: home-stamp
-- The last change to what is, or was, in a member's home.
SELECT max(
  coalesce((SELECT max(c.stamp) FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id WHERE a.member_id = :member), 0),
  coalesce((SELECT max(stamp) FROM calendar_file WHERE member_id = :member AND around = ''), 0),
  coalesce((SELECT max(stamp) FROM calendar_home_tombstone WHERE member_id = :member), 0));

-- name: bury-home
-- Remembers what went from the homes of all who saw the calendar.
INSERT INTO calendar_home_tombstone (member_id, segment, stamp)
SELECT member_id, segment, :stamp FROM calendar_access WHERE calendar_id = :calendar
    ON CONFLICT (member_id, segment) DO UPDATE SET stamp = excluded.stamp;

-- name: bury-folder
INSERT INTO calendar_home_tombstone (member_id, segment, stamp) VALUES (:member, :segment, :stamp)
    ON CONFLICT (member_id, segment) DO UPDATE SET stamp = excluded.stamp;

-- name: unbury-home
DELETE FROM calendar_home_tombstone WHERE member_id = :member AND segment = :segment;

-- name: home-since
-- What of a member's home changed after a number, in order.
SELECT a.segment, 0 AS gone, c.stamp
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
 WHERE a.member_id = :member AND c.stamp > :after
UNION ALL
SELECT path, 0, stamp FROM calendar_file WHERE member_id = :member AND around = '' AND stamp > :after
UNION ALL
SELECT segment, 1, stamp FROM calendar_home_tombstone WHERE member_id = :member AND stamp > :after AND :after > 0
 ORDER BY 3
 LIMIT :limit;

-- name: file
SELECT f.n, f.path, f.collection, f.media_type, f.etag, f.size, f.created_at, f.updated_at, d.data
  FROM calendar_file AS f LEFT JOIN calendar_file_data AS d ON :data AND d.n = f.n
 WHERE f.member_id = :member AND f.path = :path;

-- name: files
-- What is right in a collection.
SELECT n, path, collection, media_type, etag, size, created_at, updated_at, NULL AS data
  FROM calendar_file WHERE member_id = :member AND around = :around ORDER BY path;

-- name: file-usage
SELECT count(*) AS files, coalesce(sum(size), 0) AS size, coalesce(max(length(path)), 0) AS longest
  FROM calendar_file WHERE member_id = :member;

-- name: tree-usage
-- Of a file or collection and what is below it.
SELECT count(*) AS files, coalesce(sum(size), 0) AS size, coalesce(max(length(path)), 0) AS longest
  FROM calendar_file
 WHERE member_id = :member AND (path = :path OR path > :path || '/' AND path < :path || '0');

-- name: add-file
INSERT INTO calendar_file (member_id, path, around, collection, media_type, etag, size, stamp, created_at, updated_at)
VALUES (:member, :path, :around, :collection, :media_type, :etag, :size, :stamp, :now, :now)
RETURNING n;

-- name: update-file
UPDATE calendar_file SET media_type = :media_type, etag = :etag, size = :size, updated_at = :now WHERE n = :n;

-- name: put-file-data
INSERT INTO calendar_file_data (n, data) VALUES (:n, :data) ON CONFLICT (n) DO UPDATE SET data = excluded.data;

-- name: delete-files
-- A file or collection and what is below it.
DELETE FROM calendar_file
 WHERE member_id = :member AND (path = :path OR path > :path || '/' AND path < :path || '0');

-- name: move-files
UPDATE calendar_file
   SET path = :to || substr(path, length(:from) + 1), stamp = :stamp,
       around = CASE WHEN path = :from THEN :around ELSE :to || substr(around, length(:from) + 1) END
 WHERE member_id = :member AND (path = :from OR path > :from || '/' AND path < :from || '0');

-- name: copy-files
INSERT INTO calendar_file (member_id, path, around, collection, media_type, etag, size, stamp, created_at, updated_at)
SELECT member_id, :to || substr(path, length(:from) + 1),
       CASE WHEN path = :from THEN :around ELSE :to || substr(around, length(:from) + 1) END,
       collection, media_type, etag, size, :stamp, :now, :now
  FROM calendar_file
 WHERE member_id = :member AND (path = :from OR NOT :shallow AND path > :from || '/' AND path < :from || '0');

-- name: copy-file-data
INSERT INTO calendar_file_data (n, data)
SELECT made.n, d.data
  FROM calendar_file AS made
  JOIN calendar_file AS old ON old.member_id = made.member_id AND old.path = :from || substr(made.path, length(:to) + 1)
  JOIN calendar_file_data AS d ON d.n = old.n
 WHERE made.member_id = :member AND (made.path = :to OR made.path > :to || '/' AND made.path < :to || '0');

-- name: copy-file-properties
INSERT INTO calendar_property (file, space, local, element)
SELECT made.n, p.space, p.local, p.element
  FROM calendar_file AS made
  JOIN calendar_file AS old ON old.member_id = made.member_id AND old.path = :from || substr(made.path, length(:to) + 1)
  JOIN calendar_property AS p ON p.file = old.n
 WHERE made.member_id = :member AND (made.path = :to OR made.path > :to || '/' AND made.path < :to || '0');

-- name: properties
-- Of one thing: of the four, three are null.
SELECT space, local, element FROM calendar_property
 WHERE member_id = :member OR calendar_id = :calendar OR object = :object OR file = :file
 ORDER BY space, local;

-- name: properties-in-home
SELECT a.segment AS name, p.space, p.local, p.element
  FROM calendar_access AS a JOIN calendar_property AS p ON p.calendar_id = a.calendar_id
 WHERE a.member_id = :member
UNION ALL
SELECT f.path, p.space, p.local, p.element
  FROM calendar_file AS f JOIN calendar_property AS p ON p.file = f.n
 WHERE f.member_id = :member AND f.around = ''
 ORDER BY 2, 3;

-- name: properties-in-calendar
SELECT o.segment AS name, p.space, p.local, p.element
  FROM calendar_object AS o JOIN calendar_property AS p ON p.object = o.n
 WHERE o.calendar_id = :calendar AND o.hidden = 0
 ORDER BY 2, 3;

-- name: properties-in-folder
SELECT substr(f.path, length(:around) + 2) AS name, p.space, p.local, p.element
  FROM calendar_file AS f JOIN calendar_property AS p ON p.file = f.n
 WHERE f.member_id = :member AND f.around = :around
 ORDER BY 2, 3;

-- name: add-property
INSERT INTO calendar_property (member_id, calendar_id, object, file, space, local, element)
VALUES (:member, :calendar, :object, :file, :space, :local, :element);

-- name: delete-property
DELETE FROM calendar_property
 WHERE (member_id = :member OR calendar_id = :calendar OR object = :object OR file = :file) AND space = :space AND local = :local;

-- name: copy-object-properties
INSERT INTO calendar_property (object, space, local, element)
SELECT :to, space, local, element FROM calendar_property WHERE object = :from;

-- name: restore-properties
INSERT INTO calendar_property (object, space, local, element)
SELECT :object, value ->> 'namespace', value ->> 'name', value ->> 'element' FROM json_each(:list);

-- name: delete-member-files
DELETE FROM calendar_file WHERE member_id = :member;

-- name: delete-member-properties
DELETE FROM calendar_property WHERE member_id = :member;

-- name: delete-member-tombstones
DELETE FROM calendar_home_tombstone WHERE member_id = :member;

-- Mirrors. A push is about all mirrors of one event, of which there is one in
-- a home.

-- name: pushed
SELECT revision FROM calendar_push WHERE event_id = :event;

-- name: put-pushed
INSERT INTO calendar_push (event_id, revision) VALUES (:event, :revision)
    ON CONFLICT (event_id) DO UPDATE SET revision = excluded.revision;

-- name: mirrors
-- All of an event, and whose they are, but for what nobody has any more.
SELECT o.n, o.size, o.calendar_id, o.segment, o.source_digest, c.owner_id
  FROM calendar_object AS o JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE o.source_object_id = :event AND o.source_service = 'social' AND c.owner_id IS NOT NULL
 ORDER BY c.owner_id, o.n;

-- name: default-calendars
-- Of those members who have one.
SELECT c.owner_id, c.id AS calendar_id
  FROM json_each(:members) AS m CROSS JOIN calendar_calendar AS c ON c.owner_id = m.value AND c.is_default = 1;

-- name: objects-with-uid
-- Entries of that UID in any of the calendars.
SELECT o.n, o.size, o.calendar_id, o.segment, NULL AS source_digest, 0 AS owner_id
  FROM json_each(:calendars) AS c CROSS JOIN calendar_object AS o ON o.calendar_id = c.value AND o.uid = :uid;

-- name: next-seqs
-- Counts a change to what each of the calendars holds.
UPDATE calendar_calendar SET seq = seq + 1, stamp = :stamp WHERE id IN (SELECT value FROM json_each(:calendars));

-- name: readers-of
-- Everybody who sees any of the calendars.
SELECT DISTINCT a.member_id FROM json_each(:calendars) AS c CROSS JOIN calendar_access AS a ON a.calendar_id = c.value;

-- name: add-mirrors
-- Rows are pairs of an id and a calendar. What they say is put in later.
INSERT INTO calendar_object (id, calendar_id, segment, uid, component, title, etag, size, seq, floating, begins, ends, open, hidden,
                             source_service, source_object_type, source_object_id, created_at, updated_at)
SELECT value ->> 0, value ->> 1, (value ->> 0) || '.ics', :uid, 'VEVENT', '', '', 0, 0, 0, 0, 0, 0, 0, 'social', 'event', :event, :now, :now
  FROM json_each(:rows) WHERE true
RETURNING n, calendar_id;

-- name: update-mirrors
UPDATE calendar_object
   SET title = :title, etag = r.etag, size = r.size, source_digest = r.digest, updated_at = :now,
       seq = (SELECT c.seq FROM calendar_calendar AS c WHERE c.id = calendar_object.calendar_id)
  FROM (SELECT value ->> 'n' AS n, value ->> 'etag' AS etag, value ->> 'size' AS size, value ->> 'digest' AS digest
          FROM json_each(:rows)) AS r
 WHERE calendar_object.n = r.n;

-- name: put-mirror-data
INSERT INTO calendar_data (n, data) SELECT value ->> 'n', unhex(value ->> 'data') FROM json_each(:rows) WHERE true
    ON CONFLICT (n) DO UPDATE SET data = excluded.data;

-- name: time-mirrors
-- Sets the columns that say when the mirrors of each group are.
WITH row AS MATERIALIZED (
  SELECT m.value AS n, g.value AS g FROM json_each(:groups) AS g CROSS JOIN json_each(g.value -> 'mirrors') AS m
)
UPDATE calendar_object
   SET floating = row.g ->> 'floating', begins = row.g ->> 'begins', ends = row.g ->> 'ends',
       indexed_from = row.g ->> 'from', indexed_to = row.g ->> 'to'
  FROM row
 WHERE calendar_object.n = row.n;

-- name: clear-mirror-occurrences
DELETE FROM calendar_occurrence WHERE n IN (SELECT m.value FROM json_each(:groups) AS g CROSS JOIN json_each(g.value -> 'mirrors') AS m);

-- name: add-mirror-occurrences
INSERT OR IGNORE INTO calendar_occurrence (calendar_id, floating, span, starts, ends, n, recurrence_id, busy)
SELECT o.calendar_id, i.value ->> 'f', i.value ->> 's', i.value ->> 'a', i.value ->> 'b', o.n, i.value ->> 'r', i.value ->> 'y'
  FROM json_each(:groups) AS g CROSS JOIN json_each(g.value -> 'mirrors') AS m CROSS JOIN calendar_object AS o ON o.n = m.value
 CROSS JOIN json_each(g.value -> 'occurrences') AS i;

-- name: open-bins
INSERT INTO calendar_bin (member_id, entries, octets)
SELECT DISTINCT c.owner_id, 0, 0
  FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE true
    ON CONFLICT (member_id) DO NOTHING;

-- name: trash-objects
-- Mirrors among them are not their member's to bring back.
INSERT INTO calendar_trash (id, bin, calendar_id, segment, component, title, deleted_at, properties, data)
SELECT o.id, b.n, o.calendar_id, o.segment, o.component, o.title, :now,
       (SELECT json_group_array(json_object('namespace', space, 'name', local, 'element', element)) FROM calendar_property WHERE object = o.n),
       d.data
  FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value
  JOIN calendar_data AS d ON d.n = o.n
  JOIN calendar_calendar AS c ON c.id = o.calendar_id JOIN calendar_bin AS b ON b.member_id = c.owner_id
 WHERE o.source_service IS NULL;

-- name: bury-objects
INSERT INTO calendar_tombstone (calendar_id, segment, seq, buried_at)
SELECT o.calendar_id, o.segment, c.seq, :now
  FROM json_each(:list) AS l CROSS JOIN calendar_object AS o ON o.n = l.value JOIN calendar_calendar AS c ON c.id = o.calendar_id
 WHERE true
    ON CONFLICT (calendar_id, segment) DO UPDATE SET seq = excluded.seq, buried_at = excluded.buried_at;

-- name: delete-objects
DELETE FROM calendar_object WHERE n IN (SELECT value FROM json_each(:list));
