package ics

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"appliance/svc"

	"github.com/emersion/go-ical"
)

// untidyText has irregularities that an edit must preserve: folds in unusual
// places, mixed line endings, blank lines, names in lower case, a property after
// a component.
const untidyText = "\ufeffBEGIN:VCALENDAR\r\n" +
	"VERSION:2.0\r\n" +
	"\r\n" +
	"begin:VEVENT \n" +
	"UID:1\r\n" +
	"DTSTART:20260501T090000Z\r\n" +
	"summary;LANGUAGE=de:Erster\r\n" +
	"\t Titel\r\n" +
	"X-Thing;A=\"b;c\":d\r\n" +
	"SUMMARY:Zweiter\r\n" +
	"BEGIN:VALARM\r\n" +
	"TRIGGER:-PT5M\r\n" +
	"END:VALARM\r\n" +
	"LOCATION:b\r\n" +
	"  ehind the alarm\r\n" +
	"end:vevent\r\n" +
	"END:VCALENDAR\r\n" +
	"\r\n"

func TestEditPreservesOtherOctets(t *testing.T) {
	o := mustParse(t, untidyText)
	for _, c := range []struct {
		name     string
		edit     func(d *Document, e *Block)
		old, new string
	}{
		{"no edit", func(*Document, *Block) {}, "", ""},
		{"Set an existing property", func(_ *Document, e *Block) { e.Set(TextProp("uid", "2")) }, "UID:1\r\n", "UID:2\n"},
		{"Set a property that occurs twice", func(_ *Document, e *Block) { e.Set(TextProp("SUMMARY", "Ü, 1")) },
			"summary;LANGUAGE=de:Erster\r\n\t Titel\r\nX-Thing;A=\"b;c\":d\r\nSUMMARY:Zweiter\r\n", "SUMMARY:Ü\\, 1\nX-Thing;A=\"b;c\":d\r\n"},
		{"Set a new property", func(_ *Document, e *Block) { e.Set(IntProp("PRIORITY", 1)) }, "BEGIN:VALARM", "PRIORITY:1\nBEGIN:VALARM"},
		{"Set a property after a component", func(_ *Document, e *Block) { e.Set(TextProp("LOCATION", "x")) }, "LOCATION:b\r\n  ehind the alarm\r\n", "LOCATION:x\n"},
		{"Add to an existing property", func(_ *Document, e *Block) { e.Add(TextProp("SUMMARY", "Dritter")) }, "BEGIN:VALARM", "SUMMARY:Dritter\nBEGIN:VALARM"},
		{"Remove a folded line", func(_ *Document, e *Block) { e.Remove("Location", "X-Nothing") }, "LOCATION:b\r\n  ehind the alarm\r\n", ""},
		{"RemoveFunc", func(_ *Document, e *Block) {
			e.RemoveFunc(func(p ical.Prop) bool {
				return p.Params.Get("LANGUAGE") == "de" || p.Name == "TRIGGER" || p.Value == "2"
			})
		}, "summary;LANGUAGE=de:Erster\r\n\t Titel\r\n", ""},
		{"RemoveBlocks", func(_ *Document, e *Block) { e.RemoveBlocks(e.Blocks("VALARM")...) }, "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n", ""},
		{"AddAlarm with an offset", func(_ *Document, e *Block) {
			e.AddAlarm(Alarm{Action: "DISPLAY", Description: "Now", Offset: Duration{Days: -1}, RelatedToEnd: true, Repeat: 2, Interval: Duration{Seconds: 60}})
		}, "end:vevent", "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;RELATED=END:-P1D\nDESCRIPTION:Now\nREPEAT:2\nDURATION:PT1M\nEND:VALARM\nend:vevent"},
		{"AddAlarm with an absolute trigger", func(d *Document, _ *Block) {
			d.Calendar.AddAlarm(Alarm{Action: "AUDIO", At: UTC(utcDay(2026, 5, 1))})
		}, "END:VCALENDAR", "BEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER;VALUE=DATE-TIME:20260501T000000Z\r\nEND:VALARM\r\nEND:VCALENDAR"},
		{"edit a Clone", func(d *Document, e *Block) {
			copied := e.Clone()
			copied.Remove("UID")
			copied.Blocks()[0].Remove("TRIGGER")
		}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := o.Edit()
			c.edit(d, d.Block(o.Master))
			if got, want := string(d.Bytes()), strings.Replace(untidyText, c.old, c.new, 1); got != want {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
		})
	}
}

func TestValueIgnoresSubcomponents(t *testing.T) {
	d, err := ParseDocument([]byte(untidyText))
	if err != nil {
		t.Fatal(err)
	}
	e := d.Calendar.Blocks("VEVENT")[0]
	if got, want := e.Value("summary"), "Erster Titel"; got != want {
		t.Errorf("summary: got %q, want %q", got, want)
	}
	if got := e.Value("TRIGGER"); got != "" {
		t.Errorf("TRIGGER: got %q, want \"\": it belongs to the VALARM", got)
	}
	if _, err := ParseDocument([]byte("BEGIN:VEVENT\r\nEND:VEVENT\r\n")); err == nil {
		t.Error("VEVENT without VCALENDAR: got no error")
	}
}

