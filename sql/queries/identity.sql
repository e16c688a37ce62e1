-- Members, their credentials, one-time links and the audit log.

-- name: add-member
INSERT INTO identity_member (email, email_key, username, display_name, name_key, status, timezone, locale,
                             is_operator, password_hash, generation, created_at, updated_at)
VALUES (:email, :email_key, :username, :display_name, :name_key, 'active', nullif(:timezone, ''), :locale,
        :is_operator, :password_hash, 1, :now, :now)
RETURNING id;

-- name: member-by-id
-- Returns the member with the id, even if the member is deleted.
SELECT id, email, COALESCE(email_key, '') AS email_key, COALESCE(username, '') AS username, display_name, name_key,
       status, coalesce(timezone, '') AS timezone, locale, coalesce(formats, '') AS formats, is_operator, password_hash, generation, created_at, updated_at, last_seen_at,
       coalesce(color, '') AS color, coalesce((SELECT a.key FROM identity_avatar AS a WHERE a.member_id = m.id), '') AS avatar,
       EXISTS (SELECT 1 FROM identity_factor AS f WHERE f.member_id = m.id) AS has_factor
  FROM identity_member AS m
 WHERE id = :id;

-- name: member-by-login
-- Returns the member with the folded e-mail address or user name. Addresses
-- contain an @ and user names do not, so there is at most one.
SELECT id, email, email_key, username, display_name, name_key,
       status, coalesce(timezone, '') AS timezone, locale, coalesce(formats, '') AS formats, is_operator, password_hash, generation, created_at, updated_at, last_seen_at,
       coalesce(color, '') AS color, coalesce((SELECT a.key FROM identity_avatar AS a WHERE a.member_id = m.id), '') AS avatar,
       EXISTS (SELECT 1 FROM identity_factor AS f WHERE f.member_id = m.id) AS has_factor
  FROM identity_member AS m
 WHERE email_key = :login OR username = :login;

-- name: update-member
-- Stores all columns of a member except created_at.
UPDATE identity_member
   SET email = :email, email_key = nullif(:email_key, ''), username = nullif(:username, ''),
       display_name = :display_name, name_key = :name_key, status = :status, timezone = nullif(:timezone, ''), locale = :locale,
       formats = nullif(:formats, ''),
       is_operator = :is_operator, password_hash = :password_hash, generation = :generation, color = nullif(:color, ''),
       updated_at = :updated_at, last_seen_at = :last_seen_at
 WHERE id = :id;

-- name: set-last-seen
UPDATE identity_member SET last_seen_at = :now WHERE id = :id;

-- name: is-zone-declined
SELECT EXISTS (SELECT 1 FROM identity_declined_zone WHERE member_id = :member AND timezone = :timezone);

-- name: members-without-zone
-- Returns the next members without a time zone of their own, after an id.
SELECT id FROM identity_member WHERE id > :after AND timezone IS NULL ORDER BY id LIMIT :limit;

-- name: decline-zone
INSERT INTO identity_declined_zone (member_id, timezone) VALUES (:member, :timezone) ON CONFLICT DO NOTHING;

-- name: names-in-use
-- Returns a row for each other member with the e-mail address or the user name.
SELECT email_key = :email_key AS email, username = :username AS username
  FROM identity_member
 WHERE (email_key = :email_key OR username = :username) AND id <> :id;

-- name: usernames-with-suffix
-- Returns those user names in use that are equal to :base or start with :base, a
-- hyphen and a digit.
SELECT username FROM identity_member
 WHERE username = :base OR username BETWEEN :base || '-0' AND :base || '-:';

-- name: has-members
-- Returns whether there is a member, even a disabled or deleted one.
-- scan: ends at the first row
SELECT EXISTS (SELECT 1 FROM identity_member);

-- name: other-operators
-- Counts the active operators except the member with the id.
-- scan: identity_member_operator contains operators only
SELECT count(*) FROM identity_member WHERE is_operator = 1 AND status = 'active' AND id <> :id;

-- name: operator-names
-- Returns the user names of the active operators.
-- scan: identity_member_operator contains operators only
SELECT username FROM identity_member WHERE is_operator = 1 AND status = 'active' ORDER BY id LIMIT 50;

-- name: first-member
-- Returns the user name of the oldest active member.
-- scan: stops at the first active member
SELECT username FROM identity_member WHERE status = 'active' ORDER BY id LIMIT 1;

-- name: operator-setting
-- Returns the source and the digest of the setting that was taken last.
SELECT source, digest FROM identity_operator_setting WHERE id = 1;

