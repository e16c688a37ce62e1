-- Calendars and what they hold.

CREATE TABLE calendar_calendar (
  id          TEXT PRIMARY KEY,             -- cal_…
  owner_id    INTEGER REFERENCES identity_member(id), -- null: it is gone for good, and what it holds is being deleted
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  color       TEXT NOT NULL,                -- #rrggbb
  timezone    TEXT NOT NULL,                -- IANA name: how floating times are read
  components  TEXT NOT NULL,                -- what it may hold, with commas: VEVENT,VTODO
  is_default  INTEGER NOT NULL,             -- where entries go that name no calendar
  seq         INTEGER NOT NULL,             -- number of the last change to what it holds
  forgotten   INTEGER NOT NULL,             -- which deletions are not remembered: those up to this seq
  entries     INTEGER NOT NULL,             -- how many it holds,
  octets      INTEGER NOT NULL,             -- of so much text: see the triggers
  stamp       INTEGER NOT NULL,             -- number of the last change to it or to what it holds, among those of all homes
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL              -- of the calendar itself, not of what it holds
) STRICT;

CREATE INDEX calendar_calendar_owner ON calendar_calendar (owner_id);
CREATE UNIQUE INDEX calendar_one_default ON calendar_calendar (owner_id) WHERE is_default = 1;

