-- Social. Queries on behalf of a member have two parameters: :audiences, the ids of
-- the member's audiences, and :hidden, the members hidden by blocks. They return only
-- records that these audiences can see and that blocks do not hide.

-- Audiences

-- name: member-audiences
-- Returns the ids of the member's audiences. circles contains pairs of a member
-- and their depth, with the member at depth 0.
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
-- Returns the members of an audience that is not a circle; 0 stands for everyone.
SELECT m.member_id
  FROM social_audience AS a CROSS JOIN social_membership AS m ON m.community_id = a.community_id AND m.state = 'active'
 WHERE a.id = :audience AND a.kind = 'community'
UNION ALL
SELECT member_id FROM social_guest WHERE audience_id = :audience
UNION ALL
SELECT 0 FROM social_audience WHERE id = :audience AND kind = 'everyone';

-- name: audience-circle
-- Returns the center and the depth of a circle audience, zeros for other kinds.
SELECT coalesce(member_id, 0) AS member_id, coalesce(depth, 0) AS depth FROM social_audience WHERE id = :audience;

-- name: audience-filter
-- Returns the members who are in the audience and not hidden from any of the
-- authors. For a circle audience, the caller must have removed the members who are
-- outside the circle.
SELECT m.value
  FROM json_each(:members) AS m CROSS JOIN social_audience AS a ON a.id = :audience
 WHERE CASE a.kind
         WHEN 'everyone' THEN true
         WHEN 'community' THEN EXISTS (SELECT 1 FROM social_membership AS n
                                        WHERE n.community_id = a.community_id AND n.member_id = m.value AND n.state = 'active')
         WHEN 'circle' THEN true
         WHEN 'guests' THEN EXISTS (SELECT 1 FROM social_guest AS g WHERE g.audience_id = a.id AND g.member_id = m.value)
       END
   AND NOT EXISTS (SELECT 1 FROM json_each(:authors) AS w CROSS JOIN social_block AS b
                    WHERE b.blocker_id = w.value AND b.blocked_id = m.value)
   AND NOT EXISTS (SELECT 1 FROM json_each(:authors) AS w CROSS JOIN social_block AS b
                    WHERE b.blocker_id = m.value AND b.blocked_id = w.value);

-- name: community-audience
SELECT id FROM social_audience WHERE community_id = :community;

-- name: circle-audience
SELECT id FROM social_audience WHERE member_id = :member AND depth = :depth;

-- name: add-audience
INSERT INTO social_audience (kind, community_id, member_id, depth) VALUES (:kind, :community, :member, :depth) RETURNING id;

-- name: add-guests
INSERT INTO social_guest (audience_id, member_id) SELECT :audience, value FROM json_each(:members) WHERE true
    ON CONFLICT DO NOTHING;

-- name: remove-guest
DELETE FROM social_guest WHERE audience_id = :audience AND member_id = :member;

-- name: delete-guest-rows
-- Removes a member from guest audiences.
DELETE FROM social_guest
 WHERE (audience_id, member_id) IN (SELECT audience_id, member_id FROM social_guest WHERE member_id = :member LIMIT :limit);

-- name: delete-guest-list
-- Deletes a guest audience with its guests. It does nothing if the audience is
-- of another kind.
DELETE FROM social_audience WHERE id = :audience AND kind = 'guests';

-- Circles

-- name: graph-revisions
SELECT revision, audiences,
       EXISTS (SELECT 1 FROM social_follow_up WHERE guest_id = 0 AND host_id = 0 AND community_id = '' AND only_event_id = '') AS unsettled
  FROM social_graph WHERE id = 1;

-- name: set-circle-revision
UPDATE social_graph SET revision = :revision WHERE id = 1;

-- name: private-communities
-- Returns the private communities of the members, except the excluded ones, with
-- all their active members.
SELECT m.community_id, m.member_id
  FROM (SELECT DISTINCT c.id
          FROM json_each(:members) AS f
         CROSS JOIN social_membership AS n ON n.member_id = f.value AND n.state = 'active'
         CROSS JOIN social_community AS c ON c.id = n.community_id AND c.visibility = 'private'
         WHERE c.id NOT IN (SELECT value FROM json_each(:exclude))) AS g
 CROSS JOIN social_membership AS m ON m.community_id = g.id AND m.state = 'active'
 ORDER BY m.community_id, m.member_id;

-- name: blocked-pairs
-- Returns the blocks between the members and any other members, as pairs.
SELECT b.blocker_id AS member_id, b.blocked_id AS other_id
  FROM json_each(:members) AS f CROSS JOIN social_block AS b ON b.blocker_id = f.value
UNION ALL
SELECT b.blocked_id, b.blocker_id
  FROM json_each(:members) AS f CROSS JOIN social_block AS b ON b.blocked_id = f.value;

-- Blocks

-- name: hidden-members
-- Returns the members with a block between them and the member.
SELECT blocked_id FROM social_block WHERE blocker_id = :member
UNION
SELECT blocker_id FROM social_block WHERE blocked_id = :member;

-- name: list-blocks
SELECT blocked_id, created_at FROM social_block WHERE blocker_id = :member ORDER BY created_at DESC, blocked_id;

-- name: blockers
-- Returns the members who block the member.
SELECT blocker_id FROM social_block WHERE blocked_id = :member;

-- name: add-block
INSERT INTO social_block (blocker_id, blocked_id, created_at) VALUES (:member, :other, :now) ON CONFLICT DO NOTHING;

-- name: blocked-at
SELECT created_at FROM social_block WHERE blocker_id = :member AND blocked_id = :other;

-- name: delete-block
DELETE FROM social_block WHERE blocker_id = :member AND blocked_id = :other;

-- name: delete-blocks
-- Deletes the blocks between the member and any other members.
DELETE FROM social_block
 WHERE (blocker_id, blocked_id) IN (SELECT blocker_id, blocked_id FROM social_block WHERE blocker_id = :member OR blocked_id = :member LIMIT :limit);

-- Communities

-- name: list-communities
-- Returns communities that the member sees, newest first. If :mine is true, it
-- returns only those that the member is in.
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
-- Returns the communities among :ids that the member sees, in the order of :ids. A
-- deleted community has no active members. The member count omits hidden members,
-- except for owners and moderators.
SELECT c.id, c.name, c.summary, coalesce(c.color, '') AS color,
       coalesce((SELECT a.key FROM social_avatar AS a WHERE a.community_id = c.id), '') AS avatar, c.visibility, c.join_policy, c.created_by, c.created_at, c.updated_at,
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
INSERT INTO social_community (id, name, summary, visibility, join_policy, color, member_count, created_by, created_at, updated_at)
VALUES (:id, :name, :summary, :visibility, :join_policy, nullif(:color, ''), 0, :member, :now, :now);

