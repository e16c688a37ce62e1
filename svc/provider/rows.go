package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"strings"

	"appliance/svc"
	"appliance/svc/provider/contract"
)

// recordKind is the kind of a record.
type recordKind string

const (
	objectKind     recordKind = "object"
	collectionKind recordKind = "collection"
	extensionKind  recordKind = "extension"
)

// Values implements [svc.Set].
func (recordKind) Values() []string { return svc.Values(objectKind, collectionKind, extensionKind) }

// audience is the set of the members who can see a record.
type audience string

const (
	allMembers    audience = "members"
	operators     audience = "operators"
	listedMembers audience = "listed"
	nobody        audience = "none"
)

// Values implements [svc.Set].
func (audience) Values() []string { return svc.Values(allMembers, operators, listedMembers, nobody) }

// row is a record to store.
type row struct {
	Kind     recordKind `json:"kind"`
	Name     string     `json:"name"`
	Key      string     `json:"key"`
	Audience audience   `json:"audience"`
	Content  string     `json:"content"`
	Digest   string     `json:"digest"` // in hex

	readers []string // members who can see an object with the audience listed
	actions []string // keys of its actions
}

// objectContent is the stored content of an object with all data of it that members
// see.
type objectContent struct {
	Object        contract.Object                 `json:"object"`
	Actions       svc.List[contract.Action]       `json:"actions"`
	Resources     svc.List[contract.Resource]     `json:"resources"`
	Relationships svc.List[contract.Relationship] `json:"relationships"`
}

// rowsOf returns the rows of a payload.
func rowsOf(p *contract.Source) ([]row, error) {
	actions := make(map[contract.Ref]svc.List[contract.Action])
	for _, a := range p.Actions.Items {
		actions[a.TargetSource] = append(actions[a.TargetSource], a)
	}
	resources := make(map[string]contract.Resource, len(p.Resources.Items))
	for _, r := range p.Resources.Items {
		resources[r.ID] = r
	}
	relationships := make(map[contract.Ref]svc.List[contract.Relationship])
	for _, r := range p.Relationships.Items {
		relationships[r.Source] = append(relationships[r.Source], r)
	}
	rows := make([]row, 0, len(p.Objects.Items)+len(p.Collections.Items)+len(p.Extensions.Items))
	add := func(r row, content any) error {
		text, err := svc.EncodeJSON(content)
		digest := sha256.Sum256(text)
		r.Content, r.Digest = string(text), hex.EncodeToString(digest[:])
		rows = append(rows, r)
		return err
	}
	for _, o := range p.Objects.Items {
		content := objectContent{Object: o, Actions: actions[o.Source], Relationships: relationships[o.Source]}
		for _, id := range o.Resources {
			content.Resources = append(content.Resources, resources[id])
		}
		r := row{Kind: objectKind, Name: o.Source.SourceType + "/" + o.Source.SourceID, Key: ObjectKey(o.Source)}
		r.Audience, r.readers = audienceOf(o)
		for _, a := range content.Actions {
			r.actions = append(r.actions, actionKey(p.Provider.ID, a.ID))
		}
		if err := add(r, content); err != nil {
			return nil, err
		}
	}
	for _, c := range p.Collections.Items {
		if err := add(row{Kind: collectionKind, Name: c.ID, Audience: nobody}, c); err != nil {
			return nil, err
		}
	}
	for _, e := range p.Extensions.Items {
		if err := add(row{Kind: extensionKind, Name: e.ID, Audience: nobody}, e); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// audienceOf returns the members who can see an object, as the column audience and
// the names of readers.
func audienceOf(o contract.Object) (a audience, readers []string) {
	canView, stated := o.Permissions["can_view"]
	switch {
	case stated && !canView:
		return nobody, nil
	case o.Visibility.Group != "":
		return audience(o.Visibility.Group), nil
	}
	for _, name := range o.Visibility.Members {
		readers = append(readers, strings.ToLower(name))
	}
	return listedMembers, readers
}

// ObjectKey identifies an object in ids of actions.
func ObjectKey(r contract.Ref) string {
	return hash("object", r.Provider, r.SourceType, r.SourceID)
}

// actionKey identifies an action in its id.
func actionKey(provider, id string) string { return hash("action", provider, id) }

// CollectionKey identifies a collection in ids of contexts.
func CollectionKey(c Collection) string { return hash("collection", c.Provider, c.ID) }

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// hash returns 26 characters that identify a list of texts.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return lowerBase32.EncodeToString(sum[:16])
}

// Subject returns the pseudonym of a member at a provider. key is the instance key.
func Subject(key []byte, provider string, member svc.MemberID) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("provider-subject\x00" + provider + "\x00" + member.String()))
	return "ms_" + lowerBase32.EncodeToString(mac.Sum(nil)[:16])
}
