package panel

import (
	"net/url"
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/storage"
	"appliance/world/action"
)

// OperatorPanel is the panel of operators: the state of the server, its members, and
// what they administer. The lists of other views are empty. It contains no secrets and
// no content of members. Schema: service.operator.panel.
type OperatorPanel struct {
	Panel
	Version     string                        `json:"version"` // of the program
	Health      ServerHealth                  `json:"health"`
	Counts      ServerCounts                  `json:"counts"`
	Members     svc.List[ManagedMember]       `json:"members"`  // a page of the members, or the selected one
	Sessions    svc.List[identity.Token]      `json:"sessions"` // of the selected member, the latest use first
	Devices     svc.List[ManagedDevice]       `json:"devices"`  // device passwords of the selected member
	Invitations svc.List[MemberInvitation]    `json:"invitations"`
	Backups     svc.List[ServerBackup]        `json:"backups"`    // the latest first
	BackupJob   *BackupJob                    `json:"backup_job"` // null if none was begun since the start
	Regions     svc.List[MapRegion]           `json:"regions"`
	Providers   svc.List[ManagedProvider]     `json:"providers"` // those that all members see
	Audit       svc.List[identity.AuditEntry] `json:"audit"`     // the latest first
	Page        *PageLinks                    `json:"page"`      // of the members or the audit log; null in other views
}

// ServerHealth is the state of the server, as far as it is known without reading tables.
type ServerHealth struct {
	State      HealthState             `json:"state"` // the worst of the warnings
	Warnings   svc.List[ServerWarning] `json:"warnings"`
	Services   svc.List[ServiceHealth] `json:"services"`
	Database   DatabaseHealth          `json:"database"`
	FreeBytes  *int64                  `json:"free_bytes"`  // on the disk of the data directory; null if unknown
	LastBackup *LastBackup             `json:"last_backup"` // that can be restored; null if there is none
	TimeZones  ZoneData                `json:"time_zones"`

	CertificateExpiresAt *time.Time `json:"certificate_expires_at"` // null without a certificate of the server itself
}

// ZoneData describes the time zone data that the server uses.
type ZoneData struct {
	Version    string     `json:"version"` // such as 2026f
	Source     ZoneSource `json:"source"`
	ReleasedAt time.Time  `json:"released_at"`
}

// ZoneSource is the place that the time zone data comes from.
type ZoneSource string

const (
	ZonesOfProgram ZoneSource = "program"
	ZonesOfSystem  ZoneSource = "system"
	ZonesOfFile    ZoneSource = "file" // in the data directory
)

// Values implements [svc.Set].
func (ZoneSource) Values() []string { return svc.Values(ZonesOfProgram, ZonesOfSystem, ZonesOfFile) }

// HealthState is the result of a check of the server.
type HealthState string

const (
	HealthOK      HealthState = "ok"
	HealthWarning HealthState = "warning"
	HealthProblem HealthState = "problem"
)

// Values implements [svc.Set].
func (HealthState) Values() []string { return svc.Values(HealthOK, HealthWarning, HealthProblem) }

// ServerWarning is a health check that has failed, with a message and a remedy for the operator.
type ServerWarning struct {
	Check   string      `json:"check"` // "clock", "time zones", "disk", "backups", "certificate", "database" or "service"
	State   HealthState `json:"state"`
	Message string      `json:"message"`
	Remedy  string      `json:"remedy"` // what to do
}

// ServiceHealth is the state of a hosted service.
type ServiceHealth struct {
	ID    string           `json:"id"`
	State svc.ServiceState `json:"state"`
}

// DatabaseHealth is the state of the database file.
type DatabaseHealth struct {
	Damaged   bool       `json:"damaged"`
	SizeBytes int64      `json:"size_bytes"`
	CheckedAt *time.Time `json:"checked_at"` // last complete check since the start; null for none
}

// LastBackup is the last backup that can be restored.
type LastBackup struct {
	Name       string    `json:"name"`
	CreatedAt  time.Time `json:"created_at"`
	AgeSeconds int64     `json:"age_seconds"`
}

// ServerCounts counts the members and the open invitations.
type ServerCounts struct {
	identity.MemberCounts
	Invitations int `json:"invitations"` // unused ones
}

// PageLinks leads to the next page of a list.
type PageLinks struct {
	Next  *string `json:"next"` // URL; null on the last page
	Limit int     `json:"limit"`
}

// ServerBackup is a backup in the backup directory of the server.
type ServerBackup struct {
	Name      string     `json:"name"`
	Kind      BackupKind `json:"kind"`
	CreatedAt time.Time  `json:"created_at"`
	SizeBytes int64      `json:"size_bytes"`
	Verified  bool       `json:"verified"` // it was an intact database when it was written
}

// BackupKind is the occasion on which a backup was made.
type BackupKind string

const (
	NightlyBackup       BackupKind = "nightly"
	ManualBackup        BackupKind = "manual"
	BackupBeforeUpgrade BackupKind = "before_upgrade"
	BackupBeforeRestore BackupKind = "before_restore"
)

// Values implements [svc.Set].
func (BackupKind) Values() []string {
	return svc.Values(NightlyBackup, ManualBackup, BackupBeforeUpgrade, BackupBeforeRestore)
}

// JobState is the state of a [BackupJob].
type JobState string

const (
	JobRunning JobState = "running"
	JobDone    JobState = "done"
	JobFailed  JobState = "failed"
)

// Values implements [svc.Set].
func (JobState) Values() []string { return svc.Values(JobRunning, JobDone, JobFailed) }

