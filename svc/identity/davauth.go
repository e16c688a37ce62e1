package identity

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"strings"
	"sync"
	"time"

	"appliance/store"
	"appliance/svc"
)

type davQueries struct {
	DeviceByHash      store.Query `sql:"device-by-hash"`
	SetDeviceUsed     store.Query `sql:"set-device-used"`
	GenerationCurrent store.Query `sql:"generation-current"`
}

// DAVCandidate is the member that HTTP Basic credentials (RFC 7617) name, before
// the password is verified.
type DAVCandidate struct {
	row         memberRow // zero for an unknown login
	login       string
	password    string
	key         CredentialKey
	device      string // id of the device password that matched, if any
	proven      bool   // the cache or a device password proves the member
	cached      bool   // the cache proves the member
	needsDevice bool   // the member needs a device password
	networks    []string
	useDue      bool // as in DAVAuthentication
	now         time.Time
}

// DAVAuthentication is the result of verifying HTTP Basic credentials.
type DAVAuthentication struct {
	Valid      bool       `json:"valid"`
	Member     *DAVMember `json:"member,omitzero"`
	Generation int64      `json:"generation,omitzero"`

	Viewer svc.Viewer `json:"-"` // the zero Viewer if Valid is false
	UseDue bool       `json:"-"` // an hour has passed since the last recorded use: call RecordDAVUse
	device string     // id of the device password, if one was used
}

// DAVMember contains the attributes of a member that a DAV server needs.
type DAVMember struct {
	ID       svc.MemberID `json:"id"`
	Username string       `json:"username"`
	Email    string       `json:"email"`
	Status   Status       `json:"status"`
}

// DAVCandidate returns the candidate for a login: an e-mail address or a user name,
// also percent-encoded, because iOS 18.4 sends user%40host. Credentials that were
// verified within davCacheTime, and device passwords, need no password hash.
func (s *Service) DAVCandidate(tx *store.Tx, login, password string) (DAVCandidate, error) {
	c := DAVCandidate{login: login, password: password, now: tx.Now()}
	if len(login) > MaxLogin || len(password) > 4*maxPassword {
		return c, nil
	}
	c.key = s.cache.credentialKey(login, password)
	if e, ok := s.cache.get(c.key, c.now); ok {
		row, err := s.memberByID(tx, e.member)
		if err == nil && row.Status == Active && row.Generation == e.generation {
			c.row, c.proven, c.cached = row, true, true
			return c, nil
		}
		if err != nil && svc.KindOf(err) != svc.Missing {
			return c, err
		}
		s.cache.delete(c.key)
	}
	row, err := s.memberByLogin(tx, login)
	if err == nil && row.ID == 0 && strings.Contains(login, "%") {
		if decoded, errDecode := url.PathUnescape(login); errDecode == nil {
			row, err = s.memberByLogin(tx, decoded)
		}
	}
	if err != nil || row.Status != Active {
		return c, err
	}
	c.row = row
	c.useDue = row.LastSeenAt == nil || isUseDue(tx, *row.LastSeenAt)
	if err := s.matchDevice(tx, &c); err != nil || c.proven {
		return c, err
	}
	c.needsDevice = !s.acceptsPassword(row)
	c.networks, err = s.networks(tx, row.ID)
	return c, err
}

// matchDevice marks c as proven if its password is a device password of the member.
func (s *Service) matchDevice(tx *store.Tx, c *DAVCandidate) error {
	canonical, ok := canonicalDevice(c.password)
	if !ok {
		return nil
	}
	var device struct {
		ID         string        `db:"id"`
		LastUsedAt *store.Millis `db:"last_used_at"`
		ByCommand  bool          `db:"by_command"`
	}
	err := tx.Get(&device, s.q.DeviceByHash, store.Args{"hash": digest(canonical), "member": c.row.ID})
	if store.IsNoRows(err) {
		return nil
	}
	if err == nil {
		c.device, c.proven = device.ID, true
		c.useDue = !device.ByCommand && (c.useDue || device.LastUsedAt == nil || isUseDue(tx, *device.LastUsedAt))
	}
	return err
}

// Account returns the account of c.
func (c DAVCandidate) Account() Account {
	account := candidate(c.login, c.row, nil).Account()
	account.Networks = c.networks
	if c.needsDevice {
		account.State += " device password" // other routes may accept the same password
	}
	return account
}

// Method returns how c authenticates, for the log: with a password or with a device
// password.
func (c DAVCandidate) Method() string {
	if c.device != "" {
		return "device-password"
	}
	return byPassword
}

// Key identifies the credentials.
func (c DAVCandidate) Key() CredentialKey { return c.key }

