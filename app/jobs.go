package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/object"
	"appliance/svc/zoneinfo"
)

// job is a background job. The result of each run sets the state of a hosted
// service.
type job struct {
	name    string
	service *hostedService
	wait    func(now time.Time) time.Duration // time until the next run
	trigger trigger                           // starts the next run at once; may be nil
	do      func(context.Context) error
}

// jobs returns the background jobs.
func (a *App) jobs() []job {
	jobs := []job{
		{"deleting expired rows", a.hosted["identity"], hourly, nil, a.whileClockTrusted(a.DeleteExpired)},
		{"deleting data of members", a.hosted["identity"], hourly, a.memberDataTrigger, a.DeleteMemberData},
		{"sweeping calendars", a.hosted["time"], hourly, a.sweepTrigger, a.sweepCalendars},
		{"deleting calendars", a.hosted["time"], hourly, a.deletionTrigger, a.ContinueDeletions},
		{"following the time zone of the server", a.hosted["time"], daily, nil, a.FollowServerZone},
		{"indexing", a.hosted["time"], hourly, a.zonesTrigger, a.Reindex},
		{"following changes", a.hosted["time"], hourly, a.followUpTrigger, a.FollowUp},
		{"sweeping social", a.hosted["social"], hourly, nil, a.whileClockTrusted(a.SweepSocial)},
		{"sweeping surfaces", a.hosted["surface"], hourly, nil, a.SweepSurfaces},
		{"maintaining maps", a.hosted["maps"], hourly, a.mapsTrigger, a.MaintainMaps},
		{"sweeping searches", a.hosted["find"], hourly, nil, a.whileClockTrusted(a.SweepSearches)},
		{"acquiring providers", a.hosted["find"], everyMinute, nil, a.AcquireProviders},
		{"sweeping providers", a.hosted["find"], hourly, nil, a.SweepProviders},
	}
	checks := &hostedService{name: "database", log: a.Log} // a separate state, so that a successful check does not hide a failed backup
	jobs = append(jobs, job{"checking the database", checks, a.untilCheck(), nil, a.CheckDatabase})
	if a.Settings.BackupEvery > 0 {
		jobs = append(jobs, job{"backup", a.hosted["world"], a.untilBackup, nil, a.Backups.MakeNightly})
	}
	if a.certificate != nil {
		jobs = append(jobs, job{"checking the certificate", &hostedService{name: "certificate", log: a.Log}, daily, nil, a.logCertificate})
	}
	return jobs
}

func daily(time.Time) time.Duration { return 24 * time.Hour }

func hourly(time.Time) time.Duration { return time.Hour }

func everyMinute(time.Time) time.Duration { return time.Minute }

// retryDelay is the time after which a failed job with a trigger runs again. Such a job
// completes the work of an earlier write. It can fail while the disk is full, for example.
const retryDelay = time.Minute

// run repeats the job until ctx ends.
func (a *App) run(ctx context.Context, j job) {
	var err error
	for {
		wait := j.wait(a.DB.Now())
		if err != nil && j.trigger != nil {
			wait = min(wait, retryDelay)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		case <-j.trigger:
		}
		if err = j.attempt(ctx); ctx.Err() == nil {
			j.service.Report(err)
		}
	}
}

// attempt runs the job once. It returns a panic as an error.
func (j job) attempt(ctx context.Context) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("job %s: panic: %v\n%s", j.name, v, store.PanicStack(v))
		}
	}()
	if err := j.do(ctx); err != nil {
		return fmt.Errorf("job %s: %w", j.name, err)
	}
	return nil
}

// whileClockTrusted returns a function that calls do if the clock is trusted,
// and otherwise does nothing.
func (a *App) whileClockTrusted(do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if !a.clock.isTrusted(a.DB.Now()) {
			return nil
		}
		return do(ctx)
	}
}

// sweepCalendars is the job that deletes purged calendar data. While the clock may
// be wrong, it keeps expired trash.
func (a *App) sweepCalendars(ctx context.Context) error {
	if a.clock.isTrusted(a.DB.Now()) {
		return a.SweepCalendars(ctx)
	}
	return a.DB.WriteBatches(ctx, a.Calendar.SweepOrphans)
}

