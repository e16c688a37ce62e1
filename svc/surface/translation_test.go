package surface

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// pageFinding returns a finding of a web page.
func pageFinding(name string) svc.Finding {
	return svc.Finding{
		FindingID: "web:" + name, SourceService: "web", ObjectType: "html_resource", Title: "Page " + name, Summary: "About " + name,
		SourceURL: "https://example.org/" + name, Payload: svc.Map{"content_type": "text/html", "canonical_url": nil},
	}
}

// showPages replaces ann's overlay with pages, and returns the ids of their surfaces.
func (s *server) showPages(names ...string) []string {
	s.Helper()
	var findings []svc.Finding
	for _, name := range names {
		findings = append(findings, pageFinding(name))
	}
	w := s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.ReplaceOverlay(tx, svc.Trust(ann), OverlayRequest{&findings})
	}))
	return w.stack(OverlayStack).SurfaceOrder
}

// newPage returns a page that was read now, with a part of each kind.
func (s *server) newPage(kinds ...string) Page {
	p := Page{CanonicalURL: "https://example.org/canonical", Source: PageSource{Host: "example.org", ReadAt: s.db.Now(), Language: "en", WordCount: 7}}
	for _, kind := range kinds {
		source := "https://example.org/" + kind + ".jpg"
		p.Parts = append(p.Parts, Part{
			Kind: kind, Title: "The " + kind, Summary: "About the " + kind, Details: svc.List[[]string]{{"Telephone", "12"}}, Content: svc.Map{"name": kind},
			Pictures: []Picture{{PictureID(ann, source), source}},
		})
	}
	return p
}

// translate stores a page for a surface of ann. The default address of the page is that
// of the finding.
func (s *server) translate(id string, p Page) (w *Workspace, status TranslationStatus, err error) {
	if from := s.workspace(ann).surface(id); p.Address == "" && from != nil && from.RuntimeState.Finding != nil {
		p.Address = from.RuntimeState.Finding.SourceURL
	}
	err = s.db.Write(s.Context(), func(tx *store.Tx) (err error) {
		w, _, status, err = s.Translate(tx, svc.Trust(ann), id, p)
		return err
	})
	return w, status, err
}

func (s *server) mustTranslate(id string, p Page) *Workspace {
	s.Helper()
	w, _, err := s.translate(id, p)
	if err != nil {
		s.Fatal(err)
	}
	s.wantConsistent(w)
	return w
}

// pageOf calls PageOf for a surface of ann. done reports whether the page is translated.
func (s *server) pageOf(id string, refresh bool) (done bool, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		_, done, err = s.PageOf(tx, svc.Trust(ann), id, refresh)
		return err
	})
	return done, err
}

// picture returns the source of a picture for a member.
func (s *server) picture(member svc.MemberID, id string) (source string, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		source, err = s.PictureSource(tx, svc.Trust(member), id)
		return err
	})
	return source, err
}

// titlesOf returns the titles of the surfaces of a stack.
func titlesOf(w *Workspace, stack string) string {
	var titles []string
	for _, id := range w.stack(stack).SurfaceOrder {
		titles = append(titles, w.surface(id).Title)
	}
	return strings.Join(titles, ", ")
}

