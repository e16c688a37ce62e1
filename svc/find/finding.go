package find

import (
	"crypto/sha256"
	"encoding/hex"
	gomaps "maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/words"
)

// newPlace returns a place of a provider as a place of Maps.
func newPlace(p provider.Place) maps.Place {
	place := maps.Place{
		PlaceID: p.Provider + ":" + p.ProviderID, Provider: p.Provider, ProviderID: p.ProviderID, Name: p.Name,
		Named: p.Name != "", Kind: p.Kind, Category: kind.Category(p.Kind), Formatted: p.Address, Point: p.Point, Attribution: p.Attribution,
	}
	if p.Website != "" {
		place.Tags = map[string]string{"website": p.Website}
	}
	return place
}

// finding returns the place as a finding with English texts. origin may be nil.
func (p rankedPlace) finding(origin *geo.Point) svc.Finding {
	f := p.Finding()
	f.SourceService = p.source
	f.Title = svc.SingleLine(f.Title, svc.MaxTitle)
	label, _ := f.Payload["kind"].(string)
	parts := []string{label, p.Formatted}
	if label == f.Title {
		parts = parts[1:]
	}
	if origin != nil {
		f.Payload["distance_meters"] = int(math.Round(p.Distance))
		parts = append(parts, maps.FormatDistance(words.English, p.Distance))
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	f.Summary = svc.SingleLine(strings.Join(parts, maps.Separator), svc.MaxSummary)
	return f
}

// websiteFinding returns the website of a place as a finding. ok is false if the
// place has none.
func websiteFinding(p rankedPlace) (f svc.Finding, ok bool) {
	address, title, about := p.Website()
	if address == "" {
		return svc.Finding{}, false
	}
	f = pageFinding(address, title, "Website", p.source)
	gomaps.Copy(f.Payload, about)
	return f, true
}

// pageFinding returns a web page as a finding.
func pageFinding(address, title, summary, source string) svc.Finding {
	h := sha256.Sum256([]byte(normalizeURL(address)))
	return svc.Finding{
		FindingID: "web:" + hex.EncodeToString(h[:8]), SourceService: source, ObjectType: svc.PageFinding,
		Title: svc.SingleLine(title, svc.MaxTitle), Summary: svc.SingleLine(summary, svc.MaxSummary), SourceURL: address,
		Actions: svc.List[svc.FindingAction]{
			{ID: "preview", Label: "Preview", Type: "translate_surface"}, {ID: "save", Label: "Save", Type: "save_object"}, {ID: "share", Label: "Share", Type: "share_object"},
		},
		Payload: svc.Map{"content_type": "text/html", "canonical_url": nil},
	}
}

// normalizeURL returns the form of an address under which a page is recognized:
// without its fragment, the default port and the case of its host.
func normalizeURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Fragment, u.RawFragment = "", ""
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}
