package world

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
)

// Covers W-20, W-22, W-23, W-24, W-27, W-28, W-30, W-31, W-32, W-33, W-34, W-35,
// W-37, W-38, W-41, W-42, W-43, W-44, W-45, W-50, W-51, W-53, W-154, PT-01,
// PT-03, PT-05 and PT-43.
func TestDatasetOfANewMemberHasTheProfileOnly(t *testing.T) {
	s := apptest.New(t)
	a := s.Member("ann").Dataset()
	if got, want := fmt.Sprint(a.Values("objects", "title")), "[Ann]"; got != want {
		t.Errorf("objects: got %s, want %s", got, want)
	}
}

// Events outside the window of the dataset are omitted; open tasks are included
// whatever their date. Covers the rows of TestDatasetOfANewMemberHasTheProfileOnly
// for a member with entries.
func TestDatasetHasEntriesOfTheWindowAndAllOpenTasks(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	ann.CreateEntries()
	a := ann.Dataset()
	if got, want := fmt.Sprint(a.Values("objects", "title")), "[Every minute Wherever I am Choir <b> Dentist Holiday Some day Taxes Ann]"; !apptest.SameWords(got, want) {
		t.Errorf("objects: got %s, want %s", got, want)
	}
	types := make(map[any]int)
	for _, o := range a.List("objects") {
		types[apptest.At(o, "object_type")]++
	}
	if got, want := fmt.Sprint(types), "map[calendar_event:5 profile:1 task:2]"; got != want {
		t.Errorf("object types: got %s, want %s", got, want)
	}
}

// Covers W-14 and T-28: a reminder is published like any field of an entry.
func TestEveryObjectHasBooleanPermissions(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	ann.CreateEntries()
	for _, o := range ann.Dataset().List("objects") {
		permissions, _ := apptest.At(o, "permissions").(map[string]any)
		if len(permissions) == 0 {
			t.Errorf("%v: got no permissions, want some", apptest.At(o, "title"))
		}
		for name, value := range permissions {
			if _, ok := value.(bool); !ok {
				t.Errorf("%v: %s: got %v, want true or false", apptest.At(o, "title"), name, value)
			}
		}
	}
}

// Covers W-29, PT-06 and PT-47: two reads return the same bytes, also after a
// restart.
func TestDatasetIsTheSameAfterARestart(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	ann.CreateEntries()
	first := ann.Do("GET", "/world/runtime").Want(200)
	wantSame := func(about string) {
		t.Helper()
		a := ann.Do("GET", "/world/runtime").Want(200)
		if a.Body != first.Body {
			t.Errorf("%s: got the dataset\n%s\nwant\n%s", about, a.Body, first.Body)
		}
		if got, want := a.Header.Get("ETag"), first.Header.Get("ETag"); got != want {
			t.Errorf("%s: got the ETag %s, want %s", about, got, want)
		}
	}
	wantSame("the second read")
	s.Restart()
	wantSame("after a restart")
}
