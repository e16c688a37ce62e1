package action

import (
	"appliance/svc"
	"appliance/svc/messages"
)

// Labels of the actions that write messages.
const (
	NewMessage  = "New message"
	SendMessage = "Send message"
)

// Thread returns the actions on a thread.
func (b Builder) Thread(target Target, t messages.Thread) []Action {
	self := MessagesURL + "/" + t.ID
	actions := []Action{b.action("messages_open", t.ID, Action{
		Type: "open_thread", Label: "Open", Target: target, Command: Command{URL: self, Method: "GET"},
	})}
	if t.CanReply {
		actions = append(actions, b.action("messages_send", t.ID, Action{
			Type: "send_message", Label: SendMessage, Target: target,
			Command: Command{URL: self + "/messages", Method: "POST"}, Controls: svc.List[Control]{MessageControl()},
		}))
	}
	return actions
}

// Messages returns the actions of Messages that concern no thread.
func (b Builder) Messages() []Action {
	return []Action{b.action("messages_start", "", Action{
		Type: "start_thread", Label: NewMessage, Target: Workspace,
		Command: Command{URL: MessagesURL, Method: "POST"}, Controls: NewThreadControls(),
	})}
}

// NewThreadControls are the values of a first message.
func NewThreadControls() svc.List[Control] {
	return svc.List[Control]{TextControl("recipient", "To", svc.MaxTitle, ""), MessageControl()}
}

// MessageControl is the text of a message.
func MessageControl() Control { return PostControl("body", "Message", "") }
