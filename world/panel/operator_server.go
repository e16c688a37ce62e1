package panel

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/storage"
	"appliance/svc/words"
	"appliance/world/action"
)

// MapRegion is a region of the map.
type MapRegion struct {
	Name        string            `json:"name"`
	Status      RegionStatus      `json:"status"`
	Format      string            `json:"format"` // "" while it is imported
	Places      int               `json:"places"`
	Tiles       int               `json:"tiles"`
	Bounds      svc.List[float64] `json:"bounds"`      // west, south, east, north; empty while it is imported
	FileSize    int64             `json:"file_size"`   // bytes of the imported file
	DataTime    *time.Time        `json:"data_time"`   // null if the file does not state it
	ImportedAt  *time.Time        `json:"imported_at"` // null while it is imported
	Attribution string            `json:"attribution"`
	Actions     svc.Dict[string]  `json:"actions"` // URLs by name
}

// RegionStatus is the status of a [MapRegion].
type RegionStatus string

const (
	RegionReady     RegionStatus = "ready"
	RegionImporting RegionStatus = "importing" // a command imports it
)

// Values implements [svc.Set].
func (RegionStatus) Values() []string { return svc.Values(RegionReady, RegionImporting) }

// ManagedProvider is a provider with the result of its last acquisition.
type ManagedProvider struct {
	ID           string                 `json:"id"`
	Label        string                 `json:"label"`
	State        svc.ServiceState       `json:"state"`       // unavailable if it was never acquired
	Source       string                 `json:"source"`      // scheme and host of the provider; "" for feeds
	HasActions   bool                   `json:"has_actions"` // members can perform actions
	EverySeconds int                    `json:"every_seconds"`
	AcquiredAt   *time.Time             `json:"acquired_at"`
	AttemptedAt  *time.Time             `json:"attempted_at"`
	Failure      string                 `json:"failure"` // why the last acquisition failed
	Feeds        svc.List[ProviderFeed] `json:"feeds"`
	Actions      svc.Dict[string]       `json:"actions"` // URLs by name
}

// ProviderFeed is a feed whose articles are objects of a provider.
type ProviderFeed struct {
	Host      string    `json:"host"` // the address may contain a secret
	Title     string    `json:"title"`
	FetchedAt time.Time `json:"fetched_at"` // last attempt
	Failure   string    `json:"failure"`
}

// The words for states, kinds and services.
var (
	jobStates      = map[JobState]words.Word{JobRunning: "running", JobDone: "done", JobFailed: "failed"}
	providerStates = map[svc.ServiceState]words.Word{svc.StateReady: "ready", svc.StateDegraded: "degraded", svc.StateUnavailable: "unavailable"}
	backupKinds    = map[BackupKind]words.Word{
		NightlyBackup: "nightly", ManualBackup: "manual", BackupBeforeUpgrade: "before_upgrade", BackupBeforeRestore: "before_restore",
	}
	serviceNames = map[string]words.Word{
		"identity": "Identity", "world": "World", "surface": "Surface", "messages": "Messages", "social": "Social", "time": "Time", "maps": "Maps", "find": "Find",
	}
)

// overview renders the state of the server.
func (p *operatorPage) overview() error {
	l := p.language
	switch p.Health.State {
	case HealthOK:
		p.Summary = l.Text("The server is in order")
	case HealthWarning:
		p.Summary = l.Text("There are warnings")
	default:
		p.Summary = l.Text("There are problems")
	}
	var warnings svc.List[PanelItem]
	for i, w := range p.Health.Warnings {
		warnings = append(warnings, PanelItem{ID: fmt.Sprintf("%s_%d", w.Check, i+1), Title: w.Message, Summary: w.Remedy, Metadata: svc.Map{"state": w.State}})
	}
	p.addList("Warnings", "Nothing needs attention.", warnings)
	ready := 0
	for _, s := range p.Health.Services {
		if s.State == svc.StateReady {
			ready++
		}
	}
	open := func(view string) svc.List[PanelAction] {
		return svc.List[PanelAction]{openPanel("open", l.Text("Open"), action.OperatorViewURL(view, nil))}
	}
	backup := l.Text("None")
	if last := p.Health.LastBackup; last != nil {
		backup = p.moment(last.CreatedAt)
	}
	p.addList("Server", "", svc.List[PanelItem]{
		{ID: "services", Title: l.Text("Services"), Summary: l.Textf("%d of %d ready", ready, len(p.Health.Services)), Actions: open("services")},
		{ID: "backup", Title: l.Text("Last backup"), Summary: backup, Actions: open("backups")},
		{ID: "disk", Title: l.Text("Free disk space"), Summary: p.freeText()},
		{ID: "database", Title: l.Text("Database"), Summary: p.databaseText()},
		{
			ID: "members", Title: l.Text("Members"), Actions: open("members"),
			Summary: joinNonEmpty(l.Textf("%d active", p.Counts.Active), l.Textf("%d disabled", p.Counts.Disabled), l.Textf("%d in the last 24 hours", p.Counts.Recent)),
		},
		{ID: "version", Title: l.Text("Version"), Summary: p.Version},
		{ID: "time_zones", Title: l.Text("Time zone data"), Summary: p.zonesText()},
	})
	p.addForms("back_up", "invite", "add_member", "open_members")
	return nil
}

