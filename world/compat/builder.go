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

// Sources are the services that a session describes.
type Sources struct {
	Identity *identity.Service
	Surface  *surface.Service
	Messages *messages.Service
	Social   *social.Service
	World    *world.World

	// Hosted returns a service by name as the program runs it, nil for a service
	// that this version does not have.
	Hosted func(service string) svc.HostedService
}

// service is the constant part of the description of a service.
type service struct {
	id, label, icon string
	surface         string // entry surface, "" for none
	content         string // path of the content
	workspace       string
	read            func(*builder, *HomeService) error // reads the objects; nil for none
}

// services lists the services of a session, in order.
var services = []service{
	{"identity", "Members", "people", "surface_profile", "/world/identity/me", "carry", (*builder).addMembers},
	{"social", "Social", "people", "surface_social", "/world/panels/social", "carry", (*builder).addCounts},
	{"time", "Calendar", "calendar", "surface_calendar", "/world/panels/time", "carry", nil},
	{"messages", "Messages", "message", "surface_messages", "/world/panels/messages", "carry", (*builder).addThreads},
	{"maps", "Map", "map", "", sessionURL, "field", nil},
	{"find", "Find", "search", "", "/world/panels/find", "find", nil},
}

// builder builds one session.
type builder struct {
	Sources
	Session
	tx         *store.Tx
	viewer     svc.Viewer
	expires    time.Time
	incomplete bool              // the workspace has defaults that are not stored yet
	states     map[string]string // of the services, by id
}

// Session returns the session of v and the time when it changes without a write.
// incomplete reports whether the workspace contains defaults that are not stored
// yet; [surface.Service.SaveDefaults] stores them. A service that fails is
// degraded; the rest of the session is complete.
func (s Sources) Session(tx *store.Tx, v svc.Viewer, q dataset.Request) (session Session, expires time.Time, incomplete bool, err error) {
	member, err := v.Require()
	if err != nil {
		return session, expires, false, err
	}
	b := &builder{Sources: s, tx: tx, viewer: v, expires: tx.Now().Add(24 * time.Hour), states: make(map[string]string)}
	b.Service, b.Contract = "world", dataset.Contract{Name: homeRuntime, Version: 2}
	b.RuntimeSession = RuntimeSession{member, "world"}
	b.count("world", nil)
	b.addSurfaces()
	for _, service := range services {
		d := b.describe(service)
		b.Services = append(b.Services, d)
		if service.workspace == "field" {
			b.FieldRuntime = NewFieldRuntime(q, FieldSource{d.ID, d.Status, d.Message})
		}
	}
	b.Shell = newShell(q, b.SurfaceRuntime.Stacks)
	b.Capabilities = SessionCapabilities{q.Runtime.Declared, b.provided()}
	return b.Session, b.expires, b.incomplete, nil
}

// describe returns the description of a service.
func (b *builder) describe(s service) HomeService {
	d := HomeService{
		ID: s.id, Label: s.label, Icon: s.icon, ContentSource: s.content, Presentation: ServicePresentation{s.workspace, "panel"},
	}
	if s.surface != "" {
		d.EntrySurfaceID = &s.surface
	}
	switch s.id {
	case "identity":
		d.Members = svc.List[svc.Person]{}
	case "messages": // threads are objects of the dataset; the session has them for older runtimes
		d.Compatibility, d.CompatibilityScope = true, "legacy_runtime_panel"
	}
	var read func() error
	if s.read != nil {
		read = func() error { return s.read(b, &d) }
	}
	state, message := b.count(s.id, read)
	d.Status, d.Message = state, message+d.Message
	if d.Status != "unavailable" && strings.HasPrefix(s.content, "/world/panels/") {
		d.Actions = svc.List[panel.PanelAction]{{ID: "open_" + s.id, Label: "Open", Type: "open_panel", Method: "GET", URL: s.content}}
	}
	return d
}

// count calls read, if it is not nil, and counts the state of the service. It
// returns the state and the reason if the service is not ready.
func (b *builder) count(id string, read func() error) (state, message string) {
	h := b.Hosted(id)
	switch {
	case h == nil:
		state, message = "unavailable", "This service is not part of this server."
	case h.State() == "unavailable":
		state, message = "unavailable", "The operator has switched this service off."
	case read != nil && svc.Attempt(b.tx.Context(), h, read) != nil, read == nil && h.State() == "degraded":
		state, message = "degraded", "This service cannot be read at the moment. Try again later."
	default:
		state = "ready"
	}
	b.states[id] = state
	b.Status.Total++
	switch state {
	case "ready":
		b.Status.Ready++
	case "degraded":
		b.Status.Degraded++
	default:
		b.Status.Unavailable++
	}
	return state, message
}

// addSurfaces adds the surfaces of the member: none if they cannot be read.
func (b *builder) addSurfaces() {
	w := new(surface.Workspace)
	b.count("surface", func() error {
		read, err := b.Surface.Read(b.tx, b.viewer)
		if err == nil {
			w, b.incomplete = read, read.Unsaved
		}
		return err
	})
	r := w.Runtime()
	b.SurfaceRuntime = NewSurfaceRuntime(r, b.World.Titles(b.tx, b.viewer, r.Surfaces))
}

// truncated is the message of a service whose list is not complete.
const truncated = "There are more than are listed."

// addMembers adds the members that the viewer can see.
func (b *builder) addMembers(d *HomeService) error {
	hidden, err := b.Social.Hidden(b.tx, b.viewer.Member())
	if err != nil {
		return err
	}
	list, err := b.Identity.Directory(b.tx, b.viewer, identity.DirectoryQuery{Hidden: hidden, Limit: svc.MaxLimit})
	if err != nil {
		return err
	}
	d.Members = list.Members
	if list.Page.NextCursor != nil {
		d.Message = truncated
	}
	return nil
}

// addCounts adds the counts of Social.
func (b *builder) addCounts(d *HomeService) error {
	counts, expires, err := b.Social.Counts(b.tx, b.viewer)
	if err != nil {
		return err
	}
	d.Objects.Counts = &counts
	if !expires.IsZero() && expires.Before(b.expires) {
		b.expires = expires
	}
	return nil
}

// addThreads adds the latest threads of Messages.
func (b *builder) addThreads(d *HomeService) error {
	d.Objects.Threads = svc.List[record.MessageThread]{}
	in, err := b.Messages.Inbox(b.tx, b.viewer, svc.MaxLimit, "")
	if err != nil {
		return err
	}
	d.Objects.Threads = record.NewInbox(in).Threads
	if in.Page.NextCursor != nil {
		d.Message = truncated
	}
	return nil
}

// provided returns the capabilities that the server provides.
func (b *builder) provided() svc.List[string] {
	list := svc.List[string]{"field_runtime", "shell", "panels"}
	if b.states["surface"] != "unavailable" {
		list = append(svc.List[string]{"surface_runtime"}, list...)
	}
	for _, id := range []string{"find", "messages", "time", "social"} {
		if b.states[id] != "unavailable" {
			list = append(list, id)
		}
	}
	return list
}
