package browser

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// slotTexts is a script that returns the visible texts of each slot of the week, by its title: "title2" is
// a title of two lines, and "cut" for a text that is partly outside of its slot
// or on another one.
const slotTexts = `Object.fromEntries([...document.querySelectorAll(".slot")].map((slot) => {
	const box = slot.getBoundingClientRect();
	const isHidden = (part, time) => time && time.getBoundingClientRect().top > part.getBoundingClientRect().bottom - 2;
	const shown = [...slot.querySelectorAll(".slot-texts > *")].filter((part) => (
		getComputedStyle(part).display !== "none" && !isHidden(part, part.querySelector("time"))));
	const boxes = shown.map((part) => part.getBoundingClientRect());
	const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
	const texts = shown.map((part, i) => {
		const { top, bottom, height } = boxes[i];
		const count = part.matches(".slot-title") ? Math.round(height / parseFloat(getComputedStyle(part).lineHeight)) : 1;
		const lines = count > 1 ? count : "";
		const isCut = top < box.top - 0.5 || bottom > box.bottom + 0.5 || boxes.some((other, j) => j !== i && overlap(boxes[i], other));
		const isLong = [...part.querySelectorAll("time")].some((time) => {
			return !isHidden(part, time) && time.getBoundingClientRect().right > boxes[i].right + 1;
		});
		return part.className.replace("slot-", "") + lines + (isCut || isLong ? " cut" : "");
	});
	return [slot.querySelector(".slot-title").textContent, texts.join(" ")];
}))`

// The texts of an entry in the week depend on its height and its width: what does not fit is left
// out and not cut. Short entries are drawn longer, and have lanes of their own if they then overlap.
func TestTextsOfTheWeekAreNotCut(t *testing.T) {
	s := serveHTTPLong(t)
	ann := s.SignIn("ann")
	add := func(title, start, end string) {
		ann.Do("POST", "/world/time/objects", map[string]any{
			"object_type": "calendar_event", "title": title, "start": day(7) + "T" + start + ":00", "end": day(7) + "T" + end + ":00",
			"timezone": "Europe/Berlin", "location": "Msida pontoon",
		}).Want(201)
	}
	const (
		long = "Committee of the sailing club"
		tall = "Lecture of the harbour master on ropes, knots and sails"
	)
	add("Quarter", "07:00", "07:15")
	add("Next", "07:20", "07:35")
	add("Half", "08:00", "08:30")
	add("Three", "09:00", "09:45")
	add("Hour", "10:00", "11:00")
	add("Place", "11:00", "12:15")
	add(long, "13:00", "14:30")
	for _, title := range []string{"Lane", "Second", "Third", "Fourth"} {
		add(title, "15:00", "16:30")
	}
	add(tall, "17:00", "19:00")
	add("Beside it", "17:00", "19:00")
	w := newWebTab(s, "ann")
	for _, c := range []struct {
		width, height int64
		want          map[string]string // where it is not that of a column that is wide enough
	}{
		{1440, 900, map[string]string{"Quarter": "title", "Next": "title", "Lane": "title2", tall: "title3 sub"}},
		{1024, 768, map[string]string{"Quarter": "title", "Next": "title", "Half": "title", "Hour": "title", "Place": "title sub", "Lane": "title2", tall: "title5"}},
		{390, 844, map[string]string{long: "title time sub", "Lane": "title time sub"}}, // the long title fits into one line
	} {
		w.resize(c.width, c.height)
		w.visit("/app/in/time?view=week&date=" + day(7))
		w.node("link", "Half…")
		got := evaluate[map[string]string](w.browser, slotTexts)
		want := map[string]string{
			"Quarter": "title time", "Next": "title time", "Half": "title time", "Three": "title time", "Hour": "title time", "Place": "title time sub",
			long: "title2 time sub", "Lane": "title", tall: "title3 time sub",
		}
		maps.Copy(want, c.want)
		for _, title := range slices.Sorted(maps.Keys(want)) {
			if got[title] != want[title] {
				t.Errorf("%d px, %s: got the texts %q, want %q", c.width, title, got[title], want[title])
			}
		}
		for _, scheme := range []string{"light", "dark"} {
			w.setMediaFeatures(map[string]string{"prefers-color-scheme": scheme})
			w.takePicture(fmt.Sprintf("week-%d-%s", c.width, scheme))
		}
		w.ignoreShifts()
	}
}

// calendarColors returns the colors with which the column beside the calendar shows calendars, by name.
func (w *webTab) calendarColors() string {
	return strings.Join(evaluate[[]string](w.browser, `[...document.querySelectorAll(".callist .check")].map((line) =>
		line.textContent.trim() + " " + getComputedStyle(line.querySelector("input")).borderTopColor)`), ", ")
}

// Calendars that are created without a choice of a color have different ones, which dark mode shows with
// their values for it. Covers B-127.
func TestNewCalendarsHaveDifferentColors(t *testing.T) {
	s := serveHTTPLong(t)
	ann := s.SignIn("ann")
	ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	ann.Do("POST", "/world/calendars", `{"name": "Mine", "color": "#102030"}`).Want(201)
	w := newWebTab(s, "ann")
	w.resize(1440, 900)
	w.visit("/app/in/time?view=week")
	w.click("button", "New calendar")
	w.enter("textbox", "Name", "Choir")
	if got := w.node("radio", "Ink"); !evaluate[bool](w.browser, `document.querySelector(".swatches input:checked").value === "#212e42"`) {
		t.Errorf("got another color than %v, want the next one of the palette", got)
	}
	w.takePicture("calendar-form")
	w.clickLast("button", "New calendar")
	w.node("checkbox", "Choir")
	for scheme, want := range map[string]string{
		"light": "Calendar rgb(78, 124, 254), Work rgb(177, 130, 22), Mine rgb(16, 32, 48), Choir rgb(33, 46, 66)",
		"dark":  "Calendar rgb(74, 115, 210), Work rgb(251, 230, 115), Mine color(srgb 0.343922 0.387843 0.431765), Choir rgb(222, 229, 239)",
	} {
		w.setMediaFeatures(map[string]string{"prefers-color-scheme": scheme})
		if got := w.calendarColors(); got != want {
			t.Errorf("%s: got the colors %s, want %s", scheme, got, want)
		}
	}
	if got, want := ann.Do("GET", "/world/calendars").Want(200).Str("calendars.3.color"), "#212e42"; got != want {
		t.Errorf("got the color %s, want %s", got, want)
	}
}

