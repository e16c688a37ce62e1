package world_test

import (
	"testing"

	"appliance/world"
	"appliance/world/worldtest"
)

// Go types, schemas and examples are one. Run with -update after changing a
// type. Covers PT-04 and PT-44 as far as shapes go.
func TestContracts(t *testing.T) { worldtest.Contracts(t, "..", world.Contracts) }
