package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

// earlierVariable is the environment variable with the file of an earlier build of the program.
const earlierVariable = "EARLIER_BUILD"

// firstContent is a script that records when the page has the heading of Today and is painted, in milliseconds
// since the start of the navigation.
const firstContent = `{
	const check = () => {
		if (!document.querySelector(".hello")) return requestAnimationFrame(check);
		requestAnimationFrame(() => setTimeout(() => (globalThis.firstContentTime = performance.now())));
	};
	requestAnimationFrame(check);
}`

// TestSpeedBesideAnEarlierBuild logs how long the second visit of Today and a month with 500 entries take on a
// processor that is four times slower, in turn with this build and with an earlier one.
func TestSpeedBesideAnEarlierBuild(t *testing.T) {
	earlier := os.Getenv(earlierVariable)
	if earlier == "" {
		t.Skip(earlierVariable + " is not set")
	}
	longBrowserTest(t)
	apptest.NeedPrograms(t, "chromium")
	bin, err := apptest.Binary()
	if err != nil {
		t.Fatal(err)
	}
	bins := []string{earlier, bin}
	for _, width := range []int64{1440, 390} {
		visits, months := make([][]float64, 2), make([][]float64, 2)
		tabs := make([]*webTab, 2)
		for i, program := range bins {
			tabs[i] = newWebTab(serveProgram(t, program), "ann")
			tabs[i].resize(width, 900)
			addMonth(tabs[i].member)
			tabs[i].visit("/app/")
			evaluate[bool](tabs[i].browser, `navigator.serviceWorker.ready.then(() => true)`, chromedp.EvalAwaitPromise)
			_, err := chromedp.Call(tabs[i].ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: firstContent})
			tabs[i].must(err)
			tabs[i].visit("/app/")
			_, err = chromedp.Call(tabs[i].ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
			tabs[i].must(err)
		}
		for range 4 {
			for i, w := range tabs {
				w.visit("/app/")
				w.until("the first content", func() bool { return evaluate[bool](w.browser, "globalThis.firstContentTime > 0") })
				visits[i] = append(visits[i], evaluate[float64](w.browser, "globalThis.firstContentTime"))
				w.visit("/robots.txt") // its page does nothing during the next visits
			}
		}
		logTimes(t, "second visit", width, visits)
		for _, w := range tabs {
			w.visit("/app/in/time?view=month")
		}
		for range 2 {
			for i, w := range tabs {
				months[i] = append(months[i], evaluate[[]float64](w.browser, strings.ReplaceAll(monthTimes, `".mo .ev"`, `".mo .ev, .mo-dots i"`), chromedp.EvalAwaitPromise)...)
			}
		}
		logTimes(t, "month", width, months)
		for _, w := range tabs {
			w.visit("/robots.txt")
			w.messages()
			w.ignoreShifts()
		}
	}
}

// logTimes logs the medians of the times of the earlier and the present build, and their ratio.
func logTimes(t *testing.T, what string, width int64, times [][]float64) {
	earlier, present := median(times[0]), median(times[1])
	t.Logf("%s, width %d: earlier %.0f ms, present %.0f ms, ratio %.2f", what, width, earlier, present, present/earlier)
}

// serveProgram starts a server of a build of the program on a new data directory, without the towns of the world, whose
// loading takes half a minute of a processor.
func serveProgram(t *testing.T, program string) *server {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	setup := exec.CommandContext(t.Context(), program, apptest.SetupArgs(dir)...)
	environment := []string{"PATH=" + os.Getenv("PATH"), "TZ=" + browserZone}
	setup.Env, setup.Stdin = environment, strings.NewReader(apptest.Password)
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("setup: got %v, want success\n%s", err, out)
	}
	serve := exec.CommandContext(t.Context(), program, "serve", "--data", dir, "--listen", "127.0.0.1:0", "--log-format", "json", "--towns", "off")
	serve.Env = environment
	return &server{Process: apptest.Start(t, serve), dir: dir}
}

// addMonth imports 500 entries in this month.
func addMonth(member *apptest.Client) {
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n")
	for i := range 500 {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:e-%d\r\nDTSTAMP:20261121T000000Z\r\nDTSTART:%s%02dT%02d0000Z\r\nDURATION:PT1H\r\nSUMMARY:Entry %d\r\nEND:VEVENT\r\n", i, time.Now().Format("200601"), 1+i%28, 6+i%12, i)
	}
	text.WriteString("END:VCALENDAR\r\n")
	id := member.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	member.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+id+"/import", text.String()).Want(200)
}

// median returns the median of a list that is not empty.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
