package social

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers O-22 and B-68.
func TestProfileIsUpdatedOverHTTP(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea := s.Member("ann"), s.Member("bea")
	ownProfile := ann.Do("GET", profilePath).Want(200)
	ownProfile.WantSchema("service.social.profile", ownProfile.At("profile"))
	ownProfile.WantValues("profile", map[string]any{"visibility": "members", "updated_at": nil, "circle": nil, "actions.update": profilePath + "/update"})
	const body = `{"bio": "Bakes. <b>Much</b> & \n often", "pronouns": "she/her", "links": [{"label": "Bread", "url": "https://bread.example/?a=1"}],
		"visibility": "public", "display_name": " Beatrice ", "member_id": 1, "id": 1}`
	updated := bea.Do("PATCH", profilePath, body).Want(200)
	updated.WantValues("profile", map[string]any{"member_id": 2, "display_name": "Beatrice"})
	if len(updated.List("refresh.sections")) == 0 {
		t.Errorf("got %s, want sections to refresh", updated.Body)
	}
	want(t, "display name of the account", bea.Do("GET", "/world/identity/me").Want(200).Str("display_name"), "Beatrice")
	seen := ann.Do("GET", "/world/social/profiles/2").Want(200)
	seen.WantSchema("service.social.profile", seen.At("profile"))
	seen.WantValues("profile", map[string]any{
		"bio": "Bakes. <b>Much</b> & \n often", "pronouns": "she/her", "visibility": "public", "links.0.url": "https://bread.example/?a=1",
		"display_name": "Beatrice", "avatar": nil, "updated_at": "2026-11-21T09:00:00Z", "permissions.can_update": false, "actions.update": nil,
	})
	bea.Do("PATCH", profilePath, apptest.Form("pronouns=they&visibility=members&bio=")).Want(200)
	bea.Do("PATCH", profilePath, `{"links": null}`).Want(200)
	ann.AsService().Do("GET", "/social/profiles/2").Want(200).
		WantValues("profile", map[string]any{"bio": "", "links": []any{}, "pronouns": "they", "visibility": "members"})
}

// Covers PT-40.
func TestProfileErrorsHaveTheirStatus(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	s.Member("bea")
	requests := []rejectedRequest{
		{ann, "PATCH", profilePath, `{"bio": "` + strings.Repeat("ü", 2001) + `"}`, "422 too_long bio"},
		{ann, "PATCH", profilePath, `{"bio": 7}`, "400 malformed_body bio"},
		{ann, "PATCH", profilePath, `{"display_name": "  "}`, "400 field_required display_name"},
		{ann, "PATCH", profilePath, `{"display_name": "New", "pronouns": "\n"}`, "400 field_required pronouns"},
		{ann, "PATCH", profilePath, `{"links": [{"label": "x", "url": "javascript:alert(1)"}]}`, "422 invalid_value links.0.url"},
		{ann, "PATCH", "/world/social/profiles/2", `{"bio": "mine"}`, "405 method_not_allowed"},
	}
	for _, id := range []string{"77", "0", "-1", "ann", "99999999999999999999"} {
		requests = append(requests, rejectedRequest{ann, "GET", "/world/social/profiles/" + id, nil, "404 not_found"})
	}
	wantRejected(s, requests)
	a := ann.Do("PATCH", profilePath, `{"links": [{"label": "", "url": "http://x.example"}]}`).WantError(400, "field_required")
	want(t, "pointer", a.Str("error.fields.0.pointer"), "/links/0/label")
}
