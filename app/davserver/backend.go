package davserver

import (
	"context"
	"errors"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/dav"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
)

// backend implements [dav.Backend]. Each method runs in one transaction, except those that
// delete files, or that delete, copy or move a calendar (see calendar.go).
type backend struct{ s *Server }

func (b backend) View(ctx context.Context, v svc.Viewer, fn func(dav.Snapshot) error) error {
	return b.s.db.Read(ctx, func(tx *store.Tx) error { return fn(snapshot{b.s, tx, v}) })
}

func (b backend) Lookup(ctx context.Context, v svc.Viewer, fn func(dav.Snapshot) error) error {
	return b.s.db.Lookup(ctx, func(tx *store.Tx) error { return fn(snapshot{b.s, tx, v}) })
}

// precondition returns an error if the current state of a resource, given its
// ETag, does not meet the conditions of the request.
type precondition = func(etag string) error

// noPrecondition accepts every state. It is for the later steps of a request
// whose preconditions have been checked.
func noPrecondition(string) error { return nil }

// write runs fn in a write transaction and translates the errors of the
// calendar service into those of the protocol. fn must call the precondition
// before it writes.
func (b backend) write(ctx context.Context, v svc.Viewer, check dav.Precondition, fn func(*store.Tx, precondition) error) error {
	err := b.s.db.Write(ctx, func(tx *store.Tx) error {
		return fn(tx, func(etag string) error { return check(etag, snapshot{b.s, tx, v}) })
	})
	var unsupported *collection.UnsupportedComponent
	switch {
	case store.IsFull(err):
		return (&svc.Error{Code: svc.InsufficientStorage, Message: "The disk of the server is full, so nothing was saved.", RetryAfter: time.Minute}).WithCause(err)
	case errors.As(err, &unsupported):
		return dav.UnsupportedComponent(unsupported.Component)
	case errors.Is(err, collection.ErrNoCollection):
		return dav.ErrNoParent
	case errors.Is(err, collection.ErrTooManyProperties):
		return dav.ErrTooManyProperties
	}
	return err
}

// writeSteps calls step, each time in a write transaction of its own, until it reports that
// no work is left. It checks the precondition in the first transaction only.
func (b backend) writeSteps(ctx context.Context, v svc.Viewer, check dav.Precondition, step func(*store.Tx, precondition) (more bool, err error)) error {
	write := func() (more bool, err error) {
		err = b.write(ctx, v, check, func(tx *store.Tx, check precondition) error {
			more, err = step(tx, check)
			return err
		})
		check = func(string, dav.Snapshot) error { return nil }
		return more, err
	}
	return store.RunBatches(ctx, write)
}

func (b backend) Put(ctx context.Context, v svc.Viewer, at dav.Ref, o *ics.Object, check dav.Precondition) (written dav.PutResult, err error) {
	entry, err := object.PrepareCounted(svc.WorkOf(ctx), o, b.s.db.Now())
	if err != nil {
		return written, err
	}
	err = b.write(ctx, v, check, func(tx *store.Tx, check precondition) (err error) {
		written.ETag, written.Created, err = b.s.collections.Put(tx, v, at.Segment, at.Name, entry, check)
		return err
	})
	return written, convertUIDConflict(err, at)
}

// convertUIDConflict converts a [collection.UIDConflict] in the calendar at.Segment
// to the corresponding error of the protocol. It returns other errors unchanged.
func convertUIDConflict(err error, at dav.Ref) error {
	if conflict, ok := errors.AsType[*collection.UIDConflict](err); ok {
		return dav.UIDConflict(at.Segment, conflict.Segment)
	}
	return err
}

func (b backend) PutFile(ctx context.Context, v svc.Viewer, at dav.Ref, f dav.File, check dav.Precondition) (written dav.PutResult, err error) {
	err = b.write(ctx, v, check, func(tx *store.Tx, check precondition) (err error) {
		written.ETag, written.Created, err = b.s.collections.PutFile(tx, v, at.Path(), f.MediaType, f.Data, check)
		return err
	})
	return written, err
}

func (b backend) Delete(ctx context.Context, v svc.Viewer, at dav.Ref, check dav.Precondition) error {
	switch {
	case at.File:
		return b.writeSteps(ctx, v, check, func(tx *store.Tx, check precondition) (more bool, err error) {
			return b.s.collections.DeleteFile(tx, v, at.Path(), check)
		})
	case at.Name == "":
		return b.deleteCalendar(ctx, v, at, check)
	}
	return b.write(ctx, v, check, func(tx *store.Tx, check precondition) error {
		return b.s.collections.Delete(tx, v, at.Segment, at.Name, check)
	})
}

