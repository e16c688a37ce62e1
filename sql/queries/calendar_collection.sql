-- WebDAV: object resources, dead properties, files and plain collections, and
-- changes since a sync token.

-- name: resources
-- Returns the object resources of a calendar without data.
SELECT n, segment, component, etag, size, updated_at
  FROM calendar_object WHERE calendar_id = :calendar AND hidden = 0;

-- name: etags
-- Returns the ETag and the segment of each object resource as lines of one text,
-- because a row for each of thousands of resources is slow. An ETag ends with
-- its second quote, and a segment contains no line break.
SELECT coalesce(group_concat(etag || segment, char(10)), '') FROM calendar_object WHERE calendar_id = :calendar AND hidden = 0;

-- name: resources-by-name
-- Returns object resources ordered by name.
SELECT o.n, o.segment, o.component, o.etag, o.size, o.updated_at, d.data
  FROM json_each(:names) AS name
 CROSS JOIN calendar_object AS o ON o.calendar_id = :calendar AND o.segment = name.value
  LEFT JOIN calendar_data AS d ON :with_data AND d.n = o.n
 WHERE o.hidden = 0
 ORDER BY name.key;

-- name: resources-since
-- Returns object resources and tombstones that changed after a sequence number, in
-- the order of their changes. A client without a sync token needs no tombstones.
SELECT n, segment, component, etag, size, updated_at, seq, 0 AS is_tombstone
  FROM calendar_object WHERE calendar_id = :calendar AND seq > :after AND hidden = 0
UNION ALL
SELECT 0, segment, '', '', 0, 0, seq, 1
  FROM calendar_tombstone WHERE calendar_id = :calendar AND seq > :after AND :after > 0
 ORDER BY seq
 LIMIT :limit;

-- name: etags-since
-- Returns the rows of resources-since with ETags only.
SELECT segment, etag, seq, 0 AS is_tombstone
  FROM calendar_object WHERE calendar_id = :calendar AND seq > :after AND hidden = 0
UNION ALL
SELECT segment, '', seq, 1
  FROM calendar_tombstone WHERE calendar_id = :calendar AND seq > :after AND :after > 0
 ORDER BY seq
 LIMIT :limit;

-- name: last-home-seq
-- Returns the number of the last change to a calendar home or to the calendars
-- in it.
SELECT max(
  coalesce((SELECT max(c.home_seq) FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id WHERE a.member_id = :member), 0),
  coalesce((SELECT max(home_seq) FROM calendar_file WHERE member_id = :member AND parent = ''), 0),
  coalesce((SELECT max(home_seq) FROM calendar_home_tombstone WHERE member_id = :member), 0));

-- name: home-since
-- Returns calendars, collections and tombstones of a calendar home that changed
-- after a home seq, in the order of their changes.
SELECT a.segment, 0 AS is_tombstone, c.home_seq
  FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id
 WHERE a.member_id = :member AND c.home_seq > :after
UNION ALL
SELECT path, 0, home_seq FROM calendar_file WHERE member_id = :member AND parent = '' AND home_seq > :after
UNION ALL
SELECT segment, 1, home_seq FROM calendar_home_tombstone WHERE member_id = :member AND home_seq > :after AND :after > 0
 ORDER BY 3
 LIMIT :limit;

-- name: set-file-home-seq
UPDATE calendar_file SET home_seq = :home_seq WHERE member_id = :member AND path = :path;

-- name: file
SELECT f.n, f.path, f.collection, f.media_type, f.etag, f.size, f.created_at, f.updated_at, d.data
  FROM calendar_file AS f LEFT JOIN calendar_file_data AS d ON :with_data AND d.n = f.n
 WHERE f.member_id = :member AND f.path = :path;

-- name: files
-- Returns the files and collections directly in a collection, without data.
SELECT n, path, collection, media_type, etag, size, created_at, updated_at, NULL AS data
  FROM calendar_file WHERE member_id = :member AND parent = :parent ORDER BY path;

-- name: file-usage
-- Returns the number, size and longest path of all files of a member.
SELECT count(*) AS files, coalesce(sum(size), 0) AS size, coalesce(max(length(path)), 0) AS longest_path
  FROM calendar_file WHERE member_id = :member;

-- name: tree-usage
-- Returns the number, size and longest path of a file, or of a collection and
-- everything below it, and the number of their dead properties.
SELECT count(*) AS files, coalesce(sum(size), 0) AS size, coalesce(max(length(path)), 0) AS longest_path,
       coalesce(sum((SELECT count(*) FROM calendar_property WHERE file = n)), 0) AS properties
  FROM calendar_file
 WHERE member_id = :member AND (path = :path OR path > :path || '/' AND path < :path || '0');

-- name: add-file
INSERT INTO calendar_file (member_id, path, parent, collection, media_type, etag, size, home_seq, created_at, updated_at)
VALUES (:member, :path, :parent, :collection, :media_type, :etag, :size, 0, :now, :now)
RETURNING n;

-- name: update-file
UPDATE calendar_file SET media_type = :media_type, etag = :etag, size = :size, updated_at = :now WHERE n = :n;

-- name: put-file-data
INSERT INTO calendar_file_data (n, data) VALUES (:n, :data) ON CONFLICT (n) DO UPDATE SET data = excluded.data;

