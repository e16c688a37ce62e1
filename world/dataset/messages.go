package dataset

import (
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/world/action"
)

// recent is how many of the latest threads the context of messages names.
const recent = 20

// maxThreads is how many threads a dataset has, the latest ones.
const maxThreads = 300

// messages brings in threads.
func (c *composition) messages(m *messages.Service) error {
	latest, more, err := m.Versions(c.tx, c.viewer, maxThreads)
	if err != nil {
		return err
	}
	entries, err := c.threadEntries(m, latest)
	if err != nil {
		return err
	}
	c.entries = append(c.entries, entries...)
	if more {
		c.fallback("degraded", Scope{Kind: "service", Service: "messages"}, "truncated", "There are more threads than are shown.", false)
	}
	start := c.builder.Messages()
	if err := c.act(start...); err != nil {
		return err
	}
	ctx := Context{
		ContextID: "ctx_messages", Kind: "messages", Label: "Messages", Target: action.Workspace,
		ActionIDs: action.IDs(start),
	}
	for _, e := range entries[:min(recent, len(entries))] {
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: e.id, Label: e.label, Target: action.Object(e.id), ActionIDs: e.actionIDs,
		})
	}
	return c.context(ctx)
}

// threadEntries returns the objects of threads with the actions on them: those
// of the last time, and those that have changed.
func (c *composition) threadEntries(m *messages.Service, latest []svc.Version) ([]*entry, error) {
	people := c.revisions.Of(svc.BlocksTopic) // another one once a partner may be called otherwise, or cannot reply
	var missing []string
	for _, v := range latest {
		if key := (entryKey{v.ID, v.Version, people}); c.before.made[key] == nil {
			missing = append(missing, v.ID)
		}
	}
	threads := make(map[string]messages.Thread, len(missing))
	if len(missing) > 0 {
		list, err := m.ThreadsByID(c.tx, c.viewer, missing)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			threads[t.ID] = t
		}
	}
	list := make([]*entry, len(latest))
	for i, v := range latest {
		var err error
		if list[i], err = c.entry(entryKey{v.ID, v.Version, people}, func() (*entry, error) {
			return c.makeThreadEntry(threads[v.ID])
		}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *composition) makeThreadEntry(t messages.Thread) (*entry, error) {
	source := action.Source{Kind: "service", Service: "messages", ResourceType: "thread", ResourceID: t.ID}
	id := c.names.Object(source)
	return c.encodeEntry(Object{
		WorldObjectID: id, ObjectType: t.Type, Source: source, Title: t.Title, Summary: t.Summary,
		State: svc.Map{
			"participants": t.Participants, "participant_count": t.ParticipantCount, "message_count": t.MessageCount,
			"unread_count": t.UnreadCount, "last_message_at": t.LastMessageAt, "created_at": t.CreatedAt, "updated_at": t.UpdatedAt,
		},
		Permissions: Permissions{CanView: true, CanReply: t.CanReply},
	}, c.builder.Thread(action.Object(id), t))
}
