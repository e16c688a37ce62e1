package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// On a phone, the map follows one finger exactly and continues after a fling, unless the member
// prefers reduced motion. Two fingers zoom about the point between them. The sheet of a place can
// be dragged to each height and does not cover the place. A tap on the map closes the sheet.
func TestTouchMovesMapAndSheet(t *testing.T) {
	populated := newPopulatedServer(t)
	w := newWebTab(populated.server, "ann")
	w.resize(390, 844)
	w.visit("/app/find?q=Corner&scope=everywhere")
	w.node("button", "Café Corner")
	before := w.markAtRest()

	w.moveFingers(100*time.Millisecond, line(point{300, 260}, point{240, 300}, 10))
	after := w.markAtRest()
	wantNear(t, "the mark after a drag", after, point{before.x - 60, before.y + 40}, 1.5)

	w.moveFingers(0, line(point{200, 260}, point{260, 260}, 5))
	thrown := w.markAtRest()
	if got := thrown.x - after.x; got < 80 {
		t.Errorf("a throw by 60 pixels moved the map by %.0f, want more than 80", got)
	}
	w.setMediaFeatures(map[string]string{"prefers-reduced-motion": "reduce"})
	w.moveFingers(0, line(point{260, 260}, point{200, 260}, 5))
	after = w.markAtRest()
	wantNear(t, "the mark after a throw without motion", after, point{thrown.x - 60, thrown.y}, 1.5)

	w.moveFingers(100*time.Millisecond, line(point{300, 260}, point{180, 260}, 10)) // back to the middle
	after = w.markAtRest()
	middle := after.plus(40, 30)
	w.moveFingers(100*time.Millisecond, line(middle.plus(-80, 0), middle.plus(-40, 0), 10), line(middle.plus(80, 0), middle.plus(40, 0), 10))
	wantNear(t, "the mark after a pinch to half of the distance", w.markAtRest(), middle.plus(-20, -15), 4)

	w.tap(w.markAtRest().plus(0, -14)) // its tip is at the place
	w.node("heading", "Café Corner")
	grip := w.node("button", "Place: half the screen. Change the height")
	mark := w.markAtRest()
	if top := evaluate[float64](w.browser, `document.querySelector(".place").getBoundingClientRect().top`); mark.y > top {
		t.Errorf("the tip of the chosen mark is at %.0f, want it above the sheet, whose top is at %.0f", mark.y, top)
	}
	w.moveFingers(100*time.Millisecond, line(grip.middle(), point{195, 40}, 10))
	grip = w.node("button", "Place: the whole screen. Change the height")
	w.moveFingers(0, line(grip.middle(), grip.middle().plus(0, 60), 4)) // a fling moves the sheet to the next height
	grip = w.node("button", "Place: half the screen. Change the height")
	w.moveFingers(100*time.Millisecond, line(grip.middle(), point{195, 780}, 10))
	w.node("button", "Place: low. Change the height")
	w.tap(point{330, 500})
	w.until("the card to close", func() bool { return !strings.Contains(w.address(), "place=") })
	w.wantNo("heading", "Café Corner")
}

func wantNear(t *testing.T, what string, got, want point, tolerance float64) {
	t.Helper()
	if math.Hypot(got.x-want.x, got.y-want.y) > tolerance {
		t.Errorf("%s is at %.1f, %.1f, want %.1f, %.1f", what, got.x, got.y, want.x, want.y)
	}
}

// markAtRest returns the position of the only mark, when the map has not moved for 20 frames.
func (w *webTab) markAtRest() point {
	w.server.T.Helper()
	w.node("button", "Café Corner")
	at, err := chromedp.Run(w.ctx, chromedp.Evaluate[[]float64](`new Promise((done) => {
		const position = () => {
			const mark = document.querySelector(".marks .mk");
			const { e, f } = new DOMMatrix(getComputedStyle(mark.parentNode).transform);
			const [x, y = 0] = mark.style.translate.split(" ").map(parseFloat);
			return [x + e, y + f];
		};
		let [last, frames] = [position(), 0];
		const look = () => {
			const now = position();
			frames = String(now) === String(last) ? frames + 1 : 0;
			last = now;
			if (frames > 20) done(now);
			else requestAnimationFrame(look);
		};
		look();
	})`, chromedp.EvalAwaitPromise))
	w.must(err)
	return point{at[0], at[1]}
}