// Covers S-45 to S-48, S-58, S-68, S-69, S-72 and B-40.
func TestTypedSurfacesReplaceTheirPage(t *testing.T) {
	s := newServer(t)
	ids := s.showPages("x", "o", "y")
	w, status, err := s.translate(ids[1], s.newPage("business", "hours", "events"))
	if err != nil || status != "expanded" {
		t.Fatalf("got %q, %v, want expanded", status, err)
	}
	wantEqual(t, "overlay", titlesOf(w, OverlayStack), "Page x, The business, The hours, The events, Page y")
	original := w.surface(ids[1])
	wantEqual(t, "the page", []any{original.RuntimeState.Translation.Status, len(original.RuntimeState.TranslatedSurfaceIDs), original.RuntimeState.Finding.Text("canonical_url"), w.isStacked(ids[1])},
		"[expanded 3 https://example.org/canonical false]")
	business := w.surface(original.RuntimeState.TranslatedSurfaceIDs[0])
	wantEqual(t, "a typed surface", []any{business.SurfaceType, business.Placement, business.RuntimeState.Summary, business.RuntimeState.Details, store.JSON(business.RuntimeState.Translation), business.RuntimeState.Source.Host},
		fmt.Sprintf(`[web_business_surface {detached map[stack_id:finding_overlay]} About the business [[Telephone 12]] {"status":"extracted","source_surface_id":"%s"} example.org]`, ids[1]))
	wantEqual(t, "its object", store.JSON(business.RuntimeState.SurfaceObject), fmt.Sprintf(
		`{"actions":[{"id":"save","label":"Save","type":"save_object"},{"id":"share","label":"Share","type":"share_object"}],"branding":{"site_name":"example.org"},`+
			`"content":{"name":"business"},"object_type":"business","primary_url":"https://example.org/o","runtime_hints":{},"source_finding_id":"web:o",`+
			`"summary":"About the business","surface_object_id":"object_%s","title":"The business"}`, business.SurfaceID))
	wantEqual(t, "as read again", dump(s.workspace(ann)), dump(w))
	if done, err := s.pageOf(ids[1], false); !done || err != nil {
		t.Errorf("a second preview: got done %v, %v, want the translation unchanged", done, err)
	}
}

// A refresh keeps the surfaces of parts that the page still contains, and their positions if the
// member has moved them. Covers S-59 and B-39.
func TestRefreshKeepsSurfaces(t *testing.T) {
	s := newServer(t)
	ids := s.showPages("x", "o")
	w := s.mustTranslate(ids[1], s.newPage("business", "hours", "menu"))
	made := w.surface(ids[1]).RuntimeState.TranslatedSurfaceIDs
	s.must(s.place(ann, made[1], `{"placement_mode": "stacked", "placement": {"stack_id": "carry_primary"}}`))
	if _, err := s.pageOf(ids[1], true); svc.KindOf(err) != svc.TooMany {
		t.Errorf("a refresh at once: got %v, want too many", err)
	}
	s.clock.Advance(time.Minute)
	if done, err := s.pageOf(ids[1], true); done || err != nil {
		t.Errorf("a refresh after a minute: got done %v, %v, want the page to read", done, err)
	}
	p := s.newPage("business", "hours", "contact")
	p.Parts[1].Title = "New hours"
	w = s.mustTranslate(ids[1], p)
	wantEqual(t, "overlay", titlesOf(w, OverlayStack), "Page x, The business, New hours, The contact")
	wantEqual(t, "carry", titlesOf(w, CarryStack), "Social, Calendar, Messages, New hours")
	wantEqual(t, "ids", []any{w.surface(ids[1]).RuntimeState.TranslatedSurfaceIDs[:2], w.surface(made[2]) == nil}, []any{made[:2], true})
	s.clock.Advance(time.Minute)
	w = s.mustTranslate(ids[1], s.newPage(ResourcePart))
	wantEqual(t, "overlay of a plain page", titlesOf(w, OverlayStack), "Page x, The resource")
	wantEqual(t, "carry keeps what the member has saved", titlesOf(w, CarryStack), "Social, Calendar, Messages, New hours")
}