-- name: update-community
UPDATE social_community
   SET name = :name, summary = :summary, visibility = :visibility, join_policy = :join_policy, color = nullif(:color, ''), updated_at = :now
 WHERE id = :id;

-- name: delete-communities
UPDATE social_community SET deleted_at = :now, updated_at = :now, member_count = 0
 WHERE id IN (SELECT value FROM json_each(:communities));

-- name: update-member-counts
UPDATE social_community
   SET member_count = (SELECT count(*) FROM social_membership AS m
                        WHERE m.community_id = social_community.id AND m.state = 'active')
 WHERE id IN (SELECT value FROM json_each(:communities));

-- name: restrict-activity
-- Restricts the activity about communities to their members. Each community must
-- have an audience.
UPDATE social_activity
   SET audience_id = (SELECT a.id FROM social_audience AS a WHERE a.community_id = social_activity.target_id)
 WHERE target_id IN (SELECT value FROM json_each(:communities));

-- name: empty-communities
-- Returns the communities without active members.
SELECT c.id
  FROM json_each(:communities) AS l CROSS JOIN social_community AS c ON c.id = l.value
 WHERE c.member_count = 0;

-- name: shared-communities
-- Returns the communities that the member shares with each of the others.
SELECT n.member_id, n.community_id
  FROM social_membership AS m
 CROSS JOIN json_each(:others) AS o
 CROSS JOIN social_membership AS n ON n.community_id = m.community_id AND n.member_id = o.value AND n.state = 'active'
 WHERE m.member_id = :member AND m.state = 'active' AND o.value <> :member
 ORDER BY n.member_id, n.community_id;

-- name: member-role
-- Returns the role of a member in a community that they can see, '' if they are not
-- in it.
SELECT coalesce(m.role, '')
  FROM social_community AS c
  LEFT JOIN social_membership AS m ON m.community_id = c.id AND m.member_id = :member AND m.state = 'active'
 WHERE c.id = :community AND c.deleted_at IS NULL AND (c.visibility = 'public' OR m.role IS NOT NULL);

-- name: put-avatar
INSERT INTO social_avatar (community_id, member_id, key, created_at, thumb, picture)
VALUES (:community, :member, :key, :now, :thumb, :picture)
    ON CONFLICT (community_id) DO UPDATE
   SET member_id = excluded.member_id, key = excluded.key, created_at = excluded.created_at, thumb = excluded.thumb, picture = excluded.picture;

-- name: avatar
-- Returns the avatar of a community that the member sees, if it has the key.
SELECT iif(:thumb, a.thumb, a.picture)
  FROM social_avatar AS a
  JOIN social_community AS c ON c.id = a.community_id
  LEFT JOIN social_membership AS m ON m.community_id = c.id AND m.member_id = :member
 WHERE a.community_id = :community AND a.key = :key
   AND (m.state = 'active' OR c.visibility = 'public' AND c.deleted_at IS NULL);

-- name: delete-avatars
DELETE FROM social_avatar WHERE community_id IN (SELECT value FROM json_each(:communities));

-- Memberships

-- name: community-members
-- Returns active members by id, after a cursor. If :requests is true, members who
-- have requested to join precede them.
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
-- Returns the owners and moderators, except hidden ones.
SELECT member_id FROM social_membership
 WHERE community_id = :community AND state = 'active' AND role IN ('owner', 'moderator')
   AND member_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: set-membership
INSERT INTO social_membership (community_id, member_id, state, role, joined_at, updated_at)
VALUES (:community, :member, :state, :role, :joined, :now)
    ON CONFLICT DO UPDATE SET state = excluded.state, role = excluded.role, updated_at = excluded.updated_at,
                              joined_at = COALESCE(excluded.joined_at, joined_at);

-- name: set-roles
-- Sets the role of memberships. members contains pairs of a community and a member.
UPDATE social_membership SET role = :role, updated_at = :now
 WHERE (community_id, member_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:members));

-- name: end-memberships
UPDATE social_membership SET state = 'left', updated_at = :now
 WHERE community_id IN (SELECT value FROM json_each(:communities)) AND state IN (SELECT value FROM json_each(:states));

-- name: leave-communities
-- Ends memberships and requests of a member, and returns the communities.
UPDATE social_membership SET state = 'left', updated_at = :now
 WHERE member_id = :member
   AND community_id IN (SELECT community_id FROM social_membership WHERE member_id = :member AND state IN ('active', 'requested') LIMIT :limit)
RETURNING community_id;

-- name: owner-candidates
-- Returns the members of each community without an owner, in the order in which
-- they are candidates.
SELECT m.community_id, m.member_id
  FROM json_each(:communities) AS l CROSS JOIN social_membership AS m ON m.community_id = l.value AND m.state = 'active'
 WHERE NOT EXISTS (SELECT 1 FROM social_membership AS o
                    WHERE o.community_id = l.value AND o.state = 'active' AND o.role = 'owner')
 ORDER BY m.community_id, m.role <> 'moderator', m.joined_at, m.member_id;

-- Invitations

-- name: invitation
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE i.id = :id;

-- name: received-invitations
-- Returns the invitations to a member, newest first, except by hidden members.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE i.invitee_id = :invitee AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (i.created_at, i.id) < (:at, :id)
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: answerable-invitations
-- Returns the received invitations that can still be answered.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE i.invitee_id = :invitee AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden))
   AND i.state = 'pending' AND i.expires_at > :now
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: open-questions
-- Returns what waits for an answer of the member, in the order of its end: the received
-- invitations that can still be answered, and the visible events of other hosts that the
-- member has not answered, unless there is an invitation to them. :limit limits the events, -1
-- for none: a limited result has no particular events.
WITH hidden AS MATERIALIZED (SELECT value AS id FROM json_each(:hidden)),
     answerable AS MATERIALIZED (
       SELECT event_id, expires_at FROM social_invitation
        WHERE invitee_id = :member AND inviter_id NOT IN (SELECT id FROM hidden) AND state = 'pending' AND expires_at > :now)
SELECT true AS is_invitation, event_id, expires_at AS until FROM answerable
UNION ALL
SELECT * FROM (
  SELECT false, e.id, e.ends_at
    FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at > :now
   WHERE e.host_id <> :member AND e.cancelled_at IS NULL
     AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT id FROM hidden))
     AND NOT EXISTS (SELECT 1 FROM answerable AS i WHERE i.event_id = e.id)
     AND NOT EXISTS (SELECT 1 FROM social_response AS r WHERE r.event_id = e.id AND r.member_id = :member AND r.response <> 'none')
     AND NOT EXISTS (SELECT 1 FROM social_follow_up AS f
                      WHERE f.guest_id = 0 AND f.host_id = e.host_id AND f.community_id = '' AND f.only_event_id = ''
                        AND f.cancelled = 1 AND e.ends_at > f.changed_at)
   LIMIT :limit)
 ORDER BY until;

