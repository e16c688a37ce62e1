package surface

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Workspace is all that a member has before them.
type Workspace struct {
	Continuity
	Surfaces []*Surface // those in stacks, and what they were made of, by number
	Stacks   []*Stack

	// Unsaved: not all of it is stored. [Service.Complete] does that.
	Unsaved bool

	last            int64               // the highest number of a surface
	opened          string              // what was just turned to, "" for nothing
	surfaces        map[string]*Surface // by id
	changedSurfaces map[string]bool
	changedStacks   map[string]bool
}

// Continuity tells one state of a workspace from another.
type Continuity struct {
	Revision  int64      // how often it was changed
	UpdatedAt *time.Time // the last time; nil if it never was
}

// Runtime is a workspace as runtimes read it, but for the addresses to which
// they write. Schema: service.surface.workspace.
type Runtime struct {
	Contract  Contract           `json:"contract"`
	Revision  int64              `json:"revision"` // grows with every change, for expected_revision
	Surfaces  svc.List[Surface]  `json:"surfaces"`
	Stacks    svc.List[Stack]    `json:"stacks"`
	Viewports svc.List[Viewport] `json:"viewports"`
}

// Contract names what can be relied on.
type Contract struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// Runtime returns the workspace as a contract.
func (w *Workspace) Runtime() Runtime {
	r := Runtime{Contract: Contract{"service.surface.runtime", 1}, Revision: w.Revision, Viewports: viewports()}
	for _, s := range w.Surfaces {
		r.Surfaces = append(r.Surfaces, *s)
	}
	for _, s := range w.Stacks {
		r.Stacks = append(r.Stacks, *s)
	}
	return r
}

// Select returns the surfaces of a type that are in a stack, in its order; ""
// stands for all types and for all there are, by number.
func (w *Workspace) Select(surfaceType, stack string) (list svc.List[Surface], err error) {
	if surfaceType != "" && !slices.Contains(types, surfaceType) {
		return nil, svc.ParameterError("type", "type must be one of %s.", strings.Join(types, ", "))
	}
	among := w.Surfaces
	if stack != "" {
		one := w.stack(stack)
		if one == nil {
			return nil, svc.ParameterError("stack", "There is no such stack.")
		}
		among = nil
		for _, id := range one.SurfaceOrder {
			among = append(among, w.surface(id))
		}
	}
	for _, s := range among {
		if surfaceType == "" || s.SurfaceType == surfaceType {
			list = append(list, *s)
		}
	}
	return list, nil
}

// Stack returns a stack of the workspace.
func (w *Workspace) Stack(id string) (*Stack, error) {
	if s := w.stack(id); s != nil {
		return s, nil
	}
	return nil, svc.Errorf(svc.NotFound, "There is no such stack.")
}

func (w *Workspace) stack(id string) *Stack {
	for _, s := range w.Stacks {
		if s.StackID == id {
			return s
		}
	}
	return nil
}

func (w *Workspace) surface(id string) *Surface { return w.surfaces[id] }

// stacked reports whether a surface is in a stack.
func (w *Workspace) stacked(id string) bool {
	return slices.ContainsFunc(w.Stacks, func(s *Stack) bool { return slices.Contains(s.SurfaceOrder, id) })
}

func (w *Workspace) changeStack(id string) { w.changedStacks[id] = true }
func (w *Workspace) change(s *Surface)     { w.changedSurfaces[s.SurfaceID] = true }
func (w *Workspace) changed() bool         { return len(w.changedStacks)+len(w.changedSurfaces) > 0 }
func (w *Workspace) appendTo(stack, id string) {
	w.order(stack, append(slices.Clone(w.stack(stack).SurfaceOrder), id))
}

// order puts the surfaces of a stack in an order. It is turned to nothing if what
// it was turned to is not among them.
func (w *Workspace) order(stack string, ids []string) {
	s := w.stack(stack)
	s.SurfaceOrder = ids
	if s.FocusedSurfaceID != nil && !slices.Contains(ids, *s.FocusedSurfaceID) {
		s.FocusedSurfaceID = nil
	}
	w.changeStack(stack)
}

