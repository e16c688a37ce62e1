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
-- Who is in an audience that is not around somebody; 0 is everybody.
SELECT m.member_id
  FROM social_audience AS a CROSS JOIN social_membership AS m ON m.community_id = a.community_id AND m.state = 'active'
 WHERE a.id = :audience AND a.kind = 'community'
UNION ALL
SELECT member_id FROM social_guest WHERE audience_id = :audience
UNION ALL
SELECT 0 FROM social_audience WHERE id = :audience AND kind = 'everybody';

-- name: community-audience
SELECT id FROM social_audience WHERE community_id = :community;

-- name: circle-audience
SELECT id FROM social_audience WHERE member_id = :member AND depth = :depth;

-- name: add-audience
INSERT INTO social_audience (kind, community_id, member_id, depth) VALUES (:kind, :community, :member, :depth) RETURNING id;

-- name: add-guests
INSERT INTO social_guest (audience_id, member_id) SELECT :audience, value FROM json_each(:members) WHERE true
    ON CONFLICT DO NOTHING;

-- name: graph
SELECT revision, audiences FROM social_graph WHERE id = 1;

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

-- name: blocks-of
-- The blocks between the members and anybody.
SELECT b.blocker_id AS member_id, b.blocked_id AS other_id
  FROM json_each(:members) AS f CROSS JOIN social_block AS b ON b.blocker_id = f.value
UNION ALL
SELECT b.blocked_id, b.blocker_id
  FROM json_each(:members) AS f CROSS JOIN social_block AS b ON b.blocked_id = f.value;

-- name: blocks
SELECT blocked_id, created_at FROM social_block WHERE blocker_id = :member ORDER BY created_at DESC, blocked_id;

-- name: blockers
-- Who does not want to meet a member.
SELECT blocker_id FROM social_block WHERE blocked_id = :member;

-- name: add-block
INSERT INTO social_block (blocker_id, blocked_id, created_at) VALUES (:member, :other, :now) ON CONFLICT DO NOTHING;

-- name: blocked-at
SELECT created_at FROM social_block WHERE blocker_id = :member AND blocked_id = :other;

-- name: delete-block
DELETE FROM social_block WHERE blocker_id = :member AND blocked_id = :other;

-- name: forget-blocks
DELETE FROM social_block WHERE blocker_id = :member OR blocked_id = :member;

