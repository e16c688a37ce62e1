package maps

import (
	"net/url"

	"appliance/svc"
)

// Finding returns the place as a finding. Its id is the place_id, so the same place
// has the same id in the field and in search results.
func (p Place) Finding() svc.Finding {
	payload := svc.Map{
		"provider": p.Provider, "provider_id": p.ProviderID, "category": p.Category, "kind": p.KindLabel,
		"latitude": p.Point.Latitude, "longitude": p.Point.Longitude, "attribution": p.Attribution,
	}
	for key, text := range map[string]string{"address": p.Formatted, "telephone": p.Tags["phone"], "opening_hours": p.Tags["opening_hours"], "country": p.Address.Country} {
		if text != "" {
			payload[key] = text
		}
	}
	return svc.Finding{
		FindingID: p.PlaceID, SourceService: "maps", ObjectType: "place", Title: p.Name, Summary: p.KindLabel, SourceURL: p.website(), Payload: payload,
		Actions: svc.List[svc.FindingAction]{{ID: "open", Label: "Open", Type: "open_finding"}},
	}
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
