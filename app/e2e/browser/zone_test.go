package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// setZone sets the time zone of the tab.
func (b *browser) setZone(zone string) {
	_, err := chromedp.Call(b.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone})
	b.must(err)
}

// The first browser of a member who was added on a server in another time zone sets the time zone of the member:
// a lunch at 12:30 is at 12:30. A later browser asks once per time zone. Covers B-126.
func TestFirstBrowserSetsTheTimeZone(t *testing.T) {
	longBrowserTest(t)
	s := serveHTTP(t, "--timezone", "UTC")
	s.addMember("bea")
	w := newBrowser(s).webTab("bea")
	w.visit("/app/in/time?view=week")
	w.wantText("Your times are shown in the time zone of this browser, Europe/Berlin.")
	w.takeScreenshot("zone-stored")
	w.click("button", "That is right")
	w.typeKeys("n")
	w.enter("textbox", "Starts", day(2))
	w.enter("combobox", "Starts: time", "12:30")
	w.enter("textbox", "Title", "Lunch")
	w.clickLast("button", "Save")
	w.wantNo("dialog", "…")
	lunch := w.member.Dataset().Object("objects", "calendar_event Lunch")
	if got, want := at(lunch, "state.start.date_time"), day(2)+"T12:30:00"; got != want {
		t.Errorf("got the start %v, want %s", got, want)
	}
	if got, want := at(lunch, "state.start.utc"), day(2)+"T11:30:00Z"; got != want {
		t.Errorf("got the start %v in UTC, want %s", got, want)
	}
	w.setZone("America/New_York")
	w.visit("/app/in/time?view=agenda")
	w.wantText("This browser is in the time zone America/New York.", "12:30")
	w.takeScreenshot("zone-asked")
	w.click("button", "Keep Europe/Berlin")
	w.waitUntilIdle()
	w.visit("/app/")
	w.waitUntilIdle()
	if text := w.text(); strings.Contains(text, "New York") {
		t.Errorf("after the answer: got %s, want no question", text)
	}
	w.setZone("Asia/Tokyo")
	w.visit("/app/")
	w.wantText("This browser is in the time zone Asia/Tokyo.")
	w.click("button", "Use Asia/Tokyo")
	w.until("the new time zone", func() bool {
		return w.member.Do("GET", "/identity/me").Want(200).Str("member.timezone") == "Asia/Tokyo"
	})
	w.ignoreShifts()
}
