package social

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (a actor) updateProfile(c ProfileChange) (Profile, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Profile, error) { return a.UpdateProfile(tx, v, c) })
}

func (a actor) profile(of actor) (Profile, error) {
	return tryRead(a, func(tx *store.Tx, v svc.Viewer) (Profile, error) { return a.Profile(tx, v, of.id) })
}

// Covers O-22 and B-68.
func TestProfileIsUpdatedByItsMember(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	p, err := bea.profile(bea)
	if err != nil || p.Visibility != "members" || p.UpdatedAt != nil || p.Circle != nil || p.Permissions.CanDM || !p.Permissions.CanUpdate {
		t.Errorf("the default profile is %+v, %v", p, err)
	}
	links := svc.List[ProfileLink]{{"Bread", "https://bread.example/?a=1"}}
	_, err = bea.updateProfile(ProfileChange{
		DisplayName: new("Beatrice"), Bio: svc.Some("Bakes. <b>Much</b>\noften"), Pronouns: svc.Some("she/her"), Links: svc.Some(links), Visibility: svc.Some(ProfilePublic),
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err = ann.profile(bea)
	wantEqual(t, fmt.Sprint("the profile for ann ", err), fmt.Sprint(p.DisplayName, p.Bio, p.Pronouns, p.Links, p.Visibility, p.Permissions.CanUpdate),
		fmt.Sprint("BeatriceBakes. <b>Much</b>\noftenshe/her", links, "public", false))
	p, err = bea.updateProfile(ProfileChange{Pronouns: svc.Optional[string]{Set: true, Null: true}, Links: svc.Optional[svc.List[ProfileLink]]{Set: true, Null: true},
		Visibility: svc.Optional[ProfileVisibility]{Set: true, Null: true}})
	wantEqual(t, fmt.Sprint("after a reset ", err), fmt.Sprint(p.Pronouns, p.Links, p.Visibility, len(p.Bio) > 0), fmt.Sprint("", []ProfileLink{}, "members", true))
	for _, id := range []svc.MemberID{77, 0, -1} {
		_, err := ann.profile(actor{ann.server, id, ""})
		wantError(t, fmt.Sprint("profile of ", id), err, svc.NotFound)
	}
}

// Covers PT-40.
func TestProfileIsValidated(t *testing.T) {
	_, m := newServer(t, "ann")
	link := func(url string) ProfileChange {
		return ProfileChange{Links: svc.Some(svc.List[ProfileLink]{{"ok", "https://ok.example"}, {"x", url}})}
	}
	for _, c := range []struct {
		about  string
		change ProfileChange
		code   svc.Code
		field  string
	}{
		{"a long bio", ProfileChange{Bio: svc.Some(strings.Repeat("ü", MaxBio+1))}, svc.TooLong, "bio"},
		{"long pronouns", ProfileChange{Pronouns: svc.Some(strings.Repeat("ü", maxPronouns+1))}, svc.TooLong, "pronouns"},
		{"pronouns of two lines", ProfileChange{Pronouns: svc.Some("she\nher")}, svc.InvalidValue, "pronouns"},
		{"an unknown visibility", ProfileChange{Visibility: svc.Some(ProfileVisibility("friends"))}, svc.InvalidValue, "visibility"},
		{"a blank name", ProfileChange{DisplayName: new(" ")}, svc.FieldRequired, "display_name"},
		{"a link without a label", ProfileChange{Links: svc.Some(svc.List[ProfileLink]{{"", "http://x.example"}})}, svc.FieldRequired, "links.0.label"},
		{"a link without a URL", link(""), svc.FieldRequired, "links.1.url"},
		{"a script", link("javascript:alert(1)"), svc.InvalidValue, "links.1.url"},
		{"another scheme", link("ftp://x.example"), svc.InvalidValue, "links.1.url"},
		{"no host", link("https:///path"), svc.InvalidValue, "links.1.url"},
		{"no scheme", link("//x.example"), svc.InvalidValue, "links.1.url"},
		{"user information", link("https://bank.example@evil.example"), svc.InvalidValue, "links.1.url"},
		{"a space", link("https://x.example/a b"), svc.InvalidValue, "links.1.url"},
		{"an invisible character", link("https://x.example/\u202e"), svc.InvalidValue, "links.1.url"},
		{"a long URL", link("https://x.example/" + strings.Repeat("a", maxURL)), svc.TooLong, "links.1.url"},
		{"many links", ProfileChange{Links: svc.Some(make(svc.List[ProfileLink], maxLinks+1))}, svc.TooLong, "links"},
	} {
		_, err := m[0].updateProfile(c.change)
		wantError(t, c.about, err, c.code, c.field)
		var e *svc.Error
		if want := "/" + strings.ReplaceAll(c.field, ".", "/"); errors.As(err, &e) && e.Fields[0].Pointer != want {
			t.Errorf("%s: got pointer %q, want %q", c.about, e.Fields[0].Pointer, want)
		}
	}
	_, err := m[0].updateProfile(ProfileChange{Visibility: svc.Some(ProfileVisibility("x")), Pronouns: svc.Some("\n")})
	wantError(t, "two errors", err, svc.FieldRequired, "pronouns", "visibility")
	p, _ := m[0].profile(m[0])
	if p.UpdatedAt != nil {
		t.Errorf("got %+v, want no update", p)
	}
	long := "https://x.example/"
	_, err = m[0].updateProfile(ProfileChange{Bio: svc.Some(strings.Repeat("ü", MaxBio)), Links: svc.Some(svc.List[ProfileLink]{{"x", long + strings.Repeat("a", maxURL-len(long))}})})
	if err != nil {
		t.Errorf("the longest values: %v", err)
	}
}

// Covers B-68 and B-73: communities of other members are not named.
func TestProfileShowsTheRelationToTheViewer(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	first := ann.community("private", bea)
	bea.community("private", cid)
	publicCommunity := ann.community("public", bea, dan)
	p, err := bea.profile(ann)
	wantEqual(t, fmt.Sprint("the inner circle ", err), fmt.Sprint(*p.Circle, p.SharedCommunities), fmt.Sprint(CircleRef{1, "Inner"}, []string{first, publicCommunity}))
	p, err = cid.profile(ann)
	wantEqual(t, fmt.Sprint("the trusted circle ", err), fmt.Sprint(*p.Circle, len(p.SharedCommunities)), "{2 Trusted} 0")
	for a, want := range map[actor]string{ann: " false true", bea: "Inner true false", cid: "Trusted true false", dan: " true false"} {
		person := ann.person(a)
		circle := ""
		if person.Circle != nil {
			circle = person.Circle.Name
		}
		wantEqual(t, "ann and "+a.name, fmt.Sprint(circle, " ", person.Permissions.CanDM, " ", person.Permissions.CanUpdate), want)
	}
	bea.leave(first)
	if person := ann.person(bea); person.Circle != nil {
		t.Errorf("got circle %v after bea has left, want none", *person.Circle)
	}
}

// Covers O-27 and B-72: the error for a hidden profile equals that for an unknown member.
func TestHiddenProfileLooksAbsent(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	m[0].block(m[1])
	_, hidden := m[1].profile(m[0])
	_, absent := m[1].profile(actor{m[1].server, 77, ""})
	wantEqual(t, "the error", hidden, absent)
}
