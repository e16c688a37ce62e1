package dataset

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/thread"
	"appliance/world/action"
)

const (
	inboxItems = 20  // limit of threads in the context of Messages
	maxThreads = 300 // limit of threads in a dataset
)

// messagesParts returns the part of Messages: the threads, in descending order of
// their newest message.
func messagesParts() []part {
	return []part{newPart(objectSections, func(r *results) **result { return &r.messages }, buildMessages, svc.MessagesTopic, svc.BlocksTopic)}
}

// buildMessages builds the part of Messages.
func buildMessages(b *builder) (r result, err error) {
	list, more, err := b.services.Messages.Versions(b.tx, b.viewer, maxThreads)
	if err != nil {
		return r, err
	}
	// A thread depends on blocks between its participants and on the name of the
	// partner. A change of a name changes all topics.
	common := fmt.Sprint(b.revisions.Of(svc.BlocksTopic))
	load := func(ids []string) ([]thread.Thread, error) { return b.services.Messages.ByID(b.tx, b.viewer, ids...) }
	truncated, err := addObjects(b, &r, list, common, load, func(t thread.Thread) string { return t.ID }, b.encodeThread)
	if err != nil {
		return r, err
	}
	if more || truncated {
		r.fallbacks = append(r.fallbacks, truncatedServiceFallback(b.viewer.Language(), "messages"))
	}
	actions := action.NewThreads.Actions(b.actionBuilder, action.Workspace, struct{}{})
	if err := r.addActions(actions...); err != nil {
		return r, err
	}
	inbox := Context{ContextID: "ctx_messages", Kind: "messages", Label: b.viewer.Language().Text("Messages"), Target: action.Workspace, ActionIDs: action.IDs(actions)}
	for _, o := range r.objects[:min(inboxItems, len(r.objects))] {
		inbox.Items = append(inbox.Items, o.item())
	}
	return r, r.addContext(inbox)
}

func (b *builder) encodeThread(t thread.Thread) (*object, error) {
	source := action.Source{Kind: action.ServiceSource, Service: "messages", ResourceType: "thread", ResourceID: t.ID}
	id := b.actionBuilder.ObjectID(source)
	return b.encodeObject(ObjectData{
		WorldObjectID: id, ObjectType: messages.ThreadType, Source: source, Title: t.Title, Summary: t.Summary,
		State: svc.Map{
			"participants": t.Participants, "participant_count": t.ParticipantCount, "message_count": t.MessageCount,
			"unread_count": t.UnreadCount, "marked_unread": t.MarkedUnread, "read_up_to": t.ReadUpTo, "last_message_at": t.LastMessageAt, "created_at": t.CreatedAt, "updated_at": t.UpdatedAt,
		},
		Permissions: Permissions{CanView: true, CanReply: t.CanReply},
	}, action.Threads.Actions(b.actionBuilder, action.Object(id), t), nil)
}
