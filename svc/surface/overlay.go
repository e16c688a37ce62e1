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
	return s.change(tx, v, nil, func(w *Workspace) error {
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

// showFinding puts a finding into the surface with an id: the one in the
// workspace, the stored one if it is not nil, or a new one.
func (w *Workspace) showFinding(id string, f svc.Finding, stored *Surface) {
	one := w.surface(id)
	if one == nil && stored != nil {
		one = stored
		w.insert(one)
	}
	if one == nil {
		one = w.create(Surface{SurfaceID: id, SurfaceType: FindingType, Placement: Placement{"detached", svc.Map{"stack_id": OverlayStack}}})
	}
	one.Title = f.Title
	one.ServiceBinding = ServiceBinding{"find", f.ObjectType, f.FindingID}
	one.RuntimeState.Summary, one.RuntimeState.Finding = f.Summary, &f
	one.RuntimeState.Details = findingDetails(f)
	one.Permissions = Permissions{true, true, true, true}
	one.RenderingHints = RenderingHints{"compact", "preview"}
	elsewhere := slices.ContainsFunc(w.Stacks, func(s *Stack) bool {
		return s.StackID != OverlayStack && slices.Contains(s.SurfaceOrder, id)
	})
	if !elsewhere {
		one.Placement.Mode = "detached"
	}
	w.markSurface(one)
}

// findingDetails returns the origin of a finding.
func findingDetails(f svc.Finding) svc.List[[]string] {
	list := svc.List[[]string]{{"Source", f.SourceService}}
	if f.SourceURL != "" {
		list = append(list, []string{"Address", f.SourceURL})
	}
	return list
}
