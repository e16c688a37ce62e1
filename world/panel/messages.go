package panel

import (
	"fmt"
	"net/url"

	"appliance/svc"
	"appliance/svc/messages"
	"appliance/world/action"
	"appliance/world/record"
)

// MessagesPanel is the panel of Messages: the latest threads, and the messages
// of the selected one. Reading it does not mark messages as read. Schema:
// service.messages.panel.
type MessagesPanel struct {
	Panel
	Threads        svc.List[record.MessageThread] `json:"threads"`
	SelectedThread *record.MessageThread          `json:"selected_thread"`
	Messages       svc.List[messages.Message]     `json:"messages"`         // of the selected thread, the oldest first
	Members        svc.List[svc.Person]           `json:"members,omitzero"` // possible recipients; only for other services
}

// NewMessagesPanel returns the panel with an inbox and, if one is selected, a
// thread.
func NewMessagesPanel(in messages.Inbox, selected *messages.Detail) MessagesPanel {
	p := MessagesPanel{Panel: messagesPanel("messages", in), Threads: record.NewMessageThreads(in.Threads)}
	p.Nav = svc.List[NavItem]{{ID: "threads", Label: "Threads", Action: action.MessagesPanelURL, Selected: selected == nil}}
	if next := in.Page.NextCursor; next != nil {
		p.Nav = append(p.Nav, NavItem{ID: "older_threads", Label: "Older threads", Action: action.MessagesPanelURL + "?" + url.Values{"cursor": {*next}}.Encode()})
	}
	p.Sections = svc.List[Section]{threadSection(p.Threads, panelThreadActions)}
	if selected == nil {
		return p
	}
	t := record.NewMessageThread(selected.Thread)
	p.SelectedThread, p.Messages = &t, selected.Messages
	p.Nav = append(p.Nav, NavItem{ID: "thread", Label: t.Title, Action: action.ThreadPanelURL(t.ID, ""), Selected: true})
	if before := selected.Page.PreviousCursor; before != nil {
		p.Nav = append(p.Nav, NavItem{ID: "earlier_messages", Label: "Earlier messages", Action: action.ThreadPanelURL(t.ID, *before)})
	}
	p.Sections = append(p.Sections, messageSection(t, p.Messages))
	if t.CanReply {
		p.ActionDescriptors = append(p.ActionDescriptors, form("send_message", action.SendMessage, "POST", t.Actions["send_message"], action.MessageControl()))
	}
	return p
}

// NewMessagesRail returns what is shown of threads beside something else.
func NewMessagesRail(in messages.Inbox) Panel {
	p := messagesPanel("rail", in)
	p.Sections = svc.List[Section]{threadSection(record.NewMessageThreads(in.Threads), threadActions)}
	return p
}

// messagesPanel is what all views have.
func messagesPanel(view string, in messages.Inbox) Panel {
	p := Panel{
		Kind: "messages", View: view, Title: "Messages", Summary: "Nothing unread",
		Actions:           svc.Dict[string]{"start_thread": action.MessagesURL},
		ActionDescriptors: svc.List[Descriptor]{form("start_thread", action.NewMessage, "POST", action.MessagesURL, action.NewThreadControls()...)},
	}
	if in.UnreadTotal > 0 {
		p.Summary = fmt.Sprintf("%d unread", in.UnreadTotal)
	}
	return p
}

// threadSection lists threads with what can be done with each.
func threadSection(threads []record.MessageThread, actions func(record.MessageThread) svc.List[PanelAction]) Section {
	s := Section{Title: "Threads"}
	if len(threads) == 0 {
		s.Summary = "No messages yet."
	}
	for _, t := range threads {
		s.Items = append(s.Items, PanelItem{
			ID: t.ID, Title: t.Title, Summary: t.Summary, Actions: actions(t),
			Metadata: svc.Map{"unread_count": t.UnreadCount, "last_message_at": t.LastMessageAt},
		})
	}
	return s
}

// threadActions open a thread.
func threadActions(t record.MessageThread) svc.List[PanelAction] {
	return svc.List[PanelAction]{{ID: "open_thread", Label: "Open", Type: "open_thread", Method: "GET", URL: t.Actions["open_thread"]}}
}

// panelThreadActions are for a panel, which can show a thread itself.
func panelThreadActions(t record.MessageThread) svc.List[PanelAction] {
	actions := append(threadActions(t), PanelAction{ID: "select", Label: "Show here", Type: "open_panel", Method: "GET", URL: action.ThreadPanelURL(t.ID, "")})
	if t.UnreadCount > 0 {
		actions = append(actions, PanelAction{ID: "mark_read", Label: "Mark as read", Type: "mark_read", Method: "POST", URL: t.MarkReadURL()})
	}
	return actions
}

// messageSection lists messages of a thread under their senders' names.
func messageSection(t record.MessageThread, list []messages.Message) Section {
	names := make(map[svc.MemberID]string)
	for _, p := range t.Participants {
		names[p.ID] = p.DisplayName
	}
	s := Section{Title: t.Title}
	for _, m := range list {
		s.Items = append(s.Items, PanelItem{
			ID: m.ID, Title: names[m.SenderID], Summary: m.Body,
			Metadata: svc.Map{"sender_identity_user_id": m.SenderID, "created_at": m.CreatedAt},
		})
	}
	return s
}
