package browser

import (
	"testing"
	"time"
)

// liftedText returns the text of the entry that is being dragged, or "".
func (w *webTab) liftedText() string {
	return evaluate[string](w.browser, `document.querySelector(".drag")?.textContent ?? ""`)
}

// openDayOnPhone shows the hours of tomorrow on a phone, with an entry at 1 PM, and scrolls to it. It
// returns the tab and the height of an hour.
func openDayOnPhone(t *testing.T) (w *webTab, hour float64) {
	s := serveHTTPLong(t)
	s.SignIn("ann").Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "Dentist", "start": day(1) + "T13:00:00", "end": day(1) + "T14:00:00", "timezone": "Europe/Berlin",
	}).Want(201)
	w = newWebTab(s, "ann")
	w.resize(390, 844)
	w.expectMessages("navigator.vibrate") // Chromium blocks it before the first tap
	w.visit("/app/in/time?view=week&date=" + day(1))
	w.node("link", "Dentist…1:00 PM…").middle()
	return w, evaluate[float64](w.browser, `document.querySelector(".wk-body").clientHeight / 24`)
}

// A long press lifts an entry, and dragging moves it to another hour.
func TestFingerMovesAnEntry(t *testing.T) {
	w, hour := openDayOnPhone(t)
	at := w.node("link", "Dentist…1:00 PM…").middle()
	w.touch("touchStart", at)
	w.until("the lifted entry", func() bool { return w.liftedText() != "" })
	for i := range 8 {
		w.touch("touchMove", at.plus(0, hour*float64(i+1)/4))
	}
	w.until("the new time", func() bool { return w.liftedText() == "Dentist3:00 PM–4:00 PM" })
	w.touch("touchEnd")
	w.node("link", "Dentist…3:00 PM…")
	w.see("Dentist is now on")
}

// A finger that moves without a long press scrolls and moves no entry, also if a busy page receives
// the movement late.
func TestFingerScrolls(t *testing.T) {
	w, hour := openDayOnPhone(t)
	for _, isBusy := range []bool{false, true} {
		at := w.node("link", "Dentist…1:00 PM…").middle()
		before := evaluate[float64](w.browser, "scrollY")
		start := time.Now()
		w.touchAt(start, "touchStart", at)
		if isBusy {
			w.until("the lifted entry", func() bool { return w.liftedText() != "" })
		}
		for i := range 8 {
			w.touchAt(start.Add(time.Duration(i+1)*time.Second/60), "touchMove", at.plus(0, -hour*float64(i+1)/4))
		}
		w.touch("touchEnd")
		w.until("a scrolled page", func() bool { return evaluate[float64](w.browser, "scrollY") > before })
		w.waitUntilIdle()
		w.node("link", "Dentist…1:00 PM…")
		if got := w.liftedText(); got != "" {
			t.Errorf("busy %t: got the lifted entry %q, want none", isBusy, got)
		}
		if got, want := w.address(), "/app/in/time?view=week&date="+day(1); got != want {
			t.Errorf("busy %t: got the page %s, want %s", isBusy, got, want)
		}
	}
}

// A second finger cancels dragging, and the entry keeps its time.
func TestSecondFingerEndsDragging(t *testing.T) {
	w, hour := openDayOnPhone(t)
	at := w.node("link", "Dentist…1:00 PM…").middle()
	w.touch("touchStart", at)
	w.until("the lifted entry", func() bool { return w.liftedText() != "" })
	w.touch("touchMove", at.plus(0, hour))
	w.touch("touchStart", at.plus(0, hour), point{at.x / 2, at.y})
	w.until("the end of dragging", func() bool { return w.liftedText() == "" })
	w.touch("touchEnd")
	w.node("link", "Dentist…1:00 PM…")
}

// A swipe over the hours shows the next day. A swipe over the names of the days shows the next
// week.
func TestSwipeShowsTheNextDay(t *testing.T) {
	w, _ := openDayOnPhone(t)
	w.swipe(point{300, 500}, -200)
	w.until("the next day", func() bool { return w.address() == "/app/in/time?view=week&date="+day(2) })
	w.waitUntilIdle()
	w.swipe(point{300, evaluate[float64](w.browser, `document.querySelector(".wk-head").getBoundingClientRect().bottom - 10`)}, -200)
	w.until("the next week", func() bool { return w.address() == "/app/in/time?view=week&date="+day(9) })
}
