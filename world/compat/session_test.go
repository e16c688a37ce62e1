package compat_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/svc/words"
	"appliance/world/compat"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// fixture is a server with two members.
type fixture struct {
	*worldtest.Server
	ann, bea svc.Viewer
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	s, v := worldtest.New(t, "ann", "bea")
	return &fixture{s, v[0], v[1]}
}

func request(t testing.TB, header, query string) dataset.Request {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	r, err := dataset.ParseRequest(header, values)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// session returns the session of v, the time at which it expires, and whether its
// defaults are not stored yet.
func (f *fixture) session(v svc.Viewer, r dataset.Request) (s compat.Session, expires time.Time, incomplete bool) {
	f.T.Helper()
	sources := compat.Sources{
		Identity: f.Identity, Surface: f.Surface, Messages: f.Messages, Social: f.Social, Maps: f.Maps, Find: f.Find, World: f.World,
		Hosted: func(name string) svc.HostedService {
			if h := f.Hosted(name); h != nil {
				return h
			}
			return nil
		},
	}
	f.Read(func(tx *store.Tx) (err error) {
		s, expires, incomplete, err = sources.Session(tx, v, r)
		return err
	})
	return s, expires, incomplete
}

func service(t testing.TB, s compat.Session, id string) compat.HomeService {
	t.Helper()
	i := slices.IndexFunc(s.Services, func(s compat.HomeService) bool { return s.ID == id })
	if i < 0 {
		t.Fatalf("got services %+v, want %s among them", s.Services, id)
	}
	return s.Services[i]
}

// Covers W-60 to W-65, W-72 to W-80, B-03 and B-27.
func TestSessionOfANewMember(t *testing.T) {
	f := newFixture(t)
	s, _, incomplete := f.session(f.ann, request(t, `web/1; caps="objects hologram"`, ""))
	if !incomplete {
		t.Error("got incomplete false, want true before the defaults are stored")
	}
	for name, c := range map[string]struct{ got, want any }{
		"contract":  {s.Contract, dataset.Contract{Name: "service.home.runtime", Version: 2}},
		"member":    {s.RuntimeSession, compat.RuntimeSession{UserID: f.ann.Member(), PersistenceAuthority: "world"}},
		"status":    {s.Status, compat.Status{Total: 8, Ready: 7, Unavailable: 1}},
		"requested": {s.Capabilities.Requested, "[objects hologram]"},
		"provided":  {s.Capabilities.Provided, "[surface_runtime field_runtime shell panels messages time social]"},
		"members":   {len(service(t, s, "identity").Members), 2},
		"threads":   {service(t, s, "messages").Objects.Threads, "[]"},
		"shell":     {s.Shell.Primitives, "[dock workspace field]"},
	} {
		if got, want := fmt.Sprint(c.got), fmt.Sprint(c.want); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	surfaces := make(map[string]bool)
	for _, s := range s.SurfaceRuntime.Surfaces {
		surfaces[s.SurfaceID] = true
	}
	want := map[string]string{
		"identity": "ready carry", "social": "ready carry", "time": "ready carry", "messages": "ready carry", "maps": "ready field", "find": "unavailable find",
		"settings": "ready carry", // part of identity, so the status does not count it
	}
	for _, s := range s.Services {
		if got := fmt.Sprint(s.Status, " ", s.Presentation.Workspace); got != want[s.ID] {
			t.Errorf("service %s: got %s, want %s", s.ID, got, want[s.ID])
		}
		if s.EntrySurfaceID != nil && !surfaces[*s.EntrySurfaceID] {
			t.Errorf("service %s: got the entry surface %s, which the member does not have", s.ID, *s.EntrySurfaceID)
		}
		if (s.Status == "ready") != (s.Message == "") || s.Label == "" || s.Icon == "" || !strings.HasPrefix(s.ContentSource, "/world/") {
			t.Errorf("service %s: got %+v", s.ID, s)
		}
	}
	if len(s.Services) != len(want) {
		t.Errorf("got %d services, want %d", len(s.Services), len(want))
	}
}

// The dock focuses a surface in the stack that contains it, and opens the panel if
// no stack does. Covers B-27.
func TestDockFollowsTheSurfaces(t *testing.T) {
	f := newFixture(t)
	items := func() (list []string) {
		s, _, _ := f.session(f.ann, request(t, "web", "radius=500"))
		for _, item := range s.Shell.Dock.Items {
			list = append(list, string(item.Action.Method)+" "+item.Action.URL)
		}
		return list
	}
	want := []string{
		"GET /world/panels/find", "POST /world/surface/stacks/carry_primary/focus", "POST /world/surface/stacks/carry_primary/focus",
		"POST /world/surface/stacks/carry_primary/focus", "GET /world/session?radius=500", "POST /world/surface/stacks/left_context/focus",
	}
	if got := items(); !slices.Equal(got, want) {
		t.Errorf("got items\n%q\nwant\n%q", got, want)
	}
	f.Write(func(tx *store.Tx) error {
		_, _, err := f.Surface.Place(tx, f.ann, "surface_calendar", surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(surface.RightStack)})
		return err
	})
	want[2] = "POST /world/surface/stacks/" + surface.RightStack + "/focus"
	if got := items(); !slices.Equal(got, want) {
		t.Errorf("after a move: got items\n%q\nwant\n%q", got, want)
	}
	f.Hosted("surface").SwitchOff()
	for _, item := range items() {
		if strings.HasPrefix(item, "POST") {
			t.Errorf("without surfaces: got %s, want GET", item)
		}
	}
}

// Covers W-70, W-71 and PT-42.
func TestSessionContainsWhatTheMemberCanSee(t *testing.T) {
	f := newFixture(t)
	f.SendMessage(f.bea, f.ann, "Hello")
	f.CreateEvent(f.bea, "Concert", "2026-11-21T10:00:00") // until 11:00
	s, expires, _ := f.session(f.ann, request(t, "web", ""))
	threads := service(t, s, "messages").Objects.Threads
	if len(threads) != 1 || threads[0].UnreadCount != 1 || threads[0].Title != "bea" {
		t.Errorf("got threads %+v, want one of bea with one unread message", threads)
	}
	counts := service(t, s, "social").Objects.Counts
	if counts == nil || counts.Events != 1 || counts.Communities != 0 {
		t.Errorf("got counts %+v, want one event", counts)
	}
	if want := storetest.Start.Add(2 * time.Hour); !expires.Equal(want) {
		t.Errorf("got the expiry %v, want the end of the event %v", expires, want)
	}
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.Block(tx, f.bea, social.NewBlock{MemberID: f.ann.Member()})
		return err
	})
	s, _, _ = f.session(f.ann, request(t, "web", ""))
	if got := service(t, s, "identity").Members; len(got) != 1 || got[0].ID != f.ann.Member() {
		t.Errorf("after a block: got members %+v, want ann", got)
	}
}

