package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"appliance/svc"
)

// Limits of the length of a password, in characters.
const (
	minPassword = 8
	maxPassword = 1024
)

// commonPasswords are the most frequent passwords of at least minPassword characters,
// in lower case, each between line feeds. The data is from zxcvbn-ts, package
// @zxcvbn-ts/language-common 4.1.3 (copyright Dan Wheeler, Dropbox and zxcvbn-ts,
// licence MIT).
//
//go:embed common_passwords.txt
var commonPasswords string

// CheckPassword validates a password. It must not be guessable or one of the e-mail
// addresses. There are no rules for its characters, because length makes a
// password strong.
func CheckPassword(plain string, emails ...string) error {
	if plain == "" {
		return svc.Required("password")
	}
	if err := svc.CheckText("password", plain, maxPassword); err != nil {
		return err
	}
	if utf8.RuneCountInString(plain) < minPassword {
		return svc.FieldError(svc.WeakPassword, "password", "Password must have at least %d characters.", minPassword)
	}
	if isGuessable(strings.ToLower(plain)) {
		return svc.FieldError(svc.WeakPassword, "password", "Many people use this password, so it is guessed first. Choose another one; three or four random words are good.")
	}
	for _, email := range emails {
		if fold(plain) == fold(email) {
			return svc.FieldError(svc.WeakPassword, "password", "Password must not be your e-mail address.")
		}
	}
	return nil
}

// isGuessable reports whether a password in lower case is common, also without the digits and signs
// around it, or repeats a sequence of at most four characters.
func isGuessable(plain string) bool {
	word := strings.TrimFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, s := range []string{plain, word} {
		if strings.Contains(commonPasswords, "\n"+s+"\n") {
			return true
		}
	}
	characters := []rune(plain)
	for unit := 1; unit <= 4; unit++ {
		if slices.Equal(characters[unit:], characters[:len(characters)-unit]) {
			return true
		}
	}
	return false
}

// Argon2 contains the cost parameters of a password hash (RFC 9106 §3.1).
type Argon2 struct {
	Memory  uint32 // KiB
	Time    uint32 // passes
	Threads uint8
}

// DefaultArgon2 takes about 20 ms on one core.
var DefaultArgon2 = Argon2{Memory: 19 << 10, Time: 2, Threads: 1}

// weakerThan reports whether a hash with parameters p should be replaced by one
// with q.
func (p Argon2) weakerThan(q Argon2) bool { return p.Memory < q.Memory || p.Time < q.Time }

// PasswordHash is the hash of a validated password, ready to be stored.
type PasswordHash struct{ phc string }

// HashPassword validates and hashes a password, which must not be one of the
// e-mail addresses. Its errors are about the field password.
func (s *Service) HashPassword(ctx context.Context, plain string, emails ...string) (PasswordHash, error) {
	if err := CheckPassword(plain, emails...); err != nil {
		return PasswordHash{}, err
	}
	return s.hash(ctx, plain)
}

func (s *Service) hash(ctx context.Context, plain string) (PasswordHash, error) {
	phc, err := s.hasher.hash(ctx, plain)
	return PasswordHash{phc}, err
}

// Hashes returns the number of password hashes computed so far.
func (s *Service) Hashes() int64 { return s.hasher.count.Load() }

// hasher computes password hashes. It runs at most one per core, because each hash
// needs Argon2.Memory of memory, and rejects requests when its queue is full.
type hasher struct {
	params Argon2
	queue  chan struct{} // a token per waiting or running hash
	slots  chan struct{} // a token per running hash
	count  atomic.Int64
}

// maxQueuedHashes limits the queue to a few seconds of work.
const maxQueuedHashes = 100

func newHasher(params Argon2) *hasher {
	cores := runtime.GOMAXPROCS(0)
	return &hasher{params: params, queue: make(chan struct{}, cores+maxQueuedHashes), slots: make(chan struct{}, cores)}
}

// Sizes of new hashes, in bytes.
const (
	saltSize = 16
	keySize  = 32
)

// deriveKey derives a key from a password in the normalization form NFC, because
// keyboards and programs send the same characters in other forms. It waits for a free slot and returns an error if the queue is
// full or ctx ends.
func (h *hasher) deriveKey(ctx context.Context, plain string, p Argon2, salt []byte, size int) ([]byte, error) {
	errBusy := svc.Errorf(svc.ServiceUnavailable, "Too many people are signing in at the moment. Try again in a few seconds.")
	errBusy.RetryAfter = 5 * time.Second
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return nil, errBusy
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, errBusy.WithCause(ctx.Err())
	}
	h.count.Add(1)
	return argon2.IDKey(norm.NFC.Bytes([]byte(plain)), salt, p.Time, p.Memory, p.Threads, uint32(size)), nil
}

// hash hashes a password with a new salt and returns the PHC string.
func (h *hasher) hash(ctx context.Context, plain string) (string, error) {
	stored := phc{Argon2: h.params, salt: make([]byte, saltSize)}
	rand.Read(stored.salt)
	var err error
	if stored.key, err = h.deriveKey(ctx, plain, h.params, stored.salt, keySize); err != nil {
		return "", err
	}
	return stored.String(), nil
}

// verify reports whether plain is the password of a PHC string. It always
// computes exactly one hash. An empty PHC string matches no password.
func (h *hasher) verify(ctx context.Context, text, plain string) (ok bool, params Argon2, err error) {
	if text == "" {
		_, err := h.deriveKey(ctx, plain, h.params, make([]byte, saltSize), keySize)
		return false, h.params, err
	}
	stored, err := parsePHC(text)
	if err != nil {
		return false, Argon2{}, err
	}
	key, err := h.deriveKey(ctx, plain, stored.Argon2, stored.salt, len(stored.key))
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

// Limits of the parameters of stored hashes.
const (
	maxMemory = 1 << 20 // KiB
	maxTime   = 64
	maxBytes  = 64
	maxPHC    = 256
)

var errPHC = errors.New("stored password hash is not an Argon2id PHC string")

// parsePHC parses the output of String. It rejects any other form and parameters
// beyond the limits.
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
	if p.String() != text { // such as another version or a leading zero
		return phc{}, errPHC
	}
	return p, nil
}
