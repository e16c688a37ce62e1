package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Responses are well-formed XML and JSON with any text that a PUT accepts. XML
// contains the octets, except for two characters that it cannot represent
// (XML 1.0 §2.2). Objects with such text can be changed over the JSON API.
func TestResponsesAreWellFormedWithAnyText(t *testing.T) {
	f := newFixture(t, apptest.Unlimited)
	for c := range 0x100 {
		char := string(rune(c))
		f.dav.Do("PUT", fmt.Sprintf("%s%d.ics", f.path, c), event(fmt.Sprint(c), "SUMMARY:a"+char+"b", "X-P;X=a"+char+"b:c"))
	}
	for i, chars := range []string{"\ufffe", "\uffff", "\ufdd0", "\u202e", "\U0001ffff", "\ufeff", "\r", "\r\r\n ", "\xed\xa0\x80", "\xf4\x90\x80\x80"} {
		uid := fmt.Sprint("odd", i)
		f.dav.Do("PUT", f.path+uid+".ics", event(uid, "SUMMARY:a"+chars+"b", "UID;X="+chars+":"+uid))
	}
	stored := f.dav.Do("REPORT", f.path, firstSync("<getetag/>"+calendarData)).Multistatus().Entries
	if len(stored) < 200 {
		t.Errorf("stored objects: got %d, want at least 200", len(stored))
	}
	representable := strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd")
	for _, e := range stored {
		if want := representable.Replace(f.dav.Do("GET", e.Href).Want(200).Body); e.Data != want {
			t.Errorf("%s in XML: got %q, want %q", e.Href, e.Data, want)
		}
	}
	const start, end = "20261201T000000Z", "20261202T000000Z"
	f.dav.Do("REPORT", f.path, query(expand(start, end), eventFilter(timeRange(start, end)))).Multistatus()

	list := f.ann.Do("GET", "/world/time/objects?limit=200&start=2026-12-01&end=2026-12-02").Want(200).List("objects")
	for _, o := range list[:20] {
		f.ann.Do("PATCH", apptest.At(o, "links.self").(string), `{"location": "x"}`).Want(200)
	}
	f.ann.AsRuntime().Do("GET", "/world/runtime").Want(200).List("objects")
}
