package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/reader"
)

// TownsRegion is the name of the region of the embedded gazetteer.
const TownsRegion = "towns"

// Importer imports regions.
type Importer struct {
	Maps *maps.Service
	DB   *store.DB
	Dir  string // directory of temporary files

	// Paced runs a write and waits afterwards, so that other processes get the write
	// lock. It returns the duration of the write. It may be nil.
	Paced func(ctx context.Context, write func() error) (time.Duration, error)

	// Waiting is called once if an import must wait until another one has ended, with
	// the name of its region, or "" if that is unknown. It may be nil.
	Waiting func(region string)

	// Progress is called with the part of the work that is done. It may be nil.
	Progress func(done, total int64)
}

// Result describes a published region.
type Result struct {
	Places, Tiles int
	Duration      time.Duration // of the import, without the time that it waited for another
}

// File imports a file as the region with a name, in place of the previous region of
// that name. It waits until no other import is running. If it fails or ctx ends, the
// previous region stays.
func (im *Importer) File(ctx context.Context, name string, f reader.File) (Result, error) {
	if name == TownsRegion {
		return Result{}, svc.FieldError(svc.InvalidValue, "name", "The name %s is reserved for the towns that are part of the program. Choose another name.", TownsRegion)
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, &contextReader{ctx, io.NewSectionReader(f.Content, 0, f.Size)}); err != nil {
		return Result{}, err
	}
	region := maps.NewRegion{Name: name, Format: maps.Format(f.Format), FileSize: f.Size, Checksum: hex.EncodeToString(hash.Sum(nil))}
	return im.region(ctx, region, func(s *sink) error {
		options := reader.Options{Region: name, Dir: im.Dir, Progress: s.reading}
		return reader.Read(ctx, f, options, s)
	})
}

// region stages the region that read passes to the sink, and publishes it.
func (im *Importer) region(ctx context.Context, r maps.NewRegion, read func(*sink) error) (result Result, err error) {
	staged, err := im.begin(ctx, r)
	if err != nil {
		return result, err
	}
	began := im.DB.Now()
	defer func() {
		if abortErr := staged.Abort(ctx); err == nil { // no effect after Publish
			err = abortErr
		}
	}()
	s, err := im.newSink(ctx, staged)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.finish(read(s)); err != nil {
		return result, err
	}
	if err := s.addTiles(); err != nil {
		return result, err
	}
	if err := im.writeAll(ctx, func() (bool, error) { return staged.Merge(ctx) }); err != nil {
		return result, err
	}
	s.progress(1)
	err = staged.Publish(ctx)
	s.result.Duration = im.DB.Now().Sub(began)
	return s.result, err
}

// lockInterval is the time between two attempts to begin an import.
const lockInterval = 200 * time.Millisecond

// begin begins to stage a region. It waits until no other import is running.
func (im *Importer) begin(ctx context.Context, r maps.NewRegion) (*maps.Import, error) {
	for attempt := 0; ; attempt++ {
		staged, err := im.Maps.Begin(ctx, im.DB, r)
		if !errors.Is(err, maps.ErrImportRunning) {
			return staged, err
		}
		if attempt == 1 && im.Waiting != nil { // not at the first attempt: Sweep holds the lock for a short time
			var running string
			err := im.DB.Read(ctx, func(tx *store.Tx) (err error) {
				running, err = im.Maps.StagedName(tx)
				return err
			})
			if err != nil {
				return nil, err
			}
			im.Waiting(running)
		}
		select {
		case <-time.After(lockInterval):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Sweep deletes the rows of replaced regions and of killed imports, in batches.
func (im *Importer) Sweep(ctx context.Context) error {
	return im.writeAll(ctx, func() (bool, error) { return im.Maps.Sweep(ctx, im.DB) })
}

// writeAll calls batch, each time as a paced write, until it reports that there is no
// more to do.
func (im *Importer) writeAll(ctx context.Context, batch func() (more bool, err error)) error {
	for more := true; more; {
		_, err := im.write(ctx, func() (err error) {
			more, err = batch()
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// An import leaves disk space to other writes: diskReserve bytes, of which logReserve
// are outside of the database file, where the write-ahead log is.
const (
	diskReserve = 12 << 20
	logReserve  = 6 << 20
)

// checkDisk returns an error if the disk is almost full. Where the free space is
// unknown, it returns nil.
func (im *Importer) checkDisk(ctx context.Context) error {
	_, free, err := store.FileSystem(im.Dir)
	if err != nil || free >= diskReserve {
		return nil
	}
	inside, err := im.DB.FreeBytes(ctx)
	if err == nil && (free < logReserve || int64(free)+inside < diskReserve) {
		err = errors.New("the disk is almost full: free some space and import the file again")
	}
	return err
}

// write runs a write, with the pause that the importer requires. It returns the
// duration of the write, 0 if the importer is not paced.
func (im *Importer) write(ctx context.Context, write func() error) (time.Duration, error) {
	if im.Paced == nil {
		return 0, write()
	}
	return im.Paced(ctx, write)
}

// contextReader ends with ctx.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, r.ctx.Err()
	}
	return r.Reader.Read(p)
}
