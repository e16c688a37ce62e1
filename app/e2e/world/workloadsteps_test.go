package world

import (
	"fmt"
	"maps"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
)

// operations returns the operations of a step by name. Many are rejected, for
// example because the viewer is not the host; they change nothing.
func (s step) operations() map[string]func() error {
	all := make(map[string]func() error)
	for _, operations := range []map[string]func() error{
		s.messageOperations(), s.timeOperations(), s.conversationOperations(), s.eventOperations(), s.communityOperations(), s.memberOperations(),
		s.surfaceOperations(),
	} {
		maps.Copy(all, operations)
	}
	return all
}

// step is a write transaction of one member that may affect another.
type step struct {
	*randomWorkload
	tx       *store.Tx
	v, other svc.Viewer
}

// words returns n random words.
func (s step) words(n int) string { return apptest.RandomWords(s.rand, n) }

// conversation returns the id of a conversation of the viewer.
func (s step) conversation() string {
	page, err := s.App.Social.Conversations(s.tx, s.v, 0, "")
	if err != nil || len(page.Conversations) == 0 {
		return "cnv_none"
	}
	return apptest.Pick(s.rand, page.Conversations...).ID
}

// event returns the id of an event that the viewer can see.
func (s step) event() string {
	page, err := s.App.Social.Events(s.tx, s.v, social.EventQuery{})
	if err != nil || len(page.Events) == 0 {
		return "evt_none"
	}
	return apptest.Pick(s.rand, page.Events...).ID
}

// community returns the id of a community that the viewer can see.
func (s step) community() string {
	list, _, err := s.App.Social.Communities(s.tx, s.v, false, svc.PageQuery{})
	if err != nil || len(list) == 0 {
		return "com_none"
	}
	return apptest.Pick(s.rand, list...).ID
}

// entry returns the id of an upcoming entry of the viewer.
func (s step) entry() string {
	page, err := s.App.TimeIndex.Upcoming(s.tx, s.v, time.UTC)
	if err != nil || len(page.Entries) == 0 {
		return "none"
	}
	return apptest.Pick(s.rand, page.Entries...).ID
}

func (s step) messageOperations() map[string]func() error {
	return map[string]func() error{
		"send a message": func() error {
			_, err := s.App.Messages.Start(s.tx, s.v, messages.StartRequest{Recipient: messages.Recipients{s.other.String()}, Body: s.words(3)})
			return err
		},
		"open a thread": func() error {
			page, err := s.App.Messages.List(s.tx, s.v, 0, "")
			if err == nil && len(page.Threads) > 0 {
				_, err = s.App.Messages.Open(s.tx, s.v, apptest.Pick(s.rand, page.Threads...).ID, svc.HistoryQuery{})
			}
			return err
		},
		"send a direct message": func() error {
			_, err := s.App.Social.StartDM(s.tx, s.v, social.NewDM{Recipient: social.Recipient(s.other.String()), Body: s.words(3)})
			return err
		},
		"open a direct message": func() error {
			page, err := s.App.Social.DMs.List(s.tx, s.v, 0, "")
			if err == nil && len(page.Threads) > 0 {
				_, err = s.App.Social.DMs.Open(s.tx, s.v, apptest.Pick(s.rand, page.Threads...).ID, svc.HistoryQuery{})
			}
			return err
		},
	}
}

func (s step) timeOperations() map[string]func() error {
	return map[string]func() error{
		"create a task": func() error {
			_, err := s.App.Calendar.Create(s.tx, s.v, calendar.NewObject{ObjectType: view.TaskType, Change: edit.Change{Title: svc.Some(s.words(2))}})
			return err
		},
		"delete an entry": func() error { return s.App.Calendar.Delete(s.tx, s.v, s.entry(), edit.Deletion{}, nil) },
		"create a calendar": func() error {
			_, err := s.App.Calendar.CreateCalendar(s.tx, s.v, calendar.NewCalendar{Name: s.words(1)})
			return err
		},
	}
}

