package apptest

import (
	"strings"
	"testing"
)

// SessionPath is the path of the session.
const SessionPath = "/world/session"

// Session returns the member's session, after checking its schemas, its paths
// and its totals.
func (c *Client) Session(query ...string) *Answer {
	c.T.Helper()
	a := c.AsRuntime().Do("GET", SessionPath+strings.Join(query, "")).Want(200)
	a.WantSchema("service.home.runtime", a.At(""))
	a.WantSchema("service.field.runtime", a.At("field_runtime"))
	a.WantSchema("service.surface.runtime", a.At("surface_runtime"))
	a.WantConsistentStacks("surface_runtime")
	CheckPaths(c.T.(*testing.T), "", a.At(""))
	sum, total := 0.0, 0.0
	for name, n := range a.At("status").(map[string]any) {
		if name == "total" {
			total = n.(float64)
		} else {
			sum += n.(float64)
		}
	}
	if sum != total {
		c.T.Errorf("%s: got the status %v, want the total %v", a.About, a.At("status"), sum)
	}
	return a
}

// Service returns the entry of a service in a session.
func (a *Answer) Service(id string) any {
	a.T.Helper()
	for _, s := range a.List("services") {
		if At(s, "id") == id {
			return s
		}
	}
	a.T.Fatalf("%s: got no service %s", a.About, id)
	return nil
}
