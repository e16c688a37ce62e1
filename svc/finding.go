package svc

// Finding is a search result. Schema: service.find.finding.
type Finding struct {
	FindingID     string              `json:"finding_id"`     // provider:id
	SourceService string              `json:"source_service"` // the service that found it
	ObjectType    FindingType         `json:"object_type"`
	Title         string              `json:"title"`
	Summary       string              `json:"summary"`
	SourceURL     string              `json:"source_url"` // its web address, "" for a place without one
	Actions       List[FindingAction] `json:"actions"`
	Payload       Map                 `json:"service_payload"` // further fields, which depend on object_type
}

// FindingType is the object_type of a [Finding].
type FindingType string

const (
	PageFinding  FindingType = "html_resource"
	PlaceFinding FindingType = "place"
)

// Values implements [Set].
func (FindingType) Values() []string { return Values(PageFinding, PlaceFinding) }

// FindingAction is an operation that a finding offers, without its URL.
type FindingAction struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"` // for example "translate_surface" or "open_finding"
}

// Location returns the coordinates of a place in degrees. ok is false if f is not a place or has no
// valid coordinates.
func (f Finding) Location() (latitude, longitude float64, ok bool) {
	latitude, okLatitude := f.Payload["latitude"].(float64)
	longitude, okLongitude := f.Payload["longitude"].(float64)
	ok = f.ObjectType == PlaceFinding && okLatitude && okLongitude && latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
	return latitude, longitude, ok
}

// Text returns a string of the payload, or "" if the payload has none with the key.
func (f Finding) Text(key string) string {
	text, _ := f.Payload[key].(string)
	return text
}
