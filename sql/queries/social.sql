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

-- Conversations

-- name: add-conversation
INSERT INTO social_conversation (id, title, body, context, community_id, depth, audience_id, author_id, state,
                                 seq, participants, active_at, created_at, updated_at)
VALUES (:id, :title, :body, :context, :community, :depth, :audience, :author, 'open', 0, 1, :now, :now, :now);

-- name: latest-conversations
-- Those that are not of an event, by when something was last said up to a
-- moment: what is said while somebody turns pages moves none to another page.
WITH visible AS MATERIALIZED (
  SELECT c.id, CASE
           WHEN c.active_at <= :as_of AND :hidden = '[]' THEN c.active_at
           ELSE coalesce((SELECT r.created_at FROM social_reply AS r
                           WHERE r.conversation_id = c.id AND r.created_at <= :as_of
                             AND r.author_id NOT IN (SELECT value FROM json_each(:hidden))
                           ORDER BY r.seq DESC LIMIT 1), c.created_at)
         END AS active_at
    FROM json_each(:audiences) AS a CROSS JOIN social_conversation AS c
      ON c.audience_id = a.value AND c.context IN ('community', 'circle', 'open')
   WHERE c.created_at <= :as_of AND c.author_id NOT IN (SELECT value FROM json_each(:hidden)))
SELECT id, active_at FROM visible
 WHERE (active_at, id) < (:before, :before_id)
 ORDER BY active_at DESC, id DESC LIMIT :limit;

-- name: conversations
-- Those of the list that the member may see, in its order. Nothing is counted
-- by those who are hidden; what the member wrote is never beyond their marker.
SELECT c.id, coalesce(e.title, c.title) AS title, c.body, c.context, c.community_id, c.depth, c.audience_id, c.author_id,
       c.state, c.seq, c.created_at, c.updated_at, e.id AS event_id, coalesce(m.seq, 0) AS marker, coalesce(n.role, '') AS role,
       c.seq - (SELECT count(*) FROM json_each(:hidden) AS h CROSS JOIN social_reply AS r
                 WHERE r.author_id = h.value AND r.conversation_id = c.id) AS replies,
       c.participants - (SELECT count(*) FROM json_each(:hidden) AS h
                          WHERE EXISTS (SELECT 1 FROM social_reply AS r
                                         WHERE r.author_id = h.value AND r.conversation_id = c.id)) AS participants,
       c.seq - coalesce(m.seq, 0) - (SELECT count(*) FROM json_each(:hidden) AS h CROSS JOIN social_reply AS r
                                      WHERE r.author_id = h.value AND r.conversation_id = c.id
                                        AND r.seq > coalesce(m.seq, 0)) AS unread,
       (SELECT r.created_at FROM social_reply AS r
         WHERE r.conversation_id = c.id AND r.author_id NOT IN (SELECT value FROM json_each(:hidden))
         ORDER BY r.seq DESC LIMIT 1) AS last_reply_at
  FROM json_each(:ids) AS l CROSS JOIN social_conversation AS c ON c.id = l.value
  LEFT JOIN social_reader AS m ON m.conversation_id = c.id AND m.member_id = :member
  LEFT JOIN social_membership AS n ON n.community_id = c.community_id AND n.member_id = :member AND n.state = 'active'
  LEFT JOIN social_event AS e ON e.conversation_id = c.id
 WHERE c.audience_id IN (SELECT value FROM json_each(:audiences))
   AND c.author_id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY l.key;

-- name: count-conversations
SELECT count(*)
  FROM json_each(:audiences) AS a CROSS JOIN social_conversation AS c
    ON c.audience_id = a.value AND c.context IN ('community', 'circle', 'open')
 WHERE c.author_id NOT IN (SELECT value FROM json_each(:hidden));

-- name: posting
-- What a member may know of a community: nothing of a private one that is not
-- theirs. active: they may post in it.
SELECT m.state IS 'active' AS active
  FROM social_community AS c
  LEFT JOIN social_membership AS m ON m.community_id = c.id AND m.member_id = :member
 WHERE c.id = :community AND c.deleted_at IS NULL AND (c.visibility = 'public' OR m.state = 'active');

-- name: change-conversation
UPDATE social_conversation SET title = :title, body = :body, state = :state, updated_at = :now WHERE id = :id;

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

-- Activity and notifications

-- name: add-activity
INSERT INTO social_activity (id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
VALUES (:id, :kind, :actor, :target_type, :target, :audience,
        coalesce((SELECT author_id FROM social_conversation WHERE id = :target), (SELECT host_id FROM social_event WHERE id = :target)),
        :now);

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
-- What the targets are called. An invitation is called as what it is to.
SELECT c.id, c.title FROM json_each(:targets) AS l CROSS JOIN social_conversation AS c ON c.id = l.value
UNION ALL
SELECT c.id, c.name FROM json_each(:targets) AS l CROSS JOIN social_community AS c ON c.id = l.value
UNION ALL
SELECT e.id, e.title FROM json_each(:targets) AS l CROSS JOIN social_event AS e ON e.id = l.value
UNION ALL
SELECT i.id, coalesce(c.name, e.title)
  FROM json_each(:targets) AS l CROSS JOIN social_invitation AS i ON i.id = l.value
  LEFT JOIN social_community AS c ON c.id = i.community_id
  LEFT JOIN social_event AS e ON e.id = i.event_id;

-- name: add-notifications
-- One for each of the rows, which are pairs of an id and a member.
INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, audience_id, author_id, created_at)
SELECT value ->> 0, value ->> 1, :kind, :actor, :target_type, :target, :audience,
       coalesce((SELECT author_id FROM social_conversation WHERE id = :target), (SELECT host_id FROM social_event WHERE id = :target),
                (SELECT e.host_id FROM social_invitation AS i JOIN social_event AS e ON e.id = i.event_id WHERE i.id = :target)),
       :now
  FROM json_each(:rows);

-- name: notifications
SELECT id, kind, actor_id, target_type, target_id, created_at, read_at
  FROM social_notification
 WHERE member_id = :member AND (created_at, id) < (:before, :before_id)
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