-- name: add-activity
INSERT INTO social_activity (id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
VALUES (:id, :kind, :actor, :target_type, :target, :audience,
        coalesce((SELECT author_id FROM social_conversation WHERE id = :target), (SELECT host_id FROM social_event WHERE id = :target AND visibility <> 'community')),
        :now);

-- name: add-notifications
-- One for each of the rows, which are pairs of an id and a member.
INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
SELECT value ->> 0, value ->> 1, :kind, :actor, :target_type, :target, :audience,
       coalesce((SELECT author_id FROM social_conversation WHERE id = :target), (SELECT host_id FROM social_event WHERE id = :target AND visibility <> 'community'),
                (SELECT e.host_id FROM social_invitation AS i JOIN social_event AS e ON e.id = i.event_id WHERE i.id = :target)),
       :now
  FROM json_each(:rows);

-- name: add-conversation
INSERT INTO social_conversation (id, title, body, context, community_id, depth, audience_id, author_id, state,
                                 revision, seq, participants, active_at, created_at, updated_at)
VALUES (:id, :title, :body, :context, :community, :depth, :audience, :author, 'open', 0, 0, 1, :now, :now, :now);

-- name: blocked
SELECT EXISTS (SELECT 1 FROM social_block WHERE blocker_id = :one AND blocked_id = :other)
    OR EXISTS (SELECT 1 FROM social_block WHERE blocker_id = :other AND blocked_id = :one);

-- Communities

-- name: list-communities
-- Those that the member sees, or only their own, the newest first, after a place.
SELECT id, created_at
  FROM (SELECT id, created_at
          FROM social_community
         WHERE visibility = 'public' AND deleted_at IS NULL AND NOT :mine AND (created_at, id) < (:at, :id)
         ORDER BY created_at DESC, id DESC LIMIT :limit)
 UNION
SELECT c.id, c.created_at
  FROM social_membership AS m CROSS JOIN social_community AS c ON c.id = m.community_id
 WHERE m.member_id = :member AND m.state = 'active' AND (c.created_at, c.id) < (:at, :id)
 ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: communities
-- Those of the ids that the member sees, in their order. A deleted one has no
-- active members. Its owners and moderators count whoever is hidden too.
SELECT c.id, c.name, c.summary, c.visibility, c.join_policy, c.created_by, c.created_at, c.updated_at,
       c.member_count - iif(m.state = 'active' AND m.role <> 'member', 0,
                            (SELECT count(*)
                               FROM json_each(:hidden) AS h CROSS JOIN social_membership AS x
                                 ON x.community_id = c.id AND x.member_id = h.value AND x.state = 'active')) AS member_count,
       COALESCE(m.state, 'none') AS state, COALESCE(m.role, '') AS role, m.joined_at,
       coalesce((SELECT max(i.expires_at) FROM social_invitation AS i
                  WHERE i.community_id = c.id AND i.invitee_id = :member AND i.state = 'pending' AND i.expires_at > :now), 0) AS invited_until,
       COALESCE(m.state = 'active' AND m.role = 'owner', false)
       AND NOT EXISTS (SELECT 1 FROM social_membership AS o
                        WHERE o.community_id = c.id AND o.state = 'active' AND o.role = 'owner' AND o.member_id <> :member) AS sole_owner
  FROM json_each(:ids) AS l CROSS JOIN social_community AS c ON c.id = l.value
  LEFT JOIN social_membership AS m ON m.community_id = c.id AND m.member_id = :member
 WHERE m.state = 'active' OR c.visibility = 'public' AND c.deleted_at IS NULL
 ORDER BY l.key;

-- name: add-community
INSERT INTO social_community (id, name, summary, visibility, join_policy, member_count, created_by, created_at, updated_at)
VALUES (:id, :name, :summary, :visibility, :join_policy, 0, :member, :now, :now);

-- name: save-community
UPDATE social_community
   SET name = :name, summary = :summary, visibility = :visibility, join_policy = :join_policy, updated_at = :now
 WHERE id = :id;

-- name: delete-communities
UPDATE social_community SET deleted_at = :now, updated_at = :now, member_count = 0
 WHERE id IN (SELECT value FROM json_each(:communities));

-- name: count-members
UPDATE social_community
   SET member_count = (SELECT count(*) FROM social_membership AS m
                        WHERE m.community_id = social_community.id AND m.state = 'active')
 WHERE id IN (SELECT value FROM json_each(:communities));

-- name: enclose-activity
-- What communities did is for their members from now on. They have an
-- audience each.
UPDATE social_activity
   SET audience_id = (SELECT a.id FROM social_audience AS a WHERE a.community_id = social_activity.target_id)
 WHERE target_id IN (SELECT value FROM json_each(:communities));

-- Memberships

-- name: community-members
-- The active members after a place, except those who are hidden; before them
-- whoever asks to join, if that is to be seen.
SELECT member_id, state, role, joined_at
  FROM social_membership
 WHERE community_id = :community AND (state = 'active' OR :requests AND state = 'requested')
   AND member_id NOT IN (SELECT value FROM json_each(:hidden)) AND (state = 'active', member_id) > (:active, :after)
 ORDER BY state = 'active', member_id LIMIT :limit;

-- name: community-member
SELECT member_id, state, role, joined_at
  FROM social_membership
 WHERE community_id = :community AND member_id = :member AND (state = 'active' OR :requests AND state = 'requested');

-- name: community-staff
-- The owners and moderators, except those who are hidden.
SELECT member_id FROM social_membership
 WHERE community_id = :community AND state = 'active' AND role IN ('owner', 'moderator')
   AND member_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: set-membership
INSERT INTO social_membership (community_id, member_id, state, role, joined_at, updated_at)
VALUES (:community, :member, :state, :role, :joined, :now)
    ON CONFLICT DO UPDATE SET state = excluded.state, role = excluded.role, updated_at = excluded.updated_at,
                              joined_at = COALESCE(excluded.joined_at, joined_at);

-- name: set-roles
-- Of each pair of a community and a member.
UPDATE social_membership SET role = :role, updated_at = :now
 WHERE (community_id, member_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:members));

-- name: end-memberships
-- Those of communities in the given states.
UPDATE social_membership SET state = 'left', updated_at = :now
 WHERE community_id IN (SELECT value FROM json_each(:communities)) AND state IN (SELECT value FROM json_each(:states));

-- name: memberships-of
SELECT community_id FROM social_membership WHERE member_id = :member AND state = 'active';

-- name: end-memberships-of
UPDATE social_membership SET state = 'left', updated_at = :now WHERE member_id = :member AND state IN ('active', 'requested');

-- name: heirs
-- Of those of the communities that have no owner, the members in the order in
-- which they become one.
SELECT m.community_id, m.member_id
  FROM json_each(:communities) AS l CROSS JOIN social_membership AS m ON m.community_id = l.value AND m.state = 'active'
 WHERE NOT EXISTS (SELECT 1 FROM social_membership AS o
                    WHERE o.community_id = l.value AND o.state = 'active' AND o.role = 'owner')
 ORDER BY m.community_id, m.role <> 'moderator', m.joined_at, m.member_id;

-- name: deserted
-- Those of the communities that have no members.
SELECT c.id
  FROM json_each(:communities) AS l CROSS JOIN social_community AS c ON c.id = l.value
 WHERE c.member_count = 0;

-- Invitations

-- name: invitation
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE i.id = :id;

-- name: pending-invitation
SELECT id FROM social_invitation
 WHERE community_id = :community AND invitee_id = :invitee AND state = 'pending' AND expires_at > :now;

