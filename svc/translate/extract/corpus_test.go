package extract_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc/translate/extract"
	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// minCorrect is the minimum number of pages of the corpus that result in exactly the
// expected parts.
const minCorrect = 38

// The saved pages in the folder TEST_CORPUS result in the expected parts.
// Covers S-45.
func TestPartsOfSavedPages(t *testing.T) {
	dir := os.Getenv("TEST_CORPUS")
	if dir == "" {
		t.Log("no saved pages; TEST_CORPUS names their folder")
		return
	}
	rows := manifest(t, filepath.Join(dir, "pages"))
	correct := 0
	for _, row := range rows {
		body, err := os.ReadFile(filepath.Join(dir, "pages", row["file"]))
		if err != nil {
			t.Fatal(err)
		}
		p, err := page.Parse(row["url"], "", body)
		if err != nil {
			t.Errorf("%s: %v", row["file"], err)
			continue
		}
		var want, got []string
		for name := range strings.FieldsFuncSeq(row["surfaces_strict"], func(c rune) bool { return c == '|' }) {
			name, dated := strings.CutSuffix(strings.TrimPrefix(name, "web_"), "?")
			if !dated || row["event_start_max"] != "" {
				want = append(want, name)
			}
		}
		list := extractAll(p, before(t, row["event_start_max"]))
		for _, e := range list {
			got = append(got, e.Kind)
		}
		slices.Sort(want)
		kinds := slices.Clone(got)
		slices.Sort(kinds)
		mark := "different"
		if slices.Equal(slices.Compact(kinds), want) {
			correct++
			mark = "as expected"
		}
		t.Logf("%-50.50s %-11s want %-28s got %s", filepath.Base(row["file"]), mark, strings.Join(want, " "), strings.Join(got, " "))
		if testing.Verbose() {
			for _, e := range list {
				t.Logf("    %s: %s %q %v", e.Kind, e.Title, e.Summary, e.Details)
			}
		}
	}
	t.Logf("%d of %d pages as expected", correct, len(rows))
	if correct < minCorrect {
		t.Errorf("got %d pages as expected, want at least %d", correct, minCorrect)
	}
}

// extractAll returns the parts of a page.
func extractAll(p *page.Page, now time.Time) []extract.Extracted {
	return extract.All(extract.Input{Page: p, Graph: schemaorg.Parse(p), Now: now, Text: maintext.Find(p)})
}

// manifest returns the rows of manifest.csv as maps by column.
func manifest(t *testing.T, dir string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "manifest.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || len(records) < 2 {
		t.Fatalf("got %d records, %v, want a header and rows", len(records), err)
	}
	for _, record := range records[1:] {
		row := make(map[string]string)
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// before returns a time one second before the start of an event, a fixed time for "".
func before(t *testing.T, start string) time.Time {
	t.Helper()
	if start == "" {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, start); err == nil {
			return at.Add(-time.Second)
		}
	}
	t.Fatalf("got the start %q, want a date", start)
	return time.Time{}
}
