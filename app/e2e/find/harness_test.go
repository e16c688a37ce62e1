package find

import (
	"slices"
	"testing"

	"appliance/app/apptest"
	"appliance/assets"
	"appliance/world/harness"
)

// The program passes the harness for a member who has searched, opened a place and read pages,
// including a page that could not be read.
func TestProgramPassesTheHarnessWithFindings(t *testing.T) {
	s, ann, site, ids := previews(t, "/anna", "/text", "/album", "/missing", "/unread")
	site.SetPage("/anna", restaurant)
	site.SetPage("/text", article("First."))
	site.SetPage("/album", album)
	for _, id := range ids[:3] {
		ann.Preview(id, `{}`).Want(200)
	}
	ann.Preview(ids[3], `{}`).WantError(424, "source_fetch_failed")
	s.ImportPlaces("malta", apptest.Places...)
	cid := s.Member("cid")
	cid.Find(`{"query": "Cordina", "scope": "everywhere"}`, "ok")
	cid.Act("open_finding", "Caffe Cordina").Want(200)
	for member, rows := range map[*apptest.Client][]string{ann: {"F-19", "F-26", "S-03", "S-67"}, cid: {"F-01", "F-19", "F-26", "S-61", "B-46"}} {
		r, err := harness.Run(t.Context(), harness.Options{URL: member.URL, Token: member.Token, Schemas: assets.Files})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			if c.State == harness.Failed {
				t.Errorf("%s: %s: got %q, want it passed", member.Name, c.Name, c.Seen)
			}
			if c.State == harness.NotApplicable && slices.Contains(rows, c.Rows[0]) {
				t.Errorf("%s: %s: got inapplicable, want it checked", member.Name, c.Name)
			}
		}
	}
}
