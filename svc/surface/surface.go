package surface

import (
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"

	"appliance/svc"
)

// Type is the type of a surface. Types that begin with web_, except web_surface, are for
// surfaces made from a finding.
type Type string

const (
	WebType          Type = "web_surface"
	DocumentType     Type = "document_surface"
	MapType          Type = "map_surface" // shows a place
	CalendarType     Type = "calendar_surface"
	ConversationType Type = "conversation_surface"
	CommunityType    Type = "community_surface"
	EventType        Type = "event_surface"
	FindingType      Type = "finding_surface" // shows a finding
	ProfileType      Type = "profile_surface"
	DashboardType    Type = "dashboard_surface"
	NavPanelType     Type = "service_nav_panel"
	WebBusinessType  Type = "web_business_surface"
	WebHoursType     Type = "web_hours_surface"
	WebMenuType      Type = "web_menu_surface"
	WebEventsType    Type = "web_events_surface"
	WebGalleryType   Type = "web_gallery_surface"
	WebArticleType   Type = "web_article_surface"
	WebContactType   Type = "web_contact_surface"
)

// Values implements [svc.Set].
func (Type) Values() []string {
	return svc.Values(
		WebType, DocumentType, MapType, CalendarType, ConversationType, CommunityType, EventType, FindingType, ProfileType,
		DashboardType, NavPanelType, WebBusinessType, WebHoursType, WebMenuType, WebEventsType, WebGalleryType, WebArticleType,
		WebContactType,
	)
}

// Surface is a view that a member has open, such as a panel, an object or a
// finding.
type Surface struct {
	NumericID   int64  `json:"numeric_id"` // has no meaning outside this service
	SurfaceID   string `json:"surface_id"`
	SurfaceType Type   `json:"surface_type"`
	Title       string `json:"title"`
	Content
	Placement Placement `json:"placement"`
}

// Content is the content of a surface, with the permissions of the member. It is
// stored as one JSON column.
type Content struct {
	ServiceBinding ServiceBinding `json:"service_binding"`
	ContentSource  ContentSource  `json:"content_source"`
	RuntimeState   RuntimeState   `json:"runtime_state"`
	Permissions    Permissions    `json:"permissions"`
	RenderingHints RenderingHints `json:"rendering_hints"`
}

// ServiceBinding identifies the resource that a surface shows and the service
// that owns it. Either all fields are set or none.
type ServiceBinding struct {
	ServiceID    string `json:"service_id,omitzero"`
	ResourceType string `json:"resource_type,omitzero"`
	ResourceID   string `json:"resource_id,omitzero"`
}

// ContentSource says where a runtime reads the content of a surface. Either both
// fields are set or, if runtime_state has the whole content, none.
type ContentSource struct {
	Kind ContentKind `json:"kind,omitzero"`
	URL  string      `json:"url,omitzero"` // a path below /world/
}

// ContentKind is the kind of a [ContentSource].
type ContentKind string

const (
	RuntimePanel ContentKind = "runtime_panel"
	Inline       ContentKind = "inline"
)

// Values implements [svc.Set].
func (ContentKind) Values() []string { return svc.Values(RuntimePanel, Inline) }

// RuntimeState is content that a runtime shows without another request.
type RuntimeState struct {
	Summary              string             `json:"summary"`
	Details              svc.List[[]string] `json:"details"` // pairs of a label and a text
	Finding              *svc.Finding       `json:"finding,omitzero"`
	SurfaceObject        svc.Map            `json:"surface_object,omitzero"`
	Source               *PageSource        `json:"source,omitzero"` // the page that was read
	Translation          *Translation       `json:"translation,omitzero"`
	TranslatedSurfaceIDs svc.List[string]   `json:"translated_surface_ids,omitzero"`
}