// A service that fails or is switched off leaves the rest complete. Covers W-54
// and E-06.
func TestSessionIsCompleteExceptForAFailedService(t *testing.T) {
	for name, table := range map[string]string{"social": "social_presence", "messages": "messages_thread", "surface": "surface_stack", "maps": "maps_region"} {
		f := newFixture(t)
		good, _, _ := f.session(f.ann, request(t, "web", ""))
		storetest.Exec(t, f.DB, "ALTER TABLE "+table+" RENAME TO lost")
		bad, _, _ := f.session(f.ann, request(t, "web", ""))
		want := compat.Status{Total: 8, Ready: 6, Degraded: 1, Unavailable: 1}
		if name == "maps" { // Find reads the places of Maps
			want = compat.Status{Total: 8, Ready: 6, Degraded: 2}
		}
		if bad.Status != want {
			t.Errorf("%s fails: got status %+v, want %+v", name, bad.Status, want)
		}
		if name != "surface" {
			if s := service(t, bad, name); s.Status != "degraded" || s.Message == "" {
				t.Errorf("%s fails: got %+v, want degraded with a message", name, s)
			}
		}
		storetest.Exec(t, f.DB, "ALTER TABLE lost RENAME TO "+table)
		if again, _, _ := f.session(f.ann, request(t, "web", "")); fmt.Sprint(again.Status) != fmt.Sprint(good.Status) {
			t.Errorf("%s recovers: got status %+v, want %+v", name, again.Status, good.Status)
		}
		f.Hosted(name).SwitchOff()
		off, _, _ := f.session(f.ann, request(t, "web", ""))
		if off.Status.Unavailable != 2 || slices.Contains(off.Capabilities.Provided, name) || name == "surface" && len(off.SurfaceRuntime.Surfaces) > 0 {
			t.Errorf("%s is switched off: got status %+v, capabilities %q", name, off.Status, off.Capabilities.Provided)
		}
		if name != "surface" && len(service(t, off, name).Actions) > 0 {
			t.Errorf("%s is switched off: got actions %+v, want none", name, service(t, off, name).Actions)
		}
	}
}

