package collection

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// CopyRequest is a COPY or MOVE.
type CopyRequest struct {
	Move      bool
	Overwrite bool // replace the resource at the destination
	Shallow   bool // copy a collection without its contents
}

// Copy copies or moves an object resource. A moved object keeps its id. An
// object at the destination is replaced if it has the same UID, and moves to
// the trash.
func (s *Service) Copy(tx *store.Tx, v svc.Viewer, from, to Place, in CopyRequest, precondition Precondition) (created bool, err error) {
	source, err := s.objects.CalendarAt(tx, v.Member(), from.Calendar)
	if err != nil {
		return false, err
	}
	r, err := s.objects.ShownAt(tx, source.ID, from.Segment)
	if err == nil {
		err = precondition(r.ETag)
	}
	if err != nil {
		return false, err
	}
	target, err := s.objects.CalendarAt(tx, v.Member(), to.Calendar)
	switch {
	case svc.KindOf(err) == svc.Missing:
		return false, ErrNoCollection
	case err != nil:
		return false, err
	case !target.IsWritable() || in.Move && !source.IsWritable():
		return false, object.ErrReadOnly
	case !target.Accepts(r.Component):
		return false, &UnsupportedComponent{r.Component}
	}
	old, exists, err := s.objects.At(tx, target.ID, to.Segment)
	switch {
	case err != nil:
		return false, err
	case exists && !in.Overwrite:
		return false, errOverwrite
	case exists && old.IsMirror():
		return false, object.ErrMirror
	case exists && old.UID != r.UID:
		return false, &UIDConflict{to.Segment}
	}
	if other, err := s.objects.SegmentOfUID(tx, target.ID, r.UID); err != nil {
		return false, err
	} else if other != "" && other != to.Segment && !(in.Move && target.ID == source.ID) {
		return false, &UIDConflict{other}
	}
	if exists {
		if err := s.objects.Trash(tx, old); err != nil {
			return false, err
		}
	}
	if in.Move {
		return !exists, s.objects.Move(tx, r, target, to.Segment)
	}
	return !exists, s.objects.Copy(tx, r.Ref, target, to.Segment)
}
