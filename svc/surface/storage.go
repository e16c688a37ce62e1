package surface

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// workspaceQueries read and write the workspace of a member.
type workspaceQueries struct {
	Workspace             store.Query `sql:"workspace"`
	PutWorkspace          store.Query `sql:"put-workspace"`
	Stacks                store.Query `sql:"stacks"`
	PutStacks             store.Query `sql:"put-stacks"`
	Surfaces              store.Query `sql:"surfaces"`
	SurfacesByID          store.Query `sql:"surfaces-by-id"`
	PutSurfaces           store.Query `sql:"put-surfaces"`
	UnstackSurfaces       store.Query `sql:"unstack-surfaces"`
	DeleteOldestUnstacked store.Query `sql:"delete-oldest-unstacked"`
}

// Limits of the surfaces of one member.
const (
	maxSurfaces          = 500 // surfaces in the workspace
	maxUnstackedSurfaces = 500 // surfaces in no stack; older ones are deleted
)

// surfaceRow is a row of surface_surface.
type surfaceRow struct {
	ID       string `db:"surface_id" json:"id"`
	Number   int64  `db:"numeric_id" json:"number"`
	Type     Type   `db:"surface_type" json:"type"`
	Title    string `db:"title" json:"title"`
	Content  string `db:"content" json:"content"`
	Mode     Mode   `db:"mode" json:"mode"`
	Metadata string `db:"metadata" json:"metadata"`
}

func (r surfaceRow) surface() (s *Surface, err error) {
	s = &Surface{NumericID: r.Number, SurfaceID: r.ID, SurfaceType: r.Type, Title: r.Title, Placement: Placement{Mode: r.Mode}}
	if err = json.Unmarshal([]byte(r.Content), &s.Content); err == nil {
		err = json.Unmarshal([]byte(r.Metadata), &s.Placement.Metadata)
	}
	return s, err
}

func newSurfaceRow(s *Surface) surfaceRow {
	return surfaceRow{s.SurfaceID, s.NumericID, s.SurfaceType, s.Title, store.JSON(s.Content), s.Placement.Mode, store.JSON(s.Placement.Metadata)}
}

// stackRow is a row of surface_stack.
type stackRow struct {
	Key   string  `db:"stack_key" json:"key"`
	Focus *string `db:"focused_surface_id" json:"focus"`
	Order string  `db:"surface_order" json:"order"`
}

// Read returns the workspace of v, with all defaults.
func (s *Service) Read(tx *store.Tx, v svc.Viewer) (*Workspace, error) {
	member, err := v.Require()
	if err != nil {
		return nil, err
	}
	return s.read(tx, member)
}

func (s *Service) read(tx *store.Tx, member svc.MemberID) (w *Workspace, err error) {
	w = newWorkspace()
	if w.Continuity, w.lastNumericID, err = s.continuity(tx, member); err != nil {
		return nil, err
	}
	var surfaces []surfaceRow
	if err := tx.Select(&surfaces, s.q.workspace.Surfaces, store.Args{"member": member}); err != nil {
		return nil, err
	}
	for _, r := range surfaces {
		surface, err := r.surface()
		if err != nil {
			return nil, err
		}
		w.lastNumericID = max(w.lastNumericID, surface.NumericID)
		w.insert(surface)
	}
	var stacks []stackRow
	if err := tx.Select(&stacks, s.q.workspace.Stacks, store.Args{"member": member}); err != nil {
		return nil, err
	}
	if err := w.insertStacks(stacks); err != nil {
		return nil, err
	}
	w.addDefaults(s.Defaults)
	return w, nil
}

// insertStacks adds the stored stacks. It removes ids of missing surfaces from
// their orders and focus.
func (w *Workspace) insertStacks(rows []stackRow) error {
	for _, stack := range defaultStacks {
		i := slices.IndexFunc(rows, func(r stackRow) bool { return r.Key == stack.StackID })
		if i < 0 {
			continue
		}
		var ids []string
		if err := json.Unmarshal([]byte(rows[i].Order), &ids); err != nil {
			return err
		}
		stack.FocusedSurfaceID = rows[i].Focus
		w.Stacks = append(w.Stacks, &stack)
		present := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return w.surface(id) == nil })
		stack.SurfaceOrder = ids
		if focus := stack.FocusedSurfaceID; len(present) < len(ids) || focus != nil && !slices.Contains(present, *focus) {
			w.setOrder(stack.StackID, present)
		}
	}
	return nil
}

