package provider

import (
	"context"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/transport"
)

type registryQueries struct {
	AddProvider    store.Query `sql:"add-provider"`
	Providers      store.Query `sql:"providers"`
	Provider       store.Query `sql:"provider"`
	RemoveProvider store.Query `sql:"remove-provider"`
	OfMember       store.Query `sql:"providers-of-member"`
	PutAttempt     store.Query `sql:"put-attempt"`
}

// Registration describes a provider to add.
type Registration struct {
	ID        string
	Owner     svc.MemberID // the only member who sees it; 0 for all members
	Label     string
	SourceURL string
	ActionURL string        // "" if the provider performs no actions
	Secret    []byte        // signs the requests to the provider
	Interval  time.Duration // between acquisitions; 0 for acquisitions on request only
}

// Provider is a registered provider with its state.
type Provider struct {
	Registration
	CreatedAt   time.Time
	AttemptedAt time.Time // last acquisition; zero for none
	AcquiredAt  time.Time // last successful one; zero for none
	Failure     string    // reason for the failure of the last acquisition, for the operator; "" if it succeeded
	Failures    int       // consecutive failed acquisitions

	number, generation int64
	payload            []byte // SHA-256 of the payload of the generation; nil for none
	counts             string // JSON of [Counts]
}

// MinInterval is the shortest time between acquisitions.
const MinInterval = time.Minute

// ownPrefix begins the ids of the providers that only one member sees.
const ownPrefix = "feeds-of-"

// OwnID returns the id of the provider that only a member sees.
func OwnID(member svc.MemberID) string { return ownPrefix + member.String() }

// reservedIDs are names of services, and of sources of findings and places.
var reservedIDs = []string{
	"identity", "world", "surface", "messages", "social", "time", "maps", "find", "workspace", "provider", "providers", "service", "osm", "gazetteer", "geocoder", "web",
}

// Check validates the registration.
func (r Registration) Check() error {
	if slices.Contains(reservedIDs, r.ID) || strings.HasPrefix(r.ID, ownPrefix) != (r.Owner != 0) {
		return svc.FieldError(svc.InvalidValue, "id", "The id %s is reserved for a service of this server. Choose another one.", r.ID)
	}
	if !contract.ValidProviderID(r.ID) {
		return svc.FieldError(svc.InvalidValue, "id", "The id must begin with a letter and have at most 40 lower-case letters, digits and single hyphens, without a term that is reserved for presentation.")
	}
	if err := svc.CheckName("label", r.Label); err != nil {
		return err
	}
	for _, field := range []struct{ name, address string }{{"source-url", r.SourceURL}, {"action-url", r.ActionURL}} {
		if field.address == "" && field.name == "action-url" {
			continue
		}
		if _, err := outbound.Configured(field.address); err != nil {
			return svc.FieldError(svc.InvalidValue, field.name, "%s: %v.", svc.FieldLabel(field.name), err)
		}
	}
	if r.Interval != 0 && r.Interval < MinInterval {
		return svc.FieldError(svc.InvalidValue, "every", "The interval must be at least %s, or 0.", MinInterval)
	}
	return nil
}

// Add registers a provider. It has no records until [Service.Acquire].
func (s *Service) Add(tx *store.Tx, r Registration) error {
	if err := r.Check(); err != nil {
		return err
	}
	if _, err := s.Provider(tx, r.ID); svc.KindOf(err) != svc.Missing {
		if err == nil {
			err = svc.FieldError(svc.AlreadyExists, "id", "The provider %s already exists.", r.ID)
		}
		return err
	}
	var owner *svc.MemberID
	if r.Owner != 0 {
		owner = &r.Owner
	}
	_, err := tx.Exec(s.q.registry.AddProvider, store.Args{
		"id": r.ID, "member": owner, "label": r.Label, "source": r.SourceURL, "action": r.ActionURL, "secret": r.Secret,
		"interval": r.Interval.Milliseconds(), "now": store.MillisOf(tx.Now()),
	})
	tx.Touch(svc.ProvidersUpdated, store.Everyone)
	return err
}

// Remove removes a provider. Members no longer see its records, which Sweep deletes.
func (s *Service) Remove(tx *store.Tx, id string) error {
	n, err := tx.Exec(s.q.registry.RemoveProvider, store.Args{"id": id})
	if err == nil && n == 0 {
		return errNoProvider(id)
	}
	tx.Touch(svc.ProvidersUpdated, store.Everyone)
	return err
}

func errNoProvider(id string) error {
	return svc.Errorf(svc.NotFound, "There is no provider %s.", id)
}

// providerRow is a row of provider_provider.
type providerRow struct {
	Number      int64         `db:"number"`
	ID          string        `db:"id"`
	Owner       svc.MemberID  `db:"member_id"`
	Label       string        `db:"label"`
	SourceURL   string        `db:"source_url"`
	ActionURL   string        `db:"action_url"`
	Secret      []byte        `db:"secret"`
	Interval    int64         `db:"interval"`
	CreatedAt   store.Millis  `db:"created_at"`
	Generation  int64         `db:"generation"`
	Payload     []byte        `db:"payload"`
	Counts      string        `db:"counts"`
	AttemptedAt *store.Millis `db:"attempted_at"`
	AcquiredAt  *store.Millis `db:"acquired_at"`
	Failure     string        `db:"failure"`
	Failures    int           `db:"failures"`
}

