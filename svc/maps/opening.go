package maps

import (
	gomaps "maps"
	"time"

	"appliance/svc"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/hours"
)

// Opening says whether a place is open.
type Opening struct {
	OpenNow    *bool         `json:"open_now"`    // null if unknown
	NextChange *string       `json:"next_change"` // when open_now changes, RFC 3339 in UTC; null if unknown or not within a year
	Hours      *OpeningHours `json:"opening_hours"`
}

// OpeningHours are the opening hours of a place as its source states them.
type OpeningHours struct {
	Text string `json:"text"`

	// Timezone is the time zone of the text. If the time zone of the place is unknown,
	// it is that of the server.
	Timezone     string `json:"timezone"`
	TimezoneFrom string `json:"timezone_from"` // "place" or "server"
}

// maxHours limits the text of opening hours, in bytes.
const maxHours = 1000

// Opening returns the state of a place at now and the time at which it changes, zero
// for never.
func (s *Service) Opening(p Place, now time.Time) (o Opening, expires time.Time) {
	return s.opening(p.Tags["opening_hours"], p.Address.Country, p.Point, now)
}

// FindingOpening is [Service.Opening] for a place that [Place.Finding] returned.
func (s *Service) FindingOpening(f svc.Finding, now time.Time) (o Opening, expires time.Time) {
	latitude, longitude, ok := f.Location()
	if !ok {
		return o, expires
	}
	return s.opening(f.Text("opening_hours"), f.Text("country"), geo.Point{Latitude: latitude, Longitude: longitude}, now)
}

// WithOpening returns a finding with the fields of its [Opening] in the payload, if it
// has opening hours. expires is the time at which they change, zero for never.
// Findings are stored without these fields, because they change without a write.
func (s *Service) WithOpening(f svc.Finding, now time.Time) (with svc.Finding, expires time.Time) {
	o, expires := s.FindingOpening(f, now)
	if o.Hours == nil {
		return f, expires
	}
	f.Payload = gomaps.Clone(f.Payload)
	f.Payload["open_now"], f.Payload["next_change"], f.Payload["timezone"] = o.OpenNow, o.NextChange, o.Hours.Timezone
	return f, expires
}

func (s *Service) opening(text, country string, p geo.Point, now time.Time) (o Opening, expires time.Time) {
	if text == "" {
		return o, expires
	}
	loc, from := svc.StoredZone(s.config.Timezone), "server"
	if zone, ok := hours.Zone(country, p); ok {
		loc, from = zone, "place"
	}
	o.Hours = &OpeningHours{svc.SingleLine(text, maxHours), loc.String(), from}
	parsed, err := hours.Parse(text)
	if err != nil {
		return o, expires
	}
	isOpen, next, ok := parsed.At(now.In(loc))
	if !ok {
		return o, now.Add(unknownStateInterval)
	}
	o.OpenNow = &isOpen
	if !next.IsZero() {
		o.NextChange = new(next.UTC().Format(time.RFC3339))
	}
	return o, next
}

// unknownStateInterval is the time after which an unknown state is computed again.
const unknownStateInterval = 15 * time.Minute