-- name: set-operator-setting
INSERT INTO identity_operator_setting (id, source, digest) VALUES (1, :source, :digest)
    ON CONFLICT (id) DO UPDATE SET source = excluded.source, digest = excluded.digest;

-- name: is-operator-email
-- Returns whether a member with the address becomes an operator.
SELECT EXISTS (SELECT 1 FROM identity_operator_email WHERE email_key = :email_key);

-- name: delete-operator-email
DELETE FROM identity_operator_email WHERE email_key = :email_key;

-- name: delete-operator-emails
DELETE FROM identity_operator_email;

-- name: add-operator-emails
-- Adds the addresses of the list, or only those that belong to no member.
INSERT INTO identity_operator_email (email_key)
SELECT l.value FROM json_each(:emails) AS l
 WHERE :all OR NOT EXISTS (SELECT 1 FROM identity_member AS m WHERE m.email_key = l.value);

-- name: set-listed-operators
-- Makes the members with the addresses operators and, if :only is true, no other member.
-- scan: identity_member; runs when a server starts
UPDATE identity_member
   SET is_operator = email_key IN (SELECT value FROM json_each(:emails)), generation = generation + 1, updated_at = :now
 WHERE status <> 'deleted' AND is_operator <> (email_key IN (SELECT value FROM json_each(:emails)))
   AND (:only OR is_operator = 0)
RETURNING id, coalesce(email_key, '') AS email_key, is_operator;

-- name: people
-- Returns the active members in the list of ids.
SELECT m.id, m.email, m.username, m.display_name, coalesce(m.color, '') AS color, coalesce(a.key, '') AS avatar
  FROM identity_member AS m LEFT JOIN identity_avatar AS a ON a.member_id = m.id
 WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.status = 'active';

-- name: member-names
-- Returns the names of the members in the list of ids, also of disabled ones.
SELECT id, display_name FROM identity_member
 WHERE id IN (SELECT value FROM json_each(:ids)) AND status <> 'deleted';

-- name: people-by-username
-- Returns the active members with the user names.
SELECT m.id, m.email, m.username, m.display_name, coalesce(m.color, '') AS color, coalesce(a.key, '') AS avatar
  FROM json_each(:usernames) AS l CROSS JOIN identity_member AS m ON m.username = l.value
  LEFT JOIN identity_avatar AS a ON a.member_id = m.id
 WHERE m.status = 'active';

-- name: people-by-display-name
-- Returns the active members with the display name, except hidden ones.
SELECT m.id, m.email, m.username, m.display_name, coalesce(m.color, '') AS color, coalesce(a.key, '') AS avatar
  FROM identity_member AS m LEFT JOIN identity_avatar AS a ON a.member_id = m.id
 WHERE m.name_key = :name AND m.status = 'active' AND m.id NOT IN (SELECT value FROM json_each(:hidden))
 ORDER BY m.id LIMIT :limit;

-- name: directory
-- Returns a page of the active members except hidden ones. If q is not empty, it
-- must occur in the display name, the user name or, if by_email is true, in the
-- e-mail address.
SELECT m.id, m.email, m.username, m.display_name, coalesce(m.color, '') AS color, coalesce(a.key, '') AS avatar
  FROM identity_member AS m LEFT JOIN identity_avatar AS a ON a.member_id = m.id
 WHERE m.id > :after AND m.status = 'active' AND m.id NOT IN (SELECT value FROM json_each(:hidden))
   AND (:q = '' OR instr(m.name_key, :q) OR instr(m.username, :q) OR (:by_email AND instr(m.email_key, :q)))
 ORDER BY m.id LIMIT :limit;

-- name: members
-- Returns a page of the members for operators. An empty status selects all but
-- deleted members.
SELECT id, email, COALESCE(email_key, '') AS email_key, COALESCE(username, '') AS username, display_name, name_key,
       status, coalesce(timezone, '') AS timezone, locale, coalesce(formats, '') AS formats, is_operator, password_hash, generation, created_at, updated_at, last_seen_at,
       coalesce(color, '') AS color, coalesce((SELECT a.key FROM identity_avatar AS a WHERE a.member_id = m.id), '') AS avatar,
       EXISTS (SELECT 1 FROM identity_factor AS f WHERE f.member_id = m.id) AS has_factor
  FROM identity_member AS m
 WHERE id > :after AND (status = :status OR :status = '' AND status <> 'deleted')
   AND (:q = '' OR instr(name_key, :q) OR instr(username, :q) OR instr(email_key, :q))
 ORDER BY id LIMIT :limit;

