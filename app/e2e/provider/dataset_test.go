package provider

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/provider/providertest"
)

// setup returns a server with the provider library, and its members ann and bea.
func setup(t *testing.T, change ...func(*config.Settings)) (s *apptest.Server, p *providertest.Server, ann, bea *apptest.Client) {
	t.Helper()
	s = apptest.New(t, append([]func(*config.Settings){apptest.WithServiceKey, apptest.Unlimited}, change...)...)
	ann, bea = s.Member("ann"), s.Member("bea")
	p = providertest.New(t, "library")
	s.AddProvider(p)
	return s, p, ann, bea
}

// Covers V-11, V-13, V-19, V-20, V-21, V-22, V-35 and W-14.
func TestObjectsOfAProviderInTheDataset(t *testing.T) {
	_, p, ann, _ := setup(t)
	d := ann.Dataset()
	apptest.CheckDataset(t, d)
	loan, room := d.Object("objects", "Dune"), d.Object("objects", "Reading room")
	for path, want := range map[string]any{
		"object_type": "loan", "summary": "Due on 3 January", "state.metadata.due_on": "2027-01-03", "state.provider.label": "Name of library",
		"source": "map[kind:provider provider:library source_id:88 source_type:loan]",
		"state.resources": "[map[cache:map[max_age_seconds:86400] href:https://covers.example/88.jpg id:cover-88 kind:thumbnail label:Cover of Dune" +
			" media_type:image/jpeg metadata:map[]]]",
		"permissions.can_view": true, "permissions.can_update": false, "permissions.can_share": false,
		"relationships.0.type": "kept_in", "relationships.0.target.world_object_id": apptest.At(room, "world_object_id"),
	} {
		if got := apptest.At(loan, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	for action, availability := range map[string]string{"renew_loan": "enabled", "return_loan": "disabled", "transfer_loan": "denied", "reserve_room": "unavailable"} {
		got := actionOfType(t, d, action)
		if apptest.At(got, "availability") != availability || (apptest.At(got, "fallback") == nil) != (availability == "enabled") {
			t.Errorf("%s: got %v, want it %s", action, got, availability)
		}
	}
	controls := apptest.At(actionOfType(t, d, "renew_loan"), "controls")
	if got, want := fmt.Sprint(controls), "[map[default:2 id:weeks label:Weeks options:[map[label:2 weeks value:2] map[label:4 weeks value:4]] required:true type:selector]"+
		" map[default:<nil> id:note label:Note max_length:200 required:false type:text]]"; got != want {
		t.Errorf("controls: got %s, want %s", got, want)
	}
	var collection any
	for _, c := range d.List("contexts") {
		if apptest.At(c, "label") == "Loans" {
			collection = c
		}
	}
	if got := apptest.At(collection, "items.0.label"); got != "Dune" || len(apptest.At(collection, "items").([]any)) != 1 {
		t.Errorf("got the collection %v, want one with the loan", collection)
	}
	if source := sourceOf(t, d, "library"); apptest.At(source, "kind") != "provider" || apptest.At(source, "status") != "ready" || apptest.At(source, "object_count") != 2.0 {
		t.Errorf("got the source %v, want a provider that is ready, with 2 objects", source)
	}
	if strings.Contains(d.Body, "extension") || strings.Contains(d.Body, "provider_action_command") || strings.Contains(d.Body, "branch-88") {
		t.Errorf("got a part of the payload that runtimes must not receive:\n%.3000s", d.Body)
	}
	// No address of the provider is published. Covers V-30.
	host, _, _ := strings.Cut(strings.TrimPrefix(p.SourceURL, "http://"), "/")
	for _, path := range []string{"/world/runtime", "/world/session", "/world/translated", "/world/panels/find", "/world/panels/time", "/world/panels/social", "/world/panels/messages"} {
		if a := ann.AsRuntime().Do("GET", path).Want(200); strings.Contains(a.Body, host) {
			t.Errorf("%s: got the address of the provider, want none", path)
		}
	}
	translated := ann.AsRuntime().Do("GET", "/world/translated").Want(200)
	if translated.Object("objects", "Dune") == nil {
		t.Error("translated: got no object of the provider, want one")
	}
}

// actionOfType returns the only action with a type.
func actionOfType(t *testing.T, d *apptest.Answer, kind string) (found any) {
	t.Helper()
	for _, a := range d.List("actions") {
		if apptest.At(a, "type") == kind {
			if found != nil {
				t.Fatalf("%s: got two actions, want one", kind)
			}
			found = a
		}
	}
	if found == nil {
		t.Fatalf("%s: got no action, want one", kind)
	}
	return found
}

// An object in the workspace has its current title. A member who can no longer see the object gets
// neither the object nor the title. Covers V-23 and PT-07 for providers.
func TestObjectOfAProviderInTheWorkspace(t *testing.T) {
	s, p, ann, bea := setup(t)
	for _, c := range []*apptest.Client{ann, bea} {
		focus := c.Dataset().Action("focus_object", "Dune")
		c.AsRuntime().Do("POST", fmt.Sprint(apptest.At(focus, "command.url")), `{}`).Want(200)
	}
	payload := providertest.Sample("library")
	payload.Objects.Items[0].Title = "Dune Messiah"
	payload.Objects.Items[0].Visibility = contract.Visibility{Members: svc.List[string]{"ann@example.org"}}
	p.SetSource(payload)
	if status, messages := s.SyncProvider("library"); status != 0 {
		t.Fatal(messages)
	}
	d := ann.Dataset()
	apptest.CheckDataset(t, d)
	if got := apptest.At(d.Object("objects", "Dune Messiah"), "placement.area"); got != "carry" {
		t.Errorf("got the area %v, want carry", got)
	}
	if a := ann.Session(); !strings.Contains(a.Body, "Dune Messiah") {
		t.Error("session of ann: got no surface with the new title, want one")
	}
	d = bea.Dataset()
	apptest.CheckDataset(t, d)
	if strings.Contains(d.Body, "Dune Messiah") || strings.Contains(bea.Session().Body, "Messiah") {
		t.Error("bea: got the title of an object that she cannot see")
	}
}

// The objects of a failing provider remain in the dataset, with a fallback that they may be out of
// date. Covers V-36 and B-80.
func TestFailingProviderInTheDataset(t *testing.T) {
	s, p, ann, _ := setup(t)
	p.SetSourceText("<html>")
	if status, _ := s.SyncProvider("library"); status == 0 {
		t.Error("got exit status 0, want a failure")
	}
	d := ann.Dataset()
	apptest.CheckDataset(t, d)
	if d.Object("objects", "Dune") == nil {
		t.Error("got no object, want the previous one")
	}
	wantProvider(t, d, "degraded", "not_updated")
	p.SetSource(providertest.Sample("library"))
	if status, messages := s.SyncProvider("library"); status != 0 {
		t.Fatal(messages)
	}
	wantProvider(t, ann.Dataset(), "ready", "")
	if status, _, _ := s.RunCommand("", "provider", "remove", "library"); status != 0 {
		t.Errorf("provider remove: got status %d, want 0", status)
	}
	if d := ann.Dataset(); d.Object("objects", "Dune") != nil || strings.Contains(d.Body, "library") {
		t.Error("after the removal: got objects of the provider, want none")
	}
}

// sourceOf returns the source of a dataset with an id, which must occur once.
func sourceOf(t *testing.T, d *apptest.Answer, id string) (source any) {
	t.Helper()
	for _, s := range d.List("sources") {
		if apptest.At(s, "source_id") != id {
			continue
		}
		if source != nil {
			t.Errorf("source %s: got two, want one", id)
		}
		source = s
	}
	if source == nil {
		t.Fatalf("got the sources %v, want %s among them", d.Values("sources", "source_id"), id)
	}
	return source
}

// wantProvider fails the test unless the dataset has a state of the provider, and the
// reason of a fallback, "" for none.
func wantProvider(t *testing.T, d *apptest.Answer, status, reason string) {
	t.Helper()
	if got := apptest.At(sourceOf(t, d, "library"), "status"); got != status {
		t.Errorf("got the status %v, want %s", got, status)
	}
	got := ""
	for _, f := range d.List("fallbacks") {
		if apptest.At(f, "scope.service") == "library" && apptest.At(f, "scope.kind") == "service" {
			got = fmt.Sprint(apptest.At(f, "reason"))
		}
	}
	if got != reason {
		t.Errorf("got a fallback with the reason %q, want %q", got, reason)
	}
}
