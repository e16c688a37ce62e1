package compat

import (
	"path/filepath"
	"testing"

	"appliance/world/worldtest"
)

// Go types, schemas and examples are one. Run with -update after changing a
// type. Covers PT-04 and PT-44 as far as shapes go.
func TestContracts(t *testing.T) {
	worldtest.Contracts(t, "../..", Own)
	files, _ := filepath.Glob("../../assets/schema/*.json")
	if len(files) != len(Contracts) {
		t.Errorf("%d schemas for %d contracts", len(files), len(Contracts))
	}
}