-- name: token-counts
-- Counts the valid tokens of the members in the list.
SELECT member_id, count(*) AS n FROM identity_token
 WHERE member_id IN (SELECT value FROM json_each(:members)) AND expires_at > :now
 GROUP BY member_id;

-- name: device-counts
-- Counts the device passwords of the members in the list.
SELECT member_id, count(*) AS n FROM identity_device
 WHERE member_id IN (SELECT value FROM json_each(:members))
 GROUP BY member_id;

-- name: member-counts
-- Counts the members by status, and the active ones who used the server since a time.
-- scan: an operator reads the state of the server
SELECT COALESCE(sum(status = 'active'), 0) AS active, COALESCE(sum(status = 'disabled'), 0) AS disabled,
       COALESCE(sum(status = 'active' AND last_seen_at >= :since), 0) AS seen
  FROM identity_member;

-- name: add-token
INSERT INTO identity_token (id, member_id, hash, label, method, address, created_at, last_used_at, expires_at)
VALUES (:id, :member, :hash, :label, :method, :address, :now, :now, :expires);

-- name: token-by-hash
-- Returns a valid token and its active member. Runs in every request.
SELECT t.id AS token_id, t.last_used_at, m.id, m.is_operator, m.locale, coalesce(m.formats, '') AS formats, m.generation,
       EXISTS (SELECT 1 FROM identity_factor AS f WHERE f.member_id = m.id) AS has_factor
  FROM identity_token AS t JOIN identity_member AS m ON m.id = t.member_id
 WHERE t.hash = :hash AND t.expires_at > :now AND m.status = 'active';

-- name: token-valid
-- Returns whether the token still exists and its member is active. Runs in every
-- write of a request with a token.
SELECT EXISTS (SELECT 1 FROM identity_token AS t JOIN identity_member AS m ON m.id = t.member_id
                WHERE t.id = :id AND m.status = 'active');

-- name: generation-current
-- Returns whether the member is active and has the generation.
SELECT EXISTS (SELECT 1 FROM identity_member WHERE id = :id AND status = 'active' AND generation = :generation);

-- name: extend-token
-- Records the use of a token and extends it, unless it was used after :since.
UPDATE identity_token
   SET last_used_at = :now, address = :address, expires_at = min(:now + :sliding, created_at + :absolute)
 WHERE id = :id AND last_used_at <= :since;

-- name: tokens
SELECT id, label, method, address, created_at, last_used_at, expires_at FROM identity_token
 WHERE member_id = :member AND expires_at > :now
 ORDER BY last_used_at DESC, id DESC;

-- name: delete-token
DELETE FROM identity_token WHERE id = :id AND member_id = :member;

-- name: delete-tokens
-- Deletes the tokens of a member except one; :keep may be empty.
DELETE FROM identity_token WHERE member_id = :member AND id <> :keep;

-- name: delete-surplus-tokens
-- Deletes all but the most recently used tokens of a member.
DELETE FROM identity_token
 WHERE member_id = :member
   AND id NOT IN (SELECT id FROM identity_token WHERE member_id = :member
                   ORDER BY last_used_at DESC, id DESC LIMIT :keep);

-- name: delete-expired-tokens
-- scan: runs once an hour
DELETE FROM identity_token WHERE expires_at <= :now;

-- name: add-device
INSERT INTO identity_device (id, member_id, hash, label, created_at, by_command)
VALUES (:id, :member, :hash, :label, :now, :by_command);

-- name: devices
SELECT id, label, created_at, last_used_at FROM identity_device WHERE member_id = :member ORDER BY id;

-- name: device-by-hash
-- Returns the member's device password that has the hash.
SELECT id, last_used_at, by_command FROM identity_device WHERE hash = :hash AND member_id = :member;

-- name: set-device-used
UPDATE identity_device SET last_used_at = :now WHERE id = :id;

-- name: delete-device
DELETE FROM identity_device WHERE id = :id AND member_id = :member;

-- name: delete-devices
DELETE FROM identity_device WHERE member_id = :member;

-- name: add-link
INSERT INTO identity_link (id, purpose, hash, email, member_id, label, created_by, created_at, expires_at)
VALUES (:id, :purpose, :hash, :email, nullif(:member, 0), :label, :actor, :now, :expires);

