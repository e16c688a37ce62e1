package panel

import (
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
	"appliance/world/action"
)

// devices renders the device passwords, and the addresses that a CalDAV client
// needs.
func (p *settingsPage) devices() error {
	a, err := p.account()
	if err != nil {
		return err
	}
	devices, err := p.Identity.Devices(p.tx, p.viewer.Member())
	if err != nil {
		return err
	}
	p.Summary = p.language.Textf("{0, plural, =0 {No device passwords} one {# device password} other {# device passwords}}", len(devices))
	p.CalDAV = &CalDAVAccess{CalDAVPath: "/caldav/", Username: p.Member.Username, DeviceRequired: a.Factor.Enabled || a.Factor.Required}
	p.addList("Device passwords", "None yet. Create one for each device.", items(devices, p.deviceItem))
	if err := p.addCalDAV(); err != nil {
		return err
	}
	addActions(p, &action.Accounts, a, "create_device", "set_up_device")
	return nil
}

func (p *settingsPage) deviceItem(d identity.Device) PanelItem {
	return PanelItem{
		ID: d.ID, Title: d.Label, Summary: joinNonEmpty(p.language.Textf("Created %s", p.day(d.CreatedAt)), p.lastUse(d.LastUsedAt)),
		Metadata: svc.Map{"created_at": d.CreatedAt, "last_used_at": d.LastUsedAt}, Actions: buttons(p.language, &action.Devices, d),
	}
}

// addCalDAV adds the addresses of the server and of the calendars.
func (p *settingsPage) addCalDAV() error {
	if p.IsOff("time") {
		p.addList("Set up a device", switchedOffText, nil)
		return nil
	}
	calendars, err := p.Calendar.Calendars(p.tx, p.viewer)
	if err != nil {
		return err
	}
	l := p.language
	list := svc.List[PanelItem]{
		{ID: "server", Title: l.Text("Server"), Summary: l.Text("The path of the CalDAV server."), Metadata: svc.Map{"caldav_path": p.CalDAV.CalDAVPath}},
		{ID: "username", Title: l.Text("User name"), Summary: p.Member.Username},
	}
	for _, c := range calendars {
		p.CalDAV.Calendars = append(p.CalDAV.Calendars, CalDAVCalendar{c.ID, c.Name, c.CalDAVPath})
		list = append(list, PanelItem{ID: c.ID, Title: c.Name, Summary: l.Text("The path of this calendar alone."), Metadata: svc.Map{"caldav_path": c.CalDAVPath}})
	}
	p.addList("Set up a device", "", list)
	return nil
}

// sessions renders the sessions of the member.
func (p *settingsPage) sessions() error {
	tokens, err := p.Identity.Tokens(p.tx, p.viewer.Member())
	if err != nil {
		return err
	}
	p.Summary = p.language.Textf("{0, plural, =0 {No sessions} one {# session} other {# sessions}}", len(tokens))
	p.addList("Sessions", "No sessions.", items(tokens, p.sessionItem))
	addActions(p, &action.Accounts, action.Account{Member: p.Member}, "sign_out", "sign_out_others", "sign_out_everywhere")
	return nil
}

func (p *settingsPage) sessionItem(t identity.Token) PanelItem {
	current := t.ID == p.caller.TokenID
	l := p.language
	signedIn := l.Textf("Signed in %s", p.moment(t.CreatedAt))
	if t.Method != "" {
		signedIn = l.Textf("Signed in %s with %s", p.moment(t.CreatedAt), identity.DescribeMethod(l, t.Method))
	}
	lastUse := l.Textf("last used %s", p.moment(t.LastUsedAt))
	if t.Address != "" {
		lastUse = l.Textf("last used %s from %s", p.moment(t.LastUsedAt), t.Address)
	}
	item := PanelItem{
		ID: t.ID, Title: t.Label, Summary: joinNonEmpty(signedIn, lastUse),
		Metadata: svc.Map{
			"current": current, "method": t.Method, "address": t.Address, "created_at": t.CreatedAt, "last_used_at": t.LastUsedAt, "expires_at": t.ExpiresAt,
		},
		Actions: buttons(l, &action.Sessions, action.Session{Token: t, Current: current}),
	}
	if current {
		item.Summary = joinNonEmpty(l.Text("This session"), item.Summary)
	}
	return item
}

