package panel

import (
	"time"

	"appliance/svc"
)

// panelView is a view of a panel under construction, with the function that renders it.
type panelView[P any] struct {
	id, label string
	render    func(P) error
}

// renderView adds the navigation between views to a panel and renders the selected view.
// url returns the URL of a view. It returns an error if there is no such view.
func renderView[P any](page P, p *Panel, views []panelView[P], selected string, url func(id string) string) error {
	render := func(P) error { return svc.ParameterError("view", "There is no view %.64q.", selected) }
	p.View = selected
	for _, v := range views {
		p.Nav = append(p.Nav, NavItem{ID: v.id, Label: v.label, Action: url(v.id), Selected: v.id == selected})
		if v.id == selected {
			p.Title, render = v.label, v.render
		}
	}
	return render(page)
}

// calendarDays formats instants in the time zone of the reader.
type calendarDays struct{ zone *time.Location }

// day formats the date of an instant.
func (c calendarDays) day(t time.Time) string { return t.In(c.zone).Format("2 January 2006") }

// moment formats the date and the time of day of an instant.
func (c calendarDays) moment(t time.Time) string { return t.In(c.zone).Format("2 January 2006, 15:04") }

// lastUse formats the date of the last use, which may be nil.
func (c calendarDays) lastUse(t *time.Time) string {
	if t == nil {
		return "never used"
	}
	return "last used " + c.day(*t)
}
