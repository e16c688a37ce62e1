-- Surfaces. Every statement is about one member's, but for what throws away
-- what nobody sees any more.

-- name: workspace
SELECT revision, last_number, updated_at FROM surface_workspace WHERE member_id = :member;

-- name: put-workspace
INSERT INTO surface_workspace (member_id, revision, last_number, updated_at) VALUES (:member, :revision, :last, :updated)
    ON CONFLICT (member_id) DO UPDATE SET revision = excluded.revision, last_number = excluded.last_number, updated_at = excluded.updated_at;

-- name: stacks
SELECT stack_key, focused_surface_id, surface_order FROM surface_stack WHERE member_id = :member;

-- name: put-stacks
INSERT INTO surface_stack (member_id, stack_key, focused_surface_id, surface_order)
SELECT :member, value ->> 'key', value ->> 'focus', value ->> 'order' FROM json_each(:stacks) WHERE true
    ON CONFLICT (member_id, stack_key) DO UPDATE SET focused_surface_id = excluded.focused_surface_id, surface_order = excluded.surface_order;

-- name: surfaces
-- Those that are in a stack, and what others there were made of.
SELECT surface_id, numeric_id, surface_type, title, content, mode, metadata
  FROM surface_surface WHERE member_id = :member AND left_at IS NULL ORDER BY numeric_id;

-- name: surfaces-by-id
-- Some, be they in a stack or not.
SELECT s.surface_id, s.numeric_id, s.surface_type, s.title, s.content, s.mode, s.metadata
  FROM json_each(:ids) AS i CROSS JOIN surface_surface AS s ON s.member_id = :member AND s.surface_id = i.value;

-- name: put-surfaces
INSERT INTO surface_surface (member_id, surface_id, numeric_id, surface_type, title, content, mode, metadata, left_at)
SELECT :member, value ->> 'id', value ->> 'number', value ->> 'type', value ->> 'title', value ->> 'content', value ->> 'mode',
       value ->> 'metadata', NULL
  FROM json_each(:surfaces) WHERE true
    ON CONFLICT (member_id, surface_id) DO UPDATE SET surface_type = excluded.surface_type, title = excluded.title,
       content = excluded.content, mode = excluded.mode, metadata = excluded.metadata, left_at = NULL;

-- name: let-go
UPDATE surface_surface SET left_at = :now
 WHERE member_id = :member AND surface_id IN (SELECT value FROM json_each(:ids)) AND left_at IS NULL;

-- name: drop-surplus
-- The oldest of those that left, but for so many.
DELETE FROM surface_surface
 WHERE member_id = :member AND surface_id IN (
       SELECT surface_id FROM surface_surface WHERE member_id = :member AND left_at IS NOT NULL
        ORDER BY left_at DESC LIMIT -1 OFFSET :most);

-- name: drop-left
DELETE FROM surface_surface
 WHERE (member_id, surface_id) IN (SELECT member_id, surface_id FROM surface_surface WHERE left_at < :before ORDER BY left_at LIMIT :limit);

-- name: open-session
INSERT INTO surface_session (id, member_id, surface_id, state, opened_at, last_active_at, closed_at)
VALUES (:id, :member, :surface, 'active', :now, :now, NULL)
    ON CONFLICT (member_id, surface_id) WHERE state <> 'closed' DO UPDATE SET state = 'active', last_active_at = excluded.last_active_at;

-- name: suspend-sessions
-- Those of surfaces that no stack is turned to any more.
UPDATE surface_session SET state = 'suspended', last_active_at = :now
 WHERE member_id = :member AND state <> 'closed' AND state = 'active' AND surface_id NOT IN (SELECT value FROM json_each(:focused));

-- name: close-sessions
-- Those of surfaces that are in no stack any more.
UPDATE surface_session SET state = 'closed', closed_at = :now
 WHERE member_id = :member AND state <> 'closed' AND surface_id NOT IN (SELECT value FROM json_each(:stacked));

-- name: sessions
SELECT id, surface_id, state, opened_at, last_active_at, closed_at
  FROM surface_session WHERE member_id = :member AND surface_id = :surface ORDER BY opened_at DESC, id DESC LIMIT :limit;

-- name: attention
-- When a member was last turned to what is in their stacks.
SELECT surface_id, last_active_at FROM surface_session WHERE member_id = :member AND state <> 'closed';

-- name: drop-sessions
DELETE FROM surface_session
 WHERE id IN (SELECT id FROM surface_session WHERE closed_at < :before ORDER BY closed_at LIMIT :limit);

-- name: export-surfaces
SELECT surface_id, numeric_id, surface_type, title, content, mode, metadata
  FROM surface_surface WHERE member_id = :member AND surface_id > :after ORDER BY surface_id LIMIT :limit;

-- name: forget-surfaces
DELETE FROM surface_surface WHERE member_id = :member;

-- name: forget-stacks
DELETE FROM surface_stack WHERE member_id = :member;

-- name: forget-workspace
DELETE FROM surface_workspace WHERE member_id = :member;
