#!/bin/sh
# golang-ical changes valid objects that it reads and writes: two categories become one, a name with a semicolon makes the
# file unreadable for another library, and a name with a colon ends up in the address.
#
# Seen with github.com/arran4/golang-ical v0.3.4; its output is read by github.com/emersion/go-ical (f41e73efc392):
#   CATEGORIES:home,garden
#     CATEGORIES:home\,garden
#     1 value
#   ATTENDEE;CN="Doe; Jane":mailto:jane@example.com
#     ATTENDEE;CN=Doe\; Jane:mailto:jane@example.com
#     ical: malformed param: missing equal sign
#   ATTENDEE;CN="Team: East":mailto:east@example.com
#     ATTENDEE;CN=Team\: East:mailto:east@example.com
#     address " East:mailto:east@example.com"
# RFC 5545, section 3.1.1: a comma separates values, and one with a backslash belongs to a value. Section 3.2: a parameter
# with a colon, semicolon or comma is quoted; a backslash has no meaning in it.
set -eu
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'END'
package main

import (
	"fmt"
	"strings"

	ics "github.com/arran4/golang-ical"
	"github.com/emersion/go-ical"
)

const begin = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//a//b//EN\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260102T000000Z\r\n"

func main() {
	for _, line := range []string{
		"CATEGORIES:home,garden",
		`ATTENDEE;CN="Doe; Jane":mailto:jane@example.com`,
		`ATTENDEE;CN="Team: East":mailto:east@example.com`,
	} {
		fmt.Println(line)
		c, err := ics.ParseCalendar(strings.NewReader(begin + line + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"))
		if err != nil {
			fmt.Println("  refused:", err)
			continue
		}
		written := c.Serialize(ics.WithNewLineWindows)
		for l := range strings.Lines(written) {
			if strings.HasPrefix(l, line[:8]) {
				fmt.Println(" ", strings.TrimSpace(l))
			}
		}
		read, err := ical.NewDecoder(strings.NewReader(written)).Decode()
		if err != nil {
			fmt.Println(" ", err)
		} else if p := read.Children[0].Props.Get("CATEGORIES"); p != nil {
			list, _ := p.TextList()
			fmt.Println(" ", len(list), "value")
		} else {
			fmt.Printf("  address %q\n", read.Children[0].Props.Get("ATTENDEE").Value)
		}
	}
}
END
{
	go mod init example.com/finding
	go get github.com/arran4/golang-ical@v0.3.4 github.com/emersion/go-ical@v0.0.0-20250329121855-f41e73efc392
} 2>/dev/null
GOFLAGS=-mod=mod go run . | tee seen
cat >want <<'END'
CATEGORIES:home,garden
  CATEGORIES:home\,garden
  1 value
ATTENDEE;CN="Doe; Jane":mailto:jane@example.com
  ATTENDEE;CN=Doe\; Jane:mailto:jane@example.com
  ical: malformed param: missing equal sign
ATTENDEE;CN="Team: East":mailto:east@example.com
  ATTENDEE;CN=Team\: East:mailto:east@example.com
  address " East:mailto:east@example.com"
END
diff want seen
