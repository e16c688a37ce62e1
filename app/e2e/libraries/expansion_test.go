package libraries

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
)

// Limits of the comparison of one object.
const (
	maxCompared = 40 // occurrences
	maxYears    = 12
)

// randomObjects is the number of random objects.
const randomObjects = 600

// object is an object whose occurrences are compared.
type object struct {
	name, text string
	zone       *time.Location // of DTSTART; UTC if it has none
	own        []int64        // starts by this program, in seconds since 1970
	until      int64          // end of the comparison
}

// Other libraries find the same occurrences in random objects and in the shapes of
// testdata/calendar, except for the known differences. Overrides are not compared: the libraries
// leave them to their callers.
func TestOccurrencesAgreeWithOtherLibraries(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "node", "../lib/python3/dist-packages/gi")
	module := os.Getenv("ICALJS")
	if module == "" {
		t.Skip("ICALJS does not name the module of ical.js")
	}
	var objects []object
	add := func(name, text string) {
		if o, ok := newObject(name, text); ok {
			objects = append(objects, o)
		}
	}
	for _, s := range apptest.Shapes(t, "../../../testdata/calendar") {
		add(s.Name, s.Text)
	}
	for seed := range uint64(randomObjects) {
		add(fmt.Sprint("seed ", seed), icstest.NewRand(seed).CalendarObject("random"))
	}
	if len(objects) < randomObjects/2 {
		t.Fatalf("got %d objects to compare, want at least %d", len(objects), randomObjects/2)
	}
	for _, l := range []struct{ name, command, script, argument string }{
		{"libical", "/usr/bin/python3", "testdata/libical.py", ""},
		{"ical.js", "node", "testdata/icaljs.mjs", module},
	} {
		t.Run(l.name, func(t *testing.T) {
			differences := knownDifferences(l.name)
			for i, starts := range startsBy(t, objects, l.command, l.script, l.argument) {
				o := objects[i]
				if slices.Equal(starts, o.own) {
					continue
				}
				if !differences.explain(o, starts) {
					here, there := o.only(starts)
					t.Errorf("%s: got also %s, want also the %s of %s in\n%s", o.name, clocks(here), clocks(there), l.name, o.text)
				}
			}
			differences.wantAllUsed(t)
		})
	}
}

// subDaily matches rules whose computation by the libraries has no limit.
var subDaily = regexp.MustCompile(`FREQ=(HOURLY|MINUTELY|SECONDLY)`)

// newObject returns the series of an object without its overrides, with definitions of all time
// zones. It returns false if there is nothing to compare.
func newObject(name, text string) (object, bool) {
	o, err := ics.Parse([]byte(text))
	if err != nil || o.Component == "VJOURNAL" || o.Master == nil || o.Master.Time("DTSTART").IsZero() || subDaily.MatchString(text) {
		return object{}, false
	}
	d := o.Edit()
	for _, c := range o.Overrides {
		d.Calendar.RemoveBlocks(d.Block(c))
	}
	if zone := o.Master.Time("DTSTART").Zone(); zone != nil && !strings.Contains(text, "BEGIN:VTIMEZONE") {
		d.AddTimeZone(zone, o.Master.Time("DTSTART").Clock())
	}
	series, err := ics.Parse(d.Bytes())
	if err != nil {
		return object{}, false
	}
	start := series.Master.Time("DTSTART").Instant(time.UTC)
	list, _ := series.Instances(start, start.AddDate(maxYears, 0, 0), time.UTC, maxCompared+1)
	end := start.AddDate(maxYears, 0, 0).Unix() - 1
	if len(list) > maxCompared {
		end = list[maxCompared-1].StartsAt.Unix()
	}
	result := object{name: name, text: string(series.Raw), zone: time.UTC, until: end}
	if zone := series.Master.Time("DTSTART").Zone(); zone != nil {
		result.zone = zone.Location()
	}
	for _, i := range list {
		if at := i.StartsAt.Unix(); at <= end {
			result.own = append(result.own, at)
		}
	}
	slices.Sort(result.own)
	result.own = slices.Compact(result.own)
	return result, true
}

// startsBy returns the starts of the occurrences of objects by a script.
func startsBy(t *testing.T, objects []object, command string, arguments ...string) (starts [][]int64) {
	t.Helper()
	var queries [][2]any
	for _, o := range objects {
		queries = append(queries, [2]any{o.text, o.until})
	}
	input, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), command, arguments...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &starts); err != nil || len(starts) != len(objects) {
		t.Fatalf("got %d results, %v, want %d", len(starts), err, len(objects))
	}
	return starts
}

// clocks formats starts.
func clocks(starts []int64) string {
	var list []string
	for _, s := range starts[:min(len(starts), 12)] {
		list = append(list, time.Unix(s, 0).UTC().Format("20060102T1504Z"))
	}
	return fmt.Sprintf("%d: %s", len(starts), strings.Join(list, " "))
}