-- name: add-invitation
INSERT INTO social_invitation (id, community_id, event_id, invitee_id, inviter_id, state, created_at, expires_at)
VALUES (:id, :community, :event, :invitee, :inviter, 'pending', :now, :expires);

-- name: set-invitation-state
UPDATE social_invitation SET state = :state, answered_at = :now WHERE id = :id;

-- name: revoke-invitations-of
-- Revokes pending invitations by and to a member.
UPDATE social_invitation SET state = 'revoked', answered_at = :now
 WHERE id IN (SELECT id FROM social_invitation WHERE (invitee_id = :member OR inviter_id = :member) AND state = 'pending' LIMIT :limit);

-- name: revoke-invitations-between
UPDATE social_invitation SET state = 'revoked', answered_at = :now
 WHERE (invitee_id = :one AND inviter_id = :other OR invitee_id = :other AND inviter_id = :one) AND state = 'pending';

-- name: community-invitations
-- Returns the invitations to a community, newest first, except by and to hidden
-- members.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       c.visibility
  FROM social_invitation AS i
  JOIN social_community AS c ON c.id = i.community_id
 WHERE i.community_id = :community
   AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden)) AND i.invitee_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (i.created_at, i.id) < (:at, :id)
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: pending-community-invitation
SELECT id FROM social_invitation
 WHERE community_id = :community AND invitee_id = :invitee AND state = 'pending' AND expires_at > :now;

-- name: next-invitation-expiry
-- Returns the earliest expiry of a pending invitation by or to a member, to a
-- community or an event, or with an id; 0 for none.
SELECT COALESCE(min(expires_at), 0) FROM (
  SELECT expires_at FROM social_invitation WHERE invitee_id = :member AND state = 'pending' AND expires_at > :now
  UNION ALL SELECT expires_at FROM social_invitation WHERE inviter_id = :member AND state = 'pending' AND expires_at > :now
  UNION ALL SELECT expires_at FROM social_invitation WHERE community_id = :record AND state = 'pending' AND expires_at > :now
  UNION ALL SELECT expires_at FROM social_invitation WHERE event_id = :record AND state = 'pending' AND expires_at > :now
  UNION ALL SELECT expires_at FROM social_invitation WHERE id = :record AND state = 'pending' AND expires_at > :now);

-- name: accept-invitations
-- Accepts the pending invitations of a member who has joined.
UPDATE social_invitation SET state = 'accepted', answered_at = :now
 WHERE community_id = :community AND invitee_id = :invitee AND state = 'pending' AND expires_at > :now;

-- name: invited-members
-- Returns the members with a pending invitation to a community.
SELECT invitee_id FROM social_invitation WHERE community_id = :community AND state = 'pending' AND expires_at > :now;

-- name: revoke-community-invitations
UPDATE social_invitation SET state = 'revoked', answered_at = :now
 WHERE community_id IN (SELECT value FROM json_each(:communities)) AND state = 'pending';

-- name: event-invitations
-- Returns the invitations to an event, newest first, except to hidden members.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       '' AS visibility
  FROM social_invitation AS i
 WHERE i.event_id = :event AND i.invitee_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (i.created_at, i.id) < (:at, :id)
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: event-invitation-ids
SELECT id FROM social_invitation WHERE event_id = :event;

-- name: pending-event-invitation
SELECT id FROM social_invitation WHERE event_id = :event AND invitee_id = :member AND state = 'pending' AND expires_at > :now;

-- name: is-invited
-- Reports whether a member has an invitation to an event that is not revoked.
SELECT EXISTS (SELECT 1 FROM social_invitation WHERE event_id = :event AND invitee_id = :member AND state <> 'revoked');

-- name: settle-event-invitations
UPDATE social_invitation SET state = :state, answered_at = :now WHERE event_id = :event AND invitee_id = :member AND state = 'pending';

-- name: set-event-invitations-expiry
UPDATE social_invitation SET expires_at = :expires WHERE event_id = :event AND state = 'pending';

-- Conversations

-- name: latest-conversations
-- Returns the cursors of conversations except those of events, latest activity
-- first. It ignores activity after as_of, so that replies between two pages do not
-- move conversations from one page to another.
WITH uncertain AS MATERIALIZED ( -- the last reply may be by a hidden member
  SELECT DISTINCT r.conversation_id FROM json_each(:hidden) AS h CROSS JOIN social_reply AS r ON r.author_id = h.value),
