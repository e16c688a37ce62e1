package panel

import (
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/provider/transport"
)

// newOperatorPanels returns panels on the fixture, of which ann is the operator.
func newOperatorPanels(f *fixture, cfg identity.Config) OperatorPanels {
	cfg.Operators = []string{"ann@example.org"}
	members := identity.New(cfg)
	f.Fill(members.TakeOperators)
	return OperatorPanels{
		Identity: members, Storage: f.Storage, Maps: maps.New(), Providers: provider.New(f.DB, transport.New("test", f.DB.Now, nil)),
		Feeds: feeds.New(f.DB, feeds.Config{UserAgent: "test"}),
		Server: OperatorServer{
			Version: "1.2.3", BackupEvery: 24 * time.Hour, BackupKeep: 14, Off: map[string]bool{},
			Health: ServerHealth{State: "ok", Services: svc.List[ServiceHealth]{{"time", "ready"}, {"social", "degraded"}, {"maps", "unavailable"}},
				TimeZones: ZoneData{"2026f", ZonesOfFile, time.Date(2026, 10, 29, 0, 0, 0, 0, time.UTC)}},
		},
	}
}

func (f *fixture) operatorPanel(o OperatorPanels, q OperatorQuery) OperatorPanel {
	f.T.Helper()
	return f.operatorPanelOf(f.ann, o, q)
}

func (f *fixture) operatorPanelOf(v svc.Viewer, o OperatorPanels, q OperatorQuery) (p OperatorPanel) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		p, err = o.Render(tx, v, q)
		return err
	})
	return p
}

func TestPanelOfOperatorsIsForOperators(t *testing.T) {
	f := newFixture(t)
	o := newOperatorPanels(f, identity.Config{})
	for name, v := range map[string]svc.Viewer{"another member": f.bea, "no member": {}} {
		err := f.DB.Read(t.Context(), func(tx *store.Tx) error {
			_, err := o.Render(tx, v, OperatorQuery{})
			return err
		})
		if kind := svc.KindOf(err); kind != svc.Forbidden && kind != svc.Anonymous {
			t.Errorf("%s: got %v, want an error about the permission", name, err)
		}
	}
}

// Every view has a title and a summary, and every empty section gives the reason.
// Covers W-124.
func TestViewsOfOperatorsHaveASummary(t *testing.T) {
	f := newFixture(t)
	o := newOperatorPanels(f, identity.Config{})
	for _, view := range operatorViews {
		p := f.operatorPanel(o, OperatorQuery{View: view.id})
		if p.Title == "" || p.Summary == "" || p.View != view.id || p.Kind != "operator" || len(p.Nav) < len(operatorViews) {
			t.Errorf("%s: got view %q, title %q, summary %q", view.id, p.View, p.Title, p.Summary)
		}
		for _, s := range p.Sections {
			if len(s.Items) == 0 && s.Summary == "" {
				t.Errorf("%s: section %s: got no summary, want one", view.id, s.Title)
			}
		}
	}
}

func TestOverviewDescribesTheServer(t *testing.T) {
	f := newFixture(t)
	o := newOperatorPanels(f, identity.Config{})
	p := f.operatorPanel(o, OperatorQuery{})
	want(t, "summary", p.Summary, "The server is in order")
	want(t, "warnings", section(t, p.Panel, "Warnings"), "Nothing needs attention.")
	want(t, "server", section(t, p.Panel, "Server"), "Services: 1 of 3 ready [Open]\nLast backup: None [Open]\nFree disk space: Unknown\n"+
		"Database: 0 bytes · no damage known · not checked since the start\nMembers: 3 active · 0 disabled · 0 in the last 24 hours [Open]\nVersion: 1.2.3\n"+
		"Time zone data: 2026f · 29 October 2026 · from the data directory")
	o.Server.Health.State = "problem"
	o.Server.Health.Warnings = svc.List[ServerWarning]{{"disk", "problem", "12 MB are free.", "Free disk space."}}
	p = f.operatorPanel(o, OperatorQuery{})
	want(t, "summary", p.Summary, "There are problems")
	want(t, "warnings", section(t, p.Panel, "Warnings"), "12 MB are free.: Free disk space.")
	want(t, "services", section(t, f.operatorPanel(o, OperatorQuery{View: "services"}).Panel, "Services"), "Time: Ready\n"+
		"Social: Degraded: a job or a read failed. The log of the server contains the reason.\nMaps: Switched off in the setting services-off.")
}

