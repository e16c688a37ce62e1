package social

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers B-68: the list of members with their relation to the viewer.
func TestPeopleAreListedWithTheirCircle(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	op, ann, bea, cem, dora := s.Member("op"), s.Member("ann"), s.Member("bea"), s.Member("cem"), s.Member("dora")
	connectChain(ann, bea, cem)
	bea.Do("POST", presencePath, `{"state": "online"}`).Want(200)
	cem.Do("PATCH", profilePath, `{"visibility": "circle"}`).Want(200)
	list := ann.Do("GET", peoplePath).Want(200)
	for _, p := range list.List("people") {
		list.WantSchema("service.social.person", p)
	}
	for path, columns := range map[string]string{
		"display_name": "Op Ann Bea Cem Dora", "circle.name": "- - Inner Trusted -", "presence.state": "- - online - -",
		"permissions.can_dm": "false false true true false",
	} {
		want(t, path, list.Column("people", path), columns)
	}
	want(t, "link to a visible profile", list.At("people.3.actions.open"), "/world/social/profiles/4")
	want(t, "link to a hidden profile", dora.Do("GET", peoplePath).Want(200).At("people.3.actions.open"), nil)
	want(t, "search", ann.Do("GET", peoplePath+"?q=BEA").Want(200).Column("people", "display_name"), "Bea")

	disable(op, bea)
	ann.Block(dora).Want(201)
	want(t, "without disabled and blocked members", ann.Do("GET", peoplePath).Want(200).Column("people", "display_name"), "Op Ann Cem")
	want(t, "for the blocked member", dora.Do("GET", peoplePath).Want(200).Column("people", "display_name"), "Op Cem Dora")
}

// Covers PT-30: pages contain each member once, and hidden members do not make
// a page shorter.
func TestPagesOfPeopleAreComplete(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	s.Member("dora")
	s.Member("eve")
	ann.Block(cem).Want(201)
	var pages []string
	path := peoplePath + "?limit=2"
	for next := path; next != ""; {
		a := ann.Do("GET", next).Want(200)
		pages = append(pages, a.Column("people", "id"))
		next = ""
		if cursor := a.Str("page.next_cursor"); cursor != "" {
			next = path + "&cursor=" + cursor
			bea.Do("GET", next).WantError(400, "invalid_parameter").WantFields("cursor")
		}
	}
	want(t, "pages", strings.Join(pages, " | "), "1 2 | 4 5")
}
