-- Calendars, calendar objects, and other files in calendar homes.

CREATE TABLE calendar_calendar (
  id          TEXT PRIMARY KEY,             -- cal_…
  owner_id    INTEGER REFERENCES identity_member(id), -- null: orphaned, a background job deletes it and its objects, unless it is staged
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  color       TEXT NOT NULL,                -- #rrggbb
  timezone    TEXT NOT NULL,                -- IANA name, floating times are read in it
  own_zone    INTEGER NOT NULL DEFAULT 0,   -- 1: a client has set timezone; 0: it is that of the owner and changes with it
  components  TEXT NOT NULL,                -- that it accepts, separated by commas: VEVENT,VTODO
  is_default  INTEGER NOT NULL,             -- 1: receives new objects without a calendar
  seq         INTEGER NOT NULL,             -- number of the last change to its objects
  pruned_seq  INTEGER NOT NULL,             -- tombstones up to this seq have been deleted
  objects     INTEGER NOT NULL,             -- number of its objects, kept by triggers
  octets      INTEGER NOT NULL,             -- size of their text, kept by triggers
  events      INTEGER NOT NULL DEFAULT 0,   -- number of its events that are not hidden, kept by triggers
  tasks       INTEGER NOT NULL DEFAULT 0,   -- number of its tasks that are not hidden, kept by triggers
  home_seq    INTEGER NOT NULL,             -- calendar_home_seq at the last change to it or to its objects
  staged      INTEGER NOT NULL DEFAULT 0,   -- 1: a copy that is not complete, without owner and access
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL              -- of the calendar itself, not of its objects
) STRICT;

CREATE INDEX calendar_calendar_owner ON calendar_calendar (owner_id);
CREATE UNIQUE INDEX calendar_one_default ON calendar_calendar (owner_id) WHERE is_default = 1;
CREATE INDEX calendar_staged ON calendar_calendar (id) WHERE staged = 1;

-- Calendars whose owner has deleted them while objects were left to move to another
-- calendar. A calendar moves to the trash after its last object has moved.
CREATE TABLE calendar_deletion (
  calendar_id TEXT PRIMARY KEY REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  target_id   TEXT NOT NULL,                -- '': only mirrors move, to the default calendar of the owner
  moved       INTEGER NOT NULL              -- number of objects that have moved
) STRICT, WITHOUT ROWID;

