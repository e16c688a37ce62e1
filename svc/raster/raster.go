package raster

import (
	"context"
	"errors"
	"fmt"
	"image"

	"golang.org/x/sync/semaphore"
)

// Reason is the kind of an [Error].
type Reason int

const (
	Unsupported Reason = iota + 1 // the file is not PNG, JPEG, GIF or WebP
	TooLarge                      // the picture has too many pixels
	Damaged                       // the file cannot be decoded
	Busy                          // other pictures are being decoded
)

// Error reports that a file could not be decoded. Its text is for the log.
type Error struct {
	Reason Reason
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ReasonOf returns the reason of an error of this package, 0 for other errors.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return 0
}

// Decoder decodes one picture at a time, which limits the memory of the process. It is
// safe for concurrent use.
type Decoder struct {
	memory  int64 // for decoded pixels, in bytes
	running *semaphore.Weighted
}

// New returns a Decoder. memory limits the bytes that decoding a picture needs, also for 16-bit
// colors and progressive JPEG files.
func New(memory int64) *Decoder {
	return &Decoder{memory: memory, running: semaphore.NewWeighted(1)}
}

// Acquire waits until no picture is being decoded. No picture is decoded before release
// is called.
func (d *Decoder) Acquire(ctx context.Context) (release func(), err error) {
	if err := d.running.Acquire(ctx, 1); err != nil {
		return nil, &Error{Busy, err}
	}
	return func() { d.running.Release(1) }, nil
}

// Fit decodes the file of a picture, applies its orientation, reduces it to at most side
// pixels on each side and encodes it. Errors are of type [Error].
func (d *Decoder) Fit(ctx context.Context, file []byte, side int) (result []byte, err error) {
	err = d.decode(ctx, file, func(m image.Image, orientation int) error {
		result, err = encode(applyOrientation(reduce(m, side), orientation))
		return err
	})
	return result, err
}

// Squares decodes the file of a picture, applies its orientation, crops it to a centered
// square and encodes the square in each size. sides are the sizes in pixels, the largest
// first. A smaller picture is enlarged. Errors are of type [Error].
func (d *Decoder) Squares(ctx context.Context, file []byte, sides ...int) (results [][]byte, err error) {
	err = d.decode(ctx, file, func(m image.Image, orientation int) error {
		for _, side := range sides {
			square := scale(m, centeredSquare(m.Bounds()), side, side)
			m = square // smaller sizes are made from the largest
			data, err := encode(applyOrientation(square, orientation))
			if err != nil {
				return err
			}
			results = append(results, data)
		}
		return nil
	})
	return results, err
}

// decode decodes a file and calls use with the picture and its orientation.
func (d *Decoder) decode(ctx context.Context, file []byte, use func(m image.Image, orientation int) error) (err error) {
	release, err := d.Acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	defer func() {
		if v := recover(); v != nil { // net/http does not recover panics in other goroutines
			err = &Error{Damaged, fmt.Errorf("panic while decoding: %v", v)}
		}
	}()
	m, orientation, err := decodeFile(file, d.memory)
	if err != nil {
		return err
	}
	return use(m, orientation)
}

// Type returns the media type of a file by its content, "" if it is not supported.
func Type(file []byte) string {
	if f := formatOf(file); f != nil {
		return f.mediaType
	}
	return ""
}
