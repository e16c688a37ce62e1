package app

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/dav"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/identity"
)

// wellKnown sends calendar programs to where the calendars are (RFC 6764 §5).
// It asks for no credentials: some programs send none with this request.
func (s *server) wellKnown(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	w.Header().Set("Location", s.settings.URL().Path+"/caldav/")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusMovedPermanently)
	return nil
}

// davHandler answers below one of the mounts.
func (s *server) davHandler(mount string) handler {
	h := dav.New(davBackend{s}, s.settings.URL().Path, mount, s.settings.Data)
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
			ctx := store.WithWriteGuard(r.Context(), func(tx *store.Tx) error { return s.identity.RevalidateDAV(tx, a) })
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
func (s *server) davAnswer(r *http.Request) (a identity.DAVAuthentication, err error) {
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
func (s *server) validate(r *http.Request, login, password string) (a identity.DAVAuthentication, err error) {
	wrong := svc.Errorf(svc.InvalidCredentials, "The user name or the password is wrong.")
	if len(login) > identity.MaxLogin {
		return a, wrong
	}
	var c identity.DAVCandidate
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
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
		err = s.guard.Try(r, c.Account(), password, wrong, func() error { return s.guard.Hash(r, verify) })
	}
	if err == nil && a.UseDue {
		err = s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RecordDAVUse(tx, a) })
	}
	return a, err
}

// checkPlaintext refuses a password that came over the Internet in the clear
// (B-14). On a private network it lets it pass, and says so once a day.
func (s *server) checkPlaintext(r *http.Request) error {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	peer := from.Addr().Unmap()
	if err != nil || r.TLS != nil || peer.IsLoopback() || s.proxies.Contains(peer) || s.settings.DAVPlaintext == "always" {
		return nil
	}
	if s.settings.DAVPlaintext == "private" && isPrivate(peer) {
		s.plaintext.warn(s, "a calendar program sent a password without HTTPS, on a private network")
		return nil
	}
	return svc.Errorf(svc.PermissionDenied, "Passwords are not accepted without HTTPS here. Connect by HTTPS; see the manual, %s/help/https.", s.settings.URL())
}

// carrierGrade is RFC 6598, which is nobody's public address either.
var carrierGrade = netip.MustParsePrefix("100.64.0.0/10")

func isPrivate(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLinkLocalUnicast() || carrierGrade.Contains(a)
}

// davBackend gives the protocol its transactions.
type davBackend struct{ s *server }

func (b davBackend) View(ctx context.Context, v svc.Viewer, fn func(dav.Snapshot) error) error {
	return b.s.db.Read(ctx, func(tx *store.Tx) error { return fn(davTree{b.s, tx, v}) })
}

func (b davBackend) Lookup(ctx context.Context, v svc.Viewer, fn func(dav.Snapshot) error) error {
	return b.s.db.Lookup(ctx, func(tx *store.Tx) error { return fn(davTree{b.s, tx, v}) })
}

// write runs fn in a transaction. How fn asks whether it may go on is ok, and
// what it returns becomes what the protocol has to say.
func (b davBackend) write(ctx context.Context, v svc.Viewer, ok dav.Precondition, fn func(*store.Tx, func(etag string) error) error) error {
	err := b.s.db.Write(ctx, func(tx *store.Tx) error {
		return fn(tx, func(etag string) error { return ok(etag, davTree{b.s, tx, v}) })
	})
	var unheld *collection.UnsupportedComponent
	switch {
	case errors.As(err, &unheld):
		return dav.UnsupportedComponent(unheld.Component)
	case errors.Is(err, collection.ErrNoCollection):
		return dav.ErrNoParent
	case errors.Is(err, collection.ErrTooManyProperties):
		return dav.ErrTooManyProperties
	}
	return err
}

func (b davBackend) Put(ctx context.Context, v svc.Viewer, at dav.Ref, o *ics.Object, ok dav.Precondition) (written dav.PutResult, err error) {
	entry := object.Prepare(o, b.s.db.Now())
	err = b.write(ctx, v, ok, func(tx *store.Tx, ok func(string) error) (err error) {
		written.ETag, written.Created, err = b.s.collections.Put(tx, v, at.Segment, at.Name, entry, ok)
		return err
	})
	return written, conflict(err, at)
}

// conflict is err, but that a UID is taken is said of the calendar at a place.
func conflict(err error, at dav.Ref) error {
	if taken, ok := errors.AsType[*collection.UIDConflict](err); ok {
		return dav.UIDConflict(at.Segment, taken.Segment)
	}
	return err
}

