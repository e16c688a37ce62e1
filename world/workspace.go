package world

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/svc/words"
	"appliance/world/action"
)

// focus adds an object to the workspace, unless the workspace contains it, and
// focuses it.
func (x *execution) focus() error {
	if x.concernsFinding() {
		id, err := x.savedFinding()
		if err == nil {
			_, err = x.services.Surface.Carry(x.tx, x.viewer, id)
		}
		return err
	}
	request, err := x.bringRequest()
	if err == nil {
		_, err = x.services.Surface.Bring(x.tx, x.viewer, request)
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

// order reorders the objects of the workspace. Objects that the input omits are
// last, in their current order. Surfaces that show no object keep their
// positions.
func (x *execution) order() error {
	if x.input.Order == nil || len(*x.input.Order) == 0 {
		return svc.Required("order")
	}
	w, err := x.workspace()
	if err != nil {
		return err
	}
	var ordered []string
	for _, object := range *x.input.Order {
		ids := w.surfacesShowing(object)
		if len(ids) == 0 || slices.Contains(ordered, ids[0]) {
			return svc.FieldError(svc.InvalidValue, "order", "The order must contain carried objects, each once.")
		}
		ordered = append(ordered, ids...)
	}
	var positions []int // positions of the surfaces that show an object
	for i, id := range w.order {
		if w.objects[id] == "" {
			continue
		}
		positions = append(positions, i)
		if !slices.Contains(ordered, id) {
			ordered = append(ordered, id)
		}
	}
	order := slices.Clone(w.order)
	for i, position := range positions {
		order[position] = ordered[i]
	}
	return x.reorder(order)
}

func (x *execution) reorder(order []string) error {
	_, err := x.services.Surface.Reorder(x.tx, x.viewer, surface.CarryStack, surface.ReorderRequest{SurfaceOrder: &order})
	return err
}

// clearFocus removes the focus from the focused object.
func (x *execution) clearFocus() error {
	_, err := x.services.Surface.Focus(x.tx, x.viewer, surface.CarryStack, surface.FocusRequest{SurfaceID: svc.Optional[string]{Set: true, Null: true}})
	return err
}

// openFinding creates an object from a finding that has a location, and focuses it.
func (x *execution) openFinding() error {
	id, err := x.newFinding()
	if err == nil {
		_, _, _, err = x.services.Surface.OpenFinding(x.tx, x.viewer, id)
	}
	return err
}

// openPlace creates an object from a place of the field, and focuses it.
func (x *execution) openPlace() error {
	if err := x.requireService("maps"); err != nil {
		return err
	}
	place, _ := action.PlaceOf(x.resource)
	me, err := x.services.Identity.Me(x.tx, x.viewer)
	if err != nil {
		return err
	}
	provider, id, _ := strings.Cut(string(place), ":")
	p, err := x.services.Maps.Place(x.tx, provider, id, me.Member.Locale)
	if err == nil {
		_, _, _, err = x.services.Surface.OpenPlace(x.tx, x.viewer, p.Finding())
	}
	return err
}

// saveFinding creates an object from a finding without a location.
func (x *execution) saveFinding() error {
	id, err := x.newFinding()
	if err == nil {
		_, _, err = x.services.Surface.Place(x.tx, x.viewer, id, surface.PlaceRequest{Mode: surface.Stacked, Placement: surface.InStack(surface.CarryStack)})
	}
	return err
}

var errNotInWorkspace = svc.Errorf(svc.ActionUnavailable, "This object is no longer carried.")

// workspace is the content of the carry stack.
type workspace struct {
	order   []string          // surface ids
	objects map[string]string // world_object_ids by surface id; "" for a surface that shows no object
}

// workspace reads the workspace of the viewer.
func (x *execution) workspace() (w workspace, err error) {
	stored, err := x.services.Surface.Read(x.tx, x.viewer)
	if err != nil {
		return w, err
	}
	list, err := stored.Select("", surface.CarryStack)
	w.objects = make(map[string]string, len(list))
	for _, shown := range list {
		w.order = append(w.order, shown.SurfaceID)
		if s, ok := action.SourceOf(shown.ServiceBinding); ok {
			w.objects[shown.SurfaceID] = x.namer.ObjectID(s)
		}
	}
	return w, err
}

// surfacesShowing returns the ids of the surfaces that show an object.
func (w workspace) surfacesShowing(object string) (ids []string) {
	for _, id := range w.order {
		if object != "" && w.objects[id] == object {
			ids = append(ids, id)
		}
	}
	return ids
}

// without returns w.order without the given surfaces.
func (w workspace) without(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(w.order), func(id string) bool { return slices.Contains(ids, id) })
}

// visibleSurfaces returns the workspace and the surfaces that show the object of
// the action, which the member must be able to see.
func (x *execution) visibleSurfaces() (w workspace, ids []string, err error) {
	if x.concernsFinding() {
		_, err = x.savedFinding()
	} else {
		_, err = x.bringRequest()
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
	if ids = w.surfacesShowing(x.target.WorldObjectID); len(ids) == 0 {
		return w, nil, errNotInWorkspace
	}
	return w, ids, nil
}

// concernsObject reports whether the action is on an object of another service.
func (x *execution) concernsObject() bool {
	_, isPlace := action.PlaceOf(x.resource)
	return x.resource != "" && !x.concernsFinding() && !isPlace
}

// concernsFinding reports whether the action is on a finding, or on the object that
// it has become. Only the workspace stores findings and these objects.
func (x *execution) concernsFinding() bool { return strings.HasPrefix(x.resource, "find__") }

// savedFinding returns the id of the surface of a finding that is already an object.
// See [execution.finding].
func (x *execution) savedFinding() (id string, err error) { return x.finding(false) }

// newFinding returns the id of the surface of a finding in the overlay stack. See
// [execution.finding].
func (x *execution) newFinding() (id string, err error) { return x.finding(true) }

// finding returns the id of the surface that shows the finding of the action, and
// sets the target of x. It searches the overlay stack if inOverlay is true,
// otherwise the other stacks.
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
		for _, shown := range list {
			f := w.FindingOf(&shown)
			if !x.isAbout(f) {
				continue
			}
			x.target = action.Target{Kind: action.FindingTarget, FindingID: f.FindingID}
			if !inOverlay {
				x.target = action.Object(x.namer.ObjectID(action.SourceOfFinding(*f)))
			}
			return shown.SurfaceID, nil
		}
	}
	if inOverlay {
		return "", errNoAction
	}
	return x.translatedFinding(w)
}

