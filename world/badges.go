package world

import (
	"errors"
	"sync"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/action"
	"appliance/world/panel"
)

// Badges are the numbers that the dock and the surfaces of services show: nil if there is
// nothing to count, or if the service cannot be read.
type Badges struct {
	Social, Time, Messages *panel.Badge
	Expires                time.Time // when they change without a write; zero for never
}

// badgeTopics are the topics that change badges. A response to an event answers its
// invitations, and a new time of the event changes their expiry.
var badgeTopics = []store.Topic{
	svc.TimeTopic, svc.MessagesTopic, svc.BlocksTopic, svc.SocialTopic, svc.EventsTopic, svc.DMsTopic, svc.NotificationsTopic,
}

// badgeCache contains the badges of members. The response to a write to the workspace
// contains badges; because of the cache, they are not counted inside its transaction.
type badgeCache struct {
	mu      sync.Mutex
	entries map[svc.MemberID]cachedBadges
}

// cachedBadges are badges that are valid for a revision of their topics and for the states
// of their services.
type cachedBadges struct {
	revision int64
	states   [len(badgeServices)]svc.ServiceState
	badges   Badges
}

// maxCachedBadges limits the cache. A full cache is emptied.
const maxCachedBadges = 512

// badgeServices are the services with badges.
var badgeServices = [...]string{"social", "time", "messages"}

// Badges returns the badges of v.
func (w *World) Badges(tx *store.Tx, v svc.Viewer) Badges {
	current := cachedBadges{revision: tx.Revisions(int64(v.Member())).Of(badgeTopics...)}
	for i, service := range badgeServices {
		current.states[i] = w.hosted(service).State()
	}
	w.badges.mu.Lock()
	cached, ok := w.badges.entries[v.Member()]
	w.badges.mu.Unlock()
	expires := cached.badges.Expires
	if ok && cached.revision == current.revision && cached.states == current.states && (expires.IsZero() || tx.Now().Before(expires)) {
		return cached.badges
	}
	current.badges, ok = w.countBadges(tx, v)
	w.badges.mu.Lock()
	defer w.badges.mu.Unlock()
	if w.badges.entries == nil || len(w.badges.entries) >= maxCachedBadges {
		w.badges.entries = make(map[svc.MemberID]cachedBadges)
	}
	if delete(w.badges.entries, v.Member()); ok {
		w.badges.entries[v.Member()] = current
	}
	return current.badges
}

// countBadges computes the badges of v. ok is false if a service has failed.
func (w *World) countBadges(tx *store.Tx, v svc.Viewer) (b Badges, ok bool) {
	var failed error
	count := func(service string, read func() error) {
		err := w.count(tx, service, read)
		failed, b.Expires = errors.Join(failed, err), earlierTime(b.Expires, svc.RetryTime(err, tx.Now()))
	}
	count("social", func() error {
		attention, until, err := w.services.Social.Attention(tx, v)
		if err == nil {
			b.Social, b.Expires = panel.SocialBadge(attention), earlierTime(b.Expires, until)
		}
		return err
	})
	count("time", func() error {
		me, err := w.services.Identity.Me(tx, v)
		if err != nil {
			return err
		}
		n, until, err := w.services.TimeIndex.DueTasks(tx, v, me.Member.Zone.Location())
		if err == nil {
			b.Time, b.Expires = panel.NewBadge(n, panel.Due), earlierTime(b.Expires, until)
		}
		return err
	})
	count("messages", func() error {
		n, err := w.services.Messages.UnreadTotal(tx, v)
		b.Messages = panel.NewBadge(n, panel.Unread)
		return err
	})
	return b, failed == nil
}

// count calls read, unless the service is off. The hosted service logs the error.
func (w *World) count(tx *store.Tx, service string, read func() error) error {
	if hosted := w.hosted(service); hosted.State() != svc.StateUnavailable {
		return svc.Attempt(tx.Context(), failures{hosted}, read)
	}
	return nil
}

// failures is a hosted service that ignores successes: that its records can be counted
// does not mean that a service that has failed works again.
type failures struct{ svc.HostedService }

// Report implements [svc.HostedService].
func (f failures) Report(err error) {
	if err != nil {
		f.HostedService.Report(err)
	}
}

// Of returns the badge of a service, or nil.
func (b Badges) Of(service string) *panel.Badge {
	switch service {
	case "social":
		return b.Social
	case "time":
		return b.Time
	case "messages":
		return b.Messages
	}
	return nil
}

// profilePanel is the resource of the surface with the profile of the member, which
// belongs to Social but shows nothing that is new.
const profilePanel = "profile"

// BadgeOf returns the badge of a surface: the unread messages or replies of its object, or
// the badge of the service whose panel it shows.
func (p Presented) BadgeOf(s surface.Surface) *panel.Badge {
	b := s.ServiceBinding
	if b.ResourceType == "panel" {
		if b.ResourceID == profilePanel {
			return nil
		}
		return p.Badges.Of(b.ServiceID)
	}
	if source, ok := action.SourceOf(b); ok {
		return panel.NewBadge(p.Objects[source.Service][source.ResourceID].Unread, panel.Unread)
	}
	return nil
}
