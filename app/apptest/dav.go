package apptest

import (
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bodies of PROPFIND requests.
const (
	PropfindETags     = `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`
	PropfindSyncToken = `<propfind xmlns="DAV:"><prop><sync-token/><getctag xmlns="http://calendarserver.org/ns/"/></prop></propfind>`
)

// SyncCollection returns the body of a sync-collection REPORT (RFC 6578) for the
// changes since a sync token.
func SyncCollection(token string) string {
	return `<sync-collection xmlns="DAV:"><sync-token>` + token + `</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`
}

// Proppatch returns the body of a PROPPATCH that sets a dead property.
func Proppatch(name, value string) string {
	return fmt.Sprintf(`<propertyupdate xmlns="DAV:"><set><prop><%s xmlns="urn:example">%s</%[1]s></prop></set></propertyupdate>`, name, value)
}

// Replica is the state of a calendar in a synchronizing client.
type Replica struct {
	Token string            // sync token
	ETags map[string]string // ETags by path
}

// NewReplica returns a replica with the resources of a response to PROPFIND. It
// has no sync token.
func NewReplica(m Multistatus) (r Replica) {
	r.Apply(m)
	return r
}

// Clone returns a copy of the replica that Apply does not change.
func (r Replica) Clone() Replica { return Replica{r.Token, maps.Clone(r.ETags)} }

// Apply applies the changes in a response to sync-collection, and reports whether
// it was truncated (RFC 6578 §3.6).
func (r *Replica) Apply(m Multistatus) (truncated bool) {
	if r.ETags == nil {
		r.ETags = make(map[string]string)
	}
	r.Token = m.Token
	for _, e := range m.Entries {
		switch {
		case strings.Contains(e.Status, "507"):
			truncated = true
		case e.ETag == "":
			delete(r.ETags, e.Href)
		default:
			r.ETags[e.Href] = e.ETag
		}
	}
	return truncated
}

// Multistatus is the part of a multistatus body (RFC 4918 §14.16) that tests
// read.
type Multistatus struct {
	Entries []struct {
		Href   string `xml:"href"`
		Status string `xml:"status"` // status of the resource, empty if it has properties
		ETag   string `xml:"propstat>prop>getetag"`
		Data   string `xml:"propstat>prop>calendar-data"`
	} `xml:"response"`
	Token string `xml:"sync-token"`
}

// Multistatus parses the body, which must be a multistatus.
func (a *Answer) Multistatus() (m Multistatus) {
	a.T.Helper()
	if err := xml.Unmarshal([]byte(a.Want(207).Body), &m); err != nil {
		a.T.Fatalf("%s: %v\n%s", a.About, err, a.Body)
	}
	return m
}

// Names returns the last path segments of the resources with an ETag, sorted.
func (m Multistatus) Names() (list []string) {
	for _, e := range m.Entries {
		if e.ETag != "" {
			list = append(list, LastSegment(e.Href))
		}
	}
	slices.Sort(list)
	return list
}
