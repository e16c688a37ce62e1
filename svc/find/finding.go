package find

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
)

// newPlace returns a place of a provider as a place of Maps.
func newPlace(p provider.Place) maps.Place {
	place := maps.Place{
		PlaceID: p.Provider + ":" + p.ProviderID, Provider: p.Provider, ProviderID: p.ProviderID, Name: p.Name,
		Kind: p.Kind, Category: kind.Category(p.Kind), Formatted: p.Address, Point: p.Point, Attribution: p.Attribution,
	}
	if p.Kind != "" {
		place.KindLabel = kind.Label(p.Kind)
	}
	if p.Website != "" {
		place.Tags = map[string]string{"website": p.Website}
	}
	return place
}

// finding returns the place as a finding. origin may be nil.
func (p rankedPlace) finding(origin *geo.Point) svc.Finding {
	f := p.Finding()
	f.SourceService = p.source
	f.Title = svc.SingleLine(cmp.Or(f.Title, p.KindLabel, "Place"), svc.MaxTitle)
	parts := []string{p.KindLabel, p.Formatted}
	if p.KindLabel == f.Title {
		parts = parts[1:]
	}
	if origin != nil {
		f.Payload["distance_meters"] = int(math.Round(p.Distance))
		parts = append(parts, formatDistance(p.Distance))
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	f.Summary = svc.SingleLine(strings.Join(parts, " · "), svc.MaxSummary)
	return f
}

// websiteFinding returns the website of a place as a finding. ok is false if the
// place has none.
func websiteFinding(p rankedPlace) (f svc.Finding, ok bool) {
	f = p.Finding()
	if f.SourceURL == "" {
		return svc.Finding{}, false
	}
	return pageFinding(f.SourceURL, cmp.Or(p.Name, p.KindLabel), "Website", p.source), true
}

// pageFinding returns a web page as a finding.
func pageFinding(address, title, summary, source string) svc.Finding {
	h := sha256.Sum256([]byte(normalizeURL(address)))
	return svc.Finding{
		FindingID: "web:" + hex.EncodeToString(h[:8]), SourceService: source, ObjectType: "html_resource",
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

// formatDistance formats a distance in meters or kilometers.
func formatDistance(meters float64) string {
	if meters < 1000 {
		return fmt.Sprintf("%.0f m", meters)
	}
	return strings.TrimSuffix(strconv.FormatFloat(meters/1000, 'f', 1, 64), ".0") + " km"
}
