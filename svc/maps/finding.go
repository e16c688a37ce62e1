package maps

import (
	"fmt"
	gomaps "maps"
	"net/url"
	"strconv"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/maps/kind"
	"appliance/svc/words"
)

// Finding returns the place as a finding. Its id is the place_id, so the same place
// has the same id in the field and in search results. Its texts are in English, in which
// findings are stored; see [InLanguage].
func (p Place) Finding() svc.Finding {
	label := p.englishKind()
	payload := svc.Map{
		"provider": p.Provider, "provider_id": p.ProviderID, "category": p.Category, "kind": label, kindKey: p.Kind,
		"latitude": p.Point.Latitude, "longitude": p.Point.Longitude, "attribution": p.Attribution,
	}
	for key, text := range map[string]string{"address": p.Formatted, "telephone": p.Tags["phone"], "opening_hours": p.Tags["opening_hours"], "country": p.Address.Country} {
		if text != "" {
			payload[key] = text
		}
	}
	title := p.Name
	if !p.Named {
		title, payload[unnamedKey] = kindLabel(words.English, p.Kind, p.Interpolated), true
	}
	return svc.Finding{
		FindingID: p.PlaceID, SourceService: "maps", ObjectType: svc.PlaceFinding, Title: title, Summary: label, SourceURL: p.website(), Payload: payload,
		Actions: svc.List[svc.FindingAction]{{ID: "open", Label: findingActions["open_finding"], Type: "open_finding"}},
	}
}

// Website returns the website of the place as the payload of a finding names it: title is
// the name of the place. about is part of the payload.
func (p Place) Website() (address, title string, about svc.Map) {
	address, title, about = p.website(), p.Name, svc.Map{}
	if !p.Named {
		title = kindLabel(words.English, p.Kind, p.Interpolated)
		about[kindKey], about[unnamedKey] = p.Kind, true
	}
	return address, title, about
}

// englishKind returns the English label of the kind, "" for a place without a kind.
func (p Place) englishKind() string {
	if p.Kind == "" {
		return ""
	}
	return kindLabel(words.English, p.Kind, p.Interpolated)
}

// Fields of the payload of a finding that identify the texts in it.
const (
	kindKey    = "kind_id" // the kind of the place, for example "amenity=cafe"
	unnamedKey = "unnamed" // whether the title is the label of the kind
)

// findingActions are the labels of the actions of findings in English, by type.
var findingActions = map[string]string{"open_finding": "Open", "translate_surface": "Preview", "save_object": "Save", "share_object": "Share"}

// InLanguage returns a stored finding with the texts of the server in the language l. Names
// and texts of other sources stay as they are.
func InLanguage(l words.Language, f svc.Finding) svc.Finding {
	if l == words.English {
		return f
	}
	f.Actions = append(svc.List[svc.FindingAction]{}, f.Actions...)
	for i, a := range f.Actions {
		if a.Label == findingActions[a.Type] {
			f.Actions[i].Label = l.Text(a.Label)
		}
	}
	id, ok := f.Payload[kindKey].(string)
	if !ok {
		return f
	}
	stored := f.Text("kind")
	interpolated := stored != "" && stored != kind.Label(words.English, id)
	label := kindLabel(l, id, interpolated)
	if unnamed, _ := f.Payload[unnamedKey].(bool); unnamed {
		f.Title = label
	}
	if stored == "" {
		return f
	}
	f.Payload = gomaps.Clone(f.Payload)
	f.Payload["kind"] = label
	if rest, ok := strings.CutPrefix(f.Summary, stored); ok && (rest == "" || strings.HasPrefix(rest, Separator)) {
		f.Summary = label + rest
	}
	if f.Payload["distance_meters"] != nil {
		f.Summary = distanceInLanguage(l, f.Summary)
	}
	return f
}

// distanceInLanguage returns a summary that ends with an English distance, with this
// distance in the language l.
func distanceInLanguage(l words.Language, summary string) string {
	start := 0
	if i := strings.LastIndex(summary, Separator); i >= 0 {
		start = i + len(Separator)
	}
	number, isKilometres := strings.CutSuffix(summary[start:], " km")
	whole, decimals, hasDecimals := strings.Cut(number, ".")
	if value, err := strconv.ParseFloat(number, 64); err == nil && isKilometres && hasDecimals && whole != "" {
		return summary[:start] + l.Decimal(value, len(decimals)) + " km"
	}
	return summary
}

// Separator separates the parts of the summary of a finding.
const Separator = " · "

// FormatDistance formats a distance in metres or kilometres in the language l.
func FormatDistance(l words.Language, metres float64) string {
	if metres < 1000 {
		return fmt.Sprintf("%.0f m", metres)
	}
	text, _ := strings.CutSuffix(l.Decimal(metres/1000, 1), l.Decimal(0, 1)[1:])
	return text + " km"
}

// Present returns a stored finding as members read it: in the language l, and with its
// [Opening]. expires is the time at which that changes, zero for never.
func (s *Service) Present(l words.Language, f svc.Finding, now time.Time) (presented svc.Finding, expires time.Time) {
	return s.WithOpening(InLanguage(l, f), now)
}

// maxWebsite limits the address of a website, in bytes.
const maxWebsite = 2048

// website returns the address of the website of the place, "" if it has none that is
// valid.
func (p Place) website() string {
	address := p.Tags["website"]
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(address) > maxWebsite {
		return ""
	}
	return address
}
