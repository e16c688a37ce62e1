package davserver

import (
	"context"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/dav"
	"appliance/svc/calendar/object"
)

func (b backend) deleteCalendar(ctx context.Context, v svc.Viewer, at dav.Ref, check dav.Precondition) error {
	defer b.s.calendar.BeginDeletion()()
	var d calendar.Deletion
	err := b.writeSteps(ctx, v, check, func(tx *store.Tx, check precondition) (more bool, err error) {
		c, err := b.s.calendar.CalendarAt(tx, v, at.Segment)
		if err == nil {
			err = check("")
		}
		if err == nil {
			d, err = b.s.calendar.DeleteCalendar(tx, v, c.ID, "")
		}
		return d.More, err
	})
	if err == nil {
		err = d.Failed
	}
	return err
}

// moveCalendar gives a calendar another segment. A calendar at the destination moves to the
// trash.
func (b backend) moveCalendar(ctx context.Context, v svc.Viewer, c dav.CopyRequest, check dav.Precondition) (created bool, err error) {
	return b.replaceCalendar(ctx, v, c, check, func(tx *store.Tx) error {
		from, err := b.s.calendar.CalendarAt(tx, v, c.From.Segment)
		if err == nil {
			err = b.s.calendar.MoveCalendar(tx, v, from.ID, c.To.Segment)
		}
		return err
	})
}

// copyCalendar copies a calendar. A calendar at the destination moves to the trash. The copy
// becomes visible when it is complete.
func (b backend) copyCalendar(ctx context.Context, v svc.Viewer, c dav.CopyRequest, check dav.Precondition) (created bool, err error) {
	var copied calendar.Copy
	err = b.write(ctx, v, check, func(tx *store.Tx, check precondition) error {
		from, err := b.s.calendar.CalendarAt(tx, v, c.From.Segment)
		if err == nil {
			err = check("")
		}
		if err == nil {
			err = b.checkDestination(tx, v, c)
		}
		if err == nil {
			copied, err = b.s.calendar.StageCopy(tx, v, from.ID)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	if err = b.copyObjects(ctx, v, c, copied); err == nil {
		created, err = b.replaceCalendar(ctx, v, c, func(string, dav.Snapshot) error { return nil }, func(tx *store.Tx) error {
			return b.s.calendar.PublishCopy(tx, v, copied, c.To.Segment)
		})
	}
	if err != nil {
		b.abandonCopy(ctx, copied)
	}
	return created, err
}

// copyObjects copies the objects of a calendar to its copy.
func (b backend) copyObjects(ctx context.Context, v svc.Viewer, c dav.CopyRequest, copied calendar.Copy) error {
	var list []object.CopySource
	if !c.Shallow {
		if err := b.s.db.Read(ctx, func(tx *store.Tx) (err error) {
			list, err = b.s.calendar.CopyObjects(tx, v, copied)
			return err
		}); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return nil
	}
	return store.RunBatches(ctx, func() (more bool, err error) {
		n := 0
		err = b.s.db.Write(ctx, func(tx *store.Tx) (err error) {
			n, err = b.s.calendar.CopyNext(tx, copied, list)
			return err
		})
		list = list[n:]
		return len(list) > 0, err
	})
}

// abandonCopy leaves a copy to the job that sweeps purged calendar data. If it fails, the next
// start of the server does the same.
func (b backend) abandonCopy(ctx context.Context, c calendar.Copy) {
	b.afterFailure(ctx, "an incomplete copy of a calendar stays in the database until the next start", func(tx *store.Tx) error {
		tx.AfterCommit(b.s.sweep)
		return b.s.calendar.AbandonCopy(tx, c)
	})
}

// afterFailure calls do in a write transaction, even if the client has disconnected or its
// credentials have been revoked. If the transaction fails, afterFailure logs the consequence.
func (b backend) afterFailure(ctx context.Context, consequence string, do func(*store.Tx) error) {
	ctx = store.WithWriteGuard(context.WithoutCancel(ctx), func(*store.Tx) error { return nil })
	if err := b.s.db.Write(ctx, do); err != nil {
		b.s.log.Warn(consequence, "err", err)
	}
}

// replaceCalendar moves the calendar at the destination to the trash, if there is one, and
// calls put in the same transaction. If it fails, the calendar at the destination stays, but
// some of its mirrors may have moved to the default calendar.
func (b backend) replaceCalendar(ctx context.Context, v svc.Viewer, c dav.CopyRequest, check dav.Precondition, put func(*store.Tx) error) (created bool, err error) {
	defer b.s.calendar.BeginDeletion()()
	var failed error
	begun := "" // the calendar at the destination if its deletion takes several transactions
	err = b.writeSteps(ctx, v, check, func(tx *store.Tx, check precondition) (more bool, err error) {
		if _, err = b.s.calendar.CalendarAt(tx, v, c.From.Segment); err == nil {
			err = check("")
		}
		if err != nil {
			return false, err
		}
		replaced, isNew, err := b.destination(tx, v, c)
		if created = isNew; err == nil && !isNew {
			var d calendar.Deletion
			d, err = b.s.calendar.DeleteCalendar(tx, v, replaced.ID, "")
			if failed = d.Failed; d.More {
				begun = replaced.ID
			}
			if d.More || failed != nil {
				return d.More, err
			}
		}
		if err == nil {
			err = put(tx)
		}
		return false, err
	})
	if err == nil {
		err = failed
	}
	if err != nil && begun != "" {
		b.afterFailure(ctx, "a calendar that was not replaced is deleted", func(tx *store.Tx) error { return b.s.calendar.EndDeletion(tx, begun) })
	}
	return created, err
}

// destination returns the calendar at the destination, if there is one that may be replaced. It
// returns an error if the calendar there may not be replaced.
func (b backend) destination(tx *store.Tx, v svc.Viewer, c dav.CopyRequest) (replaced calendar.Calendar, isNew bool, err error) {
	replaced, err = b.s.calendar.CalendarAt(tx, v, c.To.Segment)
	switch {
	case svc.KindOf(err) == svc.Missing:
		return replaced, true, nil
	case err == nil && !c.Replace:
		err = svc.Errorf(svc.VersionConflict, "There is already a calendar at the destination.")
	}
	return replaced, false, err
}

// checkDestination returns an error unless a calendar can be put at the destination.
func (b backend) checkDestination(tx *store.Tx, v svc.Viewer, c dav.CopyRequest) error {
	replaced, isNew, err := b.destination(tx, v, c)
	if err == nil && !isNew {
		err = b.s.calendar.CheckDeletable(tx, v, replaced.ID)
	}
	return err
}
