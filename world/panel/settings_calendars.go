package panel

import (
	"cmp"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/world/action"
)

// calendars renders the calendars with their feeds, and the trash.
func (p *settingsPage) calendars() error {
	if p.IsOff("time") {
		p.Summary = p.language.Text(switchedOffText)
		p.addList("Calendars", switchedOffText, nil)
		return nil
	}
	calendars, err := p.Calendar.Calendars(p.tx, p.viewer)
	if err != nil {
		return err
	}
	feeds, err := p.Calendar.Feeds(p.tx, p.viewer)
	if err != nil {
		return err
	}
	p.Summary = p.language.Textf("{0, plural, =0 {No calendars} one {# calendar} other {# calendars}}", len(calendars))
	p.addList("Calendars", "No calendars.", items(calendars, func(c calendar.Calendar) PanelItem {
		linked := action.LinkedCalendar{Calendar: c}
		if f, ok := feeds[c.ID]; ok {
			linked.Feed = &f
		}
		return p.calendarItem(linked)
	}))
	addActions(p, &action.Time, action.NewTimeObjects{Calendars: calendars}, "create_calendar")
	return p.addTrash()
}

func (p *settingsPage) calendarItem(c action.LinkedCalendar) PanelItem {
	l := p.language
	role, readOnly, shared, standard := "owner", "", "", ""
	if c.ReadOnly {
		role, readOnly = "reader", l.Text("Read-only")
	}
	metadata := svc.Map{"object_type": calendar.CalendarType, "color": c.Color, "is_default": c.IsDefault, "role": role, "caldav_path": c.CalDAVPath, "feed": nil}
	if c.Feed != nil {
		shared = l.Textf("Anyone with the link created %s can read this calendar", p.day(c.Feed.CreatedAt))
		metadata["feed"] = svc.Map{"created_at": c.Feed.CreatedAt}
	}
	if c.IsDefault {
		standard = l.Text("Default calendar")
	}
	return PanelItem{
		ID: c.ID, Title: c.Name, Summary: joinNonEmpty(standard, readOnly, shared), Metadata: metadata,
		Actions:           append(buttons(l, &action.Calendars, c.Calendar), buttons(l, &action.CalendarLinks, c)...),
		ActionDescriptors: append(usefulForms(l, &action.Calendars, c.Calendar, "update", "arrange"), usefulForms(l, &action.CalendarLinks, c, "import", "create_feed")...),
	}
}

// addTrash adds the page of the trash that the query selects.
func (p *settingsPage) addTrash() error {
	trash, err := p.Calendar.Trash(p.tx, p.viewer, svc.DefaultLimit, p.query.Cursor)
	if err != nil {
		return err
	}
	p.Page = &trash.Page
	if next := trash.Page.NextCursor; next != nil {
		p.Page.Next = new(action.SettingsViewURL(p.View, *next))
		p.Nav = append(p.Nav, NavItem{ID: "more", Label: p.language.Text("Older deleted entries"), Action: *p.Page.Next})
	}
	p.addList("Trash", "The trash is empty. Deleted entries and calendars can be restored from here for 30 days.", items(trash.Trash, p.trashItem))
	if len(trash.Trash) > 0 {
		addActions(p, &action.TrashBin, struct{}{})
	}
	return nil
}

func (p *settingsPage) trashItem(t calendar.TrashEntry) PanelItem {
	from := ""
	if t.ObjectType != calendar.CalendarType && t.CalendarName != "" {
		from = p.language.Textf("From %s", t.CalendarName)
	}
	return PanelItem{
		ID: t.ID, Title: cmp.Or(t.Title, p.language.Text("(without a title)")),
		Summary:  joinNonEmpty(from, p.language.Textf("deleted %s", p.day(t.DeletedAt)), p.language.Textf("kept until %s", p.day(t.ExpiresAt))),
		Metadata: svc.Map{"object_type": t.ObjectType, "calendar_id": t.CalendarID, "calendar_name": t.CalendarName, "deleted_at": t.DeletedAt, "expires_at": t.ExpiresAt},
		Actions:  buttons(p.language, &action.Trash, t),
	}
}
