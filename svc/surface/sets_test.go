package surface

import (
	"testing"

	"appliance/store/storetest"
)

func TestConstraintsPermitTheValuesOfTheSets(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.WantSets(t, db, "surface_", map[string][]string{
		"surface_surface.mode":  Mode("").Values(),
		"surface_session.state": SessionState("").Values(),
	})
}
