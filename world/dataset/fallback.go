package dataset

// newFallback returns a fallback. Its id is unique in a dataset for a scope and a
// state.
func newFallback(state string, scope Scope, reason, message string, retryable bool) Fallback {
	id := "fb_" + scope.Kind + "_" + scope.Section + scope.Service + scope.Capability + "_" + state
	return Fallback{FallbackID: id, State: state, Scope: scope, Reason: reason, Message: message, Retryable: retryable}
}

func (c *composition) fallback(state string, scope Scope, reason, message string, retryable bool) {
	c.fallbacks = append(c.fallbacks, newFallback(state, scope, reason, message, retryable))
}

// Truncated is the fallback of a section that is incomplete.
func Truncated(section, message string) Fallback {
	return newFallback("degraded", Scope{Kind: "section", Section: section}, "truncated", message, false)
}

// tooMany is the fallback of a service that has more objects than a dataset
// shows.
func tooMany(service string) Fallback {
	message := map[string]string{
		"time": "There are more calendar entries than are shown.", "messages": "There are more threads than are shown.",
		"social": "There is more in Social than is shown.", workspaceService: "There is more in the workspace than is shown.",
	}[service]
	return newFallback("degraded", Scope{Kind: "service", Service: service}, "truncated", message, false)
}

// addSectionFallbacks gives the reason for every section that is empty, and for
// those that the client did not request.
func (c *composition) addSectionFallbacks() {
	if !c.key.forms && len(c.actions) > 0 { // the fallback of action.MissingForms
		c.fallback("unsupported", Scope{Kind: "capability", Capability: "actions.form"}, "not_declared", "This runtime did not declare that it can show forms.", false)
	}
	for _, s := range []struct {
		name, section string // the section that the client requests
		items         int
		state, reason string
		message       string
	}{
		{"objects", "objects", len(c.objects), "empty", "no_objects", "There is nothing here yet."},
		{"contexts", "contexts", len(c.contexts), "empty", "no_contexts", "There are no contexts yet."},
		{"actions", "actions", len(c.actions) + len(c.objects), "empty", "no_actions", "There are no actions yet."},
		{"field.objects", "field", 0, "unavailable", "not_installed", "The map is not part of this server."},
		{"findings", "findings", len(c.findings), "empty", "no_findings", "Nothing has been found yet."},
		{"workspace", "workspace", len(c.next.layout.workspace.order), "empty", "nothing_brought", "There is nothing in the workspace yet."},
	} {
		ofWorkspace := s.name == "findings" || s.name == "workspace"
		scope := Scope{Kind: "section", Section: s.name}
		switch {
		case !c.request.Params.wants(s.section):
			c.fallback("unsupported", scope, "not_requested", "This section was not requested.", false)
		case s.items > 0:
		case ofWorkspace && c.statusOf(workspaceService) != "ready":
			c.fallback("unavailable", scope, "not_read", "This cannot be read at the moment.", true)
		default:
			c.fallback(s.state, scope, s.reason, s.message, false)
		}
	}
}