// The week of a phone shows one, three or seven days at a time, as chosen on this device, and its arrows show as
// many days later or earlier.
func TestWeekOfAPhoneShowsTheChosenNumberOfDays(t *testing.T) {
	s := serveHTTPLong(t)
	w := newWebTab(s, "ann")
	w.resize(390, 844)
	w.visit("/app/in/time?view=week")
	columns := func() int { return evaluate[int](w.browser, `document.querySelectorAll(".wk-day").length`) }
	choose := func(label string) {
		w.click("button", "View: Week")
		w.click("menuitemradio", label)
	}
	for _, c := range []struct {
		label string
		want  int
	}{{"3 days at a time", 3}, {"7 days at a time", 7}, {"1 day at a time", 1}, {"7 days at a time", 7}} {
		choose(c.label)
		w.until(c.label, func() bool { return columns() == c.want })
		date := func() string {
			return evaluate[string](w.browser, `new URLSearchParams(location.search).get("date") ?? ""`)
		}
		w.click("button", "Later")
		w.until("the days after "+c.label, func() bool { return date() == day(c.want) })
		w.click("button", "Earlier")
		w.until("the present days", func() bool { return date() == "" })
		for _, scheme := range []string{"light", "dark"} {
			w.setMediaFeatures(map[string]string{"prefers-color-scheme": scheme})
			w.takePicture(fmt.Sprintf("week-390-days%d-%s", c.want, scheme))
		}
	}
	w.visit("/app/in/time?view=week")
	w.until("the choice after a new visit", func() bool { return columns() == 7 })
	w.ignoreShifts()
}

// An entry that has begun and not ended is above the line of the present time, in Today, in the agenda and
// in the month of a phone.
func TestRunningEntryIsAboveTheLineOfThePresentTime(t *testing.T) {
	s := serveHTTPLong(t)
	now := time.Now().UTC()
	at := func(minutes int) string { return now.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339) }
	s.SignIn("ann").Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "Running", "start": at(-20), "end": at(20), "timezone": "Europe/Berlin",
	}).Want(201)
	w := newWebTab(s, "ann")
	w.resize(390, 844)
	for _, path := range []string{"/app/", "/app/in/time?view=agenda", "/app/in/time?view=month"} {
		w.visit(path)
		w.see("Running")
		w.until("the line", func() bool { return evaluate[bool](w.browser, `!!document.querySelector("li.now")`) })
		got := evaluate[string](w.browser, `[...document.querySelector("li.now").parentNode.children].map((row) => row.matches(".now") ? "now" : row.querySelector(".strong").textContent).join(", ")`)
		if want := "Running, now"; got != want {
			t.Errorf("%s: got the rows %s, want %s", path, got, want)
		}
		w.ignoreShifts()
	}
}

// An event in the member's calendar has the color of its entry there in Social, too.
func TestEventHasTheColorOfItsEntry(t *testing.T) {
	s := serveHTTPLong(t)
	ann := s.SignIn("ann")
	start := time.Now().UTC().Add(26 * time.Hour)
	id := ann.Do("POST", "/world/social/events", map[string]any{
		"title": "Supper", "start": start.Format(time.RFC3339), "end": start.Add(time.Hour).Format(time.RFC3339), "timezone": "Europe/Berlin",
	}).Want(201).Str("event.id")
	calendar := ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	ann.Do("PATCH", "/world/calendars/"+calendar, `{"color": "#e9529e"}`).Want(200)
	w := newWebTab(s, "ann")
	color := func(selector string) string {
		w.until(selector, func() bool { return evaluate[bool](w.browser, fmt.Sprintf(`!!document.querySelector(%q)`, selector)) })
		return evaluate[string](w.browser, fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).getPropertyValue("--c")`, selector))
	}
	for path, selector := range map[string]string{"/app/in/time?view=agenda": ".ag-bar", "/app/in/social?view=events&id=" + id: ".datebox"} {
		w.visit(path)
		w.see("Supper")
		if got, want := color(selector), "#e9529e"; got != want {
			t.Errorf("%s: got the color %q, want %s", path, got, want)
		}
		w.ignoreShifts()
	}
}

// A week starts at the start of the day whenever it is shown, also after another view.
func TestWeekStartsAtTheStartOfTheDayAgain(t *testing.T) {
	w := newWebTab(serveHTTPLong(t), "ann")
	w.resize(1440, 700)
	w.visit("/app/in/time?view=week")
	position := func() float64 { return evaluate[float64](w.browser, `document.querySelector(".wk").scrollTop`) }
	w.until("the start of the day", func() bool { return position() > 0 })
	want := position()
	evaluate[bool](w.browser, `document.querySelector(".wk").scrollTop = 0, true`)
	w.pressKey('3', 0)
	w.until("the month", func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".mo")`) })
	w.pressKey('2', 0)
	w.until("the week", func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".wk")`) })
	if got := position(); got != want {
		t.Errorf("got the position %v, want %v", got, want)
	}
	w.ignoreShifts()
}
