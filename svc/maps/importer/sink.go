package importer

import (
	"context"
	"errors"
	"time"

	"appliance/svc/maps"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/tile"
)

// placeBatch is the number of places that are written together, in one transaction.
const placeBatch = 200

// tileBatch limits the bytes of tiles that are written together.
const tileBatch = 1 << 20

// maxQueue is the number of batches of places that wait to be written while the
// reading continues.
const maxQueue = 4

// errStopped ends the reading after a write has failed.
var errStopped = errors.New("a write has failed")

// sink stages the places of a file and collects its features. A goroutine writes the
// places. It implements [mapdata.Sink].
type sink struct {
	ctx    context.Context
	im     *Importer
	staged *maps.Import
	tiles  *tile.Builder
	result Result

	batch    []mapdata.Place
	queue    chan []mapdata.Place
	finished chan struct{}
	err      error // of the writes, once finished is closed
}

func (im *Importer) newSink(ctx context.Context, staged *maps.Import) (*sink, error) {
	tiles, err := tile.NewBuilder(im.Dir)
	if err != nil {
		return nil, err
	}
	s := &sink{ctx: ctx, im: im, staged: staged, tiles: tiles, queue: make(chan []mapdata.Place, maxQueue), finished: make(chan struct{})}
	go s.writePlaces()
	return s, nil
}

// writePlaces writes the queued places until the queue is closed or a write fails.
func (s *sink) writePlaces() {
	defer close(s.finished)
	size := placeBatch
	for batch := range s.queue {
		for len(batch) > 0 {
			n := min(size, len(batch))
			took, err := s.write(func() error { return s.staged.AddPlaces(s.ctx, batch[:n]) })
			if err != nil {
				s.err = err
				return
			}
			batch, size = batch[n:], nextBatch(size, took)
		}
	}
}

// write runs a write that stages rows, unless the disk is almost full.
func (s *sink) write(write func() error) (time.Duration, error) {
	if err := s.im.checkDisk(s.ctx); err != nil {
		return 0, err
	}
	return s.im.write(s.ctx, write)
}

// Other writes wait for a batch. Batches become smaller on a slow machine, so that
// they take at most about maxWriteTime.
const (
	maxWriteTime  = 100 * time.Millisecond
	minPlaceBatch = 25
)

// nextBatch returns the size of the next batch after one that took a duration.
func nextBatch(size int, took time.Duration) int {
	switch {
	case took > maxWriteTime:
		return max(size/2, minPlaceBatch)
	case took < maxWriteTime/4:
		return min(2*size, placeBatch)
	}
	return size
}

// Header implements [mapdata.Sink].
func (s *sink) Header(h mapdata.Header) error {
	s.staged.SetHeader(h)
	return nil
}

// Place implements [mapdata.Sink].
func (s *sink) Place(p mapdata.Place) error {
	s.batch = append(s.batch, p)
	s.result.Places++
	if len(s.batch) < placeBatch {
		return nil
	}
	return s.flush()
}

// flush queues the batch.
func (s *sink) flush() error {
	batch := s.batch
	s.batch = make([]mapdata.Place, 0, placeBatch)
	select {
	case s.queue <- batch:
		return nil
	case <-s.finished:
		return errStopped
	}
}

// Feature implements [mapdata.Sink]. One feature may have thousands of tiles.
func (s *sink) Feature(f mapdata.Feature) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	return s.tiles.Add(f)
}

// finish waits until the queued places are written. It returns the error of the
// reading or, if it caused that, of the writes.
func (s *sink) finish(readErr error) error {
	if readErr == nil {
		readErr = s.flush()
	}
	close(s.queue)
	<-s.finished
	if s.err != nil {
		return s.err
	}
	return readErr
}

// The reading is about this part of the work; the rest is the writing of tiles and the
// merge of the indexes.
const readingShare = 85

// reading reports the progress of the reading.
func (s *sink) reading(done, total int64) {
	s.progress(float64(done) / float64(max(total, 1)) * readingShare / 100)
}

// progress reports the part of the work that is done.
func (s *sink) progress(part float64) {
	if s.im.Progress != nil {
		s.im.Progress(int64(part*1000), 1000)
	}
}

// addTiles stages the tiles of the features.
func (s *sink) addTiles() error {
	var batch []maps.Tile
	size := 0
	flush := func() error {
		defer func() { batch, size = batch[:0], 0 }()
		_, err := s.write(func() error { return s.staged.AddTiles(s.ctx, batch) })
		return err
	}
	err := s.tiles.Tiles(func(z, x, y int, data []byte) error {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		batch = append(batch, maps.Tile{Z: z, X: x, Y: y, Data: data})
		s.result.Tiles++
		if size += len(data); size < tileBatch && len(batch) < placeBatch {
			return nil
		}
		return flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	return err
}

// close removes the temporary file of the tiles.
func (s *sink) close() error { return s.tiles.Close() }
