package calendar

import (
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// What an entry holds is bounded by a megabyte and nothing else, and a list
// may show it two hundred times. So lists and datasets show entries briefly:
// of texts what the fields of a form take, of lists the first maxItems. What
// is cut is named in [State], and whoever asks for the one entry gets all of it.

// maxTexts is how many octets of text one answer holds, roughly.
const maxTexts = 4 << 20

// brief makes the contract of what c says as lists show it.
func (r *viewed) brief(o *ics.Object, c *ics.Component) Object {
	obj := r.object(o, c)
	s := &obj.State
	cutText(s, "title", &obj.Title, svc.MaxTitle)
	cutText(s, "uid", &s.UID, svc.MaxSummary)
	cutText(s, "location", &s.Location, svc.MaxSummary)
	cutText(s, "description", &s.Description, svc.MaxBody)
	cutText(s, "status", &s.Status, svc.MaxName)
	if s.EventState != nil {
		cutText(s, "transparency", &s.Transparency, svc.MaxName)
	}
	cutList(s, "rdates", &s.Recurrence.RDates)
	cutList(s, "exdates", &s.Recurrence.ExDates)
	cutList(s, "alarms", &s.Alarms)
	cutList(s, "categories", &s.Categories)
	for i := range s.Alarms {
		cutText(s, "alarms", &s.Alarms[i].Action, svc.MaxName)
	}
	for i, category := range s.Categories {
		s.Categories[i] = strings.Clone(category) // they are parts of one long text
		cutText(s, "categories", &s.Categories[i], svc.MaxName)
	}
	return obj
}

// cutText cuts a field to so many code points.
func cutText(s *State, field string, text *string, most int) {
	if cut := short(*text, most); len(cut) < len(*text) {
		*text = cut
		s.cut(field)
	}
}

// short returns the first code points of a text, as many as there may be. If
// that is not all, it is a copy: it must not keep all of the text in memory.
func short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most {
			return strings.Clone(text[:i])
		}
		n++
	}
	return text
}

func cutList[T any](s *State, field string, list *svc.List[T]) {
	if len(*list) > maxItems {
		*list = slices.Clone((*list)[:maxItems])
		s.cut(field)
	}
}

func (s *State) cut(field string) {
	if !slices.Contains(s.Cut, field) {
		s.Cut = append(s.Cut, field)
	}
}

// octets is how much of maxTexts an object takes.
func (o *Object) octets() int {
	s := &o.State
	n := len(o.Title) + len(o.Summary) + len(s.UID) + len(s.Location) + len(s.Description)
	n += 24*(len(s.Recurrence.RDates)+len(s.Recurrence.ExDates)) + 80*len(s.Alarms)
	for _, category := range s.Categories {
		n += len(category) + 3
	}
	return n
}

// briefly makes the contracts of the instances of one entry. They share what
// does not differ, so that many of them cost little.
type briefly struct {
	row    *viewed
	object *ics.Object
	made   map[*ics.Component]Object
}

func (b *briefly) instance(i ics.Instance) Object {
	obj, ok := b.made[i.Component]
	if !ok {
		obj = b.row.brief(b.object, i.Component)
		b.made[i.Component] = obj
	}
	return b.row.about(obj, &i, i.Component)
}
