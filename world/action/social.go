package action

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
)

// Social returns the actions of Social that concern no record, and those that
// remove the member's blocks.
func (b Builder) Social(target Target, blocks []social.Block) []Action {
	l := &list{Builder: b, target: target}
	l.add("community.create", "New community", "POST", CommunitiesURL, nil,
		TextControl("name", "Name", svc.MaxName, ""), AreaControl("summary", "What it is about", svc.MaxSummary, ""),
		ChoiceControl("visibility", "Who sees it", "private", "private", "public"))
	l.on("open").newConversation("New conversation with everybody", svc.Map{"kind": "open"})
	l.on("public").newEvent("New event for everybody", svc.Map{"visibility": "public"})
	l.on("invited").newEvent("New event for whom you invite", svc.Map{"visibility": "invited"})
	for i, circles := range []string{"inner circle", "inner and trusted circles", "circles"} {
		depth := i + 1
		l.on(fmt.Sprint("depth_", depth)).newConversation("New conversation with your "+circles, svc.Map{"kind": "circle", "depth": depth})
		l.newEvent("New event for your "+circles, svc.Map{"visibility": "circle", "circle_depth": depth})
	}
	l.on("").add("dm.start", "New direct message", "POST", DMsURL, nil, RecipientControl(), PostControl("body", "Message", ""))
	l.add("notifications.read", "Mark all notifications as read", "POST", ReadNotificationsURL, svc.Map{"all": true})
	l.add("block", "Block somebody", "POST", BlocksURL, nil, RecipientControl())
	for _, block := range blocks {
		l.on(block.MemberID.String()).add("unblock", "No longer block "+block.DisplayName, "DELETE", fmt.Sprintf("%s/%v", BlocksURL, block.MemberID), nil)
	}
	return l.actions
}

// newConversation adds the action that starts a conversation in a context.
func (l *list) newConversation(label string, context svc.Map) {
	l.add("conversation.create", label, "POST", ConversationsURL, svc.Map{"context": context},
		TextControl("title", "Title", svc.MaxTitle, ""), PostControl("body", "Text", ""))
}

// newEvent adds the action that creates an event with fixed fields.
func (l *list) newEvent(label string, fixed svc.Map) {
	l.add("event.create", label, "POST", EventsURL, fixed,
		TitleControl(""), DateTimeControl("start", "Starts", true, ""), DateTimeControl("end", "Ends", false, ""), CheckboxControl("all_day", "All day", false),
		location(""), description(""), RepeatControl(""))
}

// TargetViews are the views of the social panel, by the type of the records
// that they show.
var TargetViews = map[string]string{
	"community": "communities", "conversation": "conversations", "event": "events", "dm": "dms", "invitation": "notifications",
}

// TargetURLs returns the address at which the subject of an activity or a
// notification is shown.
func TargetURLs(t social.Target) svc.Dict[string] {
	return svc.Dict[string]{"open": SocialViewURL(TargetViews[t.Type], t.ID, "")}
}
