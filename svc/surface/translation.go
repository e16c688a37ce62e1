package surface

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Page is a translated web page. Its texts are plain, and its URLs are safe to show.
type Page struct {
	Address      string // of the finding, from which the page was read
	CanonicalURL string // canonical address that the page declares
	Source       PageSource
	Parts        []Part // at least one: the typed objects of the page, or one of the kind [ResourcePart]
}

// PageSource describes the page from which a surface was made.
type PageSource struct {
	Host      string    `json:"host"`
	ReadAt    time.Time `json:"read_at"`
	Language  string    `json:"language,omitzero"`   // BCP 47; "" if unknown
	WordCount int       `json:"word_count,omitzero"` // of the main text
}

// ResourcePart is the kind of the part that represents a page without typed objects.
const ResourcePart = "resource"

// Part is an object that a page describes or, for the kind [ResourcePart], the page.
type Part struct {
	Kind     string // "business", "article", "hours", "menu", "events", "gallery", "contact" or ResourcePart
	Title    string
	Summary  string
	Details  svc.List[[]string] // pairs of a label and a text
	URL      string
	Content  svc.Map   // depends on Kind; at most [MaxContent] bytes of JSON
	Pictures []Picture // to which Content refers
}

// MaxContent limits the JSON of the content of a part, in bytes.
const MaxContent = maxOpaqueBytes - 8<<10

// maxTranslatedBytes limits the JSON of all objects made from pages in a workspace, in
// bytes, because each session contains them.
const maxTranslatedBytes = 4 << 20

// refreshInterval is the time after which a page may be fetched again, also after a failed attempt.
const refreshInterval = time.Minute

// TranslationStatus is the state of a [Translation].
type TranslationStatus string

const (
	Expanded  TranslationStatus = "expanded"  // the finding has become the surfaces of translated_surface_ids
	Upgraded  TranslationStatus = "upgraded"  // the finding has become a resource in the same surface
	Extracted TranslationStatus = "extracted" // the surface was made from the page of another surface
	Failed    TranslationStatus = "failed"
)

// Values implements [svc.Set].
func (TranslationStatus) Values() []string { return svc.Values(Expanded, Upgraded, Extracted, Failed) }

var errFindingChanged = svc.Errorf(svc.ActionUnavailable, "The search result has changed in the meantime. Try again.")

var errNotTranslatable = svc.Errorf(svc.SurfaceNotTranslatable, "Only a web page of a search result can be previewed.")

// PageOf returns the finding of a surface that shows a web page. done reports that
// the surface is translated and refresh is false. If the page could not be read less
// than refreshInterval ago, the error is that of the attempt.
func (s *Service) PageOf(tx *store.Tx, v svc.Viewer, id string, refresh bool) (f svc.Finding, done bool, err error) {
	w, err := s.Read(tx, v)
	if err != nil {
		return f, false, err
	}
	from, err := w.pageSurface(id)
	if err != nil {
		return f, false, err
	}
	if done = from.IsTranslated(); done && refresh {
		if wait := from.RuntimeState.Source.ReadAt.Add(refreshInterval).Sub(tx.Now()); wait > 0 {
			tooSoon := svc.Errorf(svc.RateLimited, "This page was read less than a minute ago. Try again in a minute.")
			tooSoon.RetryAfter = wait
			return f, false, tooSoon
		}
		done = false
	}
	if !done {
		err = from.RuntimeState.Translation.recentFailure(tx.Now())
	}
	return *from.RuntimeState.Finding, done, err
}

// recentFailure returns the error of the latest attempt, nil if the page may be fetched
// again.
func (t *Translation) recentFailure(now time.Time) error {
	if t == nil || !now.Before(t.FailedAt.Add(refreshInterval)) {
		return nil
	}
	for _, code := range svc.Codes {
		if code.Name == t.Code {
			return svc.Errorf(code, "%s", words.Stored(t.Reason))
		}
	}
	return nil
}

// pageSurface returns a surface whose finding is a web page.
func (w *Workspace) pageSurface(id string) (*Surface, error) {
	from := w.surface(id)
	if from == nil {
		return nil, errNoSurface
	}
	if f := from.RuntimeState.Finding; from.SurfaceType != FindingType || f == nil || f.ObjectType != svc.PageFinding {
		return nil, errNotTranslatable
	}
	return from, nil
}

// IsTranslated reports whether the surface shows a finding that has been translated.
func (s *Surface) IsTranslated() bool {
	t := s.RuntimeState.Translation
	return t != nil && (t.Status == Expanded || t.Status == Upgraded) && s.RuntimeState.Source != nil
}