// secondFactor renders the second factors. A secret of an authenticator app and
// recovery codes are only in the responses that create them.
func (p *settingsPage) secondFactor() error {
	a, err := p.account()
	if err != nil {
		return err
	}
	f, l := a.Factor, p.language
	p.SecondFactor = &f
	switch {
	case f.Required && !f.Enabled:
		p.Summary = l.Text("This server requires a second factor. Add one to continue.")
	case f.Enabled:
		p.Summary = l.Text("Signing in requires your password and a second factor. Calendar programs can only use device passwords.")
	default:
		p.Summary = l.Text("Signing in requires your password only. With a second factor, a stolen password is not enough.")
	}
	p.Sections = append(p.Sections, newSection("authenticator_app", l.Text("Authenticator app"), reasonWithoutApp(l, f), p.appItems(f)))
	p.Sections = append(p.Sections, newSection("passkeys", l.Text("Passkeys"), reasonWithoutPasskeys(l, f), items(f.Passkeys, func(k identity.Passkey) PanelItem { return p.passkeyItem(k, a) })))
	p.addList("Recovery codes", "Recovery codes come with the first second factor.", recoveryItems(l, f))
	addActions(p, &action.Factors, a)
	if p.caller.MustEnroll {
		addActions(p, &action.Accounts, a, "sign_out")
	}
	return nil
}

// reasonWithoutApp returns the reason why there is no authenticator app.
func reasonWithoutApp(l words.Language, f identity.SecondFactor) string {
	switch {
	case !f.TOTPAvailable:
		return l.Text("This server does not offer authenticator apps.")
	case f.TOTPPending:
		return l.Text("The authenticator app waits for its first code.")
	}
	return l.Text("None yet. An app on your phone shows a code of six digits.")
}

// reasonWithoutPasskeys returns the reason why there are no passkeys.
func reasonWithoutPasskeys(l words.Language, f identity.SecondFactor) string {
	if !f.PasskeysAvailable {
		return l.Text("Passkeys are not available, because they need HTTPS and a host name.")
	}
	return l.Text("None yet.")
}

func (p *settingsPage) appItems(f identity.SecondFactor) svc.List[PanelItem] {
	if f.TOTP == nil {
		return nil
	}
	return svc.List[PanelItem]{{
		ID: "totp", Title: p.language.Text("Authenticator app"), Summary: p.language.Textf("Added on %s", p.day(f.TOTP.CreatedAt)), Metadata: svc.Map{"created_at": f.TOTP.CreatedAt},
	}}
}

func (p *settingsPage) passkeyItem(k identity.Passkey, a action.Account) PanelItem {
	return PanelItem{
		ID: k.ID, Title: k.Label, Summary: joinNonEmpty(p.language.Textf("Created %s", p.day(k.CreatedAt)), p.lastUse(k.LastUsedAt)),
		Metadata:          svc.Map{"created_at": k.CreatedAt, "last_used_at": k.LastUsedAt},
		ActionDescriptors: forms(p.language, &action.Passkeys, action.Passkey{Passkey: k, Account: a}),
	}
}

func recoveryItems(l words.Language, f identity.SecondFactor) svc.List[PanelItem] {
	if !f.Enabled {
		return nil
	}
	return svc.List[PanelItem]{{
		ID: "recovery_codes", Title: l.Text("Recovery codes"), Summary: l.Textf("Unused codes: %d", f.RecoveryCodes), Metadata: svc.Map{"unused": f.RecoveryCodes},
	}}
}
