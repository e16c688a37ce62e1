package apptest

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// sees returns the client's dataset, which is as it has to be.
func (c *Client) Dataset() *Answer {
	c.T.Helper()
	a := c.Runtime().Do("GET", "/world/runtime").Want(200)
	CheckDataset(c.T.(*testing.T), a)
	return a
}

// thing returns what is called so in a dataset at path: an object by its type
// and title, a finding by its title.
func (a *Answer) Object(path, name string) any {
	a.T.Helper()
	for _, o := range a.List(path) {
		if title := At(o, "title"); title == name || fmt.Sprint(At(o, "object_type"), " ", title) == name {
			return o
		}
	}
	return nil
}

// deed returns the action of a type on an object or a finding, by its name, or
// on the workspace, ""; nil if there is none.
func (a *Answer) Action(kind, name string) any {
	a.T.Helper()
	target := map[string]any{"kind": "workspace"}
	if o := a.Object("objects", name); o != nil && name != "" {
		target = map[string]any{"kind": "object", "world_object_id": At(o, "world_object_id")}
	}
	if kind == "open_finding" || kind == "save_object" {
		target = map[string]any{"kind": "finding", "finding_id": At(a.Object("findings", name), "finding_id")}
	}
	for _, action := range a.List("actions") {
		if At(action, "type") == kind && maps.Equal(At(action, "target").(map[string]any), target) {
			return action
		}
	}
	return nil
}

// acts has the client do what their dataset says can be done.
func (c *Client) Act(kind, name string, given ...map[string]any) *Answer {
	c.T.Helper()
	action := c.Runtime().Do("GET", "/world/runtime").Want(200).Action(kind, name)
	if action == nil {
		c.T.Fatalf("%s: there is no %s of %s", c.Name, kind, name)
	}
	return c.SendAction(action, given...)
}

// sends sends an action as it is declared, with what is given beside it.
func (c *Client) SendAction(action any, given ...map[string]any) *Answer {
	c.T.Helper()
	body := maps.Clone(At(action, "command.body").(map[string]any))
	for _, g := range given {
		maps.Copy(body, g)
	}
	return c.Runtime().Do(At(action, "method").(string), At(action, "command.url").(string), body)
}

// done checks the answer to an action: that it says so, and has the dataset as
// it is now.
func (c *Client) WantDone(a *Answer) *Answer {
	c.T.Helper()
	a.Want(200).WantSchema("service.world.action_response", a.At(""))
	now := c.Dataset()
	if got, want := fmt.Sprint(a.At("dataset")), fmt.Sprint(now.At("")); got != want {
		c.T.Errorf("%s: the dataset is\n%s\nand there is\n%s", a.About, got, want)
	}
	if a.Str("status") != "completed" || a.Str("message") == "" || a.At("error") != nil || a.At("refresh.requested") != true || a.At("refresh.performed") != true {
		c.T.Errorf("%s: %.300s", a.About, a.Body)
	}
	return a
}

// workspace spells the workspace of a dataset: its objects in order, with a star
// at the focus.
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

// arranges checks what is in the client's workspace.
func (c *Client) WantWorkspace(want string) {
	c.T.Helper()
	if got := c.Dataset().Workspace(); got != want {
		c.T.Errorf("%s has %s, want %s", c.Name, got, want)
	}
}

// furnished is a house whose Ann has something of everything.
func NewWorkspaceFixture(t *testing.T) (h *Server, ann, bea *Client) {
	t.Helper()
	h = New(t, WithServiceKey, Unlimited)
	ann, bea = h.Member("ann"), h.Member("bea")
	ann.CreateEntries()
	ann.SendMessage("bea", "Hello")
	club := LastSegment(ann.CreateCommunity(`{"name": "Family", "summary": "All of us"}`, bea))
	ann.StartConversationIn("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, club))
	bea.Do("POST", "/world/social/events", `{"title": "Concert", "start": "2026-12-01T18:00:00", "visibility": "public"}`).Want(201)
	bea.SendDM(ann, "Psst")
	return h, ann, bea
}
