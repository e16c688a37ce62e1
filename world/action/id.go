package action

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"

	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
	"appliance/svc/surface"
)

// Source identifies the resource of a service, or the record of a provider, that an
// object represents. It is not a URL.
type Source struct {
	Kind SourceKind `json:"kind"`

	// Only of services.
	Service      string `json:"service,omitzero"`
	ResourceType string `json:"resource_type,omitzero"`
	ResourceID   string `json:"resource_id,omitzero"`

	// Only of providers.
	Provider   string `json:"provider,omitzero"`
	SourceType string `json:"source_type,omitzero"`
	SourceID   string `json:"source_id,omitzero"`
}

// SourceKind is the kind of a [Source].
type SourceKind string

const (
	ServiceSource  SourceKind = "service"
	ProviderSource SourceKind = "provider"
)

// Values implements [svc.Set].
func (SourceKind) Values() []string { return svc.Values(ServiceSource, ProviderSource) }

// Names of the objects of providers in ids of actions and in the workspace.
const (
	ProviderService = "provider"
	providerObject  = "object"
)

// SourceOfProvider returns the source of an object of a provider.
func SourceOfProvider(r contract.Ref) Source {
	return Source{Kind: ProviderSource, Provider: r.Provider, SourceType: r.SourceType, SourceID: r.SourceID}
}

// resource returns service, type and id of the resource. Objects of providers have
// those of the workspace, with a hash of the reference as the id.
func (s Source) resource() (service, resourceType, id string) {
	if s.Provider != "" {
		return ProviderService, providerObject, provider.ObjectKey(contract.Ref{Provider: s.Provider, SourceType: s.SourceType, SourceID: s.SourceID})
	}
	return s.Service, s.ResourceType, s.ResourceID
}

// SourceOf returns the source of the object that a surface shows; ok is false if
// the surface shows no object.
func SourceOf(b surface.ServiceBinding) (s Source, ok bool) {
	if b.ResourceType == "html_resource" {
		b.ResourceType = "web_resource"
	}
	return Source{Kind: ServiceSource, Service: b.ServiceID, ResourceType: b.ResourceType, ResourceID: b.ResourceID}, b.ServiceID != "" && b.ResourceType != "panel"
}

// SourceOfFinding returns the source of the object that a finding becomes when
// the member opens or saves it.
func SourceOfFinding(f svc.Finding) Source {
	s, _ := SourceOf(surface.ServiceBinding{ServiceID: "find", ResourceType: string(f.ObjectType), ResourceID: f.FindingID})
	return s
}

// Namer generates the ids of objects and actions. An id contains a keyed hash: it
// is the same after a restart, and clients cannot guess it. An object has the
// same id for every member.
type Namer struct{ Key []byte }

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ObjectID returns the world_object_id of a source: wo_ and 26 characters.
func (n Namer) ObjectID(s Source) string {
	service, resourceType, id := s.resource()
	return "wo_" + n.mac(16, "object", "service", service, resourceType, id)
}

// ActionID returns the action_id for a code, a resource ("" for none) and a member, of
// an action that World performs at /world/actions/{action_id}. The id contains code and
// resource in plain text; its hash proves that this server issued it to this member. The
// hash is short, because a dataset has thousands of ids and hashes do not compress;
// whether a member may perform the action is checked again.
func (n Namer) ActionID(code, resource string, member svc.MemberID) string {
	return joinActionID(code, resource, n.mac(6, "action", code, resource, member.String()))
}

// RoutedActionID returns the action_id of an action with a route of its own. World does
// not accept such an id as a request, so its hash need not depend on the code: the
// actions on a resource share one hash, which compresses.
func (n Namer) RoutedActionID(code, resource string, member svc.MemberID) string {
	return joinActionID(code, resource, n.mac(6, "routed action", resource, member.String()))
}

func joinActionID(code, resource, hash string) string {
	id := "act_" + code + "_"
	if resource != "" {
		id += resource + "_"
	}
	return id + hash
}

// Parse returns the code and the resource of an id that [Namer.ActionID] returned; ok
// is false if this server did not issue it to member.
func (n Namer) Parse(id string, member svc.MemberID) (code, resource string, ok bool) {
	rest, ours := strings.CutPrefix(id, "act_")
	i := strings.LastIndexByte(rest, '_')
	if !ours || i < 0 {
		return "", "", false
	}
	code, resource, _ = strings.Cut(rest[:i], "_")
	return code, resource, hmac.Equal([]byte(id), []byte(n.ActionID(code, resource, member)))
}

// plainID matches resource ids that need no escaping in a URL.
var plainID = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// Resource returns the name of a source in action_ids: service, resource type
// and id, or a hash of the id if a URL would have to escape it. The zero Source
// has the name "".
func (n Namer) Resource(s Source) string {
	if s == (Source{}) {
		return ""
	}
	service, resourceType, id := s.resource()
	if !plainID.MatchString(id) {
		id = n.mac(16, "resource", id)
	}
	return service + "__" + resourceType + "__" + id
}

// itemResource begins the resource of an item of the workspace in action_ids.
const itemResource = "workspace__item__"

// Item returns the resource of the action_ids of the workspace item that shows s.
// Unlike [Namer.Resource] it does not contain the id of the resource, because it is
// also for members who cannot see the resource.
func (n Namer) Item(s Source) string { return itemResource + strings.TrimPrefix(n.ObjectID(s), "wo_") }

// ObjectIDOfItem returns the world_object_id of a name that [Namer.Item] returned.
func ObjectIDOfItem(resource string) (object string, ok bool) {
	id, ok := strings.CutPrefix(resource, itemResource)
	return "wo_" + id, ok
}

// mac returns the first size bytes of the HMAC of the parts.
func (n Namer) mac(size int, parts ...string) string {
	h := hmac.New(sha256.New, n.Key)
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0}) // no part contains this byte
	}
	return lowerBase32.EncodeToString(h.Sum(nil)[:size])
}
