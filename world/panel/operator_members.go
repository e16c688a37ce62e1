package panel

import (
	"net/http"
	"strconv"
	"strings"

	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/storage"
	"appliance/world/action"
)

// ManagedMember is a member as operators see it.
type ManagedMember struct {
	identity.AdminMember
	Storage storage.Usage    `json:"storage"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name
}

// ManagedDevice is a device password of the selected member, without the password.
type ManagedDevice struct {
	identity.Device
	Actions svc.Dict[string] `json:"actions"` // URLs by name
}

// MemberInvitation is an invitation to the server. The answer to the request that
// created it is the only one with the link.
type MemberInvitation struct {
	identity.Invitation
	Label   string           `json:"label"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name
}

// members renders a page of the members, or one member.
func (p *operatorPage) members() error {
	if p.query.Member != "" {
		return p.member()
	}
	page, err := p.Identity.Members(p.tx, p.actor, identity.MemberQuery{
		Q: p.query.Q, Status: p.query.Status, Limit: p.query.Limit, Cursor: p.query.Cursor,
	})
	if err != nil {
		return err
	}
	p.Summary = joinNonEmpty(p.pageCount(len(page.Members), page.Page, "{0, plural, =0 {No members} one {# member} other {# members}}", "%d members, and more"), p.fixedText())
	if err := p.addMembers(page.Members, "No members were found.", "open", "disable", "enable"); err != nil {
		return err
	}
	p.setPage("More members", page.Page)
	p.addForms("add_member", "invite", "open_members")
	return nil
}

// fixedText returns the reason for which the panel cannot change the operators,
// "" if it can.
func (p *operatorPage) fixedText() string {
	if p.Server.OperatorsFixed == "" {
		return ""
	}
	if name, ok := strings.CutPrefix(p.Server.OperatorsFixed, "variable "); ok {
		return p.language.Textf("The variable %s sets the operators", name)
	}
	return p.language.Textf("The flag %s sets the operators", strings.TrimPrefix(p.Server.OperatorsFixed, "flag "))
}

// addMembers adds members, with the buttons of these names.
func (p *operatorPage) addMembers(list []identity.AdminMember, empty string, names ...string) error {
	ids := make([]svc.MemberID, len(list))
	for i, m := range list {
		ids[i] = m.ID
	}
	usages, err := p.Storage.Usages(p.tx, ids)
	if err != nil {
		return err
	}
	var rows svc.List[PanelItem]
	for _, m := range list {
		managed := action.ManagedMember{AdminMember: m, OperatorsFixed: p.Server.OperatorsFixed != ""}
		p.OperatorPanel.Members = append(p.OperatorPanel.Members, ManagedMember{m, usages[m.ID], action.ManagedMembers.URLs(managed)})
		rows = append(rows, PanelItem{
			ID: m.ID.String(), Title: m.DisplayName, Summary: p.memberSummary(m, usages[m.ID]),
			Metadata: svc.Map{
				"username": m.Username, "email": m.Email, "status": m.Status, "is_operator": m.IsOperator, "second_factor": m.SecondFactor, "last_seen_at": m.LastSeenAt,
			},
			Actions: buttons(p.language, &action.ManagedMembers, managed, names...),
		})
	}
	p.addList("Members", empty, rows)
	return nil
}

// memberSummary describes a member in one line.
func (p *operatorPage) memberSummary(m identity.AdminMember, usage storage.Usage) string {
	l := p.language
	role, factor := "", ""
	if m.IsOperator {
		role = l.Text("operator")
	}
	if m.SecondFactor {
		factor = l.Text("second factor")
	}
	status := l.Text("active")
	switch m.Status {
	case identity.Deleted:
		return l.Text("Deleted")
	case identity.Disabled:
		status = l.Text("disabled")
	}
	return joinNonEmpty("@"+m.Username, m.Email, status, role, p.lastUse(m.LastSeenAt), factor, usage.In(l))
}

// member renders one member with their sessions and device passwords.
func (p *operatorPage) member() error {
	id, err := p.memberID()
	if err != nil {
		return err
	}
	m, err := p.Identity.FindMember(p.tx, p.actor, id.String())
	if err != nil {
		return err
	}
	sessions, err := p.Identity.Tokens(p.tx, m.ID)
	if err != nil {
		return err
	}
	devices, err := p.Identity.Devices(p.tx, m.ID)
	if err != nil {
		return err
	}
	factor, err := p.Identity.SecondFactor(p.tx, p.viewer)
	if err != nil {
		return err
	}
	p.Title = m.DisplayName
	p.Summary = joinNonEmpty(p.language.Textf("{0, plural, =0 {no sessions} one {# session} other {# sessions}}", len(sessions)),
		p.language.Textf("{0, plural, =0 {no device passwords} one {# device password} other {# device passwords}}", len(devices)), p.fixedText())
	if err := p.addMembers([]identity.AdminMember{m}, ""); err != nil {
		return err
	}
	var rows svc.List[PanelItem]
	for _, t := range sessions {
		p.Sessions = append(p.Sessions, t)
		rows = append(rows, PanelItem{
			ID: t.ID, Title: t.Label, Summary: joinNonEmpty(p.language.Textf("last used %s", p.moment(t.LastUsedAt)), t.Address),
			Metadata: svc.Map{"method": t.Method, "address": t.Address, "created_at": t.CreatedAt, "last_used_at": t.LastUsedAt, "expires_at": t.ExpiresAt},
		})
	}
	p.addList("Sessions", "No sessions.", rows)
	p.addDevices(m.ID, devices)
	managed := action.ManagedMember{AdminMember: m, OperatorsFixed: p.Server.OperatorsFixed != "", Factor: factor.Enabled}
	for _, f := range forms(p.language, &action.ManagedMembers, managed) {
		if f.Method != http.MethodGet {
			p.ActionDescriptors = append(p.ActionDescriptors, f)
		}
	}
	return nil
}

