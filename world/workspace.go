package world

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/world/action"
)

// focus brings an object into the workspace and turns to it.
func (a *act) focus() error {
	if a.isFound() {
		id, err := a.promoted()
		if err == nil {
			_, err = a.services.Surface.Carry(a.tx, a.viewer, id)
		}
		return err
	}
	thing, err := a.look()
	if err == nil {
		_, err = a.services.Surface.Bring(a.tx, a.viewer, thing)
	}
	return err
}

func (a *act) earlier() error { return a.move("before", a.input.Before, 0) }
func (a *act) later() error   { return a.move("after", a.input.After, 1) }

// move moves an object in the workspace to so many places behind another one.
func (a *act) move(field, other string, behind int) error {
	if other == "" {
		return svc.Required(field)
	}
	center, mine, err := a.mine()
	if err != nil {
		return err
	}
	ids := center.without(mine)
	at := slices.IndexFunc(ids, func(id string) bool { return center.objects[id] == other })
	if at < 0 {
		return errNotThere
	}
	return a.reorder(slices.Insert(ids, at+behind, mine...))
}

// remove takes an object out of the workspace, be it there no more or hidden from
// the member by now: it is the workspace of nobody else.
func (a *act) remove() error {
	if a.isFound() {
		if _, err := a.promoted(); err != nil {
			return err
		}
	}
	_, mine, err := a.there()
	if err == nil {
		_, err = a.services.Surface.RemoveFromCarry(a.tx, a.viewer, mine...)
	}
	return err
}

// order puts the objects in the workspace in an order. What it does not name
// follows; what is between them and is no object stays where it is.
func (a *act) order() error {
	if a.input.Order == nil || len(*a.input.Order) == 0 {
		return svc.Required("order")
	}
	center, err := a.center()
	if err != nil {
		return err
	}
	var wanted []string
	for _, object := range *a.input.Order {
		ids := center.showing(object)
		if len(ids) == 0 || slices.Contains(wanted, ids[0]) {
			return svc.FieldError(svc.InvalidValue, "order", "order must name objects of the workspace, each once.")
		}
		wanted = append(wanted, ids...)
	}
	var places []int // of objects
	for i, id := range center.ids {
		if center.objects[id] == "" {
			continue
		}
		places = append(places, i)
		if !slices.Contains(wanted, id) {
			wanted = append(wanted, id)
		}
	}
	ids := slices.Clone(center.ids)
	for i, place := range places {
		ids[place] = wanted[i]
	}
	return a.reorder(ids)
}

func (a *act) reorder(ids []string) error {
	_, err := a.services.Surface.Reorder(a.tx, a.viewer, surface.CarryStack, surface.ReorderRequest{SurfaceOrder: &ids})
	return err
}

// clear turns to nothing.
func (a *act) clear() error {
	_, err := a.services.Surface.Focus(a.tx, a.viewer, surface.CarryStack, surface.FocusRequest{SurfaceID: svc.Optional[string]{Set: true, Null: true}})
	return err
}

// open makes an object of a place that was found, and turns to it.
func (a *act) open() error {
	id, err := a.finding()
	if err == nil {
		_, _, _, err = a.services.Surface.OpenFinding(a.tx, a.viewer, id)
	}
	return err
}

// save makes an object of something else that was found.
func (a *act) save() error {
	id, err := a.finding()
	if err == nil {
		_, _, err = a.services.Surface.Place(a.tx, a.viewer, id, surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(surface.CarryStack)})
	}
	return err
}

var errNotThere = svc.Errorf(svc.ActionUnavailable, "This is not in the workspace any more.")

// center is what is in the center, with what it shows.
type center struct {
	ids     []string          // of surfaces, in order
	objects map[string]string // world_object_ids by those; "" for what is no object
}

func (a *act) center() (c center, err error) {
	w, err := a.services.Surface.Read(a.tx, a.viewer)
	if err != nil {
		return c, err
	}
	list, err := w.Select("", surface.CarryStack)
	c.objects = make(map[string]string, len(list))
	for _, one := range list {
		c.ids = append(c.ids, one.SurfaceID)
		if s, ok := action.SourceOf(one.ServiceBinding); ok {
			c.objects[one.SurfaceID] = a.names.Object(s)
		}
	}
	return c, err
}

// showing returns the surfaces that show an object.
func (c center) showing(object string) (ids []string) {
	for _, id := range c.ids {
		if object != "" && c.objects[id] == object {
			ids = append(ids, id)
		}
	}
	return ids
}

func (c center) without(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(c.ids), func(id string) bool { return slices.Contains(ids, id) })
}

// mine returns what in the center shows the object that the action is about.
func (a *act) mine() (c center, ids []string, err error) {
	if a.isFound() {
		_, err = a.promoted()
	} else {
		_, err = a.look()
	}
	if err != nil {
		return c, nil, err
	}
	return a.there()
}

