package process

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// After a rename of the host, the mirrors get the new name at once or, if the server is killed,
// when it is started again. Covers B-130.
func TestMirrorsFollowARenameDespiteKill(t *testing.T) {
	const events = 40
	dir := apptest.NewDataDir(t)
	unlimited := []string{"--rate-limits", "writes=0,reads=0"}
	p := apptest.Serve(t, dir, unlimited...)
	ann := p.SignIn("ann")
	for range events {
		ann.CreateEvent()
	}
	db := apptest.OpenDatabase(t, dir)
	following := func() bool { return apptest.Count(t, db, "SELECT count(*) FROM social_follow_up") > 0 }
	mirrors := func(name string) int {
		calendar := ann.DefaultCalendar()
		text := ann.Basic().Do("GET", calendar).Want(200).Body
		return strings.Count(strings.ReplaceAll(text, "\r\n ", ""), fmt.Sprintf("ORGANIZER;CN=%s:", name))
	}
	rename := func(name string) {
		ann.Do("PATCH", "/world/social/profile", map[string]any{"display_name": name}).Want(200)
	}

	rename("Anna")
	apptest.WaitForRow(t, db, "SELECT NOT EXISTS (SELECT 1 FROM social_follow_up)")
	if got := mirrors("Anna"); got != events {
		t.Errorf("beside the server: got %d of %d mirrors with the new name", got, events)
	}
	killed := false
	for i := 0; !killed; i++ { // a fast server may finish before the signal
		rename(fmt.Sprint("Anne", i))
		p.Kill()
		killed = following()
		p = apptest.Serve(t, dir, unlimited...)
		ann = p.SignIn("ann")
		if killed {
			apptest.WaitForRow(t, db, "SELECT NOT EXISTS (SELECT 1 FROM social_follow_up)")
			if got := mirrors(fmt.Sprint("Anne", i)); got != events {
				t.Errorf("after kill -9: got %d of %d mirrors with the new name", got, events)
			}
		}
	}
}

// If the server is killed during the deletion of a community with many events, the deletion is
// completed after the next start: no mirror and no queued change remains. Covers B-130.
func TestDeletionOfACommunityContinuesDespiteKill(t *testing.T) {
	const events = 40
	dir := apptest.NewDataDir(t)
	unlimited := []string{"--rate-limits", "writes=0,reads=0"}
	p := apptest.Serve(t, dir, unlimited...)
	db := apptest.OpenDatabase(t, dir)
	ann := p.SignIn("ann")
	ann.Do("POST", "/world/operator/members", map[string]any{
		"username": "bea", "display_name": "Bea", "email": "bea@example.org", "password": apptest.Password,
	}).Want(201)
	for killed := false; !killed; { // a fast server may finish before the signal
		bea := p.SignIn("bea")
		community := ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "open"}`, bea)
		for range events {
			id := ann.CreateEvent("visibility", "community", "community_id", apptest.LastSegment(community))
			bea.Do("POST", "/world/social/events/"+id+"/rsvp", `{"response": "going"}`).Want(200)
		}
		ann.Do("DELETE", community).Want(200)
		p.Kill()
		killed = apptest.Count(t, db, "SELECT count(*) FROM social_follow_up") > 0
		p = apptest.Serve(t, dir, unlimited...)
		ann = p.SignIn("ann")
	}
	apptest.WaitForRow(t, db, "SELECT NOT EXISTS (SELECT 1 FROM social_follow_up)")
	for _, c := range []*apptest.Client{ann, p.SignIn("bea")} {
		if got := len(c.Mirrors()); got != 0 {
			t.Errorf("%s: got %d mirrors, want none", c.Name, got)
		}
	}
	if n := apptest.Count(t, db, "SELECT count(*) FROM social_event WHERE cancelled_at IS NULL"); n != 0 {
		t.Errorf("got %d scheduled events, want none", n)
	}
}