// addDevices adds the device passwords of a member.
func (p *operatorPage) addDevices(member svc.MemberID, devices []identity.Device) {
	var rows svc.List[PanelItem]
	for _, d := range devices {
		managed := action.ManagedDevice{Device: d, Member: member}
		p.Devices = append(p.Devices, ManagedDevice{d, action.ManagedDevices.URLs(managed)})
		rows = append(rows, PanelItem{
			ID: d.ID, Title: d.Label, Summary: p.lastUse(d.LastUsedAt), Metadata: svc.Map{"created_at": d.CreatedAt, "last_used_at": d.LastUsedAt}, Actions: buttons(p.language, &action.ManagedDevices, managed),
		})
	}
	p.addList("Device passwords", "No device passwords.", rows)
}

// memberID returns the id of the member of the query, 0 for none.
func (p *operatorPage) memberID() (svc.MemberID, error) {
	if p.query.Member == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(p.query.Member, 10, 64)
	if err != nil || id <= 0 {
		return 0, svc.ParameterError("member", "There is no member with this ID.")
	}
	return svc.MemberID(id), nil
}

// invitations renders the invitations that have not expired.
func (p *operatorPage) invitations() error {
	l := p.language
	p.Summary = l.Textf("{0, plural, =0 {No open invitations} one {# open invitation} other {# open invitations}}", p.Counts.Invitations)
	if !p.Identity.PermitsInvitations() {
		p.Summary = l.Text("Registration is closed: invitations have no effect")
	}
	var rows svc.List[PanelItem]
	for _, i := range p.openInvitations[:min(len(p.openInvitations), svc.MaxLimit)] {
		label, state := l.Text("For any person with the link"), l.Textf("until %s", p.day(i.ExpiresAt))
		if i.Email != "" {
			label = l.Textf("For %s", i.Email)
		}
		if i.UsedAt != nil {
			state = l.Textf("used %s", p.day(*i.UsedAt))
		}
		p.OperatorPanel.Invitations = append(p.OperatorPanel.Invitations, MemberInvitation{i, label, action.MemberInvitations.URLs(i)})
		rows = append(rows, PanelItem{
			ID: i.ID, Title: label, Summary: state, Actions: buttons(p.language, &action.MemberInvitations, i),
			Metadata: svc.Map{"email": i.Email, "created_by": i.CreatedBy, "created_at": i.CreatedAt, "expires_at": i.ExpiresAt, "used_at": i.UsedAt, "used_by": i.UsedBy},
		})
	}
	p.addList("Invitations", "No invitations.", rows)
	p.addForms("invite")
	return nil
}

// audit renders a page of the audit log, of all members or one.
func (p *operatorPage) audit() error {
	about := ""
	id, err := p.memberID()
	if err != nil {
		return err
	}
	page, err := p.Identity.Audit(p.tx, p.actor, identity.AuditQuery{Member: id, Limit: p.query.Limit, Cursor: p.query.Cursor})
	if err != nil {
		return err
	}
	names, err := p.auditNames(page.Entries)
	if err != nil {
		return err
	}
	if id != 0 {
		about = p.language.Textf("about %s", names(id.String()))
	}
	p.Summary = joinNonEmpty(p.pageCount(len(page.Entries), page.Page, "{0, plural, =0 {No entries} one {# entry} other {# entries}}", "%d entries, and more"), about)
	var rows svc.List[PanelItem]
	for _, e := range page.Entries {
		p.OperatorPanel.Audit = append(p.OperatorPanel.Audit, e)
		rows = append(rows, PanelItem{
			ID: strconv.FormatInt(e.ID, 10), Title: auditTitle(p.language, e, names), Summary: joinNonEmpty(p.moment(e.At), auditDetail(p.language, e)),
			Metadata: svc.Map{"at": e.At, "action": e.Action, "actor": e.Actor, "member_id": e.Member, "detail": e.Detail},
		})
	}
	p.addList("Audit log", "No entries.", rows)
	p.setPage("Earlier entries", page.Page)
	return nil
}

// auditNames returns a function that returns the name of a member of the entries by their
// id. It returns other actors unchanged.
func (p *operatorPage) auditNames(entries []identity.AuditEntry) (func(string) string, error) {
	var ids []svc.MemberID
	for _, e := range entries {
		if id, err := strconv.ParseInt(e.Actor, 10, 64); err == nil {
			ids = append(ids, svc.MemberID(id))
		}
		if e.Member != nil {
			ids = append(ids, *e.Member)
		}
	}
	members, err := p.Identity.MemberNames(p.tx, p.actor, ids)
	return func(actor string) string {
		id, err := strconv.ParseInt(actor, 10, 64)
		if err != nil {
			return actor
		}
		if name, ok := members[svc.MemberID(id)]; ok {
			return name
		}
		return p.language.Textf("member %s", actor)
	}, err
}
