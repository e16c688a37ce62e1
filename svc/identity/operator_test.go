package identity

import (
	"fmt"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// restart makes w the service of another start of the program, with another setting.
func (w *fixture) restart(source string, operators ...string) {
	w.Helper()
	w.Service = New(Config{Registration: Open, Operators: operators, OperatorsSource: source, Argon2: cheapArgon2})
	w.must(w.write(w.TakeOperators))
}

// operatorNames returns the user names of the operators.
func (w *fixture) operatorNames() (names string) {
	w.Helper()
	w.must(w.read(func(tx *store.Tx) error {
		page, err := w.Members(tx, cli, MemberQuery{})
		for _, m := range page.Members {
			if m.IsOperator {
				names += m.Username + " "
			}
		}
		return err
	}))
	return names
}

func (w *fixture) wantOperators(when, want string) {
	w.Helper()
	if got := w.operatorNames(); got != want {
		w.Errorf("%s: got the operators %q, want %q", when, got, want)
	}
}

func (w *fixture) setOperator(id svc.MemberID, operator bool) error {
	return w.write(func(tx *store.Tx) error { _, err := w.SetOperator(tx, cli, id, operator); return err })
}

// Covers B-124.
func TestListOfTheFileIsTakenOncePerChange(t *testing.T) {
	w := newFixture(t, Config{Registration: Open})
	ann, bea := w.addMember("ann"), w.addMember("bea")
	w.restart("", "Ann@example.org", "cem@example.org")
	w.wantOperators("first value", "ann ")
	w.must(w.setOperator(bea, true))
	w.must(w.setOperator(ann, false))
	w.restart("", "cem@example.org", "ann@example.org")
	w.wantOperators("same addresses", "bea ")
	_, err := w.register(Registration{Email: "cem@example.org", Password: passwordOf("cem")})
	wantError(t, err, svc.EmailReserved, "email")
	cem := w.addMember("cem") // by the command line, which may use the address
	w.wantOperators("new member", "bea cem ")
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, cem) }))
	_, err = w.register(Registration{Email: "cem@example.org", Password: passwordOf("cem")})
	wantError(t, err, svc.EmailReserved, "email") // a later change of the setting would make the member an operator
	p, err := w.prove("bea", passwordOf("bea"))
	w.must(err)
	wantError(t, w.write(func(tx *store.Tx) error {
		return w.ChangeSignInDetails(tx, p, SignInDetailsChanges{Email: ptr("cem@example.org")})
	}), svc.EmailReserved, "email")
	w.addMember("cem")
	w.wantOperators("second member with the address", "bea ")
	w.restart("", "ann@example.org")
	w.wantOperators("changed value", "ann bea ")
	w.restart("")
	w.wantOperators("no value, as on another machine", "ann bea ")
}

// Covers B-124.
func TestVariableDeterminesTheOperators(t *testing.T) {
	w := newFixture(t, Config{Registration: Open})
	ann, bea := w.addMember("ann"), w.addMember("bea")
	w.must(w.setOperator(ann, true))
	w.restart("variable X", "bea@example.org", "cem@example.org")
	w.wantOperators("variable", "bea ")
	w.addMember("cem")
	w.wantOperators("new member", "bea cem ")
	wantError(t, w.setOperator(ann, true), svc.ActionUnavailable)
	wantError(t, w.setOperator(bea, false), svc.ActionUnavailable)
	p, err := w.prove("bea", passwordOf("bea"))
	w.must(err)
	wantError(t, w.write(func(tx *store.Tx) error {
		return w.ChangeSignInDetails(tx, p, SignInDetailsChanges{Email: ptr("bea@new.example")})
	}), svc.ActionUnavailable)
	w.must(w.update(bea, Changes{Email: ptr("bea@new.example")}))
	w.wantOperators("other address", "cem ")
	w.must(w.update(bea, Changes{Email: ptr("bea@example.org")}))
	w.wantOperators("address of the list again", "bea cem ")

	server := w.Service
	w.Service = New(Config{Argon2: cheapArgon2}) // a command that does not see the variable of the server
	wantError(t, w.setOperator(ann, true), svc.ActionUnavailable)
	w.Service = server
	w.restart("")
	w.wantOperators("without the variable", "bea cem ")
	w.must(w.setOperator(ann, true))
	w.wantOperators("promotion", "ann bea cem ")
}

func TestOperatorKeepsRightsAtANewAddress(t *testing.T) {
	w := newFixture(t, Config{})
	ann := w.addMember("ann")
	w.must(w.setOperator(ann, true))
	p, err := w.prove("ann", passwordOf("ann"))
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error {
		return w.ChangeSignInDetails(tx, p, SignInDetailsChanges{Email: ptr("ann@new.example")})
	}))
	w.addMember("bea")
	w.must(w.update(2, Changes{Email: ptr("ann@example.org")}))
	w.wantOperators("previous address in use by another member", "ann ")
}

// Covers B-124.
func TestSetUpAcceptsAnExistingMember(t *testing.T) {
	for source, want := range map[string]error{"": nil, "variable X": svc.Errorf(svc.PermissionDenied, "")} {
		w := newFixture(t, Config{})
		w.addMember("ann")
		w.restart(source, "op@example.org")
		p, err := w.prove("ann", passwordOf("ann"))
		w.must(err)
		setUp := func() error {
			return w.write(func(tx *store.Tx) error {
				proof, err := w.SetUpMember(tx, p)
				if err == nil {
					_, _, err = w.Login(tx, proof, Client{})
				}
				return err
			})
		}
		if err := setUp(); svc.KindOf(err) != svc.KindOf(want) || (err == nil) != (want == nil) {
			t.Errorf("source %q: got %v, want %v", source, err, want)
		}
		if want != nil {
			continue
		}
		w.wantOperators(fmt.Sprintf("source %q", source), "ann ")
		if p, err = w.prove("ann", passwordOf("ann")); err != nil {
			t.Fatal(err)
		}
		wantError(t, setUp(), svc.LinkExpired)
	}
}
