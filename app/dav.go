package app

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/dav"
	"appliance/svc/calendar/ics"
	"appliance/svc/identity"
)

// wellKnown sends calendar programs to where the calendars are (RFC 6764 §5).
// It asks for no credentials: some programs send none with this request.
func (s *server) wellKnown(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	w.Header().Set("Location", s.settings.baseURL.Path+"/caldav/")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusMovedPermanently)
	return nil
}

// davHandler answers below one of the mounts.
func (s *server) davHandler(mount string) handler {
	h := dav.New(davBackend{s}, s.settings.baseURL.Path, mount, s.settings.Data)
	return func(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
		private(w.Header())
		a, err := s.davAnswer(r)
		if err == nil {
			err = s.queue(w, r, a.Viewer)
		}
		if err != nil && svc.KindOf(err) != svc.Anonymous {
			return s.davFail(w, r, err)
		}
		if err == nil {
			// The body may come long after the credentials were looked at.
			ctx := store.Checked(r.Context(), func(tx *store.Tx) error { return s.identity.CheckDAV(tx, a) })
			err = h.Serve(w, r.WithContext(ctx), a.Viewer)
		}
		if svc.KindOf(err) == svc.Anonymous {
			s.explain(w, r, a.Viewer, err)
			w.Header().Set("WWW-Authenticate", `Basic realm="appliance calendar", charset="UTF-8"`)
			http.Error(w, "Sign in with your user name and password.", http.StatusUnauthorized)
			return nil
		}
		return err
	}
}

// davFail answers with the message as text: whatever reads it here is a
// program that looks at the status, or a person who looks at its log.
func (s *server) davFail(w http.ResponseWriter, r *http.Request, err error) error {
	e := s.explain(w, r, svc.Viewer{}, err)
	http.Error(w, e.Message, status[e.Code.Kind])
	return nil
}

// davAnswer finds out whose credentials a request has: HTTP Basic (RFC 7617)
// and nothing else (B-14).
func (s *server) davAnswer(r *http.Request) (a identity.DAVAnswer, err error) {
	login, password, ok := r.BasicAuth()
	if !ok || login == "" {
		return a, svc.Errorf(svc.Unauthenticated, "Sign in with your user name and password.")
	}
	if err := s.checkPlaintext(r); err != nil {
		return a, err
	}
	return s.validate(r, login, password)
}

// validate checks DAV credentials; wrong ones count as failures to sign in.
func (s *server) validate(r *http.Request, login, password string) (a identity.DAVAnswer, err error) {
	wrong := svc.Errorf(svc.InvalidCredentials, "The user name or the password is wrong.")
	if len(login) > identity.MaxLogin {
		return a, wrong
	}
	var c identity.DAVCandidate
	err = s.db.Peek(r.Context(), func(tx *store.Tx) (err error) {
		c, err = s.identity.DAVCandidate(tx, login, password)
		return err
	})
	if err != nil {
		return a, err
	}
	verify := func() (err error) {
		if a, err = s.identity.VerifyDAV(r.Context(), c); err == nil && !a.Valid {
			err = wrong
		}
		return err
	}
	if c.Proven() {
		err = verify()
	} else {
		err = s.failures.try(s.newAttempt(r, c.Account(), password), wrong, func() error { return s.inTurn(r, verify) })
	}
	if err == nil && a.Stale {
		err = s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.SeeDAV(tx, a) })
	}
	return a, err
}

// checkPlaintext refuses a password that came over the Internet in the clear
// (B-14). On a private network it lets it pass, and says so once a day.
func (s *server) checkPlaintext(r *http.Request) error {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	peer := from.Addr().Unmap()
	if err != nil || r.TLS != nil || peer.IsLoopback() || s.trusted(peer) || s.settings.DAVPlaintext == "always" {
		return nil
	}
	if s.settings.DAVPlaintext == "private" && isPrivate(peer) {
		s.plaintext.warn(s, "a calendar program sent a password without HTTPS, on a private network")
		return nil
	}
	return svc.Errorf(svc.PermissionDenied, "Passwords are not accepted without HTTPS here. Connect by HTTPS; see the manual, %s/help/https.", s.settings.baseURL)
}

// carrierGrade is RFC 6598, which is nobody's public address either.
var carrierGrade = netip.MustParsePrefix("100.64.0.0/10")

func isPrivate(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLinkLocalUnicast() || carrierGrade.Contains(a)
}

// davBackend gives the protocol its transactions.
type davBackend struct{ s *server }

func (b davBackend) View(ctx context.Context, v svc.Viewer, fn func(dav.Tree) error) error {
	return b.s.db.Read(ctx, func(tx *store.Tx) error { return fn(davTree{b.s, tx, v}) })
}

func (b davBackend) Put(ctx context.Context, v svc.Viewer, cal, name string, o *ics.Object, ok dav.Check) (written dav.Written, err error) {
	entry := calendar.Prepare(o, b.s.db.Now())
	err = b.s.db.Write(ctx, func(tx *store.Tx) (err error) {
		written.ETag, written.Created, err = b.s.calendar.Put(tx, v, cal, name, entry, ok)
		return err
	})
	var taken *calendar.UIDConflict
	var unheld *calendar.WrongComponent
	switch {
	case errors.As(err, &taken):
		err = dav.UIDConflict(cal, taken.Segment)
	case errors.As(err, &unheld):
		err = dav.UnsupportedComponent(unheld.Component)
	}
	return written, err
}