func (p *operatorPage) freeText() string {
	if p.Health.FreeBytes == nil {
		return p.language.Text("Unknown")
	}
	return storage.FormatSize(p.language, *p.Health.FreeBytes)
}

func (p *operatorPage) databaseText() string {
	d := p.Health.Database
	l := p.language
	state, checked := l.Text("no damage known"), l.Text("not checked since the start")
	if d.Damaged {
		state = l.Text("damaged")
	}
	if d.CheckedAt != nil {
		checked = l.Textf("checked %s", p.moment(*d.CheckedAt))
	}
	return joinNonEmpty(storage.FormatSize(p.language, d.SizeBytes), state, checked)
}

func (p *operatorPage) zonesText() string {
	z, source := p.Health.TimeZones, p.language.Text("from the program")
	switch z.Source {
	case ZonesOfSystem:
		source = p.language.Text("from the operating system")
	case ZonesOfFile:
		source = p.language.Text("from the data directory")
	}
	return joinNonEmpty(z.Version, p.language.Date(z.ReleasedAt, "2 January 2006"), source)
}

// backups renders the backups and the one that is being made.
func (p *operatorPage) backups() error {
	p.OperatorPanel.Backups = append(p.OperatorPanel.Backups, p.Server.Backups...)
	l := p.language
	p.Summary = l.Text("Automatic backups are switched off")
	if p.Server.BackupEvery > 0 {
		p.Summary = l.Textf("One every %d hours, %d kept", int(p.Server.BackupEvery.Hours()), p.Server.BackupKeep)
		if p.Server.BackupEvery < time.Hour {
			p.Summary = l.Textf("One every %s, %d kept", p.Server.BackupEvery, p.Server.BackupKeep)
		}
	}
	if p.Server.BackupWithoutMaps {
		hint, err := p.regionsOutsideBackups()
		if err != nil {
			return err
		}
		p.Summary = joinNonEmpty(p.Summary, hint)
	}
	if job := p.BackupJob; job != nil {
		p.addList("Latest backup", "", svc.List[PanelItem]{{
			ID: "job", Title: job.Name, Summary: joinNonEmpty(wordOf(p.language, jobStates, job.State), job.Message), Metadata: svc.Map{"started_at": job.StartedAt, "done_bytes": job.DoneBytes, "total_bytes": job.TotalBytes},
		}})
	}
	var rows svc.List[PanelItem]
	for _, b := range p.Server.Backups[:min(len(p.Server.Backups), maxItems)] {
		verified := l.Text("verified")
		if !b.Verified {
			verified = l.Text("not verified")
		}
		rows = append(rows, PanelItem{
			ID: b.Name, Title: p.moment(b.CreatedAt), Summary: joinNonEmpty(storage.FormatSize(p.language, b.SizeBytes), verified, wordOf(p.language, backupKinds, b.Kind)),
			Metadata: svc.Map{"name": b.Name, "kind": b.Kind, "created_at": b.CreatedAt, "size_bytes": b.SizeBytes, "verified": b.Verified},
		})
	}
	p.addList("Backups", "No backups.", rows)
	p.addForms("back_up")
	return nil
}

