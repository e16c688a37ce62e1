-- Calendars and access to them, preferences, trash, feeds and exports.

-- name: add-calendar
INSERT INTO calendar_calendar (id, owner_id, name, description, color, timezone, own_zone, components, is_default, seq, pruned_seq, objects, octets,
                               home_seq, created_at, updated_at)
VALUES (:id, :owner, :name, :description, :color, :timezone, :own_zone, :components, :is_default, 0, 0, 0, 0, :home_seq, :now, :now);

-- name: update-calendar
UPDATE calendar_calendar
   SET name = :name, description = :description, color = :color, timezone = :timezone, own_zone = :own_zone, updated_at = :now
 WHERE id = :id;

-- name: colors-of
-- Returns the colors of the calendars that a member has access to.
SELECT c.color FROM calendar_access AS a JOIN calendar_calendar AS c ON c.id = a.calendar_id WHERE a.member_id = :member;

-- name: has-other-zone
-- Reports whether a calendar of the members without a zone of its own is in another zone.
SELECT EXISTS (SELECT 1 FROM calendar_calendar
                WHERE owner_id IN (SELECT value FROM json_each(:owners)) AND own_zone = 0 AND timezone <> :timezone);

-- name: set-owner-zone
-- Sets the time zone of the calendars of members that have none of their own.
UPDATE calendar_calendar SET timezone = :timezone, home_seq = :home_seq, updated_at = :now
 WHERE owner_id IN (SELECT value FROM json_each(:owners)) AND own_zone = 0 AND timezone <> :timezone
RETURNING id;

-- name: components-of
-- Returns the components of the first objects of a calendar.
SELECT DISTINCT component FROM (SELECT component FROM calendar_object WHERE calendar_id = :calendar LIMIT :limit) ORDER BY component;

-- name: deletion
SELECT target_id, moved FROM calendar_deletion WHERE calendar_id = :calendar;

-- name: deletions
-- Returns the calendars with objects that are left to move, and their owners.
-- scan: there are few rows
SELECT d.calendar_id, c.owner_id FROM calendar_deletion AS d CROSS JOIN calendar_calendar AS c ON c.id = d.calendar_id
 WHERE c.owner_id IS NOT NULL ORDER BY d.calendar_id;

-- name: put-deletion
INSERT INTO calendar_deletion (calendar_id, target_id, moved) VALUES (:calendar, :target, :moved)
    ON CONFLICT (calendar_id) DO UPDATE SET moved = excluded.moved;

-- name: end-deletion
DELETE FROM calendar_deletion WHERE calendar_id = :calendar;

-- name: grant-access
INSERT INTO calendar_access (member_id, calendar_id, role, segment, position, visible)
VALUES (:member, :calendar, :role, :segment, :position, 1);

-- name: stage-copy
INSERT INTO calendar_calendar (id, name, description, color, timezone, own_zone, components, is_default, seq, pruned_seq, objects, octets,
                               home_seq, staged, created_at, updated_at)
SELECT :to, name, description, color, timezone, own_zone, components, 0, 0, 0, 0, 0, 0, 1, :now, :now
  FROM calendar_calendar WHERE id = :from;

-- name: copy-calendar-properties
INSERT INTO calendar_property (calendar_id, space, local, element)
SELECT :to, space, local, element FROM calendar_property WHERE calendar_id = :from;

-- name: copy-size
SELECT objects, octets FROM calendar_calendar WHERE id = :id AND staged = 1;

-- name: publish-copy
-- Gives a staged calendar its owner.
UPDATE calendar_calendar
   SET owner_id = :owner, timezone = CASE own_zone WHEN 0 THEN :timezone ELSE timezone END, staged = 0, home_seq = :home_seq,
       created_at = :now, updated_at = :now
 WHERE id = :id AND staged = 1;

-- name: abandon-copy
-- Orphans a staged calendar, or all of them if :id is ''.
-- scan: the index has few rows
UPDATE calendar_calendar SET staged = 0 WHERE staged = 1 AND (id = :id OR :id = '');

-- name: set-segment
UPDATE calendar_access SET segment = :segment WHERE member_id = :member AND calendar_id = :calendar;