-- name: invitations-received
-- Those of the invitee after a place, the newest first, except from those who
-- are hidden.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE i.invitee_id = :invitee AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (i.created_at, i.id) < (:at, :id)
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: invitations-waiting
-- Those of invitations-received that can still be answered.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE i.invitee_id = :invitee AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden))
   AND i.state = 'pending' AND i.expires_at > :now
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: invitations-into
-- Those into a community after a place, the newest first, except from or to
-- those who are hidden.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       c.visibility
  FROM social_invitation AS i
  JOIN social_community AS c ON c.id = i.community_id
 WHERE i.community_id = :community
   AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden)) AND i.invitee_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (i.created_at, i.id) < (:at, :id)
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: invitations-to
-- Those to an event after a place, the newest first, except to those who are
-- hidden.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       '' AS visibility
  FROM social_invitation AS i
 WHERE i.event_id = :event AND i.invitee_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (i.created_at, i.id) < (:at, :id)
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: add-invitation
INSERT INTO social_invitation (id, community_id, event_id, invitee_id, inviter_id, state, created_at, expires_at)
VALUES (:id, :community, :event, :invitee, :inviter, 'pending', :now, :expires);

-- name: answer-invitation
UPDATE social_invitation SET state = :state, answered_at = :now WHERE id = :id;

-- name: accept-invitations
-- Whoever has come in needs none any more.
UPDATE social_invitation SET state = 'accepted', answered_at = :now
 WHERE community_id = :community AND invitee_id = :invitee AND state = 'pending' AND expires_at > :now;

-- name: invited-into
-- Who could accept an invitation into a community.
SELECT invitee_id FROM social_invitation WHERE community_id = :community AND state = 'pending' AND expires_at > :now;

-- name: revoke-invitations-into
UPDATE social_invitation SET state = 'revoked', answered_at = :now
 WHERE community_id IN (SELECT value FROM json_each(:communities)) AND state = 'pending';

-- name: revoke-invitations-of
-- From and to a member.
UPDATE social_invitation SET state = 'revoked', answered_at = :now
 WHERE (invitee_id = :member OR inviter_id = :member) AND state = 'pending';

-- name: revoke-invitations-between
UPDATE social_invitation SET state = 'revoked', answered_at = :now
 WHERE (invitee_id = :one AND inviter_id = :other OR invitee_id = :other AND inviter_id = :one) AND state = 'pending';

-- Profiles and presence

-- name: profiles
-- What those of the members say of themselves who have said something, and
-- whether the viewer may see it.
SELECT p.member_id, p.bio, p.pronouns, p.links, p.visibility, p.updated_at,
       p.audience_id IN (SELECT value FROM json_each(:audiences)) AS visible
  FROM json_each(:members) AS m CROSS JOIN social_profile AS p ON p.member_id = m.value;

-- name: put-profile
INSERT INTO social_profile (member_id, bio, pronouns, links, visibility, audience_id, updated_at)
VALUES (:member, :bio, :pronouns, :links, :visibility, :audience, :now)
    ON CONFLICT (member_id) DO UPDATE
   SET bio = excluded.bio, pronouns = excluded.pronouns, links = excluded.links, visibility = excluded.visibility,
       audience_id = excluded.audience_id, updated_at = excluded.updated_at;

-- name: closed-profiles
-- Those of the members whose profiles are not for the viewer.
SELECT p.member_id
  FROM json_each(:members) AS m CROSS JOIN social_profile AS p ON p.member_id = m.value
 WHERE p.audience_id NOT IN (SELECT value FROM json_each(:audiences));

-- name: forget-profile
DELETE FROM social_profile WHERE member_id = :member;

-- name: shared-communities
-- Where the member is together with each of the others.
SELECT n.member_id, n.community_id
  FROM social_membership AS m
 CROSS JOIN json_each(:others) AS o
 CROSS JOIN social_membership AS n ON n.community_id = m.community_id AND n.member_id = o.value AND n.state = 'active'
 WHERE m.member_id = :member AND m.state = 'active' AND o.value <> :member
 ORDER BY n.member_id, n.community_id;

-- name: presence
-- What a member has said last.
SELECT member_id, state, note, visible_to, audience_id, updated_at, expires_at FROM social_presence WHERE member_id = :member;

-- name: present
-- Whoever is present now as far as the viewer may know, after one of them.
SELECT p.member_id, p.state, p.note, p.visible_to, p.audience_id, p.updated_at, p.expires_at
  FROM json_each(:audiences) AS a
 CROSS JOIN social_presence AS p ON p.audience_id = a.value AND p.expires_at > :now
 WHERE p.state <> 'offline' AND p.member_id > :after AND p.member_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY p.member_id LIMIT :limit;

