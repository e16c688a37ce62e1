package dav

import (
	"encoding/xml"
	"fmt"
	"math/bits"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc"
)

// namespaces declares the prefixes of all documents.
const namespaces = ` xmlns:D="` + nsDAV + `" xmlns:C="` + nsCalDAV + `" xmlns:CS="` + nsCalendarServer + `" xmlns:A="` + nsApple + `"`

// foreignPrefix is the prefix of names in other namespaces. Each such element
// declares it.
const foreignPrefix = "X:"

// prefixOf returns the prefix of a namespace with its colon.
func prefixOf(space string) string {
	switch space {
	case nsDAV:
		return "D:"
	case nsCalDAV:
		return "C:"
	case nsCalendarServer:
		return "CS:"
	case nsApple:
		return "A:"
	case "":
		return ""
	}
	return foreignPrefix
}

// writer writes an XML document. The document is sent when it is complete, so that no transaction
// waits for the client, and an error can still be reported with its status.
type writer struct {
	prefix    string       // of hrefs, percent-encoded
	member    svc.MemberID // the viewer
	snapshot  Snapshot     // source of the document
	homeCache *Home        // nil until home is called
	err       error        // first error while a property was written
	work      svc.Work     // of the request
	spool     svc.Spool    // contains the part of the document before buf
	buf       []byte

	calendar     path // calendar of the last object href; calendarHref is its href
	calendarHref string
}

// newDocument begins the XML response and discards the previous one.
func (q *request) newDocument() *writer {
	q.discardDocument()
	q.out = &writer{prefix: q.h.escaped, member: q.viewer.Member(), work: svc.WorkOf(q.Context()), spool: svc.Spool{Dir: q.h.dir}}
	q.out.raw(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	return q.out
}

// discardDocument discards the current document.
func (q *request) discardDocument() {
	if q.out != nil {
		_ = q.out.spool.Close() // the file is not used, so an error does not matter
	}
}

// send sends the document with the status.
func (q *request) send(status int) error {
	x := q.out
	if err := x.flush(); err != nil {
		return err
	}
	h := q.w.Header()
	h.Set("Content-Type", "application/xml; charset=utf-8")
	h.Set("Content-Length", strconv.FormatInt(x.spool.Len(), 10))
	q.w.WriteHeader(status)
	q.sent = true
	_, err := x.spool.WriteTo(q.w)
	return err
}

const (
	flushOctets          = 16 << 10 // minimum size of a write to the spool
	octetsPerStepWritten = 4        // octets of a document that take as long to write as one step
)

// flushIfLarge flushes buf if it has at least flushOctets, and takes the steps for it from work. It
// returns an error if the request has ended. Flushed output cannot be truncated.
func (x *writer) flushIfLarge() error {
	if len(x.buf) < flushOctets {
		return nil
	}
	if err := x.work.Wait(len(x.buf) / octetsPerStepWritten); err != nil {
		return err
	}
	return x.flush()
}

// flush moves buf to the spool.
func (x *writer) flush() error {
	_, err := x.spool.Write(x.buf)
	x.buf = x.buf[:0]
	return err
}

func (x *writer) raw(s string) { x.buf = append(x.buf, s...) }

// root writes the start tag of the root element, which declares the namespaces.
func (x *writer) root(n xml.Name) { x.tag("<", n, namespaces+">") }

func (x *writer) start(n xml.Name) { x.tag("<", n, ">") }
func (x *writer) end(n xml.Name)   { x.tag("</", n, ">") }
func (x *writer) empty(n xml.Name) { x.tag("<", n, "/>") }

func (x *writer) tag(open string, n xml.Name, end string) {
	prefix := prefixOf(n.Space)
	x.raw(open)
	x.raw(prefix)
	x.raw(n.Local)
	if prefix == foreignPrefix && open == "<" {
		x.raw(` xmlns:X="`)
		x.escape(n.Space, true)
		x.raw(`"`)
	}
	x.raw(end)
}

// attribute adds an attribute to the start tag written last.
func (x *writer) attribute(name, value string) {
	x.buf = x.buf[:len(x.buf)-len(">")]
	x.raw(" " + name + `="`)
	x.escape(value, true)
	x.raw(`">`)
}

// element writes an element with text.
func (x *writer) element(n xml.Name, text string) {
	x.start(n)
	x.text(text)
	x.end(n)
}

// href writes DAV:href (RFC 4918 §14.7). The href of a calendar is cached,
// because a response contains thousands of its objects.
func (x *writer) href(p path) {
	if p.kind != kindObject {
		x.element(davName("href"), p.href(x.prefix))
		return
	}
	calendar := path{kind: kindCalendar, member: p.member, segment: p.segment}
	if calendar != x.calendar {
		x.calendar, x.calendarHref = calendar, calendar.href(x.prefix)
	}
	x.start(davName("href"))
	x.text(x.calendarHref)
	x.text(url.PathEscape(p.name))
	x.end(davName("href"))
}

func (x *writer) statusLine(code int) {
	if code == http.StatusOK {
		x.raw("<D:status>HTTP/1.1 200 OK</D:status>")
		return
	}
	x.element(davName("status"), "HTTP/1.1 "+strconv.Itoa(code)+" "+http.StatusText(code))
}

func (x *writer) text(s string)              { x.escape(s, false) }
func (x *writer) octets(b []byte)            { x.buf = appendEscaped(x.buf, b, false) }
func (x *writer) escape(s string, attr bool) { x.buf = appendEscaped(x.buf, s, attr) }

// appendEscaped appends s as character data or as an attribute value. It
// escapes carriage returns, which an XML parser would otherwise normalize in
// iCalendar text. Characters that XML cannot represent become U+FFFD.
func appendEscaped[T string | []byte](buf []byte, s T, attr bool) []byte {
	copied := 0
	for i := plainRun(s); i < len(s); i += plainRun(s[i:]) {
		replacement, width := "", 1
		switch c := s[i]; {
		case c == '&':
			replacement = "&amp;"
		case c == '<':
			replacement = "&lt;"
		case c == '>':
			replacement = "&gt;"
		case c == '\r':
			replacement = "&#13;"
		case attr && strings.IndexByte("\"\n\t", c) >= 0:
			replacement = fmt.Sprintf("&#%d;", c)
		case c >= utf8.RuneSelf || c < ' ':
			var r rune
			if r, width = utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))])); !xmlChar(r) || r == utf8.RuneError && width == 1 {
				replacement = "\ufffd"
			}
		}
		if replacement != "" {
			buf = append(append(buf, s[copied:i]...), replacement...)
			copied = i + width
		}
		i += width
	}
	return append(buf, s[copied:]...)
}

// plainRun returns the number of octets at the start of s that need no
// escaping. It examines eight octets at a time, because calendar data may have
// megabytes.
func plainRun[T string | []byte](s T) (n int) {
	const lowBits, highBits = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(s); n += 8 {
		w := s[n : n+8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		angle := (x | 2*lowBits) ^ '>'*lowBits // the octets with < or > are 0
		other := (x | 4*lowBits) ^ '&'*lowBits // the octets with & or " are 0
		special := (x | (x-' '*lowBits)&^x | (angle-lowBits)&^angle | (other-lowBits)&^other) & highBits
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8 // only the lowest mark is exact
		}
	}
	for n < len(s) && s[n] >= ' ' && s[n] < utf8.RuneSelf && strings.IndexByte("&<>\"", s[n]) < 0 {
		n++
	}
	return n
}
