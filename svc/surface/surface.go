package surface

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"appliance/svc"
)

// FindingType is the type of the surfaces that show findings.
const FindingType = "finding_surface"

// types are all types of surfaces. Those that begin with web_ and are not web_surface
// are made of a finding.
var types = []string{
	"web_surface", "document_surface", "map_surface", "calendar_surface", "conversation_surface", "community_surface",
	"event_surface", FindingType,
	"profile_surface", "dashboard_surface", "service_nav_panel",
	"web_business_surface", "web_hours_surface", "web_menu_surface", "web_events_surface", "web_gallery_surface",
	"web_article_surface", "web_contact_surface",
}

// Surface is something that a member has before them.
type Surface struct {
	NumericID   int64  `json:"numeric_id"` // of no meaning outside
	SurfaceID   string `json:"surface_id"`
	SurfaceType string `json:"surface_type"` // such as "calendar_surface"
	Title       string `json:"title"`
	Content
	Placement Placement `json:"placement"`
}

// Content is what a surface shows and what may be done to it.
type Content struct {
	ServiceBinding ServiceBinding `json:"service_binding"`
	ContentSource  ContentSource  `json:"content_source"`
	RuntimeState   RuntimeState   `json:"runtime_state"`
	Permissions    Permissions    `json:"permissions"`
	RenderingHints RenderingHints `json:"rendering_hints"`
}

// ServiceBinding names who owns what a surface shows: all of it, or nothing.
type ServiceBinding struct {
	ServiceID    string `json:"service_id,omitzero"`
	ResourceType string `json:"resource_type,omitzero"`
	ResourceID   string `json:"resource_id,omitzero"`
}

// ContentSource is where what a surface shows is to be had: both fields or, if
// all of it is in runtime_state, none.
type ContentSource struct {
	Kind string `json:"kind,omitzero"` // "runtime_panel" or "inline"
	URL  string `json:"url,omitzero"`  // of World
}

// RuntimeState is what a runtime shows of a surface by itself.
type RuntimeState struct {
	Summary              string             `json:"summary"`
	Details              svc.List[[]string] `json:"details"` // pairs of a name and what it is
	Finding              *svc.Finding       `json:"finding,omitzero"`
	SurfaceObject        svc.Map            `json:"surface_object,omitzero"`
	Translation          *Translation       `json:"translation,omitzero"`
	TranslatedSurfaceIDs svc.List[string]   `json:"translated_surface_ids,omitzero"`
}

// Translation is what became of what a finding points to.
type Translation struct {
	Status          string `json:"status"`
	SourceSurfaceID string `json:"source_surface_id,omitzero"` // the finding that this was made of
}

// Permissions are what a member may do to a surface.
type Permissions struct {
	CanDetach      bool `json:"can_detach"`
	CanPin         bool `json:"can_pin"`
	CanShare       bool `json:"can_share"`
	CanFieldAnchor bool `json:"can_field_anchor"`
}

// RenderingHints are wishes that no runtime need fulfil.
type RenderingHints struct {
	PreferredSize   string `json:"preferred_size,omitzero"`
	InteractionMode string `json:"interaction_mode,omitzero"`
}

// found reports whether a surface of that type is, or is made of, a finding.
func found(surfaceType string) bool {
	return surfaceType == FindingType || strings.HasPrefix(surfaceType, "web_") && surfaceType != "web_surface"
}

// Limits of what a surface says (B-83).
const (
	maxURL     = 2048
	maxID      = 120
	maxDetails = 50
	maxOpen    = 32 << 10 // octets of an object that its service alone knows
)

// idForm is what ids of surfaces look like: they stand in addresses as they
// are.
var idForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

func checkID(field, id string) error {
	if !idForm.MatchString(id) || len(id) > maxID {
		return svc.FieldError(svc.InvalidValue, field, "%s must be of up to %d small letters, digits, - and _.", field, maxID)
	}
	return nil
}