-- name: set-position
UPDATE calendar_access SET position = :position, visible = :visible
 WHERE member_id = :member AND calendar_id = :calendar;

-- name: last-position
SELECT coalesce(max(position), -1) FROM calendar_access WHERE member_id = :member;

-- name: revoke-all-access
-- Revokes the access of all members to a calendar.
DELETE FROM calendar_access WHERE calendar_id = :id;

-- name: revoke-access-to-owned
-- Revokes the access of all members to the calendars that a member owns.
DELETE FROM calendar_access WHERE calendar_id IN (SELECT id FROM calendar_calendar WHERE owner_id = :member);

-- name: orphan-calendars
-- Sets the owner of a member's calendars to null.
UPDATE calendar_calendar SET owner_id = NULL WHERE owner_id = :member;

-- name: revoke-access-of
-- Revokes the access of a member to all calendars.
DELETE FROM calendar_access WHERE member_id = :member;

-- name: delete-files-of
DELETE FROM calendar_file WHERE n IN (SELECT n FROM calendar_file WHERE member_id = :member LIMIT :limit);

-- name: delete-properties-of
-- Deletes the dead properties of a member's calendar home.
DELETE FROM calendar_property WHERE rowid IN (SELECT rowid FROM calendar_property WHERE member_id = :member LIMIT :limit);

-- name: delete-home-tombstones-of
DELETE FROM calendar_home_tombstone
 WHERE member_id = :member AND segment IN (SELECT segment FROM calendar_home_tombstone WHERE member_id = :member LIMIT :limit);

-- name: preferences
SELECT day_start, day_end, week_start, slot_minutes FROM calendar_preferences WHERE member_id = :member;

-- name: put-preferences
INSERT INTO calendar_preferences (member_id, day_start, day_end, week_start, slot_minutes)
VALUES (:member, :day_start, :day_end, :week_start, :slot_minutes)
    ON CONFLICT (member_id) DO UPDATE SET day_start = excluded.day_start, day_end = excluded.day_end,
       week_start = excluded.week_start, slot_minutes = excluded.slot_minutes;

-- name: delete-preferences-of
DELETE FROM calendar_preferences WHERE member_id = :member;

-- name: titles
-- Returns the ids and titles of those objects in :ids that the member has access
-- to.
SELECT o.id, o.title
  FROM json_each(:ids) AS wanted CROSS JOIN calendar_object AS o ON o.id = wanted.value
  JOIN calendar_access AS a ON a.member_id = :member AND a.calendar_id = o.calendar_id;

-- name: ensure-trash
-- Creates the trash of a member unless it exists.
INSERT INTO calendar_trash (member_id, objects, octets) VALUES (:member, 0, 0)
    ON CONFLICT (member_id) DO NOTHING;

-- name: trash-calendar
INSERT INTO calendar_trashed (id, trash, calendar_id, segment, uid, component, title, deleted_at, properties, data)
SELECT :id, n, :id, :segment, '', '', '', :now, '[]', x'' FROM calendar_trash WHERE member_id = :member;

-- name: add-home-tombstones
-- Adds a tombstone to the home of each member who has access to a calendar.
INSERT INTO calendar_home_tombstone (member_id, segment, home_seq)
SELECT member_id, segment, :home_seq FROM calendar_access WHERE calendar_id = :calendar
    ON CONFLICT (member_id, segment) DO UPDATE SET home_seq = excluded.home_seq;

-- name: trash
-- Returns a page of the trash of a member without the texts of the objects, the
-- latest deletion first. :before and :before_id identify the last row of the
-- previous page.
SELECT d.id, d.calendar_id, d.component, d.title, d.deleted_at, coalesce(c.name, '') AS calendar_name
  FROM calendar_trash AS t CROSS JOIN calendar_trashed AS d ON d.trash = t.n
  LEFT JOIN calendar_calendar AS c ON c.id = d.calendar_id AND c.owner_id IS NOT NULL
 WHERE t.member_id = :member AND (d.deleted_at, d.id) < (:before, :before_id)
 ORDER BY d.deleted_at DESC, d.id DESC LIMIT :limit;