// Covers S-56, S-57 and PT-14.
func TestPlainPageBecomesAResource(t *testing.T) {
	s := newServer(t)
	ids := s.showPages("x", "o")
	w := s.mustTranslate(ids[1], s.newPage(ResourcePart))
	wantEqual(t, "order", w.stack(OverlayStack).SurfaceOrder, ids)
	o := w.surface(ids[1])
	wantEqual(t, "the surface", []any{o.SurfaceType, o.Title, o.RuntimeState.Translation.Status, o.RuntimeState.SurfaceObject["object_type"], o.RuntimeState.Finding.Title},
		"[finding_surface The resource upgraded resource Page o]")
	if done, err := s.pageOf(ids[1], false); !done || err != nil {
		t.Errorf("a second preview: got done %v, %v, want the translation unchanged", done, err)
	}
	s.showPages("o")
	o = s.workspace(ann).surface(ids[1])
	wantEqual(t, "after another search", []any{o.RuntimeState.SurfaceObject["object_type"], o.RuntimeState.Finding.Text("canonical_url")}, "[resource https://example.org/canonical]")
}

// Another search that finds a translated page shows its finding again, which can be
// translated again.
func TestSearchReplacesTypedSurfaces(t *testing.T) {
	s := newServer(t)
	ids := s.showPages("o")
	w := s.mustTranslate(ids[0], s.newPage("business", "hours"))
	made := w.surface(ids[0]).RuntimeState.TranslatedSurfaceIDs
	s.must(s.place(ann, made[1], `{"placement_mode": "stacked", "placement": {"stack_id": "carry_primary"}}`))
	s.showPages("y")
	w = s.workspace(ann)
	if w.surface(ids[0]) == nil || w.surface(made[0]) != nil {
		t.Errorf("got the page %v and the business %v, want the page of what is saved only", w.surface(ids[0]), w.surface(made[0]))
	}
	s.showPages("o", "y")
	w = s.workspace(ann)
	wantEqual(t, "overlay", titlesOf(w, OverlayStack), "Page o, Page y")
	if done, err := s.pageOf(ids[0], false); done || err != nil {
		t.Errorf("got done %v, %v, want the page to read", done, err)
	}
	w = s.mustTranslate(ids[0], s.newPage("business", "hours"))
	wantEqual(t, "overlay", titlesOf(w, OverlayStack), "The business, Page y")
	wantEqual(t, "ids", w.surface(ids[0]).RuntimeState.TranslatedSurfaceIDs, made)
}

// If a page is not in the overlay but in another stack, its parts follow it there.
func TestPartsFollowASavedPage(t *testing.T) {
	s := newServer(t)
	id := s.showPages("o")[0]
	s.must(s.place(ann, id, `{"placement_mode": "stacked", "placement": {"stack_id": "carry_primary"}}`))
	s.showPages("y")
	w := s.mustTranslate(id, s.newPage("article", "gallery"))
	wantEqual(t, "carry", titlesOf(w, CarryStack), "Social, Calendar, Messages, Page o, The article, The gallery")
	wantEqual(t, "overlay", titlesOf(w, OverlayStack), "Page y")
}

