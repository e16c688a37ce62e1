package compat

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/action"
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
	Maps     *maps.Service
	Find     *find.Service
	World    *world.World

	// BasePath is the path of base-url: no slash at its end, empty for the root.
	BasePath string

	Server ServerInfo

	// Hosted returns a service by name as the program runs it.
	Hosted func(service string) svc.HostedService
}

// service is the constant part of the description of a service. Its label is in English.
type service struct {
	id, label, icon string
	surface         string // entry surface, "" for none
	content         string // path of the content
	workspace       GroupID
	read            func(*builder, *HomeService) error // reads the objects; nil for none
	partOf          string                             // the service whose state it has; "" for its own
}

// services lists the services of a session, in order.
var services = []service{
	{"identity", "Members", "people", "surface_profile", "/world/identity/me", CarryGroup, (*builder).addMembers, ""},
	{"social", "Social", "people", "surface_social", action.SocialPanelURL, CarryGroup, (*builder).addCounts, ""},
	{"time", "Calendar", "calendar", "surface_calendar", action.TimePanelURL, CarryGroup, nil, ""},
	{"messages", "Messages", "message", "surface_messages", action.MessagesPanelURL, CarryGroup, (*builder).addThreads, ""},
	{"maps", "Around", "map", "", sessionURL, FieldGroup, (*builder).addPlaces, ""},
	{"find", "Find", "search", "", action.FindPanelURL, FindGroup, (*builder).addSearch, ""},
	{"settings", "Settings", "settings", "", action.SettingsPanelURL, CarryGroup, nil, "identity"},
}

// builder builds one session.
type builder struct {
	Sources
	Session
	tx         *store.Tx
	viewer     svc.Viewer
	request    dataset.Request
	places     dataset.Places // of the field
	search     find.Available // searches that Find offers
	badges     world.Badges
	expires    time.Time
	incomplete bool                        // whether the workspace has defaults that are not stored yet
	states     map[string]svc.ServiceState // by id of the service
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
	b := &builder{Sources: s, tx: tx, viewer: v, request: q, expires: tx.Now().Add(24 * time.Hour), states: make(map[string]svc.ServiceState)}
	b.Service, b.Contract = "world", dataset.Contract{Name: homeRuntime, Version: 2}
	b.RuntimeSession = RuntimeSession{member, "world"}
	b.readAndCount("world", nil)
	b.addSurfaces()
	for _, service := range services {
		d := b.describe(service)
		b.Services = append(b.Services, d)
		if service.workspace == FieldGroup {
			if b.places.Map.Contract.Name == "" { // Maps cannot be read
				b.places.Map = b.Maps.WorldRuntime(v.Language())
			}
			b.FieldRuntime = NewFieldRuntime(v.Language(), q, b.places, b.openURL(), FieldSource{d.ID, d.Status, cmp.Or(d.Message, b.places.Empty.Message)})
		}
	}
	if err := b.addOperator(); err != nil {
		return session, expires, false, err
	}
	b.Shell = b.newShell()
	b.Capabilities = SessionCapabilities{q.Runtime.Declared, b.providedCapabilities(), b.BasePath, dataset.Stream}
	return b.Session, b.expires, b.incomplete, nil
}

// addOperator adds the administration of the server for an operator. It is no hosted
// service and does not count in the status.
func (b *builder) addOperator() error {
	me, err := b.Identity.Me(b.tx, b.viewer)
	if err != nil || !me.Member.IsOperator {
		return err
	}
	b.Services = append(b.Services, HomeService{
		ID: "operator", Label: b.viewer.Language().Text("Administration"), Icon: "server", Status: svc.StateReady, ContentSource: action.OperatorPanelURL,
		Presentation: ServicePresentation{CarryGroup, "panel"},
		Actions:      svc.List[panel.PanelAction]{{ID: "open_operator", Label: b.viewer.Language().Text("Open"), Type: "open_panel", Method: http.MethodGet, URL: action.OperatorPanelURL}},
	})
	return nil
}

// describe returns the entry of a service in the session, with its state.
func (b *builder) describe(s service) HomeService {
	d := HomeService{
		ID: s.id, Label: b.viewer.Language().Text(s.label), Icon: s.icon, ContentSource: s.content, Presentation: ServicePresentation{s.workspace, "panel"},
	}
	if s.surface != "" {
		d.EntrySurfaceID = &s.surface
	}
	switch s.id {
	case "identity":
		d.Members = svc.List[svc.Person]{}
	case "social":
		d.Objects.Counts = new(social.Counts)
	case "messages": // the dataset has the threads too; the session repeats them for older runtimes
		d.Objects.Threads = svc.List[record.MessageThread]{}
		d.Compatibility, d.CompatibilityScope = true, "legacy_runtime_panel"
	}
	var read func() error
	if s.read != nil {
		read = func() error { return s.read(b, &d) }
	}
	var message string
	if s.partOf != "" {
		d.Status, message = b.readState(s.partOf, nil)
	} else {
		d.Status, message = b.readAndCount(s.id, read)
	}
	d.Message = message + d.Message
	if d.Status != svc.StateUnavailable && strings.HasPrefix(s.content, "/world/panels/") {
		d.Actions = svc.List[panel.PanelAction]{{ID: "open_" + s.id, Label: b.viewer.Language().Text("Open"), Type: "open_panel", Method: http.MethodGet, URL: s.content}}
	}
	return d
}