-- name: files-to-delete
-- Returns a batch of a collection and everything below it, files before the
-- collections that contain them. The weight is the number of rows to delete.
SELECT n, 3 + (SELECT count(*) FROM calendar_property WHERE file = n) AS weight
  FROM calendar_file
 WHERE member_id = :member AND (path = :path OR path > :path || '/' AND path < :path || '0')
 ORDER BY path DESC LIMIT :limit;

-- name: delete-files
DELETE FROM calendar_file WHERE n IN (SELECT value FROM json_each(:list));

-- name: move-files
-- Moves a file, or a collection and everything below it.
UPDATE calendar_file
   SET path = :to || substr(path, length(:from) + 1), home_seq = 0,
       parent = CASE WHEN path = :from THEN :parent ELSE :to || substr(parent, length(:from) + 1) END
 WHERE member_id = :member AND (path = :from OR path > :from || '/' AND path < :from || '0');

-- name: copy-files
-- Copies a file, or a collection and, unless shallow, everything below it.
INSERT INTO calendar_file (member_id, path, parent, collection, media_type, etag, size, home_seq, created_at, updated_at)
SELECT member_id, :to || substr(path, length(:from) + 1),
       CASE WHEN path = :from THEN :parent ELSE :to || substr(parent, length(:from) + 1) END,
       collection, media_type, etag, size, 0, :now, :now
  FROM calendar_file
 WHERE member_id = :member AND (path = :from OR NOT :shallow AND path > :from || '/' AND path < :from || '0');

-- name: copy-file-data
INSERT INTO calendar_file_data (n, data)
SELECT copy.n, d.data
  FROM calendar_file AS copy
  JOIN calendar_file AS old ON old.member_id = copy.member_id AND old.path = :from || substr(copy.path, length(:to) + 1)
  JOIN calendar_file_data AS d ON d.n = old.n
 WHERE copy.member_id = :member AND (copy.path = :to OR copy.path > :to || '/' AND copy.path < :to || '0');

-- name: copy-file-properties
INSERT INTO calendar_property (file, space, local, element)
SELECT copy.n, p.space, p.local, p.element
  FROM calendar_file AS copy
  JOIN calendar_file AS old ON old.member_id = copy.member_id AND old.path = :from || substr(copy.path, length(:to) + 1)
  JOIN calendar_property AS p ON p.file = old.n
 WHERE copy.member_id = :member AND (copy.path = :to OR copy.path > :to || '/' AND copy.path < :to || '0');

-- name: properties
-- Returns the dead properties of one resource. Three of the four parameters are
-- null.
SELECT space, local, element FROM calendar_property
 WHERE member_id = :member OR calendar_id = :calendar OR object = :object OR file = :file
 ORDER BY space, local;

-- name: properties-in-home
-- Returns the dead properties of the calendars and files directly in a home.
SELECT a.segment AS name, p.space, p.local, p.element
  FROM calendar_access AS a JOIN calendar_property AS p ON p.calendar_id = a.calendar_id
 WHERE a.member_id = :member
UNION ALL
SELECT f.path, p.space, p.local, p.element
  FROM calendar_file AS f JOIN calendar_property AS p ON p.file = f.n
 WHERE f.member_id = :member AND f.parent = ''
 ORDER BY 2, 3;

-- name: properties-in-calendar
SELECT o.segment AS name, p.space, p.local, p.element
  FROM calendar_object AS o JOIN calendar_property AS p ON p.object = o.n
 WHERE o.calendar_id = :calendar AND o.hidden = 0
 ORDER BY 2, 3;

-- name: properties-in-collection
SELECT substr(f.path, length(:parent) + 2) AS name, p.space, p.local, p.element
  FROM calendar_file AS f JOIN calendar_property AS p ON p.file = f.n
 WHERE f.member_id = :member AND f.parent = :parent
 ORDER BY 2, 3;

-- name: add-properties
INSERT INTO calendar_property (member_id, calendar_id, object, file, space, local, element)
SELECT :member, :calendar, :object, :file, value ->> 0, value ->> 1, value ->> 2 FROM json_each(:list);

-- name: delete-properties
DELETE FROM calendar_property
 WHERE (member_id = :member OR calendar_id = :calendar OR object = :object OR file = :file)
   AND (space, local) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:list));

-- name: resources-of-component
-- Returns the object resources with a component, or all object resources if it
-- is ''.
SELECT n, segment, component, etag, size, updated_at, 1 AS certain
  FROM calendar_object
 WHERE calendar_id = :calendar AND hidden = 0 AND (:component = '' OR component = :component);

-- name: resources-in-range
-- Returns the object resources with an occurrence in a range, by the occurrence
-- index. Objects that are not indexed in the whole range are not certain to
-- have one; see package occurrence.
WITH band AS MATERIALIZED (
  SELECT value ->> 'floating' AS floating, value ->> 'band' AS band, value ->> 'after' AS after,
         value ->> 'before' AS before, value ->> 'end_after' AS end_after, value ->> 'certain' AS certain
    FROM json_each(:bands)
), hit AS MATERIALIZED (
  SELECT occ.n, max(band.certain) AS certain
    FROM band CROSS JOIN calendar_occurrence AS occ
      ON occ.calendar_id = :calendar AND occ.floating = band.floating AND occ.band = band.band
     AND occ.starts > band.after AND occ.starts < band.before
   WHERE occ.ends > band.end_after
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
   AND o.first_start < :to + 86400000 AND o.last_end > :from - 86400000
   AND o.hidden = 0 AND (:component = '' OR o.component = :component)
   AND o.n NOT IN (SELECT n FROM hit);
