-- Lists of objects by the time of their occurrences. The parameter bands contains
-- the parts of the occurrence index to search; see package occurrence. Objects that
-- are not indexed in the whole range are found by their bounds, extended by a day
-- for floating times, and are not certain to have an occurrence in it.

-- name: objects-by-id
-- Returns the objects with the given ids that the member has access to.
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at,
       c.name AS calendar_name, c.color AS calendar_color, o.color, c.timezone AS calendar_timezone, a.role
  FROM json_each(:ids) AS wanted CROSS JOIN calendar_object AS o ON o.id = wanted.value
  JOIN calendar_access AS a ON a.member_id = :member AND a.calendar_id = o.calendar_id
  JOIN calendar_calendar AS c ON c.id = o.calendar_id;

-- name: objects-in-range
-- Returns the events and tasks in the member's visible calendars, or in one
-- calendar, that may have an occurrence in a range.
WITH band AS MATERIALIZED (
  SELECT value ->> 'floating' AS floating, value ->> 'band' AS band, value ->> 'after' AS after,
         value ->> 'before' AS before, value ->> 'end_after' AS end_after
    FROM json_each(:bands)
), calendar AS MATERIALIZED (
  SELECT a.calendar_id, a.role, c.name, c.color, c.timezone
    FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
   WHERE a.member_id = :member AND (a.calendar_id = :calendar OR :calendar = '' AND a.visible = 1)
), hit AS MATERIALIZED (
  SELECT DISTINCT occ.n
    FROM calendar CROSS JOIN band CROSS JOIN calendar_occurrence AS occ
      ON occ.calendar_id = calendar.calendar_id AND occ.floating = band.floating AND occ.band = band.band
     AND occ.starts > band.after AND occ.starts < band.before
   WHERE occ.ends > band.end_after
), found AS (
  SELECT n FROM hit
  UNION ALL
  SELECT o.n
    FROM calendar CROSS JOIN calendar_object AS o ON o.calendar_id = calendar.calendar_id
   WHERE o.indexed_to IS NOT NULL AND (o.indexed_from > :from - 86400000 OR o.indexed_to < :to + 86400000)
     AND o.first_start < :to + 86400000 AND o.last_end > :from - 86400000 AND o.n NOT IN (SELECT n FROM hit)
)
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at,
       calendar.name AS calendar_name, calendar.color AS calendar_color, o.color, calendar.timezone AS calendar_timezone, calendar.role
  FROM found CROSS JOIN calendar_object AS o ON o.n = found.n JOIN calendar ON calendar.calendar_id = o.calendar_id
 WHERE o.hidden = 0 AND o.component IN ('VEVENT', 'VTODO') AND (:component = '' OR o.component = :component)
 ORDER BY o.first_start, o.n;

-- name: upcoming
-- Returns the objects of a member's dataset, in no particular order: events and
-- tasks with an occurrence in a window, and all open tasks. shown_start is that of
-- the occurrence to show: of an open task the first open one, otherwise the first
-- that is not over, or else the last one. At shown_end another one follows. Both are
-- 1000000000000000 if they are not known or if there are none. found has a row for each reason to return an object: its rank
-- is 0 or 1 for an occurrence in an uncertain or certain band, 2 for an object
-- that is not indexed in the whole window, and -1 for an open task.
WITH band AS MATERIALIZED (
  SELECT value ->> 'floating' AS floating, value ->> 'band' AS band, value ->> 'after' AS after,
         value ->> 'before' AS before, value ->> 'end_after' AS end_after, value ->> 'now' AS now,
         value ->> 'certain' AS certain
    FROM json_each(:bands)
), calendar AS MATERIALIZED (
  SELECT calendar_id FROM calendar_access WHERE member_id = :member AND visible = 1
), found AS (
  SELECT occ.n, band.certain AS rank, occ.starts,
         CASE WHEN occ.ends > band.now THEN occ.starts END AS next_start, CASE WHEN occ.ends > band.now THEN occ.ends END AS next_end
    FROM calendar CROSS JOIN band CROSS JOIN calendar_occurrence AS occ
      ON occ.calendar_id = calendar.calendar_id AND occ.floating = band.floating AND occ.band = band.band
     AND occ.starts > band.after AND occ.starts < band.before
   WHERE occ.ends > band.end_after
  UNION ALL
  SELECT o.n, 2, NULL, NULL, NULL
    FROM calendar CROSS JOIN calendar_object AS o ON o.calendar_id = calendar.calendar_id
   WHERE o.indexed_to IS NOT NULL AND (o.indexed_from > :from - 86400000 OR o.indexed_to < :to + 86400000)
     AND o.first_start < :to + 86400000 AND o.last_end > :from - 86400000
  UNION ALL
  SELECT o.n, -1, NULL, NULL, NULL
    FROM calendar CROSS JOIN calendar_object AS o ON o.calendar_id = calendar.calendar_id
   WHERE o.component = 'VTODO' AND o.open = 1
), object AS (
  SELECT n, max(rank) AS rank, coalesce(min(next_start), max(starts), 1000000000000000) AS shown_start,
         coalesce(min(next_end), 1000000000000000) AS shown_end
    FROM found GROUP BY n
)
SELECT o.n, o.size, o.id, o.calendar_id, o.seq, o.open = 1 OR object.rank = 1 AS certain,
       coalesce(o.open_start, object.shown_start) AS shown_start, iif(o.open = 1, 1000000000000000, object.shown_end) AS shown_end
  FROM object CROSS JOIN calendar_object AS o ON o.n = object.n
 WHERE o.hidden = 0 AND o.component IN ('VEVENT', 'VTODO');

