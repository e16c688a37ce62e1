package world

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"

	"appliance/svc"
)

// names makes the ids of a dataset. They are functions of what they name and
// of this server's key: the same after a restart, the same for every member
// where the thing is the same, and nobody can guess one.
type names struct{ key []byte }

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// object returns the world_object_id of a source: wo_ and 26 characters.
func (n names) object(s Source) string {
	return "wo_" + n.mac(16, "object", s.Kind, s.Service, s.ResourceType, s.ResourceID)
}

// action returns the action_id of what a member can do to a resource, "" for
// what is about none. It says what it stands for, and only this server can
// have made it for this member.
func (n names) action(code, resource string, member svc.MemberID) string {
	id := "act_" + code + "_"
	if resource != "" {
		id += resource + "_"
	}
	return id + n.mac(10, "action", code, resource, member.String())
}

// parse reads an action_id that was made for the member; false if it was not.
func (n names) parse(id string, member svc.MemberID) (code, resource string, ok bool) {
	rest, ours := strings.CutPrefix(id, "act_")
	i := strings.LastIndexByte(rest, '_')
	if !ours || i < 0 {
		return "", "", false
	}
	code, resource, _ = strings.Cut(rest[:i], "_")
	return code, resource, hmac.Equal([]byte(id), []byte(n.action(code, resource, member)))
}

// plain is what can stand in an address as it is.
var plain = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// resource returns what a source is called in an action_id: by its own names,
// or by a hash where its id has other characters. That of no source is "".
func (n names) resource(s Source) string {
	if s == (Source{}) {
		return ""
	}
	id := s.ResourceID
	if !plain.MatchString(id) {
		id = n.mac(16, "resource", id)
	}
	return s.Service + "__" + s.ResourceType + "__" + id
}

// mac returns the first size bytes of the HMAC of the parts.
func (n names) mac(size int, parts ...string) string {
	h := hmac.New(sha256.New, n.key)
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0}) // no part has this byte
	}
	return lowerBase32.EncodeToString(h.Sum(nil)[:size])
}