-- name: link-by-hash
-- Returns the link with the hash if it is unused and has not expired.
SELECT id, email, member_id, label, created_by, created_at, expires_at, used_at FROM identity_link
 WHERE hash = :hash AND purpose = :purpose AND expires_at > :now AND used_at IS NULL;

-- name: use-link
UPDATE identity_link SET used_at = :now, member_id = :member WHERE id = :id;

-- name: invitations
-- scan: the table contains only the links of the last days
SELECT id, email, member_id, created_by, created_at, expires_at, used_at FROM identity_link
 WHERE purpose = 'invitation' AND expires_at > :now
 ORDER BY id DESC;

-- name: delete-invitation
DELETE FROM identity_link WHERE id = :id AND purpose = 'invitation' AND used_at IS NULL;

-- name: delete-resets
DELETE FROM identity_link WHERE purpose = 'reset' AND member_id = :member;

-- name: delete-device-links
DELETE FROM identity_link WHERE purpose = 'device' AND member_id = :member;

-- name: delete-created-links
-- Deletes the unused links that a member created.
-- scan: the table contains only the links of the last days
DELETE FROM identity_link WHERE created_by = :actor AND used_at IS NULL;

-- name: delete-links
-- Deletes the links that are for a member, were created by the member, or name
-- the e-mail address.
-- scan: the table contains only the links of the last days
DELETE FROM identity_link
 WHERE member_id = :member OR created_by = :actor OR email = :email;

-- name: delete-expired-links
-- scan: runs once an hour
DELETE FROM identity_link WHERE expires_at <= :now;

-- name: add-audit
INSERT INTO identity_audit (at, actor, action, member_id, detail)
VALUES (:now, :actor, :action, nullif(:member, 0), :detail);

-- name: audit
-- Returns a page of the audit log, newest first.
SELECT id, at, actor, action, member_id, detail FROM identity_audit
 WHERE id < :before ORDER BY id DESC LIMIT :limit;

-- name: member-audit
-- Returns a page of the entries about a member, newest first.
SELECT id, at, actor, action, member_id, detail FROM identity_audit
 WHERE member_id = :member AND id < :before ORDER BY id DESC LIMIT :limit;

-- name: delete-audit-details
-- Deletes the previous e-mail addresses of a member.
UPDATE identity_audit SET detail = ''
 WHERE id IN (SELECT id FROM identity_audit WHERE member_id = :member AND action = 'change-email' AND detail <> '' LIMIT :limit);

-- name: delete-declined-zones
DELETE FROM identity_declined_zone
 WHERE member_id = :member AND timezone IN (SELECT timezone FROM identity_declined_zone WHERE member_id = :member LIMIT :limit);

-- name: add-deletion
INSERT INTO identity_deletion (member_id, deleted_at) VALUES (:member, :now);

-- name: next-deletion
-- scan: the table contains few rows
SELECT member_id FROM identity_deletion LIMIT 1;

-- name: end-deletion
DELETE FROM identity_deletion WHERE member_id = :member;

-- name: delete-sign-ins
-- Deletes the entries about the sign-ins of a member.
DELETE FROM identity_audit WHERE id IN (SELECT id FROM identity_audit WHERE member_id = :member AND action = 'sign-in' LIMIT :limit);

-- name: delete-surplus-sign-ins
-- Deletes the entries about sign-ins before a time, and all but the newest :keep
-- of each member.
-- scan: runs once an hour
DELETE FROM identity_audit
 WHERE action = 'sign-in'
   AND (at < :before OR id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY member_id ORDER BY id DESC) AS n
                                                FROM identity_audit WHERE action = 'sign-in') WHERE n > :keep));

-- name: add-factor
INSERT INTO identity_factor (member_id, created_at) VALUES (:member, :now) ON CONFLICT DO NOTHING;

-- name: delete-factor
DELETE FROM identity_factor WHERE member_id = :member;

-- name: has-confirmed-factor
-- Returns whether the member has a confirmed authenticator app or a passkey.
SELECT EXISTS (SELECT 1 FROM identity_totp WHERE member_id = :member AND confirmed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM identity_passkey WHERE member_id = :member);

-- name: totp
SELECT secret, last_step, created_at, confirmed_at FROM identity_totp WHERE member_id = :member;

