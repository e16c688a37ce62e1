package dataset

import (
	"errors"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/world/action"
)

// composition is one dataset in the making.
type composition struct {
	composer *Composer
	tx       *store.Tx
	viewer   svc.Viewer
	request  Request

	revisions store.Revisions
	names     action.Namer
	builder   action.Builder
	member    Member
	loc       *time.Location // where the member lives
	sources   []Provenance
	around    Field

	brought               // by the parts so far, or by the one that is being made
	before  brought       // by that part the last time
	afresh  bool          // nothing that was made before is good
	changes store.Changes // of items since that part was made the last time; a part that asks for them reads them

	arranged   *arrangement
	kept       int   // objects that were found: the workspace keeps them, and they are Find's
	incomplete *bool // not all that was read of the workspace is stored
}

// brought is what a part brings into a dataset.
type brought struct {
	until     time.Time // when time alone makes it another one; zero if it never does
	entries   []*entry
	contexts  [][]byte // as JSON
	actions   [][]byte // those that are on no object, as JSON
	findings  [][]byte // as JSON
	carried   *carried // what the member has before them, by the one part that knows; or nil
	fallbacks []Fallback
	made      map[entryKey]*entry // entries, for the next time
}

func (b brought) expires() time.Time { return b.until }

func (b brought) size() (n int) {
	for _, e := range b.entries {
		n += e.size()
	}
	for _, text := range slices.Concat(b.contexts, b.actions, b.findings) {
		n += len(text)
	}
	return n + b.carried.size()
}

// ends notes that there is another one from t on.
func (b *brought) ends(t time.Time) {
	if !t.IsZero() && (b.until.IsZero() || t.Before(b.until)) {
		b.until = t
	}
}

// add adds what another part has brought.
func (b *brought) add(more brought) {
	b.ends(more.until)
	b.entries = append(b.entries, more.entries...)
	b.contexts = append(b.contexts, more.contexts...)
	b.actions = append(b.actions, more.actions...)
	b.findings = append(b.findings, more.findings...)
	b.fallbacks = append(b.fallbacks, more.fallbacks...)
}

// absent are the services that this version does not have.
var absent = []struct{ service, label string }{
	{"maps", "The map"}, {"find", "Search"},
}

// compose collects all parts. Only what says who the member is may fail; the
// failure of any other part is told of in the dataset.
func (c *composition) compose() error {
	me, err := c.composer.services.Identity.Me(c.tx, c.viewer)
	if err != nil {
		return err
	}
	m := me.Member
	c.member = Member{m.ID, m.DisplayName, m.Email, m.Username, m.Timezone, m.Locale, m.IsOperator}
	c.loc = svc.StoredZone(m.Timezone)
	c.names = action.Namer{Key: c.tx.InstanceKey()}
	c.builder = action.Builder{
		Namer: c.names, Member: c.viewer.Member(), Forms: c.forms(), Workspace: c.composer.hosted("surface").State() != "unavailable",
	}
	c.revisions = c.tx.Revisions(int64(c.viewer.Member()))
	c.ends(c.tx.Now().Add(24 * time.Hour))
	c.source("identity", "ready", 0)
	if err := c.context(Context{ContextID: "ctx_member", Kind: "member", Label: m.DisplayName, Target: action.Workspace}); err != nil {
		return err
	}
	for _, p := range c.composer.parts {
		c.part(p)
	}
	if err := errors.Join(
		c.field(),
		c.arrange(),
	); err != nil {
		return err
	}
	c.noteForms()
	for _, a := range absent {
		objects := 0
		if a.service == "find" {
			objects = c.kept
		}
		c.source(a.service, "unavailable", objects)
		c.fallback("unavailable", Scope{Kind: "service", Service: a.service}, "not_installed", a.label+" is not part of this server.", false)
	}
	c.emptySections()
	return nil
}

