package world_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// fixture is a server whose member ann has an object of every kind.
type fixture struct {
	*worldtest.Server
	ann, bea svc.Viewer
	task     string
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	s, v := worldtest.New(t, "ann", "bea")
	f := &fixture{Server: s, ann: v[0], bea: v[1]}
	f.task = s.CreateTask(f.ann, "Taxes")
	s.CreateAppointment(f.ann, "Dentist", "2026-11-23T10:00:00")
	s.SendMessage(f.bea, f.ann, "Hello")
	s.CreateCommunity(f.ann, "Choir", f.bea)
	s.StartConversation(f.ann, "Trip")
	s.CreateEvent(f.bea, "Concert", "2026-12-01T19:00:00")
	s.SendDM(f.bea, f.ann, "See you")
	return f
}

// genericRequest is the request of a runtime that declares no capabilities.
var genericRequest = dataset.Request{Runtime: dataset.GenericRuntime, Params: dataset.DefaultParams()}

// actionID returns an action of the dataset of v for the object or finding with a
// title; "" for the workspace as a whole.
func (f *fixture) actionID(v svc.Viewer, kind, title string) string {
	f.T.Helper()
	d := f.Dataset(v, genericRequest)
	titles := make(map[string]string)
	for _, o := range d.Objects {
		titles[o.WorldObjectID] = o.Title
	}
	for _, x := range d.Findings {
		titles[x.FindingID] = x.Title
	}
	for _, a := range d.Actions {
		if a.Type == kind && titles[a.Target.WorldObjectID+a.Target.FindingID] == title {
			return a.ActionID
		}
	}
	f.T.Fatalf("got no action %s on %q in the dataset", kind, title)
	return ""
}

// objectID returns the world_object_id of an object in the dataset of v.
func (f *fixture) objectID(v svc.Viewer, title string) string {
	f.T.Helper()
	for _, o := range f.Dataset(v, genericRequest).Objects {
		if o.Title == title {
			return o.WorldObjectID
		}
	}
	f.T.Fatalf("got no object %q in the dataset", title)
	return ""
}

func (f *fixture) perform(v svc.Viewer, in world.Dispatch) (response world.ActionResponse, err error) {
	err = f.DB.Write(f.T.Context(), func(tx *store.Tx) (err error) {
		response, err = f.World.Perform(tx, v, in)
		return err
	})
	return response, err
}

// performAction performs an action of the dataset of v, which must succeed.
func (f *fixture) performAction(v svc.Viewer, kind, title string, input world.Input) world.ActionResponse {
	f.T.Helper()
	response, err := f.perform(v, world.Dispatch{ActionID: f.actionID(v, kind, title), Input: input})
	if err != nil {
		f.T.Fatalf("%s %s: %v", kind, title, err)
	}
	if response.Type != kind || response.Status != "completed" || response.Message == "" || !response.Refresh.Requested {
		f.T.Errorf("%s %s: got response %+v", kind, title, response)
	}
	return response
}

// carriedSurfaces returns the surfaces in the carry stack, in order.
func (f *fixture) carriedSurfaces(v svc.Viewer) (list []surface.Surface) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		w, err := f.Surface.Read(tx, v)
		if err != nil {
			return err
		}
		surfaces, err := w.Select("", surface.CarryStack)
		for _, s := range surfaces {
			list = append(list, s)
		}
		return err
	})
	return list
}

// lastSurface returns the surface that was added last.
func (f *fixture) lastSurface(v svc.Viewer) surface.Surface {
	f.T.Helper()
	list := f.carriedSurfaces(v)
	return list[len(list)-1]
}

