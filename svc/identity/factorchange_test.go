package identity

import (
	"fmt"
	"slices"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// addPasskey stores a passkey of a member.
func (f *factorFixture) addPasskey(id string) {
	f.Helper()
	storetest.Exec(f, f.db, "INSERT INTO identity_passkey (id, member_id, credential_id, credential, label, created_at) VALUES (?, ?, ?, '{}', 'Key', 1000)", id, f.ann, []byte(id))
}

// factorState describes the second factors of ann.
func (f *factorFixture) factorState() string {
	f.Helper()
	var s SecondFactor
	f.must(f.read(func(tx *store.Tx) (err error) { s, err = f.SecondFactor(tx, svc.Trust(f.ann)); return err }))
	return fmt.Sprintf("enabled %t, app %t, %d passkeys, %d codes", s.Enabled, s.TOTP != nil, len(s.Passkeys), s.RecoveryCodes)
}

// Only the first factor creates recovery codes, and only the removal of the last one
// deletes them. Each change is in the audit log. Covers B-108.
func TestRecoveryCodesStayWithTheOtherFactor(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	f.addPasskey("pk_a")
	change := func(about string, act func(*store.Tx, Proof) error, want string) {
		t.Helper()
		f.must(f.write(func(tx *store.Tx) error {
			p, refused, err := f.ProveByCode(tx, svc.Trust(f.ann), f.codes[0])
			if err != nil || refused != nil || p.method != withRecoveryCode {
				return fmt.Errorf("%s: got the proof %+v, %v, %v, want one by a recovery code", about, p, refused, err)
			}
			f.codes = f.codes[1:]
			return act(tx, p)
		}))
		if got := f.factorState(); got != want {
			t.Errorf("%s: got %s, want %s", about, got, want)
		}
	}
	change("the app is removed", func(tx *store.Tx, p Proof) error { return f.RemoveTOTP(tx, p, "") }, "enabled true, app false, 1 passkeys, 9 codes")
	change("the app is added again", func(tx *store.Tx, p Proof) error {
		app, err := f.EnrollTOTP(tx, p)
		if err != nil {
			return err
		}
		codes, err := f.ConfirmTOTP(tx, svc.Trust(f.ann), f.code(app.Secret), "")
		if len(codes) > 0 {
			t.Errorf("second factor: got %d new recovery codes, want none", len(codes))
		}
		return err
	}, "enabled true, app true, 1 passkeys, 8 codes")
	change("the passkey is removed", func(tx *store.Tx, p Proof) error { return f.RemovePasskey(tx, p, "pk_a", "") }, "enabled true, app true, 0 passkeys, 7 codes")
	change("the app is removed too", func(tx *store.Tx, p Proof) error { return f.RemoveTOTP(tx, p, "") }, "enabled false, app false, 0 passkeys, 0 codes")
	var got []string
	for _, entry := range f.auditOf(f.ann) {
		for _, want := range []string{"remove-factor totp", "remove-factor pk_a", "add-factor totp"} {
			if entry == f.ann.String()+" "+want {
				got = append(got, want)
			}
		}
	}
	if want := []string{"remove-factor totp", "remove-factor pk_a", "add-factor totp", "remove-factor totp", "add-factor totp"}; !slices.Equal(got, want) {
		t.Errorf("got the audit entries %q, want %q", got, want)
	}
}

// The reset by an operator leaves no row of a factor. Covers B-108.
func TestResetLeavesNoFactor(t *testing.T) {
	f := newFactorFixture(t, factorConfig())
	f.addPasskey("pk_a")
	f.challenge()
	f.must(f.write(func(tx *store.Tx) error {
		m, err := f.ResetFactor(tx, cli, f.ann)
		if m.SecondFactor {
			t.Error("got a member with a second factor, want one without")
		}
		return err
	}))
	for _, table := range []string{"factor", "totp", "recovery_code", "passkey", "challenge"} {
		if got := storetest.Rows(t, f.db, "SELECT count(*) FROM identity_"+table)[0]; got != "0" {
			t.Errorf("identity_%s: got %s rows, want none", table, got)
		}
	}
}

// The state says whether a factor is required, and which kinds can be added.
func TestStateSaysWhichFactorsAreRequiredAndAvailable(t *testing.T) {
	for _, c := range []struct {
		policy             FactorPolicy
		hasKey             bool
		required, operator bool
	}{{FactorOptional, true, false, true}, {FactorOperators, true, true, true}, {FactorOperators, false, false, false}, {FactorAll, false, true, false}} {
		cfg := factorConfig()
		cfg.SecondFactor = c.policy
		if c.operator {
			cfg.Operators = []string{"ann@example.org"}
		}
		if !c.hasKey {
			cfg.FactorKey = nil
		}
		f := newFixture(t, cfg)
		ann := f.addMember("ann")
		f.must(f.read(func(tx *store.Tx) error {
			s, err := f.SecondFactor(tx, svc.Trust(ann))
			if s.Required != c.required || s.TOTPAvailable != c.hasKey {
				t.Errorf("policy %s, operator %t, key %t: got required %t and the app available %t, want %t and %t", c.policy, c.operator, c.hasKey, s.Required, s.TOTPAvailable, c.required, c.hasKey)
			}
			return err
		}))
	}
}