-- name: present-among
-- Those of the members who are present now as far as the viewer may know.
SELECT p.member_id, p.state, p.note, p.visible_to, p.audience_id, p.updated_at, p.expires_at
  FROM json_each(:members) AS m CROSS JOIN social_presence AS p ON p.member_id = m.value
 WHERE p.expires_at > :now AND p.state <> 'offline'
   AND p.audience_id IN (SELECT value FROM json_each(:audiences))
   AND p.member_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: put-presence
INSERT INTO social_presence (member_id, state, note, visible_to, audience_id, updated_at, expires_at)
VALUES (:member, :state, :note, :visible_to, :audience, :now, :expires)
    ON CONFLICT (member_id) DO UPDATE
   SET state = excluded.state, note = excluded.note, visible_to = excluded.visible_to, audience_id = excluded.audience_id,
       updated_at = excluded.updated_at, expires_at = excluded.expires_at;

-- name: forget-presence
DELETE FROM social_presence WHERE member_id = :member;

-- Social DMs. Whoever reads or writes one does so through
-- social_dm_participant: without a row there, nothing of it is shown.

-- name: dms
-- A member's with the beginning of the latest message, the latest first.
SELECT d.id, d.seq, d.created_at, d.updated_at, p.partner_id, p.place, p.seen, p.unread, substr(m.body, 1, 120) AS summary
  FROM social_dm_participant AS p
 CROSS JOIN social_dm AS d ON d.id = p.dm_id
 CROSS JOIN social_dm_message AS m ON m.dm_id = d.id AND m.seq = d.seq
 WHERE p.member_id = :member AND p.place < :before
 ORDER BY p.place DESC LIMIT :limit;

-- name: these-dms
-- Those of the ids that are the member's.
SELECT d.id, d.seq, d.created_at, d.updated_at, p.partner_id, p.place, p.seen, p.unread, substr(m.body, 1, 120) AS summary
  FROM json_each(:ids) AS l
 CROSS JOIN social_dm_participant AS p ON p.dm_id = l.value AND p.member_id = :member
 CROSS JOIN social_dm AS d ON d.id = p.dm_id
 CROSS JOIN social_dm_message AS m ON m.dm_id = d.id AND m.seq = d.seq;

-- name: dm-between
SELECT id FROM social_dm WHERE low_id = :low AND high_id = :high;

-- name: dms-unread
SELECT coalesce(sum(unread), 0) FROM social_dm_participant WHERE member_id = :member AND unread > 0;

-- name: dm-messages
-- The last messages before one of them.
SELECT id, dm_id, seq, sender_id, body, created_at FROM social_dm_message
 WHERE dm_id = :dm AND seq < :before
 ORDER BY seq DESC LIMIT :limit;

-- name: dm-place
-- The seq of a message in its DM.
SELECT seq FROM social_dm_message WHERE id = :id AND dm_id = :dm;

-- name: common-events
-- The latest event that the viewer and each of the others attend. The viewer
-- must be able to see it, and the others may not have come to it by a
-- community that they have left, or an invitation that was taken back.
SELECT o.member_id, max(e.id) AS event_id
  FROM social_rsvp AS m
 CROSS JOIN social_event AS e ON e.id = m.event_id
 CROSS JOIN social_audience AS a ON a.id = e.audience_id
 CROSS JOIN json_each(:others) AS l
 CROSS JOIN social_rsvp AS o ON o.event_id = e.id AND o.member_id = l.value
 WHERE m.member_id = :member AND m.response IN ('going', 'maybe') AND o.response IN ('going', 'maybe')
   AND e.cancelled_at IS NULL
   AND e.audience_id IN (SELECT value FROM json_each(:audiences))
   AND e.host_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (a.kind IN ('everybody', 'circle')
        OR a.kind = 'guests' AND EXISTS (SELECT 1 FROM social_guest AS g WHERE g.audience_id = a.id AND g.member_id = o.member_id))
 GROUP BY o.member_id;

-- name: add-dm
INSERT INTO social_dm (id, low_id, high_id, seq, created_at, updated_at) VALUES (:id, :low, :high, 0, :now, :now);

-- name: add-dm-participants
-- pairs are a member and their partner, and the other way round.
INSERT INTO social_dm_participant (member_id, dm_id, partner_id, place, seen, unread)
SELECT l.value ->> 0, :dm, l.value ->> 1,
       1 + coalesce((SELECT max(p.place) FROM social_dm_participant AS p WHERE p.member_id = l.value ->> 0), 0), 0, 0
  FROM json_each(:pairs) AS l;

-- name: next-dm-seq
UPDATE social_dm SET seq = seq + 1, updated_at = :now WHERE id = :dm RETURNING seq;

-- name: add-dm-message
INSERT INTO social_dm_message (id, dm_id, seq, sender_id, body, created_at) VALUES (:id, :dm, :seq, :sender, :body, :now);

-- name: deliver-dm
-- Puts it first for both. Who wrote has read all of it.
UPDATE social_dm_participant
   SET place = 1 + (SELECT max(p.place) FROM social_dm_participant AS p WHERE p.member_id = social_dm_participant.member_id),
       seen = iif(member_id = :sender, :seq, seen), unread = iif(member_id = :sender, 0, unread + 1)
 WHERE dm_id = :dm;

