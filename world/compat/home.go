package compat

import (
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/dataset"
	"appliance/world/panel"
	"appliance/world/record"
)

// Home makes sessions of what the services have.
type Home struct {
	Identity *identity.Service
	Surface  *surface.Service
	Messages *messages.Service
	Social   *social.Service
	World    *world.World

	// Unit returns a service by its name, nil for one that this server does not
	// have.
	Unit func(service string) svc.HostedService
}

// service is what is always so of a service.
type service struct {
	id, label, icon string
	surface         string // that it begins with, "" for none
	content         string // where what it has is
	workspace       string
	read            func(*home, *HomeService) error // nil if it tells nothing more
}

// services are what a session describes, in its order (B-27).
var services = []service{
	{"identity", "Members", "people", "surface_profile", "/world/identity/me", "carry", (*home).members},
	{"social", "Social", "people", "surface_social", "/world/panels/social", "carry", (*home).counts},
	{"time", "Calendar", "calendar", "surface_calendar", "/world/panels/time", "carry", nil},
	{"messages", "Messages", "message", "surface_messages", "/world/panels/messages", "carry", (*home).threads},
	{"maps", "Map", "map", "", sessionURL, "field", nil},
	{"find", "Find", "search", "", "/world/panels/find", "find", nil},
}

// home is a session in the making.
type home struct {
	Home
	Session
	tx         *store.Tx
	viewer     svc.Viewer
	until      time.Time
	incomplete bool
	states     map[string]string // of the services
}

// Session returns the session of v, and when time alone makes it another one.
// If it is incomplete, not all of what v has before them is stored:
// [surface.Service.SaveDefaults] does that. What a service cannot tell is left out,
// and its state says so.
func (h Home) Session(tx *store.Tx, v svc.Viewer, q dataset.Request) (s Session, until time.Time, incomplete bool, err error) {
	member, err := v.Require()
	if err != nil {
		return s, until, false, err
	}
	m := &home{Home: h, tx: tx, viewer: v, until: tx.Now().Add(24 * time.Hour), states: make(map[string]string)}
	m.Service, m.Contract = "world", dataset.Contract{Name: homeRuntime, Version: 2}
	m.RuntimeSession = RuntimeSession{member, "world"}
	m.ask("world", nil)
	m.desktop()
	for _, s := range services {
		d := m.describe(s)
		m.Services = append(m.Services, d)
		if s.workspace == "field" {
			m.FieldRuntime = NewFieldRuntime(q, FieldSource{d.ID, d.Status, d.Message})
		}
	}
	m.Shell = shell(q, m.SurfaceRuntime.Stacks)
	m.Capabilities = SessionCapabilities{q.Runtime.Declared, m.provided()}
	return m.Session, m.until, m.incomplete, nil
}

// describe returns what there is to say of a service.
func (m *home) describe(s service) HomeService {
	d := HomeService{
		ID: s.id, Label: s.label, Icon: s.icon, ContentSource: s.content, Presentation: ServicePresentation{s.workspace, "panel"},
	}
	if s.surface != "" {
		d.EntrySurfaceID = &s.surface
	}
	switch s.id {
	case "identity":
		d.Members = svc.List[svc.Person]{}
	case "messages": // what it has are objects of the dataset by now
		d.Compatibility, d.CompatibilityScope = true, "legacy_runtime_panel"
	}
	var read func() error
	if s.read != nil {
		read = func() error { return s.read(m, &d) }
	}
	state, message := m.ask(s.id, read)
	d.Status, d.Message = state, message+d.Message
	if d.Status != "unavailable" && strings.HasPrefix(s.content, "/world/panels/") {
		d.Actions = svc.List[panel.PanelAction]{{ID: "open_" + s.id, Label: "Open", Type: "open_panel", Method: "GET", URL: s.content}}
	}
	return d
}

// ask finds out how a service is, reading what it is to tell, and counts it.
func (m *home) ask(id string, read func() error) (state, message string) {
	u := m.Unit(id)
	switch {
	case u == nil:
		state, message = "unavailable", "This is not part of the server."
	case u.State() == "unavailable":
		state, message = "unavailable", "The operator has switched this off."
	case read != nil && svc.Attempt(m.tx.Context(), u, read) != nil, read == nil && u.State() == "degraded":
		state, message = "degraded", "This part cannot be read at the moment."
	default:
		state = "ready"
	}
	m.states[id] = state
	m.Status.Total++
	switch state {
	case "ready":
		m.Status.Ready++
	case "degraded":
		m.Status.Degraded++
	default:
		m.Status.Unavailable++
	}
	return state, message
}

// desktop reads what the member has before them.
func (m *home) desktop() {
	all := new(surface.Workspace) // nothing, until it is read
	m.ask("surface", func() error {
		w, err := m.Surface.Read(m.tx, m.viewer)
		if err == nil {
			all, m.incomplete = w, w.Unsaved
		}
		return err
	})
	r := all.Runtime()
	m.SurfaceRuntime = NewSurfaceRuntime(r, m.World.Titles(m.tx, m.viewer, r.Surfaces))
}

// more is what is said of a list that does not fit.
const more = "There are more than are listed."

// members are those whom the member may meet (B-11).
func (m *home) members(d *HomeService) error {
	hidden, err := m.Social.Hidden(m.tx, m.viewer.Member())
	if err != nil {
		return err
	}
	list, err := m.Identity.Directory(m.tx, m.viewer, identity.DirectoryQuery{Hidden: hidden, Limit: svc.MaxLimit})
	if err != nil {
		return err
	}
	d.Members = list.Members
	if list.Page.NextCursor != nil {
		d.Message = more
	}
	return nil
}

func (m *home) counts(d *HomeService) error {
	n, until, err := m.Social.Counts(m.tx, m.viewer)
	if err != nil {
		return err
	}
	d.Objects.Counts = &n
	if !until.IsZero() && until.Before(m.until) {
		m.until = until
	}
	return nil
}

func (m *home) threads(d *HomeService) error {
	d.Objects.Threads = svc.List[record.MessageThread]{}
	in, err := m.Messages.Inbox(m.tx, m.viewer, svc.MaxLimit, "")
	if err != nil {
		return err
	}
	d.Objects.Threads = record.NewInbox(in).Threads
	if in.Page.NextCursor != nil {
		d.Message = more
	}
	return nil
}

// provided are what a runtime finds here (B-03).
func (m *home) provided() svc.List[string] {
	list := svc.List[string]{"field_runtime", "shell", "panels"}
	if m.states["surface"] != "unavailable" {
		list = append(svc.List[string]{"surface_runtime"}, list...)
	}
	for _, id := range []string{"find", "messages", "time", "social"} {
		if m.states[id] != "unavailable" {
			list = append(list, id)
		}
	}
	return list
}
