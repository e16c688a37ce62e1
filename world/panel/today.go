package panel

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
	"appliance/world/dataset"
)

// TodayPanel is the panel of today: what is planned, what waits for the member and
// what is new, from Time, Social and Messages. A service that is off or fails is
// reported in Fallbacks, and its items are missing. Schema: service.today.panel.
type TodayPanel struct {
	Panel
	Date string `json:"date"` // 2026-12-01
	svc.ZoneInUse
	Fallbacks svc.List[dataset.Fallback] `json:"fallbacks"`
}

// TodayPanels renders the panel of today. A read of it does not mark anything as
// read.
type TodayPanels struct {
	SocialPanels
	Time     *index.Index
	Messages *messages.Service
	Hosted   func(service string) svc.HostedService
}

// Limits of the items of a section of today.
const (
	todayActivity = 10
	todayThreads  = 5
	todayTasks    = 20
)

// todayPage is a panel under construction.
type todayPage struct {
	TodayPanel
	TodayPanels
	tx     *store.Tx
	viewer svc.Viewer
	l      words.Language // of the viewer
	zone   *time.Location

	schedule, tasks          index.Workspace
	overdue                  svc.List[PanelItem]
	questions                svc.List[PanelItem] // invitations and events without an answer
	activity, presentMembers svc.List[PanelItem]
	threads                  svc.List[PanelItem]
}

// Render returns the panel for v in a time zone.
func (t TodayPanels) Render(tx *store.Tx, v svc.Viewer, inUse svc.ZoneInUse, f SectionFilter) (TodayPanel, error) {
	zone := inUse.Location()
	now := tx.Now().In(zone)
	p := &todayPage{TodayPanels: t, tx: tx, viewer: v, l: v.Language(), zone: zone}
	p.Date, p.ZoneInUse = now.Format(time.DateOnly), inUse
	p.Panel = Panel{
		Kind: "today", View: "today", Title: p.l.Text("Today"), Actions: make(svc.Dict[string]),
		Nav: svc.List[NavItem]{
			{ID: "today", Label: p.l.Text("Today"), Action: action.TodayPanelURL, Selected: true},
			{ID: "time", Label: p.l.Text("Calendar"), Action: action.TimePanelURL},
			{ID: "social", Label: p.l.Text("Social"), Action: action.SocialPanelURL},
			{ID: "messages", Label: p.l.Text("Messages"), Action: action.MessagesPanelURL},
		},
	}
	for _, s := range []struct {
		service string
		read    func() error
	}{{"time", p.readTime}, {"social", p.readSocial}, {"messages", p.readMessages}} {
		p.readService(s.service, s.read)
	}
	p.addSections(f)
	p.Summary = joinNonEmpty(p.l.Date(now, "Monday, 2 January 2006"),
		p.l.Textf("{0, plural, =0 {no calendar events} one {# calendar event} other {# calendar events}}", len(p.schedule.Appointments)),
		waitingCount(p.l, len(p.overdue)+len(p.questions)))
	return p.TodayPanel, nil
}

// readService calls read if the service is switched on. If the service is switched off or
// read fails, it adds a fallback with the reason.
func (p *todayPage) readService(service string, read func() error) {
	hosted := p.Hosted(service)
	if hosted.State() == svc.StateUnavailable {
		p.Fallbacks = append(p.Fallbacks, dataset.SwitchedOffFallback(p.viewer.Language(), service))
	} else if err := svc.Attempt(p.tx.Context(), hosted, read); err != nil {
		p.Fallbacks = append(p.Fallbacks, dataset.FailedFallback(p.viewer.Language(), service, err))
	}
}

// readTime reads the calendar events of the day and the open tasks.
func (p *todayPage) readTime() (err error) {
	tasks, err := p.Time.Workspace(p.tx, p.viewer, index.WorkspaceQuery{View: index.TasksView, Zone: p.zone})
	if err != nil {
		return err
	}
	schedule, err := p.Time.Workspace(p.tx, p.viewer, index.WorkspaceQuery{View: index.DayView, Zone: p.zone})
	if err != nil {
		return err
	}
	p.schedule, p.tasks = schedule, tasks
	p.tasks.Tasks, _ = splitTasks(tasks.Tasks)
	calendars := action.CalendarOptions(tasks.Calendars, view.TaskType)
	for _, o := range p.tasks.Tasks {
		if o.State.IsOverdue {
			p.overdue = append(p.overdue, timeItem(p.viewer.Language(), o, calendars))
		}
	}
	general := action.NewTimeObjects{Calendars: schedule.Calendars, Timezone: schedule.Timezone, Start: p.Date + "T" + schedule.Boundaries.DayStart + ":00"}
	p.ActionDescriptors = append(p.ActionDescriptors, forms(p.l, &action.Time, general, "create_event", "create_task")...)
	return nil
}