func (s step) conversationOperations() map[string]func() error {
	return map[string]func() error{
		"start a conversation": func() error {
			in := apptest.Pick(s.rand, social.ConversationContext{Kind: "open"}, social.ConversationContext{Kind: "circle", Depth: new(1 + s.rand.IntN(3))},
				social.ConversationContext{Kind: "community", ID: new(s.community())})
			_, err := s.App.Social.StartConversation(s.tx, s.v, social.NewConversation{Title: s.words(2), Body: s.words(3), Context: in})
			return err
		},
		"update a conversation": func() error {
			c := social.ConversationChange{Title: svc.Some(s.words(2))}
			if s.rand.OneIn(2) {
				c = social.ConversationChange{State: svc.Some(apptest.Pick(s.rand, social.ConversationOpen, social.ConversationClosed))}
			}
			_, err := s.App.Social.UpdateConversation(s.tx, s.v, s.conversation(), c)
			return err
		},
		"close the conversation of an event": func() error {
			id, err := s.App.Social.EventConversation(s.tx, s.v, s.event())
			if err == nil {
				_, err = s.App.Social.UpdateConversation(s.tx, s.v, id, social.ConversationChange{State: svc.Some(apptest.Pick(s.rand, social.ConversationOpen, social.ConversationClosed))})
			}
			return err
		},
		"reply": func() error {
			_, err := s.App.Social.Reply(s.tx, s.v, s.conversation(), social.NewReply{Body: s.words(3)})
			return err
		},
		"read a conversation": func() error {
			_, err := s.App.Social.MarkConversationRead(s.tx, s.v, s.conversation(), "")
			return err
		},
	}
}

func (s step) eventOperations() map[string]func() error {
	return map[string]func() error{
		"create an event": func() error {
			e := social.NewEvent{
				Title: s.words(2), Timezone: "UTC", Start: s.tx.Now().Add(time.Duration(s.rand.IntN(96)) * time.Hour).Format("2006-01-02T15:04:05"),
				Visibility: apptest.Pick(s.rand, social.EventPublic, social.EventInvited, social.EventCircle, social.EventCommunity), Capacity: new(2),
			}
			switch e.Visibility {
			case "circle":
				e.CircleDepth = new(1 + s.rand.IntN(3))
			case "community":
				e.CommunityID = new(s.community())
			}
			_, err := s.App.Social.CreateEvent(s.tx, s.v, e)
			return err
		},
		"update an event": func() error {
			_, err := s.App.Social.UpdateEvent(s.tx, s.v, s.event(), social.EventChange{Title: svc.Some(s.words(2))})
			return err
		},
		"cancel an event": func() error { _, err := s.App.Social.CancelEvent(s.tx, s.v, s.event()); return err },
		"purge an event":  func() error { return s.App.Social.PurgeEvent(s.tx, s.v, s.event()) },
		"respond to an event": func() error {
			_, _, err := s.App.Social.Respond(s.tx, s.v, s.event(), social.NewRSVP{Response: apptest.Pick(s.rand, svc.Going, svc.Maybe, svc.Declined, svc.NoResponse)})
			return err
		},
		"invite to an event": func() error {
			_, err := s.App.Social.InviteToEvent(s.tx, s.v, s.event(), social.NewInvitation{Recipient: s.other.String()})
			return err
		},
	}
}

