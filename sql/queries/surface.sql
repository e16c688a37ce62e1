-- Surfaces. Each statement is about one member, except the purges.

-- name: workspace
SELECT revision, last_numeric_id, updated_at FROM surface_workspace WHERE member_id = :member;

-- name: put-workspace
INSERT INTO surface_workspace (member_id, revision, last_numeric_id, updated_at) VALUES (:member, :revision, :last, :updated)
    ON CONFLICT (member_id) DO UPDATE SET revision = excluded.revision, last_numeric_id = excluded.last_numeric_id, updated_at = excluded.updated_at;

-- name: stacks
SELECT stack_key, focused_surface_id, surface_order FROM surface_stack WHERE member_id = :member;

-- name: put-stacks
INSERT INTO surface_stack (member_id, stack_key, focused_surface_id, surface_order)
SELECT :member, value ->> 'key', value ->> 'focus', value ->> 'order' FROM json_each(:stacks) WHERE true
    ON CONFLICT (member_id, stack_key) DO UPDATE SET focused_surface_id = excluded.focused_surface_id, surface_order = excluded.surface_order;

-- name: surfaces
-- Returns the surfaces of the workspace: those in stacks, and the sources of
-- translations in stacks.
SELECT surface_id, numeric_id, surface_type, title, content, mode, metadata
  FROM surface_surface WHERE member_id = :member AND unstacked_at IS NULL ORDER BY numeric_id;

-- name: surfaces-by-id
-- Returns surfaces by id, including those in no stack.
SELECT s.surface_id, s.numeric_id, s.surface_type, s.title, s.content, s.mode, s.metadata
  FROM json_each(:ids) AS i CROSS JOIN surface_surface AS s ON s.member_id = :member AND s.surface_id = i.value;

-- name: put-surfaces
-- Creates or changes surfaces of the workspace.
INSERT INTO surface_surface (member_id, surface_id, numeric_id, surface_type, title, content, mode, metadata, unstacked_at)
SELECT :member, value ->> 'id', value ->> 'number', value ->> 'type', value ->> 'title', value ->> 'content', value ->> 'mode',
       value ->> 'metadata', NULL
  FROM json_each(:surfaces) WHERE true
    ON CONFLICT (member_id, surface_id) DO UPDATE SET surface_type = excluded.surface_type, title = excluded.title,
       content = excluded.content, mode = excluded.mode, metadata = excluded.metadata, unstacked_at = NULL;

-- name: unstack-surfaces
-- Records that surfaces left the workspace.
UPDATE surface_surface SET unstacked_at = :now
 WHERE member_id = :member AND surface_id IN (SELECT value FROM json_each(:ids)) AND unstacked_at IS NULL;

-- name: delete-oldest-unstacked
-- Deletes the surfaces outside the workspace, except the latest.
DELETE FROM surface_surface
 WHERE member_id = :member AND surface_id IN (
       SELECT surface_id FROM surface_surface WHERE member_id = :member AND unstacked_at IS NOT NULL
        ORDER BY unstacked_at DESC LIMIT -1 OFFSET :keep);

-- name: open-session
-- Opens a session of a surface, or resumes the open one.
INSERT INTO surface_session (id, member_id, surface_id, state, opened_at, last_active_at, closed_at)
VALUES (:id, :member, :surface, 'active', :now, :now, NULL)
    ON CONFLICT (member_id, surface_id) WHERE state <> 'closed' DO UPDATE SET state = 'active', last_active_at = excluded.last_active_at;

-- name: suspend-sessions
-- Suspends the active sessions of surfaces out of focus.
UPDATE surface_session SET state = 'suspended', last_active_at = :now
 WHERE member_id = :member AND state <> 'closed' AND state = 'active' AND surface_id NOT IN (SELECT value FROM json_each(:focused));

-- name: close-sessions
-- Closes the open sessions of surfaces in no stack.
UPDATE surface_session SET state = 'closed', closed_at = :now
 WHERE member_id = :member AND state <> 'closed' AND surface_id NOT IN (SELECT value FROM json_each(:stacked));

-- name: sessions
-- Returns the latest sessions of a surface, the latest first.
SELECT id, surface_id, state, opened_at, last_active_at, closed_at
  FROM surface_session WHERE member_id = :member AND surface_id = :surface ORDER BY opened_at DESC, id DESC LIMIT :limit;

-- name: last-focused
-- Returns when the surfaces with an open session were last in focus.
SELECT surface_id, last_active_at FROM surface_session WHERE member_id = :member AND state <> 'closed';

-- name: picture
-- Returns the address of a picture of a member's surfaces.
SELECT source FROM surface_picture WHERE member_id = :member AND id = :id LIMIT 1;

-- name: delete-pictures
DELETE FROM surface_picture WHERE member_id = :member AND surface_id IN (SELECT value FROM json_each(:ids));

-- name: put-pictures
INSERT INTO surface_picture (member_id, id, surface_id, source)
SELECT :member, value ->> 'id', value ->> 'surface', value ->> 'source' FROM json_each(:pictures) WHERE true
    ON CONFLICT (member_id, id, surface_id) DO UPDATE SET source = excluded.source;

-- name: export-surfaces
SELECT surface_id, numeric_id, surface_type, title, content, mode, metadata
  FROM surface_surface WHERE member_id = :member AND surface_id > :after ORDER BY surface_id LIMIT :limit;

-- name: delete-sessions
DELETE FROM surface_session WHERE id IN (SELECT id FROM surface_session WHERE member_id = :member LIMIT :limit);

-- name: delete-surfaces
DELETE FROM surface_surface
 WHERE member_id = :member AND surface_id IN (SELECT surface_id FROM surface_surface WHERE member_id = :member LIMIT :limit);

-- name: delete-stacks
DELETE FROM surface_stack
 WHERE member_id = :member AND stack_key IN (SELECT stack_key FROM surface_stack WHERE member_id = :member LIMIT :limit);

-- name: delete-workspace
DELETE FROM surface_workspace WHERE member_id = :member AND :limit > 0;

-- name: purge-surfaces
-- Deletes a batch of the surfaces of all members that left the workspace before
-- a time.
DELETE FROM surface_surface
 WHERE (member_id, surface_id) IN (SELECT member_id, surface_id FROM surface_surface WHERE unstacked_at < :before ORDER BY unstacked_at LIMIT :limit);

-- name: purge-sessions
-- Deletes a batch of the sessions of all members that were closed before a time.
DELETE FROM surface_session
 WHERE id IN (SELECT id FROM surface_session WHERE closed_at < :before ORDER BY closed_at LIMIT :limit);
