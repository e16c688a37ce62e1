package find

import (
	"testing"

	"appliance/store/storetest"
)

func TestConstraintsPermitTheValuesOfTheSets(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.WantSets(t, db, "find_", map[string][]string{
		"find_query.scope":         Scope("").Values(),
		"find_query.applied_scope": Scope("").Values(),
		"find_query.status":        Status("").Values(),
	})
}
