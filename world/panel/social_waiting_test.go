package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
)

// titles returns the titles of the items in a section, "" if the panel has no such section.
func titles(sections []Section, id string) string {
	var list []string
	for _, s := range sections {
		for _, item := range s.Items {
			if s.ID == id {
				list = append(list, item.Title)
			}
		}
	}
	return strings.Join(list, ", ")
}

// fillWaiting creates questions to dan: an invitation to a community, one to an event, and two
// events that he has not answered, of which one is a series that began long ago. Two other
// events, one of them his own, are no questions.
func (f *fixture) fillWaiting() {
	f.T.Helper()
	write(f, func(tx *store.Tx) (i social.Invitation, err error) {
		s := f.panels.Social
		create := func(host svc.Viewer, title, start string, visibility social.EventVisibility, rule string) (e social.Event) {
			if err == nil {
				e, err = s.CreateEvent(tx, host, social.NewEvent{Title: title, Start: start, Timezone: "UTC", Visibility: visibility, RRule: &rule})
			}
			return e
		}
		create(f.ann, "Fair", "2026-12-20T18:00:00", social.EventPublic, "")
		create(f.bea, "Run", "2026-01-05T08:00:00", social.EventPublic, "FREQ=WEEKLY")
		create(f.dan, "Own", "2026-12-10T18:00:00", social.EventPublic, "")
		answered := create(f.ann, "Answered", "2026-12-11T18:00:00", social.EventPublic, "")
		dinner := create(f.ann, "Dinner", "2026-12-12T18:00:00", social.EventInvited, "")
		if err != nil {
			return i, err
		}
		if _, _, err = s.Respond(tx, f.dan, answered.ID, social.NewRSVP{Response: svc.Declined}); err != nil {
			return i, err
		}
		if i, err = s.InviteToEvent(tx, f.ann, dinner.ID, social.NewInvitation{Recipient: "dan"}); err != nil {
			return i, err
		}
		c, err := s.CreateCommunity(tx, f.ann, social.NewCommunity{Name: "Club", Visibility: "private"})
		if err != nil {
			return i, err
		}
		if i, err = s.InviteToCommunity(tx, f.ann, c.ID, social.NewInvitation{Recipient: "dan"}); err != nil {
			return i, err
		}
		_, err = s.MarkNotificationsRead(tx, f.dan, social.NotificationSelection{All: true})
		return i, err
	})
}

// What waits for the member is in the order of its dates, and each badge is the number of items
// that its view shows.
func TestBadgesCountTheItemsThatWait(t *testing.T) {
	f := newFixture(t)
	f.fillWaiting()
	const all, events = "Run, Club, Dinner, Fair", "Run, Dinner, Fair"
	today := f.todayPanel(f.dan, nil, nil).Panel
	dashboard := f.socialPanel(f.dan, "dashboard", "")
	want(t, "Today", titles(today.Sections, "waiting"), all)
	want(t, "dashboard", titles(dashboard.Sections, "waiting"), all)
	want(t, "events", titles(f.socialPanel(f.dan, "events", "").Sections, "waiting"), events)
	want(t, "communities", titles(f.socialPanel(f.dan, "communities", "").Sections, "invitations"), "Club")
	badge := func(view string) string {
		i := slices.IndexFunc(dashboard.Nav, func(n NavItem) bool { return n.ID == view })
		return fmt.Sprint(dashboard.Nav[i].Badge.Count)
	}
	want(t, "badge of the events", badge("events"), "3")
	want(t, "badge of the communities", badge("communities"), "1")
	want(t, "badge of the invitations", badge("invitations"), fmt.Sprint(len(strings.Split(titles(f.socialPanel(f.dan, "invitations", "").Sections, "pending"), ", "))))
	var attention social.Attention
	f.Read(func(tx *store.Tx) (err error) {
		attention, _, err = f.panels.Social.Attention(tx, f.dan)
		return err
	})
	want(t, "badge of Social", fmt.Sprint(*SocialBadge(attention)), "{4 waiting}")
	if !strings.Contains(today.Summary, "4 items are waiting") {
		t.Errorf("summary of Today: got %q, want 4 items", today.Summary)
	}
}