// part adds what a service brings. If it fails half way, nothing of it is in.
func (c *composition) part(p part) {
	if p.hosted.State() == "unavailable" {
		c.source(p.service, "unavailable", 0)
		c.fallback("unavailable", Scope{Kind: "service", Service: p.service}, "switched_off", "The operator has switched this off.", false)
		return
	}
	one := *c
	var all brought
	err := svc.Attempt(c.tx.Context(), p.hosted, func() (err error) {
		one.afresh = p.hosted.State() == "degraded" // it is to show that it works again
		all, err = recall(&one, p.service, p.topics, func(old brought, asOf int64) (brought, error) {
			one.before, one.brought = old, brought{made: make(map[entryKey]*entry, len(old.made)+1)}
			one.changes.Since = asOf
			err := p.compose(&one)
			return one.brought, err
		})
		return err
	})
	if err != nil {
		c.source(p.service, "degraded", 0)
		c.fallback("degraded", Scope{Kind: "service", Service: p.service}, "failed", "This part cannot be read at the moment.", true)
		return
	}
	c.add(all)
	objects := len(all.entries)
	if p.service == workspaceService {
		c.carried, c.kept, objects = all.carried, objects, 0
	}
	c.source(p.service, "ready", objects)
}

// context adds something to turn to.
func (b *brought) context(ctx Context) error {
	text, err := compact(ctx)
	b.contexts = append(b.contexts, text)
	return err
}

// act adds actions that are on no object.
func (b *brought) act(actions ...action.Action) error {
	texts, err := encodeAll(actions)
	b.actions = append(b.actions, texts...)
	return err
}

func encodeAll(actions []action.Action) ([][]byte, error) {
	texts := make([][]byte, len(actions))
	for i, a := range actions {
		var err error
		if texts[i], err = compact(a); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

func (c *composition) source(id, status string, objects int) {
	c.sources = append(c.sources, Provenance{SourceID: id, Kind: "service", Status: status, ObjectCount: objects, ReadAt: stamp(c.tx.Now())})
}

func (c *composition) fallback(state string, scope Scope, reason, message string, retryable bool) string {
	id := "fb_" + scope.Kind + "_" + scope.Section + scope.Service + scope.Capability + "_" + state
	c.fallbacks = append(c.fallbacks, Fallback{FallbackID: id, State: state, Scope: scope, Reason: reason, Message: message, Retryable: retryable})
	return id
}

// emptySections says of each section that has nothing in it why (W-42), and
// leaves out those that were not asked for (B-05).
func (c *composition) emptySections() {
	sections := []struct {
		name          string
		items         int
		state, reason string
		message       string
	}{
		{"objects", len(c.entries), "empty", "no_objects", "There is nothing here yet."},
		{"contexts", len(c.contexts), "empty", "no_contexts", "There is nothing to turn to yet."},
		{"actions", len(c.actions) + len(c.entries), "empty", "no_actions", "There is nothing to do yet."},
		{"field.objects", 0, "unavailable", "not_installed", "The map is not part of this server."},
		{"findings", len(c.findings), "empty", "no_findings", "Nothing has been found yet."},
		{"workspace", len(c.arranged.entries), "empty", "nothing_brought", "Nothing has been brought into the workspace yet."},
	}
	for _, s := range sections {
		kept := s.name == "findings" || s.name == "workspace" // by the service of the workspace
		switch {
		case !c.request.Params.wants(topLevel(s.name)):
			c.fallback("unsupported", Scope{Kind: "section", Section: s.name}, "not_requested", "This section was not asked for.", false)
		case s.items > 0:
		case kept && c.statusOf(workspaceService) != "ready":
			c.fallback("unavailable", Scope{Kind: "section", Section: s.name}, "not_read", "This cannot be read at the moment.", true)
		default:
			c.fallback(s.state, Scope{Kind: "section", Section: s.name}, s.reason, s.message, false)
		}
	}
}

// statusOf returns the status of a source that has been added.
func (c *composition) statusOf(source string) string {
	i := slices.IndexFunc(c.sources, func(p Provenance) bool { return p.SourceID == source })
	return c.sources[i].Status
}

func topLevel(section string) string {
	if section == "field.objects" {
		return "field"
	}
	return section
}

// stamp prints an instant as JSON has it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// forms reports whether the runtime declared that it can show forms.
func (c *composition) forms() bool { return c.request.Runtime.Can("actions.form") }

// noteForms adds the fallback to which the actions refer that need a form.
func (c *composition) noteForms() {
	if !c.forms() && len(c.actions) > 0 {
		c.fallback("unsupported", Scope{Kind: "capability", Capability: "actions.form"}, "not_declared", "This runtime did not declare that it can show forms.", false)
	}
}

// Truncated is the fallback of a section that is incomplete.
func Truncated(section, message string) Fallback {
	return Fallback{
		FallbackID: "fb_section_" + section + "_degraded", State: "degraded", Scope: Scope{Kind: "section", Section: section},
		Reason: "truncated", Message: message,
	}
}
