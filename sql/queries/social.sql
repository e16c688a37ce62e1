-- Social life. Whoever reads for a member does so through the audiences that
-- the member is in, and past those with whom there is a block.

-- name: audiences
-- Those that the member is in. circles are pairs of a member and how far away
-- they are, with the member themselves at 0.
SELECT id FROM social_audience WHERE id = 1
UNION ALL
SELECT a.id
  FROM social_membership AS m CROSS JOIN social_audience AS a ON a.community_id = m.community_id
 WHERE m.member_id = :member AND m.state = 'active'
UNION ALL
SELECT a.id
  FROM json_each(:circles) AS c CROSS JOIN social_audience AS a
    ON a.member_id = c.value ->> 0 AND a.depth >= c.value ->> 1
UNION ALL
SELECT audience_id FROM social_guest WHERE member_id = :member;

-- name: audience-members
-- Whose view changes with what an audience sees; 0 is everybody's.
SELECT m.member_id
  FROM social_audience AS a CROSS JOIN social_membership AS m ON m.community_id = a.community_id AND m.state = 'active'
 WHERE a.id = :audience AND a.kind = 'community'
UNION ALL
SELECT member_id FROM social_guest WHERE audience_id = :audience
UNION ALL
SELECT CASE WHEN kind = 'circle' AND depth = 0 THEN member_id ELSE 0 END
  FROM social_audience WHERE id = :audience AND kind IN ('everybody', 'circle');

-- name: community-audience
SELECT id FROM social_audience WHERE community_id = :community;

-- name: circle-audience
SELECT id FROM social_audience WHERE member_id = :member AND depth = :depth;

-- name: add-audience
INSERT INTO social_audience (kind, community_id, member_id, depth) VALUES (:kind, :community, :member, :depth) RETURNING id;

-- name: add-guests
INSERT INTO social_guest (audience_id, member_id) SELECT :audience, value FROM json_each(:members) WHERE true
    ON CONFLICT DO NOTHING;

-- name: graph-revision
SELECT revision FROM social_graph WHERE id = 1;

-- name: set-graph-revision
UPDATE social_graph SET revision = :revision WHERE id = 1;

-- name: gatherings
-- The private communities of the members, but for those done, with all their
-- active members.
SELECT m.community_id, m.member_id
  FROM (SELECT DISTINCT c.id
          FROM json_each(:members) AS f
         CROSS JOIN social_membership AS n ON n.member_id = f.value AND n.state = 'active'
         CROSS JOIN social_community AS c ON c.id = n.community_id AND c.visibility = 'private'
         WHERE c.id NOT IN (SELECT value FROM json_each(:done))) AS g
 CROSS JOIN social_membership AS m ON m.community_id = g.id AND m.state = 'active'
 ORDER BY m.community_id, m.member_id;

-- name: hidden
-- Everybody with a block between them and the member.
SELECT blocked_id FROM social_block WHERE blocker_id = :member
UNION
SELECT blocker_id FROM social_block WHERE blocked_id = :member;

-- name: apart
SELECT EXISTS (SELECT 1 FROM social_block WHERE blocker_id = :one AND blocked_id = :other)
    OR EXISTS (SELECT 1 FROM social_block WHERE blocker_id = :other AND blocked_id = :one);

-- name: blocks-of
-- The blocks between the members and anybody.
SELECT b.blocker_id AS member_id, b.blocked_id AS other_id
  FROM json_each(:members) AS f CROSS JOIN social_block AS b ON b.blocker_id = f.value
UNION ALL
SELECT b.blocked_id, b.blocker_id
  FROM json_each(:members) AS f CROSS JOIN social_block AS b ON b.blocked_id = f.value;

-- name: blocks
SELECT blocked_id, created_at FROM social_block WHERE blocker_id = :member ORDER BY created_at DESC, blocked_id;

-- name: add-block
INSERT INTO social_block (blocker_id, blocked_id, created_at) VALUES (:member, :other, :now) ON CONFLICT DO NOTHING;

-- name: blocked-at
SELECT created_at FROM social_block WHERE blocker_id = :member AND blocked_id = :other;

-- name: delete-block
DELETE FROM social_block WHERE blocker_id = :member AND blocked_id = :other;

-- name: forget-blocks
DELETE FROM social_block WHERE blocker_id = :member OR blocked_id = :member;

-- name: add-activity
INSERT INTO social_activity (id, kind, actor_id, target_type, target_id, audience_id, created_at)
VALUES (:id, :kind, :actor, :target_type, :target, :audience, :now);

-- name: add-notifications
-- One for each of the rows, which are pairs of an id and a member.
INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, audience_id, created_at)
SELECT value ->> 0, value ->> 1, :kind, :actor, :target_type, :target, :audience, :now FROM json_each(:rows);

