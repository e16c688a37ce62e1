package surface

import (
	"appliance/store"
	"appliance/svc"
)

// ExportedStack is a stack as a member has arranged it.
type ExportedStack struct {
	StackID          string           `json:"stack_id"`
	FocusedSurfaceID *string          `json:"focused_surface_id"`
	SurfaceOrder     svc.List[string] `json:"surface_order"`
}

// ExportStacks shows how a member has arranged their stacks.
func (s *Service) ExportStacks(tx *store.Tx, member svc.MemberID, show func(ExportedStack) error) error {
	w, err := s.read(tx, member)
	if err != nil {
		return err
	}
	for _, one := range w.Stacks {
		if err := show(ExportedStack{one.StackID, one.FocusedSurfaceID, one.SurfaceOrder}); err != nil {
			return err
		}
	}
	return nil
}

// exportPortion is how many surfaces are read at a time.
const exportPortion = 100

// ExportSurfaces shows every surface that is stored for a member, those that
// have left their stacks too.
func (s *Service) ExportSurfaces(tx *store.Tx, member svc.MemberID, show func(Surface) error) error {
	for after := ""; ; {
		var records []record
		args := store.Args{"member": member, "after": after, "limit": exportPortion}
		if err := tx.Select(&records, s.q.ExportSurfaces, args); err != nil || len(records) == 0 {
			return err
		}
		for _, r := range records {
			one, err := r.surface()
			if err != nil {
				return err
			}
			if err := show(*one); err != nil {
				return err
			}
			after = r.ID
		}
	}
}
