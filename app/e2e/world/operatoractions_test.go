package world

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pquerna/otp/totp"

	"appliance/app/apptest"
	"appliance/app/backups"
	"appliance/store"
	"appliance/svc/identity"
	"appliance/svc/provider/providertest"
	"appliance/world/action"
)

// operatorPanel is the path of the panel of operators.
const operatorPanel = "/world/panels/operator"

// promote makes a member an operator.
func promote(c *apptest.Client) {
	c.Server.Write(func(tx *store.Tx) error {
		_, err := c.Server.App.Identity.SetOperator(tx, identity.CommandLine("test"), c.ID, true)
		return err
	})
}

// waitForBackup waits until no backup is being made.
func waitForBackup(s *apptest.Server) {
	s.T.Helper()
	for s.App.Backups.Latest().State == backups.Running {
		select {
		case <-time.After(time.Millisecond):
		case <-s.T.Context().Done():
			s.T.Fatal("the backup does not end")
		}
	}
}

// addFactor adds an authenticator app to a member without ending their session.
func addFactor(c *apptest.Client) {
	c.T.Helper()
	secret := c.Do("POST", "/world/identity/second-factor/totp", map[string]any{"current_password": apptest.Password}).Want(201).Str("totp.secret")
	code, err := totp.GenerateCode(secret, c.Server.Clock.Now())
	if err != nil {
		c.T.Fatal(err)
	}
	c.Do("POST", "/world/identity/second-factor/totp/confirm", map[string]any{"code": code}).Want(200)
}

// useManagedMember makes the participant, as a member that the owner administers, the
// object of the fixture.
func (s *objectFixture) useManagedMember() {
	promote(s.owner)
	s.id = fmt.Sprint(s.participant.ID)
	view := operatorPanel + "?view=members&member=" + s.id
	s.records, s.panels = []string{view + " members.0"}, []string{view}
}

// useOperatorItem makes the item of a view of the panel of operators with a title the
// object of the fixture. key is the list of the panel that contains its record.
func (s *objectFixture) useOperatorItem(view, key, title string) {
	promote(s.owner)
	path := operatorPanel + "?view=" + view
	s.panels = []string{path}
	a := s.owner.Do("GET", path).Want(200)
	for _, section := range a.List("sections") {
		for i, item := range apptest.At(section, "items").([]any) {
			if strings.Contains(apptest.At(item, "title").(string), title) {
				s.id = apptest.At(item, "id").(string)
				s.records = []string{fmt.Sprint(path, " ", key, ".", i)}
			}
		}
	}
	if s.id == "" {
		s.T.Fatalf("%s: got no item %q", a.About, title)
	}
}

func belongsToManagedMember(s *objectFixture, text string) bool {
	at := action.OperatorMembersURL + "/" + s.id
	return text == at || strings.HasPrefix(text, at+"/") && !strings.Contains(text, "/devices/") || strings.Contains(text, "member="+s.id+"&")
}

// belongsTo returns a function that reports whether a URL equals the URL of the object, which is
// base and the id of the object, or is below it.
func belongsTo(base string) func(*objectFixture, string) bool {
	return func(s *objectFixture, text string) bool {
		return text == base+"/"+s.id || strings.HasPrefix(text, base+"/"+s.id+"/")
	}
}

var (
	managedEntries  = entriesOf("managed member", action.ManagedMembers)
	operatorEntries = entriesOfOperators()
)

// entriesOfOperators returns the entries of all tables of operators.
func entriesOfOperators() (list []string) {
	for _, entries := range [][]string{
		managedEntries, entriesOf("managed device", action.ManagedDevices), entriesOf("member invitation", action.MemberInvitations),
		entriesOf("map region", action.MapRegions), entriesOf("managed provider", action.ManagedProviders), entriesOf("operator", action.Operators),
	} {
		list = append(list, entries...)
	}
	return list
}

// operatorKinds are the kinds of objects that operators administer. The owner of a
// fixture is the operator.
var operatorKinds = []objectKind{
	{name: "managed member", entries: managedEntries, belongs: belongsToManagedMember, create: func(s *objectFixture) {
		addFactor(s.participant)
		s.useManagedMember()
	}},
	{name: "disabled member", entries: managedEntries, belongs: belongsToManagedMember, create: func(s *objectFixture) {
		s.useManagedMember()
		s.owner.Do("POST", action.OperatorMembersURL+"/"+s.id+"/disable").Want(200)
		s.participant = s.invitee // the sessions of the participant have ended
	}},
	{name: "managed operator", entries: managedEntries, belongs: belongsToManagedMember, create: func(s *objectFixture) {
		s.useManagedMember()
		s.owner.Do("POST", action.OperatorMembersURL+"/"+s.id+"/promote", map[string]any{"current_password": apptest.Password}).Want(200)
		s.participant = s.invitee // the participant is an operator now
	}},
	{name: "managed device", entries: entriesOf("managed device", action.ManagedDevices), create: func(s *objectFixture) {
		s.participant.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201)
		s.useManagedMember()
		view := s.panels[0]
		s.id = s.owner.Do("GET", view).Want(200).Str("devices.0.id")
		s.records = []string{view + " devices.0"}
	}},
	{
		name: "member invitation", entries: entriesOf("member invitation", action.MemberInvitations), belongs: belongsTo(action.OperatorInvitationsURL),
		create: func(s *objectFixture) {
			promote(s.owner)
			email := s.owner.Name + "-guest@example.org"
			s.owner.Do("POST", action.OperatorInvitationsURL, map[string]any{"email": email}).Want(201)
			s.useOperatorItem("invitations", "invitations", email)
		},
	},
	{
		name: "map region", entries: entriesOf("map region", action.MapRegions), belongs: belongsTo(action.OperatorRegionsURL),
		create: func(s *objectFixture) {
			s.ImportPlaces("region of " + s.owner.Name)
			s.useOperatorItem("regions", "regions", "region of "+s.owner.Name)
		},
	},
	{
		name: "managed provider", entries: entriesOf("managed provider", action.ManagedProviders), belongs: belongsTo(action.OperatorProvidersURL),
		create: func(s *objectFixture) {
			p := providertest.New(s.T, "lib-"+s.owner.Name)
			s.AddProvider(p)
			s.useOperatorItem("providers", "providers", "Name of "+p.ID)
		},
	},
	{name: "administration", entries: entriesOf("operator", action.Operators), create: func(s *objectFixture) {
		waitForBackup(s.Server)
		promote(s.owner)
		s.records, s.panels = []string{operatorPanel + " -"}, []string{operatorPanel, operatorPanel + "?view=members"}
	}, belongs: func(_ *objectFixture, text string) bool {
		return regexp.MustCompile(`^(act_admin_.*|` + operatorPanel + `|/world/operator/(members|invitations|backups))$`).MatchString(text)
	}},
}

// changingHealth matches the values of the panel of operators that other programs on the
// machine change.
var changingHealth = regexp.MustCompile(`"(free_bytes|size_bytes)":\d+|"summary":"[\d.]+ MB[^"]*"`)