-- name: mark-dm
UPDATE social_dm_participant
   SET seen = :seq,
       unread = (SELECT count(*) FROM social_dm_message WHERE dm_id = :dm AND seq > :seq AND sender_id <> :member)
 WHERE member_id = :member AND dm_id = :dm AND seen < :seq;

-- name: leave-dms
DELETE FROM social_dm_participant WHERE member_id = :member;

-- name: drop-dms
-- The member's DMs that nobody has any more.
DELETE FROM social_dm
 WHERE (low_id = :member OR high_id = :member)
   AND NOT EXISTS (SELECT 1 FROM social_dm_participant AS p WHERE p.dm_id = social_dm.id);

-- name: admitted
-- Those of the members who may see what the authors have made for an audience.
-- Of a circle, who is in it is known before.
SELECT m.value
  FROM json_each(:members) AS m CROSS JOIN social_audience AS a ON a.id = :audience
 WHERE CASE a.kind
         WHEN 'everybody' THEN true
         WHEN 'community' THEN EXISTS (SELECT 1 FROM social_membership AS n
                                        WHERE n.community_id = a.community_id AND n.member_id = m.value AND n.state = 'active')
         WHEN 'circle' THEN true
         WHEN 'guests' THEN EXISTS (SELECT 1 FROM social_guest AS g WHERE g.audience_id = a.id AND g.member_id = m.value)
       END
   AND NOT EXISTS (SELECT 1 FROM json_each(:authors) AS w CROSS JOIN social_block AS b
                    WHERE b.blocker_id = w.value AND b.blocked_id = m.value)
   AND NOT EXISTS (SELECT 1 FROM json_each(:authors) AS w CROSS JOIN social_block AS b
                    WHERE b.blocker_id = m.value AND b.blocked_id = w.value);

-- name: audience-circle
-- Whom a circle is around and how far it goes, 0 if it is none.
SELECT coalesce(member_id, 0) AS member_id, coalesce(depth, 0) AS depth FROM social_audience WHERE id = :audience;

-- name: latest-conversations
-- Those that are not of an event, by when something was last said up to a
-- moment: what is said while somebody turns pages moves none to another page.
WITH doubtful AS MATERIALIZED ( -- whoever is hidden may have had the last word
  SELECT DISTINCT r.conversation_id FROM json_each(:hidden) AS h CROSS JOIN social_reply AS r ON r.author_id = h.value),
visible AS MATERIALIZED (
  SELECT c.id, CASE
           WHEN c.active_at <= :as_of AND c.id NOT IN (SELECT conversation_id FROM doubtful) THEN c.active_at
           ELSE coalesce((SELECT r.created_at FROM social_reply AS r
                           WHERE r.conversation_id = c.id AND r.created_at <= :as_of
                             AND r.author_id NOT IN (SELECT value FROM json_each(:hidden))
                           ORDER BY r.seq DESC LIMIT 1), c.created_at)
         END AS active_at
    FROM json_each(:audiences) AS a CROSS JOIN social_conversation AS c
      ON c.audience_id = a.value AND c.context <> 'event'
   WHERE c.created_at <= :as_of AND c.author_id NOT IN (SELECT value FROM json_each(:hidden)))
SELECT id, active_at FROM visible
 WHERE (active_at, id) < (:before, :before_id)
 ORDER BY active_at DESC, id DESC LIMIT :limit;

-- name: conversations
-- Those of the list that the member may see, in its order, as the event where
-- it is that of one. Nothing is counted by those who are hidden, and what the
-- member wrote is never beyond their marker.
WITH hidden AS MATERIALIZED (SELECT value AS id FROM json_each(:hidden))
SELECT c.id, coalesce(e.title, c.title) AS title, c.body, c.context, c.community_id, c.depth, c.audience_id, c.author_id,
       c.state, c.seq, c.created_at, c.updated_at, e.id AS event_id, coalesce(m.seq, 0) AS marker, coalesce(n.role, '') AS role,
       c.seq - (SELECT count(*) FROM hidden AS h CROSS JOIN social_reply AS r
                 WHERE r.author_id = h.id AND r.conversation_id = c.id) AS replies,
       c.participants - (SELECT count(*) FROM hidden AS h
                          WHERE h.id = c.author_id
                             OR EXISTS (SELECT 1 FROM social_reply AS r
                                         WHERE r.author_id = h.id AND r.conversation_id = c.id)) AS participants,
       c.seq - coalesce(m.seq, 0) - (SELECT count(*) FROM hidden AS h CROSS JOIN social_reply AS r
                                      WHERE r.author_id = h.id AND r.conversation_id = c.id
                                        AND r.seq > coalesce(m.seq, 0)) AS unread,
       CASE WHEN :hidden <> '[]' THEN (SELECT r.created_at FROM social_reply AS r
                                        WHERE r.conversation_id = c.id AND r.author_id NOT IN (SELECT id FROM hidden)
                                        ORDER BY r.seq DESC LIMIT 1)
            WHEN c.seq > 0 THEN c.active_at END AS last_reply_at
  FROM json_each(:ids) AS l CROSS JOIN social_conversation AS c ON c.id = l.value
  LEFT JOIN social_reader AS m ON m.conversation_id = c.id AND m.member_id = :member
  LEFT JOIN social_membership AS n ON n.community_id = c.community_id AND n.member_id = :member AND n.state = 'active'
  LEFT JOIN social_event AS e ON e.conversation_id = c.id
 WHERE c.audience_id IN (SELECT value FROM json_each(:audiences))
   AND (e.visibility = 'community' OR c.author_id NOT IN (SELECT id FROM hidden))
 ORDER BY l.key;

