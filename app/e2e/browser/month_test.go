package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// monthCell is a script that returns what a day of a month on a phone shows: the numbers of its bars and of its dots,
// the number of entries without a dot, and "cut" if something is outside of the week.
const monthCell = `(day) => {
	const cell = document.querySelector(".mo-cell[data-day='" + day + "']");
	const week = cell.closest(".mo-week");
	const [box, row] = [cell, week].map((node) => node.getBoundingClientRect());
	const bars = [...week.querySelectorAll(".ev")].map((bar) => bar.getBoundingClientRect()).filter(({ left, right }) => left < box.right - 8 && right > box.left + 8);
	const dots = [...cell.querySelectorAll(".mo-dots > *")].map((dot) => dot.getBoundingClientRect());
	const isCut = [...bars, ...dots].some(({ top, bottom }) => top < row.top || bottom > row.bottom) || dots.some(({ left, right }) => left < box.left || right > box.right);
	const sameLine = dots.every(({ top, bottom }) => Math.abs((top + bottom) / 2 - (dots[0].top + dots[0].bottom) / 2) < 2);
	return [bars.length, cell.querySelectorAll(".mo-dots > i").length, cell.querySelector(".mo-dots > b")?.textContent ?? "", row.height,
		isCut ? "cut" : sameLine ? "" : "stacked"].join(" ").trim();
}`

// A month on a phone shows bars and dots beside each other and cuts none. A tap chooses a day, whose entries
// and button for a new one are below. Today is always one tap away, and PgUp and PgDn show other
// months.
func TestMonthOnAPhoneShowsBarsAndDots(t *testing.T) {
	s := serveHTTPLong(t)
	ann := s.SignIn("ann")
	middle := time.Now().In(zone()).AddDate(0, 1, 0)
	middle = time.Date(middle.Year(), middle.Month(), 15, 0, 0, 0, 0, time.UTC)
	at := func(n int) string { return middle.AddDate(0, 0, n).Format(time.DateOnly) }
	number := func(n int) int64 { return middle.AddDate(0, 0, n).Unix() / 86_400 }
	add := func(title, start, end string) {
		ann.Do("POST", "/world/time/objects", map[string]any{
			"object_type": "calendar_event", "title": title, "start": start, "end": end, "timezone": "Europe/Berlin",
		}).Want(201)
	}
	for i := range 14 {
		add(fmt.Sprint("Lesson ", i), fmt.Sprintf("%sT%02d:00:00", at(0), 8+i), fmt.Sprintf("%sT%02d:30:00", at(0), 8+i))
	}
	for i := range 3 {
		add(fmt.Sprint("Visit ", i), at(0), at(2))
	}
	add("Committee", at(1)+"T08:00:00", at(1)+"T10:00:00")
	w := newWebTab(s, "ann")
	for _, width := range []int64{390, 320} {
		w.resize(width, 844)
		w.visit("/app/in/time?view=month&date=" + at(1))
		w.node("link", "Committee…")
		for n, want := range []string{"2 3 +12 60", "2 1 +1 60", "0 0  60"} {
			got := evaluate[string](w.browser, fmt.Sprintf("(%s)(%d)", monthCell, number(n)))
			if got != strings.TrimSpace(want) {
				t.Errorf("%d px, %s: got %q bars, dots, more and height, want %q", width, at(n), got, want)
			}
		}
	}
	w.resize(390, 844)
	name := func(n int) string { return middle.AddDate(0, 0, n).Format("Monday, January 2") }
	w.node("button", name(1)+", chosen, 4 entries")
	w.click("button", name(0)+"…")
	w.node("button", name(0)+", chosen, 17 entries")
	w.node("link", "Lesson 13…")
	for _, scheme := range []string{"light", "dark"} {
		w.setMediaFeatures(map[string]string{"prefers-color-scheme": scheme})
		w.takePicture("month-390-" + scheme)
	}
	w.click("button", "New on "+name(0))
	w.node("dialog", "…")
	if got := evaluate[string](w.browser, `document.querySelector("dialog input[type=text].at, dialog .input.day, dialog input[type=date]")?.value ?? ""`); !regexp.MustCompile(`15`).MatchString(got) {
		t.Errorf("got the day %q in the form, want %s", got, at(0))
	}
	w.pressKey([]rune(kb.Escape)[0], 0)
	w.focus("button", name(0)+"…")
	w.pressKey([]rune(kb.PageDown)[0], 0)
	next := middle.AddDate(0, 1, 0)
	w.node("button", next.Format("Monday, January 2")+", chosen")
	w.click("button", "Today")
	w.node("button", time.Now().In(zone()).Format("Monday, January 2")+", today, chosen")
	w.takePicture("month-390-today")
	w.ignoreShifts()
}

// With text of twice the size, the number of a day on a phone stays in its cell, and the labels of the dock are not
// cut.
func TestLargeTextOnAPhoneStaysInItsPlace(t *testing.T) {
	s := serveHTTPLong(t)
	for _, locale := range []string{"en", "de"} {
		s.SignIn("ann").Do("PATCH", "/world/identity/me", map[string]any{"locale": locale}).Want(200)
		w := newWebTab(s, "ann")
		w.resize(320, 844)
		w.visit("/app/in/time?view=month")
		evaluate[bool](w.browser, `document.documentElement.style.fontSize = "200%", true`)
		got := evaluate[[]string](w.browser, `[
			...[...document.querySelectorAll(".mo-cell")].filter((cell) => cell.querySelector(".mo-n").getBoundingClientRect().width > cell.getBoundingClientRect().width + 0.5),
			...[...document.querySelectorAll(".mo-n, .dock a > span:not(.badge)")].filter((node) => (
				node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1)),
		].map((node) => node.textContent)`)
		w.takePicture("large-text-" + locale)
		if len(got) > 0 {
			t.Errorf("%s: got cut or too wide texts %q, want none", locale, got)
		}
		w.ignoreShifts()
	}
}