-- Who may do what with a calendar, and how it looks among their own. Every
-- read path goes through here.
CREATE TABLE calendar_access (
  member_id   INTEGER NOT NULL REFERENCES identity_member(id),
  calendar_id TEXT NOT NULL REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  role        TEXT NOT NULL CHECK (role IN ('owner', 'write', 'read')),
  segment     TEXT NOT NULL,                -- last part of its path in the member's home
  position    INTEGER NOT NULL,             -- place in the member's list
  visible     INTEGER NOT NULL,
  PRIMARY KEY (member_id, calendar_id),
  UNIQUE (member_id, segment)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_access_calendar ON calendar_access (calendar_id);

-- An entry: everything with one UID. Its text is in calendar_data and is the
-- truth; what stands here beside names is an index over it.
CREATE TABLE calendar_object (
  n            INTEGER PRIMARY KEY,         -- ties its rows together, is shown to nobody
  id           TEXT NOT NULL UNIQUE,        -- tob_…
  calendar_id  TEXT NOT NULL REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  segment      TEXT NOT NULL,               -- last part of its path
  uid          TEXT NOT NULL,
  component    TEXT NOT NULL,               -- VEVENT, VTODO, …
  title        TEXT NOT NULL,               -- as lists show it
  etag         TEXT NOT NULL,               -- of the text, with its quotes
  size         INTEGER NOT NULL,            -- of the text, in bytes
  seq          INTEGER NOT NULL,            -- the calendar's seq at its last change
  floating     INTEGER NOT NULL,            -- 1: times below are wall clock times, read as if UTC
  begins       INTEGER NOT NULL,            -- of its first instance, to
  ends         INTEGER NOT NULL,            -- the end of its last one
  indexed_from INTEGER,                     -- calendar_occurrence is complete within this range,
  indexed_to   INTEGER,                     -- null: everywhere
  open         INTEGER NOT NULL,            -- 1: a task that is still to do
  completed_at INTEGER,
  color        TEXT,                        -- its own, if it is not the calendar's
  hidden       INTEGER NOT NULL,            -- 1: its member does not want to see it
  source_service     TEXT,                  -- whose mirror it is, if it is one
  source_object_type TEXT,
  source_object_id   TEXT,
  source_digest      TEXT,                  -- of what its source says there, to see what a push changes
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  UNIQUE (calendar_id, segment),
  UNIQUE (calendar_id, uid)
) STRICT;

CREATE INDEX calendar_object_seq ON calendar_object (calendar_id, seq);
CREATE INDEX calendar_object_partly ON calendar_object (calendar_id, ends) WHERE indexed_to IS NOT NULL;
CREATE INDEX calendar_object_freebusy ON calendar_object (calendar_id) WHERE component = 'VFREEBUSY';
CREATE INDEX calendar_object_hidden ON calendar_object (calendar_id) WHERE hidden = 1;
CREATE INDEX calendar_object_source ON calendar_object (source_object_id) WHERE source_object_id IS NOT NULL;
CREATE INDEX calendar_object_task ON calendar_object (calendar_id, open, completed_at) WHERE component = 'VTODO';

-- How much a calendar holds is counted here, once for all ways to change it.
CREATE TRIGGER calendar_object_added AFTER INSERT ON calendar_object BEGIN
  UPDATE calendar_calendar SET entries = entries + 1, octets = octets + NEW.size WHERE id = NEW.calendar_id;
END;

CREATE TRIGGER calendar_object_changed AFTER UPDATE OF calendar_id, size ON calendar_object
WHEN NEW.calendar_id <> OLD.calendar_id OR NEW.size <> OLD.size BEGIN
  UPDATE calendar_calendar SET entries = entries - 1, octets = octets - OLD.size WHERE id = OLD.calendar_id;
  UPDATE calendar_calendar SET entries = entries + 1, octets = octets + NEW.size WHERE id = NEW.calendar_id;
END;

CREATE TRIGGER calendar_object_removed AFTER DELETE ON calendar_object BEGIN
  UPDATE calendar_calendar SET entries = entries - 1, octets = octets - OLD.size WHERE id = OLD.calendar_id;
END;

CREATE TABLE calendar_data (
  n    INTEGER PRIMARY KEY REFERENCES calendar_object(n) ON DELETE CASCADE,
  data BLOB NOT NULL                        -- the octets as a client PUT them
) STRICT;

-- The last push about an event of another service, though it may have no
-- mirror now.
CREATE TABLE calendar_push (
  event_id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When instances of entries are, as half-open intervals of milliseconds that
-- overlap a range exactly if RFC 4791 §9.9 says so.
CREATE TABLE calendar_occurrence (
  calendar_id   TEXT NOT NULL,
  floating      INTEGER NOT NULL,
  span          INTEGER NOT NULL,           -- how long it is, roughly: see calendar/occurrence.go
  starts        INTEGER NOT NULL,
  ends          INTEGER NOT NULL,
  n             INTEGER NOT NULL REFERENCES calendar_object(n) ON DELETE CASCADE,
  recurrence_id TEXT NOT NULL,              -- '' for an entry that does not recur
  busy          INTEGER NOT NULL,           -- 1: it makes its member busy, 2: perhaps
  PRIMARY KEY (calendar_id, floating, span, starts, n, recurrence_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_occurrence_object ON calendar_occurrence (n, ends);

-- Where what a member deletes is, and how much text it is, together. One that
-- is emptied loses its member, so that it takes no time however much is in it.
CREATE TABLE calendar_bin (
  n         INTEGER PRIMARY KEY,
  member_id INTEGER UNIQUE REFERENCES identity_member(id), -- null: what is in it is being deleted
  entries   INTEGER NOT NULL,
  octets    INTEGER NOT NULL
) STRICT;

-- What members deleted, until it is too late to have it back. A calendar is
-- here by its id; it is still in its table, but nobody has access to it.
CREATE TABLE calendar_trash (
  n           INTEGER PRIMARY KEY,          -- is shown to nobody
  id          TEXT NOT NULL UNIQUE,         -- as it was: tob_…, cal_…
  bin         INTEGER NOT NULL REFERENCES calendar_bin(n),
  calendar_id TEXT NOT NULL,                -- where an entry was, or a calendar's own id
  segment     TEXT NOT NULL,
  component   TEXT NOT NULL,                -- '' for a calendar
  title       TEXT NOT NULL,                -- of an entry, as lists show it
  deleted_at  INTEGER NOT NULL,
  properties  TEXT NOT NULL,                -- those that clients keep of an entry, as a JSON array of objects
  data        BLOB NOT NULL                 -- the octets of an entry
) STRICT;

CREATE INDEX calendar_trash_bin ON calendar_trash (bin, deleted_at, id);
CREATE INDEX calendar_trash_calendar ON calendar_trash (bin) WHERE component = '';
CREATE INDEX calendar_trash_age ON calendar_trash (deleted_at);

CREATE TRIGGER calendar_trash_added AFTER INSERT ON calendar_trash WHEN NEW.component <> '' BEGIN
  UPDATE calendar_bin SET entries = entries + 1, octets = octets + length(NEW.data) WHERE n = NEW.bin;
END;

CREATE TRIGGER calendar_trash_removed AFTER DELETE ON calendar_trash WHEN OLD.component <> '' BEGIN
  UPDATE calendar_bin SET entries = entries - 1, octets = octets - length(OLD.data) WHERE n = OLD.bin;
END;

-- Links at which a calendar can be read without signing in, by their hash.
CREATE TABLE calendar_feed (
  calendar_id TEXT NOT NULL,
  member_id   INTEGER NOT NULL,
  hash        BLOB NOT NULL UNIQUE,         -- SHA-256 of the secret in the link
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (member_id, calendar_id),
  FOREIGN KEY (member_id, calendar_id) REFERENCES calendar_access (member_id, calendar_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What was deleted, for clients that ask what changed.
CREATE TABLE calendar_tombstone (
  calendar_id TEXT NOT NULL REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  segment     TEXT NOT NULL,
  seq         INTEGER NOT NULL,
  buried_at   INTEGER NOT NULL,
  PRIMARY KEY (calendar_id, segment)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_tombstone_seq ON calendar_tombstone (calendar_id, seq);

-- Counts the changes to what is in homes.
CREATE TABLE calendar_stamp (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL
) STRICT;

INSERT INTO calendar_stamp VALUES (1, 0);

-- What went from a member's home, for clients that ask what changed.
CREATE TABLE calendar_home_tombstone (
  member_id INTEGER NOT NULL REFERENCES identity_member(id),
  segment   TEXT NOT NULL,
  stamp     INTEGER NOT NULL,
  PRIMARY KEY (member_id, segment)
) STRICT, WITHOUT ROWID;

-- Files and plain collections, which clients put beside calendars.
CREATE TABLE calendar_file (
  n          INTEGER PRIMARY KEY,           -- ties its rows together, is shown to nobody
  member_id  INTEGER NOT NULL REFERENCES identity_member(id),
  path       TEXT NOT NULL,                 -- below the member's home
  around     TEXT NOT NULL,                 -- path of the collection it is in, '' is the home
  collection INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  etag       TEXT NOT NULL,                 -- with its quotes, '' of a collection
  size       INTEGER NOT NULL,
  stamp      INTEGER NOT NULL,              -- as in calendar_calendar, kept right in the home only
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (member_id, path)
) STRICT;

CREATE INDEX calendar_file_around ON calendar_file (member_id, around);

CREATE TABLE calendar_file_data (
  n    INTEGER PRIMARY KEY REFERENCES calendar_file(n) ON DELETE CASCADE,
  data BLOB NOT NULL
) STRICT;

-- Properties that clients keep and nobody else understands: of a home, a
-- calendar, an entry or a file.
CREATE TABLE calendar_property (
  member_id   INTEGER REFERENCES identity_member(id),
  calendar_id TEXT REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  object      INTEGER REFERENCES calendar_object(n) ON DELETE CASCADE,
  file        INTEGER REFERENCES calendar_file(n) ON DELETE CASCADE,
  space       TEXT NOT NULL,                -- the namespace of its name
  local       TEXT NOT NULL,
  element     TEXT NOT NULL,                -- all of it, as XML that stands by itself
  CHECK ((member_id IS NOT NULL) + (calendar_id IS NOT NULL) + (object IS NOT NULL) + (file IS NOT NULL) = 1)
) STRICT;

CREATE UNIQUE INDEX calendar_property_home ON calendar_property (member_id, space, local) WHERE member_id IS NOT NULL;
CREATE UNIQUE INDEX calendar_property_calendar ON calendar_property (calendar_id, space, local) WHERE calendar_id IS NOT NULL;
CREATE UNIQUE INDEX calendar_property_object ON calendar_property (object, space, local) WHERE object IS NOT NULL;
CREATE UNIQUE INDEX calendar_property_file ON calendar_property (file, space, local) WHERE file IS NOT NULL;
