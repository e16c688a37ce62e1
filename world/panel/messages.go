package panel

import (
	"net/url"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/svc/words"
	"appliance/world/action"
	"appliance/world/record"
)

// MessagesPanel is the panel of Messages: the latest threads, and the messages of
// the selected one. A read of the panel does not mark messages as read. Schema:
// service.messages.panel.
type MessagesPanel struct {
	Panel
	Threads        svc.List[PanelThread]    `json:"threads"`
	SelectedThread *PanelThread             `json:"selected_thread"`
	Messages       svc.List[thread.Message] `json:"messages"` // messages of the selected thread, the oldest first
	Page           MessagesPage             `json:"page"`
	Members        svc.List[svc.Person]     `json:"members,omitzero"` // possible recipients; only for other services
}

// PanelThread is a thread in a panel, with its other participant.
type PanelThread struct {
	record.MessageThread
	Actor *social.Actor `json:"actor"` // the other participant
}

// MessagesPage links to the panels with the other pages of threads and messages.
type MessagesPage struct {
	NextURL     *string `json:"next_url"`     // the threads after those of this page; null on the last page
	PreviousURL *string `json:"previous_url"` // the messages of the selected thread before those of this page; null if there are none
}

// NewMessagesPanel returns the panel in the language l with an inbox and, if one is
// selected, a thread. The caller sets the fields of the members with [MessagesPanel.Complete].
func NewMessagesPanel(l words.Language, in thread.List, selected *thread.Detail) MessagesPanel {
	p := MessagesPanel{Panel: messagesPanel(l, "messages", in)}
	for _, t := range in.Threads {
		p.Threads = append(p.Threads, newPanelThread(t))
	}
	p.Nav = svc.List[NavItem]{{ID: "threads", Label: l.Text("Threads"), Action: action.MessagesPanelURL, Selected: selected == nil, Badge: NewBadge(in.UnreadTotal, Unread)}}
	if next := in.Page.NextCursor; next != nil {
		p.Page.NextURL = new(action.MessagesPanelURL + "?" + url.Values{"cursor": {*next}}.Encode())
		p.Nav = append(p.Nav, NavItem{ID: "older_threads", Label: l.Text("Older threads"), Action: *p.Page.NextURL})
	}
	threads := threadSection(l, in.Threads, true)
	threads.Page = &SectionPage{Next: p.Page.NextURL}
	p.Sections = svc.List[Section]{threads}
	if selected != nil {
		p.addSelected(l, *selected)
	}
	p.ActionDescriptors = append(p.ActionDescriptors, forms(l, &action.NewThreads, struct{}{}, "search")...)
	return p
}

func (p *MessagesPanel) addSelected(l words.Language, selected thread.Detail) {
	t := newPanelThread(selected.Thread)
	p.SelectedThread, p.Messages = &t, selected.Messages
	p.Nav = append(p.Nav, NavItem{ID: "thread", Label: t.Title, Action: action.ThreadPanelURL(t.ID, ""), Selected: true})
	if before := selected.Page.PreviousCursor; before != nil {
		p.Page.PreviousURL = new(action.ThreadPanelURL(t.ID, *before))
		p.Nav = append(p.Nav, NavItem{ID: "earlier_messages", Label: l.Text("Earlier messages"), Action: *p.Page.PreviousURL})
	}
	history := Section{ID: "messages", Title: t.Title, Page: &SectionPage{Previous: p.Page.PreviousURL}}
	history.Items = messageItems(selected, func(m thread.Message) svc.Map {
		return svc.Map{"sender_identity_user_id": m.SenderID, "created_at": m.CreatedAt}
	})
	p.Sections = append(p.Sections, history)
	p.ActionDescriptors = append(p.ActionDescriptors, forms(l, &action.Threads, selected.Thread, "send_message")...)
}

func newPanelThread(t thread.Thread) PanelThread {
	return PanelThread{record.NewMessageThread(t), actorOf(t.Partner)}
}

// Complete sets the fields of the members in the panel, as v sees them, and removes
// the sections that are not selected.
func (p *MessagesPanel) Complete(tx *store.Tx, s *social.Service, v svc.Viewer, f SectionFilter) error {
	p.SelectSections(f)
	var actors []*social.Actor
	for _, t := range p.Threads {
		actors = append(actors, t.Actor)
	}
	if p.SelectedThread != nil {
		actors = append(actors, p.SelectedThread.Actor)
	}
	return CompleteActors(tx, s, v, p.Sections, actors...)
}

// NewMessagesRail returns the compact panel for the side of a screen, in the language l.
// The caller sets the fields of the members with [CompleteActors].
func NewMessagesRail(l words.Language, in thread.List) Panel {
	p := messagesPanel(l, "rail", in)
	p.Sections = svc.List[Section]{threadSection(l, in.Threads, false)}
	return p
}

// messagesPanel returns the panel of a view without its sections.
func messagesPanel(l words.Language, view string, in thread.List) Panel {
	p := Panel{
		Kind: "messages", View: view, Title: l.Text("Messages"), Summary: l.Text("No unread messages"),
		Actions: action.NewThreads.URLs(struct{}{}), ActionDescriptors: forms(l, &action.NewThreads, struct{}{}, "start_thread"),
	}
	if in.UnreadTotal > 0 {
		p.Summary = l.Textf("%d unread", in.UnreadTotal)
	}
	return p
}

// threadSection lists threads. selectable is true if the panel can show the
// messages of a thread; a rail cannot.
func threadSection(l words.Language, threads []thread.Thread, selectable bool) Section {
	s := Section{ID: "threads", Title: l.Text("Threads")}
	if len(threads) == 0 {
		s.Summary = l.Text("No messages yet.")
	}
	for _, t := range threads {
		item := threadItem(t)
		item.Actions = buttons(l, &action.Threads, t, "open_thread")
		if selectable {
			item.Actions = append(item.Actions, openPanel("select", l.Text("Show here"), action.ThreadPanelURL(t.ID, "")))
			item.Actions = append(item.Actions, buttons(l, &action.Threads, t, "mark_read", "mark_unread")...)
		}
		s.Items = append(s.Items, item)
	}
	return s
}
