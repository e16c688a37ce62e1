package identity

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// Covers I-01 and I-21.
func TestRegisterValidatesAllFields(t *testing.T) {
	w := newFixture(t, Config{Registration: Open})
	ann, err := w.register(Registration{
		Email: " Ann@Example.org ", Username: "Ann.B", DisplayName: " Ann B. ", Password: "correct horse",
	})
	w.must(err)
	if m := ann.Member; m.Email != "Ann@Example.org" || m.Username != "ann.b" || m.DisplayName != "Ann B." {
		t.Errorf("got %+v, want trimmed and folded values", m)
	}
	if _, err := w.authenticate(ann.Token.AccessToken); err != nil {
		t.Errorf("token of the new member: %v", err)
	}
	long := strings.Repeat("x", 1025)
	for name, c := range map[string]struct {
		r      Registration
		code   svc.Code
		fields []string
	}{
		"empty": {Registration{}, svc.FieldRequired, []string{"email", "password"}},
		"no address and a short password": {
			Registration{Password: "short"}, svc.FieldRequired, []string{"email"}},
		"invalid address": {
			Registration{Email: "ann", Password: "correct horse"}, svc.InvalidValue, []string{"email"}},
		"address with a display name": {
			Registration{Email: "Ann <ann@x.org>", Password: "correct horse"}, svc.InvalidValue, []string{"email"}},
		"address with an invisible character": {
			Registration{Email: "a\u200bnn@x.org", Password: "correct horse"}, svc.InvalidValue, []string{"email"}},
		"long address": {
			Registration{Email: long + "@x.org", Password: "correct horse"}, svc.InvalidValue, []string{"email"}},
		"short password": {
			Registration{Email: "bea@x.org", Password: "sevenxx"}, svc.WeakPassword, []string{"password"}},
		"common password": {
			Registration{Email: "bea@x.org", Password: "PassWord"}, svc.WeakPassword, []string{"password"}},
		"first password of the list": {
			Registration{Email: "bea@x.org", Password: strings.SplitN(commonPasswords, "\n", 3)[1]}, svc.WeakPassword, []string{"password"}},
		"password equal to the address": {
			Registration{Email: "bea@x.org", Password: "BEA@x.org"}, svc.WeakPassword, []string{"password"}},
		"long password": {
			Registration{Email: "bea@x.org", Password: long}, svc.TooLong, []string{"password"}},
		"numeric user name": {
			Registration{Email: "bea@x.org", Username: "42", Password: "correct horse"}, svc.InvalidValue, []string{"username"}},
		"user name with a space": {
			Registration{Email: "bea@x.org", Username: "b a", Password: "correct horse"}, svc.InvalidValue, []string{"username"}},
		"display name with two lines": {
			Registration{Email: "bea@x.org", DisplayName: "a\nb", Password: "correct horse"}, svc.InvalidValue, []string{"display_name"}},
		"long display name": {
			Registration{Email: "bea@x.org", DisplayName: long, Password: "correct horse"}, svc.TooLong, []string{"display_name"}},
		"all fields invalid": {
			Registration{Email: "bea", Username: "b", Password: "x"}, svc.InvalidValue, []string{"email", "username", "password"}},
		"address in use": {
			Registration{Email: "ANN@example.ORG", Password: "correct horse"}, svc.AlreadyExists, []string{"email"}},
		"user name in use": {
			Registration{Email: "bea@x.org", Username: "ANN.b", Password: "correct horse"}, svc.AlreadyExists, []string{"username"}},
		"address and user name in use": {
			Registration{Email: "ann@example.org", Username: "ann.b", Password: "correct horse"},
			svc.AlreadyExists, []string{"email", "username"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.register(c.r)
			wantError(t, err, c.code, c.fields...)
		})
	}
	if n := len(tableRows(w, "identity_member")); n != 1 {
		t.Errorf("got %d members, want 1", n)
	}
	if _, err := w.register(Registration{Email: "bea@x.org", Password: "8 chars!"}); err != nil {
		t.Errorf("password of eight characters: %v", err)
	}
}

func TestUsernameIsDerivedFromAddress(t *testing.T) {
	w := newFixture(t, Config{Registration: Open})
	for _, c := range []struct{ email, want string }{
		{"Bea@x.org", "bea"},
		{"bea@y.org", "bea-2"},
		{"bea@z.org", "bea-3"},
		{"bea.smith+home@x.org", "bea.smithhome"},
		{"_bea@x.org", "bea-4"},
		{"12345@x.org", "member"},
		{"x@x.org", "member-2"},
		{"日本@x.org", "member-3"},
		{strings.Repeat("long", 16) + "@x.org", strings.Repeat("long", 6)},
		{strings.Repeat("long", 16) + "@y.org", strings.Repeat("long", 6) + "-2"},
	} {
		s, err := w.register(Registration{Email: c.email, Password: "correct horse"})
		if err != nil || s.Member.Username != c.want || s.Member.DisplayName != c.want {
			t.Errorf("%s: got user name %q (%v), want %q", c.email, s.Member.Username, err, c.want)
		}
	}
}

