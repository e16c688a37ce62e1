package view

import (
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/words"
)

// MaxText is the approximate limit of the text in one response, in octets. An
// object may have a megabyte of text, and a list may contain 200 of its
// occurrences.
const MaxText = 4 << 20

// Summarize is like Render, but for lists and datasets: it shortens texts to
// the limits of form fields and lists to MaxItems, and names the fields that it
// shortened in State.Truncated.
func Summarize(l words.Language, info Info, o *ics.Object, c *ics.Component, i *ics.Instance) Object {
	return summarize(l, info, o, c).withOccurrence(l, i, c)
}

func summarize(l words.Language, info Info, o *ics.Object, c *ics.Component) Object {
	obj := render(l, info, o, c)
	s := &obj.State
	truncateText(s, "title", &obj.Title, svc.MaxTitle)
	truncateText(s, "uid", &s.UID, svc.MaxSummary)
	truncateText(s, "location", &s.Location, svc.MaxSummary)
	truncateText(s, "description", &s.Description, svc.MaxBody)
	truncateText(s, "status", &s.Status, svc.MaxName)
	truncateList(s, "rdates", &s.Recurrence.RDates)
	truncateList(s, "exdates", &s.Recurrence.ExDates)
	truncateList(s, "alarms", &s.Alarms)
	truncateList(s, "categories", &s.Categories)
	for i := range s.Alarms {
		truncateText(s, "alarms", &s.Alarms[i].UID, svc.MaxSummary)
		truncateText(s, "alarms", &s.Alarms[i].Action, svc.MaxName)
		truncateText(s, "alarms", &s.Alarms[i].Proximity, svc.MaxName)
	}
	for i, category := range s.Categories {
		s.Categories[i] = strings.Clone(category) // a category would keep the value of the whole property in memory
		truncateText(s, "categories", &s.Categories[i], svc.MaxName)
	}
	return obj
}

func truncateText(s *State, field string, text *string, limit int) {
	if short := Truncate(*text, limit); len(short) < len(*text) {
		*text = short
		s.markTruncated(field)
	}
}

// Truncate returns the first limit code points of a text. A shortened text is a
// copy, so that it does not keep the whole text in memory.
func Truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := 0
	for i := range text {
		if n == limit {
			return strings.Clone(text[:i])
		}
		n++
	}
	return text
}

func truncateList[T any](s *State, field string, list *svc.List[T]) {
	if len(*list) > MaxItems {
		*list = slices.Clone((*list)[:MaxItems])
		s.markTruncated(field)
	}
}

func (s *State) markTruncated(field string) {
	if !slices.Contains(s.Truncated, field) {
		s.Truncated = append(s.Truncated, field)
	}
}

// TextSize returns the approximate size of the object's text in octets, for
// comparison with MaxText.
func (obj *Object) TextSize() int {
	s := &obj.State
	n := len(obj.Title) + len(obj.Summary) + len(s.UID) + len(s.Location) + len(s.Description)
	n += 24*(len(s.Recurrence.RDates)+len(s.Recurrence.ExDates)) + 128*len(s.Alarms)
	for _, category := range s.Categories {
		n += len(category) + 3
	}
	return n
}

// Summarizer summarizes the occurrences of one object. They share the parts in
// which they do not differ, so that many of them take little memory.
type Summarizer struct {
	language    words.Language
	info        Info
	object      *ics.Object
	byComponent map[*ics.Component]Object
}

// NewSummarizer returns a Summarizer for o in the language l.
func NewSummarizer(l words.Language, info Info, o *ics.Object) *Summarizer {
	return &Summarizer{l, info, o, make(map[*ics.Component]Object)}
}

// Summarize returns the summarized object with the occurrence i.
func (s *Summarizer) Summarize(i ics.Instance) Object {
	obj, ok := s.byComponent[i.Component]
	if !ok {
		obj = summarize(s.language, s.info, s.object, i.Component)
		s.byComponent[i.Component] = obj
	}
	return obj.withOccurrence(s.language, &i, i.Component)
}
