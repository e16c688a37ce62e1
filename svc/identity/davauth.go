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

// DAVCandidate is who sends HTTP Basic credentials (RFC 7617), on the way to
// proving it.
type DAVCandidate struct {
	row      memberRow // zero is nobody
	login    string
	password string
	key      credential
	device   string // of a device password that matched
	proven   bool   // by the cache or a device password
	useDue   bool
	at       time.Time
}

// DAVAuthentication is whether the credentials are good, and whose they are.
type DAVAuthentication struct {
	Valid      bool       `json:"valid"`
	Member     *DAVMember `json:"member,omitzero"`
	Generation int64      `json:"generation,omitzero"`

	Viewer svc.Viewer `json:"-"` // the public if they are not
	UseDue bool       `json:"-"` // a day has passed since the last SeeDAV: do it again
	device string
}

// DAVMember is what a DAV server is told of a member.
type DAVMember struct {
	ID       svc.MemberID `json:"id"`
	Username string       `json:"username"`
	Email    string       `json:"email"`
	Status   Status       `json:"status"`
}

// DAVCandidate looks for whom a login names: by e-mail address or username,
// as it is or percent-decoded, since iOS 18.4 sends user%40host. Credentials
// that were good minutes ago cost one look at the member.
func (s *Service) DAVCandidate(tx *store.Tx, login, password string) (DAVCandidate, error) {
	c := DAVCandidate{login: login, password: password, at: tx.Now()}
	if len(login) > MaxLogin || len(password) > 4*maxPassword {
		return c, nil
	}
	c.key = s.cache.credential(login, password)
	if e, ok := s.cache.get(c.key, c.at); ok {
		row, err := s.memberByID(tx, e.member)
		if err == nil && row.Status == Active && row.Generation == e.generation {
			c.row, c.proven = row, true
			return c, nil
		}
		if err != nil && svc.KindOf(err) != svc.Missing {
			return c, err
		}
		s.cache.drop(c.key)
	}
	row, err := s.memberByLogin(tx, login)
	if err == nil && row.ID == 0 && strings.Contains(login, "%") {
		if decoded, bad := url.PathUnescape(login); bad == nil {
			row, err = s.memberByLogin(tx, decoded)
		}
	}
	if err != nil || row.Status != Active {
		return c, err
	}
	c.row = row
	c.useDue = row.LastSeenAt == nil || isUseDue(tx, *row.LastSeenAt)
	err = s.matchDevice(tx, &c)
	return c, err
}

// matchDevice looks whether the password is one of the candidate's devices'.
func (s *Service) matchDevice(tx *store.Tx, c *DAVCandidate) error {
	canonical, ok := canonicalDevice(c.password)
	if !ok {
		return nil
	}
	var device struct {
		ID         string        `db:"id"`
		LastUsedAt *store.Millis `db:"last_used_at"`
	}
	err := tx.Get(&device, s.q.DeviceByHash, store.Args{"hash": digest(canonical), "member": c.row.ID})
	if store.IsNoRows(err) {
		return nil
	}
	if err == nil {
		c.device, c.proven = device.ID, true
		c.useDue = c.useDue || device.LastUsedAt == nil || isUseDue(tx, *device.LastUsedAt)
	}
	return err
}

// Account returns what c stands for.
func (c DAVCandidate) Account() Account { return candidate(c.login, c.row, nil).Account() }

// Proven reports whether it is known already that the credentials are good.
func (c DAVCandidate) Proven() bool { return c.proven }

// VerifyDAV checks the password: for nothing if the candidate is proven, else
// at the cost of one hash whatever the answer.
func (s *Service) VerifyDAV(ctx context.Context, c DAVCandidate) (DAVAuthentication, error) {
	if !c.proven {
		ok, _, err := s.verify(ctx, candidate(c.login, c.row, nil), c.password)
		if err != nil || !ok {
			return DAVAuthentication{}, err
		}
	}
	s.cache.put(c.key, c.row.ID, c.row.Generation, c.at)
	return DAVAuthentication{
		Valid:      true,
		Member:     &DAVMember{ID: c.row.ID, Username: c.row.Username, Email: c.row.Email, Status: c.row.Status},
		Generation: c.row.Generation,
		Viewer:     svc.Trust(c.row.ID),
		UseDue:     c.useDue,
		device:     c.device,
	}, nil
}

// RevalidateDAV is [Service.Revalidate] for credentials: they are good as long as the
// member's generation is the same.
func (s *Service) RevalidateDAV(tx *store.Tx, a DAVAuthentication) error {
	return s.checkValid(tx, s.q.GenerationCurrent, store.Args{"id": a.Viewer.Member(), "generation": a.Generation})
}

// RecordDAVUse notes that a member was here, and with which device password.
func (s *Service) RecordDAVUse(tx *store.Tx, a DAVAuthentication) error {
	if err := s.setLastSeen(tx, a.Viewer.Member()); err != nil || a.device == "" {
		return err
	}
	_, err := tx.Exec(s.q.SetDeviceUsed, store.Args{"id": a.device, "now": store.MillisOf(tx.Now())})
	return err
}

// Bounds of the cache of good credentials.
const (
	davCacheTime = 10 * time.Minute
	davCacheSize = 4096
)

// credential stands for a login and a password in the cache, so that none
// lies in memory for minutes. It is an HMAC under a key drawn at start.
type credential [sha256.Size]byte

// davCache remembers which credentials were good and for which generation of
// which member. Wrong ones are not remembered, so strangers cannot fill it.
type davCache struct {
	secret [32]byte

	mu      sync.Mutex
	entries map[credential]davEntry
}

type davEntry struct {
	member     svc.MemberID
	generation int64
	until      time.Time
}

func newDAVCache() *davCache {
	c := &davCache{entries: make(map[credential]davEntry)}
	rand.Read(c.secret[:])
	return c
}

func (c *davCache) credential(login, password string) (sum credential) {
	h := hmac.New(sha256.New, c.secret[:])
	h.Write(binary.AppendUvarint(nil, uint64(len(login)))) // where the password begins
	h.Write([]byte(login))
	h.Write([]byte(password))
	h.Sum(sum[:0])
	return sum
}

func (c *davCache) get(key credential, now time.Time) (davEntry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return e, ok && now.Before(e.until)
}

func (c *davCache) drop(key credential) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
}

// put remembers a credential that was good at now. What is there for the same
// generation keeps its time: being used does not make it last.
func (c *davCache) put(key credential, member svc.MemberID, generation int64, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok && e.generation == generation && now.Before(e.until) {
		return
	}
	if len(c.entries) >= davCacheSize {
		c.evict(now)
	}
	c.entries[key] = davEntry{member, generation, now.Add(davCacheTime)}
}

// evict drops what is out of date, or anything if nothing is.
func (c *davCache) evict(now time.Time) {
	for key, e := range c.entries {
		if !now.Before(e.until) {
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
