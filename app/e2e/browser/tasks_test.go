package browser

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// openTasks returns the titles of the open tasks of a member.
func openTasks(c *apptest.Client) (titles []string) {
	for _, object := range c.Dataset().List("objects") {
		if at(object, "object_type") == "task" && at(object, "state.status") != "completed" {
			titles = append(titles, apptest.Text(at(object, "title")))
		}
	}
	slices.Sort(titles)
	return titles
}

// addTask adds a task of a member.
func addTask(c *apptest.Client, title string) {
	c.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": title}).Want(201)
}

// A task that is ticked and unticked before the server has responded stays open, in every list of
// tasks.
func TestUntickedTaskStaysOpen(t *testing.T) {
	s := newStub(t)
	ann := s.SignIn("ann")
	addTask(ann, "Order seed potatoes")
	for _, path := range []string{"/app/", "/app/in/time?view=tasks", "/app/in/time?view=week"} {
		t.Run(path, func(t *testing.T) {
			s.reset()
			w := newWebTab(s.server, "ann")
			w.visit(path)
			box := w.node("checkbox", "…Order seed potatoes…").middle()
			s.delay("PATCH", "/world/time/objects/*", 2*time.Second)
			before := len(s.requests("PATCH", "/world/time/objects/*"))
			for range 2 {
				w.must(chromedp.Do(w.ctx, chromedp.MouseClickXY(box.x, box.y)))
			}
			w.until("a request", func() bool { return len(s.requests("PATCH", "/world/time/objects/*")) > before })
			w.until("an empty queue", func() bool { return inApp[int](w.browser, "app.queue.list.length") == 0 })
			w.waitUntilIdle()
			if got := openTasks(ann); !slices.Equal(got, []string{"Order seed potatoes"}) {
				t.Errorf("got the open tasks %q, want the one that was ticked and taken back", got)
			}
			w.ignoreShifts()
		})
	}
}

// openOccurrence returns the day of the occurrence that an open recurring task shows.
func openOccurrence(c *apptest.Client, title string) string {
	for _, object := range c.Dataset().List("objects") {
		if at(object, "title") == title && at(object, "state.status") == "needs_action" {
			return apptest.Text(at(object, "state.occurrence.recurrence_id"))
		}
	}
	return ""
}

// Wherever a late recurring task is ticked, the member chooses whether one occurrence is done or
// all up to today, and can take it back.
func TestLateTaskAsksWhichOccurrencesAreDone(t *testing.T) {
	s := newStub(t)
	ann := s.SignIn("ann")
	for title, path := range map[string]string{"Blue bin": "/app/", "Brown bin": "/app/in/time?view=tasks", "Glass": "/app/in/time?view=week"} {
		t.Run(path, func(t *testing.T) {
			ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": title, "due": day(-10), "rrule": "FREQ=WEEKLY"}).Want(201)
			w := newWebTab(s.server, "ann")
			w.visit(path)
			for _, step := range []struct{ button, want string }{{"All up to today", day(4)}, {"Undo", day(-10)}, {"Only this one", day(-3)}} {
				if step.button != "Undo" {
					w.click("checkbox", "…"+title+"…")
					w.see("What is done?")
				}
				w.click("button", step.button)
				w.until(step.button, func() bool { return openOccurrence(ann, title) == step.want })
				w.waitUntilIdle()
			}
			w.ignoreShifts()
		})
	}
}

// Several tasks can be entered one after the other while the server responds slowly.
func TestTasksAreEnteredQuickly(t *testing.T) {
	s := newStub(t)
	ann := s.SignIn("ann")
	w := newWebTab(s.server, "ann")
	w.visit("/app/in/time?view=tasks")
	s.delay("POST", "/world/time/objects", time.Second)
	w.focus("textbox", "New task")
	w.typeKeys("Milk" + kb.Enter + "Bread" + kb.Enter)
	w.until("both requests", func() bool { return len(s.requests("POST", "/world/time/objects")) == 2 })
	w.see("Bread")
	if got := openTasks(ann); !slices.Equal(got, []string{"Bread", "Milk"}) {
		t.Errorf("got the tasks %q, want both", got)
	}
	w.ignoreShifts()
}

// The focus stays on a task beside the calendar while other data change, so that a key press ticks
// this task.
func TestFocusStaysOnTheTask(t *testing.T) {
	s := newStub(t)
	ann := s.SignIn("ann")
	for _, title := range []string{"Order seed potatoes", "Sweep the yard"} {
		addTask(ann, title)
	}
	w := newWebTab(s.server, "ann")
	w.visit("/app/in/time?view=week")
	w.focus("checkbox", "…Sweep the yard…")
	addTask(ann, "Answer the school")
	w.node("checkbox", "…Answer the school…")
	w.typeKeys(" ")
	w.until("the tick", func() bool { return len(s.requests("PATCH", "/world/time/objects/*")) == 1 })
	w.waitUntilIdle()
	if got := openTasks(ann); !slices.Equal(got, []string{"Answer the school", "Order seed potatoes"}) {
		t.Errorf("got the open tasks %q, want all but the one with the focus", got)
	}
	w.ignoreShifts()
}

// The focus stays on the answer to the same event when the list of events is rendered again.
func TestFocusStaysOnTheEvent(t *testing.T) {
	s := newStub(t)
	ann, bea := s.SignIn("ann"), s.SignIn("bea")
	house := apptest.LastSegment(bea.CreateCommunity(`{"name": "The house"}`, ann))
	invite := func(title string, n int) {
		bea.Do("POST", "/world/social/events", map[string]any{"title": title, "start": day(n) + "T18:00:00", "timezone": "Europe/Berlin", "among": house}).Want(201)
	}
	invite("Supper", 2)
	invite("Breakfast", 3)
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.see("Supper", "Breakfast")
	focusSecond := `[...document.querySelectorAll(".wait")].find((card) => card.textContent.includes("Breakfast")).querySelectorAll("button, input")[1].focus(), true`
	evaluate[bool](w.browser, focusSecond)
	invite("Lunch", 4)
	w.see("Lunch")
	if got := evaluate[string](w.browser, `document.activeElement.closest(".wait")?.querySelector(".strong")?.textContent ?? document.activeElement.tagName`); got != "Breakfast" {
		t.Errorf("got the focus in %q after a change, want it in the card of Breakfast", got)
	}
	w.ignoreShifts()
}