// readState calls read, if it is not nil. It returns the state of the service and
// the reason if the service is not ready.
func (b *builder) readState(id string, read func() error) (state svc.ServiceState, message string) {
	h, l := b.Hosted(id), b.viewer.Language()
	switch {
	case h.State() == svc.StateUnavailable:
		state, message = svc.StateUnavailable, l.Text("The operator has switched this service off.")
	case read != nil && svc.Attempt(b.tx.Context(), h, read) != nil, read == nil && h.State() == svc.StateDegraded:
		state, message = svc.StateDegraded, l.Text("This service cannot be read at the moment. Try again later.")
	case id == "maps" && b.places.Loading, id == "find" && b.search.Loading:
		state, message = svc.StateDegraded, l.Text("The places of the world are being loaded. Try again in a minute.")
	case id == "find" && !b.search.Any():
		state, message = svc.StateUnavailable, l.Text("There is nothing to search yet.")
	default:
		state = svc.StateReady
	}
	return state, message
}

// readAndCount is [builder.readState] and also counts the state of the service.
func (b *builder) readAndCount(id string, read func() error) (state svc.ServiceState, message string) {
	state, message = b.readState(id, read)
	b.states[id] = state
	b.Status.Total++
	switch state {
	case svc.StateReady:
		b.Status.Ready++
	case svc.StateDegraded:
		b.Status.Degraded++
	default:
		b.Status.Unavailable++
	}
	return state, message
}

// addSurfaces adds the surfaces of the member: none if they cannot be read.
func (b *builder) addSurfaces() {
	w := new(surface.Workspace)
	b.readAndCount("surface", func() error {
		read, err := b.Surface.Read(b.tx, b.viewer)
		if err == nil {
			w, b.incomplete = read, read.Unsaved
		}
		return err
	})
	r := w.Runtime()
	current := b.World.Present(b.tx, b.viewer, r.Surfaces)
	b.expire(current.Expires)
	b.badges = current.Badges
	b.SurfaceRuntime = NewSurfaceRuntime(r, current)
}

// truncatedMessage returns the message of a service whose list is not complete.
func (b *builder) truncatedMessage() string {
	return b.viewer.Language().Text("There are more than are listed.")
}

// addSearch reads the searches that Find offers.
func (b *builder) addSearch(*HomeService) (err error) {
	b.search, err = b.Find.Available(b.tx)
	return err
}

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
		d.Message = b.truncatedMessage()
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
	b.expire(expires)
	return nil
}

// addPlaces adds the places of the field.
func (b *builder) addPlaces(*HomeService) error {
	me, err := b.Identity.Me(b.tx, b.viewer)
	if err != nil {
		return err
	}
	places, err := dataset.ReadPlaces(b.tx, b.viewer.Language(), b.Maps, b.request.Params, me.Member.Locale)
	if err != nil {
		return err
	}
	b.places = places
	b.expire(places.Expires)
	return nil
}

// openURL returns the function that returns the URL that opens a place, nil if places
// cannot be opened.
func (b *builder) openURL() func(action.Place) string {
	if b.states["surface"] == svc.StateUnavailable {
		return nil
	}
	return OpenURL(b.tx, b.viewer.Member())
}

// OpenURL returns a function that returns the URL at which a member opens a place.
func OpenURL(tx *store.Tx, member svc.MemberID) func(action.Place) string {
	n := action.Namer{Key: tx.InstanceKey()}
	return func(p action.Place) string {
		return action.ActionsURL + n.ActionID(action.OpenPlaceCode, p.Resource(), member)
	}
}

// expire sets expires to t, unless expires is earlier or t is zero.
func (b *builder) expire(t time.Time) {
	if !t.IsZero() && t.Before(b.expires) {
		b.expires = t
	}
}

// addThreads adds the latest threads of Messages.
func (b *builder) addThreads(d *HomeService) error {
	in, err := b.Messages.List(b.tx, b.viewer, svc.MaxLimit, "")
	if err != nil {
		return err
	}
	d.Objects.Threads = record.NewInbox(in).Threads
	if in.Page.NextCursor != nil {
		d.Message = b.truncatedMessage()
	}
	return nil
}

// providedCapabilities returns the capabilities that the server provides.
func (b *builder) providedCapabilities() svc.List[string] {
	list := svc.List[string]{"field_runtime", "shell", "panels"}
	if b.states["surface"] != svc.StateUnavailable {
		list = append(svc.List[string]{"surface_runtime"}, list...)
	}
	for _, id := range []string{"find", "messages", "time", "social"} {
		if b.states[id] != svc.StateUnavailable {
			list = append(list, id)
		}
	}
	return list
}
