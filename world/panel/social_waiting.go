package panel

import (
	"cmp"
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/social"
	"appliance/svc/words"
)

// waitingItems returns the items of the questions to the viewer that include selects, in the order
// of their dates, see questionDate.
func (p *socialPage) waitingItems(include func(social.Question) bool) (svc.List[PanelItem], error) {
	questions, err := p.Social.Questions(p.tx, p.viewer, maxItems)
	if err != nil {
		return nil, err
	}
	questions = slices.DeleteFunc(questions, func(q social.Question) bool { return !include(q) })
	var events []social.Event
	for _, q := range questions {
		if q.Invitation == nil {
			events = append(events, *q.Event)
		}
	}
	eventItems, err := p.eventItems(events)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]PanelItem, len(eventItems))
	for _, item := range eventItems {
		byID[item.ID] = item
	}
	dates := make(map[string]time.Time, len(questions))
	list := items(questions, func(q social.Question) PanelItem {
		var item PanelItem
		if q.Invitation != nil {
			item = p.invitationItem(*q.Invitation)
		} else {
			item = byID[q.Event.ID]
		}
		dates[item.ID] = questionDate(q, p.tx.Now())
		return item
	})
	slices.SortStableFunc(list, func(a, b PanelItem) int {
		return cmp.Or(dates[a.ID].Compare(dates[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// questionDate returns the date of a question, which determines its position among what waits: the
// expiry of an invitation to a community, and the start of an event, which is now if it has begun.
func questionDate(q social.Question, now time.Time) time.Time {
	if q.Event == nil {
		return q.Invitation.ExpiresAt
	}
	start, _ := edit.EventBounds(q.Event.Times)
	if at := start.Instant(svc.StoredZone(q.Event.Times.Timezone)); at.After(now) {
		return at
	}
	return now
}

// addWaiting adds the section of what waits for an answer of the viewer.
func (p *socialPage) addWaiting(list svc.List[PanelItem]) {
	p.addSection("waiting", p.l.Text("Waiting for you"), p.l.Text("Nothing is waiting for you."), list)
}

// waitingCount formats the number of items that wait for an answer.
func waitingCount(l words.Language, n int) string {
	return l.Textf("{0, plural, =0 {no items are waiting} one {# item is waiting} other {# items are waiting}}", n)
}