-- name: count-conversations
SELECT count(*)
  FROM json_each(:audiences) AS a CROSS JOIN social_conversation AS c
    ON c.audience_id = a.value AND c.context <> 'event'
 WHERE c.author_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: posting
-- What a member may know of a community: nothing of a private one that is not
-- theirs. active: they may post in it.
SELECT m.state IS 'active' AS active
  FROM social_community AS c
  LEFT JOIN social_membership AS m ON m.community_id = c.id AND m.member_id = :member
 WHERE c.id = :community AND c.deleted_at IS NULL AND (c.visibility = 'public' OR m.state = 'active');

-- name: change-conversation
UPDATE social_conversation
   SET title = :title, body = :body, state = :state, updated_at = :now, revision = revision + 1
 WHERE id = :id;

-- name: replies
-- The last ones before one of them. One that answers what is hidden answers
-- nothing.
SELECT r.id, r.seq, r.author_id, r.body, p.id AS in_reply_to, r.created_at
  FROM social_reply AS r
  LEFT JOIN social_reply AS p ON p.id = r.in_reply_to AND p.author_id NOT IN (SELECT value FROM json_each(:hidden))
 WHERE r.conversation_id = :conversation AND r.seq < :before
   AND r.author_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY r.seq DESC LIMIT :limit;

-- name: reply-seq
-- Where a reply stands in its conversation.
SELECT seq FROM social_reply
 WHERE id = :id AND conversation_id = :conversation AND author_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: count-reply
UPDATE social_conversation
   SET seq = seq + 1, active_at = max(active_at, :now),
       participants = participants + (author_id <> :author AND NOT EXISTS (
         SELECT 1 FROM social_reply AS r WHERE r.author_id = :author AND r.conversation_id = :conversation))
 WHERE id = :conversation RETURNING seq;

-- name: add-reply
INSERT INTO social_reply (id, conversation_id, seq, author_id, body, in_reply_to, created_at)
VALUES (:id, :conversation, :seq, :author, :body, :in_reply_to, :now);

-- name: mark-conversation
INSERT INTO social_reader (conversation_id, member_id, seq) VALUES (:conversation, :member, :seq)
    ON CONFLICT DO UPDATE SET seq = excluded.seq WHERE seq < excluded.seq;

-- name: participants
-- Who has written in a conversation.
SELECT author_id FROM social_conversation WHERE id = :conversation
UNION
SELECT author_id FROM social_reply WHERE conversation_id = :conversation;

-- name: forget-markers
DELETE FROM social_reader WHERE member_id = :member;

-- name: activity
-- The latest of each audience, and of those the latest.
SELECT t.id, t.kind, t.actor_id, t.target_type, t.target_id, t.created_at
  FROM json_each(:audiences) AS a CROSS JOIN social_activity AS t
    ON t.id IN (SELECT x.id FROM social_activity AS x
                 WHERE x.audience_id = a.value AND (x.created_at, x.id) < (:before, :before_id)
                   AND x.actor_id NOT IN (SELECT value FROM json_each(:hidden))
                   AND (x.author_id IS NULL OR x.author_id NOT IN (SELECT value FROM json_each(:hidden)))
                 ORDER BY x.created_at DESC, x.id DESC LIMIT :limit)
 ORDER BY t.created_at DESC, t.id DESC LIMIT :limit;

-- name: forget-activity
-- The oldest of what happened before some time.
DELETE FROM social_activity
 WHERE rowid IN (SELECT rowid FROM social_activity WHERE created_at < :before ORDER BY created_at LIMIT :limit);

