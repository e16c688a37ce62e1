package provider

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/provider/contract"
)

// Members of the tests.
var (
	ann = Reader{Member: 1, Email: "Ann@example.org", Operator: true}
	bea = Reader{Member: 2, Email: "bea@example.org"}
)

// fixture is the service over a database with the provider library.
type fixture struct {
	*Service
	t     *testing.T
	db    *store.DB
	clock *storetest.Clock
}

func newFixture(t *testing.T) *fixture {
	db, clock := storetest.Open(t)
	f := &fixture{New(db, nil), t, db, clock}
	f.add("library")
	return f
}

func (f *fixture) add(id string) {
	f.t.Helper()
	f.write(func(tx *store.Tx) error {
		return f.Add(tx, Registration{ID: id, Label: "Name of " + id, SourceURL: "https://p.example/source", ActionURL: "https://p.example/action", Secret: []byte("s")})
	})
}

func (f *fixture) write(do func(*store.Tx) error) {
	f.t.Helper()
	if err := f.db.Write(f.t.Context(), do); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) ingest(p *contract.Source) Counts {
	f.t.Helper()
	counts, err := f.Ingest(f.t.Context(), p.Provider.ID, p)
	if err != nil {
		f.t.Fatal(err)
	}
	return counts
}

// formatVisible formats each object that a member sees, and each collection.
func (f *fixture) formatVisible(r Reader) (list []string) {
	f.t.Helper()
	err := f.db.Read(f.t.Context(), func(tx *store.Tx) error {
		list = nil
		for _, o := range f.objects(tx, r) {
			list = append(list, fmt.Sprintf("%s %s%d%d%d", o.Source.SourceID, o.Title, len(o.Actions), len(o.Resources), len(o.Relationships)))
		}
		collections, err := f.Collections(tx, 100)
		for _, c := range collections {
			list = append(list, fmt.Sprint(c.ID, " ", c.Title, len(c.Items)))
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return list
}

// objects returns the objects that a member sees.
func (f *fixture) objects(tx *store.Tx, r Reader) (list []Object) {
	f.t.Helper()
	providers, err := f.Providers(tx)
	if err != nil {
		f.t.Fatal(err)
	}
	versions, _, err := f.Objects(tx, r, providers, 10000)
	if err != nil {
		f.t.Fatal(err)
	}
	ids := make([]string, len(versions))
	for i, v := range versions {
		ids[i] = v.ID
	}
	objects, err := f.ObjectsByID(tx, ids)
	if err != nil {
		f.t.Fatal(err)
	}
	byID := make(map[string]Object)
	for _, o := range objects {
		byID[o.ID] = o
	}
	for _, id := range ids {
		if o, ok := byID[id]; ok {
			list = append(list, o)
		}
	}
	return list
}

func (f *fixture) wantVisible(r Reader, want ...string) {
	f.t.Helper()
	if got := f.formatVisible(r); !slices.Equal(got, want) {
		f.t.Errorf("member %d: got %q, want %q", r.Member, got, want)
	}
}

// book returns an object that all members see.
func book(id, title string) contract.Object {
	return contract.Object{
		Source: contract.Ref{Provider: "library", SourceType: "book", SourceID: id}, Type: "book", Title: title,
		Visibility: contract.Visibility{Group: contract.AllMembers},
	}
}

// payload returns a payload of the library with these objects.
func payload(objects ...contract.Object) *contract.Source {
	p := &contract.Source{Contract: contract.SourceContract, Provider: contract.Provider{ID: "library", Label: "Library"}}
	p.Objects.Items = objects
	return p
}

// Covers V-17, V-19, V-24.
func TestPayloadReplacesTheRecords(t *testing.T) {
	f := newFixture(t)
	first := payload(book("1", "Dune"), book("2", "Emma"))
	first.Actions.Items = svc.List[contract.Action]{{ID: "renew", Type: "renew", Label: "Renew", TargetSource: first.Objects.Items[0].Source, Availability: contract.Enabled}}
	first.Resources.Items = svc.List[contract.Resource]{{ID: "cover", Kind: "thumbnail"}}
	first.Objects.Items[0].Resources = svc.List[string]{"cover"}
	first.Relationships.Items = svc.List[contract.Relationship]{{ID: "r", Type: "sequel", Source: first.Objects.Items[0].Source, Target: first.Objects.Items[1].Source}}
	first.Collections.Items = svc.List[contract.Collection]{{ID: "all", Title: "All", Items: svc.List[contract.Ref]{first.Objects.Items[0].Source}}}
	if got, want := f.ingest(first), (Counts{Objects: 2, Actions: 1, Relationships: 1, Collections: 1, Resources: 1}); got != want {
		t.Errorf("got the counts %+v, want %+v", got, want)
	}
	f.wantVisible(bea, "1 Dune111", "2 Emma000", "all All1")
	before := storetest.Rows(t, f.db, "SELECT id FROM provider_record ORDER BY id")
	generation := storetest.Rows(t, f.db, "SELECT generation FROM provider_provider")
	f.ingest(first)
	if after := storetest.Rows(t, f.db, "SELECT id FROM provider_record ORDER BY id"); !slices.Equal(after, before) {
		t.Errorf("the same payload again: got the rows %v, want %v", after, before)
	}
	if after := storetest.Rows(t, f.db, "SELECT generation FROM provider_provider"); !slices.Equal(after, generation) {
		t.Errorf("the same payload again: got generation %v, want %v", after, generation)
	}
	if got := f.ingest(payload(book("2", "Emma"), book("3", "Ulysses"))).Retired; got != 1 {
		t.Errorf("got %d retired objects, want 1", got)
	}
	f.wantVisible(bea, "2 Emma000", "3 Ulysses000")
	if rows := storetest.Rows(t, f.db, "SELECT count(*) FROM provider_record"); rows[0] != "2" {
		t.Errorf("got %s rows, want 2", rows[0])
	}
}

// Covers V-23.
func TestObjectsAreShownToTheirMembersOnly(t *testing.T) {
	f := newFixture(t)
	f.add("school")
	var subject, foreign string
	f.write(func(tx *store.Tx) error {
		subject, foreign = Subject(tx.InstanceKey(), "library", bea.Member), Subject(tx.InstanceKey(), "school", bea.Member)
		return nil
	})
	if subject == foreign {
		t.Error("got the same subject at two providers, want different ones")
	}
	list := []contract.Object{book("all", ""), book("email", ""), book("hidden", ""), book("unlisted", ""), book("operators", ""), book("subject", "")}
	list[1].Visibility = contract.Visibility{Members: svc.List[string]{"x@example.org", "ANN@example.org"}}
	list[2].Permissions = svc.Dict[bool]{"can_view": false, "can_update": true}
	list[3].Visibility = contract.Visibility{}
	list[4].Visibility.Group = contract.Operators
	list[5].Visibility = contract.Visibility{Members: svc.List[string]{subject}}
	f.ingest(payload(list...))
	f.wantVisible(ann, "all 000", "email 000", "operators 000")
	f.wantVisible(bea, "all 000", "subject 000")
	err := f.db.Read(t.Context(), func(tx *store.Tx) error {
		for _, o := range list {
			got, err := f.ObjectsByKey(tx, bea, []string{ObjectKey(o.Source)})
			if want := o.Source.SourceID == "all" || o.Source.SourceID == "subject"; err != nil || (len(got) == 1) != want {
				t.Errorf("%s by key: got %d objects (%v), want %t", o.Source.SourceID, len(got), err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A record with another content has another id or version, because caches identify the
// content by them.
func TestVersionsIdentifyTheContent(t *testing.T) {
	f := newFixture(t)
	seen := make(map[svc.Version]bool)
	for _, title := range []string{"first", "second", "third"} {
		f.ingest(payload(book("1", title)))
		if err := f.db.Read(t.Context(), func(tx *store.Tx) error {
			providers, err := f.Providers(tx)
			if err != nil {
				return err
			}
			list, _, err := f.Objects(tx, bea, providers, 10)
			if len(list) != 1 || seen[list[0]] {
				t.Errorf("%s: got the versions %v, want one that was not used before", title, list)
			}
			seen[list[0]] = true
			return err
		}); err != nil {
			t.Fatal(err)
		}
		f.ingest(payload())
	}
}

// A payload that was requested before another one was ingested does not replace it.
func TestOlderPayloadDoesNotReplaceANewerOne(t *testing.T) {
	f := newFixture(t)
	f.ingest(payload(book("1", "Dune")))
	if _, err := f.Service.ingest(t.Context(), "library", payload(book("2", "old")), nil, 0); svc.KindOf(err) != svc.Stale {
		t.Errorf("got %v, want that the payload is out of date", err)
	}
	f.wantVisible(bea, "1 Dune000")
}

// Each provider has the same share of a list that is too long.
func TestProvidersShareTheLimit(t *testing.T) {
	f := newFixture(t)
	f.add("school")
	f.ingest(library(10))
	other := payload()
	other.Provider.ID = "school"
	for i := range 10 {
		o := book(fmt.Sprint(i), "Lesson")
		o.Source.Provider = "school"
		other.Objects.Items = append(other.Objects.Items, o)
	}
	f.ingest(other)
	err := f.db.Read(t.Context(), func(tx *store.Tx) error {
		providers, err := f.Providers(tx)
		if err != nil {
			return err
		}
		list, more, err := f.Objects(tx, bea, providers, 7)
		if err != nil || !more || len(list) != 7 {
			t.Errorf("got %d objects, more: %t, %v, want 7 of 20", len(list), more, err)
		}
		ids := make([]string, len(list))
		for i, v := range list {
			ids[i] = v.ID
		}
		objects, err := f.ObjectsByID(tx, ids)
		count := make(map[string]int)
		for _, o := range objects {
			count[o.Provider]++
		}
		if !maps.Equal(count, map[string]int{"library": 4, "school": 3}) {
			t.Errorf("got the objects %v, want about the same number of each provider", count)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// After a random sequence of payloads, the records are those of the last one.
// Covers PT-33.
func TestOnlyTheLastPayloadCounts(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		f, fresh := newFixture(t), newFixture(t)
		var last *contract.Source
		for range 1 + r.IntN(6) {
			last = payload()
			for id := range 8 {
				if r.IntN(2) == 0 {
					o := book(fmt.Sprint(id), fmt.Sprint("title ", r.IntN(2)))
					o.Visibility.Group = []string{contract.AllMembers, contract.Operators}[r.IntN(2)]
					last.Objects.Items = append(last.Objects.Items, o)
				}
			}
			if r.IntN(4) == 0 {
				f.interrupt(r, payload(book("x", "staged"), book("0", "staged")))
			}
			f.ingest(last)
		}
		fresh.ingest(last)
		for _, m := range []Reader{ann, bea} {
			if got, want := f.formatVisible(m), fresh.formatVisible(m); !slices.Equal(got, want) {
				t.Errorf("seed %d, member %d: got %q, want %q", seed, m.Member, got, want)
			}
		}
	}
}

// interrupt starts an ingestion and ends it after some of its writes, as the end of the
// process would.
func (f *fixture) interrupt(r *rand.Rand, p *contract.Source) {
	f.t.Helper()
	rows, err := rowsOf(p)
	if err != nil {
		f.t.Fatal(err)
	}
	in := &ingestion{Service: f.Service, ctx: f.t.Context(), token: "killed", expected: -1}
	ended, err := in.compare("library", rows)
	if err != nil {
		f.t.Fatal(err)
	}
	steps := []func() error{
		in.begin,
		func() error { return in.write(func(tx *store.Tx) error { return in.add(tx, in.added) }) },
		func() error { return in.end(ended) },
	}
	for _, step := range steps[:1+r.IntN(len(steps))] {
		if err := step(); err != nil {
			f.t.Fatal(err)
		}
	}
}

// Members see the previous records while the next ones are staged, and if the process
// ends meanwhile. Covers B-110 for providers.
func TestInterruptedIngestionChangesNothing(t *testing.T) {
	for steps := range 10 {
		f := newFixture(t)
		f.ingest(payload(book("1", "Dune"), book("2", "Emma")))
		f.interrupt(rand.New(rand.NewPCG(uint64(steps), 2)), payload(book("2", "Other"), book("3", "New")))
		f.wantVisible(bea, "1 Dune000", "2 Emma000")
		f.ingest(payload(book("1", "Dune"), book("3", "Later")))
		f.wantVisible(bea, "1 Dune000", "3 Later000")
		if rows := storetest.Rows(t, f.db, "SELECT count(*), count(until) FROM provider_record"); rows[0] != "2 0" {
			t.Errorf("got rows and ended rows %s, want 2 0", rows[0])
		}
	}
}

// Of two ingestions of a provider at once, the later one succeeds.
func TestLaterIngestionReplacesARunningOne(t *testing.T) {
	f := newFixture(t)
	rows, err := rowsOf(payload(book("1", "slow")))
	if err != nil {
		t.Fatal(err)
	}
	slow := &ingestion{Service: f.Service, ctx: t.Context(), token: "slow", expected: -1}
	ended, err := slow.compare("library", rows)
	if err == nil {
		err = slow.begin()
	}
	if err != nil {
		t.Fatal(err)
	}
	f.ingest(payload(book("2", "fast")))
	if err := slow.run(ended); svc.KindOf(err) != svc.Stale {
		t.Errorf("got %v, want that the ingestion was replaced", err)
	}
	f.wantVisible(bea, "2 fast000")
}

// Removal hides the records at once. They do not reappear if the provider is added
// again.
func TestRemovedProvider(t *testing.T) {
	f := newFixture(t)
	f.ingest(payload(book("1", "Dune")))
	f.write(func(tx *store.Tx) error { return f.Remove(tx, "library") })
	f.wantVisible(bea)
	f.add("library")
	f.wantVisible(bea)
	for more := true; more; {
		f.write(func(tx *store.Tx) (err error) {
			more, err = f.Sweep(tx)
			return err
		})
	}
	if rows := storetest.Rows(t, f.db, "SELECT count(*), (SELECT count(*) FROM provider_record) FROM provider_provider"); rows[0] != "1 0" {
		t.Errorf("got providers and records %s, want 1 0", rows[0])
	}
	err := f.db.Write(t.Context(), func(tx *store.Tx) error { return f.Remove(tx, "other") })
	if svc.KindOf(err) != svc.Missing {
		t.Errorf("got %v, want that there is no such provider", err)
	}
}

func TestRegistrationIsChecked(t *testing.T) {
	f := newFixture(t)
	valid := Registration{ID: "school", Label: "School", SourceURL: "https://s.example/x"}
	for field, change := range map[string]func(*Registration){
		"id":         func(r *Registration) { r.ID = "social" },
		"label":      func(r *Registration) { r.Label = "" },
		"source-url": func(r *Registration) { r.SourceURL = "file:///etc/passwd" },
		"action-url": func(r *Registration) { r.ActionURL = "https://user:password@s.example/" },
		"every":      func(r *Registration) { r.Interval = 1 },
	} {
		r := valid
		change(&r)
		err := f.db.Write(t.Context(), func(tx *store.Tx) error { return f.Add(tx, r) })
		if err == nil || !strings.Contains(fmt.Sprint(fieldsOf(err)), field) {
			t.Errorf("%s: got %v, want an error of the field", field, err)
		}
	}
	err := f.db.Write(t.Context(), func(tx *store.Tx) error {
		r := valid
		r.ID = "library"
		return f.Add(tx, r)
	})
	if svc.KindOf(err) != svc.Conflict {
		t.Errorf("got %v, want that the provider exists", err)
	}
}

func fieldsOf(err error) (names []string) {
	if e, ok := err.(*svc.Error); ok {
		for _, f := range e.Fields {
			names = append(names, f.Name)
		}
	}
	return names
}

// Covers V-09, V-21, V-34, W-145, PT-32 before the relay.
func TestOrders(t *testing.T) {
	f := newFixture(t)
	p := payload(book("1", "Dune"), book("2", "Secret"))
	p.Objects.Items[1].Visibility.Group = contract.Operators
	control := contract.Control{ID: "weeks", Type: "selector", Required: true, Options: svc.List[contract.Option]{{Value: "2"}, {Value: "4"}}}
	operation := &contract.Operation{Provider: "library", Operation: "renew_loan", Metadata: svc.Map{"branch": "B12"}}
	for _, a := range []contract.Action{
		{ID: "renew", Availability: contract.Enabled, Operation: operation, Input: contract.Input{control, {ID: "note", Type: "text", MaxLength: 5}, {ID: "token", Type: "hidden", Default: "t"}}},
		{ID: "off", Availability: contract.Disabled, Operation: operation},
		{ID: "no", Availability: contract.Denied, Operation: operation},
		{ID: "gone", Availability: contract.Unavailable, Operation: operation},
		{ID: "silent", Availability: contract.Enabled},
	} {
		a.Type, a.TargetSource = "renew_loan", p.Objects.Items[0].Source
		p.Actions.Items = append(p.Actions.Items, a)
	}
	p.Actions.Items = append(p.Actions.Items, contract.Action{ID: "secret", Availability: contract.Enabled, Operation: operation, TargetSource: p.Objects.Items[1].Source})
	f.ingest(p)
	order := func(r Reader, id string, input svc.Map) (o *Order, err error) {
		err = f.db.Read(t.Context(), func(tx *store.Tx) error {
			o, err = f.Order(tx, ActionRequest{Reader: r, Key: actionKey("library", id), Input: input, CommandID: "cmd_1"})
			return err
		})
		return o, err
	}
	o, err := order(bea, "renew", svc.Map{"weeks": "2", "note": "", "other": "x"})
	if err != nil {
		t.Fatal(err)
	}
	c := o.Command
	if !maps.Equal(c.Input, svc.Map{"weeks": "2", "token": "t"}) || c.Operation != "renew_loan" || c.ActionID != "renew" || c.CommandID != "cmd_1" ||
		c.TargetSource != p.Objects.Items[0].Source || c.Metadata["branch"] != "B12" || !strings.HasPrefix(c.Member.Subject, "ms_") {
		t.Errorf("got the command %+v", c)
	}
	for _, bad := range []struct {
		id    string
		input svc.Map
		code  svc.Code
	}{
		{"off", nil, svc.ActionDisabled}, {"no", nil, svc.ActionDenied}, {"gone", nil, svc.ActionUnavailable}, {"silent", nil, svc.ActionUnavailable},
		{"secret", nil, svc.NotFound}, {"unknown", nil, svc.NotFound},
		{"renew", nil, svc.FieldRequired}, {"renew", svc.Map{"weeks": "3"}, svc.InvalidValue}, {"renew", svc.Map{"weeks": []any{"2"}}, svc.InvalidValue},
		{"renew", svc.Map{"weeks": "2", "note": "longer"}, svc.TooLong},
	} {
		_, err := order(bea, bad.id, bad.input)
		if e, ok := err.(*svc.Error); !ok || e.Code != bad.code {
			t.Errorf("%s with %v: got %v, want %s", bad.id, bad.input, err, bad.code.Name)
		}
	}
	if _, err := order(ann, "secret", nil); err != nil {
		t.Errorf("operator: got %v, want nil", err)
	}
	p.Actions.Items[0].Availability = contract.Disabled
	f.ingest(p)
	if _, err := order(bea, "renew", svc.Map{"weeks": "2"}); svc.KindOf(err) != svc.Conflict {
		t.Errorf("after the action was disabled: got %v, want a conflict", err)
	}
}

// library returns a payload with n objects, each with an action and a resource.
func library(n int) *contract.Source {
	p := payload()
	for i := range n {
		o := book(fmt.Sprint(i), fmt.Sprintf("The book with number %d", i))
		o.Summary, o.Metadata = strings.Repeat("About this book. ", 10), svc.Map{"shelf": fmt.Sprint(i % 100)}
		o.Resources = svc.List[string]{fmt.Sprint("cover-", i)}
		p.Objects.Items = append(p.Objects.Items, o)
		p.Actions.Items = append(p.Actions.Items, contract.Action{
			ID: fmt.Sprint("lend-", i), Type: "lend", Label: "Lend", TargetSource: o.Source, Availability: contract.Enabled,
			Operation: &contract.Operation{Provider: "library", Operation: "lend"},
		})
		p.Resources.Items = append(p.Resources.Items, contract.Resource{ID: fmt.Sprint("cover-", i), Kind: "thumbnail", MediaType: "image/jpeg", Href: fmt.Sprintf("https://p.example/%d.jpg", i)})
	}
	return p
}

// BenchmarkIngest ingests payloads with 5,000 objects as they arrive: new ones, the same
// text again, and another text with the same records.
func BenchmarkIngest(b *testing.B) {
	db, _ := storetest.Open(b)
	s := New(db, nil)
	text := func(version int) []byte {
		p := library(contract.MaxItems)
		p.Provider.Version = fmt.Sprint("version ", version)
		p.Objects.Name, p.Actions.Name, p.Collections.Name, p.Resources.Name = "objects", "actions", "collections", "resources"
		p.Relationships.Name, p.Extensions.Name = "relationships", "extensions"
		for _, version := range []*int{&p.Objects.Version, &p.Actions.Version, &p.Collections.Version, &p.Resources.Version, &p.Relationships.Version, &p.Extensions.Version} {
			*version = 1
		}
		data, err := svc.EncodeJSON(p)
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	register := func() {
		err := db.Write(b.Context(), func(tx *store.Tx) error {
			if err := s.Remove(tx, "library"); err != nil && svc.KindOf(err) != svc.Missing {
				return err
			}
			return s.Add(tx, Registration{ID: "library", Label: "L", SourceURL: "https://p.example/", Secret: []byte("s")})
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	ingest := func(data []byte) {
		var p Provider
		err := db.Read(b.Context(), func(tx *store.Tx) (err error) {
			p, err = s.Provider(tx, "library")
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.ingestText(b.Context(), p, data); err != nil {
			b.Fatal(err)
		}
	}
	first := text(0)
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			register()
			ingest(first)
		}
	})
	b.Run("same text", func(b *testing.B) {
		for b.Loop() {
			ingest(first)
		}
	})
	b.Run("same records", func(b *testing.B) {
		version := 0
		for b.Loop() {
			version++
			b.StopTimer()
			data := text(version)
			b.StartTimer()
			ingest(data)
		}
	})
}