// FindingOf returns the finding that a surface shows or was made from, nil if there is
// none.
func (w *Workspace) FindingOf(s *Surface) *svc.Finding {
	if t := s.RuntimeState.Translation; t != nil && t.Status == Extracted {
		if source := w.surface(t.SourceSurfaceID); source != nil {
			return source.RuntimeState.Finding
		}
	}
	return s.RuntimeState.Finding
}

// Findings returns the findings in the overlay in its order, including findings that are shown as
// their translation.
func (w *Workspace) Findings() (list []svc.Finding) {
	added := make(map[string]bool)
	for _, id := range w.stack(OverlayStack).SurfaceOrder {
		if f := w.FindingOf(w.surface(id)); f != nil && !added[f.FindingID] {
			added[f.FindingID] = true
			list = append(list, *f)
		}
	}
	return list
}

// TranslationOf returns the surfaces that show the translation of the finding of s: the surfaces
// made from its page, or s itself. It returns nil if the finding is not translated.
func (w *Workspace) TranslationOf(s *Surface) (list []*Surface) {
	if !s.IsTranslated() {
		return nil
	}
	if s.RuntimeState.Translation.Status == Upgraded {
		return []*Surface{s}
	}
	for _, id := range s.RuntimeState.TranslatedSurfaceIDs {
		if made := w.surface(id); made != nil {
			list = append(list, made)
		}
	}
	return list
}

// Translate replaces the surface of a web page with surfaces for its parts, in the same
// place. A page with a single resource stays in its surface. The parts of a page that
// is translated again keep their surfaces and placements. status is the new status of
// the translation.
func (s *Service) Translate(tx *store.Tx, v svc.Viewer, id string, p Page) (w *Workspace, original Surface, status TranslationStatus, err error) {
	pictures := make(map[string][]Picture) // by surface id
	w, err = s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		from, err := w.pageSurface(id)
		if err != nil {
			return err
		}
		if from.RuntimeState.Finding.SourceURL != p.Address {
			return errFindingChanged
		}
		previous := from.RuntimeState.TranslatedSurfaceIDs
		if len(p.Parts) == 1 && p.Parts[0].Kind == ResourcePart {
			from.upgrade(p)
			pictures[id] = p.Parts[0].Pictures
			w.arrangeTranslation(id, previous, []string{id})
		} else {
			ids, err := s.expand(tx, v, w, from, p)
			if err != nil {
				return err
			}
			for i, part := range p.Parts {
				pictures[ids[i]] = part.Pictures
			}
			w.arrangeTranslation(id, previous, ids)
		}
		w.markSurface(from)
		if err := from.check(); err != nil {
			return err
		}
		original, status = *from, from.RuntimeState.Translation.Status
		return w.checkTranslated()
	})
	if err != nil {
		return nil, Surface{}, "", err
	}
	return w, original, status, s.savePictures(tx, v.Member(), pictures)
}

// upgrade sets the content of the surface of a finding to the only part of its page.
func (s *Surface) upgrade(p Page) {
	part := p.Parts[0]
	state := &s.RuntimeState
	state.Finding = withCanonicalURL(*state.Finding, p.CanonicalURL)
	state.Summary = cmp.Or(part.Summary, state.Summary)
	state.Details = part.Details
	state.SurfaceObject = pageObject(s.SurfaceID, *state.Finding, p.Source.Host, part)
	state.Source, state.Translation, state.TranslatedSurfaceIDs = &p.Source, &Translation{Status: Upgraded}, nil
	s.Title = cmp.Or(part.Title, s.Title)
}

// expand creates or changes the surfaces of the parts of a page, and returns their
// ids.
func (s *Service) expand(tx *store.Tx, v svc.Viewer, w *Workspace, from *Surface, p Page) (ids []string, err error) {
	state := &from.RuntimeState
	state.Finding = withCanonicalURL(*state.Finding, p.CanonicalURL)
	count := make(map[string]int) // parts by kind
	for _, part := range p.Parts {
		id := derivedID(part.Kind, v.Member(), fmt.Sprintf("%s|%d", from.SurfaceID, count[part.Kind]))
		count[part.Kind]++
		surface, _, err := s.derivedSurface(tx, v, w, id, func() Surface {
			return Surface{SurfaceType: Type("web_" + part.Kind + "_surface"), Content: Content{
				Permissions: Permissions{true, true, true, true}, RenderingHints: RenderingHints{"full", "interactive"},
			}}
		})
		if err != nil {
			return nil, err
		}
		surface.Title = cmp.Or(part.Title, from.Title)
		surface.ServiceBinding = from.ServiceBinding
		surface.RuntimeState = RuntimeState{
			Summary: part.Summary, Details: part.Details, SurfaceObject: pageObject(id, *state.Finding, p.Source.Host, part),
			Source: &p.Source, Translation: &Translation{Status: Extracted, SourceSurfaceID: from.SurfaceID},
		}
		if err := surface.check(); err != nil {
			return nil, err
		}
		w.markSurface(surface)
		ids = append(ids, id)
	}
	state.SurfaceObject, state.Source, state.Translation, state.TranslatedSurfaceIDs = nil, &p.Source, &Translation{Status: Expanded}, ids
	return ids, w.checkLimit()
}

