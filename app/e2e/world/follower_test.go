package world

import (
	"net/url"
	"strings"

	"appliance/app/apptest"
)

// follower is a member who knows only the path of the session and their token. All other
// URLs, methods and fields come from responses.
type follower struct{ *apptest.Client }

// get reads a published URL.
func (f follower) get(url any) *apptest.Answer {
	f.T.Helper()
	text, ok := url.(string)
	if !ok {
		f.T.Fatalf("%s: got the URL %v, want a path", f.Name, url)
	}
	return f.Do("GET", text).Want(200)
}

// panel reads a view of the panel of a service of the session.
func (f follower) panel(service, view string) *apptest.Answer {
	f.T.Helper()
	start := f.get(apptest.At(f.AsRuntime().Do("GET", "/world/session").Want(200).Service(service), "content_source"))
	for _, item := range start.List("nav") {
		if apptest.At(item, "id") == view {
			return f.get(apptest.At(item, "action"))
		}
	}
	f.T.Fatalf("%s: got no view %s, want it in %v", start.About, view, start.At("nav"))
	return nil
}

// itemOf returns the item of a panel with a title. It reads the further pages of a list.
func (f follower) itemOf(panel *apptest.Answer, title string) any {
	f.T.Helper()
	for a := panel; ; {
		for _, section := range a.List("sections") {
			for _, item := range apptest.At(section, "items").([]any) {
				if strings.Contains(apptest.At(item, "title").(string), title) && (len(listAt(item, "actions"))+len(listAt(item, "action_descriptors")) > 0) {
					return item
				}
			}
		}
		next, ok := a.At("page.next").(string)
		if !ok {
			f.T.Fatalf("%s: got no item %q with actions", a.About, title)
		}
		a = f.get(next)
	}
}

// listAt returns the list at a path, empty if there is none.
func listAt(v any, path string) []any {
	list, _ := apptest.At(v, path).([]any)
	return list
}

// press performs an action of an item, with values for its controls.
func (f follower) press(panel *apptest.Answer, title, id string, values ...any) *apptest.Answer {
	f.T.Helper()
	item := f.itemOf(panel, title)
	return f.perform(id, append(listAt(item, "action_descriptors"), listAt(item, "actions")...), values)
}

// submit performs a form of a panel, with values for its controls.
func (f follower) submit(panel *apptest.Answer, id string, values ...any) *apptest.Answer {
	f.T.Helper()
	return f.perform(id, panel.List("action_descriptors"), values)
}

// perform sends the request with an id in a list of published requests. values are pairs of a
// control and its value; other controls keep their defaults.
func (f follower) perform(id string, published []any, values []any) *apptest.Answer {
	f.T.Helper()
	for _, p := range published {
		if apptest.At(p, "id") == id {
			return f.send(p, values)
		}
	}
	f.T.Fatalf("%s: got no action %s, want it in %v", f.Name, id, published)
	return nil
}

// send sends a published request.
func (f follower) send(published any, values []any) *apptest.Answer {
	f.T.Helper()
	method, address := apptest.At(published, "method").(string), apptest.At(published, "url").(string)
	body, _ := apptest.At(published, "body").(map[string]any)
	fields := make(map[string]any)
	for name, value := range body {
		fields[name] = value
	}
	input := make(map[string]any)
	for i := 0; i < len(values); i += 2 {
		input[values[i].(string)] = values[i+1]
	}
	for _, control := range listAt(published, "controls") {
		name := apptest.At(control, "id").(string)
		value, hasInput := input[name]
		delete(input, name)
		if apptest.At(control, "type") == "file" {
			return f.With("Content-Type", apptest.At(control, "accept.0").(string)).Do(method, address, value)
		}
		if !hasInput {
			value = apptest.At(control, "default")
		}
		if value != nil {
			fields[name] = value
		} else if apptest.At(control, "required") == true {
			f.T.Errorf("%s: got the required control %s without a default, want a value", address, name)
		}
	}
	for name := range input {
		f.T.Errorf("%s: got no control %s, want it", address, name)
	}
	if method == "GET" {
		query := make(url.Values)
		for name, value := range fields {
			query.Set(name, apptest.Text(value))
		}
		if len(query) > 0 {
			address += "?" + query.Encode()
		}
		return f.Do(method, address)
	}
	return f.Do(method, address, fields)
}

// managedMember searches for a member as the operator, and returns the view of the member.
func (f follower) managedMember(name string) *apptest.Answer {
	f.T.Helper()
	found := f.submit(f.panel("operator", "members"), "open_members", "q", name).Want(200)
	return f.press(found, name, "open").Want(200)
}
