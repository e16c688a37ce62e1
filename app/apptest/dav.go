package apptest

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// read parses a multistatus, which the answer must be.
func (a *Answer) Multistatus() (m Multistatus) {
	a.T.Helper()
	if err := xml.Unmarshal([]byte(a.Want(207).Body), &m); err != nil {
		a.T.Fatalf("%s: %v\n%s", a.About, err, a.Body)
	}
	return m
}

// names returns the last segments of what the answer is about, sorted.
func (m Multistatus) Names() (list []string) {
	for _, e := range m.Entries {
		if e.ETag != "" {
			list = append(list, e.Href[strings.LastIndexByte(e.Href, '/')+1:])
		}
	}
	slices.Sort(list)
	return list
}

const (
	PropfindETags     = `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`
	PropfindSyncToken = `<propfind xmlns="DAV:"><prop><sync-token/><getctag xmlns="http://calendarserver.org/ns/"/></prop></propfind>`
)

// syncReport asks what has changed since a token.
func SyncCollection(token string) string {
	return `<sync-collection xmlns="DAV:"><sync-token>` + token + `</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`
}

func Proppatch(name, value string) string {
	return fmt.Sprintf(`<propertyupdate xmlns="DAV:"><set><prop><%s xmlns="urn:example">%s</%[1]s></prop></set></propertyupdate>`, name, value)
}

// replica is a calendar as a client has it.
type Replica struct {
	Token string
	ETags map[string]string // by path
}

// multistatus is what is read of RFC 4918 §14.16.
type Multistatus struct {
	Entries []struct {
		Href   string `xml:"href"`
		Status string `xml:"status"` // of the whole, if it has no properties
		ETag   string `xml:"propstat>prop>getetag"`
		Data   string `xml:"propstat>prop>calendar-data"`
	} `xml:"response"`
	Token string `xml:"sync-token"`
}
