package panel

import (
	"net/url"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/words"
)

// Section is a group of items. If there are no items, the summary gives the
// reason.
type Section struct {
	ID      string              `json:"id,omitzero"` // name in the parameter "sections"; unique within the panel
	Title   string              `json:"title"`
	Summary string              `json:"summary"`
	Items   svc.List[PanelItem] `json:"items"`
	Total   *int                `json:"total,omitzero"` // number of items of the whole list; only if the section has only the first ones
	Page    *SectionPage        `json:"page,omitzero"`  // only of a list that has pages
}

// newSection returns a section. Its id does not depend on the language of the member.
// title is in that language, and so is empty, the summary if there are no items.
func newSection(id, title, empty string, items svc.List[PanelItem]) Section {
	s := Section{ID: id, Title: title, Items: items}
	if len(items) == 0 {
		s.Summary = empty
	}
	return s
}

// truncate sets the number of items of the list whose first items the section has.
func (s *Section) truncate(l words.Language, total int) {
	s.Total, s.Summary = &total, l.Textf("The first %d of %d.", len(s.Items), total)
}

// sectionID returns the id of a section whose title is not the name of a record.
func sectionID(title string) string { return strings.ReplaceAll(strings.ToLower(title), " ", "_") }

// SectionPage links to the panels with other pages of a section.
type SectionPage struct {
	Next     *string `json:"next"`     // the items after those of this page; null on the last page
	Previous *string `json:"previous"` // the items before those of this page; null if there are none, or if the list can only be read forwards
}

// SectionFilter selects the sections of a panel. The zero SectionFilter selects all.
type SectionFilter struct {
	limited bool
	ids     []string
}

// ParseSections returns the sections that the parameter "sections" of a query lists,
// separated by commas. If the parameter is absent, all sections are selected; if it
// is empty, none. Unknown ids select nothing, because the sections depend on the
// view.
func ParseSections(query url.Values) SectionFilter {
	f := SectionFilter{limited: query.Has("sections")}
	if text := query.Get("sections"); text != "" {
		f.ids = strings.Split(text, ",")
	}
	return f
}

// Wants reports whether the section is selected.
func (f SectionFilter) Wants(id string) bool { return !f.limited || slices.Contains(f.ids, id) }

// SelectSections removes the sections that are not selected.
func (p *Panel) SelectSections(f SectionFilter) {
	p.Sections = slices.DeleteFunc(p.Sections, func(s Section) bool { return !f.Wants(s.ID) })
}

// onlySection returns the SectionFilter that selects one section.
func onlySection(id string) SectionFilter { return SectionFilter{limited: true, ids: []string{id}} }

// selectsOnly reports whether the section is the only one that is selected.
func (f SectionFilter) selectsOnly(id string) bool {
	return f.limited && slices.Equal(f.ids, []string{id})
}

// parameter returns the query parameter that selects the same sections, "" for all.
func (f SectionFilter) parameter() string {
	if !f.limited {
		return ""
	}
	return "&sections=" + url.QueryEscape(strings.Join(f.ids, ","))
}