// add gives a surface a number and adds it, in no stack yet.
func (w *Workspace) add(s Surface) *Surface {
	w.last++
	s.NumericID = w.last
	w.show(&s)
	w.change(&s)
	return &s
}

func (w *Workspace) show(s *Surface) {
	w.Surfaces = append(w.Surfaces, s)
	w.surfaces[s.SurfaceID] = s
}

// letGo takes out the surfaces that are in no stack, and returns their ids. What
// another in a stack was made of stays.
func (w *Workspace) letGo() []string {
	kept := make(map[string]bool)
	for _, s := range w.Surfaces {
		if w.stacked(s.SurfaceID) {
			kept[s.SurfaceID] = true
			if t := s.RuntimeState.Translation; t != nil {
				kept[t.SourceSurfaceID] = true
			}
		}
	}
	var gone []string
	w.Surfaces = slices.DeleteFunc(w.Surfaces, func(s *Surface) bool {
		if !kept[s.SurfaceID] {
			gone = append(gone, s.SurfaceID)
			delete(w.surfaces, s.SurfaceID)
		}
		return !kept[s.SurfaceID]
	})
	return gone
}

// record is a surface as its row has it.
type record struct {
	ID       string `db:"surface_id" json:"id"`
	Number   int64  `db:"numeric_id" json:"number"`
	Type     string `db:"surface_type" json:"type"`
	Title    string `db:"title" json:"title"`
	Content  string `db:"content" json:"content"`
	Mode     string `db:"mode" json:"mode"`
	Metadata string `db:"metadata" json:"metadata"`
}

func (r record) surface() (s *Surface, err error) {
	s = &Surface{NumericID: r.Number, SurfaceID: r.ID, SurfaceType: r.Type, Title: r.Title, Placement: Placement{Mode: r.Mode}}
	if err = json.Unmarshal([]byte(r.Content), &s.Content); err == nil {
		err = json.Unmarshal([]byte(r.Metadata), &s.Placement.Metadata)
	}
	return s, err
}

func recordOf(s *Surface) record {
	return record{s.SurfaceID, s.NumericID, s.SurfaceType, s.Title, store.JSON(s.Content), s.Placement.Mode, store.JSON(s.Placement.Metadata)}
}

// row is a stack as its row has it.
type row struct {
	Key   string  `db:"stack_key" json:"key"`
	Focus *string `db:"focused_surface_id" json:"focus"`
	Order string  `db:"surface_order" json:"order"`
}

// Read returns the workspace of a member, complete whatever of it is stored.
func (s *Service) Read(tx *store.Tx, v svc.Viewer) (*Workspace, error) {
	member, err := v.Require()
	if err != nil {
		return nil, err
	}
	return s.read(tx, member)
}

func (s *Service) read(tx *store.Tx, member svc.MemberID) (w *Workspace, err error) {
	w = &Workspace{surfaces: make(map[string]*Surface), changedSurfaces: make(map[string]bool), changedStacks: make(map[string]bool)}
	if w.Continuity, w.last, err = s.continuity(tx, member); err != nil {
		return nil, err
	}
	var records []record
	if err := tx.Select(&records, s.q.Surfaces, store.Args{"member": member}); err != nil {
		return nil, err
	}
	for _, r := range records {
		one, err := r.surface()
		if err != nil {
			return nil, err
		}
		w.last = max(w.last, one.NumericID)
		w.show(one)
	}
	var rows []row
	if err := tx.Select(&rows, s.q.Stacks, store.Args{"member": member}); err != nil {
		return nil, err
	}
	if err := w.restore(rows); err != nil {
		return nil, err
	}
	w.complete(s.Defaults)
	return w, nil
}

// restore takes in the stacks as they are stored.
func (w *Workspace) restore(rows []row) error {
	for _, stack := range stacks {
		i := slices.IndexFunc(rows, func(r row) bool { return r.Key == stack.StackID })
		if i < 0 {
			continue
		}
		var ids []string
		if err := json.Unmarshal([]byte(rows[i].Order), &ids); err != nil {
			return err
		}
		stack.FocusedSurfaceID = rows[i].Focus
		w.Stacks = append(w.Stacks, &stack)
		there := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return w.surface(id) == nil })
		stack.SurfaceOrder = ids
		if focus := stack.FocusedSurfaceID; len(there) < len(ids) || focus != nil && !slices.Contains(there, *focus) {
			w.order(stack.StackID, there)
		}
	}
	return nil
}