-- name: trash-entry
-- Returns an object or calendar in the trash of a member without its text.
SELECT d.id, d.calendar_id, d.component, d.title, d.deleted_at, coalesce(c.name, '') AS calendar_name
  FROM calendar_trashed AS d LEFT JOIN calendar_calendar AS c ON c.id = d.calendar_id AND c.owner_id IS NOT NULL
 WHERE d.id = :id AND d.trash = (SELECT n FROM calendar_trash WHERE member_id = :member);

-- name: trashed
-- Returns an object or calendar in the trash of a member.
SELECT d.id, d.calendar_id, d.segment, d.component, d.title, d.deleted_at, d.properties, d.data, coalesce(c.name, '') AS calendar_name
  FROM calendar_trashed AS d LEFT JOIN calendar_calendar AS c ON c.id = d.calendar_id AND c.owner_id IS NOT NULL
 WHERE d.id = :id AND d.trash = (SELECT n FROM calendar_trash WHERE member_id = :member);

-- name: remove-from-trash
DELETE FROM calendar_trashed WHERE id = :id AND trash = (SELECT n FROM calendar_trash WHERE member_id = :member);

-- name: orphan-trashed-calendars
-- Sets the owner of a calendar in the trash of a member to null. If :id is '',
-- it does so for all calendars in that trash.
UPDATE calendar_calendar SET owner_id = NULL
 WHERE id IN (SELECT id FROM calendar_trashed
               WHERE trash = (SELECT n FROM calendar_trash WHERE member_id = :member) AND component = '' AND (id = :id OR :id = ''));

-- name: empty-trash
-- Detaches the trash from its member and returns the number of objects in it.
UPDATE calendar_trash SET member_id = NULL WHERE member_id = :member RETURNING objects;

-- name: keep-former
-- Keeps the present text of an object, which is about to change.
INSERT INTO calendar_former (n, etag, next_etag, rest_id, rest_etag, expires_at, data)
SELECT n, :etag, :next, :rest, :rest_etag, :expires, data FROM calendar_data WHERE n = :n
    ON CONFLICT (n) DO UPDATE
   SET etag = excluded.etag, next_etag = excluded.next_etag, rest_id = excluded.rest_id, rest_etag = excluded.rest_etag,
       expires_at = excluded.expires_at, data = excluded.data;

-- name: former
-- Returns the kept text of an object, unless its time is over.
SELECT etag, next_etag, rest_id, rest_etag, data FROM calendar_former WHERE n = :n AND etag = :etag AND expires_at > :now;

-- name: forget-former
DELETE FROM calendar_former WHERE n = :n;

-- name: forget-expired
DELETE FROM calendar_former WHERE n IN (SELECT n FROM calendar_former WHERE expires_at <= :now LIMIT :limit);

-- name: purgeable-trash
-- Returns a batch of rows that are in an emptied trash or were deleted before a
-- time. The weight is the number of rows and pages to delete.
SELECT n, weight
  FROM (SELECT d.n, 1 + (length(d.data) + length(d.properties)) / 4096 AS weight
          FROM calendar_trash AS t CROSS JOIN calendar_trashed AS d ON d.trash = t.n WHERE t.member_id IS NULL
        UNION ALL
        SELECT n, 1 + (length(data) + length(properties)) / 4096 FROM calendar_trashed WHERE deleted_at < :before)
 LIMIT :limit;

-- name: orphan-purged-calendars
-- Sets the owners of the calendars in a batch of trash rows to null.
UPDATE calendar_calendar SET owner_id = NULL
 WHERE id IN (SELECT d.id FROM json_each(:list) AS l CROSS JOIN calendar_trashed AS d ON d.n = l.value WHERE d.component = '');

-- name: purge-trash
DELETE FROM calendar_trashed WHERE n IN (SELECT value FROM json_each(:list));

-- name: delete-emptied-trash
DELETE FROM calendar_trash WHERE member_id IS NULL AND NOT EXISTS (SELECT 1 FROM calendar_trashed WHERE trash = calendar_trash.n);

-- name: orphaned-calendar
SELECT id FROM calendar_calendar WHERE owner_id IS NULL AND staged = 0 LIMIT 1;

