package dav

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc"
)

// flushAt is how much of a document is held before it is sent.
const flushAt = 32 << 10

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

// writer writes an XML document piece by piece.
type writer struct {
	w      http.ResponseWriter
	status int
	prefix string       // of hrefs, escaped
	member svc.MemberID // who reads it
	buf    []byte
	sent   bool // whether a part is on its way
}

// document begins an XML response.
func (q *request) document(status int) *writer {
	q.out = &writer{w: q.w, status: status, prefix: q.h.escaped, member: q.viewer.Member()}
	q.out.raw(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	return q.out
}

// flush sends what has been written.
func (x *writer) flush() error {
	if !x.sent {
		x.w.Header().Set("Content-Type", "application/xml; charset=utf-8")
		x.w.WriteHeader(x.status)
		x.sent = true
	}
	_, err := x.w.Write(x.buf)
	x.buf = x.buf[:0]
	return err
}

// drain sends what has been written once it is worth it.
func (x *writer) drain() error {
	if len(x.buf) < flushAt {
		return nil
	}
	return x.flush()
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

// element writes an element with text in it.
func (x *writer) element(n xml.Name, text string) {
	x.start(n)
	x.text(text)
	x.end(n)
}

// href writes DAV:href (RFC 4918 §14.7).
func (x *writer) href(p path) { x.element(davName("href"), p.href(x.prefix)) }

func (x *writer) statusLine(code int) {
	x.element(davName("status"), "HTTP/1.1 "+strconv.Itoa(code)+" "+http.StatusText(code))
}

func (x *writer) text(s string) { x.escape(s, false) }

// escape writes s as character data, or as the value of an attribute. Carriage
// returns survive the reader, so that iCalendar arrives as it is. What XML has
// no way to say becomes U+FFFD.
func (x *writer) escape(s string, attr bool) {
	done := 0
	for i := 0; i < len(s); {
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
			if r, width = utf8.DecodeRuneInString(s[i:]); !xmlChar(r) || r == utf8.RuneError && width == 1 {
				with = "\ufffd"
			}
		}
		if with != "" {
			x.raw(s[done:i])
			x.raw(with)
			done = i + width
		}
		i += width
	}
	x.raw(s[done:])
}