-- name: add-conversation
INSERT INTO social_conversation (id, title, body, context, community_id, depth, audience_id, author_id, state,
                                 seq, active_at, created_at, updated_at)
VALUES (:id, :title, :body, :context, :community, :depth, :audience, :author, 'open', 0, :now, :now, :now);

-- Events. That of a community is the community's, and a block hides it no more
-- than the community itself; any other is its host's.

-- name: event
SELECT e.id, e.conversation_id, e.title, e.description, e.start, e."end", e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at, e.cancelled_at,
       coalesce((SELECT r.response FROM social_rsvp AS r WHERE r.event_id = e.id AND r.member_id = :member), 'none') AS mine,
       coalesce((SELECT m.role FROM social_membership AS m
                  WHERE m.community_id = e.community_id AND m.member_id = :member AND m.state = 'active'), '') AS role
  FROM social_event AS e
 WHERE e.id = :id AND e.audience_id IN (SELECT value FROM json_each(:audiences))
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)));

-- name: events-of
-- Events by id, whoever may see them.
SELECT e.id, e.conversation_id, e.title, e.description, e.start, e."end", e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at, e.cancelled_at, '' AS mine, '' AS role
  FROM json_each(:ids) AS l CROSS JOIN social_event AS e ON e.id = l.value;

-- name: events
-- Those that are not over by a time and begin before another, after a place.
SELECT e.id, e.conversation_id, e.title, e.description, e.start, e."end", e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at, e.cancelled_at,
       coalesce((SELECT r.response FROM social_rsvp AS r WHERE r.event_id = e.id AND r.member_id = :member), 'none') AS mine,
       coalesce((SELECT m.role FROM social_membership AS m
                  WHERE m.community_id = e.community_id AND m.member_id = :member AND m.state = 'active'), '') AS role
  FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at > :from
 WHERE e.starts_at < :to AND (e.starts_at, e.id) > (:at, :id)
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY e.starts_at, e.id LIMIT :limit;

-- name: past-events
-- Those that are over, the last one first, after a place.
SELECT e.id, e.conversation_id, e.title, e.description, e.start, e."end", e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at, e.cancelled_at,
       coalesce((SELECT r.response FROM social_rsvp AS r WHERE r.event_id = e.id AND r.member_id = :member), 'none') AS mine,
       coalesce((SELECT m.role FROM social_membership AS m
                  WHERE m.community_id = e.community_id AND m.member_id = :member AND m.state = 'active'), '') AS role
  FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at <= :now
 WHERE (e.ends_at, e.id) < (:at, :id)
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY e.ends_at DESC, e.id DESC LIMIT :limit;

-- name: standing
-- What a member is to a community that they see, '' if they are not in it.
SELECT coalesce(m.role, '')
  FROM social_community AS c
  LEFT JOIN social_membership AS m ON m.community_id = c.id AND m.member_id = :member AND m.state = 'active'
 WHERE c.id = :community AND c.deleted_at IS NULL AND (c.visibility = 'public' OR m.role IS NOT NULL);

-- name: add-event
INSERT INTO social_event (id, conversation_id, title, description, start, "end", timezone, all_day, rrule, starts_at, ends_at,
                          location, latitude, longitude, visibility, community_id, depth, audience_id, host_id, capacity,
                          revision, created_at, updated_at)
VALUES (:id, :conversation, :title, :description, :start, :end, :timezone, :all_day, :rrule, :starts_at, :ends_at,
        :location, :latitude, :longitude, :visibility, :community, :depth, :audience, :host, :capacity, 0, :now, :now);

-- name: save-event
UPDATE social_event
   SET title = :title, description = :description, start = :start, "end" = :end, timezone = :timezone, all_day = :all_day,
       rrule = :rrule, starts_at = :starts_at, ends_at = :ends_at, location = :location, latitude = :latitude,
       longitude = :longitude, capacity = :capacity, cancelled_at = :cancelled_at, updated_at = :now
 WHERE id = :id;

-- name: revise-event
UPDATE social_event SET revision = revision + 1 WHERE id = :id RETURNING revision;

-- name: purge-event
DELETE FROM social_event WHERE id = :id;

-- name: purge-conversation
DELETE FROM social_conversation WHERE id = :id;

-- name: purge-activity
-- What is told of any of the targets.
DELETE FROM social_activity WHERE target_id IN (SELECT value FROM json_each(:targets));

-- name: purge-notifications
DELETE FROM social_notification WHERE target_id IN (SELECT value FROM json_each(:targets));

-- name: purge-guests
DELETE FROM social_audience WHERE id = :audience AND kind = 'guests';

