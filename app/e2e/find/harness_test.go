package find

import (
	"slices"
	"testing"

	"appliance/app/apptest"
	"appliance/assets"
	"appliance/world/harness"
)

// The program passes the harness for a member who has searched and opened a place. For
// web pages, the command that translates them is missing.
func TestProgramPassesTheHarnessWithFindings(t *testing.T) {
	s, ann, places, pages := server(t)
	s.ImportPlaces("malta", apptest.Places...)
	ann.Find(everywhere, "ok")
	ann.Act("open_finding", "Tea room").Want(200)
	bea := s.Member("bea")
	places.Answer(200, apptest.FoundPlaces(bar))
	pages.Answer(200, apptest.FoundPages())
	bea.Find(`{"query": "bar", "scope": "everywhere"}`, "ok")
	bea.Act("open_finding", "Bar").Want(200)
	for member, want := range map[*apptest.Client][]string{ann: {"surfaces of findings have the finding and its commands"}, bea: nil} {
		r, err := harness.Run(t.Context(), harness.Options{URL: member.URL, Token: member.Token, Schemas: assets.Files})
		if err != nil {
			t.Fatal(err)
		}
		var failed []string
		for _, c := range r.Checks {
			if c.State == harness.Failed {
				failed = append(failed, c.Name)
				t.Logf("%s: %s: %q", member.Name, c.Name, c.Seen)
			}
			if c.State == harness.NotApplicable && slices.ContainsFunc([]string{"F-01", "F-19", "F-26", "S-61", "B-46"}, func(row string) bool { return c.Rows[0] == row }) {
				t.Errorf("%s: %s: got inapplicable, want it checked", member.Name, c.Name)
			}
		}
		if !slices.Equal(failed, want) {
			t.Errorf("%s: got the failed checks %q, want %q", member.Name, failed, want)
		}
	}
}
