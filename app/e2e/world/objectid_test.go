package world

import (
	"fmt"
	"regexp"
	"testing"

	"appliance/app/apptest"
)

var objectIDForm = regexp.MustCompile(`^wo_[a-z2-7]{26}$`)

// objectIDs returns the ids of the objects in a member's dataset, by source.
func objectIDs(c *apptest.Client) map[string]string {
	c.T.Helper()
	ids, sources := make(map[string]string), make(map[string]string)
	for _, o := range c.Dataset().List("objects") {
		source, id := fmt.Sprint(apptest.At(o, "source")), apptest.At(o, "world_object_id").(string)
		if ids[source] != "" || sources[id] != "" {
			c.T.Errorf("%s has the id %s; got the ids %q of this source and the source %q of this id, want one of each", source, id, ids[source], sources[id])
		}
		if !objectIDForm.MatchString(id) {
			c.T.Errorf("%s: got the id %s, want the form %s", source, id, objectIDForm)
		}
		ids[source], sources[id] = id, source
	}
	return ids
}

// wantEqualIDs fails the test unless the sources that occur in both maps have
// equal ids or, if equal is false, different ids.
func wantEqualIDs(t *testing.T, about string, a, b map[string]string, equal bool) {
	t.Helper()
	common := 0
	for source, id := range a {
		other, found := b[source]
		if !found {
			continue
		}
		common++
		if (other == id) != equal {
			t.Errorf("%s: %s: got the ids %s and %s, want equal: %v", about, source, id, other, equal)
		}
	}
	if common < 2 {
		t.Errorf("%s: got %d common sources, want at least 2", about, common)
	}
}

// The id of an object depends only on its source and on the server: it is the same
// for every member, after writes and after a restart. Covers W-29, W-30, B-17 and
// PT-06.
func TestObjectIDDependsOnItsSourceAlone(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	before := objectIDs(ann)
	wantEqualIDs(t, "two members", before, objectIDs(bea), true)
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.Do("PATCH", "/world/time/objects/"+apptest.At(ann.Dataset().Object("objects", "task Taxes"), "source.resource_id").(string), `{"title": "Taxes, at last"}`).Want(200)
	bea.Do("PATCH", "/world/social/profile", `{"bio": "A singer"}`).Want(200)
	s.Restart()
	after := objectIDs(ann)
	wantEqualIDs(t, "after writes and a restart", before, after, true)
	if len(after) != len(before) {
		t.Errorf("after writes and a restart: got %d objects, want %d", len(after), len(before))
	}
	_, other, _ := apptest.NewWorkspaceFixture(t)
	wantEqualIDs(t, "two servers", before, objectIDs(other), false)
}
