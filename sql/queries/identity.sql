-- Members, what they sign in with, and what operators did.

-- name: add-member
INSERT INTO identity_member (email, email_key, username, display_name, name_key, status, timezone, locale,
                             password_hash, generation, created_at, updated_at)
VALUES (:email, :email_key, :username, :display_name, :name_key, 'active', :timezone, :locale,
        :password_hash, 1, :now, :now)
RETURNING id;

-- name: member
-- The member of that number, deleted or not.
SELECT id, email, COALESCE(email_key, '') AS email_key, COALESCE(username, '') AS username, display_name, name_key,
       status, timezone, locale, password_hash, generation, created_at, updated_at, last_seen_at
  FROM identity_member
 WHERE id = :id;

-- name: member-by-login
-- The member of that e-mail address or username, both folded. An address has
-- an @ and a username has none, so there is never more than one.
SELECT id, email, email_key, username, display_name, name_key,
       status, timezone, locale, password_hash, generation, created_at, updated_at, last_seen_at
  FROM identity_member
 WHERE email_key = :login OR username = :login;

-- name: save-member
-- Everything about a member but when they came.
UPDATE identity_member
   SET email = :email, email_key = nullif(:email_key, ''), username = nullif(:username, ''),
       display_name = :display_name, name_key = :name_key, status = :status, timezone = :timezone, locale = :locale,
       password_hash = :password_hash, generation = :generation,
       updated_at = :updated_at, last_seen_at = :last_seen_at
 WHERE id = :id;

-- name: see-member
UPDATE identity_member SET last_seen_at = :now WHERE id = :id;

-- name: taken
-- Which of an address and a username another member has.
SELECT email_key = :email_key AS email, username = :username AS username
  FROM identity_member
 WHERE (email_key = :email_key OR username = :username) AND id <> :id;

-- name: usernames-like
-- The username and those that continue it with a hyphen and a number.
SELECT username FROM identity_member
 WHERE username = :base OR username BETWEEN :base || '-0' AND :base || '-:';

-- name: anybody
-- Whether there is a member, not counting deleted ones.
SELECT EXISTS (SELECT 1 FROM identity_member WHERE email_key > '');

-- name: other-operators
-- How many active members other than this one have an address of the list.
SELECT count(*) FROM identity_member
 WHERE email_key IN (SELECT value FROM json_each(:operators)) AND status = 'active' AND id <> :id;

-- name: people
-- Those of the list who are active.
SELECT id, email, username, display_name FROM identity_member
 WHERE id IN (SELECT value FROM json_each(:ids)) AND status = 'active';

-- name: names
-- What those of the list are called, who may be gone.
SELECT id, COALESCE(username, '') AS username, display_name, status = 'active' AS active FROM identity_member
 WHERE id IN (SELECT value FROM json_each(:ids));

-- name: people-named
-- The active members of a display name, except those who are hidden.
SELECT id, email, username, display_name FROM identity_member
 WHERE name_key = :name AND status = 'active' AND id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY id LIMIT :limit;

-- name: directory
-- The active members after one of them, except those who are hidden. An empty
-- q admits all; addresses are searched only where they are shown.
SELECT id, email, username, display_name FROM identity_member
 WHERE id > :after AND status = 'active' AND id NOT IN (SELECT value FROM json_each(:hidden))
   AND (:q = '' OR instr(name_key, :q) OR instr(username, :q) OR (:by_email AND instr(email_key, :q)))
 ORDER BY id LIMIT :limit;

-- name: members
-- As operators see them. An empty status admits all but deleted members.
SELECT id, email, COALESCE(email_key, '') AS email_key, COALESCE(username, '') AS username, display_name, name_key,
       status, timezone, locale, password_hash, generation, created_at, updated_at, last_seen_at
  FROM identity_member
 WHERE id > :after AND (status = :status OR :status = '' AND status <> 'deleted')
   AND (:q = '' OR instr(name_key, :q) OR instr(username, :q) OR instr(email_key, :q))
 ORDER BY id LIMIT :limit;

-- name: token-counts
-- How many live tokens each member of the list has, if any.
SELECT member_id, count(*) AS tokens FROM identity_token
 WHERE member_id IN (SELECT value FROM json_each(:members)) AND expires_at > :now
 GROUP BY member_id;

-- name: add-token
INSERT INTO identity_token (id, member_id, hash, label, created_at, last_used_at, expires_at)
VALUES (:id, :member, :hash, :label, :now, :now, :expires);

-- name: bearer
-- Who holds a live token. Every request asks this.
SELECT t.id AS token_id, t.last_used_at, m.id, m.email_key, m.generation
  FROM identity_token AS t JOIN identity_member AS m ON m.id = t.member_id
 WHERE t.hash = :hash AND t.expires_at > :now AND m.status = 'active';