func TestRegistrationFollowsThePolicy(t *testing.T) {
	r := Registration{Email: "bea@x.org", Password: "correct horse"}
	for _, c := range []struct {
		policy RegistrationPolicy
		code   string
		want   svc.Code
	}{
		{"", "", svc.RegistrationClosed},
		{InviteOnly, "", svc.RegistrationClosed},
		{InviteOnly, "inv_wrong", svc.LinkExpired},
		{Closed, "", svc.RegistrationClosed},
		{Closed, "inv_wrong", svc.RegistrationClosed},
		{Open, "inv_wrong", svc.LinkExpired},
	} {
		t.Run(fmt.Sprintf("%s with code %q", c.policy, c.code), func(t *testing.T) {
			w := newFixture(t, Config{Registration: c.policy})
			r.InviteCode = c.code
			_, err := w.register(r)
			wantError(t, err, c.want)
		})
	}
}

// Registration with an address of the operator list requires an invitation to that address.
// Otherwise only the command line can add such a member. Covers I-22.
func TestOperatorAddressesAreReserved(t *testing.T) {
	w := newFixture(t, Config{Registration: Open, Operators: []string{"boss@example.org", "chief@example.org"}})
	operatorRegistration := Registration{Email: "BOSS@example.org", Password: "correct horse"}
	invite := func(email string) (n NewInvitation) {
		w.must(w.write(func(tx *store.Tx) (err error) {
			n, err = w.Invite(tx, cli, email)
			return err
		}))
		return n
	}
	_, err := w.register(operatorRegistration)
	wantError(t, err, svc.EmailReserved, "email")

	operatorRegistration.InviteCode = invite("").Code
	_, err = w.register(operatorRegistration)
	wantError(t, err, svc.EmailReserved, "email")

	operatorRegistration.InviteCode = invite("Boss@Example.org").Code
	s, err := w.register(operatorRegistration)
	if err != nil || !s.Member.IsOperator {
		t.Errorf("with an invitation for the address: got %+v (%v), want an operator", s.Member, err)
	}
	_, err = w.register(Registration{Email: "boss@example.org", Password: "correct horse"})
	wantError(t, err, svc.AlreadyExists, "email")

	operatorApplicant, err := w.Prepare(t.Context(), Registration{Email: "chief@example.org", Password: "correct horse"})
	w.must(err)
	add := func(by Actor) error {
		return w.write(func(tx *store.Tx) error { _, err := w.AddMember(tx, by, operatorApplicant); return err })
	}
	wantError(t, add(w.operator(s.Member.ID)), svc.EmailReserved, "email")
	if err := add(cli); err != nil {
		t.Errorf("from the command line: %v", err)
	}
}

// Covers I-13.
func TestOperatorListIgnoresCaseAndSpace(t *testing.T) {
	for _, c := range []struct {
		list string
		want bool
	}{
		{"ann@example.org", true},
		{" bob@x.org , ANN@Example.ORG ,, ", true},
		{"bob@x.org", false},
		{"", false},
		{" , ", false},
	} {
		w := newFixture(t, Config{Operators: strings.Split(c.list, ",")})
		ann := w.addMember("ann")
		if got := w.me(ann).IsOperator; got != c.want {
			t.Errorf("list %q: got IsOperator %v, want %v", c.list, got, c.want)
		}
		err := w.read(func(tx *store.Tx) error { _, err := w.Operator(tx, svc.Trust(ann)); return err })
		if (err == nil) != c.want {
			t.Errorf("list %q: got %v, want permitted %v", c.list, err, c.want)
		}
	}
}

// The first operator is immediately an operator in every process that uses the
// database.
func TestSetUpRespectsFixedOperatorList(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  Config
		want error
	}{
		"no list":           {Config{}, nil},
		"variable list":     {Config{Operators: []string{"bob@x.org"}}, nil},
		"fixed list":        {Config{Operators: []string{"ann@example.org"}, OperatorsSource: "variable X"}, nil},
		"not in fixed list": {Config{Operators: []string{"bob@x.org"}, OperatorsSource: "variable X"}, svc.Errorf(svc.PermissionDenied, "")},
		"empty fixed list":  {Config{OperatorsSource: "variable X"}, svc.Errorf(svc.PermissionDenied, "")},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, c.cfg)
			a, err := w.Prepare(t.Context(), Registration{Email: "ann@example.org", Password: "correct horse"})
			w.must(err)
			err = w.write(func(tx *store.Tx) error { _, err := w.SetUp(tx, a); return err })
			if svc.KindOf(err) != svc.KindOf(c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			other := New(c.cfg) // in another process
			w.must(w.read(func(tx *store.Tx) error {
				if got, err := other.HasOperator(tx); err != nil || got != (c.want == nil) {
					t.Errorf("has operator: got %t (%v), want %t", got, err, c.want == nil)
				}
				return nil
			}))
		})
	}
}

func TestFailingHookPreventsRegistration(t *testing.T) {
	w := newFixture(t, Config{Registration: Open})
	w.hooks.err = errors.New("hook failed")
	if _, err := w.register(Registration{Email: "ann@x.org", Password: "correct horse"}); !errors.Is(err, w.hooks.err) {
		t.Errorf("got %v, want the error of the hook", err)
	}
	if n := len(tableRows(w, "identity_member")); n != 0 {
		t.Errorf("got %d members, want 0", n)
	}
}