-- name: orphaned-objects
-- Returns a batch of the objects of an orphaned calendar. The weight is the
-- number of rows and pages to delete.
SELECT o.n, 1 + o.size / 4096 + (SELECT count(*) FROM calendar_occurrence WHERE n = o.n)
            + (SELECT count(*) FROM calendar_property WHERE object = o.n) AS weight
  FROM calendar_object AS o WHERE o.calendar_id = :calendar ORDER BY o.seq LIMIT :limit;

-- name: purge-objects
DELETE FROM calendar_object WHERE n IN (SELECT value FROM json_each(:list));

-- name: purge-tombstones
-- Deletes a batch of the tombstones of a calendar if more tombstones remain
-- after it.
DELETE FROM calendar_tombstone
 WHERE calendar_id = :calendar
   AND seq < (SELECT seq FROM calendar_tombstone WHERE calendar_id = :calendar ORDER BY seq LIMIT 1 OFFSET :limit);

-- name: purge-calendar
DELETE FROM calendar_calendar WHERE id = :calendar;

-- name: put-feed
INSERT INTO calendar_feed (calendar_id, member_id, hash, shows, created_at) VALUES (:calendar, :member, :hash, :shows, :now)
    ON CONFLICT (member_id, calendar_id) DO UPDATE SET hash = excluded.hash, shows = excluded.shows, created_at = excluded.created_at;

-- name: feeds
SELECT calendar_id, shows, created_at FROM calendar_feed WHERE member_id = :member;

-- name: feed-by-hash
SELECT member_id, calendar_id, shows FROM calendar_feed WHERE hash = :hash;

-- name: delete-feed
DELETE FROM calendar_feed WHERE member_id = :member AND calendar_id = :calendar;

-- name: delete-feeds-of
DELETE FROM calendar_feed WHERE member_id = :member;

-- name: shown-objects
-- Returns the objects of a calendar that are not hidden.
SELECT n, size, first_start FROM calendar_object WHERE calendar_id = :calendar AND hidden = 0 ORDER BY n;

-- name: objects-of
-- Returns all objects of a calendar.
SELECT n, size, segment FROM calendar_object WHERE calendar_id = :calendar ORDER BY n;

-- name: trash-of
-- Returns the keys of the trash of a member, the latest deletion first.
SELECT d.n, length(d.data) + length(d.properties) AS size
  FROM calendar_trash AS t CROSS JOIN calendar_trashed AS d ON d.trash = t.n
 WHERE t.member_id = :member
 ORDER BY d.deleted_at DESC, d.id DESC;

-- name: trash-rows
SELECT d.id, d.calendar_id, d.segment, d.component, d.title, d.deleted_at, d.properties, d.data, coalesce(c.name, '') AS calendar_name
  FROM calendar_trashed AS d LEFT JOIN calendar_calendar AS c ON c.id = d.calendar_id AND c.owner_id IS NOT NULL
 WHERE d.n IN (SELECT value FROM json_each(:list))
 ORDER BY d.n;

-- name: files-of
-- Returns the keys of the files and plain collections of a member.
SELECT n, size FROM calendar_file WHERE member_id = :member ORDER BY path;

-- name: file-rows
SELECT f.path, f.collection, f.media_type, f.updated_at, d.data
  FROM calendar_file AS f LEFT JOIN calendar_file_data AS d ON d.n = f.n
 WHERE f.n IN (SELECT value FROM json_each(:list))
 ORDER BY f.n;

-- name: properties-of
-- Returns the keys of the dead properties of a member's calendar home and of all
-- resources in it.
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
-- Returns dead properties with the paths of their resources below the home.
SELECT coalesce(f.path, a.segment || coalesce('/' || o.segment, ''), '') AS path, p.space, p.local, p.element
  FROM calendar_property AS p
  LEFT JOIN calendar_file AS f ON f.n = p.file
  LEFT JOIN calendar_object AS o ON o.n = p.object
  LEFT JOIN calendar_calendar AS c ON c.id = coalesce(p.calendar_id, o.calendar_id)
  LEFT JOIN calendar_access AS a ON a.member_id = c.owner_id AND a.calendar_id = c.id
 WHERE p.rowid IN (SELECT value FROM json_each(:list))
 ORDER BY p.rowid;