// there is mine, whether or not the member sees the object itself.
func (a *act) there() (c center, ids []string, err error) {
	if c, err = a.center(); err != nil {
		return c, nil, err
	}
	if ids = c.showing(a.target.WorldObjectID); len(ids) == 0 {
		return c, nil, errNotThere
	}
	return c, ids, nil
}

// isObject reports whether the action is about what another service has.
func (a *act) isObject() bool { return a.resource != "" && !a.isFound() }

// isFound reports whether the action is about what was found once: that is
// nowhere but in the workspace.
func (a *act) isFound() bool { return strings.HasPrefix(a.resource, "find__") }

// promoted returns the surface of what was found and has become an object.
func (a *act) promoted() (id string, err error) { return a.find(false) }

// finding returns the surface of something among what was found.
func (a *act) finding() (id string, err error) { return a.find(true) }

// find returns the surface of the finding that the action is about, among what
// was found or anywhere else.
func (a *act) find(among bool) (id string, err error) {
	w, err := a.services.Surface.Read(a.tx, a.viewer)
	if err != nil {
		return "", err
	}
	for _, stack := range w.Stacks {
		if among != (stack.StackID == surface.OverlayStack) {
			continue
		}
		list, err := w.Select("", stack.StackID)
		if err != nil {
			return "", err
		}
		for _, one := range list {
			f := one.RuntimeState.Finding
			if f == nil || a.names.Resource(action.SourceOfFinding(*f)) != a.resource {
				continue
			}
			a.target = action.Target{Kind: "finding", FindingID: f.FindingID}
			if !among {
				a.target = action.Object(a.names.Object(action.SourceOfFinding(*f)))
			}
			return one.SurfaceID, nil
		}
	}
	return "", errNoAction
}

// look returns what the action is about, as its member sees it. What others
// have written stays with its service, which knows who may read it: the panel
// shows it.
func (a *act) look() (surface.BringRequest, error) {
	if a.looked != nil && a.looked.at == a.tx.Revision(int64(a.viewer.Member())) {
		return a.looked.thing, nil
	}
	return a.read()
}

// read is look, from the service that has it.
func (a *act) read() (thing surface.BringRequest, err error) {
	service, kind, id := a.source.Service, a.source.ResourceType, a.source.ResourceID
	if a.hosted(service).State() == "unavailable" {
		off := svc.Errorf(svc.ServiceUnavailable, "This part of the server is switched off.")
		off.RetryAfter = time.Minute
		return thing, off
	}
	switch service {
	case "messages":
		var t messages.Thread
		t, err = a.services.Messages.Thread(a.tx, a.viewer, id)
		thing.Title, thing.Source.URL = t.Title, action.ThreadPanelURL(t.ID, "")
	case "time":
		o, failed := a.services.Calendar.Object(a.tx, a.viewer, id)
		thing.Title, thing.Summary, err = o.Title, o.Summary, failed
	case "social":
		var shown social.Source
		shown, thing.Source.URL, err = a.lookAtSocial(kind, id)
		thing.Title = shown.Title
	default:
		err = errNoAction
	}
	if thing.Source.URL != "" {
		thing.Source.Kind = "runtime_panel"
	}
	thing.Binding = surface.ServiceBinding{ServiceID: service, ResourceType: kind, ResourceID: id}
	thing.Title, thing.Summary = surfaceTitle(thing.Title), svc.SingleLine(thing.Summary, svc.MaxSummary)
	return thing, err
}

// lookAtSocial reads one thing of social life, and says where the panel shows
// it.
func (a *act) lookAtSocial(kind, id string) (shown social.Source, url string, err error) {
	var record interface {
		Source(social.NumberForm) social.Source
	}
	s, view := a.services.Social, ""
	switch kind {
	case "community":
		view = "communities"
		record, err = s.Community(a.tx, a.viewer, id)
	case "conversation":
		view = "conversations"
		record, err = s.Conversation(a.tx, a.viewer, id)
	case "event":
		view = "events"
		record, err = s.Event(a.tx, a.viewer, id)
	case "profile":
		view = "people"
		number, _ := strconv.ParseInt(id, 10, 64) // 0 is nobody
		var p social.Profile
		p, err = s.Profile(a.tx, a.viewer, svc.MemberID(number))
		record = social.Here{Profile: p}
	case social.DMType:
		view = "dms"
		var d social.DMDetail
		d, err = s.PeekDM(a.tx, a.viewer, id, svc.HistoryQuery{Limit: 1})
		record = d.DM
	default:
		err = errNoAction
	}
	if err != nil {
		return shown, "", err
	}
	return record.Source(social.AsNumber), action.SocialViewURL(view, id, ""), nil
}