visible AS MATERIALIZED (
  SELECT c.id, CASE
           WHEN c.active_at <= :as_of AND c.id NOT IN (SELECT conversation_id FROM uncertain) THEN c.active_at
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
-- Returns the conversations among :ids that the member sees, in the order of :ids.
-- Counts omit hidden members. The title and the id of an event replace those of its
-- conversation. Replies by the member are never after their read cursor. Without a cursor,
-- the first post is unread, unless the member has written it.
WITH hidden AS MATERIALIZED (SELECT value AS id FROM json_each(:hidden))
SELECT c.id, coalesce(e.title, c.title) AS title, c.body, c.context, c.community_id, c.depth, c.audience_id, c.author_id,
       c.state, c.seq, c.created_at, c.updated_at, e.id AS event_id, coalesce(m.seq, 0) AS read_seq, coalesce(n.role, '') AS role,
       coalesce(m.marked_unread, c.context <> 'event' AND c.author_id <> :member) AS marked_unread,
       (SELECT r.id FROM social_reply AS r
         WHERE r.conversation_id = c.id AND r.seq <= m.seq AND r.author_id NOT IN (SELECT id FROM hidden)
         ORDER BY r.seq DESC LIMIT 1) AS read_up_to,
       CASE c.context WHEN 'event' THEN e.title
                      WHEN 'community' THEN (SELECT g.name FROM social_community AS g WHERE g.id = c.community_id)
                      ELSE '' END AS context_title,
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
            WHEN c.seq > 0 THEN c.active_at END AS last_reply_at,
       q.id AS last_reply_id, q.author_id AS last_author_id, substr(q.body, 1, 120) AS last_excerpt, q.created_at AS last_created_at
  FROM json_each(:ids) AS l CROSS JOIN social_conversation AS c ON c.id = l.value
  LEFT JOIN social_read_cursor AS m ON m.conversation_id = c.id AND m.member_id = :member
  LEFT JOIN social_membership AS n ON n.community_id = c.community_id AND n.member_id = :member AND n.state = 'active'
  LEFT JOIN social_event AS e ON e.conversation_id = c.id
  LEFT JOIN social_reply AS q ON q.id = (SELECT r.id FROM social_reply AS r
                                          WHERE r.conversation_id = c.id AND r.author_id NOT IN (SELECT id FROM hidden)
                                          ORDER BY r.seq DESC LIMIT 1)
 WHERE c.audience_id IN (SELECT value FROM json_each(:audiences))
   AND (e.visibility = 'community' OR c.author_id NOT IN (SELECT id FROM hidden))
 ORDER BY l.key;

-- name: count-conversations
SELECT count(*)
  FROM json_each(:audiences) AS a CROSS JOIN social_conversation AS c
    ON c.audience_id = a.value AND c.context <> 'event'
 WHERE c.author_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: count-unread-conversations
-- Counts the conversations that the query conversations returns with unread replies or
-- the mark as unread, except those of events.
WITH hidden AS MATERIALIZED (SELECT value AS id FROM json_each(:hidden))
SELECT count(*)
  FROM json_each(:audiences) AS a CROSS JOIN social_conversation AS c
    ON c.audience_id = a.value AND c.context <> 'event'
  LEFT JOIN social_read_cursor AS m ON m.conversation_id = c.id AND m.member_id = :member
 WHERE c.author_id NOT IN (SELECT id FROM hidden)
   AND (coalesce(m.marked_unread, c.author_id <> :member)
        OR c.seq > coalesce(m.seq, 0)
           AND c.seq - coalesce(m.seq, 0) > (SELECT count(*) FROM hidden AS h CROSS JOIN social_reply AS r
                                              WHERE r.author_id = h.id AND r.conversation_id = c.id
                                                AND r.seq > coalesce(m.seq, 0)));

-- name: add-conversation
INSERT INTO social_conversation (id, title, body, context, community_id, depth, audience_id, author_id, state,
                                 revision, seq, participants, active_at, created_at, updated_at)
VALUES (:id, :title, :body, :context, :community, :depth, :audience, :author, 'open', 0, 0, 1, :now, :now, :now);

-- name: update-conversation
UPDATE social_conversation
   SET title = :title, body = :body, state = :state, updated_at = :now, revision = revision + 1
 WHERE id = :id;

-- name: delete-conversation
DELETE FROM social_conversation WHERE id = :id;

-- name: conversation-of-deleted-community
-- scan: the partial index contains only deleted communities
SELECT c.id
  FROM social_community AS d CROSS JOIN social_conversation AS c ON c.community_id = d.id
 WHERE d.deleted_at IS NOT NULL AND c.context = 'community' LIMIT 1;

-- name: delete-replies
-- Deletes up to limit replies of a conversation.
DELETE FROM social_reply WHERE id IN (SELECT id FROM social_reply WHERE conversation_id = :conversation LIMIT :limit);

-- Replies

-- name: list-replies
-- Returns the replies below a sequence number, newest first. in_reply_to is NULL if
-- the author of that reply is hidden.
SELECT r.id, r.seq, r.author_id, r.body, p.id AS in_reply_to, r.created_at
  FROM social_reply AS r
  LEFT JOIN social_reply AS p ON p.id = r.in_reply_to AND p.author_id NOT IN (SELECT value FROM json_each(:hidden))
 WHERE r.conversation_id = :conversation AND r.seq < :before
   AND r.author_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY r.seq DESC LIMIT :limit;

-- name: reply-seq
SELECT seq FROM social_reply
 WHERE id = :id AND conversation_id = :conversation AND author_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: next-reply-seq
-- Counts a reply and, if it is the first of its author, a participant. Returns the
-- sequence number.
UPDATE social_conversation
   SET seq = seq + 1, active_at = max(active_at, :now),
       participants = participants + (author_id <> :author AND NOT EXISTS (
         SELECT 1 FROM social_reply AS r WHERE r.author_id = :author AND r.conversation_id = :conversation))
 WHERE id = :conversation RETURNING seq;

-- name: add-reply
INSERT INTO social_reply (id, conversation_id, seq, author_id, body, in_reply_to, created_at)
VALUES (:id, :conversation, :seq, :author, :body, :in_reply_to, :now);

-- name: advance-read-cursor
-- Moves a read cursor forward to a sequence number, and removes the mark.
INSERT INTO social_read_cursor (conversation_id, member_id, seq, marked_unread) VALUES (:conversation, :member, :seq, 0)
    ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq), marked_unread = 0 WHERE seq < excluded.seq OR marked_unread = 1;

-- name: mark-conversation-unread
-- Marks a conversation as unread. The read cursor stays.
INSERT INTO social_read_cursor (conversation_id, member_id, seq, marked_unread) VALUES (:conversation, :member, 0, 1)
    ON CONFLICT DO UPDATE SET marked_unread = 1 WHERE marked_unread = 0;

-- name: delete-read-cursors
DELETE FROM social_read_cursor
 WHERE (conversation_id, member_id) IN (SELECT conversation_id, member_id FROM social_read_cursor WHERE member_id = :member LIMIT :limit);

-- name: conversation-participants
-- Returns the author of a conversation and all members who have replied.
SELECT author_id FROM social_conversation WHERE id = :conversation
UNION
SELECT author_id FROM social_reply WHERE conversation_id = :conversation;

-- Events. A block with the host does not hide an event of a community, because the
-- event belongs to the community; it hides any other event.

-- name: visible-events
-- Returns the events among :ids that the member sees, in the order of :ids.
SELECT e.id, e.conversation_id, e.title, e.description, e.start_local, e.end_local, e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at,
       coalesce(e.cancelled_at, (SELECT f.changed_at FROM social_follow_up AS f
                                  WHERE f.guest_id = 0 AND f.host_id = e.host_id AND f.community_id = '' AND f.only_event_id = ''
                                    AND f.cancelled = 1 AND e.ends_at > f.changed_at)) AS cancelled_at,
       (SELECT c.state = 'closed' FROM social_conversation AS c WHERE c.id = e.conversation_id) AS closed,
       coalesce((SELECT r.response FROM social_response AS r WHERE r.event_id = e.id AND r.member_id = :member), 'none') AS my_response,
       coalesce((SELECT g.name FROM social_community AS g WHERE g.id = e.community_id), '') AS community,
       coalesce((SELECT m.role FROM social_membership AS m
                  WHERE m.community_id = e.community_id AND m.member_id = :member AND m.state = 'active'), '') AS role
  FROM json_each(:ids) AS l CROSS JOIN social_event AS e ON e.id = l.value
 WHERE e.audience_id IN (SELECT value FROM json_each(:audiences))
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY l.key;

-- name: events-by-id
SELECT e.id, e.conversation_id, e.title, e.description, e.start_local, e.end_local, e.timezone, e.all_day, e.rrule, e.starts_at, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility, e.community_id, e.depth, e.audience_id, e.host_id, e.capacity,
       e.revision, e.created_at, e.updated_at, e.cancelled_at, '' AS my_response, '' AS community, '' AS role
  FROM json_each(:ids) AS l CROSS JOIN social_event AS e ON e.id = l.value;

