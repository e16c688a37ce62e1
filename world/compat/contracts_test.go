package compat_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"appliance/world/compat"
	"appliance/world/worldtest"
)

// Run with -update after changing a type. Covers PT-04 and PT-44.
func TestSchemasMatchTheGoTypes(t *testing.T) {
	worldtest.WantSchemas(t, "../..", compat.PresentationContracts)
}

func TestEverySchemaBelongsToAContract(t *testing.T) {
	files, err := filepath.Glob("../../assets/schema/*.json")
	if err != nil || len(files) != len(compat.Contracts) {
		t.Errorf("got %d schemas, %v, want one for each of the %d contracts", len(files), err, len(compat.Contracts))
	}
	for _, c := range compat.Contracts {
		schema, ok := compat.Schema(c.Name, fmt.Sprint(c.Version))
		if !ok || !json.Valid(schema) {
			t.Errorf("%s %d: got found %v and valid JSON %v, want both", c.Name, c.Version, ok, json.Valid(schema))
		}
	}
	for _, unknown := range [][2]string{{"service.error", "2"}, {"service.nothing", "1"}, {"service.error", "x"}} {
		if _, ok := compat.Schema(unknown[0], unknown[1]); ok {
			t.Errorf("%s %s: got a schema, want none", unknown[0], unknown[1])
		}
	}
}