// If the environment sets the operators, neither promotion nor demotion is offered,
// and the summary gives the reason. Covers B-109 and B-13.
func TestChangeOfFixedOperatorsIsNotOffered(t *testing.T) {
	f := newFixture(t)
	o := newOperatorPanels(f, identity.Config{})
	q := OperatorQuery{View: "members", Member: "2"}
	want(t, "forms", formsOf(f.operatorPanel(o, q).Panel), "update: display_name email username current_password\ndisable: status\nend_sessions: \nrevoke_access: \n"+
		"reset_password: current_password\nexport: current_password\npromote: current_password\ndelete: current_password")
	o.Server.OperatorsFixed = "variable ADMIN_ALLOWED_EMAILS"
	p := f.operatorPanel(o, q)
	if got := formsOf(p.Panel); strings.Contains(got, "promote") || p.Members[0].Actions["promote"] != "" {
		t.Errorf("got the forms %s and the actions %v, want no promotion", got, p.Members[0].Actions)
	}
	want(t, "summary", p.Summary, "no sessions · no device passwords · The variable ADMIN_ALLOWED_EMAILS sets the operators")
}

// While registration is closed, an invitation would have no effect.
func TestInvitationsAreNotOfferedWhileRegistrationIsClosed(t *testing.T) {
	f := newFixture(t)
	p := f.operatorPanel(newOperatorPanels(f, identity.Config{Registration: identity.Closed}), OperatorQuery{View: "invitations"})
	if p.Actions["invite"] != "" || formsOf(p.Panel) != "" || !strings.Contains(p.Summary, "closed") {
		t.Errorf("got the actions %v, the forms %q and the summary %q, want no invitation and the reason", p.Actions, formsOf(p.Panel), p.Summary)
	}
}

// The audit log has the current names of members, also of disabled ones, and the numbers of
// deleted ones.
func TestAuditLogNamesMembers(t *testing.T) {
	f := newFixture(t)
	o := newOperatorPanels(f, identity.Config{})
	f.Fill(func(tx *store.Tx) error {
		by, err := o.Identity.Operator(tx, f.ann)
		if err != nil {
			return err
		}
		if _, err := o.Identity.Update(tx, by, f.bea.Member(), identity.Changes{DisplayName: new("Bea <b>")}); err != nil {
			return err
		}
		if _, err := o.Identity.Revoke(tx, identity.CommandLine("root"), f.bea.Member(), identity.Revocation{Sessions: true}); err != nil {
			return err
		}
		if _, err := o.Identity.Update(tx, by, f.bea.Member(), identity.Changes{Status: new(identity.Disabled)}); err != nil {
			return err
		}
		return o.Identity.Delete(tx, by, f.dan.Member())
	})
	const at = "21 November 2026, 09:00"
	p := f.operatorPanel(o, OperatorQuery{View: "audit"})
	want(t, "all", section(t, p.Panel, "Audit log"), "ann removed member 3: "+at+"\n"+
		"ann disabled the account of Bea <b>: "+at+"\n"+
		"The command line (root) ended all sessions of Bea <b>: "+at+"\n"+
		"ann changed the account of Bea <b>: "+at+" · Display name\nThe setting admin-allowed-emails made ann an operator: "+at)
	p = f.operatorPanel(o, OperatorQuery{View: "audit", Member: "3"})
	want(t, "of a deleted member", p.Summary+"\n"+section(t, p.Panel, "Audit log"), "1 entry · about member 3\nann removed member 3: "+at)
	p = f.operatorPanel(o, OperatorQuery{View: "audit", Limit: 2})
	if p.Page == nil || p.Page.Next == nil || !strings.Contains(*p.Page.Next, "limit=2") || p.Nav[len(p.Nav)-1].Action != *p.Page.Next {
		t.Errorf("got the page %+v and the navigation %+v, want a link to the next page", p.Page, p.Nav[len(p.Nav)-1])
	}
}

// A provider is shown without the rest of its address, which may contain a secret, and
// without the feeds of single members.
func TestProvidersAreShownWithoutTheirAddresses(t *testing.T) {
	f := newFixture(t)
	o := newOperatorPanels(f, identity.Config{})
	f.Fill(func(tx *store.Tx) error {
		library := provider.Registration{ID: "library", Label: "Library", SourceURL: "https://library.example.org/s3cret/world", Secret: []byte("x"), Interval: time.Hour}
		own := provider.Registration{ID: provider.OwnID(f.bea.Member()), Owner: f.bea.Member(), Label: "My feeds", Secret: []byte{}, Interval: time.Hour}
		own.SourceURL, own.ActionURL = feeds.Addresses(own.ID)
		if err := o.Providers.Add(tx, library); err != nil {
			return err
		}
		return o.Providers.Add(tx, own)
	})
	p := f.operatorPanel(o, OperatorQuery{View: "providers"})
	want(t, "providers", section(t, p.Panel, "Providers"), "Library: unavailable · never updated [Update now, Remove Library]")
	if len(p.Providers) != 1 || p.Providers[0].Source != "https://library.example.org" || p.Providers[0].HasActions {
		t.Errorf("got %+v, want the library with its host only", p.Providers)
	}
	o.Server.Off["find"] = true
	if p := f.operatorPanel(o, OperatorQuery{View: "providers"}); len(p.Providers[0].Actions) != 0 {
		t.Errorf("while Find is off: got the actions %v, want none", p.Providers[0].Actions)
	}
}
