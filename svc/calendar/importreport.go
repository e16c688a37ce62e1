package calendar

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/words"
)

// ImportReport is the outcome of an import. Each entry, which is a component of a source, counts in
// one of Imported, Changed, Present, Merged and RefusedCount.
type ImportReport struct {
	Entries      int                    `json:"entries"`  // entries in the sources
	Imported     int                    `json:"imported"` // entries that the calendar did not have
	Changed      int                    `json:"changed"`  // entries of the calendar that got a later revision or more occurrences
	Present      int                    `json:"present"`  // entries that the calendar already had; they are not changed
	Merged       int                    `json:"merged"`   // occurrences of an entry that is counted, and earlier revisions of one
	Refused      svc.List[RefusedEntry] `json:"refused"`  // at most maxRefused entries
	RefusedCount int                    `json:"refused_count"`
	Notes        svc.List[ImportNote]   `json:"notes"`
	Sentences    svc.List[string]       `json:"sentences"` // the report for people, in the language of the member
}

// RefusedEntry is an entry that could not be imported.
type RefusedEntry struct {
	Source string `json:"source"` // the file, "" if there is only one
	Line   int    `json:"line"`   // line on which the entry begins, counted from 1; 0 if no entry could be read
	UID    string `json:"uid"`    // "" if it has none or cannot be read
	Title  string `json:"title"`  // shortened; "" if it has none or cannot be read
	Date   string `json:"date"`   // of the occurrence or of the start of the entry; "" if it cannot be read

	Code   RefusalCode `json:"code"`
	Reason string      `json:"reason"` // in the language of the member
	Detail string      `json:"detail"` // in English and in the terms of iCalendar; "" if the reason says everything

	text words.Text // Reason before its translation
}

// RefusalCode is the reason why an entry was refused.
type RefusalCode string

const (
	RefusedUnreadable  RefusalCode = "unreadable"
	RefusedInvalid     RefusalCode = "invalid"
	RefusedTooLarge    RefusalCode = "too_large"
	RefusedOutOfRange  RefusalCode = "out_of_range"
	RefusedContradicts RefusalCode = "contradicts"
	RefusedNotAccepted RefusalCode = "not_accepted" // by the calendar
	RefusedOtherType   RefusalCode = "other_type"
	RefusedNotFetched  RefusalCode = "not_fetched" // from another server
)

// Values implements [svc.Set].
func (RefusalCode) Values() []string {
	return svc.Values(RefusedUnreadable, RefusedInvalid, RefusedTooLarge, RefusedOutOfRange, RefusedContradicts, RefusedNotAccepted, RefusedOtherType,
		RefusedNotFetched)
}

// refusal is the reason why an entry is refused. The zero refusal is none.
type refusal struct {
	code   RefusalCode
	text   words.Text // the reason
	detail string
}

// newRefusal returns the refusal of an entry that is invalid.
func newRefusal(err *ics.Error) refusal {
	r := refusal{RefusedUnreadable, words.Textf("The entry is damaged, incomplete or has an invalid value."), err.Reason}
	switch err.Precondition {
	case ics.CondValidCalendarObject:
		r.code, r.text = RefusedInvalid, words.Textf("The entry lacks something, or its parts do not belong together.")
	case ics.CondMaxResourceSize, ics.CondMaxInstances, ics.CondMaxAttendees:
		r.code, r.text = RefusedTooLarge, words.Textf("The entry is too large.")
	case ics.CondMinDateTime, ics.CondMaxDateTime:
		r.code, r.text = RefusedOutOfRange, words.Textf("The entry is on a date that is too early or too late.")
	}
	if err == ics.ErrContradiction {
		r.code, r.text, r.detail = RefusedContradicts, words.Textf("Another entry with this UID and date has other content, and neither of the two is newer."), ""
	}
	return r
}

// String returns the refusal as one line.
func (r RefusedEntry) String() string {
	line := r.Source
	if r.Line > 0 {
		line += fmt.Sprintf(":%d", r.Line)
	}
	for _, part := range []string{r.UID, r.Title, r.Date} {
		if part != "" {
			line += ": " + part
		}
	}
	return line + ": " + cmp.Or(r.Detail, r.Reason)
}

// NoteCode is the subject of an [ImportNote].
type NoteCode string