func (s step) communityOperations() map[string]func() error {
	return map[string]func() error{
		"create a community": func() error {
			_, err := s.App.Social.CreateCommunity(s.tx, s.v, social.NewCommunity{Name: s.words(1), Visibility: apptest.Pick(s.rand, social.CommunityPublic, social.CommunityPrivate)})
			return err
		},
		"update a community": func() error {
			c := apptest.Pick(s.rand, social.CommunityChange{Name: svc.Some(s.words(1))}, social.CommunityChange{Visibility: svc.Some(social.CommunityPrivate)})
			_, err := s.App.Social.UpdateCommunity(s.tx, s.v, s.community(), c)
			return err
		},
		"delete a community": func() error { return s.App.Social.DeleteCommunity(s.tx, s.v, s.community()) },
		"join a community":   func() error { _, err := s.App.Social.JoinCommunity(s.tx, s.v, s.community()); return err },
		"leave a community":  func() error { _, err := s.App.Social.LeaveCommunity(s.tx, s.v, s.community()); return err },
		"remove a member":    func() error { return s.App.Social.RemoveCommunityMember(s.tx, s.v, s.community(), s.other.Member()) },
		"change a role": func() error {
			_, err := s.App.Social.UpdateCommunityMember(s.tx, s.v, s.community(), s.other.Member(), social.MemberChange{
				Role: svc.Some(apptest.Pick(s.rand, social.RoleOwner, social.RoleModerator, social.RoleMember)), State: svc.Some(social.MembershipActive),
			})
			return err
		},
		"invite to a community": func() error {
			_, err := s.App.Social.InviteToCommunity(s.tx, s.v, s.community(), social.NewInvitation{Recipient: s.other.String()})
			return err
		},
		"answer an invitation": func() error {
			list, err := s.App.Social.PendingInvitations(s.tx, s.v, 10)
			if err == nil && len(list) > 0 {
				_, err = s.App.Social.AnswerInvitation(s.tx, s.v, apptest.Pick(s.rand, list...).ID, apptest.Pick(s.rand, social.Accept, social.Decline))
			}
			return err
		},
	}
}

func (s step) memberOperations() map[string]func() error {
	return map[string]func() error{
		"block a member": func() error {
			_, err := s.App.Social.Block(s.tx, s.v, social.NewBlock{MemberID: s.other.Member()})
			return err
		},
		"unblock a member": func() error { return s.App.Social.Unblock(s.tx, s.v, s.other.Member()) },
		"update the profile": func() error {
			_, err := s.App.Social.UpdateProfile(s.tx, s.v, social.ProfileChange{Bio: svc.Some(s.words(2)), Visibility: svc.Some(apptest.Pick(s.rand, social.ProfileCircle, social.ProfileMembers))})
			return err
		},
		"change the display name": func() error { return s.App.Identity.Rename(s.tx, s.v, s.words(1)) },
		"set the presence": func() error {
			_, err := s.App.Social.SetPresence(s.tx, s.v, social.NewPresence{
				State: apptest.Pick(s.rand, social.PresenceOnline, social.PresenceAway, social.PresenceOffline), VisibleTo: apptest.Pick(s.rand, social.PresenceInner, social.PresenceTrusted, social.PresenceMembers, social.PresenceNobody), TTL: new(30 + s.rand.IntN(3000)),
			})
			return err
		},
		"disable or enable a member": func() error {
			_, err := s.App.Identity.Update(s.tx, identity.CommandLine("test"), s.other.Member(), identity.Changes{
				Status: new(apptest.Pick(s.rand, identity.Active, identity.Active, identity.Disabled)),
			})
			return err
		},
	}
}

func (s step) surfaceOperations() map[string]func() error {
	return map[string]func() error{
		"replace the overlay": func() error {
			list := make([]svc.Finding, s.rand.IntN(4))
			for i := range list {
				list[i] = svc.Finding{
					FindingID: fmt.Sprint("osm:", s.rand.IntN(4), "/", i), SourceService: "osm", ObjectType: "place", Title: s.words(2),
					Payload: svc.Map{"latitude": 1.5, "longitude": float64(i)},
				}
				if s.rand.OneIn(3) {
					list[i].ObjectType, list[i].SourceURL = "html_resource", "https://example.org/"
				}
			}
			_, err := s.App.Surface.ReplaceOverlay(s.tx, s.v, surface.OverlayRequest{Findings: &list})
			return err
		},
		"focus or place a surface": func() error {
			w, err := s.App.Surface.Read(s.tx, s.v)
			if err != nil {
				return err
			}
			target, stack := apptest.Pick(s.rand, w.Surfaces...), apptest.Pick(s.rand, surface.CarryStack, surface.RightStack, surface.OverlayStack)
			if s.rand.OneIn(2) {
				_, err = s.App.Surface.Focus(s.tx, s.v, stack, surface.FocusRequest{SurfaceID: svc.Some(target.SurfaceID)})
				return err
			}
			_, _, err = s.App.Surface.Place(s.tx, s.v, target.SurfaceID, surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(stack)})
			return err
		},
	}
}