func (b davBackend) PutFile(ctx context.Context, v svc.Viewer, at dav.Ref, f dav.File, ok dav.Precondition) (written dav.PutResult, err error) {
	err = b.write(ctx, v, ok, func(tx *store.Tx, ok func(string) error) (err error) {
		written.ETag, written.Created, err = b.s.collections.PutFile(tx, v, at.Path(), f.MediaType, f.Data, ok)
		return err
	})
	return written, err
}

func (b davBackend) Delete(ctx context.Context, v svc.Viewer, at dav.Ref, ok dav.Precondition) error {
	return b.write(ctx, v, ok, func(tx *store.Tx, ok func(string) error) error {
		switch {
		case at.File:
			return b.s.collections.DeleteFile(tx, v, at.Path(), ok)
		case at.Name != "":
			return b.s.collections.Delete(tx, v, at.Segment, at.Name, ok)
		}
		c, err := b.s.calendar.CalendarAt(tx, v, at.Segment)
		if err == nil {
			err = ok("")
		}
		if err == nil {
			_, err = b.s.calendar.DeleteCalendar(tx, v, c.ID, "")
		}
		return err
	})
}

func (b davBackend) Copy(ctx context.Context, v svc.Viewer, c dav.CopyRequest, ok dav.Precondition) (created bool, err error) {
	request := collection.CopyRequest{Move: c.Move, Overwrite: c.Replace, Shallow: c.Shallow}
	err = b.write(ctx, v, ok, func(tx *store.Tx, ok func(string) error) (err error) {
		if c.From.File {
			created, err = b.s.collections.CopyFile(tx, v, c.From.Path(), c.To.Path(), request, ok)
		} else {
			created, err = b.s.collections.Copy(tx, v, place(c.From), place(c.To), request, ok)
		}
		return err
	})
	return created, conflict(err, c.To)
}

func place(r dav.Ref) collection.Place { return collection.Place{Calendar: r.Segment, Segment: r.Name} }

func (b davBackend) MakeCalendar(ctx context.Context, v svc.Viewer, segment string, set dav.PropertyUpdate, ok dav.Precondition) error {
	in := calendar.NewCalendar{Name: segment, Segment: segment, Order: set.Order, Components: components(set.Components)}
	for field, value := range map[*string]*string{&in.Name: set.Name, &in.Description: set.Description, &in.Color: set.Color, &in.Timezone: set.TimeZone} {
		if value != nil && *value != "" {
			*field = *value
		}
	}
	return b.write(ctx, v, ok, func(tx *store.Tx, ok func(string) error) error {
		if err := ok(""); err != nil {
			return err
		}
		if _, err := b.s.calendar.CreateCalendar(tx, v, in); err != nil {
			return err
		}
		return b.setDead(tx, v, dav.Ref{Segment: segment}, set, func(string) error { return nil })
	})
}

func (b davBackend) MakeCollection(ctx context.Context, v svc.Viewer, at dav.Ref, set dav.PropertyUpdate, ok dav.Precondition) error {
	return b.write(ctx, v, ok, func(tx *store.Tx, ok func(string) error) error {
		if err := ok(""); err != nil {
			return err
		}
		if err := b.s.collections.MakeCollection(tx, v, at.Path()); err != nil {
			return err
		}
		return b.setDead(tx, v, at, set, func(string) error { return nil })
	})
}

func (b davBackend) setDead(tx *store.Tx, v svc.Viewer, at dav.Ref, set dav.PropertyUpdate, ok func(string) error) error {
	list := make([]collection.Property, len(set.Dead))
	for i, d := range set.Dead {
		list[i] = collection.Property{Space: d.Name.Space, Local: d.Name.Local, Element: d.Element}
	}
	return b.s.collections.SetProperties(tx, v, place(at), at.File, list, dav.MaxDeadProperties, ok)
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

func (b davBackend) Update(ctx context.Context, v svc.Viewer, at dav.Ref, set dav.PropertyUpdate, ok dav.Precondition) error {
	change := calendar.CalendarChange{
		Name: optional(set.Name), Description: optional(set.Description), Color: optional(set.Color),
		Order: optional(set.Order), Timezone: optional(set.TimeZone),
	}
	return b.write(ctx, v, ok, func(tx *store.Tx, ok func(string) error) error {
		if at.Segment == "" || at.Name != "" || at.File {
			return b.setDead(tx, v, at, set, ok)
		}
		c, err := b.s.calendar.CalendarAt(tx, v, at.Segment)
		if err == nil {
			err = ok("")
		}
		if err == nil && change != (calendar.CalendarChange{}) {
			_, err = b.s.calendar.UpdateCalendar(tx, v, c.ID, change)
		}
		if err == nil && set.Dead != nil {
			err = b.setDead(tx, v, at, set, func(string) error { return nil })
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
