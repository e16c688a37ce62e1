package pages

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"testing"

	"appliance/assets"
)

// The account page has each form that the server handles, and no other.
func TestFormsOfTheAccountPageAreHandled(t *testing.T) {
	page, err := fs.ReadFile(assets.Files, "pages/account.html")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, form := range regexp.MustCompile(`name="do" value="([^"]*)"`).FindAllSubmatch(page, -1) {
		got = append(got, string(form[1]))
	}
	slices.Sort(got)
	if want := slices.Sorted(maps.Keys(accountForms)); !slices.Equal(got, want) {
		t.Errorf("got the forms %q on the page, want %q", got, want)
	}
}