-- name: upcoming-events
-- Returns the cursors of events that end after from and start before to, earliest
-- start first.
SELECT e.id, e.starts_at AS at, e.ends_at
  FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at > :from
 WHERE e.starts_at < :to AND (e.starts_at, e.id) > (:at, :id)
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY e.starts_at, e.id LIMIT :limit;

-- name: past-events
-- Returns the cursors of events that are over, latest end first.
SELECT e.id, e.ends_at AS at, e.ends_at
  FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at <= :now
 WHERE (e.ends_at, e.id) < (:at, :id)
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY e.ends_at DESC, e.id DESC LIMIT :limit;

-- name: count-events
-- Returns the number of events that are not over and their earliest end.
SELECT count(*) AS n, coalesce(min(e.ends_at), :endless) AS next
  FROM json_each(:audiences) AS a CROSS JOIN social_event AS e ON e.audience_id = a.value AND e.ends_at > :now
 WHERE e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: add-event
INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, rrule, starts_at, ends_at,
                          location, latitude, longitude, visibility, community_id, depth, audience_id, host_id, capacity,
                          revision, created_at, updated_at)
VALUES (:id, :conversation, :title, :description, :start_local, :end_local, :timezone, :all_day, :rrule, :starts_at, :ends_at,
        :location, :latitude, :longitude, :visibility, :community, :depth, :audience, :host, :capacity, 0, :now, :now);

-- name: update-event
UPDATE social_event
   SET title = :title, description = :description, start_local = :start_local, end_local = :end_local, timezone = :timezone, all_day = :all_day,
       rrule = :rrule, starts_at = :starts_at, ends_at = :ends_at, location = :location, latitude = :latitude,
       longitude = :longitude, capacity = :capacity, cancelled_at = :cancelled_at, updated_at = :now
 WHERE id = :id;

-- name: events-to-retime
-- Returns the next events that are not over, in the order of their keys.
SELECT rowid AS n, id, start_local, end_local, timezone, all_day, rrule, starts_at, ends_at, host_id
  FROM social_event WHERE rowid > :after AND ends_at > :now ORDER BY rowid LIMIT :limit;

-- name: retime-events
-- Sets the instants of events. Each row is a key, the first and the last instant.
UPDATE social_event SET starts_at = r.value ->> 1, ends_at = r.value ->> 2
  FROM json_each(:rows) AS r WHERE social_event.rowid = r.value ->> 0;

-- name: bump-event-revisions
UPDATE social_event SET revision = revision + 1 WHERE id IN (SELECT value FROM json_each(:events)) RETURNING id, revision;

-- name: delete-event
DELETE FROM social_event WHERE id = :id;

-- name: cancel-events
UPDATE social_event SET cancelled_at = :now, updated_at = :now WHERE id IN (SELECT value FROM json_each(:events));

-- Changes that events follow.

-- name: add-follow-up
-- Adds a change. If an equal change is pending, its visits start again.
INSERT INTO social_follow_up (guest_id, host_id, community_id, only_event_id, revoked_at, revoked_seq, cancelled, changed_at, ends_at, event_id, failed)
VALUES (:guest, :host, :community, :only, :revoked_at, iif(:revoked_at > 0, :seq, 0), :cancelled, :now, :start, '', 0)
    ON CONFLICT DO UPDATE SET revoked_at = max(revoked_at, excluded.revoked_at), revoked_seq = max(revoked_seq, excluded.revoked_seq),
       cancelled = max(cancelled, excluded.cancelled), changed_at = excluded.changed_at, ends_at = excluded.ends_at, event_id = '', failed = 0
RETURNING guest_id, host_id, community_id, only_event_id, revoked_at, cancelled, ends_at, event_id;

-- name: next-follow-up
-- Returns the oldest change that has not failed.
SELECT guest_id, host_id, community_id, only_event_id, revoked_at, cancelled, ends_at, event_id
  FROM social_follow_up WHERE failed = 0 ORDER BY changed_at, guest_id, host_id, community_id, only_event_id LIMIT 1;

-- name: has-revoking-follow-up
-- Reports whether a change that affects the responses or states of events is pending.
-- scan: there are few changes
SELECT EXISTS (SELECT 1 FROM social_follow_up WHERE revoked_at > 0 OR cancelled = 1 OR guest_id = 0 AND host_id = 0 AND community_id = '' AND only_event_id = '');

-- name: advance-follow-up
UPDATE social_follow_up SET ends_at = :ends, event_id = :event
 WHERE guest_id = :guest AND host_id = :host AND community_id = :community AND only_event_id = :only;

-- name: delete-follow-up
DELETE FROM social_follow_up WHERE guest_id = :guest AND host_id = :host AND community_id = :community AND only_event_id = :only;

-- name: postpone-follow-up
-- Marks the change that next-follow-up returns as failed.
UPDATE social_follow_up SET failed = 1
 WHERE (guest_id, host_id, community_id, only_event_id) = (
       SELECT guest_id, host_id, community_id, only_event_id
         FROM social_follow_up WHERE failed = 0 ORDER BY changed_at, guest_id, host_id, community_id, only_event_id LIMIT 1);

-- name: retry-follow-ups
UPDATE social_follow_up SET failed = 0 WHERE failed = 1;

-- name: count-follow-ups
-- scan: there are few changes
SELECT count(*) AS changes, coalesce(sum(failed), 0) AS failed, coalesce(min(changed_at), 0) AS since FROM social_follow_up;

-- The next events in the order of their visits. follows is 1 for an event that must follow the
-- change.

-- name: follow-events-of-host
SELECT e.id AS event_id, e.ends_at, :guest = 0 OR EXISTS (SELECT 1 FROM social_rsvp AS r WHERE r.event_id = e.id AND r.member_id = :guest) AS follows
  FROM social_event AS e
 WHERE e.host_id = :host AND (e.ends_at, e.id) < (:ends, :event)
 ORDER BY e.ends_at DESC, e.id DESC LIMIT :limit;

-- name: follow-events-of-community
-- The mirror of a host does not depend on an RSVP.
SELECT e.id AS event_id, e.ends_at,
       :guest = 0 OR e.host_id = :guest OR EXISTS (SELECT 1 FROM social_rsvp AS r WHERE r.event_id = e.id AND r.member_id = :guest) AS follows
  FROM social_event AS e
 WHERE e.community_id = :community AND e.ends_at > :since AND (e.ends_at, e.id) < (:ends, :event)
 ORDER BY e.ends_at DESC, e.id DESC LIMIT :limit;

