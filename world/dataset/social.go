package dataset

import (
	"crypto/sha256"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// socialTopics are what social life depends on.
var socialTopics = []store.Topic{svc.SocialTopic, svc.ConversationsTopic, svc.DMsTopic, svc.EventsTopic, svc.PresenceTopic}

// social brings in communities, what is said there, and people.
func (c *composition) social(s *social.Service) error {
	read := &socialReading{c: c, o: s.Overview(c.tx, c.viewer)}
	c.changes = c.tx.Changes(c.changes.Since)
	items, err := read.items()
	if err != nil {
		return err
	}
	entries := make([]*entry, 0, len(items))
	octets := 0
	for _, i := range items {
		e, err := c.socialEntry(i, read.ids)
		if err != nil {
			return err
		}
		if octets += e.size(); octets > maxOctets {
			read.cut = true
			break
		}
		entries = append(entries, e)
	}
	c.entries = entries
	if err := read.context(items[:len(entries)], entries); err != nil {
		return err
	}
	if read.cut {
		c.fallback("degraded", Scope{Kind: "service", Service: "social"}, "truncated", "There is more of social life than is shown.", false)
	}
	return nil
}

// socialItem is something of social life on its way into the dataset. It is kept,
// and never changed.
type socialItem struct {
	ref       social.SourceRef
	id        string // world_object_id
	record    socialRecord
	print     [sha256.Size]byte // of the record
	octets    int               // of the record as JSON
	relations svc.List[social.Relation]
	may       Permissions
	do        func(action.Builder, action.Target) []action.Action
	unread    bool
	news      time.Time // when something was last said there; zero where nothing is said
}

// socialRecord is all that shows of an item, as JSON.
type socialRecord interface {
	Source(social.NumberForm) social.Source
	Relations() svc.List[social.Relation]
}

// socialReading reads social life kind by kind, what has changed.
type socialReading struct {
	c   *composition
	o   *social.Overview
	ids map[social.SourceRef]string // of what is in the dataset
	cut bool
}

// items are all that there is, what others are tied to before these. The
// conversations come last: they can be so large that not all have room.
func (r *socialReading) items() (all []*socialItem, err error) {
	profiles, err := remembered(r, "profiles", r.o.Profiles)
	if err != nil {
		return nil, err
	}
	here := func(known *social.Current[social.Here], changed []string) (*social.Current[social.Here], error) {
		return r.o.Here(profiles, known, changed)
	}
	dms := func(known *social.Current[social.DM], changed []string) (*social.Current[social.DM], error) {
		events, _ := r.c.changes.Of(svc.EventsTopic, r.c.changes.Since)
		return r.o.DMs(known, changed, len(events) > 0)
	}
	var lists [][]*socialItem
	for _, read := range []func() ([]*socialItem, error){
		r.communities,
		func() ([]*socialItem, error) {
			return currentItems(r, "profile", svc.PresenceTopic, here, itemOfProfile)
		},
		func() ([]*socialItem, error) {
			return currentItems(r, social.DMType, svc.DMsTopic, dms, itemOfDM, svc.EventsTopic)
		},
		func() ([]*socialItem, error) {
			return currentItems(r, "event", svc.EventsTopic, r.o.Events, itemOfEvent)
		},
		func() ([]*socialItem, error) {
			return currentItems(r, "conversation", svc.ConversationsTopic, r.o.Conversations, itemOfConversation)
		},
	} {
		items, err := read()
		if err != nil {
			return nil, err
		}
		lists = append(lists, items)
	}
	all = slices.Concat(lists...)
	r.ids = make(map[social.SourceRef]string, len(all))
	for _, i := range all {
		r.ids[i.ref] = i.id
	}
	return all, nil
}

// listed is a list that is kept.
type listed[T any] struct {
	social.Listed[T]
	social int64 // the revision of social life at large
}

func (l listed[T]) expires() time.Time { return l.Until }
func (l listed[T]) size() int          { return 1000 * len(l.List) } // about

// remembered returns a list that is read if social life at large has changed.
func remembered[T any](r *socialReading, name string, read func() (social.Listed[T], error)) ([]T, error) {
	l, err := recall(r.c, "social."+name, []store.Topic{svc.SocialTopic}, func(listed[T], int64) (listed[T], error) {
		l, err := read()
		return listed[T]{Listed: l}, err
	})
	return l.List, r.note(l.Cut, l.Until, err)
}

// note keeps what a list says of itself.
func (r *socialReading) note(cut bool, until time.Time, err error) error {
	r.cut = r.cut || cut
	r.c.ends(until)
	return err
}

func (r *socialReading) communities() ([]*socialItem, error) {
	return remembered(r, "communities", func() (items social.Listed[*socialItem], err error) {
		l, err := r.o.Communities()
		if err != nil {
			return items, err
		}
		items.Cut, items.Until = l.Cut, l.Until
		items.List = make([]*socialItem, len(l.List))
		for i, x := range l.List {
			if items.List[i], err = r.item("community", x, itemOfCommunity(x)); err != nil {
				return items, err
			}
		}
		return items, nil
	})
}

// current is a list that is kept and brought up to date, with an item for each.
type current[T any] struct {
	list   *social.Current[T]
	items  []*socialItem
	social int64 // the revision of social life at large
	octets int
}

func (l current[T]) expires() time.Time { return l.list.Until() }
func (l current[T]) size() int          { return l.octets + 500*len(l.items) }

// currentItems brings a list up to date that depends on social life at large,
// on a topic that has its items, and maybe on others.
func currentItems[T socialRecord](
	r *socialReading, kind string, topic store.Topic,
	read func(known *social.Current[T], changed []string) (*social.Current[T], error), item func(T) socialItem, others ...store.Topic,
) ([]*socialItem, error) {
	topics := append(others, svc.SocialTopic, topic)
	l, err := recall(r.c, "social."+kind, topics, func(old current[T], asOf int64) (l current[T], err error) {
		l.social = r.c.revisions.Of(svc.SocialTopic)
		known := old.list
		changed, ok := r.c.changes.Of(topic, asOf)
		if !ok || old.social != l.social {
			known = nil
		}
		if l.list, err = read(known, changed); err != nil {
			return l, err
		}
		made := make(map[*T]*socialItem, len(old.items))
		if known != nil {
			for i, x := range known.List() {
				made[x] = old.items[i]
			}
		}
		for _, x := range l.list.List() {
			one := made[x]
			if one == nil {
				if one, err = r.item(kind, *x, item(*x)); err != nil {
					return l, err
				}
			}
			l.items = append(l.items, one)
			l.octets += 2 * one.octets
		}
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	return l.items, r.note(l.list.Cut(), l.list.Until(), nil)
}

// item adds to an item what all of them have.
func (r *socialReading) item(kind string, record socialRecord, i socialItem) (*socialItem, error) {
	text, err := svc.EncodeJSON(record)
	if err != nil {
		return nil, err
	}
	i.print, i.octets = sha256.Sum256(text), len(text)
	i.ref = social.SourceRef{Service: "social", ResourceType: kind, ResourceID: i.ref.ResourceID}
	i.id, i.record, i.relations = r.c.names.Object(source(i.ref)), record, record.Relations()
	return &i, nil
}

func resource(id string) social.SourceRef { return social.SourceRef{ResourceID: id} }

func itemOfCommunity(x social.Community) socialItem {
	may := x.Permissions
	return socialItem{
		ref: resource(x.ID), do: func(b action.Builder, t action.Target) []action.Action { return b.Community(t, x) },
		may: Permissions{CanView: true, CanUpdate: may.CanUpdate, CanDelete: may.CanDelete, CanAddParticipant: may.CanInvite},
	}
}

func itemOfProfile(x social.Here) socialItem {
	return socialItem{
		ref: resource(x.MemberID.String()), do: func(b action.Builder, t action.Target) []action.Action { return b.Profile(t, x) },
		may: Permissions{CanView: true, CanUpdate: x.Permissions.CanUpdate},
	}
}

func itemOfDM(x social.DM) socialItem {
	return socialItem{
		ref: resource(x.ID), do: func(b action.Builder, t action.Target) []action.Action { return b.DM(t, x) }, may: Permissions{CanView: true, CanReply: x.CanReply},
		unread: x.UnreadCount > 0, news: *x.LastMessageAt,
	}
}

func itemOfEvent(x social.Event) socialItem {
	may := x.Permissions
	return socialItem{
		ref: resource(x.ID), do: func(b action.Builder, t action.Target) []action.Action { return b.Event(t, x) },
		may: Permissions{CanView: true, CanUpdate: may.CanUpdate, CanDelete: may.CanDelete, CanReply: may.CanReply, CanAddParticipant: may.CanInvite},
	}
}

func itemOfConversation(x social.Conversation) socialItem {
	i := socialItem{
		ref: resource(x.ID), do: func(b action.Builder, t action.Target) []action.Action { return b.Conversation(t, x) },
		may:    Permissions{CanView: true, CanUpdate: x.Permissions.CanUpdate, CanReply: x.Permissions.CanReply},
		unread: x.UnreadCount > 0, news: x.CreatedAt,
	}
	if x.LastReplyAt != nil {
		i.news = *x.LastReplyAt
	}
	return i
}

func source(r social.SourceRef) action.Source {
	return action.Source{Kind: "service", Service: r.Service, ResourceType: r.ResourceType, ResourceID: r.ResourceID}
}

// socialEntry returns the object of an item with the actions on it, one that
// is kept if it still is the same.
func (c *composition) socialEntry(i *socialItem, ids map[social.SourceRef]string) (*entry, error) {
	var relations svc.List[Relationship] // to what is here
	print := i.print[:]
	for _, r := range i.relations {
		if id := ids[r.Target]; id != "" {
			relations = append(relations, Relationship{r.Type, action.Object(id)})
			print = append(print, r.Type+id...)
		}
	}
	sum := sha256.Sum256(print)
	return c.entry(entryKey{id: i.id, version: string(sum[:])}, func() (*entry, error) { return c.makeSocialEntry(i, relations) })
}

func (c *composition) makeSocialEntry(i *socialItem, relations svc.List[Relationship]) (*entry, error) {
	s := i.record.Source(social.AsNumber)
	return c.encodeEntry(Object{
		WorldObjectID: i.id, ObjectType: s.ObjectType, Source: source(i.ref), Title: s.Title, Summary: s.Summary, State: s.State,
		Permissions: i.may, Relationships: relations,
	}, i.do(c.builder, action.Object(i.id)))
}