func (r providerRow) provider() Provider {
	return Provider{
		Registration: Registration{
			ID: r.ID, Owner: r.Owner, Label: r.Label, SourceURL: r.SourceURL, ActionURL: r.ActionURL, Secret: r.Secret,
			Interval: time.Duration(r.Interval) * time.Millisecond,
		},
		CreatedAt: r.CreatedAt.Timestamp(), AttemptedAt: timeOf(r.AttemptedAt), AcquiredAt: timeOf(r.AcquiredAt),
		Failure: r.Failure, Failures: r.Failures, number: r.Number, generation: r.Generation, payload: r.Payload, counts: r.Counts,
	}
}

// timeOf returns the time of a nullable column, zero for NULL.
func timeOf(m *store.Millis) time.Time {
	if m == nil {
		return time.Time{}
	}
	return m.Timestamp()
}

// Providers returns all providers, ordered by id.
func (s *Service) Providers(tx *store.Tx) ([]Provider, error) {
	var rows []providerRow
	err := tx.Select(&rows, s.q.registry.Providers, nil)
	list := make([]Provider, len(rows))
	for i, r := range rows {
		list[i] = r.provider()
	}
	return list, err
}

// Provider returns a provider.
func (s *Service) Provider(tx *store.Tx, id string) (Provider, error) {
	var row providerRow
	err := tx.Get(&row, s.q.registry.Provider, store.Args{"id": id})
	if store.IsNoRows(err) {
		return Provider{}, errNoProvider(id)
	}
	return row.provider(), err
}

// ProvidersOf returns the providers that a member sees, ordered by id.
func (s *Service) ProvidersOf(tx *store.Tx, member svc.MemberID) ([]Provider, error) {
	list, err := s.Providers(tx)
	return slices.DeleteFunc(list, func(p Provider) bool { return p.Owner != 0 && p.Owner != member }), err
}

// SubjectsOf returns the pseudonyms of a member at all providers.
func (s *Service) SubjectsOf(tx *store.Tx, member svc.MemberID) ([]string, error) {
	list, err := s.Providers(tx)
	subjects := make([]string, len(list))
	for i, p := range list {
		subjects[i] = Subject(tx.InstanceKey(), p.ID, member)
	}
	return subjects, err
}

// OwnedBy returns the ids of the providers that only a member sees.
func (s *Service) OwnedBy(tx *store.Tx, member svc.MemberID) (ids []string, err error) {
	err = tx.Select(&ids, s.q.registry.OfMember, store.Args{"member": member})
	return ids, err
}

// maxPause limits the time until a provider that has failed is requested again.
const maxPause = 6 * time.Hour

// Due returns the providers whose next acquisition is due: their interval has passed, or
// the outcome of an action is unknown. After consecutive failures the interval doubles, up
// to maxPause.
func (s *Service) Due(tx *store.Tx) (due []string, err error) {
	list, err := s.Providers(tx)
	for _, p := range list {
		if _, ok := s.requested.Load(p.ID); ok {
			due = append(due, p.ID)
			continue
		}
		if p.Interval == 0 {
			continue
		}
		pause := p.Interval << min(p.Failures, 8)
		pause = max(p.Interval, min(pause, maxPause))
		since := tx.Now().Sub(p.AttemptedAt)
		if since >= pause || since < 0 { // negative if the clock was set back
			due = append(due, p.ID)
		}
	}
	return due, err
}

// endpoint returns the addresses and the secret of the provider for package
// transport.
func (p Provider) endpoint() transport.Endpoint {
	return transport.Endpoint{Provider: p.ID, SourceURL: p.SourceURL, ActionURL: p.ActionURL, Secret: p.Secret}
}

// attemptTimeout limits the write that records an acquisition.
const attemptTimeout = 10 * time.Second

// recordAttempt stores the result of an acquisition, also if ctx has ended.
func (s *Service) recordAttempt(ctx context.Context, p Provider, result error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptTimeout)
	defer cancel()
	failure := ""
	if result != nil {
		failure = svc.SingleLine(failureText(result), svc.MaxSummary)
	}
	return s.db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(s.q.registry.PutAttempt, store.Args{"number": p.number, "id": p.ID, "now": store.MillisOf(tx.Now()), "failure": failure})
		// A success without a change leaves the datasets as they are, except for the time
		// in their sources.
		if (failure == "") != (p.Failure == "") || failure == "" && p.AcquiredAt.IsZero() {
			tx.Touch(svc.ProvidersUpdated, store.Everyone)
		}
		if failure == "" {
			tx.AfterCommit(func() { s.acquired.Store(p.ID, tx.Now()) })
		}
		return err
	})
}

// AcquiredAt returns the time of the last successful acquisition of a provider: that by
// this process if it is later than the stored one.
func (s *Service) AcquiredAt(id string, stored time.Time) time.Time {
	if at, ok := s.acquired.Load(id); ok && at.(time.Time).After(stored) {
		return at.(time.Time)
	}
	return stored
}
