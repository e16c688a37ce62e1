package identity

import (
	"testing"

	"appliance/store/storetest"
)

func TestConstraintsPermitTheValuesOfTheSets(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.WantSets(t, db, "identity_", map[string][]string{
		"identity_member.status":     Status("").Values(),
		"identity_link.purpose":      purpose("").Values(),
		"identity_challenge.purpose": challengePurpose("").Values(),
	})
}
