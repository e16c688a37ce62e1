package object_test

import (
	"testing"

	"appliance/store/storetest"
	"appliance/svc/calendar"
	"appliance/svc/calendar/object"
)

func TestConstraintsPermitTheValuesOfTheSets(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.WantSets(t, db, "calendar_", map[string][]string{
		"calendar_access.role": object.Role("").Values(),
		"calendar_feed.shows":  calendar.FeedContent("").Values(),
	})
}
