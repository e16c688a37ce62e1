-- The schema after all migrations. Written by go test ./store -run SchemaFile -update

CREATE TABLE store_meta (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  instance_key BLOB NOT NULL,   -- secret key of this server, 32 random bytes
  epoch        TEXT NOT NULL,   -- renewed by restore; invalidates sync tokens and ETags
  seq          INTEGER NOT NULL -- sequence number of the last commit that changed visible data
) STRICT;

CREATE TABLE store_migration (
  version    INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,     -- SHA-256 of the migration file
  applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE store_backup (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  note TEXT NOT NULL -- JSON
) STRICT;

CREATE TABLE identity_member (
  id            INTEGER PRIMARY KEY, -- never reused: the row of a deleted member stays
  email         TEXT NOT NULL,       -- as entered; '' if deleted
  email_key     TEXT UNIQUE,         -- folded; NULL if deleted
  username      TEXT UNIQUE,         -- folded; NULL if deleted
  display_name  TEXT NOT NULL,
  name_key      TEXT NOT NULL,       -- display_name folded
  status        TEXT NOT NULL CHECK (status IN ('active', 'disabled', 'deleted')),
  timezone      TEXT,                -- IANA name; NULL until a browser of the member reports one, for that of the server
  locale        TEXT NOT NULL,       -- BCP 47 tag
  formats       TEXT,                -- BCP 47 tag of the formats of dates and numbers; NULL for those of the locale and the browser
  color         TEXT,                -- an svc.Color; NULL for the default of the id
  is_operator   INTEGER NOT NULL DEFAULT 0, -- 0 or 1; without effect unless active
  password_hash TEXT NOT NULL,       -- Argon2id, PHC string format; '' if deleted
  generation    INTEGER NOT NULL,    -- incremented whenever earlier authentications become invalid
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  last_seen_at  INTEGER,             -- accurate to a day
  CHECK ((status = 'deleted') = (email_key IS NULL)),
  CHECK ((status = 'deleted') = (username IS NULL))
) STRICT;

CREATE INDEX identity_member_name ON identity_member (name_key);

CREATE TABLE identity_declined_zone (
  member_id INTEGER NOT NULL REFERENCES identity_member (id),
  timezone  TEXT NOT NULL, -- IANA name
  PRIMARY KEY (member_id, timezone)
) STRICT, WITHOUT ROWID;

CREATE INDEX identity_member_operator ON identity_member (id) WHERE is_operator = 1;

CREATE TABLE identity_device (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the 20 characters without separators
  label        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,              -- accurate to a day
  by_command   INTEGER NOT NULL      -- whether a command created it, and removes it: its use is not that of the member
) STRICT;

CREATE INDEX identity_device_member ON identity_device (member_id);

CREATE TABLE identity_deletion (
  member_id  INTEGER PRIMARY KEY REFERENCES identity_member (id),
  deleted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE identity_link (
  id         TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL CHECK (purpose IN ('invitation', 'reset', 'device')),
  hash       BLOB NOT NULL UNIQUE,   -- SHA-256 of the code
  email      TEXT NOT NULL,          -- invitation: the only address that may register, folded; '' for any
  member_id  INTEGER REFERENCES identity_member (id), -- reset, device: the member; invitation: the member who registered with it
  label      TEXT NOT NULL,          -- device: the name of the device; otherwise ''
  created_by TEXT NOT NULL,          -- actor, as in identity_audit
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT;

CREATE INDEX identity_link_member ON identity_link (member_id);

CREATE TABLE identity_audit (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  actor     TEXT NOT NULL,           -- member id, 'cli:<user>', 'setup' or 'settings'
  action    TEXT NOT NULL,
  member_id INTEGER REFERENCES identity_member (id),
  detail    TEXT NOT NULL
) STRICT;

CREATE INDEX identity_audit_member ON identity_audit (member_id);

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

CREATE TABLE calendar_deletion (
  calendar_id TEXT PRIMARY KEY REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  target_id   TEXT NOT NULL,                -- '': only mirrors move, to the default calendar of the owner
  moved       INTEGER NOT NULL              -- number of objects that have moved
) STRICT, WITHOUT ROWID;

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

CREATE TABLE calendar_event_sync (
  event_id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE calendar_zone_data (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  version  TEXT NOT NULL,
  rebuilt  INTEGER                          -- objects up to this key are rebuilt, null: all
) STRICT;

CREATE TABLE calendar_trash (
  n         INTEGER PRIMARY KEY,
  member_id INTEGER UNIQUE REFERENCES identity_member(id), -- null: emptied
  objects   INTEGER NOT NULL,               -- number of objects in it, kept by triggers
  octets    INTEGER NOT NULL                -- size of their text, kept by triggers
) STRICT;

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

CREATE TABLE calendar_feed (
  calendar_id TEXT NOT NULL,
  member_id   INTEGER NOT NULL,
  hash        BLOB NOT NULL UNIQUE,         -- SHA-256 of the secret in the link
  shows       TEXT NOT NULL CHECK (shows IN ('details', 'busy')),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (member_id, calendar_id),
  FOREIGN KEY (member_id, calendar_id) REFERENCES calendar_access (member_id, calendar_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE calendar_tombstone (
  calendar_id TEXT NOT NULL REFERENCES calendar_calendar(id) ON DELETE CASCADE,
  segment     TEXT NOT NULL,
  seq         INTEGER NOT NULL,             -- seq of the calendar at the deletion
  deleted_at  INTEGER NOT NULL,
  PRIMARY KEY (calendar_id, segment)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_tombstone_seq ON calendar_tombstone (calendar_id, seq);

CREATE TABLE calendar_home_seq (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL
) STRICT;

CREATE TABLE calendar_home_tombstone (
  member_id INTEGER NOT NULL REFERENCES identity_member(id),
  segment   TEXT NOT NULL,
  home_seq  INTEGER NOT NULL,
  PRIMARY KEY (member_id, segment)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE calendar_preferences (
  member_id    INTEGER PRIMARY KEY REFERENCES identity_member(id),
  day_start    TEXT NOT NULL,               -- 07:00
  day_end      TEXT NOT NULL,               -- 22:00, at most 24:00
  week_start   TEXT NOT NULL,               -- monday
  slot_minutes INTEGER NOT NULL
) STRICT;

CREATE TABLE messages_thread (
  id            TEXT PRIMARY KEY,       -- thr_…
  low_id        INTEGER NOT NULL REFERENCES identity_member(id), -- the smaller of the two member ids
  high_id       INTEGER NOT NULL REFERENCES identity_member(id), -- the larger
  message_count INTEGER NOT NULL,       -- also the seq of the latest message
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,       -- time of the latest message
  UNIQUE (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_thread_high ON messages_thread (high_id);

CREATE TABLE messages_participant (
  member_id    INTEGER NOT NULL REFERENCES identity_member(id),
  thread_id    TEXT NOT NULL REFERENCES messages_thread(id),
  partner_id   INTEGER NOT NULL,       -- the other member
  position     INTEGER NOT NULL,       -- in the member's inbox, the highest is the latest
  read_seq     INTEGER NOT NULL,       -- read cursor: seq of the last message read
  unread_count INTEGER NOT NULL,       -- messages of the partner after read_seq
  marked_unread INTEGER NOT NULL,      -- 1 if the member has marked the thread as unread
  PRIMARY KEY (member_id, thread_id),
  UNIQUE (member_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_participant_thread ON messages_participant (thread_id);

CREATE INDEX messages_participant_unread ON messages_participant (member_id, unread_count) WHERE unread_count > 0;

CREATE TABLE messages_message (
  row_id     INTEGER PRIMARY KEY,    -- rowid in messages_search. Never published: it counts the messages of all members
  id         TEXT NOT NULL UNIQUE,   -- msg_…
  thread_id  TEXT NOT NULL REFERENCES messages_thread(id),
  seq        INTEGER NOT NULL,       -- position in the thread, from 1
  sender_id  INTEGER NOT NULL,       -- one of the two members
  body       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (thread_id, seq)
) STRICT;

CREATE VIRTUAL TABLE messages_search USING fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TRIGGER messages_message_removed AFTER DELETE ON messages_message BEGIN
  DELETE FROM messages_search WHERE rowid = OLD.row_id;
END;

CREATE TABLE social_community (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL,
  summary      TEXT NOT NULL,
  visibility   TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
  join_policy  TEXT NOT NULL CHECK (join_policy IN ('open', 'request', 'invite')),
  color        TEXT,             -- as in identity_member
  member_count INTEGER NOT NULL, -- active members
  created_by   INTEGER NOT NULL REFERENCES identity_member (id),
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  deleted_at   INTEGER           -- a deleted community has no active members
) STRICT;

CREATE INDEX social_community_public ON social_community (created_at, id) WHERE visibility = 'public' AND deleted_at IS NULL;

CREATE INDEX social_community_deleted ON social_community (id) WHERE deleted_at IS NOT NULL;

CREATE INDEX social_community_creator ON social_community (created_by);

CREATE TABLE social_membership (
  community_id TEXT NOT NULL REFERENCES social_community (id),
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  state        TEXT NOT NULL CHECK (state IN ('requested', 'active', 'left', 'removed')), -- only active grants access
  role         TEXT NOT NULL CHECK (role IN ('owner', 'moderator', 'member')),
  joined_at    INTEGER,          -- when the membership last became active
  updated_at   INTEGER NOT NULL,
  PRIMARY KEY (community_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_membership_member ON social_membership (member_id, state, community_id);

CREATE INDEX social_membership_role ON social_membership (community_id, state, role);

CREATE TABLE social_block (
  blocker_id INTEGER NOT NULL REFERENCES identity_member (id),
  blocked_id INTEGER NOT NULL REFERENCES identity_member (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_block_blocked ON social_block (blocked_id);

CREATE TABLE social_graph (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  revision  INTEGER NOT NULL, -- of the circles: private memberships and blocks
  audiences INTEGER NOT NULL  -- of the lists of audiences: see the triggers
) STRICT;

CREATE TABLE social_audience (
  id           INTEGER PRIMARY KEY,
  kind         TEXT NOT NULL CHECK (kind IN ('everyone', 'community', 'circle', 'guests')),
  community_id TEXT REFERENCES social_community (id),   -- kind community: its active members
  member_id    INTEGER REFERENCES identity_member (id), -- kind circle: the member and their
  depth        INTEGER CHECK (depth BETWEEN 0 AND 3),   --   circles up to this depth
  CHECK ((kind = 'community') = (community_id IS NOT NULL)),
  CHECK ((kind = 'circle') = (member_id IS NOT NULL AND depth IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX social_audience_community ON social_audience (community_id);

CREATE UNIQUE INDEX social_audience_circle ON social_audience (member_id, depth);

CREATE TABLE social_guest (
  audience_id INTEGER NOT NULL REFERENCES social_audience (id) ON DELETE CASCADE,
  member_id   INTEGER NOT NULL REFERENCES identity_member (id),
  PRIMARY KEY (audience_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_guest_member ON social_guest (member_id);

CREATE TRIGGER social_audience_added AFTER INSERT ON social_audience BEGIN
  UPDATE social_graph SET audiences = random();
END;

CREATE TRIGGER social_guest_added AFTER INSERT ON social_guest BEGIN
  UPDATE social_graph SET audiences = random();
END;

CREATE TRIGGER social_guest_removed AFTER DELETE ON social_guest BEGIN
  UPDATE social_graph SET audiences = random();
END;

CREATE TRIGGER social_membership_added AFTER INSERT ON social_membership BEGIN
  UPDATE social_graph SET audiences = random();
END;

CREATE TRIGGER social_membership_changed AFTER UPDATE OF state ON social_membership BEGIN
  UPDATE social_graph SET audiences = random();
END;

CREATE TRIGGER social_graph_changed AFTER UPDATE OF revision ON social_graph BEGIN
  UPDATE social_graph SET audiences = random();
END;

CREATE TABLE social_conversation (
  id            TEXT PRIMARY KEY,
  title         TEXT NOT NULL,    -- unused for the conversation of an event
  body          TEXT NOT NULL,
  context       TEXT NOT NULL CHECK (context IN ('community', 'event', 'circle', 'open')),
  community_id  TEXT REFERENCES social_community (id),
  depth         INTEGER,          -- context circle: depth of the author's circles
  audience_id   INTEGER NOT NULL REFERENCES social_audience (id),
  author_id     INTEGER NOT NULL REFERENCES identity_member (id),
  state         TEXT NOT NULL CHECK (state IN ('open', 'closed')),
  revision      INTEGER NOT NULL, -- counts changes of title, body and state
  seq           INTEGER NOT NULL, -- of the last reply, 0 for none
  participants  INTEGER NOT NULL, -- the author and all members who replied
  active_at     INTEGER NOT NULL, -- of the last reply, else created_at
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX social_conversation_audience ON social_conversation (audience_id);

CREATE INDEX social_conversation_latest ON social_conversation (audience_id, active_at, created_at, author_id, id, context) WHERE context <> 'event';

CREATE INDEX social_conversation_community ON social_conversation (community_id, active_at);

CREATE INDEX social_conversation_author ON social_conversation (author_id);

CREATE TABLE social_reply (
  id              TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES social_conversation (id) ON DELETE CASCADE,
  seq             INTEGER NOT NULL,
  author_id       INTEGER NOT NULL REFERENCES identity_member (id),
  body            TEXT NOT NULL,
  in_reply_to     TEXT,
  created_at      INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX social_reply_seq ON social_reply (conversation_id, seq, author_id, created_at);

CREATE INDEX social_reply_author ON social_reply (author_id, conversation_id, seq);

CREATE TABLE social_read_cursor (
  conversation_id TEXT NOT NULL REFERENCES social_conversation (id) ON DELETE CASCADE,
  member_id       INTEGER NOT NULL REFERENCES identity_member (id),
  seq             INTEGER NOT NULL,
  marked_unread   INTEGER NOT NULL, -- 1 if the member has marked the conversation as unread
  PRIMARY KEY (conversation_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_read_cursor_member ON social_read_cursor (member_id);

CREATE TABLE social_event (
  id              TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL UNIQUE REFERENCES social_conversation (id),
  title           TEXT NOT NULL,
  description     TEXT NOT NULL,
  start_local     INTEGER NOT NULL, -- local time in timezone, encoded as if it were UTC
  end_local       INTEGER NOT NULL,
  timezone        TEXT NOT NULL,    -- IANA name
  all_day         INTEGER NOT NULL,
  rrule           TEXT,
  starts_at       INTEGER NOT NULL, -- of the first occurrence
  ends_at         INTEGER NOT NULL, -- of the last occurrence, 1e15 for an endless series
  location        TEXT NOT NULL,
  latitude        REAL,
  longitude       REAL,
  visibility      TEXT NOT NULL CHECK (visibility IN ('public', 'community', 'circle', 'invited')),
  community_id    TEXT REFERENCES social_community (id),
  depth           INTEGER,
  audience_id     INTEGER NOT NULL REFERENCES social_audience (id), -- same as that of the conversation
  host_id         INTEGER NOT NULL REFERENCES identity_member (id),
  capacity        INTEGER,
  revision        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  cancelled_at    INTEGER
) STRICT;

CREATE INDEX social_event_audience ON social_event (audience_id, ends_at, id);

CREATE INDEX social_event_community ON social_event (community_id, ends_at, id);

CREATE INDEX social_event_host ON social_event (host_id, ends_at, id);

CREATE INDEX social_event_circle ON social_event (ends_at, id) WHERE visibility = 'circle';

CREATE TABLE social_follow_up (
  guest_id      INTEGER NOT NULL, -- the events that this member attends
  host_id       INTEGER NOT NULL, -- the events of this host
  community_id  TEXT NOT NULL,    -- the events of this community
  only_event_id TEXT NOT NULL,    -- this event
  revoked_at    INTEGER NOT NULL, -- if not 0: RSVPs of the guest to events that were not over then are revoked,
  revoked_seq   INTEGER NOT NULL, -- up to those of this commit
  cancelled     INTEGER NOT NULL, -- 1 if the events that are not over are cancelled
  changed_at    INTEGER NOT NULL,
  ends_at       INTEGER NOT NULL,
  event_id      TEXT NOT NULL,
  failed        INTEGER NOT NULL, -- 1 if the last visit failed
  PRIMARY KEY (guest_id, host_id, community_id, only_event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_follow_up_time ON social_follow_up (failed, changed_at, guest_id, host_id, community_id, only_event_id);

CREATE TABLE social_rsvp (
  event_id     TEXT NOT NULL REFERENCES social_event (id) ON DELETE CASCADE,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  response     TEXT NOT NULL CHECK (response IN ('going', 'maybe', 'declined', 'none')),
  note         TEXT NOT NULL,
  responded_at INTEGER NOT NULL,
  seq          INTEGER NOT NULL, -- of the commit
  PRIMARY KEY (event_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_rsvp_member ON social_rsvp (member_id);

CREATE VIEW social_response (event_id, member_id, response, note, responded_at) AS
SELECT r.event_id, r.member_id, r.response, r.note, r.responded_at
  FROM social_rsvp AS r
 WHERE NOT EXISTS (SELECT 1 FROM social_follow_up AS f CROSS JOIN social_event AS e ON e.id = r.event_id
                    WHERE f.guest_id = r.member_id AND f.revoked_seq >= r.seq AND e.ends_at > f.revoked_at
                      AND (f.host_id = e.host_id AND e.visibility <> 'community' OR f.host_id = 0 AND f.community_id = e.community_id
                           OR f.host_id = 0 AND f.community_id = '' AND e.host_id <> r.member_id));

CREATE TABLE social_invitation (
  id           TEXT PRIMARY KEY,
  community_id TEXT REFERENCES social_community (id), -- either this or event_id
  event_id     TEXT REFERENCES social_event (id) ON DELETE CASCADE,
  invitee_id   INTEGER NOT NULL REFERENCES identity_member (id),
  inviter_id   INTEGER NOT NULL REFERENCES identity_member (id),
  state        TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'declined', 'revoked')), -- pending means expired after expires_at
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  answered_at  INTEGER,
  CHECK ((community_id IS NULL) <> (event_id IS NULL))
) STRICT;

CREATE INDEX social_invitation_invitee ON social_invitation (invitee_id, created_at);

CREATE INDEX social_invitation_inviter ON social_invitation (inviter_id);

CREATE INDEX social_invitation_community ON social_invitation (community_id, invitee_id) WHERE community_id IS NOT NULL;

CREATE INDEX social_invitation_event ON social_invitation (event_id, invitee_id) WHERE event_id IS NOT NULL;

CREATE TABLE social_profile (
  member_id   INTEGER PRIMARY KEY REFERENCES identity_member (id),
  bio         TEXT NOT NULL,
  pronouns    TEXT NOT NULL,
  links       TEXT NOT NULL, -- JSON
  visibility  TEXT NOT NULL CHECK (visibility IN ('circle', 'members', 'public')),
  show_last_seen INTEGER NOT NULL, -- 1 if the member shows when they were last present
  audience_id INTEGER NOT NULL REFERENCES social_audience (id),
  updated_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX social_profile_audience ON social_profile (audience_id);

CREATE TABLE social_presence (
  member_id   INTEGER PRIMARY KEY REFERENCES identity_member (id),
  state       TEXT NOT NULL CHECK (state IN ('online', 'away', 'busy', 'offline')),
  note        TEXT NOT NULL,
  visible_to  TEXT NOT NULL CHECK (visible_to IN ('inner', 'trusted', 'extended', 'members', 'nobody')),
  audience_id INTEGER NOT NULL REFERENCES social_audience (id),
  updated_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX social_presence_audience ON social_presence (audience_id, expires_at);

CREATE TABLE social_activity (
  id          TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  actor_id    INTEGER NOT NULL REFERENCES identity_member (id),
  target_type TEXT NOT NULL CHECK (target_type IN ('community', 'conversation', 'event')),
  target_id   TEXT NOT NULL,
  audience_id INTEGER NOT NULL REFERENCES social_audience (id), -- same as that of the target
  author_id   INTEGER REFERENCES identity_member (id),          -- a block with this member hides the target, NULL for none
  created_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX social_activity_audience ON social_activity (audience_id, created_at, id);

CREATE INDEX social_activity_target ON social_activity (target_id);

CREATE INDEX social_activity_actor ON social_activity (actor_id);

CREATE INDEX social_activity_author ON social_activity (author_id);

CREATE INDEX social_activity_age ON social_activity (created_at);

CREATE TABLE social_notification (
  id          TEXT PRIMARY KEY,
  member_id   INTEGER NOT NULL REFERENCES identity_member (id),
  kind        TEXT NOT NULL CHECK (kind IN ('invitation', 'join_request', 'reply', 'mention', 'rsvp', 'event_changed', 'dm')),
  actor_id    INTEGER NOT NULL REFERENCES identity_member (id),
  target_type TEXT NOT NULL CHECK (target_type IN ('invitation', 'community', 'conversation', 'event', 'dm')),
  target_id   TEXT NOT NULL,
  audience_id INTEGER REFERENCES social_audience (id),          -- same as that of the target, NULL if the target belongs to the member
  author_id   INTEGER REFERENCES identity_member (id),          -- a block with this member hides the target, NULL for none
  created_at  INTEGER NOT NULL,
  read_at     INTEGER
) STRICT;

CREATE TABLE social_notifications_read (
  member_id INTEGER PRIMARY KEY REFERENCES identity_member (id),
  last_row  INTEGER NOT NULL, -- rowid in social_notification
  read_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX social_notification_member ON social_notification (member_id, created_at, id);

CREATE INDEX social_notification_unread ON social_notification (member_id, audience_id, actor_id, author_id, read_at) WHERE read_at IS NULL;

CREATE INDEX social_notification_audience ON social_notification (audience_id);

CREATE INDEX social_notification_target ON social_notification (target_id);

CREATE INDEX social_notification_actor ON social_notification (actor_id);

CREATE INDEX social_notification_author ON social_notification (author_id);

CREATE INDEX social_notification_age ON social_notification (created_at);

CREATE TRIGGER social_invitation_settled AFTER UPDATE OF state ON social_invitation WHEN NEW.state <> 'pending' BEGIN
  UPDATE social_notification SET read_at = NEW.answered_at
   WHERE target_id = NEW.id AND target_type = 'invitation' AND read_at IS NULL;
END;

CREATE TABLE social_dm_thread (
  id            TEXT PRIMARY KEY,
  low_id        INTEGER NOT NULL REFERENCES identity_member (id),
  high_id       INTEGER NOT NULL REFERENCES identity_member (id),
  message_count INTEGER NOT NULL, -- also the sequence number of the last message
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL, -- of the last message
  UNIQUE (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT;

CREATE INDEX social_dm_thread_high ON social_dm_thread (high_id);

CREATE TABLE social_dm_participant (
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  thread_id    TEXT NOT NULL REFERENCES social_dm_thread (id) ON DELETE CASCADE,
  partner_id   INTEGER NOT NULL REFERENCES identity_member (id),
  position     INTEGER NOT NULL, -- in the member's list, highest for the latest DM
  read_seq     INTEGER NOT NULL, -- the read cursor, which never moves back
  unread_count INTEGER NOT NULL, -- messages of the partner after it
  marked_unread INTEGER NOT NULL, -- 1 if the member has marked the DM as unread
  PRIMARY KEY (member_id, thread_id),
  UNIQUE (member_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_dm_participant_thread ON social_dm_participant (thread_id);

CREATE INDEX social_dm_participant_partner ON social_dm_participant (partner_id);

CREATE INDEX social_dm_participant_unread ON social_dm_participant (member_id, unread_count) WHERE unread_count > 0;

CREATE TABLE social_dm_message (
  id         TEXT PRIMARY KEY,
  thread_id  TEXT NOT NULL REFERENCES social_dm_thread (id) ON DELETE CASCADE,
  seq        INTEGER NOT NULL, -- 1 for the first message of a DM
  sender_id  INTEGER NOT NULL REFERENCES identity_member (id),
  body       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (thread_id, seq)
) STRICT;

CREATE INDEX social_dm_message_sender ON social_dm_message (sender_id);

CREATE TABLE surface_workspace (
  member_id       INTEGER PRIMARY KEY REFERENCES identity_member (id),
  revision        INTEGER NOT NULL, -- number of changes
  last_numeric_id INTEGER NOT NULL, -- the highest numeric_id ever assigned
  updated_at      INTEGER           -- time of the latest change
) STRICT;

CREATE TABLE surface_surface (
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  surface_id   TEXT NOT NULL,
  numeric_id   INTEGER NOT NULL,
  surface_type TEXT NOT NULL,
  title        TEXT NOT NULL,
  content      TEXT NOT NULL, -- JSON: surface.Content
  mode         TEXT NOT NULL CHECK (mode IN ('stacked', 'docked', 'detached', 'shared', 'field_anchored')),
  metadata     TEXT NOT NULL, -- JSON: metadata of the placement
  unstacked_at INTEGER,       -- when the surface left the workspace, NULL before
  PRIMARY KEY (member_id, surface_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX surface_surface_workspace ON surface_surface (member_id, numeric_id) WHERE unstacked_at IS NULL;

CREATE INDEX surface_surface_unstacked ON surface_surface (unstacked_at) WHERE unstacked_at IS NOT NULL;

CREATE INDEX surface_surface_member_unstacked ON surface_surface (member_id, unstacked_at) WHERE unstacked_at IS NOT NULL;

CREATE TABLE surface_stack (
  member_id          INTEGER NOT NULL REFERENCES identity_member (id),
  stack_key          TEXT NOT NULL,
  focused_surface_id TEXT,          -- a surface of the stack
  surface_order      TEXT NOT NULL, -- JSON: array of surface ids
  PRIMARY KEY (member_id, stack_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE surface_session (
  id             TEXT PRIMARY KEY,
  member_id      INTEGER NOT NULL,
  surface_id     TEXT NOT NULL,
  state          TEXT NOT NULL CHECK (state IN ('active', 'suspended', 'closed')),
  opened_at      INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  closed_at      INTEGER,
  FOREIGN KEY (member_id, surface_id) REFERENCES surface_surface (member_id, surface_id) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX surface_session_open ON surface_session (member_id, surface_id) WHERE state <> 'closed';

CREATE INDEX surface_session_surface ON surface_session (member_id, surface_id, opened_at);

CREATE INDEX surface_session_closed ON surface_session (closed_at) WHERE closed_at IS NOT NULL;

CREATE TABLE world_idempotency (
  member_id  INTEGER NOT NULL REFERENCES identity_member(id),
  route      TEXT NOT NULL,                 -- method and path
  key        TEXT NOT NULL,
  body_hash  BLOB NOT NULL,                 -- SHA-256 of the request body
  status     INTEGER NOT NULL,              -- HTTP status
  response   BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (member_id, route, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX world_idempotency_age ON world_idempotency (created_at);

CREATE INDEX world_idempotency_member ON world_idempotency (member_id, created_at);

CREATE TABLE identity_token (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  label        TEXT NOT NULL,
  method       TEXT NOT NULL,        -- how the member signed in, such as 'password'; '' if unknown
  address      TEXT NOT NULL,        -- IP address of the client at the last recorded use; '' if unknown
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,     -- accurate to an hour
  expires_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX identity_token_member ON identity_token (member_id, last_used_at);

CREATE TABLE identity_factor (
  member_id  INTEGER PRIMARY KEY REFERENCES identity_member (id),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE identity_totp (
  member_id    INTEGER PRIMARY KEY REFERENCES identity_member (id),
  secret       BLOB NOT NULL,    -- sealed with the key file of the data directory
  last_step    INTEGER NOT NULL, -- time step of the last accepted code, 0 for none
  created_at   INTEGER NOT NULL,
  confirmed_at INTEGER           -- NULL until the member has entered a code
) STRICT;

CREATE TABLE identity_recovery_code (
  member_id INTEGER NOT NULL REFERENCES identity_member (id),
  hash      BLOB NOT NULL, -- SHA-256 of the 20 characters without separators
  PRIMARY KEY (member_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE identity_passkey (
  id            TEXT PRIMARY KEY,
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  credential_id BLOB NOT NULL UNIQUE,
  credential    TEXT NOT NULL, -- JSON: public key, flags and signature counter
  label         TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  last_used_at  INTEGER
) STRICT;

CREATE INDEX identity_passkey_member ON identity_passkey (member_id);

CREATE TABLE identity_challenge (
  hash       BLOB PRIMARY KEY, -- SHA-256 of the challenge
  member_id  INTEGER NOT NULL REFERENCES identity_member (id),
  purpose    TEXT NOT NULL CHECK (purpose IN ('sign-in', 'registration')),
  generation INTEGER NOT NULL, -- of the member; the challenge is invalid after a change
  method     TEXT NOT NULL,    -- how the first factor was proved
  ceremony   TEXT NOT NULL,    -- JSON: state of the WebAuthn ceremony; '' without passkeys
  failures   INTEGER NOT NULL, -- wrong answers so far
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX identity_challenge_member ON identity_challenge (member_id, expires_at);

CREATE TABLE identity_network (
  member_id INTEGER NOT NULL REFERENCES identity_member (id),
  network   TEXT NOT NULL,    -- IPv4 /24 or IPv6 /64
  used_at   INTEGER NOT NULL, -- last sign-in or recorded use of a session
  PRIMARY KEY (member_id, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE identity_operator_email (
  email_key TEXT PRIMARY KEY -- folded
) STRICT, WITHOUT ROWID;

CREATE TABLE identity_operator_setting (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  source TEXT NOT NULL, -- 'variable NAME' or 'flag NAME' sets the operators; '' for the settings file
  digest TEXT NOT NULL  -- keyed digest of the addresses
) STRICT;

CREATE TABLE storage_usage (
  member_id INTEGER PRIMARY KEY REFERENCES identity_member (id),
  octets    INTEGER NOT NULL -- kept by triggers; equal to the sum in storage_counted
) STRICT;

CREATE TRIGGER storage_member_added AFTER INSERT ON identity_member BEGIN
  INSERT INTO storage_usage (member_id, octets) VALUES (NEW.id, 0);
END;

CREATE TRIGGER storage_calendar_changed AFTER UPDATE OF owner_id, octets ON calendar_calendar BEGIN
  UPDATE storage_usage SET octets = octets - OLD.octets WHERE member_id = OLD.owner_id;
  UPDATE storage_usage SET octets = octets + NEW.octets WHERE member_id = NEW.owner_id;
END;

CREATE TRIGGER storage_calendar_removed AFTER DELETE ON calendar_calendar BEGIN
  UPDATE storage_usage SET octets = octets - OLD.octets WHERE member_id = OLD.owner_id;
END;

CREATE TRIGGER storage_trash_changed AFTER UPDATE OF member_id, octets ON calendar_trash BEGIN
  UPDATE storage_usage SET octets = octets - OLD.octets WHERE member_id = OLD.member_id;
  UPDATE storage_usage SET octets = octets + NEW.octets WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_trash_removed AFTER DELETE ON calendar_trash BEGIN
  UPDATE storage_usage SET octets = octets - OLD.octets WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_message_added AFTER INSERT ON messages_message BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.body) + 256 WHERE member_id = NEW.sender_id;
END;

CREATE TRIGGER storage_message_changed AFTER UPDATE OF sender_id, body ON messages_message BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.body) + 256) WHERE member_id = OLD.sender_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.body) + 256 WHERE member_id = NEW.sender_id;
END;

CREATE TRIGGER storage_message_removed AFTER DELETE ON messages_message BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.body) + 256) WHERE member_id = OLD.sender_id;
END;

CREATE TRIGGER storage_dm_message_added AFTER INSERT ON social_dm_message BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.body) + 256 WHERE member_id = NEW.sender_id;
END;

CREATE TRIGGER storage_dm_message_changed AFTER UPDATE OF sender_id, body ON social_dm_message BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.body) + 256) WHERE member_id = OLD.sender_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.body) + 256 WHERE member_id = NEW.sender_id;
END;

CREATE TRIGGER storage_dm_message_removed AFTER DELETE ON social_dm_message BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.body) + 256) WHERE member_id = OLD.sender_id;
END;

CREATE TRIGGER storage_conversation_added AFTER INSERT ON social_conversation BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.title) + octet_length(NEW.body) + 256 WHERE member_id = NEW.author_id;
END;

CREATE TRIGGER storage_conversation_changed AFTER UPDATE OF author_id, title, body ON social_conversation BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.title) + octet_length(OLD.body) + 256) WHERE member_id = OLD.author_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.title) + octet_length(NEW.body) + 256 WHERE member_id = NEW.author_id;
END;

CREATE TRIGGER storage_conversation_removed AFTER DELETE ON social_conversation BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.title) + octet_length(OLD.body) + 256) WHERE member_id = OLD.author_id;
END;

CREATE TRIGGER storage_reply_added AFTER INSERT ON social_reply BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.body) + 256 WHERE member_id = NEW.author_id;
END;

CREATE TRIGGER storage_reply_changed AFTER UPDATE OF author_id, body ON social_reply BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.body) + 256) WHERE member_id = OLD.author_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.body) + 256 WHERE member_id = NEW.author_id;
END;

CREATE TRIGGER storage_reply_removed AFTER DELETE ON social_reply BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.body) + 256) WHERE member_id = OLD.author_id;
END;

CREATE TRIGGER storage_event_added AFTER INSERT ON social_event BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.title) + octet_length(NEW.description) + octet_length(NEW.location) + coalesce(octet_length(NEW.rrule), 0) + 256 WHERE member_id = NEW.host_id;
END;

CREATE TRIGGER storage_event_changed AFTER UPDATE OF host_id, title, description, location, rrule ON social_event BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.title) + octet_length(OLD.description) + octet_length(OLD.location) + coalesce(octet_length(OLD.rrule), 0) + 256) WHERE member_id = OLD.host_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.title) + octet_length(NEW.description) + octet_length(NEW.location) + coalesce(octet_length(NEW.rrule), 0) + 256 WHERE member_id = NEW.host_id;
END;

CREATE TRIGGER storage_event_removed AFTER DELETE ON social_event BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.title) + octet_length(OLD.description) + octet_length(OLD.location) + coalesce(octet_length(OLD.rrule), 0) + 256) WHERE member_id = OLD.host_id;
END;

CREATE TRIGGER storage_community_added AFTER INSERT ON social_community BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.name) + octet_length(NEW.summary) + 256 WHERE member_id = NEW.created_by;
END;

CREATE TRIGGER storage_community_changed AFTER UPDATE OF created_by, name, summary ON social_community BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.name) + octet_length(OLD.summary) + 256) WHERE member_id = OLD.created_by;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.name) + octet_length(NEW.summary) + 256 WHERE member_id = NEW.created_by;
END;

CREATE TRIGGER storage_community_removed AFTER DELETE ON social_community BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.name) + octet_length(OLD.summary) + 256) WHERE member_id = OLD.created_by;
END;

CREATE TRIGGER storage_invitation_added AFTER INSERT ON social_invitation BEGIN
  UPDATE storage_usage SET octets = octets + 256 WHERE member_id = NEW.inviter_id;
END;

CREATE TRIGGER storage_invitation_changed AFTER UPDATE OF inviter_id ON social_invitation BEGIN
  UPDATE storage_usage SET octets = octets - 256 WHERE member_id = OLD.inviter_id;
  UPDATE storage_usage SET octets = octets + 256 WHERE member_id = NEW.inviter_id;
END;

CREATE TRIGGER storage_invitation_removed AFTER DELETE ON social_invitation BEGIN
  UPDATE storage_usage SET octets = octets - 256 WHERE member_id = OLD.inviter_id;
END;

CREATE TRIGGER storage_rsvp_added AFTER INSERT ON social_rsvp BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.note) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_rsvp_changed AFTER UPDATE OF member_id, note ON social_rsvp BEGIN
  UPDATE storage_usage SET octets = octets - octet_length(OLD.note) WHERE member_id = OLD.member_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.note) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_rsvp_removed AFTER DELETE ON social_rsvp BEGIN
  UPDATE storage_usage SET octets = octets - octet_length(OLD.note) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_file_added AFTER INSERT ON calendar_file BEGIN
  UPDATE storage_usage SET octets = octets + NEW.size WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_file_changed AFTER UPDATE OF member_id, size ON calendar_file BEGIN
  UPDATE storage_usage SET octets = octets - OLD.size WHERE member_id = OLD.member_id;
  UPDATE storage_usage SET octets = octets + NEW.size WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_file_removed AFTER DELETE ON calendar_file BEGIN
  UPDATE storage_usage SET octets = octets - OLD.size WHERE member_id = OLD.member_id;
END;

CREATE TABLE maps_region (
  id                   INTEGER PRIMARY KEY,
  name                 TEXT NOT NULL,    -- such as 'malta'; 'towns' for the embedded gazetteer
  format               TEXT NOT NULL,    -- 'gazetteer', 'osm', 'geojson' or 'csv'
  state                TEXT NOT NULL CHECK (state IN ('staged', 'current', 'retired')),
  south                REAL NOT NULL,    -- bounds in degrees; west > east over the antimeridian
  west                 REAL NOT NULL,
  north                REAL NOT NULL,
  east                 REAL NOT NULL,
  place_count          INTEGER NOT NULL,
  tile_count           INTEGER NOT NULL,
  file_size            INTEGER NOT NULL, -- bytes
  checksum             TEXT NOT NULL,    -- SHA-256 of the file or of the embedded data, in hex
  attribution_label    TEXT NOT NULL,
  attribution_url      TEXT NOT NULL,
  attribution_required INTEGER NOT NULL,
  data_at              INTEGER,          -- time of the data as the file states it
  created_at           INTEGER NOT NULL,
  marks_moved_to       INTEGER NOT NULL  -- while the region is deleted: the copies of its places up to this id are counted
, has_token INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE UNIQUE INDEX maps_region_current ON maps_region (name) WHERE state = 'current';

CREATE TABLE maps_place (
  id           INTEGER PRIMARY KEY, -- by decreasing importance; bits 28 to 51 are the region
  region_id    INTEGER NOT NULL REFERENCES maps_region (id),
  provider     TEXT NOT NULL,    -- such as 'osm'
  provider_id  TEXT NOT NULL,    -- such as 'node/1'
  name         TEXT NOT NULL,    -- in the local language, '' if it has none
  kind         TEXT NOT NULL,    -- such as 'amenity=cafe'
  category     TEXT NOT NULL,    -- category of the field, '' for none
  latitude     REAL NOT NULL,    -- degrees
  longitude    REAL NOT NULL,
  importance   REAL NOT NULL,    -- 0 to 1
  house_number TEXT NOT NULL,
  street       TEXT NOT NULL,
  postcode     TEXT NOT NULL,
  city         TEXT NOT NULL,
  country      TEXT NOT NULL,    -- ISO 3166-1 alpha-2
  names        TEXT NOT NULL,    -- JSON object: other names by language, such as 'de'
  tags         TEXT NOT NULL,    -- JSON object: website, phone, opening_hours …
  cell         INTEGER NOT NULL, -- the area of 0.01 degrees that contains the place
  counted      INTEGER NOT NULL  -- 1 in one of the regions that contain the place: maps_cluster of that region counts it
) STRICT;

CREATE INDEX maps_place_source ON maps_place (provider, provider_id);

CREATE INDEX maps_place_region ON maps_place (region_id);

CREATE INDEX maps_place_field ON maps_place (cell, category, latitude, longitude, region_id) WHERE category <> '';

CREATE INDEX maps_place_settlement ON maps_place (cell, latitude, longitude, region_id) WHERE kind GLOB 'place=*';

CREATE VIRTUAL TABLE maps_place_position USING rtree (id, south, north, west, east);

CREATE VIRTUAL TABLE maps_place_text USING fts5 (
  name, other_names, address, tag,
  content = '', contentless_delete = 1, detail = column, tokenize = 'ascii tokenchars ''=@/_:'''
);

CREATE VIRTUAL TABLE maps_place_trigram USING fts5 (
  name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

CREATE TABLE maps_cluster (
  level         INTEGER NOT NULL,
  cell          INTEGER NOT NULL,
  category      TEXT NOT NULL,
  region_id     INTEGER NOT NULL REFERENCES maps_region (id),
  place_count   INTEGER NOT NULL,
  latitude_sum  REAL NOT NULL,
  longitude_sum REAL NOT NULL,
  PRIMARY KEY (level, cell, category, region_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX maps_cluster_region ON maps_cluster (region_id);

CREATE TABLE maps_tile (
  z         INTEGER NOT NULL,
  x         INTEGER NOT NULL,
  y         INTEGER NOT NULL,
  region_id INTEGER NOT NULL REFERENCES maps_region (id),
  data      BLOB NOT NULL,
  PRIMARY KEY (z, x, y, region_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX maps_tile_region ON maps_tile (region_id);

CREATE TABLE find_session (
  id            TEXT PRIMARY KEY,
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  started_at    INTEGER NOT NULL,
  last_query_at INTEGER NOT NULL
) STRICT;

CREATE INDEX find_session_member ON find_session (member_id, last_query_at);

CREATE INDEX find_session_last_query ON find_session (last_query_at);

CREATE TABLE find_query (
  id            TEXT PRIMARY KEY,
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  session_id    TEXT NOT NULL REFERENCES find_session (id),
  query         TEXT NOT NULL,
  scope         TEXT NOT NULL CHECK (scope IN ('nearby', 'everywhere')), -- as requested
  applied_scope TEXT NOT NULL CHECK (applied_scope IN ('nearby', 'everywhere')),
  latitude      REAL,             -- origin of the search in degrees, NULL for none
  longitude     REAL,
  radius        INTEGER NOT NULL, -- meters
  place         TEXT,             -- name of the place of a search near a place
  status        TEXT NOT NULL CHECK (status IN ('ok', 'location_required', 'provider_error')),
  finding_count INTEGER NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX find_query_member ON find_query (member_id, created_at);

CREATE INDEX find_query_session ON find_query (session_id);

CREATE INDEX find_query_created ON find_query (created_at);

CREATE TABLE find_head (
  member_id     INTEGER NOT NULL REFERENCES identity_member (id),
  finding_id    TEXT NOT NULL,
  rank          INTEGER NOT NULL, -- 1 for the first finding
  score         REAL NOT NULL,    -- 0 to 1
  first_seen_at INTEGER NOT NULL,
  last_seen_at  INTEGER NOT NULL,
  seen_count    INTEGER NOT NULL,
  PRIMARY KEY (member_id, finding_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX find_head_member ON find_head (member_id, last_seen_at);

CREATE INDEX find_head_last_seen ON find_head (last_seen_at);

CREATE TABLE surface_picture (
  member_id  INTEGER NOT NULL,
  id         TEXT NOT NULL,
  surface_id TEXT NOT NULL,
  source     TEXT NOT NULL, -- address at the site
  PRIMARY KEY (member_id, id, surface_id),
  FOREIGN KEY (member_id, surface_id) REFERENCES surface_surface (member_id, surface_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX surface_picture_surface ON surface_picture (member_id, surface_id);

CREATE TABLE provider_provider (
  number       INTEGER PRIMARY KEY,
  id           TEXT UNIQUE, -- NULL for a removed provider, whose records are being deleted
  member_id    INTEGER REFERENCES identity_member (id), -- the only member who sees it; NULL for all
  label        TEXT NOT NULL,
  source_url   TEXT NOT NULL,
  action_url   TEXT NOT NULL, -- '' if the provider performs no actions
  secret       BLOB NOT NULL, -- signs the requests to the provider
  interval     INTEGER NOT NULL CHECK (interval >= 0), -- milliseconds between acquisitions; 0 for none
  created_at   INTEGER NOT NULL,
  generation   INTEGER NOT NULL DEFAULT 0, -- the one that members see
  payload      BLOB, -- SHA-256 of the payload of the generation
  counts       TEXT NOT NULL DEFAULT '{}', -- JSON: numbers of its records
  staging      TEXT, -- identifies the ingestion that stages the next generation
  attempted_at INTEGER, -- last acquisition
  acquired_at  INTEGER, -- last successful acquisition
  failure      TEXT NOT NULL DEFAULT '', -- reason why the last acquisition failed
  failures     INTEGER NOT NULL DEFAULT 0 -- consecutive ones
) STRICT;

CREATE INDEX provider_provider_member ON provider_provider (member_id) WHERE member_id IS NOT NULL;

CREATE TABLE provider_record (
  id              INTEGER PRIMARY KEY,
  provider_number INTEGER NOT NULL REFERENCES provider_provider (number),
  kind            TEXT NOT NULL CHECK (kind IN ('object', 'collection', 'extension')),
  name            TEXT NOT NULL, -- source_type/source_id of an object; otherwise its id
  key             TEXT NOT NULL, -- identifies an object in ids of actions
  audience        TEXT NOT NULL CHECK (audience IN ('members', 'operators', 'listed', 'none')),
  content         TEXT NOT NULL, -- JSON
  digest          BLOB NOT NULL, -- SHA-256 of content, which determines the audience
  since           INTEGER NOT NULL,
  until           INTEGER
) STRICT;

CREATE UNIQUE INDEX provider_record_name ON provider_record (provider_number, kind, name, since);

CREATE INDEX provider_record_key ON provider_record (key);

CREATE INDEX provider_record_until ON provider_record (provider_number, until) WHERE until IS NOT NULL;

CREATE INDEX provider_record_since ON provider_record (provider_number, since);

CREATE TABLE provider_reader (
  record_id INTEGER NOT NULL REFERENCES provider_record (id) ON DELETE CASCADE,
  name      TEXT NOT NULL, -- subject, or e-mail address in lower case
  PRIMARY KEY (record_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE provider_action (
  key       TEXT NOT NULL, -- identifies the action in its id
  record_id INTEGER NOT NULL REFERENCES provider_record (id) ON DELETE CASCADE,
  PRIMARY KEY (key, record_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX provider_action_record ON provider_action (record_id);

CREATE VIEW maps_visible (restriction) AS
SELECT CASE
       WHEN NOT EXISTS (SELECT 1 FROM maps_region WHERE state <> 'current')
         OR EXISTS (SELECT 1 FROM maps_region WHERE state = 'current' AND NOT has_token) THEN ''
       ELSE ' AND (' || coalesce((SELECT group_concat('":region' || id || '"', ' OR ') FROM maps_region WHERE state = 'current'), '":region0"') || ')'
       END;

CREATE TABLE provider_feed (
  id            INTEGER PRIMARY KEY,
  provider      TEXT, -- its id; NULL for a removed feed, whose articles are being deleted
  subject       TEXT NOT NULL, -- pseudonym of the only member who sees it, '' for all
  local         INTEGER NOT NULL, -- the operator named an address that is not public
  url           TEXT NOT NULL, -- may contain a secret
  title         TEXT NOT NULL,
  description   TEXT NOT NULL,
  home          TEXT NOT NULL, -- URL of the web site, '' if unknown
  etag          TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  fetched_at    INTEGER NOT NULL, -- last attempt
  next_at       INTEGER NOT NULL, -- no fetch before
  refresh_at    INTEGER NOT NULL, -- no fetch before, if a member requests it
  failed_at     INTEGER, -- since when it cannot be fetched
  failure       TEXT NOT NULL DEFAULT '' -- reason, for members
) STRICT;

CREATE UNIQUE INDEX provider_feed_url ON provider_feed (provider, url);

CREATE TABLE provider_article (
  feed_id      INTEGER NOT NULL REFERENCES provider_feed (id) ON DELETE CASCADE,
  id           TEXT NOT NULL,
  published_at INTEGER NOT NULL,
  content      TEXT NOT NULL, -- JSON
  PRIMARY KEY (feed_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE provider_read_mark (
  feed_id    INTEGER NOT NULL,
  article_id TEXT NOT NULL,
  subject    TEXT NOT NULL, -- pseudonym of the member
  marked_at  INTEGER NOT NULL,
  PRIMARY KEY (feed_id, article_id, subject),
  FOREIGN KEY (feed_id, article_id) REFERENCES provider_article (feed_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX provider_read_mark_subject ON provider_read_mark (subject);

CREATE TABLE identity_avatar (
  member_id  INTEGER PRIMARY KEY REFERENCES identity_member (id),
  key        TEXT NOT NULL, -- hash of both pictures, part of their URLs
  created_at INTEGER NOT NULL,
  thumb      BLOB NOT NULL,
  picture    BLOB NOT NULL
) STRICT;

CREATE TABLE social_avatar (
  community_id TEXT PRIMARY KEY REFERENCES social_community (id),
  member_id    INTEGER NOT NULL REFERENCES identity_member (id), -- the member who uploaded it
  key          TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  thumb        BLOB NOT NULL,
  picture      BLOB NOT NULL
) STRICT;

CREATE INDEX social_avatar_member ON social_avatar (member_id);

CREATE VIEW storage_counted (member_id, octets) AS
SELECT owner_id, octets FROM calendar_calendar WHERE owner_id IS NOT NULL
UNION ALL
SELECT member_id, octets FROM calendar_trash WHERE member_id IS NOT NULL
UNION ALL
SELECT sender_id, octet_length(body) + 256 FROM messages_message
UNION ALL
SELECT sender_id, octet_length(body) + 256 FROM social_dm_message
UNION ALL
SELECT author_id, octet_length(title) + octet_length(body) + 256 FROM social_conversation
UNION ALL
SELECT author_id, octet_length(body) + 256 FROM social_reply
UNION ALL
SELECT host_id, octet_length(title) + octet_length(description) + octet_length(location) + coalesce(octet_length(rrule), 0) + 256 FROM social_event
UNION ALL
SELECT created_by, octet_length(name) + octet_length(summary) + 256 FROM social_community
UNION ALL
SELECT inviter_id, 256 FROM social_invitation
UNION ALL
SELECT member_id, octet_length(note) FROM social_rsvp
UNION ALL
SELECT member_id, size FROM calendar_file
UNION ALL
SELECT member_id, octet_length(thumb) + octet_length(picture) + 256 FROM identity_avatar
UNION ALL
SELECT member_id, octet_length(thumb) + octet_length(picture) + 256 FROM social_avatar;

CREATE TRIGGER storage_member_avatar_added AFTER INSERT ON identity_avatar BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.thumb) + octet_length(NEW.picture) + 256 WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_member_avatar_changed AFTER UPDATE OF member_id, thumb, picture ON identity_avatar BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.thumb) + octet_length(OLD.picture) + 256) WHERE member_id = OLD.member_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.thumb) + octet_length(NEW.picture) + 256 WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_member_avatar_removed AFTER DELETE ON identity_avatar BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.thumb) + octet_length(OLD.picture) + 256) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_community_avatar_added AFTER INSERT ON social_avatar BEGIN
  UPDATE storage_usage SET octets = octets + octet_length(NEW.thumb) + octet_length(NEW.picture) + 256 WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_community_avatar_changed AFTER UPDATE OF member_id, thumb, picture ON social_avatar BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.thumb) + octet_length(OLD.picture) + 256) WHERE member_id = OLD.member_id;
  UPDATE storage_usage SET octets = octets + octet_length(NEW.thumb) + octet_length(NEW.picture) + 256 WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_community_avatar_removed AFTER DELETE ON social_avatar BEGIN
  UPDATE storage_usage SET octets = octets - (octet_length(OLD.thumb) + octet_length(OLD.picture) + 256) WHERE member_id = OLD.member_id;
END;