// Covers B-39.
func TestFailedTranslationChangesOnlyItsStatus(t *testing.T) {
	s := newServer(t)
	ids := s.showPages("a", "b")
	s.mustTranslate(ids[1], s.newPage(ResourcePart))
	unreachable := svc.Errorf(svc.SourceFetchFailed, "The site cannot be reached.")
	for _, id := range ids {
		err := s.db.Write(t.Context(), func(tx *store.Tx) error {
			return s.TranslationFailed(tx, svc.Trust(ann), id, unreachable)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	w := s.workspace(ann)
	failedAt := store.JSON(s.clock.Now())
	wantEqual(t, "a page", store.JSON([]any{*w.surface(ids[0]).RuntimeState.Translation, w.surface(ids[0]).Title}),
		`[{"status":"failed","reason":"The site cannot be reached.","code":"source_fetch_failed","failed_at":`+failedAt+`},"Page a"]`)
	wantEqual(t, "a page that was read before", store.JSON([]any{*w.surface(ids[1]).RuntimeState.Translation, w.surface(ids[1]).Title}),
		`[{"status":"upgraded","reason":"The site cannot be reached.","code":"source_fetch_failed","failed_at":`+failedAt+`},"The resource"]`)
	if done, err := s.pageOf(ids[1], false); !done || err != nil {
		t.Errorf("the page that was read before: got done %v, %v, want what was read", done, err)
	}
	for _, refresh := range []bool{false, true} {
		if _, err := s.pageOf(ids[0], refresh); err == nil || err.Error() != unreachable.Error() || svc.KindOf(err) != svc.UpstreamFailure {
			t.Errorf("another attempt at once with refresh %v: got %v, want %v", refresh, err, unreachable)
		}
	}
	s.clock.Advance(time.Minute)
	for _, id := range ids {
		if done, err := s.pageOf(id, true); done || err != nil {
			t.Errorf("after a minute: got done %v, %v, want another attempt", done, err)
		}
	}
}

// A page read from an address other than the address of the finding is not stored.
func TestPageOfAnotherAddressIsNotStored(t *testing.T) {
	s := newServer(t)
	id := s.showPages("a")[0]
	before := dump(s.workspace(ann))
	p := s.newPage(ResourcePart)
	p.Address = "https://example.org/b"
	_, _, err := s.translate(id, p)
	wantError(t, "another address", err, svc.ActionUnavailable, "")
	wantEqual(t, "the workspace", dump(s.workspace(ann)), before)
}

// Covers S-65.
func TestOnlyPagesAreTranslated(t *testing.T) {
	s := newServer(t)
	w := s.showFindings(ann, "a")
	for _, id := range append(w.stack(OverlayStack).SurfaceOrder, "surface_social") {
		_, err := s.pageOf(id, false)
		wantError(t, id, err, svc.SurfaceNotTranslatable, "")
		_, _, err = s.translate(id, s.newPage(ResourcePart))
		wantError(t, id, err, svc.SurfaceNotTranslatable, "")
	}
	_, err := s.pageOf("surface_nothing", false)
	wantError(t, "an unknown surface", err, svc.NotFound, "")
}

// A picture is deleted with the surface that shows it, and belongs to its member.
func TestPicturesBelongToSurfaces(t *testing.T) {
	s := newServer(t)
	id := s.showPages("o")[0]
	s.mustTranslate(id, s.newPage("business"))
	picture := PictureID(ann, "https://example.org/business.jpg")
	if source, err := s.picture(ann, picture); err != nil || source != "https://example.org/business.jpg" {
		t.Errorf("got %q, %v, want the source", source, err)
	}
	_, err := s.picture(bea, picture)
	wantError(t, "another member", err, svc.NotFound, "")
	s.showPages("y")
	s.clock.Advance(UnstackedRetention + time.Hour)
	s.sweep()
	_, err = s.picture(ann, picture)
	wantError(t, "after the surface", err, svc.NotFound, "")
}

// Pages beyond the limit are refused, and nothing changes.
func TestTranslatedPagesAreLimited(t *testing.T) {
	s := newServer(t)
	ids := s.showPages("o")
	before := dump(s.workspace(ann))
	p := s.newPage()
	for i := range maxTranslatedBytes/MaxContent + 1 {
		p.Parts = append(p.Parts, Part{Kind: "article", Title: fmt.Sprint(i), Content: svc.Map{"text": strings.Repeat("x", MaxContent-100)}})
	}
	_, _, err := s.translate(ids[0], p)
	wantError(t, "too many pages", err, svc.QuotaExceeded, "")
	wantEqual(t, "the workspace", dump(s.workspace(ann)), before)
}

// A page with a long address can be previewed. Covers S-45.
func TestPageWithALongAddress(t *testing.T) {
	s := newServer(t)
	f := pageFinding("a")
	f.SourceURL += "?" + strings.Repeat("x", maxURL-len(f.SourceURL)-1)
	w := s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.ReplaceOverlay(tx, svc.Trust(ann), OverlayRequest{&[]svc.Finding{f}})
	}))
	if _, _, err := s.translate(w.stack(OverlayStack).SurfaceOrder[0], s.newPage("business", "hours")); err != nil {
		t.Errorf("got %v, want the parts of the page", err)
	}
}
