package apptest

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// Dataset returns the client's dataset, after [CheckDataset].
func (c *Client) Dataset() *Answer {
	c.T.Helper()
	a := c.AsRuntime().Do("GET", "/world/runtime").Want(200)
	CheckDataset(c.T.(*testing.T), a)
	return a
}

// Object returns the record with a name in a list: its title, or its object_type
// and title. It returns nil if there is none.
func (a *Answer) Object(path, name string) any {
	a.T.Helper()
	for _, o := range a.List(path) {
		if title := At(o, "title"); title == name || fmt.Sprint(At(o, "object_type"), " ", title) == name {
			return o
		}
	}
	return nil
}

// Action returns the action of a type on the object or finding with a name, or on
// the workspace if the name is empty. It returns nil if there is none.
func (a *Answer) Action(actionType, name string) any {
	a.T.Helper()
	target := map[string]any{"kind": "workspace"}
	if o := a.Object("objects", name); o != nil && name != "" {
		target = map[string]any{"kind": "object", "world_object_id": At(o, "world_object_id")}
	}
	if actionType == "open_finding" || actionType == "save_object" || actionType == "translate_finding" {
		target = map[string]any{"kind": "finding", "finding_id": At(a.Object("findings", name), "finding_id")}
	}
	for _, action := range a.List("actions") {
		if At(action, "type") == actionType && maps.Equal(At(action, "target").(map[string]any), target) {
			return action
		}
	}
	return nil
}

// Act sends an action of the client's dataset, with additional input.
func (c *Client) Act(actionType, name string, input ...map[string]any) *Answer {
	c.T.Helper()
	action := c.AsRuntime().Do("GET", "/world/runtime").Want(200).Action(actionType, name)
	if action == nil {
		c.T.Fatalf("%s: the dataset has no action %s of %q", c.Name, actionType, name)
	}
	return c.SendAction(action, input...)
}

// SendAction sends an action as it is declared, with additional input.
func (c *Client) SendAction(action any, input ...map[string]any) *Answer {
	c.T.Helper()
	body := maps.Clone(At(action, "command.body").(map[string]any))
	for _, in := range input {
		maps.Copy(body, in)
	}
	return c.AsRuntime().Do(At(action, "method").(string), At(action, "command.url").(string), body)
}

// WantDone fails the test unless the response to an action reports success and
// contains the current dataset.
func (c *Client) WantDone(a *Answer) *Answer {
	c.T.Helper()
	a.Want(200).WantSchema("service.world.action_response", a.At(""))
	now := c.Dataset()
	if got, want := fmt.Sprint(a.At("dataset")), fmt.Sprint(now.At("")); got != want {
		c.T.Errorf("%s: got the dataset\n%s\nwant\n%s", a.About, got, want)
	}
	a.WantValues("", map[string]any{"status": "completed", "error": nil, "refresh.requested": true, "refresh.performed": true})
	if a.Str("message") == "" {
		c.T.Errorf("%s: the response has no message", a.About)
	}
	return a
}

// Workspace formats the workspace of a dataset: the titles of its objects in
// order, with a star after the focused one.
func (a *Answer) Workspace() string {
	a.T.Helper()
	names := make(map[any]string)
	for _, o := range a.List("objects") {
		names[At(o, "world_object_id")] = At(o, "title").(string)
	}
	var list []string
	for _, id := range a.List("workspace.order") {
		name := names[id]
		if id == a.At("workspace.focus.world_object_id") {
			name += "*"
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// WantWorkspace fails the test unless the client's workspace, formatted by
// [Answer.Workspace], equals want.
func (c *Client) WantWorkspace(want string) {
	c.T.Helper()
	if got := c.Dataset().Workspace(); got != want {
		c.T.Errorf("%s: workspace: got %s, want %s", c.Name, got, want)
	}
}

// NewWorkspaceFixture returns a server on which ann has an object of every type.
func NewWorkspaceFixture(t *testing.T) (s *Server, ann, bea *Client) {
	t.Helper()
	s = New(t, WithServiceKey, Unlimited)
	ann, bea = s.Member("ann"), s.Member("bea")
	ann.CreateEntries()
	ann.SendMessage("bea", "Hello")
	family := LastSegment(ann.CreateCommunity(`{"name": "Family", "summary": "All of us"}`, bea))
	ann.StartConversationIn("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, family))
	bea.Do("POST", "/world/social/events", `{"title": "Concert", "start": "2026-12-01T18:00:00", "visibility": "public"}`).Want(201)
	bea.SendDM(ann, "Psst")
	return s, ann, bea
}