// isAbout reports whether the action is on a finding, which may be nil, or on the
// object that it has become.
func (x *execution) isAbout(f *svc.Finding) bool {
	return f != nil && x.namer.Resource(action.SourceOfFinding(*f)) == x.resource
}

// translatedFinding returns the id of the first surface with the translation of the
// finding of the action, and sets the target of x.
func (x *execution) translatedFinding(w *surface.Workspace) (id string, err error) {
	for _, s := range w.Surfaces {
		f := s.RuntimeState.Finding
		if !x.isAbout(f) {
			continue
		}
		if shown := w.TranslationOf(s); len(shown) > 0 {
			x.target = action.Object(x.namer.ObjectID(action.SourceOfFinding(*f)))
			return shown[0].SurfaceID, nil
		}
	}
	return "", errNoAction
}

// page returns the id of the surface with the page of the action, which is a finding.
func (x *execution) page() (id string, err error) {
	w, err := x.services.Surface.Read(x.tx, x.viewer)
	if err != nil {
		return "", err
	}
	for _, s := range w.Surfaces {
		if f := s.RuntimeState.Finding; s.SurfaceType == surface.FindingType && x.isAbout(f) {
			x.target = action.Target{Kind: action.FindingTarget, FindingID: f.FindingID}
			return s.SurfaceID, nil
		}
	}
	return "", errNoAction
}

// translateFinding shows the page that has been read.
func (x *execution) translateFinding() error {
	id, err := x.page()
	if err != nil {
		return err
	}
	if x.preview == nil || x.preview.SurfaceID != id {
		return errNoAction
	}
	_, _, _, err = x.ShowPreview(x.tx, x.viewer, x.preview)
	return err
}

// bringRequest returns the object of the action as the workspace stores it. Text
// that other members have written is not stored: the panel reads it from its
// service, which checks who can see it.
func (x *execution) bringRequest() (surface.BringRequest, error) {
	if p := x.prepared; p != nil && p.revision == x.tx.Revision(int64(x.viewer.Member())) {
		return p.request, nil
	}
	return x.readBringRequest()
}

// readBringRequest reads the object of the action from its service.
func (x *execution) readBringRequest() (request surface.BringRequest, err error) {
	service, kind, id := x.source.Service, x.source.ResourceType, x.source.ResourceID
	if err := x.requireService(service); err != nil {
		return request, err
	}
	switch service {
	case "messages":
		t, threadErr := x.services.Messages.Thread(x.tx, x.viewer, id)
		request.Title, request.Source.URL, err = t.Title, action.ThreadPanelURL(t.ID, ""), threadErr
	case "time":
		o, objectErr := x.services.Calendar.Object(x.tx, x.viewer, id)
		request.Title, request.Summary, err = o.Title, o.Summary, objectErr
	case "social":
		request.Title, request.Source.URL, err = x.readSocial(kind, id)
	case action.ProviderService:
		objects, objectErr := x.providerObjects(x.tx, x.viewer, []string{id})
		if err = objectErr; err == nil && len(objects) == 0 {
			err = errNoAction
		}
		for _, o := range objects {
			request.Title = o.Title
		}
	default:
		err = errNoAction
	}
	if request.Source.URL != "" {
		request.Source.Kind = surface.RuntimePanel
	}
	request.Binding = surface.ServiceBinding{ServiceID: service, ResourceType: kind, ResourceID: id}
	if neutral := surface.NeutralTitle(kind); neutral != "" {
		request.Title = neutral
	}
	request.Title, request.Summary = surfaceTitle(words.English, request.Title), svc.SingleLine(request.Summary, svc.MaxSummary)
	return request, err
}

// requireService returns an error if a service is switched off.
func (x *execution) requireService(service string) error {
	if x.hostOf(service).State() != svc.StateUnavailable {
		return nil
	}
	off := svc.Errorf(svc.ServiceUnavailable, "The operator has switched this service off.")
	off.RetryAfter = time.Minute
	return off
}

// readSocial returns the title of a record of Social and the address of the panel
// that shows it.
func (x *execution) readSocial(kind, id string) (title, url string, err error) {
	var record interface {
		Source(social.MemberIDFormat) social.Source
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
		t, threadErr := s.DMs.Thread(x.tx, x.viewer, id)
		record, err = social.DM{Thread: t}, threadErr
	default:
		err = errNoAction
	}
	if err != nil {
		return "", "", err
	}
	return record.Source(social.AsNumber).Title, action.SocialViewURL(view, id, ""), nil
}
