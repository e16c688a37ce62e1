package crash

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// A server that is killed while what was found is being replaced has all that
// one search found after that, and of no search before the last that it
// acknowledged. Covers S-40 and PT-12.
func TestOverlayOfAKilledServer(t *testing.T) {
	dir := apptest.NewDataDir(t)
	last := 0 // search that was acknowledged
	var p *apptest.Process
	again := func() (in *apptest.Client) {
		cmd := apptest.ServeCommand(t, dir, "--rate-limits", "writes=0,reads=0")
		cmd.Env = append(cmd.Env, "APPLIANCE_SERVICE_KEY="+apptest.ServiceKey)
		p = apptest.Start(t, cmd)
		ann := p.SignIn("ann")
		ann.ID = 1
		return ann.AsService()
	}
	for range 5 {
		in := again()
		for enough := last + 1 + rand.IntN(30); ; {
			found := make([]any, 20)
			for i := range found {
				found[i] = apptest.Finding(fmt.Sprint(last+1, "/", i))
			}
			a, err := in.Try("POST", "/surfaces/overlay", map[string]any{"findings": found})
			if err != nil { // it was killed
				break
			}
			a.Want(200)
			if last++; last == enough {
				go p.Kill()
			}
		}
		p.Kill()
		now := again().Do("GET", "/surfaces?stack=finding_overlay").Want(200).List("surfaces")
		searches := make(map[string]bool)
		for _, s := range now {
			search, _, _ := strings.Cut(strings.TrimPrefix(apptest.At(s, "runtime_state.finding.finding_id").(string), "osm:node/"), "/")
			searches[search] = true
		}
		switch before := last; {
		case len(now) == 20 && maps.Equal(searches, map[string]bool{fmt.Sprint(before): true}):
		case len(now) == 20 && maps.Equal(searches, map[string]bool{fmt.Sprint(before + 1): true}): // nobody has heard of it
			last++
		default:
			t.Errorf("after search %d was acknowledged, there are %d findings of %v", before, len(now), searches)
		}
		stop(p)
	}
}