const (
	NoteRestored        NoteCode = "restored"                // the entries were in the trash
	NoteInOtherCalendar NoteCode = "in_other_calendar"       // another calendar of the member has the entries, too
	NoteBelongsToEvent  NoteCode = "belongs_to_event"        // the entries are mirrors of Social events
	NoteWithoutUID      NoteCode = "without_uid"             // a later revision of the entries cannot be recognized
	NoteUnknownZone     NoteCode = "unknown_timezone"        // the entries are read in the time zone of the calendar
	NoteOtherZone       NoteCode = "other_timezone"          // times without a time zone are not read in that of the source
	NoteUnsupportedRule NoteCode = "unsupported_rule"        // only the first occurrence of the entries is shown
	NoteUnknownSource   NoteCode = "unknown_source_timezone" // a new calendar does not have the time zone of its source
)

// Values implements [svc.Set].
func (NoteCode) Values() []string {
	return svc.Values(NoteRestored, NoteInOtherCalendar, NoteBelongsToEvent, NoteWithoutUID, NoteUnknownZone, NoteOtherZone,
		NoteUnsupportedRule, NoteUnknownSource)
}

// ImportNote is information about entries that were not refused.
type ImportNote struct {
	Code    NoteCode             `json:"code"`
	Zone    string               `json:"timezone"` // the time zone of the source that the note is about; "" for other notes
	Count   int                  `json:"count"`    // number of entries
	Entries svc.List[NotedEntry] `json:"entries"`  // at most maxNoted entries
}

// NotedEntry is an entry of an [ImportNote].
type NotedEntry struct {
	Source   string `json:"source"`
	Line     int    `json:"line"`
	UID      string `json:"uid"`
	Title    string `json:"title"`
	Calendar string `json:"calendar"` // name of the calendar that has it, too, or in whose time zone it is read; else ""
}

// Limits of the lists in an ImportReport.
const (
	maxRefused = 1000
	maxNoted   = 100
	maxNotes   = 100
)

// Add adds the outcome of the import of more entries.
func (r *ImportReport) Add(more ImportReport) {
	r.Entries += more.Entries
	r.Imported += more.Imported
	r.Changed += more.Changed
	r.Present += more.Present
	r.Merged += more.Merged
	r.RefusedCount += more.RefusedCount
	r.Refused = append(r.Refused, more.Refused[:min(len(more.Refused), maxRefused-len(r.Refused))]...)
	for _, n := range more.Notes {
		r.addNote(n)
	}
}

// addNote adds the entries of a note.
func (r *ImportReport) addNote(more ImportNote) {
	i := slices.IndexFunc(r.Notes, func(n ImportNote) bool { return n.Code == more.Code && n.Zone == more.Zone })
	if i < 0 {
		if len(r.Notes) == maxNotes {
			return
		}
		i = len(r.Notes)
		r.Notes = append(r.Notes, ImportNote{Code: more.Code, Zone: more.Zone})
	}
	n := &r.Notes[i]
	n.Count += more.Count
	n.Entries = append(n.Entries, more.Entries[:min(len(more.Entries), maxNoted-len(n.Entries))]...)
}

// RefuseSource adds a source that was not fetched, or in which no entry can be read.
func (r *ImportReport) RefuseSource(source string, err error) {
	why := refusal{RefusedNotFetched, words.Textf("The other server did not send the entry."), err.Error()}
	if invalid, ok := errors.AsType[*ics.Error](err); ok {
		why = newRefusal(invalid)
	}
	r.Add(ImportReport{Entries: 1, RefusedCount: 1, Refused: []RefusedEntry{why.entry(ics.Place{Source: source})}})
}

// refuse adds an entry that could not be imported, with all its components.
func (r *ImportReport) refuse(e ImportEntry, why refusal) {
	refused := why.entry(e.entry.Place)
	refused.UID = e.entry.UID
	if e.prepared != nil {
		refused.Title = svc.Excerpt(e.prepared.Title())
	}
	r.Add(ImportReport{RefusedCount: 1 + e.entry.Joined, Refused: []RefusedEntry{refused}})
}

// entry returns the refused entry at a place.
func (r refusal) entry(at ics.Place) RefusedEntry {
	return RefusedEntry{
		Source: at.Source, Line: at.Line, Title: svc.Excerpt(at.Title), Date: at.Date, Code: r.code, Reason: r.text.In(words.English), Detail: r.detail, text: r.text,
	}
}

// note adds an entry to a note.
func (r *ImportReport) note(code NoteCode, e ImportEntry, calendar string) {
	r.noteZone(code, "", e, calendar)
}

