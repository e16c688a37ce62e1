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
