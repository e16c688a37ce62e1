package surface

import (
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// OverlayRequest replaces the findings in the overlay stack.
type OverlayRequest struct {
	Findings *[]svc.Finding `json:"findings"`
}

// maxFindings limits the findings in the overlay stack.
const maxFindings = 100

// ReplaceOverlay replaces all surfaces of the overlay stack with findings, or
// fails and changes nothing. Findings that the member moved to another stack stay
// there.
func (s *Service) ReplaceOverlay(tx *store.Tx, v svc.Viewer, in OverlayRequest) (*Workspace, error) {
	if in.Findings == nil {
		return nil, svc.Required("findings")
	}
	if len(*in.Findings) > maxFindings {
		return nil, svc.FieldError(svc.TooLong, "findings", "There may be up to %d findings.", maxFindings)
	}
	order := make([]string, len(*in.Findings))
	for i, f := range *in.Findings {
		field := fmt.Sprintf("findings.%d", i)
		if err := svc.PrefixFields(field, checkFinding(f)); err != nil {
			return nil, err
		}
		order[i] = derivedID("finding", v.Member(), f.FindingID)
		if slices.Contains(order[:i], order[i]) {
			return nil, svc.FieldError(svc.InvalidValue, field+".finding_id", "This finding is listed twice.")
		}
	}
	return s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		stored, err := s.surfacesByID(tx, v.Member(), order...)
		if err != nil {
			return err
		}
		for i, f := range *in.Findings {
			w.showFinding(order[i], f, stored[order[i]])
		}
		w.setOrder(OverlayStack, order)
		return nil
	})
}

// ShowFindings is [Service.ReplaceOverlay] for the service Find.
func (s *Service) ShowFindings(tx *store.Tx, v svc.Viewer, findings []svc.Finding) error {
	_, err := s.ReplaceOverlay(tx, v, OverlayRequest{&findings})
	return err
}

// showFinding puts a finding into the surface with an id: the one in the
// workspace, the stored one if it is not nil, or a new one.
func (w *Workspace) showFinding(id string, f svc.Finding, stored *Surface) {
	surface := w.surface(id)
	if surface == nil && stored != nil {
		surface = stored
		w.insert(surface)
	}
	if surface == nil {
		surface = w.create(Surface{SurfaceID: id, SurfaceType: FindingType, Placement: Placement{Detached, svc.Map{"stack_id": OverlayStack}}})
	}
	surface.Title = f.Title
	surface.ServiceBinding = ServiceBinding{"find", string(f.ObjectType), f.FindingID}
	surface.setFinding(f)
	surface.Permissions = Permissions{true, true, true, true}
	surface.RenderingHints = RenderingHints{"compact", "preview"}
	inOtherStack := slices.ContainsFunc(w.Stacks, func(s *Stack) bool {
		return s.StackID != OverlayStack && slices.Contains(s.SurfaceOrder, id)
	})
	if !inOtherStack {
		surface.Placement.Mode = Detached
	}
	w.markSurface(surface)
}

// setFinding sets the finding that a surface shows. A resource that was made from the page stays.
// The state of any other translation is removed, because the overlay with the new findings has no
// surfaces made from the page: the member can translate the page again.
func (s *Surface) setFinding(f svc.Finding) {
	state := &s.RuntimeState
	if t := state.Translation; t != nil && t.Status == Upgraded && state.Finding != nil {
		state.Finding = withCanonicalURL(f, state.Finding.Text("canonical_url"))
		return
	}
	s.RuntimeState = RuntimeState{Summary: f.Summary, Details: findingDetails(f), Finding: &f}
}

// findingDetails returns the source and the address of a finding as details. It omits an address
// that is too long for a detail.
func findingDetails(f svc.Finding) svc.List[[]string] {
	list := svc.List[[]string]{{findingLabels[0], f.SourceService}}
	if n := len(f.SourceURL); n > 0 && n <= svc.MaxSummary {
		list = append(list, []string{findingLabels[1], f.SourceURL})
	}
	return list
}