// Texts and names of other members are not copied into the workspace: the surface
// names the panel that shows the object. Covers B-98.
func TestFocusAddsObjectsOfEveryService(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct{ title, kind, stored, panel string }{
		{"Taxes", "time task", "Taxes", ""},
		{"Dentist", "time calendar_event", "Dentist", ""},
		{"Choir", "social community", "Choir", "/world/panels/social?view=communities"},
		{"Trip", "social conversation", "Trip", "/world/panels/social?view=conversations"},
		{"Concert", "social event", "Concert", "/world/panels/social?view=events"},
		{"ann", "social profile", "Profile", "/world/panels/social?view=people"},
	} {
		response := f.performAction(f.ann, "focus_object", c.title, world.Input{})
		s := f.lastSurface(f.ann)
		if got := s.ServiceBinding.ServiceID + " " + s.ServiceBinding.ResourceType; got != c.kind || s.Title != c.stored {
			t.Errorf("%s: got a surface for %s with the title %q, want %s with the title %q", c.title, got, s.Title, c.kind, c.stored)
		}
		if got := s.ContentSource.URL; !strings.HasPrefix(got, c.panel) || (got == "") != (c.panel == "") {
			t.Errorf("%s: got the panel %q, want %q", c.title, got, c.panel)
		}
		if want := action.Object(f.objectID(f.ann, c.title)); response.Target != want {
			t.Errorf("%s: got target %+v, want %+v", c.title, response.Target, want)
		}
	}
	for service, stored := range map[string]string{"messages": "Message thread", "social": "Direct message"} { // ann has a thread and a DM with the same title
		d := f.Dataset(f.ann, genericRequest)
		for _, o := range d.Objects {
			if o.Title != "bea" || o.Source.Service != service || o.ObjectType == "profile" {
				continue
			}
			i := slices.IndexFunc(d.Actions, func(a action.Action) bool {
				return a.Type == "focus_object" && a.Target.WorldObjectID == o.WorldObjectID
			})
			if _, err := f.perform(f.ann, world.Dispatch{ActionID: d.Actions[i].ActionID}); err != nil {
				t.Errorf("%s: %v", o.ObjectType, err)
			}
			if s := f.lastSurface(f.ann); s.Title != stored || s.ServiceBinding.ServiceID != service || s.ContentSource.Kind != "runtime_panel" {
				t.Errorf("%s: got the surface %+v", o.ObjectType, s)
			}
		}
	}
}

// Covers B-17.
func TestUnknownActionsAreRejected(t *testing.T) {
	f := newFixture(t)
	own, focusTask := f.actionID(f.ann, "focus_object", "Trip"), f.actionID(f.ann, "focus_object", "Taxes")
	f.Write(func(tx *store.Tx) error { return f.Calendar.Delete(tx, f.ann, f.task, edit.Deletion{}, nil) })
	form := ""
	for _, a := range f.Dataset(f.ann, genericRequest).Actions {
		if a.Type == "social.conversation.reply" {
			form = a.ActionID
		}
	}
	for name, c := range map[string]struct {
		viewer svc.Viewer
		id     string
	}{
		"empty":                       {f.ann, ""},
		"no hash":                     {f.ann, "act_focus"},
		"wrong hash":                  {f.ann, own + "x"},
		"action of another member":    {f.bea, own},
		"action on a deleted object":  {f.ann, focusTask},
		"action of another operation": {f.ann, form},
	} {
		_, err := f.perform(c.viewer, world.Dispatch{ActionID: c.id})
		worldtest.WantError(t, name, err, svc.NotFound)
	}
	if n := len(f.carriedSurfaces(f.ann)); n != len(f.carriedSurfaces(f.bea)) {
		t.Errorf("got %d surfaces, want the default ones only", n)
	}
}

func TestInvalidInputIsRejected(t *testing.T) {
	f := newFixture(t)
	for _, title := range []string{"Taxes", "Trip", "Concert"} {
		f.performAction(f.ann, "focus_object", title, world.Input{})
	}
	taxes, dentist := f.objectID(f.ann, "Taxes"), f.objectID(f.ann, "Dentist")
	for _, c := range []struct {
		name, kind, title string
		input             world.Input
		code              svc.Code
		fields            []string
	}{
		{"no neighbour", "move_earlier", "Trip", world.Input{}, svc.FieldRequired, []string{"before"}},
		{"the other field", "move_later", "Trip", world.Input{Before: taxes}, svc.FieldRequired, []string{"after"}},
		{"neighbour outside the workspace", "move_earlier", "Trip", world.Input{Before: dentist}, svc.ActionUnavailable, nil},
		{"no order", "order_workspace", "", world.Input{}, svc.FieldRequired, []string{"order"}},
		{"empty order", "order_workspace", "", world.Input{Order: &world.ObjectIDs{}}, svc.FieldRequired, []string{"order"}},
		{"order with a repetition", "order_workspace", "", world.Input{Order: &world.ObjectIDs{taxes, taxes}}, svc.InvalidValue, []string{"order"}},
		{"order with another object", "order_workspace", "", world.Input{Order: &world.ObjectIDs{dentist}}, svc.InvalidValue, []string{"order"}},
	} {
		_, err := f.perform(f.ann, world.Dispatch{ActionID: f.actionID(f.ann, c.kind, c.title), Input: c.input})
		worldtest.WantError(t, c.name, err, c.code, c.fields...)
	}
	remove := f.actionID(f.ann, "remove_from_workspace", "Trip")
	f.performAction(f.ann, "remove_from_workspace", "Trip", world.Input{})
	_, err := f.perform(f.ann, world.Dispatch{ActionID: remove})
	worldtest.WantError(t, "second removal", err, svc.ActionUnavailable)
}