-- name: attendance
-- Everybody who has answered an event, or was asked to.
SELECT member_id, response, note, responded_at FROM social_rsvp WHERE event_id = :event ORDER BY responded_at, member_id;

-- name: count-rsvps
-- How many answered each event how, except those who are hidden.
SELECT r.event_id, r.response, count(*) AS n
  FROM json_each(:events) AS l CROSS JOIN social_rsvp AS r ON r.event_id = l.value
 WHERE r.member_id NOT IN (SELECT value FROM json_each(:hidden))
 GROUP BY r.event_id, r.response;

-- name: put-rsvp
INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at) VALUES (:event, :member, :response, :note, :now)
    ON CONFLICT (event_id, member_id) DO UPDATE SET response = excluded.response, note = excluded.note, responded_at = excluded.responded_at;

-- name: ask-rsvp
-- They have not answered yet, unless they have.
INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at) VALUES (:event, :member, 'none', '', :now) ON CONFLICT DO NOTHING;

-- name: unask-rsvp
DELETE FROM social_rsvp WHERE event_id = :event AND member_id = :member AND response = 'none';

-- name: drop-guest
DELETE FROM social_guest WHERE audience_id = :audience AND member_id = :member;

-- name: drop-rsvps
-- Each is a pair of an event and a member.
DELETE FROM social_rsvp WHERE (event_id, member_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:pairs));

-- name: rsvps-between
-- The answers of two members to events of one another that are not over, and
-- are not those of a community.
SELECT e.id AS event_id, r.member_id
  FROM social_event AS e CROSS JOIN social_rsvp AS r ON r.event_id = e.id AND r.member_id = :other
 WHERE e.host_id = :one AND e.ends_at > :now AND e.visibility <> 'community'
UNION ALL
SELECT e.id, r.member_id
  FROM social_event AS e CROSS JOIN social_rsvp AS r ON r.event_id = e.id AND r.member_id = :one
 WHERE e.host_id = :other AND e.ends_at > :now AND e.visibility <> 'community';

-- name: rsvps-in
-- The answers of members to events of a community that are not over.
SELECT e.id AS event_id, r.member_id
  FROM social_event AS e CROSS JOIN json_each(:members) AS m CROSS JOIN social_rsvp AS r ON r.event_id = e.id AND r.member_id = m.value
 WHERE e.community_id = :community AND e.ends_at > :now AND e.host_id <> r.member_id;

-- name: rsvps-of
-- A member's answers to events of others that are not over.
SELECT e.id AS event_id, r.member_id
  FROM social_rsvp AS r CROSS JOIN social_event AS e ON e.id = r.event_id
 WHERE r.member_id = :member AND e.host_id <> :member AND e.ends_at > :now;

-- name: hosted
-- A member's events that are not over and still to be.
SELECT id FROM social_event WHERE host_id = :member AND ends_at > :now AND cancelled_at IS NULL;

-- name: drop-guests-of
DELETE FROM social_guest WHERE member_id = :member;

-- name: add-event-invitation
INSERT INTO social_invitation (id, event_id, invitee_id, inviter_id, state, created_at, expires_at)
VALUES (:id, :event, :invitee, :inviter, 'pending', :now, :expires);

-- name: event-invitation
SELECT id, event_id, invitee_id, inviter_id, state, created_at, expires_at, answered_at
  FROM social_invitation WHERE id = :id AND event_id IS NOT NULL;

-- name: event-invitations
-- Those to an event after a place, the newest first.
SELECT id, event_id, invitee_id, inviter_id, state, created_at, expires_at, answered_at
  FROM social_invitation
 WHERE event_id = :event AND (created_at, id) < (:at, :id) AND invitee_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: asked
-- Whether a member is asked to come to an event, whatever they answered.
SELECT EXISTS (SELECT 1 FROM social_invitation WHERE event_id = :event AND invitee_id = :member AND state <> 'revoked');

-- name: pending-to-event
SELECT id FROM social_invitation WHERE event_id = :event AND invitee_id = :member AND state = 'pending' AND expires_at > :now;

-- name: answer-event-invitations
UPDATE social_invitation SET state = :state, answered_at = :now WHERE event_id = :event AND invitee_id = :member AND state = 'pending';

-- name: extend-invitations
UPDATE social_invitation SET expires_at = :expires WHERE event_id = :event AND state = 'pending';

-- name: invitations-to-event
SELECT id FROM social_invitation WHERE event_id = :event;

-- name: revoke-event-invitations
-- Those of or for a member.
UPDATE social_invitation SET state = 'revoked', answered_at = :now
 WHERE event_id IS NOT NULL AND state = 'pending' AND (invitee_id = :member OR inviter_id = :member);
