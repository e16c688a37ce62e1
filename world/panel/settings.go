package panel

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/svc/storage"
	"appliance/svc/words"
	"appliance/world/action"
)

// SettingsPanel is the panel of the member's own settings. It contains no secrets:
// those are only in the response to the action that creates them. Schema:
// service.settings.panel.
type SettingsPanel struct {
	Panel
	Member       identity.Member        `json:"member"`
	CalDAV       *CalDAVAccess          `json:"caldav"`        // only in the view devices
	SecondFactor *identity.SecondFactor `json:"second_factor"` // only in the views password and second_factor
	Boundaries   *calendar.Boundaries   `json:"boundaries"`    // only in the view appearance, while Time is on
	Storage      *storage.Usage         `json:"storage"`       // only in the view data
	Page         *svc.Page              `json:"page"`          // of the trash, only in the view calendars
}

// CalDAVAccess contains the values that the member enters in a CalDAV client. The
// password is a device password.
type CalDAVAccess struct {
	CalDAVPath     string                   `json:"caldav_path"` // path of the server, relative to base-url
	Username       string                   `json:"username"`
	DeviceRequired bool                     `json:"device_required"` // the password of the account is not accepted
	Calendars      svc.List[CalDAVCalendar] `json:"calendars"`       // for clients that ask for the address of one calendar
}

// CalDAVCalendar is the address of a calendar.
type CalDAVCalendar struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	CalDAVPath string `json:"caldav_path"`
}

// SettingsPanels renders the panel of settings.
type SettingsPanels struct {
	Identity *identity.Service
	Calendar *calendar.Service
	Social   *social.Service
	Limiter  *storage.Limiter

	// IsOff reports whether the operator has switched a service off.
	IsOff func(service string) bool
}

// SettingsQuery selects a view.
type SettingsQuery struct {
	View   string `json:"-" query:"view"`   // "" for the first view that the member may open
	Cursor string `json:"-" query:"cursor"` // of the trash
}

// FactorView is the only view for a member who must add a second factor before
// anything else.
const FactorView = "second_factor"

// settingsViews are the views, the default first, with the functions that render them.
var settingsViews = []panelView[*settingsPage]{
	{"profile", "Account", (*settingsPage).profile},
	{"appearance", "Language and appearance", (*settingsPage).appearance},
	{"calendars", "Calendars", (*settingsPage).calendars},
	{"devices", "Devices", (*settingsPage).devices},
	{"sessions", "Sessions", (*settingsPage).sessions},
	{"password", "Password", (*settingsPage).password},
	{FactorView, "Second factor", (*settingsPage).secondFactor},
	{"blocks", "Blocked members", (*settingsPage).blocks},
	{"data", "Your data", (*settingsPage).data},
}

// Render returns the panel for the caller of a request.
func (s SettingsPanels) Render(tx *store.Tx, caller identity.Authentication, q SettingsQuery) (SettingsPanel, error) {
	me, err := s.Identity.Me(tx, caller.Viewer)
	if err != nil {
		return SettingsPanel{}, err
	}
	p := &settingsPage{SettingsPanels: s, tx: tx, viewer: caller.Viewer, caller: caller, query: q, reader: reader{caller.Viewer.Language(), me.Member.Zone.Location()}}
	p.SettingsPanel.Member = me.Member
	if q.View == "" {
		q.View = settingsViews[0].id
		if caller.MustEnroll {
			q.View = FactorView
		}
	}
	views := settingsViews
	if caller.MustEnroll {
		views = slices.DeleteFunc(slices.Clone(views), func(v panelView[*settingsPage]) bool { return v.id != FactorView })
	}
	p.Kind, p.Actions = "settings", make(svc.Dict[string])
	err = renderView(p.language, p, &p.Panel, views, q.View, func(id string) string { return action.SettingsViewURL(id, "") })
	return p.SettingsPanel, err
}

// settingsPage is a panel under construction.
type settingsPage struct {
	SettingsPanels
	SettingsPanel
	tx     *store.Tx
	viewer svc.Viewer
	caller identity.Authentication
	query  SettingsQuery
	reader
}

// addActions adds the actions on a record to a panel: forms and buttons, and the URLs
// of the map. names selects as for [action.Table.Offers].
func addActions[R any](p *settingsPage, t *action.Table[R], r R, names ...string) {
	for name, url := range t.URLs(r, names...) {
		p.Actions[name] = url
	}
	p.ActionDescriptors = append(p.ActionDescriptors, usefulForms(p.viewer.Language(), t, r, names...)...)
}

// addList adds a section. title and empty, its summary if there are no items, are in
// English.
func (p *settingsPage) addList(title, empty string, items svc.List[PanelItem]) {
	p.Sections = append(p.Sections, p.section(title, empty, items))
}

// account returns the account for the tables of actions.
func (p *settingsPage) account() (action.Account, error) {
	factor, err := p.Identity.SecondFactor(p.tx, p.viewer)
	return action.Account{Member: p.Member, Factor: factor, HasDeviceLinks: p.Identity.HasDeviceLinks()}, err
}

// switchedOffText is the summary of a section of a service that is switched off.
const switchedOffText = "The operator has switched this service off."