// trigger makes a job run at once.
type trigger chan struct{}

func newTrigger() trigger { return make(trigger, 1) }

// request requests a run of the job, unless one is requested already.
func (t trigger) request() {
	select {
	case t <- struct{}{}:
	default:
	}
}

// DeleteExpired deletes expired sessions, one-time links and stored responses.
func (a *App) DeleteExpired(ctx context.Context) error {
	return errors.Join(a.DB.Write(ctx, a.Identity.Expire), a.DB.WriteBatches(ctx, a.idempotency.Clean))
}

// DeleteMemberData deletes the data of deleted members in batches.
func (a *App) DeleteMemberData(ctx context.Context) error {
	return a.DB.WriteBatches(ctx, a.Identity.DeleteData)
}

// SweepCalendars deletes expired trash and purged calendar data in batches.
func (a *App) SweepCalendars(ctx context.Context) error {
	return a.DB.WriteBatches(ctx, a.Calendar.Sweep)
}

// ContinueDeletions continues the deletions of calendars that requests have not completed. It
// does nothing while a request deletes a calendar: at its end, the request triggers another run.
func (a *App) ContinueDeletions(ctx context.Context) error {
	var list []calendar.PendingDeletion
	if err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
		list, err = a.Calendar.PendingDeletions(tx)
		return err
	}); err != nil {
		return err
	}
	var failed error
	for _, p := range list {
		err := store.RunBatches(ctx, func() (more bool, err error) {
			_, err = a.Calendar.TryContinue(func() error {
				return a.DB.Write(ctx, func(tx *store.Tx) error {
					d, err := a.Calendar.ContinueDeletion(tx, p)
					more = d.More
					return err
				})
			})
			return more, err
		})
		failed = errors.Join(failed, err)
	}
	return failed
}

// SweepSocial deletes expired activity and notifications in batches.
func (a *App) SweepSocial(ctx context.Context) error { return a.DB.WriteBatches(ctx, a.Social.Sweep) }

// FollowUp makes events and their mirrors follow changes of Social, in batches. A change
// that fails is tried again in the next run, so that it does not hold up the others.
func (a *App) FollowUp(ctx context.Context) error {
	failed := a.DB.Write(ctx, a.Social.RetryFollowUps)
	for {
		err := a.DB.WriteBatches(ctx, a.Social.FollowUp)
		if err == nil || ctx.Err() != nil {
			return errors.Join(failed, err)
		}
		failed = errors.Join(failed, err)
		if err := a.DB.Write(ctx, a.Social.PostponeFollowUp); err != nil {
			return errors.Join(failed, err)
		}
	}
}

// SweepSurfaces deletes orphaned surfaces in batches.
func (a *App) SweepSurfaces(ctx context.Context) error {
	return a.DB.WriteBatches(ctx, a.Surface.Sweep)
}

// SweepSearches deletes old searches in batches.
func (a *App) SweepSearches(ctx context.Context) error { return a.DB.WriteBatches(ctx, a.Find.Sweep) }

// zoneMembers is the number of members whose calendars FollowServerZone sets in one write.
const zoneMembers = 50

// FollowServerZone sets the time zone of the calendars of members without a zone of their own
// to that of the server, after the operator has changed it.
func (a *App) FollowServerZone(ctx context.Context) error {
	var last svc.MemberID
	return store.RunBatches(ctx, func() (more bool, err error) {
		var members []svc.MemberID
		err = a.DB.Write(ctx, func(tx *store.Tx) error {
			if members, err = a.Identity.WithoutZone(tx, last, zoneMembers); err != nil {
				return err
			}
			return a.Calendar.SetZone(tx, members, a.Settings.Timezone)
		})
		if more = len(members) == zoneMembers; more {
			last = members[len(members)-1]
		}
		return more, err
	})
}

