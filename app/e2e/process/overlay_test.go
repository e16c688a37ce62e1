package process

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

const findingsPerSearch = 20

// replaceOverlay replaces the overlay with the findings of a search. It returns
// an error if the server did not respond.
func replaceOverlay(c *apptest.Client, search int) error {
	findings := make([]any, findingsPerSearch)
	for i := range findings {
		findings[i] = apptest.Finding(fmt.Sprint(search, "/", i))
	}
	a, err := c.Try("POST", "/surfaces/overlay", map[string]any{"findings": findings})
	if err == nil {
		a.Want(200)
	}
	return err
}

// readOverlay returns the number of findings in the overlay, and the searches that found them.
func readOverlay(c *apptest.Client) (count int, searches []string) {
	c.T.Helper()
	list := c.Do("GET", "/surfaces?stack=finding_overlay").Want(200).List("surfaces")
	set := make(map[string]struct{})
	for _, s := range list {
		id := apptest.At(s, "runtime_state.finding.finding_id").(string)
		search, _, _ := strings.Cut(strings.TrimPrefix(id, "osm:node/"), "/")
		set[search] = struct{}{}
	}
	return len(list), slices.Sorted(maps.Keys(set))
}

// If the server is killed while the overlay is replaced, the overlay contains
// all findings of one search: the last acknowledged search or the search in
// progress. Covers S-40 and PT-12.
func TestOverlayIsReplacedAtomicallyDespiteKill(t *testing.T) {
	dir := apptest.NewDataDir(t)
	start := func() (*apptest.Process, *apptest.Client) {
		cmd := apptest.ServeCommand(t, dir, "--rate-limits", "writes=0,reads=0")
		cmd.Env = append(cmd.Env, "APPLIANCE_SERVICE_KEY="+apptest.ServiceKey)
		p := apptest.Start(t, cmd)
		ann := p.SignIn("ann")
		ann.ID = 1
		return p, ann.AsService()
	}
	acknowledged := 0 // number of the last acknowledged search
	for range 5 {
		p, client := start()
		killAfter := acknowledged + 1 + rand.IntN(30)
		for replaceOverlay(client, acknowledged+1) == nil {
			if acknowledged++; acknowledged == killAfter {
				go p.Kill()
			}
		}
		p.Kill()

		p, client = start()
		count, searches := readOverlay(client)
		last, next := fmt.Sprint(acknowledged), fmt.Sprint(acknowledged+1)
		if count != findingsPerSearch || len(searches) != 1 || searches[0] != last && searches[0] != next {
			t.Fatalf("overlay: got %d findings of the searches %q, want %d of %s or %s", count, searches, findingsPerSearch, last, next)
		}
		if searches[0] == next { // committed, but the response was lost
			acknowledged++
		}
		stop(p)
	}
}
