package social

import (
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Names of circles and audiences, titles of notifications and the name of a former member
// are in the language of the reader. A mirror has one text for all readers, in English.
func TestTextsAreInTheLanguageOfTheReader(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	community := ann.community("private", bea, cid)
	e := ann.createEvent("circle", func(e *NewEvent) { e.CircleDepth = new(2) })
	conversation := write(ann, func(tx *store.Tx, v svc.Viewer) (Conversation, error) {
		return s.StartConversation(tx, v, NewConversation{Title: "Trip", Body: "To the sea?", Audience: AudienceSpec(community)})
	})
	bea.reply(conversation.ID, "Yes")
	texts := func(a actor, l words.Language) []string {
		return read(a, func(tx *store.Tx, v svc.Viewer) (list []string, err error) {
			v = v.In(l)
			circles, err := s.Circles(tx, v)
			if err != nil {
				return nil, err
			}
			event, err := s.Event(tx, v, e)
			if err != nil {
				return nil, err
			}
			c, err := s.Conversation(tx, v, conversation.ID)
			if err != nil {
				return nil, err
			}
			notifications, err := s.Notifications(tx, v, 1, "")
			list = []string{circles[0].Name, event.AudienceTitle, c.LastReply.Author.DisplayName}
			for _, n := range notifications.Notifications {
				list = append(list, n.Title)
			}
			return list, err
		})
	}
	wantEqual(t, "in English", texts(ann, words.English), []string{"Inner", "Your inner and trusted circles", "Bea", "Bea replied"})
	wantEqual(t, "in German", texts(ann, words.German), []string{"Innerer Kreis", "Dein innerer und dein vertrauter Kreis", "Bea", "Bea hat geantwortet"})
	wantEqual(t, "for a guest", texts(cid, words.German)[1], "Ann: innerer und vertrauter Kreis")
	bea.disable()
	wantEqual(t, "former member", texts(ann, words.German)[2], "Ehemaliges Mitglied")
	ann.disable()
	write(ann, func(tx *store.Tx, _ svc.Viewer) (any, error) { return nil, s.NameChanged(tx, ann.id) })
	s.followUp()
	wantEqual(t, "host of the mirror", s.calendars.synced[e].Event.Host.DisplayName, svc.FormerMember)
}