-- name: titles
-- What the targets are called. An invitation is called as what it is to, for a
-- member who sees that or may still come into that community.
SELECT c.id, c.title FROM json_each(:targets) AS l CROSS JOIN social_conversation AS c ON c.id = l.value
UNION ALL
SELECT c.id, c.name FROM json_each(:targets) AS l CROSS JOIN social_community AS c ON c.id = l.value
UNION ALL
SELECT e.id, e.title FROM json_each(:targets) AS l CROSS JOIN social_event AS e ON e.id = l.value
UNION ALL
SELECT i.id, c.name
  FROM json_each(:targets) AS l CROSS JOIN social_invitation AS i ON i.id = l.value
 CROSS JOIN social_community AS c ON c.id = i.community_id
 WHERE c.visibility = 'public' AND c.deleted_at IS NULL OR i.state = 'pending' AND i.expires_at > :now
    OR EXISTS (SELECT 1 FROM social_membership AS m WHERE m.community_id = c.id AND m.member_id = :member AND m.state = 'active')
UNION ALL
SELECT i.id, e.title
  FROM json_each(:targets) AS l CROSS JOIN social_invitation AS i ON i.id = l.value
 CROSS JOIN social_event AS e ON e.id = i.event_id
 WHERE e.audience_id IN (SELECT value FROM json_each(:audiences))
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)));

-- name: notifications
-- All of a member's, or those that are unread.
SELECT id, kind, actor_id, target_type, target_id, created_at, read_at
  FROM social_notification
 WHERE member_id = :member AND (created_at, id) < (:before, :before_id) AND (NOT :unread OR read_at IS NULL)
   AND (audience_id IS NULL OR audience_id IN (SELECT value FROM json_each(:audiences)))
   AND actor_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (author_id IS NULL OR author_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY created_at DESC, id DESC LIMIT :limit;

-- name: unread-notifications
-- How many of those in notifications are unread.
SELECT count(*)
  FROM social_notification
 WHERE member_id = :member AND read_at IS NULL
   AND (audience_id IS NULL OR audience_id IN (SELECT value FROM json_each(:audiences)))
   AND actor_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (author_id IS NULL OR author_id NOT IN (SELECT value FROM json_each(:hidden)));

-- name: read-notifications
UPDATE social_notification SET read_at = :now
 WHERE member_id = :member AND read_at IS NULL AND (:all OR id IN (SELECT value FROM json_each(:ids)));

-- name: forget-notifications
-- The oldest of what somebody was told before some time.
DELETE FROM social_notification
 WHERE rowid IN (SELECT rowid FROM social_notification WHERE created_at < :before ORDER BY created_at LIMIT :limit);

-- name: drop-notifications
DELETE FROM social_notification WHERE member_id = :member;

-- Events. That of a community is the community's, and a block hides it no more
-- than the community itself; any other is its host's.

-- name: seen-events
-- Those of the ids that the member sees, in their order.
SELECT e.id, e.conversation_id, e.title, e.description, e.start_local, e.end_local, e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at, e.cancelled_at,
       (SELECT c.state = 'closed' FROM social_conversation AS c WHERE c.id = e.conversation_id) AS closed,
       coalesce((SELECT r.response FROM social_rsvp AS r WHERE r.event_id = e.id AND r.member_id = :member), 'none') AS mine,
       coalesce((SELECT m.role FROM social_membership AS m
                  WHERE m.community_id = e.community_id AND m.member_id = :member AND m.state = 'active'), '') AS role
  FROM json_each(:ids) AS l CROSS JOIN social_event AS e ON e.id = l.value
 WHERE e.audience_id IN (SELECT value FROM json_each(:audiences))
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY l.key;

-- name: events-of
-- Events by id, whoever may see them.
SELECT e.id, e.conversation_id, e.title, e.description, e.start_local, e.end_local, e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at, e.cancelled_at, '' AS mine, '' AS role
  FROM json_each(:ids) AS l CROSS JOIN social_event AS e ON e.id = l.value;

-- name: next-events
-- Where those stand that are not over by a time and begin before another, after
-- a place.
SELECT e.id, e.starts_at AS at, e.ends_at
  FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at > :from
 WHERE e.starts_at < :to AND (e.starts_at, e.id) > (:at, :id)
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY e.starts_at, e.id LIMIT :limit;

-- name: past-events
-- Where those stand that are over, the last one first, after a place.
SELECT e.id, e.ends_at AS at, e.ends_at
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
INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, rrule, starts_at, ends_at,
                          location, latitude, longitude, visibility, community_id, depth, audience_id, host_id, capacity,
                          revision, created_at, updated_at)
VALUES (:id, :conversation, :title, :description, :start_local, :end_local, :timezone, :all_day, :rrule, :starts_at, :ends_at,
        :location, :latitude, :longitude, :visibility, :community, :depth, :audience, :host, :capacity, 0, :now, :now);

-- name: save-event
UPDATE social_event
   SET title = :title, description = :description, start_local = :start_local, end_local = :end_local, timezone = :timezone, all_day = :all_day,
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
-- The answers of members to events of a community that are not over. Hosts have
-- these in their calendars, whatever they answered.
SELECT e.id AS event_id, m.value AS member_id
  FROM social_event AS e CROSS JOIN json_each(:members) AS m
 WHERE e.community_id = :community AND e.ends_at > :now
   AND (e.host_id = m.value OR EXISTS (SELECT 1 FROM social_rsvp AS r WHERE r.event_id = e.id AND r.member_id = m.value));