-- name: put-totp
-- Stores a secret that is not confirmed. It replaces only a secret that is not
-- confirmed either.
INSERT INTO identity_totp (member_id, secret, last_step, created_at) VALUES (:member, :secret, 0, :now)
    ON CONFLICT (member_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at WHERE confirmed_at IS NULL;

-- name: confirm-totp
UPDATE identity_totp SET confirmed_at = :now WHERE member_id = :member;

-- name: set-totp-step
UPDATE identity_totp SET last_step = :step WHERE member_id = :member;

-- name: delete-totp
DELETE FROM identity_totp WHERE member_id = :member;

-- name: sealed-secrets
-- Returns the secrets of confirmed authenticator apps.
-- scan: used by commands only
SELECT member_id, secret FROM identity_totp WHERE confirmed_at IS NOT NULL ORDER BY member_id;

-- name: add-recovery-code
INSERT INTO identity_recovery_code (member_id, hash) VALUES (:member, :hash);

-- name: count-recovery-codes
SELECT count(*) FROM identity_recovery_code WHERE member_id = :member;

-- name: use-recovery-code
DELETE FROM identity_recovery_code WHERE member_id = :member AND hash = :hash;

-- name: delete-recovery-codes
DELETE FROM identity_recovery_code WHERE member_id = :member;

-- name: add-passkey
INSERT INTO identity_passkey (id, member_id, credential_id, credential, label, created_at)
VALUES (:id, :member, :credential_id, :credential, :label, :now);

-- name: passkeys
SELECT id, credential, label, created_at, last_used_at FROM identity_passkey WHERE member_id = :member ORDER BY id;

-- name: use-passkey
UPDATE identity_passkey SET credential = :credential, last_used_at = :now WHERE id = :id;

-- name: delete-passkey
DELETE FROM identity_passkey WHERE id = :id AND member_id = :member;

-- name: delete-passkeys
DELETE FROM identity_passkey WHERE member_id = :member;

-- name: add-challenge
INSERT INTO identity_challenge (hash, member_id, purpose, generation, method, ceremony, failures, expires_at)
VALUES (:hash, :member, :purpose, :generation, :method, :ceremony, 0, :expires);

-- name: challenge
-- Returns a challenge that has not expired.
SELECT member_id, generation, method, ceremony, failures FROM identity_challenge
 WHERE hash = :hash AND purpose = :purpose AND expires_at > :now;

-- name: count-challenge-failure
UPDATE identity_challenge SET failures = failures + 1 WHERE hash = :hash;

-- name: delete-challenge
DELETE FROM identity_challenge WHERE hash = :hash;

-- name: delete-surplus-challenges
-- Deletes all but the latest challenges of a member.
DELETE FROM identity_challenge
 WHERE member_id = :member
   AND hash NOT IN (SELECT hash FROM identity_challenge WHERE member_id = :member ORDER BY expires_at DESC LIMIT :keep);

-- name: delete-challenges
DELETE FROM identity_challenge WHERE member_id = :member;

-- name: delete-expired-challenges
-- scan: the table contains only the challenges of the last minutes
DELETE FROM identity_challenge WHERE expires_at <= :now;

-- name: put-network
INSERT INTO identity_network (member_id, network, used_at) VALUES (:member, :network, :now)
    ON CONFLICT (member_id, network) DO UPDATE SET used_at = excluded.used_at;

-- name: networks
SELECT network FROM identity_network WHERE member_id = :member AND used_at > :since ORDER BY network;

-- name: delete-surplus-networks
-- Deletes all but the most recently used networks of a member.
DELETE FROM identity_network
 WHERE member_id = :member
   AND network NOT IN (SELECT network FROM identity_network WHERE member_id = :member ORDER BY used_at DESC LIMIT :keep);

-- name: delete-networks
DELETE FROM identity_network WHERE member_id = :member;

-- Avatars

-- name: put-avatar
INSERT INTO identity_avatar (member_id, key, created_at, thumb, picture) VALUES (:member, :key, :now, :thumb, :picture)
    ON CONFLICT (member_id) DO UPDATE
   SET key = excluded.key, created_at = excluded.created_at, thumb = excluded.thumb, picture = excluded.picture;

-- name: avatar
-- Returns the avatar of an active member, except hidden ones, if it has the key.
SELECT iif(:thumb, a.thumb, a.picture)
  FROM identity_avatar AS a JOIN identity_member AS m ON m.id = a.member_id
 WHERE a.member_id = :member AND a.key = :key AND m.status = 'active'
   AND m.id NOT IN (SELECT value FROM json_each(:hidden));

-- name: stored-avatar
SELECT picture, created_at FROM identity_avatar WHERE member_id = :member;

-- name: delete-avatar
DELETE FROM identity_avatar WHERE member_id = :member;