// Covers B-29.
func TestInputFieldTakesPrecedence(t *testing.T) {
	f := newFixture(t)
	for _, title := range []string{"Taxes", "Trip", "Concert"} {
		f.performAction(f.ann, "focus_object", title, world.Input{})
	}
	id := func(title string) string { return f.objectID(f.ann, title) }
	var in world.Dispatch
	requestBody := fmt.Sprintf(`{"order": ["x"], "input": {"order": "%s  %s"}, "context": {"location": {"latitude": 1, "longitude": 2}}}`, id("Concert"), id("Taxes"))
	if err := json.Unmarshal([]byte(requestBody), &in); err != nil {
		t.Fatal(err)
	}
	in.ActionID = f.actionID(f.ann, "order_workspace", "")
	if _, err := f.perform(f.ann, in); err != nil {
		t.Fatal(err)
	}
	want := []string{id("Concert"), id("Taxes"), id("Trip")}
	if got := f.Dataset(f.ann, genericRequest).Workspace.Order; !slices.Equal(got, want) {
		t.Errorf("got order %q, want %q", got, want)
	}
}

func TestReorderingKeepsSurfacesThatShowNoObject(t *testing.T) {
	f := newFixture(t)
	before := f.carriedSurfaces(f.ann) // the default surfaces
	for _, title := range []string{"Taxes", "Trip"} {
		f.performAction(f.ann, "focus_object", title, world.Input{})
	}
	f.performAction(f.ann, "order_workspace", "", world.Input{Order: &world.ObjectIDs{f.objectID(f.ann, "Trip")}})
	f.performAction(f.ann, "move_later", "Trip", world.Input{After: f.objectID(f.ann, "Taxes")})
	f.performAction(f.ann, "move_earlier", "Trip", world.Input{Before: f.objectID(f.ann, "Taxes")})
	f.performAction(f.ann, "clear_focus", "", world.Input{})
	var titles []string
	for i, s := range f.carriedSurfaces(f.ann) {
		if i < len(before) && s.SurfaceID != before[i].SurfaceID {
			t.Errorf("surface %d: got %s, want %s", i, s.SurfaceID, before[i].SurfaceID)
		}
		titles = append(titles, s.Title)
	}
	if got := titles[len(before):]; !slices.Equal(got, []string{"Trip", "Taxes"}) {
		t.Errorf("got objects %q, want Trip and Taxes", got)
	}
}

// Covers W-38.
func TestFindingsBecomeObjects(t *testing.T) {
	f := newFixture(t)
	f.ReplaceFindings(f.ann, worldtest.Place(1), worldtest.Page(2))
	if got := f.performAction(f.ann, "open_finding", "Café 1", world.Input{}).Target; got.Kind != "finding" {
		t.Errorf("open: got target %+v, want the finding", got)
	}
	f.performAction(f.ann, "save_object", "Page 2", world.Input{})
	for _, title := range []string{"Café 1", "Page 2"} {
		if got := f.performAction(f.ann, "focus_object", title, world.Input{}).Target; got != action.Object(f.objectID(f.ann, title)) {
			t.Errorf("focus %s: got target %+v, want the object", title, got)
		}
	}
	f.performAction(f.ann, "move_later", "Café 1", world.Input{After: f.objectID(f.ann, "Page 2")})
	removal := f.actionID(f.ann, "remove_from_workspace", "Café 1")
	f.performAction(f.ann, "remove_from_workspace", "Café 1", world.Input{})
	_, err := f.perform(f.ann, world.Dispatch{ActionID: removal})
	worldtest.WantError(t, "second removal", err, svc.NotFound)
	_, err = f.perform(f.bea, world.Dispatch{ActionID: removal})
	worldtest.WantError(t, "removal by another member", err, svc.NotFound)
	if got := f.lastSurface(f.ann).Title; got != "Page 2" {
		t.Errorf("got the last surface %q, want Page 2", got)
	}
}