-- name: rsvps-in-circles
-- The answers of others than their hosts to events for circles that are not
-- over.
SELECT e.id AS event_id, e.host_id, e.depth, r.member_id
  FROM social_event AS e CROSS JOIN social_rsvp AS r ON r.event_id = e.id AND r.member_id <> e.host_id
 WHERE e.visibility = 'circle' AND e.ends_at > :now;

-- name: events-in
-- The events of communities that are not over and still to be.
SELECT e.id
  FROM json_each(:communities) AS l CROSS JOIN social_event AS e ON e.community_id = l.value
 WHERE e.ends_at > :now AND e.cancelled_at IS NULL;

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

-- Overviews

-- name: nearest-communities
-- Those that the member sees, their own before others, the newest first.
-- scan: of the index of all that they see, up to the limit
SELECT id
  FROM (SELECT c.id, 0 AS others, c.created_at
          FROM social_membership AS m CROSS JOIN social_community AS c ON c.id = m.community_id
         WHERE m.member_id = :member AND m.state = 'active'
         UNION ALL
        SELECT id, others, created_at
          FROM (SELECT c.id, 1 AS others, c.created_at
                  FROM social_community AS c
                 WHERE c.visibility = 'public' AND c.deleted_at IS NULL
                   AND NOT EXISTS (SELECT 1 FROM social_membership AS m
                                    WHERE m.community_id = c.id AND m.member_id = :member AND m.state = 'active')
                 ORDER BY c.created_at DESC, c.id DESC LIMIT :limit))
 ORDER BY others, created_at DESC, id DESC LIMIT :limit;

-- name: count-communities
-- scan: of the index of all that are counted
SELECT (SELECT count(*) FROM social_community WHERE visibility = 'public' AND deleted_at IS NULL)
     + (SELECT count(*)
          FROM social_membership AS m CROSS JOIN social_community AS c ON c.id = m.community_id AND c.visibility = 'private'
         WHERE m.member_id = :member AND m.state = 'active');

-- name: charges
-- Whoever is in the communities that the member looks after, or asks to join
-- them: these first, the latest first.
SELECT r.community_id, r.member_id, r.state, r.role, r.joined_at
  FROM social_membership AS s CROSS JOIN social_membership AS r
    ON r.community_id = s.community_id AND r.state IN ('requested', 'active')
 WHERE s.member_id = :member AND s.state = 'active' AND s.role <> 'member' AND r.member_id <> :member
 ORDER BY r.state = 'active', r.updated_at DESC, r.community_id, r.member_id LIMIT :limit;

-- name: pending-invitations
-- To and from the member, the newest first, except from or to those who are
-- hidden.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE (i.invitee_id = :member OR i.inviter_id = :member) AND i.state = 'pending' AND i.expires_at > :now
   AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden)) AND i.invitee_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: count-events
-- How many are not over, and when the first of them is.
SELECT count(*) AS n, coalesce(min(e.ends_at), :forever) AS next
  FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at > :now
 WHERE e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden));

-- Export. What a member said and did, each after a place.

-- name: export-memberships
-- The communities that a member is in or asks to join, with their names.
SELECT m.community_id, c.name, m.state, m.role, m.joined_at
  FROM social_membership AS m CROSS JOIN social_community AS c ON c.id = m.community_id
 WHERE m.member_id = :member AND m.state IN ('requested', 'active')
 ORDER BY m.state, m.community_id;

-- name: export-conversations
-- Those that a member has begun, but for those of events.
SELECT rowid AS n, id, title, body, context, community_id, depth, state, created_at, updated_at
  FROM social_conversation
 WHERE author_id = :member AND rowid > :after AND context <> 'event' ORDER BY rowid LIMIT :limit;

-- name: export-replies
SELECT id, conversation_id, seq, body, in_reply_to, created_at
  FROM social_reply
 WHERE author_id = :member AND (conversation_id, seq) > (:conversation, :seq) ORDER BY conversation_id, seq LIMIT :limit;

-- name: export-events
-- A member's own events, those first that are over first.
SELECT rowid AS n, id, conversation_id, title, description, start_local, end_local, timezone, all_day, rrule, ends_at, location, latitude, longitude,
       visibility, community_id, depth, capacity, created_at, updated_at, cancelled_at
  FROM social_event
 WHERE host_id = :member AND (ends_at, rowid) > (:ends, :after) ORDER BY ends_at, rowid LIMIT :limit;

-- name: export-rsvps
SELECT event_id, response, note, responded_at
  FROM social_rsvp WHERE member_id = :member AND event_id > :after ORDER BY event_id LIMIT :limit;

-- name: export-invitations
-- Those from and to a member.
SELECT id, community_id, event_id, invitee_id, inviter_id, state, created_at, expires_at, answered_at
  FROM social_invitation WHERE invitee_id = :member OR inviter_id = :member;
