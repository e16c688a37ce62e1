package surface

import (
	"encoding/json"
	"maps"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// Whatever somebody sends as a position, it is refused and changes nothing, or
// the metadata are bounded, are what they are when stored and read, and taking
// each entry away leaves what was there.
func FuzzPosition(f *testing.F) {
	for _, text := range []string{
		`{}`, `null`, `[]`, `{"x": 1.5, "y": -2, "z": null}`, `{"stack_id": "carry_primary", "mine": true}`, `{"x": "1"}`, `{"mine": {}}`, `{"": 1}`,
		`{"stack_id": null, "region": "a\nb"}`, `{"a": "\u0000"}`, `{"matches_surface_id": 7}`, `{"x": 1e999}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p Position
		if json.Unmarshal([]byte(text), &p) != nil {
			return
		}
		old := svc.Map{"stack_id": CarryStack, "kept": true}
		before := maps.Clone(old)
		metadata, err := p.onto(old, "placement")
		if !maps.Equal(old, before) {
			t.Fatalf("it has changed what was there: %v", old)
		}
		if err != nil {
			if svc.KindOf(err) == svc.Internal {
				t.Fatal(err)
			}
			return
		}
		if len(metadata) > maxUnknown+len(numbers)+len(names) {
			t.Errorf("there are %d entries", len(metadata))
		}
		for key, value := range metadata {
			if err := checkEntry("placement", key, value); err != nil || value == nil {
				t.Errorf("%q is %v: %v", key, value, err)
			}
		}
		var again svc.Map
		if err := json.Unmarshal([]byte(store.JSON(metadata)), &again); err != nil || !maps.Equal(again, metadata) {
			t.Errorf("stored it is %v, and was %v: %v", again, metadata, err)
		}
		away := Position{given: make(svc.Map)}
		for key := range p.given {
			away.given[key] = nil
		}
		left, err := away.onto(metadata, "placement")
		for key := range p.given {
			delete(before, key)
		}
		if err != nil || !maps.Equal(left, before) {
			t.Errorf("without it there is %v, want %v: %v", left, before, err)
		}
	})
}

// Whatever somebody sends as a finding, it is refused, or fits into a surface
// that could have been put as it is.
func FuzzFinding(f *testing.F) {
	f.Add(`{"finding_id": "osm:node/1", "source_service": "osm", "object_type": "place", "title": "Café", "summary": "", "service_payload": {"latitude": 1}}`)
	f.Add(`{"finding_id": "web:1", "source_service": "web", "object_type": "html_resource", "title": "x", "source_url": "https://example.org/?q=%00"}`)
	f.Add(`{"finding_id": "x", "source_service": "x", "object_type": "place", "title": "x", "source_url": "javascript:alert(1)", "actions": [{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var found svc.Finding
		if json.Unmarshal([]byte(text), &found) != nil {
			return
		}
		if err := checkFinding(found); err != nil {
			if svc.KindOf(err) == svc.Internal {
				t.Fatal(err)
			}
			return
		}
		w := &Workspace{surfaces: make(map[string]*Surface), changedSurfaces: make(map[string]bool), changedStacks: make(map[string]bool)}
		w.complete(DefaultSurfaces())
		id := derivedID("finding", 1, found.FindingID)
		w.find(id, found, nil)
		one := w.surface(id)
		one.RuntimeState.Details = one.RuntimeState.Details[:1] // the address may be longer than what others may say
		if err := one.check(); err != nil {
			t.Errorf("%s makes a surface that cannot be put: %v", text, err)
		}
		again, err := recordOf(one).surface()
		if err != nil || store.JSON(again) != store.JSON(one) {
			t.Errorf("stored it is %s, and was %s: %v", store.JSON(again), store.JSON(one), err)
		}
	})
}