// profile renders the names and the sign-in details.
func (p *settingsPage) profile() error {
	a, err := p.account()
	if err != nil {
		return err
	}
	m, l := p.Member, p.language
	p.Summary = joinNonEmpty(m.DisplayName, "@"+m.Username, m.Email)
	p.addList("Account", "", svc.List[PanelItem]{
		{ID: "display_name", Title: l.Text("Display name"), Summary: m.DisplayName},
		{ID: "email", Title: l.Text("E-mail address"), Summary: m.Email},
		{ID: "username", Title: l.Text("User name"), Summary: m.Username},
		{ID: "timezone", Title: l.Text("Time zone"), Summary: zoneText(l, m.Zone)},
		{ID: "locale", Title: l.Text("Language"), Summary: words.For(m.Locale).Catalog().Name},
	})
	addActions(p, &action.Accounts, a, "update", "sign_in_details", "sign_out")
	return nil
}

// zoneText returns the name of a time zone of a member, and says if it is that of the server.
func zoneText(l words.Language, z svc.ZoneInUse) string {
	if z.Source == svc.ZoneOfServer {
		return l.Textf("%s, the time zone of the server", z.Timezone)
	}
	return z.Timezone
}

// appearance renders the locale, the time zone, and the days and weeks of Time.
func (p *settingsPage) appearance() error {
	m, l := p.Member, p.language
	p.Summary = joinNonEmpty(words.For(m.Locale).Catalog().Name, zoneText(l, m.Zone))
	p.addList("Language and time zone", "", svc.List[PanelItem]{
		{ID: "locale", Title: l.Text("Language"), Summary: words.For(m.Locale).Catalog().Name},
		{ID: "formats", Title: l.Text("Dates and numbers"), Summary: action.FormatsText(l, m)},
		{ID: "timezone", Title: l.Text("Time zone"), Summary: zoneText(l, m.Zone)},
	})
	addActions(p, &action.Appearances, action.Account{Member: m})
	if p.IsOff("time") {
		p.addList("Days and weeks", switchedOffText, nil)
		return nil
	}
	b, err := p.Calendar.Boundaries(p.tx, p.viewer.Member())
	if err != nil {
		return err
	}
	p.Boundaries = &b
	p.addList("Days and weeks", "", svc.List[PanelItem]{
		{ID: "day", Title: l.Text("Day"), Summary: b.DayStart + " – " + b.DayEnd}, {ID: "week", Title: l.Text("Week starts"), Summary: l.Text(words.Capitalize(string(b.WeekStart)))},
	})
	addActions(p, &action.Time, action.NewTimeObjects{Preferences: &b}, "set_preferences")
	return nil
}

// password renders the form that changes the password.
func (p *settingsPage) password() error {
	a, err := p.account()
	if err != nil {
		return err
	}
	p.SecondFactor = &a.Factor
	p.Summary = p.language.Text("A change ends all other sessions. Device passwords stay valid.")
	p.addList("Password", "At least 8 characters.", nil)
	addActions(p, &action.Accounts, a, "change_password")
	return nil
}

// blocks renders the members that the viewer blocks.
func (p *settingsPage) blocks() error {
	if p.IsOff("social") {
		p.Summary = p.language.Text(switchedOffText)
		p.addList("Blocked members", switchedOffText, nil)
		return nil
	}
	blocks, err := p.Social.Blocks(p.tx, p.viewer.Language(), p.viewer.Member())
	if err != nil {
		return err
	}
	p.Summary = p.language.Textf("{0, plural, =0 {No blocked members} one {# blocked member} other {# blocked members}}", len(blocks))
	p.addList("Blocked members", "No blocked members.", items(blocks, blockItem(p.language)))
	addActions(p, &action.Social, action.SocialViewer{}, "block")
	return nil
}

// data renders the storage and the export.
func (p *settingsPage) data() error {
	usage, err := p.Limiter.Usage(p.tx, p.viewer.Member())
	if err != nil {
		return err
	}
	l := p.language
	p.Storage = &usage
	p.Summary = l.Textf("Your calendars, files, messages and posts use %s.", usage.In(l))
	stored := PanelItem{ID: "storage", Title: l.Text("Storage"), Summary: usage.In(l), Metadata: svc.Map{"used_bytes": usage.Used, "limit_bytes": usage.Limit}}
	if usage.Limit > 0 && usage.Used >= usage.Limit {
		stored.Summary = l.Textf("Full: %s. Delete calendar entries and files that you do not need, and empty the trash, or ask an operator to raise the limit.", usage.In(l))
	}
	p.addList("Your data", "", svc.List[PanelItem]{
		stored, {
			ID: "export", Title: l.Text("Export"), Summary: l.Text("One JSON file with everything that is stored about you."),
			Actions: buttons(l, &action.Accounts, action.Account{Member: p.Member}, "open_export"),
		},
	})
	for name, url := range action.Accounts.URLs(action.Account{Member: p.Member}, "open_export") {
		p.Actions[name] = url
	}
	return nil
}

// usefulForms returns the useful actions on a record as forms. names selects as for
// [action.Table.Offers].
func usefulForms[R any](l words.Language, t *action.Table[R], r R, names ...string) []Descriptor {
	var useful []string
	for _, o := range t.Offers(l, r, names...) {
		if o.Useful {
			useful = append(useful, o.Name)
		}
	}
	if len(useful) == 0 {
		return nil
	}
	return forms(l, t, r, slices.Clip(useful)...)
}
