package load

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
)

// maxDatasetSize limits the compressed dataset of 1,000 calendar entries, in bytes.
const maxDatasetSize = 320_000

// TestDatasetOfThousandEntriesIsSmall checks the size of a compressed dataset of 1,000
// calendar entries with all their actions. Ids and ETags hardly compress; repeated text
// does only if it is within the 32 kB before it.
func TestDatasetOfThousandEntriesIsSmall(t *testing.T) {
	p := apptest.NewPopulation(t, 1)
	addDiaryEntries(p, 1000)
	ann := p.Client(1)
	events, actions := 0, 0
	dataset := ann.Do("GET", "/world/runtime").Want(200)
	for _, o := range dataset.List("objects") {
		if apptest.At(o, "object_type") == view.EventType {
			events++
			actions += len(apptest.At(o, "actions").([]any))
		}
	}
	size := compressedSize(t, ann, "/world/runtime")
	t.Logf("%d entries with %d actions: %d bytes, %d bytes compressed", events, actions, len(dataset.Body), size)
	if events != 1000 || actions < 5*events {
		t.Errorf("got %d entries with %d actions, want 1000 with 5 actions each", events, actions)
	}
	if size > maxDatasetSize {
		t.Errorf("got %d bytes, want at most %d", size, maxDatasetSize)
	}
}

// addDiaryEntries creates n events of the first member within the next 50 days, with
// different titles, times and locations.
func addDiaryEntries(p *apptest.Population, n int) {
	p.T.Helper()
	repeat(p, n, func(tx *store.Tx, i int) error {
		start := tx.Now().AddDate(0, 0, i%50).Truncate(24 * time.Hour).Add(time.Duration(8+i%10) * time.Hour)
		_, err := p.App.Calendar.Create(tx, p.Viewers[0], calendar.NewObject{ObjectType: view.EventType, Change: edit.Change{
			Title: svc.Some(fmt.Sprintf("Entry number %d of the house", i)), Location: svc.Some(fmt.Sprint("Room ", i%7)), Timezone: svc.Some("Europe/Berlin"),
			Start: svc.Some(start.Format("2006-01-02T15:04:05")), End: svc.Some(start.Add(30 * time.Minute).Format("2006-01-02T15:04:05")),
			Description: svc.Some("Bring the things of last time, and cake."),
		}})
		return err
	})
}

// compressedSize returns the size of the body of a GET, compressed with gzip.
func compressedSize(t *testing.T, c *apptest.Client, path string) int64 {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range c.With("Accept-Encoding", "gzip").Headers {
		r.Header.Set(name, value)
	}
	resp, err := c.HTTP.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	size, err := io.Copy(io.Discard, resp.Body)
	if encoding := resp.Header.Get("Content-Encoding"); err != nil || resp.StatusCode != http.StatusOK || encoding != "gzip" {
		t.Fatalf("got status %d, encoding %q and error %v, want 200 with gzip", resp.StatusCode, encoding, err)
	}
	return size
}
