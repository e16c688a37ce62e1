-- Avatars of members and communities.

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

-- Avatars count for the storage of the member who uploaded them.
DROP VIEW storage_counted;
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