-- The calendars that each member can use. Every read and write of a calendar
-- goes through a row of this table.
CREATE TABLE calendar_access (
  member_id   INTEGER NOT NULL REFERENCES identity_member(id),
  calendar_id TEXT NOT NULL REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  role        TEXT NOT NULL CHECK (role IN ('owner', 'write', 'read')),
  segment     TEXT NOT NULL,                -- last part of its path in the member's calendar home
  position    INTEGER NOT NULL,             -- in the member's list
  visible     INTEGER NOT NULL,             -- 0: the member does not show it in views
  PRIMARY KEY (member_id, calendar_id),
  UNIQUE (member_id, segment)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_access_calendar ON calendar_access (calendar_id);

-- Calendar objects: a component and its overrides, with one UID. The text in
-- calendar_data is authoritative; the columns from uid to completed_at are derived
-- from it.
CREATE TABLE calendar_object (
  n            INTEGER PRIMARY KEY,         -- internal key
  id           TEXT NOT NULL UNIQUE,        -- tob_…
  calendar_id  TEXT NOT NULL REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  segment      TEXT NOT NULL,               -- last part of its path
  uid          TEXT NOT NULL,
  component    TEXT NOT NULL,               -- VEVENT, VTODO, …
  title        TEXT NOT NULL,               -- as lists show it
  etag         TEXT NOT NULL,               -- of the text, with quotes
  size         INTEGER NOT NULL,            -- of the text, in octets
  seq          INTEGER NOT NULL,            -- seq of the calendar at the last change
  floating     INTEGER NOT NULL,            -- 1: some of its times are floating or dates
  first_start  INTEGER NOT NULL,            -- no occurrence starts earlier
  last_end     INTEGER NOT NULL,            -- no occurrence ends later
  indexed_from INTEGER,                     -- calendar_occurrence is complete between these times,
  indexed_to   INTEGER,                     -- null: everywhere
  open         INTEGER NOT NULL,            -- 1: a task with an occurrence that is neither completed nor cancelled
  open_start   INTEGER,                     -- of the first such occurrence: when it starts, floating times as if they were UTC,
  open_due     INTEGER,                     -- and when it is due, null if it has no due time
  completed_at INTEGER,                     -- of a task without open occurrences
  zone_conflict TEXT,                       -- IANA name of a zone that the text defines in another way, see ics.ConflictingZone
  color        TEXT,                        -- of a mirror, if it is not the calendar's
  hidden       INTEGER NOT NULL,            -- 1: a mirror that its member has hidden
  source_service     TEXT,                  -- of a mirror: the owner of the original
  source_object_type TEXT,
  source_object_id   TEXT,
  source_digest      TEXT,                  -- hash of the original's state in the text
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  UNIQUE (calendar_id, segment),
  UNIQUE (calendar_id, uid)
) STRICT;

CREATE INDEX calendar_object_seq ON calendar_object (calendar_id, seq);
CREATE INDEX calendar_object_partly ON calendar_object (calendar_id, last_end) WHERE indexed_to IS NOT NULL;
CREATE INDEX calendar_object_freebusy ON calendar_object (calendar_id) WHERE component = 'VFREEBUSY';
CREATE INDEX calendar_object_hidden ON calendar_object (calendar_id) WHERE hidden = 1;
CREATE INDEX calendar_object_mirror ON calendar_object (calendar_id) WHERE source_service IS NOT NULL;
CREATE INDEX calendar_object_source ON calendar_object (source_object_id) WHERE source_object_id IS NOT NULL;
CREATE INDEX calendar_object_zone ON calendar_object (zone_conflict) WHERE zone_conflict IS NOT NULL;
CREATE INDEX calendar_object_task ON calendar_object (calendar_id, open, completed_at) WHERE component = 'VTODO';

-- Triggers maintain the number of objects of a calendar, so that no write can omit
-- it.
CREATE TRIGGER calendar_object_added AFTER INSERT ON calendar_object BEGIN
  UPDATE calendar_calendar
     SET objects = objects + 1, octets = octets + NEW.size,
         events = events + (NEW.component = 'VEVENT' AND NEW.hidden = 0), tasks = tasks + (NEW.component = 'VTODO' AND NEW.hidden = 0)
   WHERE id = NEW.calendar_id;
END;

CREATE TRIGGER calendar_object_changed AFTER UPDATE OF calendar_id, size, component, hidden ON calendar_object
WHEN NEW.calendar_id <> OLD.calendar_id OR NEW.size <> OLD.size OR NEW.component <> OLD.component OR NEW.hidden <> OLD.hidden BEGIN
  UPDATE calendar_calendar
     SET objects = objects - 1, octets = octets - OLD.size,
         events = events - (OLD.component = 'VEVENT' AND OLD.hidden = 0), tasks = tasks - (OLD.component = 'VTODO' AND OLD.hidden = 0)
   WHERE id = OLD.calendar_id;
  UPDATE calendar_calendar
     SET objects = objects + 1, octets = octets + NEW.size,
         events = events + (NEW.component = 'VEVENT' AND NEW.hidden = 0), tasks = tasks + (NEW.component = 'VTODO' AND NEW.hidden = 0)
   WHERE id = NEW.calendar_id;
END;

CREATE TRIGGER calendar_object_removed AFTER DELETE ON calendar_object BEGIN
  UPDATE calendar_calendar
     SET objects = objects - 1, octets = octets - OLD.size,
         events = events - (OLD.component = 'VEVENT' AND OLD.hidden = 0), tasks = tasks - (OLD.component = 'VTODO' AND OLD.hidden = 0)
   WHERE id = OLD.calendar_id;
END;

CREATE TABLE calendar_data (
  n    INTEGER PRIMARY KEY REFERENCES calendar_object(n) ON DELETE CASCADE,
  data BLOB NOT NULL                        -- the octets that a client PUT
) STRICT;

-- The text of an object before the last change of its series, to which the member can
-- return for some minutes.
CREATE TABLE calendar_former (
  n          INTEGER PRIMARY KEY REFERENCES calendar_object(n) ON DELETE CASCADE,
  etag       TEXT NOT NULL,                 -- of data
  next_etag  TEXT NOT NULL,                 -- of the text after the change
  rest_id    TEXT,                          -- the object with the later occurrences, if the change split the series
  rest_etag  TEXT,
  expires_at INTEGER NOT NULL,
  data       BLOB NOT NULL
) STRICT;

CREATE INDEX calendar_former_expiry ON calendar_former (expires_at);

-- The latest sync of each Social event, also of events without mirrors.
CREATE TABLE calendar_event_sync (
  event_id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Occurrences of objects, as half-open intervals of milliseconds. An interval
-- overlaps a range exactly if RFC 4791 §9.9 says that the occurrence does.
CREATE TABLE calendar_occurrence (
  calendar_id   TEXT NOT NULL,
  floating      INTEGER NOT NULL,           -- 1: starts and ends are local times, as if they were UTC
  band          INTEGER NOT NULL,           -- class of its length, see package occurrence
  starts        INTEGER NOT NULL,
  ends          INTEGER NOT NULL,
  n             INTEGER NOT NULL REFERENCES calendar_object(n) ON DELETE CASCADE,
  recurrence_id TEXT NOT NULL,              -- '' if the object does not recur
  busy          INTEGER NOT NULL,           -- 0: free, 1: busy, 2: tentative
  PRIMARY KEY (calendar_id, floating, band, starts, n, recurrence_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_occurrence_object ON calendar_occurrence (n, ends);

-- The time zone data by which the occurrences are indexed. After a change of the data a
-- background job rebuilds the index, in the order of keys.
CREATE TABLE calendar_zone_data (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  version  TEXT NOT NULL,
  rebuilt  INTEGER                          -- objects up to this key are rebuilt, null: all
) STRICT;

-- The trash of each member. Emptying it sets member_id to null, which takes the
-- same time for any number of rows; a background job deletes them.
CREATE TABLE calendar_trash (
  n         INTEGER PRIMARY KEY,
  member_id INTEGER UNIQUE REFERENCES identity_member(id), -- null: emptied
  objects   INTEGER NOT NULL,               -- number of objects in it, kept by triggers
  octets    INTEGER NOT NULL                -- size of their text, kept by triggers
) STRICT;

-- Deleted objects and calendars that their member can restore. A calendar stays
-- in calendar_calendar without a row in calendar_access.
CREATE TABLE calendar_trashed (
  n           INTEGER PRIMARY KEY,          -- internal key
  id          TEXT NOT NULL UNIQUE,         -- as before: tob_…, cal_…
  trash       INTEGER NOT NULL REFERENCES calendar_trash(n),
  calendar_id TEXT NOT NULL,                -- the calendar of the object, or the calendar itself
  segment     TEXT NOT NULL,
  uid         TEXT NOT NULL,                -- of an object
  component   TEXT NOT NULL,                -- '' for a calendar
  title       TEXT NOT NULL,                -- of an object
  deleted_at  INTEGER NOT NULL,
  properties  TEXT NOT NULL,                -- dead properties of an object, as a JSON array of objects
  data        BLOB NOT NULL                 -- text of an object
) STRICT;

CREATE INDEX calendar_trashed_trash ON calendar_trashed (trash, deleted_at, id);
CREATE INDEX calendar_trashed_uid ON calendar_trashed (trash, uid) WHERE component <> '';
CREATE INDEX calendar_trashed_calendar ON calendar_trashed (trash) WHERE component = '';
CREATE INDEX calendar_trashed_age ON calendar_trashed (deleted_at);

CREATE TRIGGER calendar_trashed_added AFTER INSERT ON calendar_trashed WHEN NEW.component <> '' BEGIN
  UPDATE calendar_trash SET objects = objects + 1, octets = octets + length(NEW.data) WHERE n = NEW.trash;
END;

CREATE TRIGGER calendar_trashed_removed AFTER DELETE ON calendar_trashed WHEN OLD.component <> '' BEGIN
  UPDATE calendar_trash SET objects = objects - 1, octets = octets - length(OLD.data) WHERE n = OLD.trash;
END;

-- Feeds: secret links to a calendar.
CREATE TABLE calendar_feed (
  calendar_id TEXT NOT NULL,
  member_id   INTEGER NOT NULL,
  hash        BLOB NOT NULL UNIQUE,         -- SHA-256 of the secret in the link
  shows       TEXT NOT NULL CHECK (shows IN ('details', 'busy')),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (member_id, calendar_id),
  FOREIGN KEY (member_id, calendar_id) REFERENCES calendar_access (member_id, calendar_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Tombstones of deleted and hidden objects, for RFC 6578.
CREATE TABLE calendar_tombstone (
  calendar_id TEXT NOT NULL REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  segment     TEXT NOT NULL,
  seq         INTEGER NOT NULL,             -- seq of the calendar at the deletion
  deleted_at  INTEGER NOT NULL,
  PRIMARY KEY (calendar_id, segment)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_tombstone_seq ON calendar_tombstone (calendar_id, seq);

-- Counts the changes in all calendar homes.
CREATE TABLE calendar_home_seq (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL
) STRICT;

INSERT INTO calendar_home_seq VALUES (1, 0);

-- Tombstones of calendars and collections in a calendar home, for RFC 6578.
CREATE TABLE calendar_home_tombstone (
  member_id INTEGER NOT NULL REFERENCES identity_member(id),
  segment   TEXT NOT NULL,
  home_seq  INTEGER NOT NULL,
  PRIMARY KEY (member_id, segment)
) STRICT, WITHOUT ROWID;

-- Files and plain collections that clients store in calendar homes.
CREATE TABLE calendar_file (
  n          INTEGER PRIMARY KEY,           -- internal key
  member_id  INTEGER NOT NULL REFERENCES identity_member(id),
  path       TEXT NOT NULL,                 -- below the calendar home
  parent     TEXT NOT NULL,                 -- path of the collection that contains it, '' is the home
  collection INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  etag       TEXT NOT NULL,                 -- with quotes, '' for a collection
  size       INTEGER NOT NULL,
  home_seq   INTEGER NOT NULL,              -- as in calendar_calendar, 0 unless it is directly in the home
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (member_id, path)
) STRICT;

CREATE INDEX calendar_file_parent ON calendar_file (member_id, parent);

CREATE TABLE calendar_file_data (
  n    INTEGER PRIMARY KEY REFERENCES calendar_file(n) ON DELETE CASCADE,
  data BLOB NOT NULL
) STRICT;

-- Dead properties (RFC 4918 §4) of a home, a calendar, an object or a file.
CREATE TABLE calendar_property (
  member_id   INTEGER REFERENCES identity_member(id),
  calendar_id TEXT REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  object      INTEGER REFERENCES calendar_object(n) ON DELETE CASCADE,
  file        INTEGER REFERENCES calendar_file(n) ON DELETE CASCADE,
  space       TEXT NOT NULL,                -- namespace of its name
  local       TEXT NOT NULL,                -- local part of its name
  element     TEXT NOT NULL,                -- as self-contained XML
  CHECK ((member_id IS NOT NULL) + (calendar_id IS NOT NULL) + (object IS NOT NULL) + (file IS NOT NULL) = 1)
) STRICT;

CREATE UNIQUE INDEX calendar_property_home ON calendar_property (member_id, space, local) WHERE member_id IS NOT NULL;
CREATE UNIQUE INDEX calendar_property_calendar ON calendar_property (calendar_id, space, local) WHERE calendar_id IS NOT NULL;
CREATE UNIQUE INDEX calendar_property_object ON calendar_property (object, space, local) WHERE object IS NOT NULL;
CREATE UNIQUE INDEX calendar_property_file ON calendar_property (file, space, local) WHERE file IS NOT NULL;

-- Preferences of a member for calendar views; a member without a row has the defaults.

CREATE TABLE calendar_preferences (
  member_id    INTEGER PRIMARY KEY REFERENCES identity_member(id),
  day_start    TEXT NOT NULL,               -- 07:00
  day_end      TEXT NOT NULL,               -- 22:00, at most 24:00
  week_start   TEXT NOT NULL,               -- monday
  slot_minutes INTEGER NOT NULL
) STRICT;