// withCanonicalURL returns a finding with the canonical address that its page declares.
func withCanonicalURL(f svc.Finding, address string) *svc.Finding {
	payload := svc.Map{}
	for key, value := range f.Payload {
		payload[key] = value
	}
	payload["canonical_url"] = address
	f.Payload = payload
	return &f
}

// pageObject returns the surface_object of a part of a page.
func pageObject(id string, f svc.Finding, site string, part Part) svc.Map {
	return svc.Map{
		"surface_object_id": "object_" + id, "source_finding_id": f.FindingID, "object_type": part.Kind,
		"title": cmp.Or(part.Title, f.Title), "summary": part.Summary, "primary_url": cmp.Or(part.URL, f.SourceURL),
		"branding": svc.Map{"site_name": site}, "content": part.Content, "runtime_hints": svc.Map{},
		"actions": pageActions(words.English),
	}
}

// arrangeTranslation puts the surfaces with ids into the overlay, in the place of the
// original or of the previous surfaces of its translation. If neither is in the
// overlay, they follow the original in its stack. Surfaces that the member has moved to
// another stack stay there.
func (w *Workspace) arrangeTranslation(original string, previous, ids []string) {
	replaced := append(slices.Concat(previous, ids), original)
	target := w.stack(OverlayStack)
	slot := slices.IndexFunc(target.SurfaceOrder, func(id string) bool { return slices.Contains(replaced, id) })
	if slot < 0 {
		i := slices.IndexFunc(w.Stacks, func(s *Stack) bool { return slices.Contains(s.SurfaceOrder, original) })
		if i < 0 {
			slot = len(target.SurfaceOrder)
		} else {
			target = w.Stacks[i]
			slot = slices.Index(target.SurfaceOrder, original) + 1
			replaced = nil
		}
	}
	order := slices.Clone(target.SurfaceOrder[:slot])
	for _, id := range ids {
		switch {
		case slices.Contains(target.SurfaceOrder[:slot], id): // the member has moved this surface in front of the original
		case id == original || slices.Contains(target.SurfaceOrder, id):
			order = append(order, id)
		case !w.isStacked(id):
			order = append(order, id)
			w.surface(id).Placement = initialPlacement(target.StackID)
		}
	}
	for _, id := range target.SurfaceOrder[slot:] {
		if !slices.Contains(replaced, id) && !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	w.setOrder(target.StackID, order)
}

// initialPlacement returns the placement of a surface that a translation adds to a
// stack.
func initialPlacement(stack string) Placement {
	mode := Stacked
	if stack == OverlayStack {
		mode = Detached
	}
	return Placement{mode, svc.Map{"stack_id": stack}}
}

// checkTranslated returns an error if the objects made from pages are too large
// together.
func (w *Workspace) checkTranslated() error {
	total := 0
	for _, s := range w.Surfaces {
		if s.RuntimeState.Source != nil && s.RuntimeState.SurfaceObject != nil && w.isStacked(s.SurfaceID) {
			total += len(store.JSON(s.RuntimeState.SurfaceObject))
		}
	}
	if total > maxTranslatedBytes {
		return svc.Errorf(svc.QuotaExceeded, "You carry too many web pages. Let go of one first.")
	}
	return nil
}

// TranslationFailed records the reason for which the page of a surface could not be translated. The
// content of the surface does not change.
func (s *Service) TranslationFailed(tx *store.Tx, v svc.Viewer, id string, reason *svc.Error) error {
	_, err := s.updateWorkspace(tx, v, nil, func(w *Workspace) error {
		from, err := w.pageSurface(id)
		if err != nil {
			return err
		}
		t := Translation{Status: Failed}
		if from.IsTranslated() {
			t = *from.RuntimeState.Translation
		}
		t.Reason, t.Code, t.FailedAt = reason.Message, reason.Code.Name, tx.Now()
		from.RuntimeState.Translation = &t
		w.markSurface(from)
		return nil
	})
	return err
}