// IsCached reports whether the same credentials were verified within davCacheTime.
func (c DAVCandidate) IsCached() bool { return c.cached }

// IsProven reports whether the credentials are already known to be valid.
func (c DAVCandidate) IsProven() bool { return c.proven }

// acceptsPassword reports whether the account password is enough for a DAV client. A member with a
// second factor needs device passwords, because a DAV client cannot ask for the factor. The same
// applies to a member who must add a second factor.
func (s *Service) acceptsPassword(row memberRow) bool {
	return !row.HasFactor && !s.requiresFactor(s.member(row).IsOperator)
}

// VerifyDAV verifies the password. It computes no hash if the candidate is proven,
// otherwise exactly one.
func (s *Service) VerifyDAV(ctx context.Context, c DAVCandidate) (DAVAuthentication, error) {
	e, cached := s.cache.get(c.key, c.now) // a concurrent request may have verified the same credentials
	cached = cached && e.member == c.row.ID && e.generation == c.row.Generation
	if !c.proven && !cached {
		ok, _, err := s.verify(ctx, candidate(c.login, c.row, nil), c.password)
		if err != nil || !ok || c.needsDevice {
			return DAVAuthentication{}, err
		}
	}
	s.cache.put(c.key, c.row.ID, c.row.Generation, c.now)
	return DAVAuthentication{
		Valid:      true,
		Member:     &DAVMember{ID: c.row.ID, Username: c.row.Username, Email: c.row.Email, Status: c.row.Status},
		Generation: c.row.Generation,
		Viewer:     svc.Trust(c.row.ID),
		UseDue:     c.useDue,
		device:     c.device,
	}, nil
}

// RevalidateDAV is [Service.Revalidate] for HTTP Basic credentials: they are valid
// while the member is active and has the same generation.
func (s *Service) RevalidateDAV(tx *store.Tx, a DAVAuthentication) error {
	return s.checkValid(tx, s.q.GenerationCurrent, store.Args{"id": a.Viewer.Member(), "generation": a.Generation})
}

// RecordDAVUse records the time of the latest use of the server by the member and of the device
// password.
func (s *Service) RecordDAVUse(tx *store.Tx, a DAVAuthentication) error {
	if err := s.setLastSeen(tx, a.Viewer.Member()); err != nil || a.device == "" {
		return err
	}
	_, err := tx.Exec(s.q.SetDeviceUsed, store.Args{"id": a.device, "now": store.MillisOf(tx.Now())})
	return err
}

// Limits of davCache.
const (
	davCacheTime = 10 * time.Minute
	davCacheSize = 4096
)

// CredentialKey identifies a login and a password: an HMAC with a
// random key, so that no password stays in memory for minutes.
type CredentialKey [sha256.Size]byte

// davCache caches verified credentials with their member and generation. It does
// not cache invalid credentials, so that unauthenticated clients cannot fill it.
type davCache struct {
	secret [32]byte

	mu      sync.Mutex
	entries map[CredentialKey]davEntry
}

type davEntry struct {
	member     svc.MemberID
	generation int64
	expires    time.Time
}

func newDAVCache() *davCache {
	c := &davCache{entries: make(map[CredentialKey]davEntry)}
	rand.Read(c.secret[:])
	return c
}

func (c *davCache) credentialKey(login, password string) (sum CredentialKey) {
	h := hmac.New(sha256.New, c.secret[:])
	h.Write(binary.AppendUvarint(nil, uint64(len(login)))) // separates login and password
	h.Write([]byte(login))
	h.Write([]byte(password))
	h.Sum(sum[:0])
	return sum
}

func (c *davCache) get(key CredentialKey, now time.Time) (davEntry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return e, ok && now.Before(e.expires)
}

func (c *davCache) delete(key CredentialKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
}

// put adds credentials that were verified at now. It does not extend an entry of
// the same generation: a password hash is due every davCacheTime.
func (c *davCache) put(key CredentialKey, member svc.MemberID, generation int64, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok && e.generation == generation && now.Before(e.expires) {
		return
	}
	if len(c.entries) >= davCacheSize {
		c.evict(now)
	}
	c.entries[key] = davEntry{member, generation, now.Add(davCacheTime)}
}

// evict deletes expired entries, and random ones if the cache is still full.
func (c *davCache) evict(now time.Time) {
	for key, e := range c.entries {
		if !now.Before(e.expires) {
			delete(c.entries, key)
		}
	}
	for key := range c.entries {
		if len(c.entries) < davCacheSize {
			return
		}
		delete(c.entries, key)
	}
}