func (b davBackend) Delete(ctx context.Context, v svc.Viewer, cal, name string, ok dav.Check) error {
	return b.s.db.Write(ctx, func(tx *store.Tx) error { return b.s.calendar.Remove(tx, v, cal, name, ok) })
}

func (b davBackend) MakeCalendar(ctx context.Context, v svc.Viewer, segment string, set dav.Properties) error {
	in := calendar.NewCalendar{Name: segment, Segment: segment, Order: set.Order, Components: components(set.Components)}
	for field, value := range map[*string]*string{&in.Name: set.Name, &in.Description: set.Description, &in.Color: set.Color, &in.Timezone: set.TimeZone} {
		if value != nil && *value != "" {
			*field = *value
		}
	}
	return b.s.db.Write(ctx, func(tx *store.Tx) error {
		_, err := b.s.calendar.CreateCalendar(tx, v, in)
		return err
	})
}

// components returns what a new calendar holds: appointments and tasks,
// whatever was asked for (iOS makes a calendar for Reminders again and again
// until one holds tasks), and what else was named.
func components(named []string) []string {
	list := []string{"VEVENT", "VTODO"}
	for _, c := range named {
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

func (b davBackend) UpdateCalendar(ctx context.Context, v svc.Viewer, segment string, set dav.Properties) error {
	change := calendar.CalendarChange{
		Name: optional(set.Name), Description: optional(set.Description), Color: optional(set.Color),
		Order: optional(set.Order), Timezone: optional(set.TimeZone),
	}
	return b.s.db.Write(ctx, func(tx *store.Tx) error {
		c, err := b.s.calendar.CalendarAt(tx, v, segment)
		if err == nil {
			_, err = b.s.calendar.UpdateCalendar(tx, v, c.ID, change)
		}
		return err
	})
}

func optional[T any](p *T) svc.Optional[T] {
	if p == nil {
		return svc.Optional[T]{}
	}
	return svc.Some(*p)
}

func (b davBackend) DeleteCalendar(ctx context.Context, v svc.Viewer, segment string) error {
	return b.s.db.Write(ctx, func(tx *store.Tx) error {
		c, err := b.s.calendar.CalendarAt(tx, v, segment)
		if err == nil {
			_, err = b.s.calendar.DeleteCalendar(tx, v, c.ID, "")
		}
		return err
	})
}

// davTree is one member's calendars in one transaction.
type davTree struct {
	s  *server
	tx *store.Tx
	v  svc.Viewer
}

func (t davTree) Principal() (dav.Principal, error) {
	me, err := t.s.identity.Me(t.tx, t.v)
	return dav.Principal{Member: me.ID, DisplayName: me.DisplayName, Email: me.Email}, err
}

func (t davTree) Calendars() ([]dav.Calendar, error) {
	calendars, err := t.s.calendar.Calendars(t.tx, t.v)
	list := make([]dav.Calendar, len(calendars))
	for i, c := range calendars {
		list[i] = t.calendar(c)
	}
	return list, err
}

func (t davTree) Calendar(segment string) (dav.Calendar, error) {
	c, err := t.s.calendar.CalendarAt(t.tx, t.v, segment)
	return t.calendar(c), err
}

func (t davTree) calendar(c calendar.Calendar) dav.Calendar {
	return dav.Calendar{
		Segment: c.Segment, Name: c.Name, Description: c.Description, Color: c.Color, Order: c.Order,
		TimeZone: c.Timezone, Read: t.tx.Now(), Components: c.Components, SyncToken: calendar.Token(t.tx, c), ReadOnly: c.ReadOnly,
	}
}

func (t davTree) Objects(segment string) ([]dav.Object, error) {
	return objects(t.s.calendar.Resources(t.tx, t.v, segment))
}

func (t davTree) Named(segment string, names []string, data bool) ([]dav.Object, error) {
	return objects(t.s.calendar.ResourcesNamed(t.tx, t.v, segment, names, data))
}

func (t davTree) Query(segment string, f ics.Filter, zone *time.Location) ([]dav.Object, error) {
	return objects(t.s.calendar.Matching(t.tx, t.v, segment, f, zone))
}

func (t davTree) Changes(segment, since string, limit int) (dav.Changes, error) {
	c, err := t.s.calendar.Since(t.tx, t.v, segment, since, limit)
	if errors.Is(err, calendar.ErrToken) {
		return dav.Changes{}, dav.InvalidSyncToken()
	}
	if err != nil {
		return dav.Changes{}, err
	}
	changed, err := objects(c.Changed, nil)
	return dav.Changes{Changed: changed, Deleted: c.Gone, Token: c.Token, More: c.More}, err
}

func objects(resources []calendar.Resource, err error) ([]dav.Object, error) {
	list := make([]dav.Object, len(resources))
	for i, r := range resources {
		list[i] = dav.Object{Name: r.Segment, Component: r.Component, ETag: r.ETag, Size: r.Size, Modified: r.UpdatedAt.Time(), Data: r.Data}
	}
	return list, err
}
