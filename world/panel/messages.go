package panel

import (
	"fmt"
	"net/url"

	"appliance/svc"
	"appliance/svc/messages"
	"appliance/world/action"
	"appliance/world/record"
)

// MessagesPanel is the panel of Messages: the latest threads, and the messages of
// the selected one. A read of the panel does not mark messages as read. Schema:
// service.messages.panel.
type MessagesPanel struct {
	Panel
	Threads        svc.List[record.MessageThread] `json:"threads"`
	SelectedThread *record.MessageThread          `json:"selected_thread"`
	Messages       svc.List[messages.Message]     `json:"messages"`         // messages of the selected thread, the oldest first
	Members        svc.List[svc.Person]           `json:"members,omitzero"` // possible recipients; only for other services
}

// NewMessagesPanel returns the panel with an inbox and, if one is selected, a
// thread.
func NewMessagesPanel(in messages.Inbox, selected *messages.Detail) MessagesPanel {
	p := MessagesPanel{Panel: messagesPanel("messages", in), Threads: record.NewMessageThreads(in.Threads)}
	p.Nav = svc.List[NavItem]{{ID: "threads", Label: "Threads", Action: action.MessagesPanelURL, Selected: selected == nil, Badge: NewBadge(in.UnreadTotal, Unread)}}
	if next := in.Page.NextCursor; next != nil {
		p.Nav = append(p.Nav, NavItem{ID: "older_threads", Label: "Older threads", Action: action.MessagesPanelURL + "?" + url.Values{"cursor": {*next}}.Encode()})
	}
	p.Sections = svc.List[Section]{threadSection(in.Threads, true)}
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
	p.ActionDescriptors = append(p.ActionDescriptors, forms(&action.Threads, selected.Thread, "send_message")...)
	return p
}

// NewMessagesRail returns the compact panel for the side of a screen.
func NewMessagesRail(in messages.Inbox) Panel {
	p := messagesPanel("rail", in)
	p.Sections = svc.List[Section]{threadSection(in.Threads, false)}
	return p
}

// messagesPanel returns the panel of a view without its sections.
func messagesPanel(view string, in messages.Inbox) Panel {
	p := Panel{
		Kind: "messages", View: view, Title: "Messages", Summary: "No unread messages",
		Actions: action.NewThreads.URLs(struct{}{}), ActionDescriptors: forms(&action.NewThreads, struct{}{}),
	}
	if in.UnreadTotal > 0 {
		p.Summary = fmt.Sprintf("%d unread", in.UnreadTotal)
	}
	return p
}

// threadSection lists threads. selectable is true if the panel can show the
// messages of a thread; a rail cannot.
func threadSection(threads []messages.Thread, selectable bool) Section {
	s := Section{Title: "Threads"}
	if len(threads) == 0 {
		s.Summary = "No messages yet."
	}
	for _, t := range threads {
		item := PanelItem{
			ID: t.ID, Title: t.Title, Summary: t.Summary, Actions: buttons(&action.Threads, t, "open_thread"),
			Metadata: svc.Map{"unread_count": t.UnreadCount, "last_message_at": t.LastMessageAt},
		}
		if selectable {
			item.Actions = append(item.Actions, openPanel("select", "Show here", action.ThreadPanelURL(t.ID, "")))
			item.Actions = append(item.Actions, buttons(&action.Threads, t, "mark_read")...)
		}
		s.Items = append(s.Items, item)
	}
	return s
}

// messageSection lists messages of a thread under the names of their senders.
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
