package dataset

import (
	"errors"

	"appliance/svc"
	"appliance/svc/words"
)

// newFallback returns a fallback. Scope and state determine its id.
func newFallback(state FallbackState, scope Scope, reason, message string, retryable bool) Fallback {
	id := "fb_" + string(scope.Kind) + "_" + scope.Section + scope.Service + scope.Capability + scope.ActionID + "_" + string(state)
	return Fallback{FallbackID: id, State: state, Scope: scope, Reason: reason, Message: message, Retryable: retryable}
}

// fallback adds a fallback.
func (c *composition) fallback(state FallbackState, scope Scope, reason, message string, retryable bool) {
	c.fallbacks = append(c.fallbacks, newFallback(state, scope, reason, message, retryable))
}

// SwitchedOffFallback returns the fallback, in the language l, of a service that the operator has
// switched off.
func SwitchedOffFallback(l words.Language, service string) Fallback {
	return newFallback(FallbackUnavailable, Scope{Kind: ServiceScope, Service: service}, "switched_off", l.Text("The operator has switched this service off."), false)
}

// FailedFallback returns the fallback, in the language l, of a service that was not read because of
// err.
func FailedFallback(l words.Language, service string, err error) Fallback {
	reason := "failed"
	if svc.KindOf(err) == svc.TooMany {
		reason = "rate_limited"
	}
	return newFallback(FallbackDegraded, Scope{Kind: ServiceScope, Service: service}, reason, FailureMessage(l, err), true)
}

// FailureMessage returns the message, in the language l, that a service was not read
// because of err. It discloses no error other than a rate limit, with the time to wait.
func FailureMessage(l words.Language, err error) string {
	if limit, ok := errors.AsType[*svc.Error](err); ok && limit.Code == svc.RateLimited {
		return limit.In(l).Message
	}
	return l.Text("This service cannot be read at the moment. Try again later.")
}

// TruncatedFallback returns the fallback of a truncated section with a message for the member.
func TruncatedFallback(section, message string) Fallback {
	return newFallback(FallbackDegraded, Scope{Kind: SectionScope, Section: section}, "truncated", message, false)
}

// truncatedServiceFallback returns the fallback, in the language l, of a service whose list of
// objects is truncated.
func truncatedServiceFallback(l words.Language, service string) Fallback {
	var message string
	switch service {
	case "messages":
		message = l.Text("There are more threads than are shown.")
	case "social":
		message = l.Text("There are more records in Social than are shown.")
	case workspaceService:
		message = l.Text("There are more saved findings than are shown.")
	case providersService:
		message = l.Text("There are more objects of providers than are shown.")
	}
	return newFallback(FallbackDegraded, Scope{Kind: ServiceScope, Service: service}, "truncated", message, false)
}

// addSectionFallbacks adds the reason of every empty section, and of every section
// that was not requested.
func (c *composition) addSectionFallbacks() {
	l := c.key.language
	if !c.key.forms && count(c.actions) > 0 { // the id of this fallback is action.FormUnsupportedFallback
		c.fallback(FallbackUnsupported, Scope{Kind: CapabilityScope, Capability: "actions.form"}, "not_declared", l.Text("This app cannot show forms. Use another app for this action."), false)
	}
	for _, s := range []struct {
		name, section string // name in the scope, and in the request
		items         int
		state         FallbackState
		reason        string
		message       string
	}{
		{"objects", "objects", len(c.objects), FallbackEmpty, "no_objects", l.Text("You have no entries, messages or contacts yet.")},
		{"contexts", "contexts", len(c.contexts), FallbackEmpty, "no_contexts", l.Text("There are no contexts yet.")},
		{"actions", "actions", count(c.actions) + len(c.objects), FallbackEmpty, "no_actions", l.Text("There are no actions yet.")},
		{"field.objects", "field", len(c.places()), c.noPlaces.State, c.noPlaces.Name, c.noPlaces.Message},
		{"findings", "findings", count(c.findings), FallbackEmpty, "no_findings", l.Text("There are no search results.")},
		{"workspace", "workspace", len(c.next.layout.workspace.order), FallbackEmpty, "nothing_brought", l.Text("You carry nothing.")},
	} {
		ofWorkspace := s.name == "findings" || s.name == "workspace"
		scope := Scope{Kind: SectionScope, Section: s.name}
		switch {
		case !c.request.Params.wants(s.section):
			c.fallback(FallbackUnsupported, scope, "not_requested", l.Text("This section was not requested."), false)
		case s.items > 0:
		case ofWorkspace && c.statusOf(workspaceService) != svc.StateReady:
			c.fallback(FallbackUnavailable, scope, "not_read", l.Text("What you carry cannot be read at the moment. Try again later."), true)
		default:
			c.fallback(s.state, scope, s.reason, s.message, s.reason == "loading" || s.reason == "not_read")
		}
	}
}
