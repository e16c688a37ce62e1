package app

import (
	"fmt"
	"maps"
	"testing"
)

// crowd adds members: each is present, has a DM with the first one, and is
// together with her in public; every other one is close to her.
func (h *house) crowd(first *client, from, to int) {
	h.t.Helper()
	near, all := []*client{first}, []*client{first}
	for i := from; i < to; i++ {
		c := h.member(fmt.Sprint("m", i))
		if all = append(all, c); i%2 == 0 {
			near = append(near, c)
		}
	}
	h.together("private", near...)
	h.together("public", all...)
	for _, c := range all[1:] {
		c.do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 3600}`).want(200)
		c.writes(first, "Hello")
	}
}

// What is read of people does not depend on how many they are: no query stands
// in a loop over the rows of another.
func TestNoQueryOfPeopleIsInALoop(t *testing.T) {
	h := open(t, unlimited, withKey)
	ann := h.member("ann")
	path := ""
	requests := []struct {
		name string
		do   func() *answer
	}{
		{"people", func() *answer { return ann.do("GET", "/world/social/people?limit=200") }},
		{"presence", func() *answer { return ann.do("GET", "/world/social/presence?limit=200") }},
		{"a profile", func() *answer { return ann.do("GET", "/world/social/profiles/2") }},
		{"DMs", func() *answer { return ann.do("GET", "/world/social/dms?limit=200") }},
		{"a DM", func() *answer { return ann.do("GET", path+"?peek=1") }},
		{"a message", func() *answer { return ann.do("POST", path+"/messages", `{"body": "Hello"}`) }},
		{"the dataset", func() *answer { return ann.runtime().do("GET", "/world/runtime") }},
		{"what there is for a dataset", func() *answer { return ann.internally().do("GET", "/social/objects") }},
		{"being there", func() *answer { return ann.do("POST", "/world/social/presence", `{"state": "online"}`) }},
	}
	measure := func() (counts []map[string]int) {
		for _, r := range requests {
			h.restart() // so that nothing is known from before
			h.ran.take()
			if a := r.do(); a.status >= 300 {
				t.Fatalf("%s: status %d\n%s", r.name, a.status, a.body)
			}
			counts = append(counts, h.ran.take())
		}
		return counts
	}
	h.crowd(ann, 0, 6)
	path = "/world/social/dms/" + ann.do("GET", "/world/social/dms").want(200).str("dms.0.id")
	measure() // from now on there is a presence to replace
	few := measure()
	h.crowd(ann, 6, 60)
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
	if n := len(ann.do("GET", "/world/social/people?limit=200").want(200).list("people")); n != 61 {
		t.Errorf("there are %d people", n)
	}
}

// Of 1,000 members who are all there, half of them close to her and each with
// a DM to her, one reads a page of two hundred.
func BenchmarkPeople(b *testing.B) {
	h := open(b, unlimited)
	ann := h.member("ann")
	h.crowd(ann, 0, 1000)
	path := "/world/social/dms/" + ann.do("GET", "/world/social/dms").want(200).str("dms.0.id")
	for _, c := range []struct{ name, path string }{
		{"people", "/world/social/people?limit=200"}, {"presence", "/world/social/presence?limit=200"},
		{"profile", "/world/social/profiles/2"}, {"dms", "/world/social/dms?limit=200"}, {"dm", path},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				ann.do("GET", c.path).want(200)
			}
		})
	}
	b.Run("present", func(b *testing.B) {
		for b.Loop() {
			ann.present()
		}
	})
	b.Run("send", func(b *testing.B) {
		for b.Loop() {
			ann.do("POST", path+"/messages", `{"body": "Hello"}`).want(201)
		}
	})
}
