package app

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What members keep beside entries goes with them too: files, what programs
// note at things, and what can still be had back. Covers SH-26.
func TestExportHasWhatIsBesideEntries(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	dav, at := ann.basic(), ann.defaultCalendar()
	home := "/caldav/1/calendars/"
	binary := "\x00\xff\r\n"
	dav.do("MKCOL", home+"box").want(201)
	dav.with("Content-Type", "image/png").do("PUT", home+"box/a.png", binary).want(201)
	kept, gone := vevent("kept", "DTSTART:20261201T100000Z", "SUMMARY:Kept"), vevent("gone", "DTSTART:20261202T100000Z", "SUMMARY:Gone")
	dav.do("PUT", at+"kept.ics", kept).want(201)
	for _, path := range []string{home, at, at + "kept.ics", home + "box", home + "box/a.png"} {
		dav.do("PROPPATCH", path, proppatch("note", path)).want(207)
	}
	dav.do("PUT", at+"gone.ics", gone).want(201)
	dav.do("DELETE", at+"gone.ics").want(204)
	dav.do("MKCALENDAR", home+"work/").want(201)
	dav.do("PUT", home+"work/more.ics", strings.ReplaceAll(gone, "gone", "more")).want(201)
	dav.do("DELETE", home+"work/").want(204)

	whole := ann.do("GET", "/world/identity/export").want(200)
	var files, notes, trash []string
	for _, f := range whole.list("files") {
		data, err := base64.StdEncoding.DecodeString(dig(f, "data_base64").(string))
		if err != nil {
			t.Error(err)
		}
		files = append(files, fmt.Sprintf("%s %t %s %q", dig(f, "path"), dig(f, "collection"), dig(f, "media_type"), data))
	}
	if want := []string{`box true  ""`, `box/a.png false image/png "\x00\xff\r\n"`}; !slices.Equal(files, want) {
		t.Errorf("the files are %q, want %q", files, want)
	}
	for _, p := range whole.list("properties") {
		path := home + dig(p, "path").(string)
		if dig(p, "namespace") != "urn:example" || dig(p, "name") != "note" || !strings.Contains(dig(p, "element").(string), ">"+strings.TrimSuffix(path, "/")) {
			t.Errorf("a property of %s is %v", path, p)
		}
		notes = append(notes, path)
	}
	slices.Sort(notes)
	want := []string{home, strings.TrimSuffix(at, "/"), at + "kept.ics", home + "box", home + "box/a.png"}
	if slices.Sort(want); !slices.Equal(notes, want) {
		t.Errorf("properties are there of %q, want %q", notes, want)
	}
	for _, one := range whole.list("trash") {
		trash = append(trash, fmt.Sprint(dig(one, "trashed.title"), " ", dig(one, "name"), " ", len(dig(one, "data").(string))))
	}
	slices.Sort(trash)
	if want := []string{fmt.Sprint("Gone gone.ics ", len(gone)), fmt.Sprint("work more.ics ", len(gone)), "work work 0"}; !slices.Equal(trash, want) {
		t.Errorf("the trash has %q, want %q", trash, want)
	}

	other := bea.do("GET", "/world/identity/export").want(200)
	for _, part := range []string{"files", "properties", "trash"} {
		if list := other.list(part); len(list) != 0 {
			t.Errorf("bea has the %s %v", part, list)
		}
	}
	dir := filepath.Join(t.TempDir(), "out")
	if status, out, errs := h.cli("", "admin", "members", "export", "ann", dir); status != 0 {
		t.Fatal(out, errs)
	}
	for _, part := range []string{"files", "properties", "trash"} {
		text, err := os.ReadFile(filepath.Join(dir, part+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var list []any
		if err := json.Unmarshal(text, &list); err != nil || asJSON(list) != asJSON(whole.list(part)) {
			t.Errorf("the file of the %s has %s, %v", part, text, err)
		}
	}
}
