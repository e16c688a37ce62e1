-- Communities, circles, conversations, events, profiles, presence and direct
-- messages of Social.

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

-- A block hides the two members from each other. The blocked member is not notified.
CREATE TABLE social_block (
  blocker_id INTEGER NOT NULL REFERENCES identity_member (id),
  blocked_id INTEGER NOT NULL REFERENCES identity_member (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_block_blocked ON social_block (blocked_id);

-- Random numbers that change whenever cached circles, or cached lists of
-- audiences, may have become invalid. They are random so that a value computed
-- in a write that was rolled back is never taken for a later one.
CREATE TABLE social_graph (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  revision  INTEGER NOT NULL, -- of the circles: private memberships and blocks
  audiences INTEGER NOT NULL  -- of the lists of audiences: see the triggers
) STRICT;

INSERT INTO social_graph (id, revision, audiences) VALUES (1, 0, 0);

-- The set of members who can see a record. Every visible record refers to an
-- audience, and every query for a member is restricted to the audiences of that
-- member. Rows are added on first use, shared and never changed.
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

INSERT INTO social_audience (id, kind) VALUES (1, 'everyone');

-- The members of guest audiences.
CREATE TABLE social_guest (
  audience_id INTEGER NOT NULL REFERENCES social_audience (id) ON DELETE CASCADE,
  member_id   INTEGER NOT NULL REFERENCES identity_member (id),
  PRIMARY KEY (audience_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX social_guest_member ON social_guest (member_id);

-- One trigger for each table and column that the query member-audiences reads.
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

-- Conversations. Those with the context 'event' belong to an event.
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

-- The read cursor of a member in a conversation: the last reply that the member has
-- read, 0 for none. It never moves backwards, and replies by the member are never after it.
-- Without a row the member has not read the first post, unless they have written it.
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

-- Changes that concern any number of events, which follow in several writes. Columns with
-- the value 0 or '' match all events. Events are visited from the one that ends last: those
-- after ends_at and event_id have been visited.
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

-- The RSVPs without those that a change in social_follow_up has revoked.
CREATE VIEW social_response (event_id, member_id, response, note, responded_at) AS
SELECT r.event_id, r.member_id, r.response, r.note, r.responded_at
  FROM social_rsvp AS r
 WHERE NOT EXISTS (SELECT 1 FROM social_follow_up AS f CROSS JOIN social_event AS e ON e.id = r.event_id
                    WHERE f.guest_id = r.member_id AND f.revoked_seq >= r.seq AND e.ends_at > f.revoked_at
                      AND (f.host_id = e.host_id AND e.visibility <> 'community' OR f.host_id = 0 AND f.community_id = e.community_id
                           OR f.host_id = 0 AND f.community_id = '' AND e.host_id <> r.member_id));

-- Invitations to a community or an event.
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

-- Profile details. Members without a row have the defaults.
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

-- The activity feed.
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

-- Notifications of one member. Titles are generated when they are read.
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

-- Members who marked all notifications as read, more than one write may change: those up to
-- the row are read.
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

-- Nothing is left to do about an invitation that has been answered or revoked. Every such
-- change is announced to the invitee, so the number of unread notifications is read again.
CREATE TRIGGER social_invitation_settled AFTER UPDATE OF state ON social_invitation WHEN NEW.state <> 'pending' BEGIN
  UPDATE social_notification SET read_at = NEW.answered_at
   WHERE target_id = NEW.id AND target_type = 'invitation' AND read_at IS NULL;
END;

-- Direct messages of Social. They are separate from the threads of Messages, and have the same columns.
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

-- The state of a DM for one of its participants. Deleted members have no row.
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
