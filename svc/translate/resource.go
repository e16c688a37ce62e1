package translate

import (
	"cmp"
	"strconv"

	"appliance/svc"
	"appliance/svc/translate/extract"
	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
)

// Resource is the content of a page without typed objects.
type Resource struct {
	Title     string            `json:"title"`
	Summary   string            `json:"summary,omitzero"`
	SiteName  string            `json:"site_name,omitzero"`
	Language  string            `json:"language,omitzero"`  // BCP 47
	Published string            `json:"published,omitzero"` // RFC 3339 or a date
	Blocks    []maintext.Block  `json:"blocks"`
	Images    []*maintext.Image `json:"images,omitzero"`
	Links     []maintext.Block  `json:"links,omitzero"`
	Truncated bool              `json:"truncated,omitzero"` // the text of the page is longer
}

// newResource returns the part of a page without typed objects. ok is false if the page
// has neither text nor pictures.
func newResource(p *page.Page, text *maintext.Text) (part extract.Extracted, ok bool) {
	if len(text.Blocks) == 0 && text.Summary == "" && len(text.Images) == 0 {
		return part, false
	}
	title := svc.SingleLine(cmp.Or(text.Title, p.Title, Host(p.URL.String())), svc.MaxTitle)
	part = extract.Extracted{
		Kind: "resource", Title: title, Summary: svc.SingleLine(text.Summary, svc.MaxSummary), URL: p.Canonical(), Images: text.Images,
		Content: &Resource{
			Title: title, Summary: text.Summary, SiteName: text.SiteName, Language: text.Language, Published: text.Published,
			Blocks: text.Blocks, Images: text.Images, Links: text.Links, Truncated: text.Truncated,
		},
	}
	for _, d := range [][2]string{{"Site", text.SiteName}, {"Author", text.Byline}, {"Published", text.Published}} {
		if d[1] != "" {
			part.Details = append(part.Details, d)
		}
	}
	if text.Words > 0 {
		part.Details = append(part.Details, [2]string{"Words", strconv.Itoa(text.Words)})
	}
	return part, true
}