-- name: tasks
-- Returns a page of the tasks in a member's visible calendars: first the open
-- ones, then those that were completed in a range. :open and :id are those of
-- the last task of the previous page.
SELECT o.n, o.id, o.calendar_id, o.segment, o.uid, o.component, o.etag, o.size, o.hidden, o.source_service, o.source_object_type,
       o.source_object_id, o.created_at, o.updated_at, o.open, coalesce(o.completed_at, 0) AS completed_at,
       c.name AS calendar_name, c.color AS calendar_color, o.color, c.timezone AS calendar_timezone, a.role
  FROM calendar_access AS a
  JOIN calendar_calendar AS c ON c.id = a.calendar_id
  JOIN calendar_object AS o ON o.calendar_id = a.calendar_id
 WHERE a.member_id = :member AND a.visible = 1
   AND o.component = 'VTODO' AND o.hidden = 0
   AND (o.open = 1 OR :all OR o.completed_at >= :since AND o.completed_at < :until)
   AND (o.open < :open OR o.open = :open AND o.id > :id)
 ORDER BY o.open DESC, o.id
 LIMIT :limit;

-- name: due-tasks
-- Returns the open tasks in a member's visible calendars that may be due before a
-- time, in the order of their due times.
SELECT o.n, o.size
  FROM calendar_access AS a
  JOIN calendar_object AS o ON o.calendar_id = a.calendar_id
 WHERE a.member_id = :member AND a.visible = 1
   AND o.component = 'VTODO' AND o.hidden = 0 AND o.open = 1 AND o.open_due < :before
 ORDER BY o.open_due, o.n
 LIMIT :limit;

-- name: busy-in-band
-- Returns the busy times of a calendar in one part of its occurrence index: for
-- each start the last end of each type. The result is in the order of the index,
-- so that SQLite need not sort it.
SELECT occ.starts, max(CASE occ.busy WHEN 1 THEN occ.ends END) AS busy, max(CASE occ.busy WHEN 2 THEN occ.ends END) AS tentative
  FROM calendar_occurrence AS occ
 WHERE occ.calendar_id = :calendar AND occ.floating = :floating AND occ.band = :band
   AND occ.starts > :after AND occ.starts < :before AND occ.ends > :end_after AND occ.busy > 0
   AND occ.n NOT IN (SELECT h.n FROM calendar_object AS h WHERE h.calendar_id = :calendar AND h.hidden = 1)
 GROUP BY occ.starts;

-- name: busy-by-text
-- Returns the VFREEBUSY objects. Their busy times are not indexed, but only in
-- their text.
SELECT o.n, o.size FROM calendar_object AS o
 WHERE o.calendar_id = :calendar AND o.component = 'VFREEBUSY' AND o.hidden = 0;

-- name: busy-beyond-index
-- Returns the series that are not indexed in the whole range.
SELECT n, size FROM calendar_object
 WHERE calendar_id = :calendar AND indexed_to IS NOT NULL
   AND (indexed_from > :from - 86400000 OR indexed_to < :to + 86400000)
   AND first_start < :to + 86400000 AND last_end > :from - 86400000 AND hidden = 0 AND component = 'VEVENT';
