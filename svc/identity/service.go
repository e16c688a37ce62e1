package identity

import (
	"slices"
	"strings"
	"sync"

	"appliance/store"
	"appliance/svc"
)

// Policy determines who may register.
type Policy string

const (
	Open       Policy = "open"   // registration without an invitation
	InviteOnly Policy = "invite" // registration with an invitation
	Closed     Policy = "closed" // no registration; operators add members
)

// EmailVisibility determines how the directory shows e-mail addresses.
type EmailVisibility string

const (
	FullEmail   EmailVisibility = "full"
	MaskedEmail EmailVisibility = "masked" // b…@example.org
	HiddenEmail EmailVisibility = "hidden" // no address
)

// Config contains the settings of the service.
type Config struct {
	Registration   Policy          // "" means InviteOnly
	DirectoryEmail EmailVisibility // "" means FullEmail

	// Operators are the e-mail addresses whose members are operators. If
	// OperatorsFixed is set, set-up does not add to them.
	Operators      []string
	OperatorsFixed bool

	Timezone string // for new members; "" means UTC
	Locale   string // for new members; "" means en

	Argon2 Argon2 // the zero value means [DefaultArgon2]
}

// queries are the statements of sql/queries/identity.sql, grouped by the file
// that uses them.
type queries struct {
	memberQueries
	directoryQueries
	adminQueries
	tokenQueries
	deviceQueries
	davQueries
	linkQueries
	auditQueries
}

// Service is the identity service. Its methods may be called from any
// goroutine.
type Service struct {
	cfg    Config
	hooks  []MemberHooks
	q      queries
	hasher *hasher
	cache  *davCache

	mu        sync.RWMutex
	operators []string // folded
}

// New returns the service. The hooks run in the given order.
func New(cfg Config, hooks ...MemberHooks) *Service {
	if cfg.Registration == "" {
		cfg.Registration = InviteOnly
	}
	if cfg.DirectoryEmail == "" {
		cfg.DirectoryEmail = FullEmail
	}
	if cfg.Timezone == "" {
		cfg.Timezone = "UTC"
	}
	if cfg.Locale == "" {
		cfg.Locale = "en"
	}
	if cfg.Argon2 == (Argon2{}) {
		cfg.Argon2 = DefaultArgon2
	}
	s := &Service{cfg: cfg, hooks: hooks, hasher: newHasher(cfg.Argon2), cache: newDAVCache()}
	q := &s.q
	store.Bind("identity", &q.memberQueries, &q.directoryQueries, &q.adminQueries, &q.tokenQueries, &q.deviceQueries,
		&q.davQueries, &q.linkQueries, &q.auditQueries)
	for _, email := range cfg.Operators {
		s.AddOperator(email)
	}
	return s
}

// AddHook appends the hooks of a service whose constructor needs s. It must be
// called before s is used.
func (s *Service) AddHook(h MemberHooks) { s.hooks = append(s.hooks, h) }

// AddOperator adds an e-mail address to the operator list. Surrounding white space
// and case are ignored.
func (s *Service) AddOperator(email string) {
	key := fold(email)
	s.mu.Lock()
	defer s.mu.Unlock()
	if key != "" && !slices.Contains(s.operators, key) {
		s.operators = append(slices.Clone(s.operators), key)
	}
}

// Operators returns the operator list: folded e-mail addresses.
func (s *Service) Operators() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.operators // AddOperator replaces the slice
}

// isOperatorEmail reports whether the operator list contains a folded address.
func (s *Service) isOperatorEmail(emailKey string) bool {
	return slices.Contains(s.Operators(), emailKey)
}

// Actor is the operator or the command that performs an administrative operation.
// It proves the permission to do so; the zero Actor has none.
type Actor struct {
	name   string // as in the audit log
	viewer svc.Viewer
	shell  bool
}

// CommandLine returns the actor for commands run by a user of the machine. A user
// who can run them has access to the database file, so there is nothing to check.
func CommandLine(user string) Actor { return Actor{name: "cli:" + user, shell: true} }

// Operator returns the actor for v, who must be an active operator.
func (s *Service) Operator(tx *store.Tx, v svc.Viewer) (Actor, error) {
	id, err := v.Require()
	if err != nil {
		return Actor{}, err
	}
	row, err := s.memberByID(tx, id)
	if err != nil {
		return Actor{}, err
	}
	if row.Status != Active || !s.isOperatorEmail(row.EmailKey) {
		return Actor{}, errNotOperator()
	}
	return Actor{name: id.String(), viewer: v}, nil
}

func (a Actor) require() error {
	if a.name == "" {
		return errNotOperator()
	}
	return nil
}

func errNotOperator() error {
	return svc.Errorf(svc.PermissionDenied, "Only operators of this server can do this.")
}

// Expire deletes expired tokens and one-time links. A job runs it once a night.
func (s *Service) Expire(tx *store.Tx) error {
	for _, q := range []store.Query{s.q.DeleteExpiredTokens, s.q.DeleteExpiredLinks} {
		if _, err := tx.Exec(q, store.Args{"now": store.MillisOf(tx.Now())}); err != nil {
			return err
		}
	}
	return nil
}

// fold returns s in the form in which addresses and names are compared.
func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
