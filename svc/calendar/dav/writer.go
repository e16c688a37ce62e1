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

// namespaces are the prefixes of all documents.
const namespaces = ` xmlns:D="` + nsDAV + `" xmlns:C="` + nsCalDAV + `" xmlns:CS="` + nsCalendarServer + `" xmlns:A="` + nsApple + `"`

// foreignPrefix is that of names which are in none of these namespaces. It is
// declared anew at each of them.
const foreignPrefix = "X:"

// prefixOf returns the prefix of a namespace, with its colon.
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

// writer writes an XML document piece by piece. The document is sent when it
// is complete: until then nobody waits for the client, and everything may
// still fail and be answered properly.
type writer struct {
	prefix    string       // of hrefs, escaped
	member    svc.MemberID // who reads it
	tree      Snapshot     // what it is written of
	homeCache *Home        // around it all, once somebody has asked
	err       error        // what went wrong while a property was written
	spool     svc.Spool    // what came before buf
	buf       []byte

	calendar     path // whose href was written last, and the href
	calendarHref string
}

// newDocument begins an XML response.
func (q *request) newDocument() *writer {
	q.discardDocument()
	q.out = &writer{prefix: q.h.escaped, member: q.viewer.Member(), spool: svc.Spool{Dir: q.h.dir}}
	q.out.raw(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	return q.out
}

// discardDocument throws away the document that was begun last.
func (q *request) discardDocument() {
	if q.out != nil {
		_ = q.out.spool.Close() // what is thrown away need not be whole
	}
}

// send sends the document as the response.
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

// flushOctets is how much of a document is put where it waits at once.
const flushOctets = 16 << 10

// flushIfLarge puts away what is written if it is worth it. Nothing of it can be taken
// back from then on.
func (x *writer) flushIfLarge() error {
	if len(x.buf) < flushOctets {
		return nil
	}
	return x.flush()
}

func (x *writer) flush() error {
	_, err := x.spool.Write(x.buf)
	x.buf = x.buf[:0]
	return err
}

func (x *writer) raw(s string) { x.buf = append(x.buf, s...) }

// root begins the outermost element, which declares the namespaces.
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

// attribute adds an attribute to the start tag that was written last.
func (x *writer) attribute(name, value string) {
	x.buf = x.buf[:len(x.buf)-len(">")]
	x.raw(" " + name + `="`)
	x.escape(value, true)
	x.raw(`">`)
}

// element writes an element with text in it.
func (x *writer) element(n xml.Name, text string) {
	x.start(n)
	x.text(text)
	x.end(n)
}

// href writes DAV:href (RFC 4918 §14.7). Objects come by the thousand, all of
// one calendar.
func (x *writer) href(p path) {
	if p.kind != kindObject {
		x.element(davName("href"), p.href(x.prefix))
		return
	}
	around := path{kind: kindCalendar, member: p.member, segment: p.segment}
	if around != x.calendar {
		x.calendar, x.calendarHref = around, around.href(x.prefix)
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

// appendEscaped appends s as character data, or as the value of an attribute.
// Carriage returns survive the reader, so that iCalendar arrives as it is. What
// XML has no way to say becomes U+FFFD.
func appendEscaped[T string | []byte](buf []byte, s T, attr bool) []byte {
	done := 0
	for i := plainRun(s); i < len(s); i += plainRun(s[i:]) {
		with, width := "", 1
		switch c := s[i]; {
		case c == '&':
			with = "&amp;"
		case c == '<':
			with = "&lt;"
		case c == '>':
			with = "&gt;"
		case c == '\r':
			with = "&#13;"
		case attr && strings.IndexByte("\"\n\t", c) >= 0:
			with = fmt.Sprintf("&#%d;", c)
		case c >= utf8.RuneSelf || c < ' ':
			var r rune
			if r, width = utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))])); !xmlChar(r) || r == utf8.RuneError && width == 1 {
				with = "\ufffd"
			}
		}
		if with != "" {
			buf = append(append(buf, s[done:i]...), with...)
			done = i + width
		}
		i += width
	}
	return append(buf, s[done:]...)
}

// plainRun returns how many octets s begins with that stand for themselves
// wherever they are. It looks at eight of them at once: data goes out by the
// megabyte.
func plainRun[T string | []byte](s T) (n int) {
	const each, top = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(s); n += 8 {
		w := s[n : n+8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		angle := (x | 2*each) ^ '>'*each // 0 in an octet that is < or >
		other := (x | 4*each) ^ '&'*each // or one that is & or "
		special := (x | (x-' '*each)&^x | (angle-each)&^angle | (other-each)&^other) & top
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8 // the lowest is a true one
		}
	}
	for n < len(s) && s[n] >= ' ' && s[n] < utf8.RuneSelf && strings.IndexByte("&<>\"", s[n]) < 0 {
		n++
	}
	return n
}