// Perform uses the object that Prepare has read unless the member's data has
// changed since.
func TestPreparedObjectIsReadAgainAfterAChange(t *testing.T) {
	f := newFixture(t)
	for _, change := range []bool{false, true} {
		in := world.Dispatch{ActionID: f.actionID(f.ann, "focus_object", "Taxes")}
		f.Read(func(tx *store.Tx) error { return f.World.Prepare(tx, f.ann, &in) })
		want := "Taxes"
		if change {
			want = "Taxes 2026"
			f.Write(func(tx *store.Tx) error {
				_, err := f.Calendar.Patch(tx, f.ann, f.task, edit.ObjectChange{Change: edit.Change{Title: svc.Some(want)}}, nil)
				return err
			})
		}
		if _, err := f.perform(f.ann, in); err != nil {
			t.Fatal(err)
		}
		if got := f.lastSurface(f.ann).Title; got != want {
			t.Errorf("change %v: got the title %q, want %q", change, got, want)
		}
	}
	for name, id := range map[string]string{"unknown": "act_x", "removal": f.actionID(f.ann, "remove_from_workspace", "Taxes 2026")} {
		in := world.Dispatch{ActionID: id}
		err := f.DB.Read(t.Context(), func(tx *store.Tx) error { return f.World.Prepare(tx, f.ann, &in) })
		if (err == nil) != (name == "removal") {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

func TestObjectOfAServiceThatIsSwitchedOffCannotBeFocused(t *testing.T) {
	f := newFixture(t)
	id := f.actionID(f.ann, "focus_object", "Taxes")
	f.Hosted("time").SwitchOff()
	_, err := f.perform(f.ann, world.Dispatch{ActionID: id})
	worldtest.WantError(t, "focus", err, svc.ServiceUnavailable)
}

// A member who has lost access to an object can still remove it.
func TestHiddenObjectCanOnlyBeRemoved(t *testing.T) {
	f := newFixture(t)
	f.performAction(f.ann, "focus_object", "Concert", world.Input{})
	f.performAction(f.ann, "focus_object", "Trip", world.Input{})
	trip := f.objectID(f.ann, "Trip")
	ids := map[string]string{"focus": f.actionID(f.ann, "focus_object", "Concert"), "move": f.actionID(f.ann, "move_later", "Concert")}
	remove := f.actionID(f.ann, "remove_from_workspace", "Concert")
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.Block(tx, f.bea, social.NewBlock{MemberID: f.ann.Member()})
		return err
	})
	for name, id := range ids {
		_, err := f.perform(f.ann, world.Dispatch{ActionID: id, Input: world.Input{After: trip}})
		worldtest.WantError(t, name, err, svc.NotFound)
	}
	if _, err := f.perform(f.ann, world.Dispatch{ActionID: remove}); err != nil {
		t.Errorf("remove: got error %v, want none", err)
	}
}

// Covers B-28.
func TestResponseContainsTheDatasetAfterTheAction(t *testing.T) {
	f := newFixture(t)
	response := f.performAction(f.ann, "focus_object", "Trip", world.Input{})
	encoded, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	body, err := f.World.AddDataset(t.Context(), f.ann, genericRequest, encoded)
	if err != nil {
		t.Fatal(err)
	}
	var got world.ActionResponse
	worldtest.Decode(t, worldtest.Text(t, body), &got)
	if got.Dataset == nil || !got.Refresh.Performed || got.ActionID != response.ActionID || got.Message != response.Message {
		t.Fatalf("got %+v, want the response with a dataset", got)
	}
	if want := f.objectID(f.ann, "Trip"); got.Dataset.Workspace.Focus.WorldObjectID == nil || *got.Dataset.Workspace.Focus.WorldObjectID != want {
		t.Errorf("got the focus %v, want %s", got.Dataset.Workspace.Focus, want)
	}
	body, err = f.World.AddDataset(t.Context(), f.ann, genericRequest, []byte(`{"refresh": {"requested": false}}`))
	if responseText := worldtest.Text(t, body); err != nil || !bytes.Equal(responseText, []byte(`{"refresh": {"requested": false}}`)) {
		t.Errorf("no refresh requested: got %s, %v, want the same text", responseText, err)
	}
	storetest.Exec(t, f.DB, "ALTER TABLE identity_member RENAME TO lost")
	body, err = f.World.AddDataset(t.Context(), f.ann, genericRequest, encoded)
	if want := bytes.Replace(encoded, []byte(`"performed":true`), []byte(`"performed":false`), 1); err == nil || !bytes.Equal(bytes.TrimSpace(worldtest.Text(t, body)), want) {
		t.Errorf("unreadable dataset: got %s, %v, want %s and an error", worldtest.Text(t, body), err, want)
	}
	storetest.Exec(t, f.DB, "ALTER TABLE lost RENAME TO identity_member")
}

func TestDispatchReadsTheRuntimeHeaderAndLocation(t *testing.T) {
	var in world.Dispatch
	if err := json.Unmarshal([]byte(`{"context": {"location": {"latitude": 1.5, "longitude": -2}}}`), &in); err != nil {
		t.Fatal(err)
	}
	r, err := in.Request(`web/1; caps="objects"`, url.Values{"since": {"r1"}, "radius": {"500"}})
	if err != nil || r.Runtime.ID.ID != "web" || r.Since != "r1" || r.Params.Radius != 500 || r.Params.Origin == nil || *r.Params.Origin != (dataset.Location{Latitude: 1.5, Longitude: -2}) {
		t.Errorf("got %+v, %v, want the runtime, the parameters and the location", r, err)
	}
	if r, err := (world.Dispatch{}).Request("", nil); err != nil || !r.Runtime.Generic || r.Params.Origin != nil {
		t.Errorf("no header: got %+v, %v, want a generic runtime", r, err)
	}
	_, err = in.Request(strings.Repeat("x", 2000), nil)
	worldtest.WantError(t, "long header", err, svc.RuntimeHeaderRequired)
	if err := json.Unmarshal([]byte(`{"context": {"location": {"latitude": 100, "longitude": -2}}}`), &in); err != nil {
		t.Fatal(err)
	}
	_, err = in.Request("", nil)
	worldtest.WantError(t, "latitude", err, svc.InvalidValue, "context.location.latitude")
	_, err = (world.Dispatch{}).Request("", url.Values{"radius": {"wide"}})
	worldtest.WantError(t, "radius", err, svc.InvalidParameter, "radius")
}

func TestOrderMustBeAListOrAString(t *testing.T) {
	var in world.Dispatch
	worldtest.WantError(t, "number", json.Unmarshal([]byte(`{"order": 7}`), &in), svc.MalformedBody, "order")
}

// A JSON array and a string with the same ids decode to the same list.
func FuzzObjectIDs(f *testing.F) {
	for _, seed := range []string{`"a b"`, `["a", "b c"]`, `[]`, `""`, `null`, `7`, `[[]]`, `"\u2028a"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var ids world.ObjectIDs
		if json.Unmarshal([]byte(text), &ids) != nil {
			return
		}
		if slices.ContainsFunc(ids, func(id string) bool { return len(strings.Fields(id)) != 1 }) {
			t.Fatalf("%s: got %q, want ids without spaces", text, ids)
		}
		for _, form := range []any{[]string(ids), strings.Join(ids, " ")} {
			encoded, _ := json.Marshal(form)
			var again world.ObjectIDs
			if err := json.Unmarshal(encoded, &again); ids != nil && (err != nil || !slices.Equal(again, ids)) {
				t.Errorf("%s: got %q from %s, %v, want %q", text, again, encoded, err, ids)
			}
		}
	})
}