func (r *ImportReport) noteZone(code NoteCode, zone string, e ImportEntry, calendar string) {
	noted := NotedEntry{Source: e.entry.Source, Line: e.entry.Line, UID: e.entry.UID, Calendar: calendar}
	if e.prepared != nil {
		noted.Title = e.prepared.Title()
	}
	r.addNote(ImportNote{code, zone, 1, []NotedEntry{noted}})
}

// noteTimes adds the notes about the times of an entry that is stored in a calendar, and about its
// UID.
func (r *ImportReport) noteTimes(e ImportEntry, c object.Calendar) {
	for _, tzid := range e.zones {
		r.noteZone(NoteUnknownZone, svc.Excerpt(tzid), e, c.Name)
	}
	if zone, ok := ics.ZoneName(e.entry.Timezone); ok && e.floating && zone != c.Timezone {
		r.noteZone(NoteOtherZone, zone, e, c.Name)
	}
	if e.prepared.Object.CheckScales() != nil {
		r.note(NoteUnsupportedRule, e, "")
	}
	if e.entry.UID == "" {
		r.note(NoteWithoutUID, e, "")
	}
}

// String returns the counts as one line in English.
func (r ImportReport) String() string { return r.counts(words.English) }

// counts returns the counts as one line in the language l.
func (r ImportReport) counts(l words.Language) string {
	line := l.Textf("Imported: %d.", r.Imported)
	for _, c := range []struct {
		n      int
		format string
	}{
		{r.Changed, l.Text("Changed: %d.")}, {r.Present, l.Text("Already present: %d.")},
		{r.Merged, l.Text("Merged with these: %d.")}, {r.RefusedCount, l.Text("Not imported: %d.")},
	} {
		if c.n > 0 {
			line += " " + fmt.Sprintf(c.format, c.n)
		}
	}
	return line
}

// In returns the report with its reasons and sentences in the language l.
func (r ImportReport) In(l words.Language) ImportReport {
	r.Sentences = svc.List[string]{r.counts(l)}
	r.Refused = slices.Clone(r.Refused)
	for i := range r.Refused {
		r.Refused[i].Reason = r.Refused[i].text.In(l)
	}
	for _, n := range r.Notes {
		r.Sentences = append(r.Sentences, n.sentence(l))
	}
	return r
}

// sentence returns the note in the language l.
func (n ImportNote) sentence(l words.Language) string {
	calendar := ""
	if len(n.Entries) > 0 {
		calendar = n.Entries[0].Calendar
	}
	switch n.Code {
	case NoteRestored:
		return l.Textf("{0, plural, one {# entry was in the trash and is restored.} other {# entries were in the trash and are restored.}}", n.Count)
	case NoteInOtherCalendar:
		return l.Textf("{0, plural, one {# entry is also in another calendar:} other {# entries are also in other calendars:}}", n.Count) + " " + n.names()
	case NoteBelongsToEvent:
		return l.Textf("{0, plural, one {# entry belongs to an event and stays as it is.} other {# entries belong to events and stay as they are.}}", n.Count)
	case NoteWithoutUID:
		return l.Textf("{0, plural, one {# entry has no UID. If its content changes, the next import adds it as a new entry, and the old one remains beside it.} other {# entries have no UID. If their content changes, the next import adds them as new entries, and the old ones remain beside them.}}", n.Count)
	case NoteUnknownZone:
		return l.Textf("The time zone %q is unknown. Entries in it are read in the time zone of the calendar %q: %d.", n.Zone, calendar, n.Count)
	case NoteOtherZone:
		return l.Textf("The source is in the time zone %s. Entries whose times have no time zone are read in that of the calendar %q: %d.", n.Zone, calendar, n.Count)
	case NoteUnsupportedRule:
		return l.Textf("{0, plural, one {# entry repeats in another calendar system. Only its first occurrence is shown.} other {# entries repeat in another calendar system. Only their first occurrences are shown.}}", n.Count)
	case NoteUnknownSource:
		return l.Textf("The time zone %q of the source is unknown. The new calendar has another one; change it in its settings.", n.Zone)
	}
	return string(n.Code)
}

// maxNamed limits the entries that a sentence names.
const maxNamed = 5

// names returns the titles of the first entries with their calendars.
func (n ImportNote) names() string {
	var list []string
	for _, e := range n.Entries[:min(len(n.Entries), maxNamed)] {
		list = append(list, fmt.Sprintf("%s (%s)", cmp.Or(e.Title, e.UID), e.Calendar))
	}
	text := strings.Join(list, ", ")
	if n.Count > maxNamed {
		return text + ", …"
	}
	return text + "."
}
