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

// focus adds an object to the workspace, unless it is there, and focuses it.
func (x *execution) focus() error {
	if x.concernsFinding() {
		id, err := x.savedFinding()
		if err == nil {
			_, err = x.services.Surface.Carry(x.tx, x.viewer, id)
		}
		return err
	}
	object, err := x.object()
	if err == nil {
		_, err = x.services.Surface.Bring(x.tx, x.viewer, object)
	}
	return err
}

func (x *execution) moveEarlier() error { return x.move("before", x.input.Before, 0) }
func (x *execution) moveLater() error   { return x.move("after", x.input.After, 1) }

// move moves the object next to another one: before it if offset is 0, after it
// if offset is 1. field is the input field that names the other object.
func (x *execution) move(field, other string, offset int) error {
	if other == "" {
		return svc.Required(field)
	}
	w, surfaces, err := x.visibleSurfaces()
	if err != nil {
		return err
	}
	order := w.without(surfaces)
	i := slices.IndexFunc(order, func(id string) bool { return w.objects[id] == other })
	if i < 0 {
		return errNotInWorkspace
	}
	return x.reorder(slices.Insert(order, i+offset, surfaces...))
}

// remove removes an object from the workspace, also if the member can no longer
// see it.
func (x *execution) remove() error {
	if x.concernsFinding() {
		if _, err := x.savedFinding(); err != nil {
			return err
		}
	}
	_, surfaces, err := x.surfaces()
	if err == nil {
		_, err = x.services.Surface.RemoveFromCarry(x.tx, x.viewer, surfaces...)
	}
	return err
}

// order reorders the objects of the workspace. Objects that the input omits
// follow in their present order. Surfaces that show no object keep their
// positions.
func (x *execution) order() error {
	if x.input.Order == nil || len(*x.input.Order) == 0 {
		return svc.Required("order")
	}
	w, err := x.workspace()
	if err != nil {
		return err
	}
	var wanted []string
	for _, object := range *x.input.Order {
		ids := w.showing(object)
		if len(ids) == 0 || slices.Contains(wanted, ids[0]) {
			return svc.FieldError(svc.InvalidValue, "order", "order must contain objects of the workspace, each once.")
		}
		wanted = append(wanted, ids...)
	}
	var positions []int // of surfaces that show an object
	for i, id := range w.order {
		if w.objects[id] == "" {
			continue
		}
		positions = append(positions, i)
		if !slices.Contains(wanted, id) {
			wanted = append(wanted, id)
		}
	}
	order := slices.Clone(w.order)
	for i, position := range positions {
		order[position] = wanted[i]
	}
	return x.reorder(order)
}

func (x *execution) reorder(order []string) error {
	_, err := x.services.Surface.Reorder(x.tx, x.viewer, surface.CarryStack, surface.ReorderRequest{SurfaceOrder: &order})
	return err
}

// clearFocus leaves no object focused.
func (x *execution) clearFocus() error {
	_, err := x.services.Surface.Focus(x.tx, x.viewer, surface.CarryStack, surface.FocusRequest{SurfaceID: svc.Optional[string]{Set: true, Null: true}})
	return err
}

// open creates an object from a finding that has a location, and focuses it.
func (x *execution) open() error {
	id, err := x.newFinding()
	if err == nil {
		_, _, _, err = x.services.Surface.OpenFinding(x.tx, x.viewer, id)
	}
	return err
}

// save creates an object from a finding without a location.
func (x *execution) save() error {
	id, err := x.newFinding()
	if err == nil {
		_, _, err = x.services.Surface.Place(x.tx, x.viewer, id, surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(surface.CarryStack)})
	}
	return err
}

var errNotInWorkspace = svc.Errorf(svc.ActionUnavailable, "This object is no longer in the workspace.")

// workspace is the content of the carry stack.
type workspace struct {
	order   []string          // surface ids
	objects map[string]string // world_object_ids by surface id; "" for a surface that shows no object
}

// workspace reads the workspace of the viewer.
func (x *execution) workspace() (w workspace, err error) {
	all, err := x.services.Surface.Read(x.tx, x.viewer)
	if err != nil {
		return w, err
	}
	list, err := all.Select("", surface.CarryStack)
	w.objects = make(map[string]string, len(list))
	for _, one := range list {
		w.order = append(w.order, one.SurfaceID)
		if s, ok := action.SourceOf(one.ServiceBinding); ok {
			w.objects[one.SurfaceID] = x.namer.Object(s)
		}
	}
	return w, err
}

// showing returns the surfaces that show an object.
func (w workspace) showing(object string) (ids []string) {
	for _, id := range w.order {
		if object != "" && w.objects[id] == object {
			ids = append(ids, id)
		}
	}
	return ids
}

// without returns the order without some surfaces.
func (w workspace) without(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(w.order), func(id string) bool { return slices.Contains(ids, id) })
}

