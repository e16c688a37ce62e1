package surface

import (
	"appliance/store"
	"appliance/svc"
)

// exportQueries read all surfaces of a member.
type exportQueries struct {
	ExportSurfaces store.Query `sql:"export-surfaces"`
}

// ExportedStack is a stack in an export: its order and its focus.
type ExportedStack struct {
	StackID          string           `json:"stack_id"`
	FocusedSurfaceID *string          `json:"focused_surface_id"`
	SurfaceOrder     svc.List[string] `json:"surface_order"`
}

// ExportStacks calls add with every stack of a member.
func (s *Service) ExportStacks(tx *store.Tx, member svc.MemberID, add func(ExportedStack) error) error {
	w, err := s.read(tx, member)
	if err != nil {
		return err
	}
	for _, stack := range w.Stacks {
		if err := add(ExportedStack{stack.StackID, stack.FocusedSurfaceID, stack.SurfaceOrder}); err != nil {
			return err
		}
	}
	return nil
}

// exportBatch is the number of surfaces that an export reads at a time.
const exportBatch = 100

// ExportSurfaces calls add with every stored surface of a member, including
// surfaces that are in no stack.
func (s *Service) ExportSurfaces(tx *store.Tx, member svc.MemberID, add func(Surface) error) error {
	for after := ""; ; {
		var rows []surfaceRow
		args := store.Args{"member": member, "after": after, "limit": exportBatch}
		if err := tx.Select(&rows, s.q.export.ExportSurfaces, args); err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			surface, err := r.surface()
			if err != nil {
				return err
			}
			if err := add(*surface); err != nil {
				return err
			}
			after = r.ID
		}
	}
}
