package identity

import (
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// RegistrationPolicy determines which clients may register.
type RegistrationPolicy string

const (
	Open       RegistrationPolicy = "open"   // registration without an invitation
	InviteOnly RegistrationPolicy = "invite" // registration with an invitation
	Closed     RegistrationPolicy = "closed" // no registration; operators add members
)

// Values implements [svc.Set].
func (RegistrationPolicy) Values() []string { return svc.Values(Open, InviteOnly, Closed) }

// EmailVisibility determines how the directory shows e-mail addresses.
type EmailVisibility string

const (
	FullEmail   EmailVisibility = "full"
	MaskedEmail EmailVisibility = "masked" // b…@example.org
	HiddenEmail EmailVisibility = "hidden" // no address
)

// Config contains the settings of the service.
type Config struct {
	Registration   RegistrationPolicy // "" means InviteOnly
	DirectoryEmail EmailVisibility    // "" means FullEmail

	// Operators are the e-mail addresses of the setting admin-allowed-emails (see
	// TakeOperators). OperatorsSource names the variable or the flag that sets it, if
	// this program cannot change the operators; otherwise it is "".
	Operators       []string
	OperatorsSource string

	// SecondFactor determines which members must have a second factor; "" means
	// FactorOptional.
	SecondFactor FactorPolicy

	// Host is the host name of this server: the issuer in authenticator apps and the
	// relying party ID of passkeys.
	Host string

	// Origin is the origin of the pages of this server (RFC 6454 §6.2) with the
	// scheme https and a host name, for passkeys. If it is "", members cannot add
	// passkeys.
	Origin string

	// UsesHTTPS reports whether members reach the server by HTTPS. Without it, members
	// cannot create links that set up a device.
	UsesHTTPS bool

	// FactorKey returns the key of 32 bytes that seals the secrets of authenticator
	// apps. If there is none, it creates one if create is set, and returns nil
	// otherwise. If FactorKey itself is nil, members cannot add authenticator apps.
	FactorKey func(create bool) ([]byte, error)

	Timezone string // of members without one; "" means UTC
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
	operatorQueries
	factorQueries
	totpQueries
	recoveryQueries
	passkeyQueries
	challengeQueries
	networkQueries
	avatarQueries
	deletionQueries
	zoneQueries
}

// Service is the identity service. Its methods may be called from any
// goroutine.
type Service struct {
	cfg        Config
	operators  []string // cfg.Operators, case-folded
	hooks      []MemberHooks
	onDeletion func() // see OnDeletion; may be nil
	q          queries
	hasher     *hasher
	cache      *davCache
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
	if cfg.SecondFactor == "" {
		cfg.SecondFactor = FactorOptional
	}
	if cfg.Argon2 == (Argon2{}) {
		cfg.Argon2 = DefaultArgon2
	}
	s := &Service{cfg: cfg, hooks: hooks, hasher: newHasher(cfg.Argon2), cache: newDAVCache()}
	q := &s.q
	store.Bind("identity", &q.memberQueries, &q.directoryQueries, &q.adminQueries, &q.tokenQueries, &q.deviceQueries,
		&q.davQueries, &q.linkQueries, &q.auditQueries, &q.operatorQueries, &q.factorQueries, &q.totpQueries, &q.recoveryQueries,
		&q.passkeyQueries, &q.challengeQueries, &q.networkQueries, &q.avatarQueries, &q.deletionQueries, &q.zoneQueries)
	for _, email := range cfg.Operators {
		if key := fold(email); key != "" && !slices.Contains(s.operators, key) {
			s.operators = append(s.operators, key)
		}
	}
	return s
}

// AddHook appends the hooks of a service whose constructor needs s. It must be
// called before s is used.
func (s *Service) AddHook(h MemberHooks) { s.hooks = append(s.hooks, h) }

// fold returns s in the form in which addresses and names are compared.
func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
