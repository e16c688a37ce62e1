package browser

import (
	"testing"
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

// smallTargets is an expression with the buttons, checkboxes and items of menus in view whose
// target on a touch screen is smaller than 44 pixels in one direction. Grids of days, whose
// columns share the width of the window, are left out.
const smallTargets = `[...document.querySelectorAll("button, summary, input[type=checkbox], input[type=radio], [role^=menuitem], [role=option]")].filter((control) => {
	if (!control.checkVisibility() || control.closest(".mo, .wk, .mini, .strip, .map") || control.disabled) return false;
	const target = control.closest("label") ?? control;
	control.scrollIntoView({ block: "center", inline: "center" });
	const { x, y, width, height } = control.getBoundingClientRect();
	if (width < 2) return false;
	const holds = (dx, dy) => {
		const hit = document.elementFromPoint(x + width / 2 + dx, y + height / 2 + dy);
		return hit && target.contains(hit);
	};
	if (!holds(0, 0)) return false;
	const span = (dx, dy) => {
		let size = 0;
		for (const sign of [1, -1]) for (let i = 0; i < 22 && holds(sign * i * dx, sign * i * dy); i++) size++;
		return size;
	};
	const box = target.getBoundingClientRect();
	return Math.max(span(1, 0), box.width) < 43 || Math.max(span(0, 1), box.height) < 43;
}).map((control) => (control.getAttribute("aria-label") || control.textContent || control.value).trim() + " " + control.className)`

// Buttons, checkboxes and menus have targets of at least 44 pixels on a touch screen. The circle of
// a task is smaller than its target.
func TestControlsAreLargeEnoughToTouch(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	w.resize(390, 844)
	check := func(screen string) {
		t.Helper()
		w.takePicture("touch-" + screen)
		if small := evaluate[[]string](w.browser, smallTargets); len(small) > 0 {
			t.Errorf("%s: got the small targets %q, want none below 44 pixels", screen, small)
		}
	}
	for _, s := range []screen{
		{"today", "/app/"}, {"tasks", "/app/in/time?view=tasks"}, {"week", "/app/in/time?view=week"}, {"agenda", "/app/in/time?view=agenda"},
		{"activity", "/app/in/social"}, {"people", "/app/in/social?view=people"}, {"person", "/app/at/{person}"}, {"conversation", "/app/at/{conversation}"},
		{"event", "/app/at/{event}"}, {"calendars", "/app/settings/calendars"},
	} {
		w.visit(f.resolve(s.path))
		check(s.name)
	}
	w.visit("/app/in/time?view=month")
	check("month")
	w.click("button", "View…")
	check("menu")
	w.typeKeys("\x1b")
	w.click("button", "New")
	w.click("button", "More")
	w.selectOption("Repeats", "Custom")
	w.node("group", "Days")
	check("repeat")
}