// regionsOutsideBackups returns what must be imported again after a restore.
func (p *operatorPage) regionsOutsideBackups() (string, error) {
	regions, err := p.Maps.Regions(p.tx)
	var names []string
	for _, r := range regions {
		if r.Format != maps.Gazetteer {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return p.language.Text("Without map data: the server loads the towns again after a restore"), err
	}
	return p.language.Textf("Without map data: import these regions again after a restore: %s", strings.Join(names, ", ")), err
}

// services renders the states of the hosted services.
func (p *operatorPage) services() error {
	l := p.language
	var rows svc.List[PanelItem]
	for _, s := range p.Health.Services {
		text := l.Text("Ready")
		switch s.State {
		case svc.StateDegraded:
			text = l.Text("Degraded: a job or a read failed. The log of the server contains the reason.")
		case svc.StateUnavailable:
			text = l.Text("Switched off in the setting services-off.")
		}
		rows = append(rows, PanelItem{ID: s.ID, Title: wordOf(p.language, serviceNames, s.ID), Summary: text, Metadata: svc.Map{"state": s.State}})
	}
	p.Summary = l.Textf("{0, plural, =0 {No services} one {# service} other {# services}}", len(rows))
	p.addList("Services", "No services.", rows)
	return nil
}

// regions renders the regions of the map, and the one that a command imports.
func (p *operatorPage) regions() error {
	regions, err := p.Maps.Regions(p.tx)
	if err != nil {
		return err
	}
	importing, err := p.Maps.StagedName(p.tx)
	if err != nil {
		return err
	}
	l := p.language
	var rows svc.List[PanelItem]
	add := func(id, title string, r MapRegion, summary string, actions svc.List[PanelAction]) {
		p.OperatorPanel.Regions = append(p.OperatorPanel.Regions, r)
		rows = append(rows, PanelItem{ID: id, Title: title, Summary: summary, Metadata: svc.Map{"status": r.Status, "file_size": r.FileSize}, Actions: actions})
	}
	for _, r := range regions {
		managed := action.MapRegion{ID: r.ID, Name: r.Name, Removable: r.Format != maps.Gazetteer && !p.Server.Off["maps"]}
		title := r.Name
		if r.Format == maps.Gazetteer {
			title = l.Text("Towns of the world")
		}
		add(strconv.FormatInt(r.ID, 10), title, newMapRegion(r, action.MapRegions.URLs(managed)),
			joinNonEmpty(l.Textf("{0, plural, =0 {no places} one {# place} other {# places}}", r.Places), l.Textf("{0, plural, =0 {no tiles} one {# tile} other {# tiles}}", r.Tiles),
				l.Textf("imported %s", p.day(r.ImportedAt)), r.Attribution.Label),
			buttons(p.language, &action.MapRegions, managed))
	}
	if importing != "" {
		add("importing", importing, MapRegion{Name: importing, Status: RegionImporting}, l.Text("Being imported"), nil)
	}
	p.Summary = l.Textf("{0, plural, =0 {No regions} one {# region} other {# regions}}", len(regions))
	p.addList("Map regions", "No regions. Import one with appliance maps import FILE.", rows)
	return nil
}

func newMapRegion(r maps.Region, urls svc.Dict[string]) MapRegion {
	m := MapRegion{
		Name: r.Name, Status: RegionReady, Format: string(r.Format), Places: r.Places, Tiles: r.Tiles, Bounds: svc.List[float64]{r.Bounds.West, r.Bounds.South, r.Bounds.East, r.Bounds.North},
		FileSize: r.FileSize, ImportedAt: new(r.ImportedAt.UTC().Truncate(time.Second)), Attribution: r.Attribution.Label, Actions: urls,
	}
	if !r.DataTime.IsZero() {
		m.DataTime = new(r.DataTime.UTC().Truncate(time.Second))
	}
	return m
}

// providers renders the providers that all members see. Those of single members are
// private.
func (p *operatorPage) providers() error {
	list, err := p.OperatorPanels.Providers.Providers(p.tx)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(r provider.Provider) bool { return r.Owner != 0 })
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	feedsOf, err := p.Feeds.SharedFeeds(p.tx, ids)
	if err != nil {
		return err
	}
	l := p.language
	var rows svc.List[PanelItem]
	for _, registered := range list {
		managed := action.ManagedProvider{Provider: registered, Off: p.Server.Off["find"]}
		m := newManagedProvider(registered, action.ManagedProviders.URLs(managed))
		for _, f := range feedsOf[m.ID] {
			m.Feeds = append(m.Feeds, ProviderFeed{hostOf(f.URL), f.Title, f.FetchedAt, f.Failure})
		}
		p.OperatorPanel.Providers = append(p.OperatorPanel.Providers, m)
		acquired := l.Text("never updated")
		if m.AcquiredAt != nil {
			acquired = l.Textf("updated %s", p.moment(*m.AcquiredAt))
		}
		rows = append(rows, PanelItem{
			ID: m.ID, Title: m.Label, Summary: joinNonEmpty(wordOf(p.language, providerStates, m.State), acquired, m.Failure), Metadata: svc.Map{"state": m.State}, Actions: buttons(p.language, &action.ManagedProviders, managed),
		})
	}
	p.Summary = l.Textf("{0, plural, =0 {No providers} one {# provider} other {# providers}}", len(rows))
	p.addList("Providers", "No providers. Add one with appliance provider add.", rows)
	return nil
}

func newManagedProvider(r provider.Provider, urls svc.Dict[string]) ManagedProvider {
	m := ManagedProvider{
		ID: r.ID, Label: r.Label, State: svc.StateReady, Source: originOf(r.SourceURL), HasActions: r.ActionURL != "", EverySeconds: int(r.Interval / time.Second),
		AcquiredAt: optionalTime(r.AcquiredAt), AttemptedAt: optionalTime(r.AttemptedAt), Failure: r.Failure, Actions: urls,
	}
	if feeds.IsAddress(r.SourceURL) { // an address inside of the program
		m.Source = ""
	}
	switch {
	case r.AcquiredAt.IsZero():
		m.State = svc.StateUnavailable
	case r.Failure != "":
		m.State = svc.StateDegraded
	}
	return m
}

// originOf returns the scheme and the host of a URL. The rest may contain a secret.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// optionalTime returns nil for the zero time.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
