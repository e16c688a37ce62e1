package social

import (
	"fmt"
	"maps"
	"testing"

	"appliance/app/apptest"
)

// crowd adds members: each is present, has a DM with the first one, and is
// together with her in public; every other one is close to her.
func crowd(h *apptest.Server, first *apptest.Client, from, to int) {
	h.T.Helper()
	near, all := []*apptest.Client{first}, []*apptest.Client{first}
	for i := from; i < to; i++ {
		c := h.Member(fmt.Sprint("m", i))
		if all = append(all, c); i%2 == 0 {
			near = append(near, c)
		}
	}
	h.CreateCommunity("private", near...)
	h.CreateCommunity("public", all...)
	for _, c := range all[1:] {
		c.Do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 3600}`).Want(200)
		c.SendDM(first, "Hello")
	}
}

// What is read of people does not depend on how many they are: no query stands
// in a loop over the rows of another.
func TestNoQueryOfPeopleIsInALoop(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann := h.Member("ann")
	path := ""
	requests := []struct {
		name string
		do   func() *apptest.Answer
	}{
		{"people", func() *apptest.Answer { return ann.Do("GET", "/world/social/people?limit=200") }},
		{"presence", func() *apptest.Answer { return ann.Do("GET", "/world/social/presence?limit=200") }},
		{"a profile", func() *apptest.Answer { return ann.Do("GET", "/world/social/profiles/2") }},
		{"DMs", func() *apptest.Answer { return ann.Do("GET", "/world/social/dms?limit=200") }},
		{"a DM", func() *apptest.Answer { return ann.Do("GET", path+"?peek=1") }},
		{"a message", func() *apptest.Answer { return ann.Do("POST", path+"/messages", `{"body": "Hello"}`) }},
		{"the dataset", func() *apptest.Answer { return ann.Runtime().Do("GET", "/world/runtime") }},
		{"what there is for a dataset", func() *apptest.Answer { return ann.AsService().Do("GET", "/social/objects") }},
		{"being there", func() *apptest.Answer { return ann.Do("POST", "/world/social/presence", `{"state": "online"}`) }},
	}
	measure := func() (counts []map[string]int) {
		for _, r := range requests {
			h.Restart() // so that nothing is known from before
			h.Queries.Take()
			if a := r.do(); a.Status >= 300 {
				t.Fatalf("%s: status %d\n%s", r.name, a.Status, a.Body)
			}
			counts = append(counts, h.Queries.Take())
		}
		return counts
	}
	crowd(h, ann, 0, 6)
	path = "/world/social/dms/" + ann.Do("GET", "/world/social/dms").Want(200).Str("dms.0.id")
	measure() // from now on there is a presence to replace
	few := measure()
	crowd(h, ann, 6, 60)
	many := measure()
	for i, r := range requests {
		if !maps.Equal(few[i], many[i]) {
			t.Errorf("%s: of six members %v, of sixty %v", r.name, few[i], many[i])
		}
		total := 0
		for _, n := range many[i] {
			total += n
		}
		t.Logf("%s: %d queries", r.name, total)
		if total == 0 {
			t.Errorf("%s: nothing was counted", r.name)
		}
	}
	if n := len(ann.Do("GET", "/world/social/people?limit=200").Want(200).List("people")); n != 61 {
		t.Errorf("there are %d people", n)
	}
}

// Of 1,000 members who are all there, half of them close to her and each with
// a DM to her, one reads a page of two hundred.
func BenchmarkPeople(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	crowd(h, ann, 0, 1000)
	path := "/world/social/dms/" + ann.Do("GET", "/world/social/dms").Want(200).Str("dms.0.id")
	for _, c := range []struct{ name, path string }{
		{"people", "/world/social/people?limit=200"}, {"presence", "/world/social/presence?limit=200"},
		{"profile", "/world/social/profiles/2"}, {"dms", "/world/social/dms?limit=200"}, {"dm", path},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				ann.Do("GET", c.path).Want(200)
			}
		})
	}
	b.Run("present", func(b *testing.B) {
		for b.Loop() {
			present(ann)
		}
	})
	b.Run("send", func(b *testing.B) {
		for b.Loop() {
			ann.Do("POST", path+"/messages", `{"body": "Hello"}`).Want(201)
		}
	})
}
