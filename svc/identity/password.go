package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"appliance/svc"
)

// What a password must be, in characters.
const (
	minPassword = 8
	maxPassword = 1024
)

// checkPassword checks a password that somebody chose, who must not have
// chosen one of their addresses.
func checkPassword(plain string, emails ...string) error {
	if plain == "" {
		return svc.Required("password")
	}
	if err := svc.CheckText("password", plain, maxPassword); err != nil {
		return err
	}
	if utf8.RuneCountInString(plain) < minPassword {
		return svc.FieldError(svc.WeakPassword, "password", "password must have at least %d characters.", minPassword)
	}
	for _, email := range emails {
		if fold(plain) == fold(email) {
			return svc.FieldError(svc.WeakPassword, "password", "password must not be the e-mail address.")
		}
	}
	return nil
}

// Argon2 says how costly a password hash is (RFC 9106 §3.1).
type Argon2 struct {
	Memory  uint32 // KiB
	Time    uint32 // passes
	Threads uint8
}

// DefaultArgon2 takes some 20 ms of one core.
var DefaultArgon2 = Argon2{Memory: 19 << 10, Time: 2, Threads: 1}

// weakerThan reports whether a hash made with p is worth making again.
func (p Argon2) weakerThan(q Argon2) bool { return p.Memory < q.Memory || p.Time < q.Time }

// PasswordHash is a password that was checked and hashed, ready to be stored.
type PasswordHash struct{ phc string }

// HashPassword checks a password that somebody chose, who must not have
// chosen one of the addresses, and hashes it. What is wrong with it is said
// of the field password.
func (s *Service) HashPassword(ctx context.Context, plain string, emails ...string) (PasswordHash, error) {
	if err := checkPassword(plain, emails...); err != nil {
		return PasswordHash{}, err
	}
	return s.hash(ctx, plain)
}

func (s *Service) hash(ctx context.Context, plain string) (PasswordHash, error) {
	phc, err := s.hasher.hash(ctx, plain)
	return PasswordHash{phc}, err
}

// Hashes returns how many password hashes were computed so far.
func (s *Service) Hashes() int64 { return s.hasher.count.Load() }

// hasher computes password hashes, no more at once than there are cores: each
// fills its memory, and a storm of logins must not fill the machine's. Whoever
// would have to wait for too many others is told so at once.
type hasher struct {
	params Argon2
	queue  chan struct{} // places to wait in, and to be served
	slots  chan struct{}
	count  atomic.Int64
}

// maxWaiting is how many may wait for a core: some seconds' work.
const maxWaiting = 100

func newHasher(params Argon2) *hasher {
	cores := runtime.GOMAXPROCS(0)
	return &hasher{params: params, queue: make(chan struct{}, cores+maxWaiting), slots: make(chan struct{}, cores)}
}

// Sizes of what is drawn and made here.
const (
	saltSize = 16
	keySize  = 32
)

// key derives a key, once it is its turn.
func (h *hasher) key(ctx context.Context, plain string, p Argon2, salt []byte, size int) ([]byte, error) {
	busy := svc.Errorf(svc.ServiceUnavailable, "Too many people are signing in just now. Try again in a moment.")
	busy.RetryAfter = 5 * time.Second
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return nil, busy
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, busy.WithCause(ctx.Err())
	}
	h.count.Add(1)
	return argon2.IDKey([]byte(plain), salt, p.Time, p.Memory, p.Threads, uint32(size)), nil
}

// hash returns a new PHC string for a password.
func (h *hasher) hash(ctx context.Context, plain string) (string, error) {
	stored := phc{Argon2: h.params, salt: make([]byte, saltSize)}
	rand.Read(stored.salt)
	var err error
	if stored.key, err = h.key(ctx, plain, h.params, stored.salt, keySize); err != nil {
		return "", err
	}
	return stored.String(), nil
}

// verify reports whether a password is the one of a PHC string, at the cost of
// exactly one hash. The empty string stands for nobody, who has no password.
func (h *hasher) verify(ctx context.Context, text, plain string) (ok bool, params Argon2, err error) {
	if text == "" {
		_, err := h.key(ctx, plain, h.params, make([]byte, saltSize), keySize)
		return false, h.params, err
	}
	stored, err := parsePHC(text)
	if err != nil {
		return false, Argon2{}, err
	}
	key, err := h.key(ctx, plain, stored.Argon2, stored.salt, len(stored.key))
	return err == nil && subtle.ConstantTimeCompare(key, stored.key) == 1, stored.Argon2, err
}

// phc is an Argon2id hash in the PHC string format.
type phc struct {
	Argon2
	salt, key []byte
}

func (p phc) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.Memory, p.Time, p.Threads,
		b64.EncodeToString(p.salt), b64.EncodeToString(p.key))
}

// Bounds of what a stored hash may ask of this machine.
const (
	maxMemory = 1 << 20 // KiB
	maxTime   = 64
	maxBytes  = 64
	maxPHC    = 256
)

var errPHC = errors.New("a stored password hash is not an Argon2id PHC string")

// parsePHC reads what String writes and nothing else, within bounds.
func parsePHC(text string) (phc, error) {
	parts := strings.Split(text, "$")
	if len(text) > maxPHC || len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return phc{}, errPHC
	}
	var numbers [3]uint32
	params := strings.Split(parts[3], ",")
	if len(params) != len(numbers) {
		return phc{}, errPHC
	}
	for i, name := range []string{"m=", "t=", "p="} {
		digits, ok := strings.CutPrefix(params[i], name)
		n, err := strconv.ParseUint(digits, 10, 32)
		if !ok || err != nil {
			return phc{}, errPHC
		}
		numbers[i] = uint32(n)
	}
	memory, passes, threads := numbers[0], numbers[1], numbers[2]
	salt, errSalt := base64.RawStdEncoding.Strict().DecodeString(parts[4])
	key, errKey := base64.RawStdEncoding.Strict().DecodeString(parts[5])
	switch {
	case errSalt != nil || len(salt) < 8 || len(salt) > maxBytes,
		errKey != nil || len(key) < 16 || len(key) > maxBytes,
		passes < 1 || passes > maxTime,
		threads < 1 || threads > 255,
		memory < 8*threads || memory > maxMemory:
		return phc{}, errPHC
	}
	p := phc{Argon2: Argon2{Memory: memory, Time: passes, Threads: uint8(threads)}, salt: salt, key: key}
	if p.String() != text { // another version, a leading zero
		return phc{}, errPHC
	}
	return p, nil
}