// A service whose content is not in the session is degraded if its last operation
// failed.
func TestTimeHasTheStateOfItsHostedService(t *testing.T) {
	f := newFixture(t)
	f.Hosted("time").Report(svc.Errorf(svc.InternalError, "failed"))
	s, _, _ := f.session(f.ann, request(t, "web", ""))
	if got := service(t, s, "time").Status; got != "degraded" {
		t.Errorf("got %s, want degraded", got)
	}
}

func TestUnauthenticatedClientHasNoSession(t *testing.T) {
	f := newFixture(t)
	err := f.DB.Read(t.Context(), func(tx *store.Tx) error {
		_, _, _, err := compat.Sources{}.Session(tx, svc.Viewer{}, request(t, "web", ""))
		return err
	})
	worldtest.WantError(t, "no member", err, svc.Unauthenticated)
}

// Covers W-66 to W-69, W-90 to W-94 and B-30.
func TestFieldChoicesReadTheSession(t *testing.T) {
	f := newFixture(t)
	r := request(t, "web", "lat=52.5&lon=-13.25&radius=500&categories=food,parks")
	s, _, _ := f.session(f.ann, r)
	field := s.FieldRuntime
	if field.RadiusMeters != 500 || field.Origin == nil || field.FieldWidth != 1000 || len(field.Objects) != 0 || field.Source.Service != "maps" || field.Source.Status != "ready" {
		t.Errorf("got the field %+v", field)
	}
	selected := make(map[string][]string)
	for _, control := range field.Controls {
		for _, item := range control.Items {
			if item.Selected {
				selected[control.ID] = append(selected[control.ID], item.ID)
			}
			if a := item.Action; a.Method != "GET" || !strings.HasPrefix(a.URL, "/world/session?lat=52.5&lon=-13.25&radius=") {
				t.Errorf("%s: got action %+v, want GET of the session at the same position", item.ID, a)
			}
			if (item.Icon != "") != (control.ID == "categories") {
				t.Errorf("%s: got icon %q", item.ID, item.Icon)
			}
		}
	}
	if got, want := fmt.Sprint(selected), "map[categories:[food parks] radius:[500]]"; got != want {
		t.Errorf("got selected items %s, want %s", got, want)
	}
}

// A place of the field has its telephone number, and its website if the link is one of HTTP.
func TestFieldObjectsHaveDetails(t *testing.T) {
	place := func(tags map[string]string) dataset.FieldPlace {
		return dataset.FieldPlace{Place: maps.Place{PlaceID: "osm:node/1", Name: "Cordina", KindLabel: "Café", Formatted: "Republic Street 244", Tags: tags}}
	}
	for _, c := range []struct {
		tags map[string]string
		want string
	}{
		{map[string]string{"phone": "+356 2123", "website": "https://cordina.example/"}, "Café, Republic Street 244, +356 2123, https://cordina.example/"},
		{map[string]string{"website": "javascript:alert(1)"}, "Café, Republic Street 244, , "},
		{nil, "Café, Republic Street 244, , "},
	} {
		o := compat.NewFieldObjects(words.English, []dataset.FieldPlace{place(c.tags)}, nil)[0]
		if got := strings.Join([]string{o.Kind, o.Address, o.Telephone, o.SourceURL}, ", "); got != c.want {
			t.Errorf("tags %v: got %s, want %s", c.tags, got, c.want)
		}
	}
}
