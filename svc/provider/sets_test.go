package provider

import (
	"testing"

	"appliance/store/storetest"
)

func TestConstraintsPermitTheValuesOfTheSets(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.WantSets(t, db, "provider_", map[string][]string{
		"provider_record.kind":     recordKind("").Values(),
		"provider_record.audience": audience("").Values(),
	})
}
