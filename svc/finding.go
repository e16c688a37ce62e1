package svc

// Finding is something that Find came across, as it hands it on.
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
