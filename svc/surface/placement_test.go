package surface

import (
	"encoding/json"
	"maps"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// A position is either rejected without a change or applied. The resulting metadata
// is within the limits and does not change when it is stored and read. If the
// entries that the position set are deleted, the other entries are unchanged.
func FuzzPosition(f *testing.F) {
	for _, position := range []string{
		`{}`, `null`, `[]`, `{"x": 1.5, "y": -2, "z": null}`, `{"stack_id": "carry_primary", "mine": true}`, `{"x": "1"}`, `{"mine": {}}`, `{"": 1}`,
		`{"stack_id": null, "region": "a\nb"}`, `{"a": "\u0000"}`, `{"matches_surface_id": 7}`, `{"x": 1e999}`,
	} {
		f.Add(position)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p Position
		if json.Unmarshal([]byte(text), &p) != nil {
			return
		}
		old := svc.Map{"stack_id": CarryStack, "mine": true}
		before := maps.Clone(old)
		metadata, err := p.apply(old, "placement")
		if !maps.Equal(old, before) {
			t.Fatalf("got the argument changed to %v, want %v", old, before)
		}
		if err != nil {
			if svc.KindOf(err) == svc.Internal {
				t.Fatal(err)
			}
			return
		}
		if limit := maxCustomEntries + len(numberEntries) + len(stringEntries); len(metadata) > limit {
			t.Errorf("got %d entries, want at most %d", len(metadata), limit)
		}
		for key, value := range metadata {
			if err := checkEntry("placement", key, value); err != nil || value == nil {
				t.Errorf("got the entry %q %v, which is invalid: %v", key, value, err)
			}
		}
		var stored svc.Map
		if err := json.Unmarshal([]byte(store.JSON(metadata)), &stored); err != nil || !maps.Equal(stored, metadata) {
			t.Errorf("stored: got %v, %v, want %v", stored, err, metadata)
		}
		deletion := Position{fields: make(svc.Map)}
		for key := range p.fields {
			deletion.fields[key] = nil
			delete(before, key)
		}
		rest, err := deletion.apply(metadata, "placement")
		if err != nil || !maps.Equal(rest, before) {
			t.Errorf("without the entries: got %v, %v, want %v", rest, err, before)
		}
	})
}
