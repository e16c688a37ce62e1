package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// monthTimes is a script that shows the week and then the month several times, and returns the
// time until the entries of each month are painted, in milliseconds.
const monthTimes = `(async () => {
	const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
	const until = async (selector) => {
		while (!document.querySelector(selector)) await new Promise(requestAnimationFrame);
		await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	};
	const times = [];
	for (let i = 0; i < 9; i++) {
		press("2");
		await until(".wk-body");
		await new Promise((done) => setTimeout(done, 300));
		const start = performance.now();
		press("3");
		await until(".mo .ev");
		times.push(performance.now() - start);
	}
	return times.sort((a, b) => a - b);
})()`

// TestMonthWith500Entries logs how long a month with 500 entries takes until it is painted, on a processor
// that is four times slower.
func TestMonthWith500Entries(t *testing.T) {
	s := serveHTTPLong(t)
	addMonth(s.SignIn("ann"))
	for _, c := range []struct{ width, height int64 }{{1440, 900}, {390, 844}} {
		w := newWebTab(s, "ann")
		w.resize(c.width, c.height)
		w.visit("/app/in/time?view=month")
		w.until("entries", func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".mo .ev, .mo-dots i")`) })
		_, err := chromedp.Call(w.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
		w.must(err)
		times := evaluate[[]float64](w.browser, strings.ReplaceAll(monthTimes, `".mo .ev"`, `".mo .ev, .mo-dots i"`), chromedp.EvalAwaitPromise)
		t.Logf("%d px: median %.0f ms of %.0f", c.width, times[len(times)/2], times)
		w.ignoreShifts()
	}
}