// BackupJob is the latest backup that the server has begun since its start.
type BackupJob struct {
	State      JobState   `json:"state"`
	Kind       BackupKind `json:"kind"`
	Name       string     `json:"name"`
	StartedAt  time.Time  `json:"started_at"`
	EndedAt    *time.Time `json:"ended_at"`
	DoneBytes  int64      `json:"done_bytes"`
	TotalBytes int64      `json:"total_bytes"` // 0 if unknown
	Message    string     `json:"message"`     // why it failed, and what to do
}

// OperatorServer is the state of the server that the caller of Render reads before the
// transaction.
type OperatorServer struct {
	Version     string
	Health      ServerHealth
	Backups     []ServerBackup // the latest first
	BackupJob   *BackupJob
	BackupEvery time.Duration
	BackupKeep  int

	BackupWithoutMaps bool // whether backups contain no map data

	OperatorsFixed string          // such as "variable ADMIN_ALLOWED_EMAILS"; "" if the program can change the operators
	Off            map[string]bool // services that are switched off
}

// OperatorPanels renders the panel of operators.
type OperatorPanels struct {
	Identity  *identity.Service
	Storage   *storage.Limiter
	Maps      *maps.Service
	Providers *provider.Service
	Feeds     *feeds.Service
	Server    OperatorServer
}

// OperatorQuery selects a view.
type OperatorQuery struct {
	View   string          `json:"-" query:"view"`   // "" for the overview
	Member string          `json:"-" query:"member"` // id of the only member of the views members and audit; "" for all
	Q      string          `json:"-" query:"q"`      // part of a name or an e-mail address, in the view members
	Status identity.Status `json:"-" query:"status"` // in the view members
	Limit  int             `json:"-" query:"limit"`
	Cursor string          `json:"-" query:"cursor"`
}

// operatorViews are the views, the default first.
var operatorViews = []panelView[*operatorPage]{
	{"overview", "Overview", (*operatorPage).overview},
	{"members", "Members", (*operatorPage).members},
	{"invitations", "Invitations", (*operatorPage).invitations},
	{"backups", "Backups", (*operatorPage).backups},
	{"services", "Services", (*operatorPage).services},
	{"regions", "Map regions", (*operatorPage).regions},
	{"providers", "Providers", (*operatorPage).providers},
	{"audit", "Audit log", (*operatorPage).audit},
}

// operatorPage is a panel under construction.
type operatorPage struct {
	OperatorPanels
	OperatorPanel
	tx              *store.Tx
	viewer          svc.Viewer
	actor           identity.Actor
	operator        identity.Member
	query           OperatorQuery
	openInvitations []identity.Invitation
	reader
}

// Render returns the panel for v, who must be an operator.
func (o OperatorPanels) Render(tx *store.Tx, v svc.Viewer, q OperatorQuery) (OperatorPanel, error) {
	by, err := o.Identity.Operator(tx, v)
	if err != nil {
		return OperatorPanel{}, err
	}
	me, err := o.Identity.Me(tx, v)
	if err != nil {
		return OperatorPanel{}, err
	}
	if q.View == "" {
		q.View = operatorViews[0].id
	}
	p := &operatorPage{OperatorPanels: o, tx: tx, viewer: v, actor: by, operator: me.Member, query: q, reader: reader{v.Language(), me.Member.Zone.Location()}}
	p.Kind, p.Version, p.Health, p.BackupJob = "operator", o.Server.Version, o.Server.Health, o.Server.BackupJob
	p.OperatorPanel.Actions = action.Operators.URLs(p.state())
	if err := p.count(); err != nil {
		return OperatorPanel{}, err
	}
	err = renderView(p.language, p, &p.Panel, operatorViews, q.View, func(id string) string { return action.OperatorViewURL(id, nil) })
	return p.OperatorPanel, err
}

// state returns the state on which the general actions depend.
func (p *operatorPage) state() action.ServerState {
	return action.ServerState{
		InvitationsWork: p.Identity.PermitsInvitations(), BackupRunning: p.BackupJob != nil && p.BackupJob.State == JobRunning, InPanel: true,
	}
}

// count sets the counts.
func (p *operatorPage) count() (err error) {
	if p.Counts.MemberCounts, err = p.Identity.MemberCounts(p.tx, p.actor); err != nil {
		return err
	}
	p.openInvitations, err = p.Identity.Invitations(p.tx, p.actor)
	for _, i := range p.openInvitations {
		if i.UsedAt == nil {
			p.Counts.Invitations++
		}
	}
	return err
}

// addList adds a section. title and empty, its summary if there are no items, are in
// English.
func (p *operatorPage) addList(title, empty string, items svc.List[PanelItem]) {
	p.Sections = append(p.Sections, p.section(title, empty, items))
}

// pageCount formats the number of items on a page of a list. all is the text for the number, more
// that if further pages follow.
func (p *operatorPage) pageCount(n int, page svc.Page, all, more string) string {
	if page.NextCursor != nil {
		return p.language.Textf(more, n)
	}
	return p.language.Textf(all, n)
}

// addForms adds forms of the general actions.
func (p *operatorPage) addForms(names ...string) {
	p.ActionDescriptors = append(p.ActionDescriptors, forms(p.language, &action.Operators, p.state(), names...)...)
}

// setPage sets the links of a list, and adds the next page to the navigation. label is the
// label of that link in English.
func (p *operatorPage) setPage(label string, page svc.Page) {
	p.Page = &PageLinks{Limit: page.Limit}
	if page.NextCursor == nil {
		return
	}
	next := url.Values{"member": {p.query.Member}, "q": {p.query.Q}, "status": {string(p.query.Status)}, "cursor": {*page.NextCursor}}
	if p.query.Limit != 0 {
		next.Set("limit", strconv.Itoa(page.Limit))
	}
	p.Page.Next = new(action.OperatorViewURL(p.View, next))
	p.Nav = append(p.Nav, NavItem{ID: "more", Label: p.language.Text(label), Action: *p.Page.Next})
}
