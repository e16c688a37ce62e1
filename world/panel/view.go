package panel

import (
	"time"

	"appliance/svc"
	"appliance/svc/words"
)

// panelView is a view of a panel under construction, with the function that renders it.
// The label is in English.
type panelView[P any] struct {
	id, label string
	render    func(P) error
}

// renderView adds the navigation between views to a panel, with labels in the language l,
// and renders the selected view. url returns the URL of a view. It returns an error if
// there is no such view.
func renderView[P any](l words.Language, page P, p *Panel, views []panelView[P], selected string, url func(id string) string) error {
	render := func(P) error { return svc.ParameterError("view", "There is no view %.64q.", selected) }
	p.View = selected
	for _, v := range views {
		label := l.Text(v.label)
		p.Nav = append(p.Nav, NavItem{ID: v.id, Label: label, Action: url(v.id), Selected: v.id == selected})
		if v.id == selected {
			p.Title, render = label, v.render
		}
	}
	return render(page)
}

// reader contains the settings of the member who reads a panel: the language of texts
// and the time zone of dates.
type reader struct {
	language words.Language
	zone     *time.Location
}

// day formats the date of an instant.
func (r reader) day(t time.Time) string { return r.language.Date(t.In(r.zone), "2 January 2006") }

// moment formats the date and the time of day of an instant.
func (r reader) moment(t time.Time) string {
	return r.language.Date(t.In(r.zone), "2 January 2006, 15:04")
}

// lastUse formats the date of the last use, which may be nil.
func (r reader) lastUse(t *time.Time) string {
	if t == nil {
		return r.language.Text("never used")
	}
	return r.language.Textf("last used %s", r.day(*t))
}

// wordOf returns the word of a table for a value, or the value if there is none.
func wordOf[T ~string](l words.Language, table map[T]words.Word, value T) string {
	if word, ok := table[value]; ok {
		return l.Text(string(word))
	}
	return string(value)
}

// section returns a section with texts in the language of the reader, and an id that
// follows from the title in English. empty is its summary if there are no items.
func (r reader) section(title, empty string, items svc.List[PanelItem]) Section {
	return newSection(sectionID(title), r.language.Text(title), r.language.Text(empty), items)
}
