package world

import (
	"context"
	"encoding/json"
	"fmt"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/svc/translate"
	"appliance/svc/translate/extract"
)

// Preview is a request to translate the web page of a surface, and the page after it
// has been read.
type Preview struct {
	SurfaceID string
	Refresh   bool // read the page again

	page *surface.Page // nil if the surface is translated already
}

// FindPage returns the address of the page to read, "" if the surface is translated
// already.
func (w *World) FindPage(tx *store.Tx, v svc.Viewer, p *Preview) (address string, err error) {
	f, done, err := w.services.Surface.PageOf(tx, v, p.SurfaceID, p.Refresh)
	if err != nil || done {
		return "", err
	}
	return f.SourceURL, nil
}

// ReadPage reads and translates the page at an address. It must be called outside of
// transactions, because it waits for another server.
func (w *World) ReadPage(ctx context.Context, v svc.Viewer, p *Preview, address string) error {
	r, err := w.services.Translator.Fetch(ctx, address)
	if err != nil {
		return err
	}
	p.page, err = newPage(v.Member(), address, r)
	return err
}

// newPage converts a translated page to the form in which Surface stores it.
func newPage(member svc.MemberID, address string, r *translate.Result) (*surface.Page, error) {
	p := &surface.Page{
		Address:      address,
		CanonicalURL: r.CanonicalURL,
		Source:       surface.PageSource{Host: translate.Host(r.URL), ReadAt: r.ReadAt, Language: r.Language, WordCount: r.WordCount},
	}
	for _, e := range r.Parts {
		part, err := newPart(member, e)
		if err != nil {
			return nil, err
		}
		p.Parts = append(p.Parts, part)
	}
	return p, nil
}

// pictureURL returns the path of a picture of a page.
func pictureURL(id string) string { return "/world/pictures/" + id }

// newPart converts a part, and replaces the addresses of its pictures by paths at this
// server.
func newPart(member svc.MemberID, e extract.Extracted) (part surface.Part, err error) {
	part = surface.Part{Kind: e.Kind, Title: e.Title, Summary: e.Summary, URL: e.URL}
	for _, d := range e.Details {
		part.Details = append(part.Details, d[:])
	}
	for _, image := range e.Images {
		id := surface.PictureID(member, image.Source)
		image.URL = pictureURL(id)
		if e.Kind == "gallery" {
			image.Thumb = image.URL + "/thumb"
		}
		part.Pictures = append(part.Pictures, surface.Picture{ID: id, Source: image.Source})
	}
	text, err := translate.Encode(&e, surface.MaxContent)
	if err != nil {
		return part, err
	}
	if len(text) > surface.MaxContent {
		return part, fmt.Errorf("the content of a %s has %d bytes", e.Kind, len(text))
	}
	if err := json.Unmarshal(text, &part.Content); err != nil {
		return part, err
	}
	if len(e.SchemaTypes) > 0 {
		part.Content["schema_types"] = e.SchemaTypes
	}
	if len(e.Warnings) > 0 {
		part.Content["warnings"] = e.Warnings
	}
	return part, nil
}

// PreviewResult is the effect of a preview on the workspace.
type PreviewResult struct {
	Status     PreviewStatus    `json:"status"`
	SurfaceIDs svc.List[string] `json:"translated_surface_ids"`
}

// PreviewStatus is the effect of a preview on the surface of the finding.
type PreviewStatus string

const (
	PreviewExpanded  PreviewStatus = "expanded"
	PreviewUpgraded  PreviewStatus = "upgraded"
	PreviewUnchanged PreviewStatus = "unchanged"
)

// Values implements [svc.Set].
func (PreviewStatus) Values() []string {
	return svc.Values(PreviewExpanded, PreviewUpgraded, PreviewUnchanged)
}

// ShowPreview stores the translation of a page that has been read. It returns the new
// workspace and the surface of the finding.
func (w *World) ShowPreview(tx *store.Tx, v svc.Viewer, p *Preview) (*surface.Workspace, surface.Surface, PreviewResult, error) {
	result := PreviewResult{Status: PreviewUnchanged}
	if p.page == nil {
		workspace, err := w.services.Surface.Read(tx, v)
		if err != nil {
			return nil, surface.Surface{}, result, err
		}
		d, err := w.services.Surface.Surface(tx, v, p.SurfaceID)
		result.SurfaceIDs = d.Surface.RuntimeState.TranslatedSurfaceIDs
		return workspace, d.Surface, result, err
	}
	workspace, original, status, err := w.services.Surface.Translate(tx, v, p.SurfaceID, *p.page)
	result.Status, result.SurfaceIDs = PreviewStatus(status), original.RuntimeState.TranslatedSurfaceIDs
	return workspace, original, result, err
}