// check checks what somebody else says of a surface.
func (s *Surface) check() error {
	if err := checkID("surface_id", s.SurfaceID); err != nil {
		return err
	}
	if s.SurfaceType == "" {
		return svc.Required("surface_type")
	}
	if !slices.Contains(types, s.SurfaceType) {
		return svc.FieldError(svc.InvalidValue, "surface_type", "surface_type must be one of %s.", strings.Join(types, ", "))
	}
	err := svc.Join(svc.CheckLine("title", s.Title, svc.MaxTitle), s.ServiceBinding.check(), s.ContentSource.check(),
		svc.CheckText("rendering_hints.preferred_size", s.RenderingHints.PreferredSize, svc.MaxName),
		svc.CheckText("rendering_hints.interaction_mode", s.RenderingHints.InteractionMode, svc.MaxName))
	if s.SurfaceType == FindingType && s.RuntimeState.Finding == nil {
		err = svc.Join(err, svc.Required("runtime_state.finding"))
	}
	if err != nil {
		return err
	}
	return s.RuntimeState.check()
}

func (b ServiceBinding) check() error {
	if b == (ServiceBinding{}) {
		return nil
	}
	return svc.Join(svc.CheckLine("service_binding.service_id", b.ServiceID, svc.MaxName),
		svc.CheckLine("service_binding.resource_type", b.ResourceType, svc.MaxName),
		svc.CheckLine("service_binding.resource_id", b.ResourceID, svc.MaxTitle))
}

func (c ContentSource) check() error {
	if c == (ContentSource{}) {
		return nil
	}
	if c.Kind != "runtime_panel" && c.Kind != "inline" {
		return svc.FieldError(svc.InvalidValue, "content_source.kind", "content_source.kind must be runtime_panel or inline.")
	}
	u, err := url.Parse(c.URL)
	ok := err == nil && u.Scheme == "" && u.Host == "" && u.Fragment == "" && strings.HasPrefix(u.Path, "/world/") && path.Clean(u.Path) == u.Path
	if !ok || len(c.URL) > maxURL {
		return svc.FieldError(svc.InvalidValue, "content_source.url", "content_source.url must be an address of World, /world/….")
	}
	return nil
}

func (r RuntimeState) check() error {
	err := svc.CheckText("runtime_state.summary", r.Summary, svc.MaxSummary)
	if len(r.Details) > maxDetails {
		err = svc.Join(err, svc.FieldError(svc.TooLong, "runtime_state.details", "There may be up to %d details.", maxDetails))
	}
	for _, pair := range r.Details {
		if len(pair) != 2 {
			return svc.FieldError(svc.InvalidValue, "runtime_state.details", "Each of runtime_state.details is a pair of texts.")
		}
		err = svc.Join(err, svc.CheckText("runtime_state.details", pair[0], svc.MaxName), svc.CheckText("runtime_state.details", pair[1], svc.MaxSummary))
	}
	if r.Finding != nil {
		err = svc.Join(err, svc.PrefixFields("runtime_state.finding", checkFinding(*r.Finding)))
	}
	if r.Translation != nil {
		err = svc.Join(err, svc.CheckLine("runtime_state.translation.status", r.Translation.Status, svc.MaxName),
			svc.CheckText("runtime_state.translation.source_surface_id", r.Translation.SourceSurfaceID, maxID))
	}
	for _, id := range r.TranslatedSurfaceIDs {
		err = svc.Join(err, checkID("runtime_state.translated_surface_ids", id))
	}
	return svc.Join(err, checkOpen("runtime_state.surface_object", r.SurfaceObject))
}

// checkOpen bounds an object that is not understood here.
func checkOpen(field string, object svc.Map) error {
	if object == nil {
		return nil
	}
	text, err := svc.EncodeJSON(object)
	if err == nil && len(text) > maxOpen {
		return svc.FieldError(svc.TooLong, field, "%s may have up to %d octets.", field, maxOpen)
	}
	return err
}