// Reindex rebuilds the index of entries whose occurrences change with the time zone data, and
// extends that of recurring entries as time passes.
func (a *App) Reindex(ctx context.Context) error {
	if err := a.FollowZones(ctx); err != nil {
		return err
	}
	_, err := a.reindex(ctx, a.Objects.PartlyIndexed)
	return err
}

// zoneBatches is the number of batches after which FollowZones stores its progress, if it
// changes no entry in them.
const zoneBatches = 100

// FollowZones rebuilds the index of the entries whose occurrences are other ones by the time
// zone data in use. It continues a run that has ended early.
func (a *App) FollowZones(ctx context.Context) error {
	p, err := a.beginZones(ctx)
	if err != nil || p.Rebuilt == nil {
		return err
	}
	if err := a.retimeEvents(ctx); err != nil {
		return err
	}
	batches, total := 0, 0
	err = store.RunBatches(ctx, func() (more bool, err error) {
		var batch object.Batch
		err = a.DB.Read(ctx, func(tx *store.Tx) error {
			batch, err = a.Objects.ZoneBatch(tx, *p.Rebuilt)
			return err
		})
		if err != nil {
			return false, err
		}
		changed := 0
		for list := range batch.Prepare(a.DB.Now()) {
			if err := a.DB.Write(ctx, func(tx *store.Tx) error { return a.Objects.FollowZones(tx, list) }); err != nil {
				return false, err
			}
			changed += len(list)
		}
		batches, total = batches+1, total+changed
		if p.Rebuilt = nil; batch.Last > 0 {
			p.Rebuilt = new(batch.Last)
		}
		if changed > 0 || batches%zoneBatches == 0 || p.Rebuilt == nil {
			err = a.DB.Write(ctx, func(tx *store.Tx) error { return a.Objects.AdvanceZones(tx, p) })
		}
		return p.Rebuilt != nil, err
	})
	if err == nil {
		a.Log.Info("the calendars follow the time zone data", "version", p.Version, "changed_entries", total)
	}
	return err
}

// retimeEvents computes the instants of the events of Social by the time zone data in use.
func (a *App) retimeEvents(ctx context.Context) error {
	last := int64(0)
	return store.RunBatches(ctx, func() (more bool, err error) {
		next := int64(0)
		err = a.DB.Write(ctx, func(tx *store.Tx) error {
			next, err = a.Social.FollowZones(tx, last)
			return err
		})
		last = next
		return last > 0, err
	})
}

// beginZones returns the progress of FollowZones, and begins a run if the time zone data in use
// is another one than that of the index.
func (a *App) beginZones(ctx context.Context) (p object.ZoneProgress, err error) {
	err = a.DB.Read(ctx, func(tx *store.Tx) error {
		p, err = a.Objects.ZoneProgress(tx)
		return err
	})
	if version := zoneinfo.Current().Version; err == nil && p.Version != version {
		p = object.ZoneProgress{Version: version, Rebuilt: new(int64)}
		err = a.DB.Write(ctx, func(tx *store.Tx) error { return a.Objects.BeginZones(tx, version) })
	}
	return p, err
}

// ReindexAll rebuilds the index of all entries from the stored iCalendar texts.
// It returns the number of entries.
func (a *App) ReindexAll(ctx context.Context) (int, error) {
	return a.reindex(ctx, a.Objects.AllObjects)
}

// reindex rebuilds the index of the entries that next returns in batches.
// Recurrences are expanded outside of transactions, because the expansion takes
// long.
func (a *App) reindex(ctx context.Context, next func(tx *store.Tx, after int64) (object.Batch, error)) (total int, err error) {
	var batch object.Batch
	err = store.RunBatches(ctx, func() (more bool, err error) {
		err = a.DB.Read(ctx, func(tx *store.Tx) error {
			batch, err = next(tx, batch.Last)
			return err
		})
		if err != nil {
			return false, err
		}
		for list := range batch.Prepare(a.DB.Now()) {
			if err := a.DB.Write(ctx, func(tx *store.Tx) error { return a.Objects.Reindex(tx, list) }); err != nil {
				return false, err
			}
			total += len(list)
		}
		return batch.Last > 0, nil
	})
	return total, err
}
