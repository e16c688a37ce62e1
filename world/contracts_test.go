package world_test

import (
	"testing"

	"appliance/world"
	"appliance/world/worldtest"
)

// Run with -update after changing a type. Covers PT-04 and PT-44.
func TestSchemasMatchTheGoTypes(t *testing.T) { worldtest.WantSchemas(t, "..", world.Contracts) }

// Covers V-04 and PT-44.
func TestProviderSchemasMatchTheGoTypes(t *testing.T) {
	worldtest.WantStrictSchemas(t, "..", world.ProviderContracts)
}
