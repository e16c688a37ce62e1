package surface

import (
	"fmt"
	"net/url"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// OverlayRequest is what was found: it replaces what was found before.
type OverlayRequest struct {
	Findings *[]svc.Finding `json:"findings"`
}

// maxFindings is how many findings an overlay has at most.
const maxFindings = 100

// ReplaceOverlay replaces what is in the overlay: all of it, or nothing (S-41
// to S-44). What a member has moved elsewhere stays there.
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
			return nil, svc.FieldError(svc.InvalidValue, field+".finding_id", "This finding is there twice.")
		}
	}
	return s.change(tx, v, nil, func(w *Workspace) error {
		left, err := s.left(tx, v.Member(), order...)
		if err != nil {
			return err
		}
		for i, f := range *in.Findings {
			w.find(order[i], f, left[order[i]])
		}
		w.order(OverlayStack, order)
		return nil
	})
}

// find shows a finding: in a surface that showed it before, be it in a stack
// (w has it then) or not, or in a new one.
func (w *Workspace) find(id string, f svc.Finding, left *Surface) {
	one := w.surface(id)
	if one == nil && left != nil {
		one = left
		w.show(one)
	}
	if one == nil {
		one = w.add(Surface{SurfaceID: id, SurfaceType: FindingType, Placement: Placement{"detached", svc.Map{"stack_id": OverlayStack}}})
	}
	one.Title = f.Title
	one.ServiceBinding = ServiceBinding{"find", f.ObjectType, f.FindingID}
	one.RuntimeState.Summary, one.RuntimeState.Finding = f.Summary, &f
	one.RuntimeState.Details = details(f)
	one.Permissions = Permissions{true, true, true, true}
	one.RenderingHints = RenderingHints{"compact", "preview"}
	elsewhere := slices.ContainsFunc(w.Stacks, func(s *Stack) bool {
		return s.StackID != OverlayStack && slices.Contains(s.SurfaceOrder, id)
	})
	if !elsewhere {
		one.Placement.Mode = "detached"
	}
	w.change(one)
}

// details say where a finding comes from.
func details(f svc.Finding) svc.List[[]string] {
	list := svc.List[[]string]{{"Source", f.SourceService}}
	if f.SourceURL != "" {
		list = append(list, []string{"Address", f.SourceURL})
	}
	return list
}

// checkFinding checks a finding that comes from elsewhere.
func checkFinding(f svc.Finding) error {
	err := svc.Join(svc.CheckLine("finding_id", f.FindingID, svc.MaxTitle), svc.CheckLine("source_service", f.SourceService, svc.MaxName),
		svc.CheckLine("title", f.Title, svc.MaxTitle), svc.CheckText("summary", f.Summary, svc.MaxSummary), checkOpen("service_payload", f.Payload))
	switch f.ObjectType {
	case "html_resource", "place":
	case "":
		err = svc.Join(err, svc.Required("object_type"))
	default:
		err = svc.Join(err, svc.FieldError(svc.InvalidValue, "object_type", "object_type must be html_resource or place."))
	}
	if f.SourceURL != "" || f.ObjectType == "html_resource" {
		err = svc.Join(err, checkPublic("source_url", f.SourceURL))
	}
	if len(f.Actions) > maxDetails {
		err = svc.Join(err, svc.FieldError(svc.TooLong, "actions", "There may be up to %d actions.", maxDetails))
	}
	for i, a := range f.Actions[:min(len(f.Actions), maxDetails)] {
		err = svc.Join(err, svc.PrefixFields(fmt.Sprintf("actions.%d", i), svc.Join(svc.CheckLine("id", a.ID, svc.MaxName),
			svc.CheckLine("label", a.Label, svc.MaxName), svc.CheckLine("type", a.Type, svc.MaxName))))
	}
	return err
}

// checkPublic checks the address of something on the web.
func checkPublic(field, address string) error {
	if address == "" {
		return svc.Required(field)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return svc.FieldError(svc.InvalidValue, field, "%s must be an address on the web, https://….", field)
	}
	return svc.CheckLine(field, address, maxURL)
}
