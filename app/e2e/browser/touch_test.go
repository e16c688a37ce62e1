package browser

import (
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// point is a position in the window, in CSS pixels.
type point struct{ x, y float64 }

func (p point) plus(x, y float64) point { return point{p.x + x, p.y + y} }

// line returns the points of a uniform movement with a number of steps.
func line(from, to point, steps int) (path []point) {
	for i := range steps + 1 {
		part := float64(i) / float64(steps)
		path = append(path, from.plus(part*(to.x-from.x), part*(to.y-from.y)))
	}
	return path
}

// touch sends an event of a touch screen with a finger at each of the points.
func (w *webTab) touch(kind input.DispatchTouchEventType, fingers ...point) {
	w.server.T.Helper()
	w.touchAt(time.Now(), kind, fingers...)
}

// touchAt sends an event of a touch screen with a timestamp.
func (w *webTab) touchAt(at time.Time, kind input.DispatchTouchEventType, fingers ...point) {
	w.server.T.Helper()
	points := []*input.TouchPoint{}
	for i, p := range fingers {
		points = append(points, &input.TouchPoint{X: p.x, Y: p.y, ID: ptr(float64(i))})
	}
	_, err := chromedp.Call(w.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points, Timestamp: input.TimeSinceEpoch(float64(at.UnixMicro()) / 1e6)})
	w.must(err)
}

// moveFingers moves fingers along paths with the same number of points, at 60 events per second,
// and lifts them after a rest. The page sees these times, even if the machine is busy.
func (w *webTab) moveFingers(rest time.Duration, paths ...[]point) {
	w.server.T.Helper()
	at := time.Now()
	kind := input.DispatchTouchEventTypeTouchStart
	for step := range paths[0] {
		var fingers []point
		for _, path := range paths {
			fingers = append(fingers, path[step])
		}
		w.touchAt(at, kind, fingers...)
		kind = input.DispatchTouchEventTypeTouchMove
		at = at.Add(time.Second / 60)
	}
	w.touchAt(at.Add(rest), input.DispatchTouchEventTypeTouchEnd)
	w.waitUntilIdle()
}

// tap touches a point without a movement.
func (w *webTab) tap(p point) {
	w.server.T.Helper()
	w.moveFingers(0, []point{p})
}

// swipe moves a finger sideways by a distance, with the gesture synthesis of Chromium.
func (w *webTab) swipe(from point, distance float64) {
	w.server.T.Helper()
	_, err := chromedp.Call(w.ctx, input.SynthesizeScrollGesture, input.SynthesizeScrollGestureParams{X: from.x, Y: from.y, XDistance: distance, GestureSourceType: input.GestureSourceTypeTouch})
	w.must(err)
}
