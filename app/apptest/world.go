package apptest

import (
	"strings"
	"testing"
)

const SessionPath = "/world/session"

// session returns the member's session, which is as every session is.
func (c *Client) Session(query ...string) *Answer {
	c.T.Helper()
	a := c.Runtime().Do("GET", SessionPath+strings.Join(query, "")).Want(200)
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
		c.T.Errorf("%s: status %v", a.About, a.At("status"))
	}
	return a
}

// service returns what a session says of a service.
func (a *Answer) Service(id string) any {
	a.T.Helper()
	for _, s := range a.List("services") {
		if At(s, "id") == id {
			return s
		}
	}
	a.T.Fatalf("no service %s", id)
	return nil
}