// Covers T-08.
func TestNewDocumentIsParsed(t *testing.T) {
	berlin, _ := LoadZone("Europe/Berlin")
	start := Zoned(time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC), berlin)
	d := NewDocument("-//Test//EN")
	e := d.Calendar.NewBlock("VEVENT")
	e.Add(TextProp("UID", "1"))
	e.Add(TimeProp("DTSTART", start))
	e.Add(TimeProp("DTEND", start.Add(Duration{Seconds: 1800})))
	e.Add(TextProp("SUMMARY", "Dentist"))
	want := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VEVENT\r\nUID:1\r\n" +
		"DTSTART;TZID=Europe/Berlin:20261201T090000\r\nDTEND;TZID=Europe/Berlin:20261201T093000\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if got := string(d.Bytes()); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	mustParse(t, want)
}

// Lines that were folded inside a UTF-8 sequence get new folds; other octets do
// not change.
func TestRefoldUTF8(t *testing.T) {
	raw := []byte(event("DTSTART:20260501", "SUMMARY:caf\xc3\r\n \xa9 au\r\n  lait", "X-A:b\r\n c"))
	want := event("DTSTART:20260501", "SUMMARY:café au lait", "X-A:b\r\n c")
	if got := RefoldUTF8(raw); string(got) != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := RefoldUTF8([]byte(want)); &got[0] == &raw[0] || string(got) != want {
		t.Errorf("valid UTF-8: got %q, want it unchanged", got)
	}
}

// Parsing and formatting a document changes no octet. Splitting it into entries
// or refolding it keeps it valid. After an edit, the other lines are unchanged
// and the new line has the new value.
//
// Covers PT-24.
func FuzzDocument(f *testing.F) {
	f.Add([]byte(untidyText), "Title", 0)
	f.Add([]byte(weeklyEvent), "A title, with\n\"everything\" \\ in it", 3)
	f.Add([]byte(series), strings.Repeat("ä", 100), 7)
	f.Fuzz(func(t *testing.T, raw []byte, text string, index int) {
		d, err := ParseDocument(raw)
		if err != nil {
			return
		}
		if got := d.Bytes(); !bytes.Equal(got, raw) {
			t.Fatalf("parsed and formatted: got %q, want %q", got, raw)
		}
		clean := RefoldUTF8(raw)
		if read := mustRead(t, clean); !utf8.Valid(clean) || fmt.Sprint(contentLines(read)) != fmt.Sprint(contentLines(d)) {
			t.Errorf("RefoldUTF8(%q): got %q", raw, clean)
		}
		whole, err := ReadStream(bytes.NewReader(raw), int64(len(raw)), nil)
		if err != nil {
			t.Fatal(err)
		}
		var a Assembly
		a.Add("", whole)
		for e := range a.Entries(svc.WorkOf(t.Context())) {
			if e.Err == nil {
				mustRead(t, e.Object.Raw)
			}
		}
		blocks := func(d *Document) []*Block { return append(d.Calendar.Blocks(), d.Calendar) }
		index = max(index, -index-1) % len(blocks(d))
		blocks(d)[index].Set(TextProp("SUMMARY", text))

		again, err := ParseDocument(d.Bytes())
		if err != nil {
			if len(d.Bytes()) > MaxSize {
				return
			}
			t.Fatalf("after Set: %v in %q", err, d.Bytes())
		}
		if got, want := otherOctets(again, index), otherOctets(mustRead(t, raw), index); !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("after Set: other lines changed\n got %q\nwant %q", d.Bytes(), raw)
		}
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string([]rune(text)))
		want = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' && r != '\n' {
				return -1
			}
			return r
		}, want)
		if got := unescapeText(blocks(again)[index].Value("SUMMARY")); got != want {
			t.Errorf("SUMMARY: got %q, want %q", got, want)
		}
	})
}

func mustRead(t *testing.T, raw []byte) *Document {
	t.Helper()
	d, err := ParseDocument(raw)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// contentLines returns the content lines of the VCALENDAR, unfolded.
func contentLines(d *Document) (lines []string) {
	all := otherOctets(d, len(d.Calendar.Blocks()))
	for _, raw := range all[:len(all)-2] {
		lines = append(lines, string(unfold(raw)))
	}
	return lines
}

// otherOctets returns the octets of all lines except the SUMMARYs of one block:
// the component with the given index, or the VCALENDAR for the index after the
// last component.
func otherOctets(d *Document, index int) (lines [][]byte) {
	blocks := append(d.Calendar.Blocks(), d.Calendar)
	var walk func(b *Block)
	walk = func(b *Block) {
		lines = append(lines, b.begin)
		for _, it := range b.items {
			if it.block != nil {
				walk(it.block)
			} else if b != blocks[index] || it.name != "SUMMARY" {
				lines = append(lines, it.raw)
			}
		}
		lines = append(lines, b.end)
	}
	walk(d.Calendar)
	return append(lines, d.before, d.after)
}
