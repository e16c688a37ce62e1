package maps_test

import (
	"testing"

	"appliance/store/storetest"
)

func TestConstraintsPermitTheValuesOfTheSets(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.WantSets(t, db, "maps_", map[string][]string{
		"maps_region.state": {"staged", "current", "retired"}, // only in queries
	})
}