// Continuity tells the state of a member's workspace without reading it.
func (s *Service) Continuity(tx *store.Tx, v svc.Viewer) (Continuity, error) {
	c, _, err := s.continuity(tx, v.Member())
	return c, err
}

func (s *Service) continuity(tx *store.Tx, member svc.MemberID) (c Continuity, last int64, err error) {
	var row struct {
		Revision  int64         `db:"revision"`
		Last      int64         `db:"last_number"`
		UpdatedAt *store.Millis `db:"updated_at"`
	}
	err = tx.Get(&row, s.q.Workspace, store.Args{"member": member})
	if store.IsNoRows(err) {
		return c, 0, nil
	}
	if err != nil {
		return c, 0, err
	}
	c.Revision = row.Revision
	if row.UpdatedAt != nil {
		c.UpdatedAt = new(row.UpdatedAt.Timestamp())
	}
	return c, row.Last, nil
}

// SaveDefaults stores what of a member's workspace is not stored yet. Nothing that
// can be seen changes.
func (s *Service) SaveDefaults(tx *store.Tx, v svc.Viewer) error {
	w, err := s.Read(tx, v)
	if err != nil || !w.Unsaved {
		return err
	}
	return s.save(tx, v.Member(), w)
}

// change does one thing to a member's workspace, if its revision is the
// expected one, and returns it as it is then.
func (s *Service) change(tx *store.Tx, v svc.Viewer, expected *int64, do func(*Workspace) error) (*Workspace, error) {
	w, err := s.Read(tx, v)
	if err != nil {
		return nil, err
	}
	if expected != nil && *expected != w.Revision {
		return nil, svc.FieldError(svc.VersionConflict, "expected_revision", "This has been changed meanwhile; its revision is %d.", w.Revision)
	}
	if err := do(w); err != nil {
		return nil, err
	}
	gone := w.letGo()
	slices.SortFunc(w.Surfaces, func(a, b *Surface) int { return cmp.Compare(a.NumericID, b.NumericID) })
	w.Revision++
	w.UpdatedAt = new(tx.Now().Truncate(time.Second))
	w.Unsaved = false
	if err := s.save(tx, v.Member(), w); err != nil {
		return nil, err
	}
	if len(gone) > 0 {
		args := store.Args{"member": v.Member(), "ids": store.JSONArray(gone), "now": store.MillisOf(tx.Now())}
		if _, err := tx.Exec(s.q.LetGo, args); err != nil {
			return nil, err
		}
		if _, err := tx.Exec(s.q.DropSurplus, store.Args{"member": v.Member(), "most": maxLeft}); err != nil {
			return nil, err
		}
	}
	tx.Touch(svc.SurfaceTopic, int64(v.Member()))
	return w, s.settle(tx, v.Member(), w)
}

// save writes what has changed of a workspace.
func (s *Service) save(tx *store.Tx, member svc.MemberID, w *Workspace) error {
	var updated *store.Millis
	if w.UpdatedAt != nil {
		updated = new(store.MillisOf(*w.UpdatedAt))
	}
	_, err := tx.Exec(s.q.PutWorkspace, store.Args{"member": member, "revision": w.Revision, "last": w.last, "updated": updated})
	if err != nil {
		return err
	}
	var records []record
	for _, id := range slices.Sorted(maps.Keys(w.changedSurfaces)) {
		if one := w.surface(id); one != nil {
			records = append(records, recordOf(one))
		}
	}
	if len(records) > 0 {
		if _, err := tx.Exec(s.q.PutSurfaces, store.Args{"member": member, "surfaces": store.JSONArray(records)}); err != nil {
			return err
		}
	}
	var rows []row
	for _, one := range w.Stacks {
		if w.changedStacks[one.StackID] {
			rows = append(rows, row{one.StackID, one.FocusedSurfaceID, store.JSON(one.SurfaceOrder)})
		}
	}
	if len(rows) > 0 {
		_, err = tx.Exec(s.q.PutStacks, store.Args{"member": member, "stacks": store.JSONArray(rows)})
	}
	return err
}