-- name: follow-events-of-guest
-- Returns the events of other hosts that are not over, ordered by id.
SELECT e.id AS event_id, e.ends_at, e.host_id <> :guest AND e.ends_at > :since AS follows
  FROM social_rsvp AS r CROSS JOIN social_event AS e ON e.id = r.event_id
 WHERE r.member_id = :guest AND r.event_id > :event
 ORDER BY r.event_id LIMIT :limit;

-- name: follow-circle-events
SELECT e.id AS event_id, e.ends_at, 1 AS follows FROM social_event AS e
 WHERE e.visibility = 'circle' AND e.ends_at > :since AND (e.ends_at, e.id) < (:ends, :event)
 ORDER BY e.ends_at DESC, e.id DESC LIMIT :limit;

-- name: delete-revoked-rsvps
-- scan: there are few changes
DELETE FROM social_rsvp
 WHERE event_id IN (SELECT value FROM json_each(:events)) AND EXISTS (SELECT 1 FROM social_follow_up WHERE revoked_at > 0)
   AND NOT EXISTS (SELECT 1 FROM social_response AS r WHERE r.event_id = social_rsvp.event_id AND r.member_id = social_rsvp.member_id)
RETURNING event_id, member_id;

-- name: common-events
-- Returns the latest event that the member and each of the others attend. The member
-- must see the event and its host. Guests whose invitation was revoked are omitted.
-- So are events of communities, because a shared community permits DMs without an
-- event.
SELECT o.member_id, max(e.id) AS event_id
  FROM social_response AS m
 CROSS JOIN social_event AS e ON e.id = m.event_id
 CROSS JOIN social_audience AS a ON a.id = e.audience_id
 CROSS JOIN json_each(:others) AS l
 CROSS JOIN social_response AS o ON o.event_id = e.id AND o.member_id = l.value
 WHERE m.member_id = :member AND m.response IN ('going', 'maybe') AND o.response IN ('going', 'maybe')
   AND e.cancelled_at IS NULL
   AND e.audience_id IN (SELECT value FROM json_each(:audiences))
   AND e.host_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (a.kind IN ('everyone', 'circle')
        OR a.kind = 'guests' AND EXISTS (SELECT 1 FROM social_guest AS g WHERE g.audience_id = a.id AND g.member_id = o.member_id))
 GROUP BY o.member_id;

-- RSVPs

-- name: event-rsvps
-- Returns the RSVPs to each of the events.
SELECT r.event_id, r.member_id, r.response, r.note, r.responded_at
  FROM json_each(:events) AS l CROSS JOIN social_response AS r ON r.event_id = l.value
 ORDER BY l.key, r.responded_at, r.member_id;

-- name: count-rsvps
-- Counts RSVPs per event and response, without hidden members.
SELECT r.event_id, r.response, count(*) AS n
  FROM json_each(:events) AS l CROSS JOIN social_response AS r ON r.event_id = l.value
 WHERE r.member_id NOT IN (SELECT value FROM json_each(:hidden))
 GROUP BY r.event_id, r.response;

-- name: put-rsvp
INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at, seq) VALUES (:event, :member, :response, :note, :now, :seq)
    ON CONFLICT (event_id, member_id) DO UPDATE
       SET response = excluded.response, note = excluded.note, responded_at = excluded.responded_at, seq = excluded.seq;

-- name: add-unanswered-rsvp
-- Adds an invited member without a response, unless there is an RSVP already.
INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at, seq) VALUES (:event, :member, 'none', '', :now, :seq) ON CONFLICT DO NOTHING;

-- name: delete-unanswered-rsvp
DELETE FROM social_rsvp WHERE event_id = :event AND member_id = :member AND response = 'none';

-- name: delete-rsvps
-- Deletes RSVPs. keys contains pairs of an event and a member.
DELETE FROM social_rsvp WHERE (event_id, member_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:keys));

-- Activity and notifications