// surfacesByID returns the stored surfaces of a member among ids, including
// those in no stack.
func (s *Service) surfacesByID(tx *store.Tx, member svc.MemberID, ids ...string) (map[string]*Surface, error) {
	var rows []surfaceRow
	if err := tx.Select(&rows, s.q.workspace.SurfacesByID, store.Args{"member": member, "ids": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	surfaces := make(map[string]*Surface, len(rows))
	for _, r := range rows {
		surface, err := r.surface()
		if err != nil {
			return nil, err
		}
		surfaces[surface.SurfaceID] = surface
	}
	return surfaces, nil
}

// Continuity returns the state of v's workspace without reading its surfaces.
func (s *Service) Continuity(tx *store.Tx, v svc.Viewer) (Continuity, error) {
	c, _, err := s.continuity(tx, v.Member())
	return c, err
}

func (s *Service) continuity(tx *store.Tx, member svc.MemberID) (c Continuity, lastNumericID int64, err error) {
	var row struct {
		Revision      int64         `db:"revision"`
		LastNumericID int64         `db:"last_numeric_id"`
		UpdatedAt     *store.Millis `db:"updated_at"`
	}
	err = tx.Get(&row, s.q.workspace.Workspace, store.Args{"member": member})
	if store.IsNoRows(err) {
		return Continuity{}, 0, nil
	}
	return Continuity{row.Revision, store.OptionalTimestamp(row.UpdatedAt)}, row.LastNumericID, err
}

// SaveDefaults stores the defaults of v's workspace that are not stored yet. It
// does not change the revision.
func (s *Service) SaveDefaults(tx *store.Tx, v svc.Viewer) error {
	w, err := s.Read(tx, v)
	if err != nil || !w.Unsaved {
		return err
	}
	return s.save(tx, v.Member(), w)
}

// updateWorkspace applies edit to v's workspace and stores the result, if the
// workspace has the expected revision. It returns the changed workspace.
func (s *Service) updateWorkspace(tx *store.Tx, v svc.Viewer, expected *int64, edit func(*Workspace) error) (*Workspace, error) {
	w, err := s.Read(tx, v)
	if err != nil {
		return nil, err
	}
	if expected != nil && *expected != w.Revision {
		return nil, svc.FieldError(svc.VersionConflict, "expected_revision",
			"What you carry was changed in the meantime. Its revision is now %d.", w.Revision)
	}
	if err := edit(w); err != nil {
		return nil, err
	}
	dropped := w.dropUnstacked()
	slices.SortFunc(w.Surfaces, func(a, b *Surface) int { return cmp.Compare(a.NumericID, b.NumericID) })
	w.Revision++
	w.UpdatedAt = new(store.MillisOf(tx.Now()).Timestamp())
	w.Unsaved = false
	if err := s.save(tx, v.Member(), w); err != nil {
		return nil, err
	}
	if err := s.unstack(tx, v.Member(), dropped); err != nil {
		return nil, err
	}
	tx.Touch(svc.WorkspaceChanged, int64(v.Member()))
	return w, s.updateSessions(tx, v.Member(), w)
}

// unstack records that surfaces left their last stack, and deletes the oldest
// such surfaces beyond maxUnstackedSurfaces.
func (s *Service) unstack(tx *store.Tx, member svc.MemberID, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	args := store.Args{"member": member, "ids": store.JSONArray(ids), "now": store.MillisOf(tx.Now())}
	if _, err := tx.Exec(s.q.workspace.UnstackSurfaces, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.workspace.DeleteOldestUnstacked, store.Args{"member": member, "keep": maxUnstackedSurfaces})
	return err
}

// save writes the changed surfaces and stacks of a workspace.
func (s *Service) save(tx *store.Tx, member svc.MemberID, w *Workspace) error {
	var updated *store.Millis
	if w.UpdatedAt != nil {
		updated = new(store.MillisOf(*w.UpdatedAt))
	}
	_, err := tx.Exec(s.q.workspace.PutWorkspace, store.Args{"member": member, "revision": w.Revision, "last": w.lastNumericID, "updated": updated})
	if err != nil {
		return err
	}
	var surfaces []surfaceRow
	for _, id := range slices.Sorted(maps.Keys(w.changedSurfaces)) {
		if surface := w.surface(id); surface != nil {
			surfaces = append(surfaces, newSurfaceRow(surface))
		}
	}
	if len(surfaces) > 0 {
		if _, err := tx.Exec(s.q.workspace.PutSurfaces, store.Args{"member": member, "surfaces": store.JSONArray(surfaces)}); err != nil {
			return err
		}
	}
	var stacks []stackRow
	for _, stack := range w.Stacks {
		if w.changedStacks[stack.StackID] {
			stacks = append(stacks, stackRow{stack.StackID, stack.FocusedSurfaceID, store.JSON(stack.SurfaceOrder)})
		}
	}
	if len(stacks) > 0 {
		_, err = tx.Exec(s.q.workspace.PutStacks, store.Args{"member": member, "stacks": store.JSONArray(stacks)})
	}
	return err
}