// visibleSurfaces returns the workspace and the surfaces that show the object of
// the action, which the member must be able to see.
func (x *execution) visibleSurfaces() (w workspace, ids []string, err error) {
	if x.concernsFinding() {
		_, err = x.savedFinding()
	} else {
		_, err = x.object()
	}
	if err != nil {
		return w, nil, err
	}
	return x.surfaces()
}

// surfaces returns the workspace and the surfaces that show the object of the
// action.
func (x *execution) surfaces() (w workspace, ids []string, err error) {
	if w, err = x.workspace(); err != nil {
		return w, nil, err
	}
	if ids = w.showing(x.target.WorldObjectID); len(ids) == 0 {
		return w, nil, errNotInWorkspace
	}
	return w, ids, nil
}

// concernsObject reports whether the action is on an object of another service.
func (x *execution) concernsObject() bool { return x.resource != "" && !x.concernsFinding() }

// concernsFinding reports whether the action is on a finding, or on the object
// that it has become: only the workspace stores these.
func (x *execution) concernsFinding() bool { return strings.HasPrefix(x.resource, "find__") }

// savedFinding returns the surface of the finding if it is an object.
func (x *execution) savedFinding() (id string, err error) { return x.finding(false) }

// newFinding returns the surface of the finding in the overlay stack.
func (x *execution) newFinding() (id string, err error) { return x.finding(true) }

// finding returns the surface of the finding of the action, in the overlay stack
// or in any other, and sets the target.
func (x *execution) finding(inOverlay bool) (id string, err error) {
	w, err := x.services.Surface.Read(x.tx, x.viewer)
	if err != nil {
		return "", err
	}
	for _, stack := range w.Stacks {
		if inOverlay != (stack.StackID == surface.OverlayStack) {
			continue
		}
		list, err := w.Select("", stack.StackID)
		if err != nil {
			return "", err
		}
		for _, one := range list {
			f := one.RuntimeState.Finding
			if f == nil || x.namer.Resource(action.SourceOfFinding(*f)) != x.resource {
				continue
			}
			x.target = action.Target{Kind: "finding", FindingID: f.FindingID}
			if !inOverlay {
				x.target = action.Object(x.namer.Object(action.SourceOfFinding(*f)))
			}
			return one.SurfaceID, nil
		}
	}
	return "", errNoAction
}

// object returns the object of the action as the workspace stores it. Text that
// other members have written is not stored: the panel reads it from its service,
// which checks who can see it.
func (x *execution) object() (surface.BringRequest, error) {
	if p := x.prepared; p != nil && p.revision == x.tx.Revision(int64(x.viewer.Member())) {
		return p.object, nil
	}
	return x.readObject()
}

// readObject reads the object of the action from its service.
func (x *execution) readObject() (object surface.BringRequest, err error) {
	service, kind, id := x.source.Service, x.source.ResourceType, x.source.ResourceID
	if x.hosted(service).State() == "unavailable" {
		off := svc.Errorf(svc.ServiceUnavailable, "The operator has switched this service off.")
		off.RetryAfter = time.Minute
		return object, off
	}
	switch service {
	case "messages":
		var t messages.Thread
		t, err = x.services.Messages.Thread(x.tx, x.viewer, id)
		object.Title, object.Source.URL = t.Title, action.ThreadPanelURL(t.ID, "")
	case "time":
		o, objectErr := x.services.Calendar.Object(x.tx, x.viewer, id)
		object.Title, object.Summary, err = o.Title, o.Summary, objectErr
	case "social":
		object.Title, object.Source.URL, err = x.readSocial(kind, id)
	default:
		err = errNoAction
	}
	if object.Source.URL != "" {
		object.Source.Kind = "runtime_panel"
	}
	object.Binding = surface.ServiceBinding{ServiceID: service, ResourceType: kind, ResourceID: id}
	object.Title, object.Summary = surfaceTitle(object.Title), svc.SingleLine(object.Summary, svc.MaxSummary)
	return object, err
}

// readSocial returns the title of a record of Social and the address of the panel
// that shows it.
func (x *execution) readSocial(kind, id string) (title, url string, err error) {
	var record interface {
		Source(social.NumberForm) social.Source
	}
	s, view := x.services.Social, ""
	switch kind {
	case "community":
		view = "communities"
		record, err = s.Community(x.tx, x.viewer, id)
	case "conversation":
		view = "conversations"
		record, err = s.Conversation(x.tx, x.viewer, id)
	case "event":
		view = "events"
		record, err = s.Event(x.tx, x.viewer, id)
	case "profile":
		view = "people"
		number, _ := strconv.ParseInt(id, 10, 64) // no member has the id 0
		var p social.Profile
		p, err = s.Profile(x.tx, x.viewer, svc.MemberID(number))
		record = social.PresentProfile{Profile: p}
	case social.DMType:
		view = "dms"
		var d social.DMDetail
		d, err = s.PeekDM(x.tx, x.viewer, id, svc.HistoryQuery{Limit: 1})
		record = d.DM
	default:
		err = errNoAction
	}
	if err != nil {
		return "", "", err
	}
	return record.Source(social.AsNumber).Title, action.SocialViewURL(view, id, ""), nil
}