// readSocial reads the invitations and events without an answer, the activity and the present members.
func (p *todayPage) readSocial() error {
	s := &socialPage{SocialPanels: p.SocialPanels, tx: p.tx, viewer: p.viewer, l: p.l}
	waiting, err := s.waitingItems(func(social.Question) bool { return true })
	if err != nil {
		return err
	}
	activity, err := p.Social.Activity(p.tx, p.viewer, svc.DefaultLimit, "")
	if err != nil {
		return err
	}
	lately, err := s.activityItems(latestByTarget(activity.Activity, todayActivity))
	if err != nil {
		return err
	}
	presence, err := p.Social.Presence(p.tx, p.viewer, overviewItems, "")
	if err != nil {
		return err
	}
	present, err := s.presentPeople(presence.Presence)
	if err != nil {
		return err
	}
	sections := []Section{{Items: waiting}, {Items: lately}, {Items: items(present, s.personItem)}}
	if err := CompleteActors(p.tx, p.Social, p.viewer, sections); err != nil {
		return err
	}
	p.questions, p.activity, p.presentMembers = sections[0].Items, sections[1].Items, sections[2].Items
	return nil
}

// latestByTarget returns the latest activity of each target in a list that begins with the
// latest one, at most limit, so that one busy conversation does not displace all others.
func latestByTarget(list []social.Activity, limit int) (latest []social.Activity) {
	for _, a := range list {
		known := slices.ContainsFunc(latest, func(other social.Activity) bool { return other.Target.ID == a.Target.ID })
		if !known && len(latest) < limit {
			latest = append(latest, a)
		}
	}
	return latest
}

// readMessages reads the latest threads.
func (p *todayPage) readMessages() error {
	inbox, err := p.Messages.List(p.tx, p.viewer, todayThreads, "")
	if err != nil {
		return err
	}
	sections := []Section{threadSection(p.l, inbox.Threads, true)}
	if err := CompleteActors(p.tx, p.Social, p.viewer, sections); err != nil {
		return err
	}
	p.threads = sections[0].Items
	p.ActionDescriptors = append(p.ActionDescriptors, forms(p.l, &action.NewThreads, struct{}{}, "start_thread")...)
	return nil
}

// addSections adds the selected sections.
func (p *todayPage) addSections(f SectionFilter) {
	schedule := timeSection(p.l, "schedule", p.l.Text("Schedule"), p.l.Text("No calendar events today."), p.schedule.Appointments, action.CalendarOptions(p.schedule.Calendars, view.EventType))
	tasks := timeSection(p.l, "tasks", p.l.Text("Tasks"), p.l.Text("No open tasks."), p.tasks.Tasks[:min(len(p.tasks.Tasks), todayTasks)], action.CalendarOptions(p.tasks.Calendars, view.TaskType))
	if n := len(p.tasks.Tasks); n > todayTasks {
		tasks.truncate(p.l, n)
	}
	for _, s := range []struct {
		Section
		services []string // services of the items in the section
	}{
		{schedule, []string{"time"}},
		{newSection("waiting", p.l.Text("Waiting for you"), p.l.Text("Nothing is waiting for you."), append(p.overdue, p.questions...)), []string{"social", "time"}},
		{newSection("lately", p.l.Text("Lately"), p.l.Text("No activity yet."), p.activity), []string{"social"}},
		{tasks, []string{"time"}},
		{newSection("messages", p.l.Text("Messages"), p.l.Text("No messages yet."), p.threads), []string{"messages"}},
		{newSection("presence", p.l.Text("Online"), p.l.Text("No members are online."), p.presentMembers), []string{"social"}},
	} {
		if !f.Wants(s.ID) {
			continue
		}
		for _, fallback := range p.Fallbacks {
			if slices.Contains(s.services, fallback.Scope.Service) {
				s.Summary = fallback.Message
			}
		}
		p.Sections = append(p.Sections, s.Section)
	}
}
