-- The storage that each member uses, for the limit of one member. Views and
-- triggers define it, so that every write counts in the same way.

CREATE TABLE storage_usage (
  member_id INTEGER PRIMARY KEY REFERENCES identity_member (id),
  octets    INTEGER NOT NULL -- kept by triggers; equal to the sum in storage_counted
) STRICT;

-- What counts, by row: texts with 256 bytes for the row and its indexes. Texts
-- count for their author. Not counted is what cannot accumulate, such as profiles,
-- and what expires, such as notifications. Texts without a row of their own, such
-- as the note of an RSVP, count without the 256 bytes.
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
SELECT member_id, size FROM calendar_file;

INSERT INTO storage_usage (member_id, octets)
SELECT id, coalesce((SELECT sum(c.octets) FROM storage_counted AS c WHERE c.member_id = m.id), 0) FROM identity_member AS m;

CREATE TRIGGER storage_member_added AFTER INSERT ON identity_member BEGIN
  INSERT INTO storage_usage (member_id, octets) VALUES (NEW.id, 0);
END;

-- calendar_calendar and calendar_trash have triggers that keep their sizes.
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
