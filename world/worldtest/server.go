package worldtest

import (
	"bytes"
	"encoding/json"
	"errors"
	gomaps "maps"
	"slices"
	"sync"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/maps/mapdata"
	"appliance/svc/messages"
	"appliance/svc/provider"
	"appliance/svc/social"
	"appliance/svc/storage"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/dataset"
)

// Server is a World with all services on a new database.
type Server struct {
	T     testing.TB
	DB    *store.DB
	Clock *storetest.Clock
	World *world.World
	dataset.Services
	Collections *collection.Service

	hosted map[string]*Hosted
}

// New returns a Server with active members of the given user names, whose
// default calendars are in UTC, and the viewers for them.
func New(t testing.TB, usernames ...string) (*Server, []svc.Viewer) {
	t.Helper()
	s := &Server{T: t, hosted: make(map[string]*Hosted)}
	s.DB, s.Clock = storetest.Open(t)
	for _, name := range []string{"world", "identity", "surface", "messages", "social", "time", "maps", "find"} {
		s.hosted[name] = new(Hosted)
	}
	limiter := storage.New(0)
	objects := object.New(limiter)
	s.Calendar = calendar.New(objects, func(tx *store.Tx, id svc.MemberID) (string, error) { return s.Identity.Timezone(tx, id) })
	s.Collections = collection.New(objects, limiter)
	s.Identity = identity.New(identity.Config{Argon2: identity.Argon2{Memory: 64, Time: 1, Threads: 1}},
		identity.MemberHooks{MemberCreated: s.Calendar.MemberCreated, MemberDeleted: s.Calendar.MemberDeleted, ZoneChanged: s.Calendar.ZoneChanged})
	s.TimeIndex = index.New(s.Calendar, objects, s.Identity.Email)
	s.Social = social.New(s.Identity, mirror.New(objects), limiter)
	s.Messages = messages.New(s.Identity, s.Social, limiter)
	s.Surface = surface.New()
	s.Maps = maps.New()
	s.Find = find.New(find.Config{Places: s.Maps, Overlay: s.Surface, Language: s.Identity.Locale})
	s.Providers = provider.New(s.DB, nil)
	s.Identity.AddHook(identity.MemberHooks{DeleteData: s.Surface.DeleteData})
	s.Identity.AddHook(identity.MemberHooks{MemberDeleted: s.Social.MemberDeleted})
	s.Identity.AddHook(identity.MemberHooks{DeleteData: s.Messages.DeleteData})
	s.World = s.NewWorld()
	storetest.AddMembers(t, s.DB, usernames...)
	viewers := make([]svc.Viewer, len(usernames))
	s.Write(func(tx *store.Tx) (err error) {
		for i := range viewers {
			id := svc.MemberID(i + 1)
			if err := s.Calendar.MemberCreated(tx, id, "en"); err != nil {
				return err
			}
			if viewers[i], err = s.Identity.OnBehalf(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
	return s, viewers
}

// ImportPlaces imports a region with these places.
func (s *Server) ImportPlaces(region string, format maps.Format, places ...mapdata.Place) {
	s.T.Helper()
	i, err := s.Maps.Begin(s.T.Context(), s.DB, maps.NewRegion{Name: region, Format: format})
	if err != nil {
		s.T.Fatal(err)
	}
	if err := errors.Join(i.AddPlaces(s.T.Context(), places), i.Publish(s.T.Context())); err != nil {
		s.T.Fatal(err)
	}
}

// NewWorld returns another World over the same services, with an empty cache.
func (s *Server) NewWorld() *world.World {
	return world.New(s.DB, s.Services, func(name string) svc.HostedService { return s.hosted[name] }, "test")
}

// Hosted returns the hosted service with a name, or nil if there is none.
func (s *Server) Hosted(name string) *Hosted { return s.hosted[name] }

// Read runs fn in a read transaction. It must succeed.
func (s *Server) Read(fn func(*store.Tx) error) {
	s.T.Helper()
	if err := s.DB.Read(s.T.Context(), fn); err != nil {
		s.T.Fatal(err)
	}
}

// Write runs fn in a write transaction. It must succeed.
func (s *Server) Write(fn func(*store.Tx) error) {
	s.T.Helper()
	if err := s.DB.Write(storetest.Fill(s.T.Context()), fn); err != nil {
		s.T.Fatal(err)
	}
}

// Respond returns the response of a World to a request for the dataset, and its
// body.
func Respond(t testing.TB, w *world.World, v svc.Viewer, r dataset.Request) (dataset.Response, []byte) {
	t.Helper()
	response, err := w.Read(t.Context(), v, r)
	if err != nil {
		t.Fatal(err)
	}
	if response.NotModified {
		return response, nil
	}
	return response, Text(t, response.Body)
}

// Dataset returns the dataset that v reads with a request.
func (s *Server) Dataset(v svc.Viewer, r dataset.Request) (d dataset.Dataset) {
	s.T.Helper()
	_, body := Respond(s.T, s.World, v, r)
	Decode(s.T, body, &d)
	return d
}

// Text returns the text of a body.
func Text(t testing.TB, body dataset.Body) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := body.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if b.Len() != body.Len() {
		t.Errorf("got a text of %d bytes, want %d", b.Len(), body.Len())
	}
	return b.Bytes()
}

// Decode decodes a JSON document. A field that value does not have is an error.
func Decode(t testing.TB, text []byte, value any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// Titles returns "type title" of the objects, sorted.
func Titles(d dataset.Dataset) []string {
	titles := make(map[string]bool)
	for _, o := range d.Objects {
		titles[o.ObjectType+" "+o.Title] = true
	}
	return slices.Sorted(gomaps.Keys(titles))
}

// Hosted implements [svc.HostedService].
type Hosted struct {
	mu  sync.Mutex
	off bool
	err error
}

// SwitchOff makes the service unavailable.
func (h *Hosted) SwitchOff() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.off = true
}

// State returns "unavailable" if the service is switched off, "degraded" if its
// last operation failed, otherwise "ready".
func (h *Hosted) State() svc.ServiceState {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.off:
		return svc.StateUnavailable
	case h.err != nil:
		return svc.StateDegraded
	}
	return svc.StateReady
}

// Report records the result of an operation.
func (h *Hosted) Report(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = err
}