func (b backend) Copy(ctx context.Context, v svc.Viewer, c dav.CopyRequest, check dav.Precondition) (created bool, err error) {
	if c.From.Name == "" && !c.From.File {
		if c.Move {
			return b.moveCalendar(ctx, v, c, check)
		}
		return b.copyCalendar(ctx, v, c, check)
	}
	request := collection.CopyRequest{Move: c.Move, Overwrite: c.Replace, Shallow: c.Shallow}
	err = b.write(ctx, v, check, func(tx *store.Tx, check precondition) (err error) {
		if c.From.File {
			created, err = b.s.collections.CopyFile(tx, v, c.From.Path(), c.To.Path(), request, check)
		} else {
			created, err = b.s.collections.Copy(tx, v, toPlace(c.From), toPlace(c.To), request, check)
		}
		return err
	})
	return created, convertUIDConflict(err, c.To)
}

func toPlace(r dav.Ref) collection.Place {
	return collection.Place{Calendar: r.Segment, Segment: r.Name}
}

func (b backend) MakeCalendar(ctx context.Context, v svc.Viewer, segment string, set dav.PropertyUpdate, check dav.Precondition) error {
	in := calendar.NewCalendar{Name: segment, Segment: segment, Order: set.Order, Components: set.Components}
	for field, value := range map[*string]*string{&in.Name: set.Name, &in.Description: set.Description, &in.Color: set.Color, &in.Timezone: set.TimeZone} {
		if value != nil && *value != "" {
			*field = *value
		}
	}
	return b.write(ctx, v, check, func(tx *store.Tx, check precondition) error {
		if err := check(""); err != nil {
			return err
		}
		if _, err := b.s.calendar.CreateCalendar(tx, v, in); err != nil {
			return err
		}
		return b.setDeadProperties(tx, v, dav.Ref{Segment: segment}, set, noPrecondition)
	})
}

func (b backend) MakeCollection(ctx context.Context, v svc.Viewer, at dav.Ref, set dav.PropertyUpdate, check dav.Precondition) error {
	return b.write(ctx, v, check, func(tx *store.Tx, check precondition) error {
		if err := check(""); err != nil {
			return err
		}
		if err := b.s.collections.MakeCollection(tx, v, at.Path()); err != nil {
			return err
		}
		return b.setDeadProperties(tx, v, at, set, noPrecondition)
	})
}

// setDeadProperties stores the dead properties of a resource.
func (b backend) setDeadProperties(tx *store.Tx, v svc.Viewer, at dav.Ref, set dav.PropertyUpdate, check precondition) error {
	list := make([]collection.Property, len(set.Dead))
	for i, d := range set.Dead {
		list[i] = collection.Property{Space: d.Name.Space, Local: d.Name.Local, Element: d.Element}
	}
	return b.s.collections.SetProperties(tx, v, toPlace(at), at.File, list, dav.MaxDeadProperties, check)
}

func (b backend) Update(ctx context.Context, v svc.Viewer, at dav.Ref, set dav.PropertyUpdate, check dav.Precondition) error {
	change := calendar.CalendarChange{
		Name: toOptional(set.Name), Description: toOptional(set.Description), Color: toOptional(set.Color),
		Order: toOptional(set.Order), Timezone: toOptional(set.TimeZone),
	}
	return b.write(ctx, v, check, func(tx *store.Tx, check precondition) error {
		if at.Segment == "" || at.Name != "" || at.File {
			return b.setDeadProperties(tx, v, at, set, check)
		}
		c, err := b.s.calendar.CalendarAt(tx, v, at.Segment)
		if err == nil {
			err = check("")
		}
		if err == nil && change != (calendar.CalendarChange{}) {
			_, err = b.s.calendar.UpdateCalendar(tx, v, c.ID, change)
		}
		if err == nil && set.Dead != nil {
			err = b.setDeadProperties(tx, v, at, set, noPrecondition)
		}
		return err
	})
}

func toOptional[T any](p *T) svc.Optional[T] {
	if p == nil {
		return svc.Optional[T]{}
	}
	return svc.Some(*p)
}
