package svc

// Finding is something that Find came across, as it hands it on. Schema:
// service.find.finding.
type Finding struct {
	FindingID     string              `json:"finding_id"`     // provider:id
	SourceService string              `json:"source_service"` // whose finding it is
	ObjectType    string              `json:"object_type"`    // "html_resource" or "place"
	Title         string              `json:"title"`
	Summary       string              `json:"summary"`
	SourceURL     string              `json:"source_url"` // where it is public, "" for a place that is nowhere on the web
	Actions       List[FindingAction] `json:"actions"`
	Payload       Map                 `json:"service_payload"` // what its kind says beyond that
}

// FindingAction is what can be done about a finding, in words that say nothing
// of how.
type FindingAction struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"` // such as "translate_surface" or "open_finding"
}

// Location returns where a place is, in degrees; false if that is not said, or
// it is none.
func (f Finding) Location() (latitude, longitude float64, ok bool) {
	latitude, north := f.Payload["latitude"].(float64)
	longitude, east := f.Payload["longitude"].(float64)
	ok = f.ObjectType == "place" && north && east && latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
	return latitude, longitude, ok
}

// Text returns what the payload says in one of its texts, "" for nothing.
func (f Finding) Text(key string) string {
	text, _ := f.Payload[key].(string)
	return text
}