// Translation is the state of the translation of a finding into a surface.
type Translation struct {
	Status          TranslationStatus `json:"status"`
	Reason          string            `json:"reason,omitzero"`            // why the latest attempt failed
	Code            string            `json:"code,omitzero"`              // of the error, for example "source_fetch_failed"
	FailedAt        time.Time         `json:"failed_at,omitzero"`         // time of that attempt
	SourceSurfaceID string            `json:"source_surface_id,omitzero"` // the finding from which this surface was made
}

// Permissions lists the operations that a surface permits to the member.
type Permissions struct {
	CanDetach      bool `json:"can_detach"`
	CanPin         bool `json:"can_pin"`
	CanShare       bool `json:"can_share"`
	CanFieldAnchor bool `json:"can_field_anchor"`
}

// RenderingHints are preferences. Runtimes may ignore them.
type RenderingHints struct {
	PreferredSize   string `json:"preferred_size,omitzero"`
	InteractionMode string `json:"interaction_mode,omitzero"`
}

// isFromFinding reports whether surfaces of a type show a finding or are made from
// one.
func isFromFinding(t Type) bool {
	return t == FindingType || strings.HasPrefix(string(t), "web_") && t != WebType
}

// Limits of the fields of a surface.
const (
	maxURL         = 2048
	maxID          = 120
	maxDetails     = 50
	maxOpaqueBytes = 64 << 10 // bytes of the JSON of an object that this service does not interpret
)

// idPattern matches surface ids. They need no escaping in URLs.
var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

func checkID(field, id string) error {
	if !idPattern.MatchString(id) || len(id) > maxID {
		return svc.FieldError(svc.InvalidValue, field, "%s must have 1 to %d characters: lower-case letters, digits, - and _, beginning with a letter or a digit.", svc.FieldLabel(field), maxID)
	}
	return nil
}

// check validates a surface that a client or another service describes.
func (s *Surface) check() error {
	if err := checkID("surface_id", s.SurfaceID); err != nil {
		return err
	}
	if err := svc.CheckChosen("surface_type", s.SurfaceType); err != nil {
		return err
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
	if err := svc.CheckChosen("content_source.kind", c.Kind); err != nil {
		return err
	}
	u, err := url.Parse(c.URL)
	ok := err == nil && u.Scheme == "" && u.Host == "" && u.Fragment == "" && strings.HasPrefix(u.Path, "/world/") && path.Clean(u.Path) == u.Path
	if !ok || len(c.URL) > maxURL {
		return svc.FieldError(svc.InvalidValue, "content_source.url", "The source of the content must be a path below /world/.")
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
			return svc.FieldError(svc.InvalidValue, "runtime_state.details", "Each detail must be a pair of strings.")
		}
		err = svc.Join(err, svc.CheckText("runtime_state.details", pair[0], svc.MaxName), svc.CheckText("runtime_state.details", pair[1], svc.MaxSummary))
	}
	if r.Finding != nil {
		err = svc.Join(err, svc.PrefixFields("runtime_state.finding", checkFinding(*r.Finding)))
	}
	if r.Translation != nil {
		err = svc.Join(err, svc.CheckChosen("runtime_state.translation.status", r.Translation.Status),
			svc.CheckText("runtime_state.translation.source_surface_id", r.Translation.SourceSurfaceID, maxID),
			svc.CheckText("runtime_state.translation.reason", r.Translation.Reason, svc.MaxSummary))
	}
	for _, id := range r.TranslatedSurfaceIDs {
		err = svc.Join(err, checkID("runtime_state.translated_surface_ids", id))
	}
	return svc.Join(err, checkOpaque("runtime_state.surface_object", r.SurfaceObject))
}

// checkOpaque limits the size of an object that this service does not interpret.
func checkOpaque(field string, object svc.Map) error {
	if object == nil {
		return nil
	}
	encoded, err := svc.EncodeJSON(object)
	if err == nil && len(encoded) > maxOpaqueBytes {
		return svc.FieldError(svc.TooLong, field, "%s may have up to %d bytes.", svc.FieldLabel(field), maxOpaqueBytes)
	}
	return err
}
