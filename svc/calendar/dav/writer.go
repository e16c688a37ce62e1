package dav

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc"
)

// inMemory is how much of a document waits in memory. What is beyond that
// waits in a file.
const inMemory = 1 << 20

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
	prefix string       // of hrefs, escaped
	member svc.MemberID // who reads it
	dir    string       // where the file may be
	tree   Tree         // what it is written of
	around *Home        // around it all, once somebody has asked
	err    error        // what went wrong while a property was written
	file   *os.File     // what came before buf; nil if there is room for all
	size   int64        // of the file
	buf    []byte
}

// document begins an XML response.
func (q *request) document() *writer {
	q.discard()
	q.out = &writer{prefix: q.h.escaped, member: q.viewer.Member(), dir: q.h.dir}
	q.out.raw(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	return q.out
}

// discard throws away the document that was begun last.
func (q *request) discard() {
	if q.out != nil && q.out.file != nil {
		q.out.file.Close()
		os.Remove(q.out.file.Name())
	}
}

// send sends the document as the response.
func (q *request) send(status int) error {
	x := q.out
	h := q.w.Header()
	h.Set("Content-Type", "application/xml; charset=utf-8")
	h.Set("Content-Length", strconv.FormatInt(x.size+int64(len(x.buf)), 10))
	if x.file != nil {
		if _, err := x.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	q.w.WriteHeader(status)
	q.sent = true
	if x.file != nil {
		if _, err := io.Copy(q.w, x.file); err != nil {
			return err
		}
	}
	_, err := q.w.Write(x.buf)
	return err
}

// spill makes room in memory if there is need for it.
func (x *writer) spill() (err error) {
	if len(x.buf) < inMemory {
		return nil
	}
	if x.file == nil {
		if x.file, err = os.CreateTemp(x.dir, "answer-*.tmp"); err != nil {
			return err
		}
		os.Remove(x.file.Name()) // where that works, nobody else can open it, and no crash leaves it behind
	}
	n, err := x.file.Write(x.buf)
	x.size += int64(n)
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
