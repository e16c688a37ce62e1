package dataset

// newFallback returns a fallback. Scope and state determine its id.
func newFallback(state string, scope Scope, reason, message string, retryable bool) Fallback {
	id := "fb_" + scope.Kind + "_" + scope.Section + scope.Service + scope.Capability + scope.ActionID + "_" + state
	return Fallback{FallbackID: id, State: state, Scope: scope, Reason: reason, Message: message, Retryable: retryable}
}

// fallback adds a fallback.
func (c *composition) fallback(state string, scope Scope, reason, message string, retryable bool) {
	c.fallbacks = append(c.fallbacks, newFallback(state, scope, reason, message, retryable))
}

// SwitchedOff returns the fallback of a service that the operator has switched off.
func SwitchedOff(service string) Fallback {
	return newFallback("unavailable", Scope{Kind: "service", Service: service}, "switched_off", "The operator has switched this service off.", false)
}

// Failed returns the fallback of a service that cannot be read.
func Failed(service string) Fallback {
	return newFallback("degraded", Scope{Kind: "service", Service: service}, "failed", "This service cannot be read at the moment. Try again later.", true)
}

// Truncated returns the fallback of a truncated section.
func Truncated(section, message string) Fallback {
	return newFallback("degraded", Scope{Kind: "section", Section: section}, "truncated", message, false)
}

// truncatedService returns the fallback of a service whose list of objects is truncated.
func truncatedService(service string) Fallback {
	message := map[string]string{
		"time": "There are more calendar entries than are shown.", "messages": "There are more threads than are shown.",
		"social": "There are more records in Social than are shown.", workspaceService: "There are more saved findings than are shown.",
		providersService: "There are more objects of providers than are shown.",
	}[service]
	return newFallback("degraded", Scope{Kind: "service", Service: service}, "truncated", message, false)
}

// addSectionFallbacks adds the reason of every empty section, and of every section
// that was not requested.
func (c *composition) addSectionFallbacks() {
	if !c.key.forms && count(c.actions) > 0 { // the id of this fallback is action.FormUnsupportedFallback
		c.fallback("unsupported", Scope{Kind: "capability", Capability: "actions.form"}, "not_declared", "This app cannot show forms. Use another app for this action.", false)
	}
	for _, s := range []struct {
		name, section string // name in the scope, and in the request
		items         int
		state, reason string
		message       string
	}{
		{"objects", "objects", len(c.objects), "empty", "no_objects", "You have no entries, messages or contacts yet."},
		{"contexts", "contexts", len(c.contexts), "empty", "no_contexts", "There are no contexts yet."},
		{"actions", "actions", count(c.actions) + len(c.objects), "empty", "no_actions", "There are no actions yet."},
		{"field.objects", "field", len(c.places()), c.noPlaces.State, c.noPlaces.Name, c.noPlaces.Message},
		{"findings", "findings", count(c.findings), "empty", "no_findings", "There are no search results."},
		{"workspace", "workspace", len(c.next.layout.workspace.order), "empty", "nothing_brought", "Your workspace is empty."},
	} {
		ofWorkspace := s.name == "findings" || s.name == "workspace"
		scope := Scope{Kind: "section", Section: s.name}
		switch {
		case !c.request.Params.wants(s.section):
			c.fallback("unsupported", scope, "not_requested", "This section was not requested.", false)
		case s.items > 0:
		case ofWorkspace && c.statusOf(workspaceService) != "ready":
			c.fallback("unavailable", scope, "not_read", "The workspace cannot be read at the moment. Try again later.", true)
		default:
			c.fallback(s.state, scope, s.reason, s.message, s.reason == "loading" || s.reason == "not_read")
		}
	}
}