-- name: token-stands
-- Whether a token is still there, of a member who may come in. Every write
-- that it was presented for asks this.
SELECT EXISTS (SELECT 1 FROM identity_token AS t JOIN identity_member AS m ON m.id = t.member_id
                WHERE t.id = :id AND m.status = 'active');

-- name: generation-stands
-- Whether a member may come in and is still of that generation.
SELECT EXISTS (SELECT 1 FROM identity_member WHERE id = :id AND status = 'active' AND generation = :generation);

-- name: slide-token
-- Notes that a token is in use, unless that was noted since.
UPDATE identity_token
   SET last_used_at = :now, expires_at = min(:now + :sliding, created_at + :absolute)
 WHERE id = :id AND last_used_at <= :since;

-- name: tokens
SELECT id, label, created_at, last_used_at, expires_at FROM identity_token
 WHERE member_id = :member AND expires_at > :now
 ORDER BY last_used_at DESC, id DESC;

-- name: drop-token
DELETE FROM identity_token WHERE id = :id AND member_id = :member;

-- name: drop-tokens
-- All tokens of a member but one; no token has an empty id.
DELETE FROM identity_token WHERE member_id = :member AND id <> :keep;

-- name: trim-tokens
-- All tokens of a member but those that were used last.
DELETE FROM identity_token
 WHERE member_id = :member
   AND id NOT IN (SELECT id FROM identity_token WHERE member_id = :member
                   ORDER BY last_used_at DESC, id DESC LIMIT :keep);

-- name: expire-tokens
-- scan: once a night
DELETE FROM identity_token WHERE expires_at <= :now;

-- name: add-device
INSERT INTO identity_device (id, member_id, hash, label, created_at)
VALUES (:id, :member, :hash, :label, :now);

-- name: devices
SELECT id, label, created_at, last_used_at FROM identity_device WHERE member_id = :member ORDER BY id;

-- name: device
-- The device password of a member that has this hash.
SELECT id, last_used_at FROM identity_device WHERE hash = :hash AND member_id = :member;

-- name: use-device
UPDATE identity_device SET last_used_at = :now WHERE id = :id;

-- name: drop-device
DELETE FROM identity_device WHERE id = :id AND member_id = :member;

-- name: drop-devices
DELETE FROM identity_device WHERE member_id = :member;

-- name: add-ticket
INSERT INTO identity_ticket (id, purpose, hash, email, member_id, created_by, created_at, expires_at)
VALUES (:id, :purpose, :hash, :email, nullif(:member, 0), :actor, :now, :expires);

-- name: ticket
-- The ticket of a code that can still be used.
SELECT id, email, member_id, created_by, created_at, expires_at, used_at FROM identity_ticket
 WHERE hash = :hash AND purpose = :purpose AND expires_at > :now AND used_at IS NULL;

-- name: use-ticket
UPDATE identity_ticket SET used_at = :now, member_id = :member WHERE id = :id;

-- name: invitations
-- scan: there are as many as operators made in a week
SELECT id, email, member_id, created_by, created_at, expires_at, used_at FROM identity_ticket
 WHERE purpose = 'invitation' AND expires_at > :now
 ORDER BY id DESC;

-- name: drop-invitation
DELETE FROM identity_ticket WHERE id = :id AND purpose = 'invitation' AND used_at IS NULL;

-- name: drop-resets
DELETE FROM identity_ticket WHERE purpose = 'reset' AND member_id = :member;

-- name: drop-made-tickets
-- What a member made for others and nobody has used yet.
-- scan: there are as many tickets as operators made in a week
DELETE FROM identity_ticket WHERE created_by = :actor AND used_at IS NULL;

-- name: drop-tickets
-- What a member could still use, made for others, or is named by.
-- scan: there are as many tickets as operators made in a week
DELETE FROM identity_ticket
 WHERE member_id = :member OR created_by = :actor OR email = :email;

-- name: expire-tickets
-- scan: once a night
DELETE FROM identity_ticket WHERE expires_at <= :now;

-- name: add-audit
INSERT INTO identity_audit (at, actor, action, member_id, detail)
VALUES (:now, :actor, :action, nullif(:member, 0), :detail);

-- name: audit
-- The entries before one of them, the newest first.
SELECT id, at, actor, action, member_id, detail FROM identity_audit
 WHERE id < :before ORDER BY id DESC LIMIT :limit;

-- name: audit-of
-- All entries about one member, the newest first.
SELECT id, at, actor, action, member_id, detail FROM identity_audit
 WHERE member_id = :member ORDER BY id DESC;