-- name: add-activity
-- Adds an entry. author_id is the author of a conversation, or the host of an
-- event that is not of a community. A block between author_id and a member hides
-- the entry from that member.
INSERT INTO social_activity (id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
VALUES (:id, :kind, :actor, :target_type, :target, :audience,
        coalesce((SELECT author_id FROM social_conversation WHERE id = :target), (SELECT host_id FROM social_event WHERE id = :target AND visibility <> 'community')),
        :now);

-- name: list-activity
-- Returns the activity that the member sees, newest first. It takes the latest
-- entries of each audience, so that it sorts few rows.
SELECT t.id, t.kind, t.actor_id, t.target_type, t.target_id, t.created_at
  FROM json_each(:audiences) AS a CROSS JOIN social_activity AS t
    ON t.id IN (SELECT x.id FROM social_activity AS x
                 WHERE x.audience_id = a.value AND (x.created_at, x.id) < (:before, :before_id)
                   AND x.actor_id NOT IN (SELECT value FROM json_each(:hidden))
                   AND (x.author_id IS NULL OR x.author_id NOT IN (SELECT value FROM json_each(:hidden)))
                 ORDER BY x.created_at DESC, x.id DESC LIMIT :limit)
 ORDER BY t.created_at DESC, t.id DESC LIMIT :limit;

-- name: delete-expired-activity
DELETE FROM social_activity
 WHERE rowid IN (SELECT rowid FROM social_activity WHERE created_at < :before ORDER BY created_at LIMIT :limit);

-- name: delete-activity
DELETE FROM social_activity WHERE target_id IN (SELECT value FROM json_each(:targets));

-- name: target-titles
-- Returns the titles of targets. An invitation has the title of its target if the
-- member sees the target or, as the invitee, can still join it.
SELECT c.id, c.title FROM json_each(:targets) AS l CROSS JOIN social_conversation AS c ON c.id = l.value
UNION ALL
SELECT c.id, c.name FROM json_each(:targets) AS l CROSS JOIN social_community AS c ON c.id = l.value
UNION ALL
SELECT e.id, e.title FROM json_each(:targets) AS l CROSS JOIN social_event AS e ON e.id = l.value
UNION ALL
SELECT i.id, c.name
  FROM json_each(:targets) AS l CROSS JOIN social_invitation AS i ON i.id = l.value
 CROSS JOIN social_community AS c ON c.id = i.community_id
 WHERE c.visibility = 'public' AND c.deleted_at IS NULL OR i.invitee_id = :member AND i.state = 'pending' AND i.expires_at > :now
    OR EXISTS (SELECT 1 FROM social_membership AS m WHERE m.community_id = c.id AND m.member_id = :member AND m.state = 'active')
UNION ALL
SELECT i.id, e.title
  FROM json_each(:targets) AS l CROSS JOIN social_invitation AS i ON i.id = l.value
 CROSS JOIN social_event AS e ON e.id = i.event_id
 WHERE e.audience_id IN (SELECT value FROM json_each(:audiences))
   AND (e.visibility = 'community' OR e.host_id NOT IN (SELECT value FROM json_each(:hidden)));

-- name: add-notifications
-- Adds a notification for each of several members. rows contains pairs of an id and
-- a member. author_id is as in add-activity.
INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
SELECT value ->> 0, value ->> 1, :kind, :actor, :target_type, :target, :audience,
       coalesce((SELECT author_id FROM social_conversation WHERE id = :target), (SELECT host_id FROM social_event WHERE id = :target AND visibility <> 'community'),
                (SELECT e.host_id FROM social_invitation AS i JOIN social_event AS e ON e.id = i.event_id WHERE i.id = :target)),
       :now
  FROM json_each(:rows);

-- name: list-notifications
-- Returns the member's notifications, newest first. If :unread is true, it returns
-- only unread ones.
SELECT n.id, n.kind, n.actor_id, n.target_type, n.target_id, n.created_at, coalesce(n.read_at, r.read_at) AS read_at
  FROM social_notification AS n LEFT JOIN social_notifications_read AS r ON r.member_id = n.member_id AND r.last_row >= n.rowid
 WHERE n.member_id = :member AND (n.created_at, n.id) < (:before, :before_id) AND (NOT :unread OR n.read_at IS NULL AND r.read_at IS NULL)
   AND (audience_id IS NULL OR audience_id IN (SELECT value FROM json_each(:audiences)))
   AND actor_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (author_id IS NULL OR author_id NOT IN (SELECT value FROM json_each(:hidden)))
 ORDER BY n.created_at DESC, n.id DESC LIMIT :limit;

-- name: count-unread-notifications
SELECT count(*)
  FROM social_notification
 WHERE member_id = :member AND read_at IS NULL AND rowid > coalesce((SELECT last_row FROM social_notifications_read WHERE member_id = :member), 0)
   AND (audience_id IS NULL OR audience_id IN (SELECT value FROM json_each(:audiences)))
   AND actor_id NOT IN (SELECT value FROM json_each(:hidden))
   AND (author_id IS NULL OR author_id NOT IN (SELECT value FROM json_each(:hidden)));

-- name: mark-notifications-read
UPDATE social_notification SET read_at = :now WHERE member_id = :member AND read_at IS NULL AND id IN (SELECT value FROM json_each(:ids));

-- name: mark-unread-notifications
-- Marks some of the notifications up to a row as read.
UPDATE social_notification SET read_at = :now
 WHERE rowid IN (SELECT rowid FROM social_notification WHERE member_id = :member AND read_at IS NULL AND rowid <= :last LIMIT :limit);

-- name: last-notification
SELECT coalesce(max(rowid), 0) FROM social_notification;

-- name: put-notifications-read
INSERT INTO social_notifications_read (member_id, last_row, read_at) VALUES (:member, :last, :now)
    ON CONFLICT DO UPDATE SET last_row = excluded.last_row, read_at = excluded.read_at;

-- name: next-notifications-read
-- scan: the table contains few rows
SELECT member_id, last_row, read_at FROM social_notifications_read LIMIT 1;

-- name: delete-notifications-read
DELETE FROM social_notifications_read WHERE member_id = :member;

-- name: has-notification
SELECT EXISTS (SELECT 1 FROM social_notification WHERE id = :id AND member_id = :member);

-- name: delete-expired-notifications
-- Returns the member of each deleted notification.
DELETE FROM social_notification
 WHERE rowid IN (SELECT rowid FROM social_notification WHERE created_at < :before ORDER BY created_at LIMIT :limit)
RETURNING member_id;

-- name: delete-notifications
DELETE FROM social_notification WHERE target_id IN (SELECT value FROM json_each(:targets));

-- name: delete-member-notifications
DELETE FROM social_notification WHERE id IN (SELECT id FROM social_notification WHERE member_id = :member LIMIT :limit);


-- Profiles and presence

-- name: profiles
-- Returns the stored profiles of members, and whether the viewer sees them.
SELECT p.member_id, p.bio, p.pronouns, p.links, p.visibility, p.show_last_seen, p.updated_at,
       p.audience_id IN (SELECT value FROM json_each(:audiences)) AS visible
  FROM json_each(:members) AS m CROSS JOIN social_profile AS p ON p.member_id = m.value;

-- name: hidden-profiles
-- Returns the members whose profiles the viewer does not see.
SELECT p.member_id
  FROM json_each(:members) AS m CROSS JOIN social_profile AS p ON p.member_id = m.value
 WHERE p.audience_id NOT IN (SELECT value FROM json_each(:audiences));

-- name: put-profile
INSERT INTO social_profile (member_id, bio, pronouns, links, visibility, show_last_seen, audience_id, updated_at)
VALUES (:member, :bio, :pronouns, :links, :visibility, :show_last_seen, :audience, :now)
    ON CONFLICT (member_id) DO UPDATE
   SET bio = excluded.bio, pronouns = excluded.pronouns, links = excluded.links, visibility = excluded.visibility,
       show_last_seen = excluded.show_last_seen, audience_id = excluded.audience_id, updated_at = excluded.updated_at;

-- name: delete-profile
DELETE FROM social_profile WHERE member_id = :member;

-- name: presence
SELECT member_id, state, note, visible_to, audience_id, updated_at, expires_at FROM social_presence WHERE member_id = :member;

-- name: list-presence
-- Returns the presence of members, ordered by id. Members whose presence has
-- expired, is offline or is not visible to the viewer are omitted.
SELECT p.member_id, p.state, p.note, p.visible_to, p.audience_id, p.updated_at, p.expires_at
  FROM json_each(:audiences) AS a
 CROSS JOIN social_presence AS p ON p.audience_id = a.value AND p.expires_at > :now
 WHERE p.state <> 'offline' AND p.member_id > :after AND p.member_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY p.member_id LIMIT :limit;

-- name: presence-of
-- Returns the presence of the given members, except as in list-presence.
SELECT p.member_id, p.state, p.note, p.visible_to, p.audience_id, p.updated_at, p.expires_at
  FROM json_each(:members) AS m CROSS JOIN social_presence AS p ON p.member_id = m.value
 WHERE p.expires_at > :now AND p.state <> 'offline'
   AND p.audience_id IN (SELECT value FROM json_each(:audiences))
   AND p.member_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: last-seen
-- Returns when members who show it, and are not present, have last set or renewed
-- their presence, if the presence is visible to the viewer.
SELECT p.member_id, p.updated_at
  FROM json_each(:members) AS m
 CROSS JOIN social_profile AS f ON f.member_id = m.value AND f.show_last_seen = 1
 CROSS JOIN social_presence AS p ON p.member_id = m.value
 WHERE (p.expires_at <= :now OR p.state = 'offline')
   AND p.audience_id IN (SELECT value FROM json_each(:audiences))
   AND p.member_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: put-presence
INSERT INTO social_presence (member_id, state, note, visible_to, audience_id, updated_at, expires_at)
VALUES (:member, :state, :note, :visible_to, :audience, :now, :expires)
    ON CONFLICT (member_id) DO UPDATE
   SET state = excluded.state, note = excluded.note, visible_to = excluded.visible_to, audience_id = excluded.audience_id,
       updated_at = excluded.updated_at, expires_at = excluded.expires_at;

-- name: delete-presence
DELETE FROM social_presence WHERE member_id = :member;

-- Dataset

-- name: dataset-communities
-- Returns the communities that the member sees: their own first, newest first.
-- scan: reads the index of public communities up to the limit
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
-- scan: counts the index of public communities
SELECT (SELECT count(*) FROM social_community WHERE visibility = 'public' AND deleted_at IS NULL)
     + (SELECT count(*)
          FROM social_membership AS m CROSS JOIN social_community AS c ON c.id = m.community_id AND c.visibility = 'private'
         WHERE m.member_id = :member AND m.state = 'active');

-- name: conversation-versions
-- Returns the version of each conversation for a member: edits, replies, the read
-- cursor and the role in the community.
SELECT c.id, concat_ws(' ', c.revision, c.seq, coalesce(m.seq, 0), coalesce(m.marked_unread, '-'), coalesce(n.role, '')) AS version
  FROM json_each(:ids) AS l CROSS JOIN social_conversation AS c ON c.id = l.value
  LEFT JOIN social_read_cursor AS m ON m.conversation_id = c.id AND m.member_id = :member
  LEFT JOIN social_membership AS n ON n.community_id = c.community_id AND n.member_id = :member AND n.state = 'active'
 ORDER BY l.key;

-- name: event-versions
-- Returns the version of each event for a member: changes and responses, whether it
-- has ended, the state of its conversation and the role in the community.
SELECT e.id, e.revision || ' ' || (e.ends_at <= :now) || ' ' || c.state || ' ' || coalesce(n.role, '') AS version
  FROM json_each(:ids) AS l CROSS JOIN social_event AS e ON e.id = l.value
  JOIN social_conversation AS c ON c.id = e.conversation_id
  LEFT JOIN social_membership AS n ON n.community_id = e.community_id AND n.member_id = :member AND n.state = 'active'
 ORDER BY l.key;

-- name: moderated-members
-- Returns the other members of the communities where the member is on the staff:
-- requests to join first, latest change first.
SELECT r.community_id, r.member_id, r.state, r.role, r.joined_at
  FROM social_membership AS s CROSS JOIN social_membership AS r
    ON r.community_id = s.community_id AND r.state IN ('requested', 'active')
 WHERE s.member_id = :member AND s.state = 'active' AND s.role <> 'member' AND r.member_id <> :member
 ORDER BY r.state = 'active', r.updated_at DESC, r.community_id, r.member_id LIMIT :limit;

-- name: dataset-invitations
-- Returns the pending invitations to and by the member, newest first, except to and
-- by hidden members.
SELECT i.id, i.community_id, i.event_id, i.invitee_id, i.inviter_id, i.state, i.created_at, i.expires_at, i.answered_at,
       COALESCE(c.visibility, '') AS visibility
  FROM social_invitation AS i
  LEFT JOIN social_community AS c ON c.id = i.community_id
 WHERE (i.invitee_id = :member OR i.inviter_id = :member) AND i.state = 'pending' AND i.expires_at > :now
   AND i.inviter_id NOT IN (SELECT value FROM json_each(:hidden)) AND i.invitee_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- Export. The parameters identify the last row of the previous batch.

-- name: export-memberships
SELECT m.community_id, c.name, m.state, m.role, m.joined_at
  FROM social_membership AS m CROSS JOIN social_community AS c ON c.id = m.community_id
 WHERE m.member_id = :member AND m.state IN ('requested', 'active') AND m.community_id > :after
 ORDER BY m.community_id LIMIT :limit;

-- name: export-conversations
-- Returns the conversations by the member. community_id is NULL if the member
-- cannot see the community.
SELECT c.rowid AS n, c.id, c.title, c.body, c.context,
       iif(EXISTS (SELECT 1 FROM social_community AS v WHERE v.id = c.community_id AND v.deleted_at IS NULL AND (v.visibility = 'public'
         OR EXISTS (SELECT 1 FROM social_membership AS n WHERE n.community_id = v.id AND n.member_id = :member AND n.state = 'active'))),
       c.community_id, NULL) AS community_id,
       c.depth, c.state, c.created_at, c.updated_at
  FROM social_conversation AS c
 WHERE c.author_id = :member AND c.rowid > :after AND c.context <> 'event' ORDER BY c.rowid LIMIT :limit;

-- name: export-replies
SELECT id, conversation_id, seq, body, in_reply_to, created_at
  FROM social_reply
 WHERE author_id = :member AND (conversation_id, seq) > (:conversation, :seq) ORDER BY conversation_id, seq LIMIT :limit;

-- name: export-events
-- Returns the events that the member hosts, ordered by end. community_id is NULL if the
-- member cannot see the community.
SELECT e.rowid AS n, e.id, e.conversation_id, e.title, e.description, e.start_local, e.end_local, e.timezone, e.all_day, e.rrule, e.ends_at,
       e.location, e.latitude, e.longitude, e.visibility,
       iif(EXISTS (SELECT 1 FROM social_community AS v WHERE v.id = e.community_id AND v.deleted_at IS NULL AND (v.visibility = 'public'
         OR EXISTS (SELECT 1 FROM social_membership AS n WHERE n.community_id = v.id AND n.member_id = :member AND n.state = 'active'))),
       e.community_id, NULL) AS community_id,
       e.depth, e.capacity, e.created_at, e.updated_at, e.cancelled_at
  FROM social_event AS e
 WHERE e.host_id = :member AND (e.ends_at, e.rowid) > (:ends, :after) ORDER BY e.ends_at, e.rowid LIMIT :limit;

-- name: export-rsvps
SELECT event_id, response, note, responded_at
  FROM social_response WHERE member_id = :member AND event_id > :after ORDER BY event_id LIMIT :limit;

-- name: export-invitations
SELECT id, community_id, event_id, invitee_id, inviter_id, state, created_at, expires_at, answered_at
  FROM social_invitation WHERE (invitee_id = :member OR inviter_id = :member) AND id > :after ORDER BY id LIMIT :limit;

-- name: export-avatars
-- Returns the avatars of communities that the member has uploaded.
SELECT community_id, created_at, picture
  FROM social_avatar WHERE member_id = :member AND community_id > :after ORDER BY community_id LIMIT :limit;