// kiosk is a place of the field at a position.
const kiosk = `{"id": "kiosk:%[1]d", "object_type": "place", "title": "Kiosk %[1]d", "category": "shops", "kind": "Kiosk", "location": {"latitude": %[2]v, "longitude": %[3]v, "distance": 90}, "actions": []}`

// setField replaces the field of the session by one with places around a position.
func (s *stub) setField(origin point, places ...point) {
	var objects []any
	for i, p := range places {
		objects = append(objects, decodeJSON(fmt.Sprintf(kiosk, i, p.y, p.x)))
	}
	s.edit(sessionPath, func(v any) any {
		v = set(v, "field_runtime.origin", map[string]any{"latitude": origin.y, "longitude": origin.x})
		v = set(v, "field_runtime.source", map[string]any{"status": "ready", "message": ""})
		return set(v, "field_runtime.objects", objects)
	})
}

// Places stay on the map, with rings of distances, if the server has no tiles, refuses them or
// does not answer.
func TestMapShowsPlacesWithoutTiles(t *testing.T) {
	for name, answer := range map[string]func(*stub, string){
		"not found": func(s *stub, path string) { s.fail("GET", path, 404, "There is no such tile.") },
		"refused":   func(s *stub, path string) { s.fail("GET", path, 401, "Sign in first.") },
		"slow":      func(s *stub, path string) { s.delay("GET", path, time.Hour) },
		"no layer": func(s *stub, _ string) {
			s.edit(sessionPath, func(v any) any { return set(v, "field_runtime.map.layers", []any{}) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t)
			s.setField(point{14.513, 35.898}, point{14.5131, 35.8981}, point{14.52, 35.9})
			answer(s, "/world/maps/tiles/*/*/*/*")
			w := newWebTab(s.server, "ann")
			w.expectMessages(statusMessage(404), statusMessage(401))
			w.visit("/app/in/field")
			w.node("button", "Kiosk 0")
			w.node("link", "…Kiosk 1…")
			if name == "slow" {
				return
			}
			w.until("the rings", func() bool {
				return evaluate[int](w.browser, `document.querySelectorAll(".map-rings circle").length`) > 0
			})
		})
	}
}

// Closing the card of a place shows the list, after any number of opened places.
func TestClosingAPlaceShowsTheList(t *testing.T) {
	s := newStub(t)
	s.setField(point{14.513, 35.898}, point{14.5131, 35.8981}, point{14.52, 35.9})
	w := newWebTab(s.server, "ann")
	w.visit("/app/in/field")
	for _, name := range []string{"Kiosk 1", "Kiosk 0"} {
		w.click("link", "…"+name+"…")
		w.node("heading", name)
	}
	w.typeKeys(kb.Escape)
	w.until("the list", func() bool { return w.address() == "/app/in/field" && len(w.nodes("heading", "Kiosk…")) == 0 })
}

// Places on both sides of the antimeridian are neighbors on the map, and places near a pole are at
// its border.
func TestMapAtTheAntimeridianAndThePoles(t *testing.T) {
	for name, c := range map[string]struct{ origin, a, b point }{
		"antimeridian": {point{180, -16.8}, point{179.999, -16.8}, point{-179.999, -16.8}},
		"pole":         {point{25, 89.9}, point{24, 89.9}, point{26, 89.9}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t)
			s.setField(c.origin, c.a, c.b)
			w := newWebTab(s.server, "ann")
			w.expectMessages(statusMessage(404))
			w.visit("/app/in/field")
			w.node("link", "…Kiosk 0…")
			w.until("the marks", func() bool {
				return evaluate[bool](w.browser, `(() => {
					const marks = [...document.querySelectorAll(".marks button")].map((mark) => mark.getBoundingClientRect());
					return marks.length > 0 && marks.every(({ x, y }) => x > 0 && x < innerWidth && y > -50 && y < innerHeight);
				})()`)
			})
		})
	}
}
