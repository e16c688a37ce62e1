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

CREATE TABLE identity_member (
  id            INTEGER PRIMARY KEY, -- never reused: the row of a deleted member stays
  email         TEXT NOT NULL,       -- as entered; '' if deleted
  email_key     TEXT UNIQUE,         -- folded; NULL if deleted
  username      TEXT UNIQUE,         -- folded; NULL if deleted
  display_name  TEXT NOT NULL,
  name_key      TEXT NOT NULL,       -- display_name folded
  status        TEXT NOT NULL CHECK (status IN ('active', 'disabled', 'deleted')),
  timezone      TEXT NOT NULL,       -- IANA name
  locale        TEXT NOT NULL,       -- BCP 47 tag
  password_hash TEXT NOT NULL,       -- Argon2id, PHC string format; '' if deleted
  generation    INTEGER NOT NULL,    -- incremented whenever earlier authentications become invalid
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  last_seen_at  INTEGER,             -- accurate to a day
  CHECK ((status = 'deleted') = (email_key IS NULL)),
  CHECK ((status = 'deleted') = (username IS NULL))
) STRICT;

CREATE INDEX identity_member_name ON identity_member (name_key);

CREATE TABLE identity_token (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  label        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,     -- accurate to a day
  expires_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX identity_token_member ON identity_token (member_id, last_used_at);

CREATE TABLE identity_device (
  id           TEXT PRIMARY KEY,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  hash         BLOB NOT NULL UNIQUE, -- SHA-256 of the 20 characters without separators
  label        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER               -- accurate to a day
) STRICT;

CREATE INDEX identity_device_member ON identity_device (member_id);

CREATE TABLE identity_link (
  id         TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL CHECK (purpose IN ('invitation', 'reset')),
  hash       BLOB NOT NULL UNIQUE,   -- SHA-256 of the code
  email      TEXT NOT NULL,          -- invitation: the only address that may register, folded; '' for any
  member_id  INTEGER REFERENCES identity_member (id), -- reset: the member; invitation: the member who registered with it
  created_by TEXT NOT NULL,          -- actor, as in identity_audit
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT;

CREATE INDEX identity_link_member ON identity_link (member_id);

CREATE TABLE identity_audit (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  actor     TEXT NOT NULL,           -- member id, 'cli:<user>' or 'setup'
  action    TEXT NOT NULL,
  member_id INTEGER REFERENCES identity_member (id),
  detail    TEXT NOT NULL
) STRICT;

CREATE INDEX identity_audit_member ON identity_audit (member_id);

CREATE TABLE calendar_calendar (
  id          TEXT PRIMARY KEY,             -- cal_…
  owner_id    INTEGER REFERENCES identity_member(id), -- null: orphaned, a background job deletes it and its objects
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  color       TEXT NOT NULL,                -- #rrggbb
  timezone    TEXT NOT NULL,                -- IANA name, floating times are read in it
  components  TEXT NOT NULL,                -- that it accepts, separated by commas: VEVENT,VTODO
  is_default  INTEGER NOT NULL,             -- 1: receives new objects without a calendar
  seq         INTEGER NOT NULL,             -- number of the last change to its objects
  pruned_seq  INTEGER NOT NULL,             -- tombstones up to this seq have been deleted
  objects     INTEGER NOT NULL,             -- number of its objects, kept by triggers
  octets      INTEGER NOT NULL,             -- size of their text, kept by triggers
  home_seq    INTEGER NOT NULL,             -- calendar_home_seq at the last change to it or to its objects
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL              -- of the calendar itself, not of its objects
) STRICT;

CREATE INDEX calendar_calendar_owner ON calendar_calendar (owner_id);

CREATE UNIQUE INDEX calendar_one_default ON calendar_calendar (owner_id) WHERE is_default = 1;

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
  open         INTEGER NOT NULL,            -- 1: a task that is not completed
  completed_at INTEGER,
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

CREATE INDEX calendar_object_source ON calendar_object (source_object_id) WHERE source_object_id IS NOT NULL;

CREATE INDEX calendar_object_task ON calendar_object (calendar_id, open, completed_at) WHERE component = 'VTODO';

CREATE TRIGGER calendar_object_added AFTER INSERT ON calendar_object BEGIN
  UPDATE calendar_calendar SET objects = objects + 1, octets = octets + NEW.size WHERE id = NEW.calendar_id;
END;

CREATE TRIGGER calendar_object_changed AFTER UPDATE OF calendar_id, size ON calendar_object
WHEN NEW.calendar_id <> OLD.calendar_id OR NEW.size <> OLD.size BEGIN
  UPDATE calendar_calendar SET objects = objects - 1, octets = octets - OLD.size WHERE id = OLD.calendar_id;
  UPDATE calendar_calendar SET objects = objects + 1, octets = octets + NEW.size WHERE id = NEW.calendar_id;
END;

CREATE TRIGGER calendar_object_removed AFTER DELETE ON calendar_object BEGIN
  UPDATE calendar_calendar SET objects = objects - 1, octets = octets - OLD.size WHERE id = OLD.calendar_id;
END;

CREATE TABLE calendar_data (
  n    INTEGER PRIMARY KEY REFERENCES calendar_object(n) ON DELETE CASCADE,
  data BLOB NOT NULL                        -- the octets that a client PUT
) STRICT;

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
  component   TEXT NOT NULL,                -- '' for a calendar
  title       TEXT NOT NULL,                -- of an object
  deleted_at  INTEGER NOT NULL,
  properties  TEXT NOT NULL,                -- dead properties of an object, as a JSON array of objects
  data        BLOB NOT NULL                 -- text of an object
) STRICT;

CREATE INDEX calendar_trashed_trash ON calendar_trashed (trash, deleted_at, id);

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
  member_count  INTEGER NOT NULL,       -- members whose accounts are not deleted
  message_count INTEGER NOT NULL,       -- also the seq of the latest message
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,       -- time of the latest message
  UNIQUE (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_thread_high ON messages_thread (high_id);

CREATE INDEX messages_thread_orphaned ON messages_thread (id) WHERE member_count = 0;

CREATE TABLE messages_participant (
  member_id    INTEGER NOT NULL REFERENCES identity_member(id),
  thread_id    TEXT NOT NULL REFERENCES messages_thread(id),
  partner_id   INTEGER NOT NULL,       -- the other member
  position     INTEGER NOT NULL,       -- in the member's inbox, the highest is the latest
  read_seq     INTEGER NOT NULL,       -- read cursor: seq of the last message read
  unread_count INTEGER NOT NULL,       -- messages of the partner after read_seq
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
  member_count INTEGER NOT NULL, -- active members
  created_by   INTEGER NOT NULL REFERENCES identity_member (id),
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  deleted_at   INTEGER           -- a deleted community has no active members
) STRICT;

CREATE INDEX social_community_public ON social_community (created_at, id) WHERE visibility = 'public' AND deleted_at IS NULL;

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

CREATE INDEX social_event_community ON social_event (community_id, ends_at);

CREATE INDEX social_event_host ON social_event (host_id, ends_at);

CREATE INDEX social_event_circle ON social_event (ends_at) WHERE visibility = 'circle';

CREATE TABLE social_rsvp (
  event_id     TEXT NOT NULL REFERENCES social_event (id) ON DELETE CASCADE,
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  response     TEXT NOT NULL CHECK (response IN ('going', 'maybe', 'declined', 'none')),
  note         TEXT NOT NULL,
  responded_at INTEGER NOT NULL,
  PRIMARY KEY (event_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_rsvp_member ON social_rsvp (member_id);

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

CREATE INDEX social_notification_member ON social_notification (member_id, created_at, id);

CREATE INDEX social_notification_unread ON social_notification (member_id, audience_id, actor_id, author_id, read_at) WHERE read_at IS NULL;

CREATE INDEX social_notification_audience ON social_notification (audience_id);

CREATE INDEX social_notification_target ON social_notification (target_id);

CREATE INDEX social_notification_actor ON social_notification (actor_id);

CREATE INDEX social_notification_author ON social_notification (author_id);

CREATE INDEX social_notification_age ON social_notification (created_at);

CREATE TABLE social_dm (
  id            TEXT PRIMARY KEY,
  low_id        INTEGER NOT NULL REFERENCES identity_member (id),
  high_id       INTEGER NOT NULL REFERENCES identity_member (id),
  message_count INTEGER NOT NULL, -- also the sequence number of the last message
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL, -- of the last message
  UNIQUE (low_id, high_id),
  CHECK (low_id < high_id)
) STRICT;

CREATE INDEX social_dm_high ON social_dm (high_id);

CREATE TABLE social_dm_participant (
  member_id    INTEGER NOT NULL REFERENCES identity_member (id),
  dm_id        TEXT NOT NULL REFERENCES social_dm (id) ON DELETE CASCADE,
  partner_id   INTEGER NOT NULL REFERENCES identity_member (id),
  position     INTEGER NOT NULL, -- in the member's list, highest for the latest DM
  read_seq     INTEGER NOT NULL, -- the read cursor, which never moves back
  unread_count INTEGER NOT NULL, -- messages of the partner after it
  PRIMARY KEY (member_id, dm_id),
  UNIQUE (member_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_dm_participant_dm ON social_dm_participant (dm_id);

CREATE INDEX social_dm_participant_partner ON social_dm_participant (partner_id);

CREATE INDEX social_dm_participant_unread ON social_dm_participant (member_id, unread_count) WHERE unread_count > 0;

CREATE TABLE social_dm_message (
  id         TEXT PRIMARY KEY,
  dm_id      TEXT NOT NULL REFERENCES social_dm (id) ON DELETE CASCADE,
  seq        INTEGER NOT NULL, -- 1 for the first message of a DM
  sender_id  INTEGER NOT NULL REFERENCES identity_member (id),
  body       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (dm_id, seq)
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
