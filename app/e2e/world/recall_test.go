package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
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
	"appliance/svc/svctest"
	"appliance/world"
	"appliance/world/dataset"
)

// bustle is a few members who do all that members can do, to whatever they
// come across.
type bustle struct {
	*apptest.Population
	d     apptest.Rand
	about string // what was done last

	known []world.Dispatch // actions that somebody's dataset had once
}

// deedsOf are what a member may come to do. Much of it is refused, which
// changes nothing.
func (h *bustle) deedsOf(tx *store.Tx, v, other svc.Viewer) map[string]func() error {
	s := h.App.Social
	conversation := func() string {
		page, err := s.Conversations(tx, v, 0, "")
		if err != nil || len(page.Conversations) == 0 {
			return "cnv_none"
		}
		return apptest.Pick(h.d, page.Conversations...).ID
	}
	event := func() string {
		page, err := s.Events(tx, v, social.EventQuery{})
		if err != nil || len(page.Events) == 0 {
			return "evt_none"
		}
		return apptest.Pick(h.d, page.Events...).ID
	}
	community := func() string {
		list, _, err := s.Communities(tx, v, false, social.ListQuery{})
		if err != nil || len(list) == 0 {
			return "com_none"
		}
		return apptest.Pick(h.d, list...).ID
	}
	entry := func() string {
		page, err := h.App.TimeIndex.Upcoming(tx, v, time.UTC)
		if err != nil || len(page.Entries) == 0 {
			return "none"
		}
		return apptest.Pick(h.d, page.Entries...).ID
	}
	recipient := other.String()
	return map[string]func() error{
		"write a message": func() error {
			_, err := h.App.Messages.Start(tx, v, messages.StartRequest{Recipient: messages.Recipients{recipient}, Body: apptest.RandomWords(h.d, 3)})
			return err
		},
		"read a message": func() error {
			page, err := h.App.Messages.Inbox(tx, v, 0, "")
			if err == nil && len(page.Threads) > 0 {
				_, err = h.App.Messages.Open(tx, v, apptest.Pick(h.d, page.Threads...).ID, svc.HistoryQuery{})
			}
			return err
		},
		"make an appointment": func() error {
			_, err := h.App.Calendar.Create(tx, v, calendar.NewObject{ObjectType: view.TaskType, Change: edit.Change{Title: svc.Some(apptest.RandomWords(h.d, 2))}})
			return err
		},
		"drop an appointment": func() error { return h.App.Calendar.Delete(tx, v, entry(), edit.Deletion{}, nil) },
		"make a calendar": func() error {
			_, err := h.App.Calendar.CreateCalendar(tx, v, calendar.NewCalendar{Name: apptest.RandomWords(h.d, 1)})
			return err
		},
		"begin a conversation": func() error {
			in := apptest.Pick(h.d, social.ConversationContext{Kind: "open"}, social.ConversationContext{Kind: "circle", Depth: new(1 + h.d.IntN(3))},
				social.ConversationContext{Kind: "community", ID: new(community())})
			_, err := s.StartConversation(tx, v, social.NewConversation{Title: apptest.RandomWords(h.d, 2), Body: apptest.RandomWords(h.d, 3), Context: in})
			return err
		},
		"change a conversation": func() error {
			c := social.ConversationChange{Title: svc.Some(apptest.RandomWords(h.d, 2))}
			if h.d.OneIn(2) {
				c = social.ConversationChange{State: svc.Some(apptest.Pick(h.d, "open", "closed"))}
			}
			_, err := s.UpdateConversation(tx, v, conversation(), c)
			return err
		},
		"close the conversation of an event": func() error {
			id, err := s.EventConversation(tx, v, event())
			if err == nil {
				_, err = s.UpdateConversation(tx, v, id, social.ConversationChange{State: svc.Some(apptest.Pick(h.d, "open", "closed"))})
			}
			return err
		},
		"reply": func() error {
			_, err := s.Reply(tx, v, conversation(), social.NewReply{Body: apptest.RandomWords(h.d, 3)})
			return err
		},
		"read a conversation": func() error {
			_, err := s.MarkConversationRead(tx, v, conversation(), "")
			return err
		},
		"plan an event": func() error {
			e := social.NewEvent{
				Title: apptest.RandomWords(h.d, 2), Timezone: "UTC", Start: tx.Now().Add(time.Duration(h.d.IntN(96)) * time.Hour).Format("2006-01-02T15:04:05"),
				Visibility: apptest.Pick(h.d, "public", "invited", "circle", "community"), Capacity: new(2),
			}
			switch e.Visibility {
			case "circle":
				e.CircleDepth = new(1 + h.d.IntN(3))
			case "community":
				e.CommunityID = new(community())
			}
			_, err := s.CreateEvent(tx, v, e)
			return err
		},
		"change an event": func() error {
			_, err := s.UpdateEvent(tx, v, event(), social.EventChange{Title: svc.Some(apptest.RandomWords(h.d, 2))})
			return err
		},
		"cancel an event": func() error { _, err := s.CancelEvent(tx, v, event()); return err },
		"purge an event":  func() error { return s.PurgeEvent(tx, v, event()) },
		"answer an event": func() error {
			_, _, err := s.Respond(tx, v, event(), social.NewRSVP{Response: apptest.Pick(h.d, "going", "maybe", "declined", "none")})
			return err
		},
		"invite to an event": func() error {
			_, err := s.InviteToEvent(tx, v, event(), social.NewInvitation{Recipient: recipient})
			return err
		},
		"found a community": func() error {
			_, err := s.CreateCommunity(tx, v, social.NewCommunity{Name: apptest.RandomWords(h.d, 1), Visibility: apptest.Pick(h.d, "public", "private")})
			return err
		},
		"change a community": func() error {
			c := apptest.Pick(h.d, social.CommunityChange{Name: svc.Some(apptest.RandomWords(h.d, 1))}, social.CommunityChange{Visibility: svc.Some("private")})
			_, err := s.UpdateCommunity(tx, v, community(), c)
			return err
		},
		"end a community":  func() error { return s.DeleteCommunity(tx, v, community()) },
		"join":             func() error { _, err := s.JoinCommunity(tx, v, community()); return err },
		"leave":            func() error { _, err := s.LeaveCommunity(tx, v, community()); return err },
		"remove a member":  func() error { return s.RemoveCommunityMember(tx, v, community(), other.Member()) },
		"promote a member": func() error { return h.promote(tx, v, community(), other) },
		"invite": func() error {
			_, err := s.InviteToCommunity(tx, v, community(), social.NewInvitation{Recipient: recipient})
			return err
		},
		"answer an invitation": func() error {
			list, err := s.PendingInvitations(tx, v, 10)
			if err == nil && len(list) > 0 {
				_, err = s.AnswerInvitation(tx, v, apptest.Pick(h.d, list...).ID, apptest.Pick(h.d, "accepted", "declined"))
			}
			return err
		},
		"block":   func() error { _, err := s.Block(tx, v, social.NewBlock{MemberID: other.Member()}); return err },
		"unblock": func() error { return s.Unblock(tx, v, other.Member()) },
		"say something of oneself": func() error {
			_, err := s.UpdateProfile(tx, v, social.ProfileChange{Bio: svc.Some(apptest.RandomWords(h.d, 2)), Visibility: svc.Some(apptest.Pick(h.d, "circle", "members"))})
			return err
		},
		"rename oneself": func() error { return h.App.Identity.Rename(tx, v, apptest.RandomWords(h.d, 1)) },
		"appear": func() error {
			_, err := s.SetPresence(tx, v, social.NewPresence{
				State: apptest.Pick(h.d, "online", "away", "offline"), VisibleTo: apptest.Pick(h.d, "inner", "trusted", "members", "nobody"), TTL: new(30 + h.d.IntN(3000)),
			})
			return err
		},
		"write a direct message": func() error {
			_, err := s.StartDM(tx, v, social.NewDM{Recipient: social.Recipient(recipient), Body: apptest.RandomWords(h.d, 3)})
			return err
		},
		"read a direct message": func() error {
			page, err := s.DMs(tx, v, 0, "")
			if err == nil && len(page.DMs) > 0 {
				_, err = s.OpenDM(tx, v, apptest.Pick(h.d, page.DMs...).ID, svc.HistoryQuery{})
			}
			return err
		},
		"find something": func() error {
			list := make([]svc.Finding, h.d.IntN(4))
			for i := range list {
				list[i] = svc.Finding{
					FindingID: fmt.Sprint("osm:", h.d.IntN(4), "/", i), SourceService: "osm", ObjectType: "place", Title: apptest.RandomWords(h.d, 2),
					Payload: svc.Map{"latitude": 1.5, "longitude": float64(i)},
				}
				if h.d.OneIn(3) {
					list[i].ObjectType, list[i].SourceURL = "html_resource", "https://example.org/"
				}
			}
			_, err := h.App.Surface.ReplaceOverlay(tx, v, surface.OverlayRequest{Findings: &list})
			return err
		},
		"arrange a surface": func() error {
			w, err := h.App.Surface.Read(tx, v)
			if err != nil {
				return err
			}
			one, stack := apptest.Pick(h.d, w.Surfaces...), apptest.Pick(h.d, surface.CarryStack, surface.RightStack, surface.OverlayStack)
			if h.d.OneIn(2) {
				_, err = h.App.Surface.Focus(tx, v, stack, surface.FocusRequest{SurfaceID: svc.Some(one.SurfaceID)})
				return err
			}
			_, _, err = h.App.Surface.Place(tx, v, one.SurfaceID, surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(stack)})
			return err
		},
		"switch somebody off or on": func() error {
			_, err := h.App.Identity.Update(tx, identity.CommandLine("test"), other.Member(), identity.Changes{
				Status: new(apptest.Pick(h.d, identity.Active, identity.Active, identity.Disabled)),
			})
			return err
		},
	}
}

func (h *bustle) promote(tx *store.Tx, v svc.Viewer, community string, other svc.Viewer) error {
	_, err := h.App.Social.UpdateCommunityMember(tx, v, community, other.Member(), social.MemberChange{
		Role: svc.Some(apptest.Pick(h.d, "owner", "moderator", "member")), State: svc.Some("active"),
	})
	return err
}

// act has somebody do something, or time pass.
func (h *bustle) act() {
	h.T.Helper()
	if h.d.OneIn(8) {
		pause := time.Duration(h.d.IntN(600)) * time.Second
		if h.d.OneIn(4) {
			pause = time.Duration(h.d.IntN(72)) * time.Hour
		}
		h.about = fmt.Sprint("after ", pause)
		h.Clock.Advance(pause)
		return
	}
	v, other := apptest.Pick(h.d, h.Viewers...), apptest.Pick(h.d, h.Viewers...)
	if h.d.OneIn(4) {
		h.dispatch(v)
		return
	}
	err := h.DB.Write(h.T.Context(), func(tx *store.Tx) error {
		deeds := h.deedsOf(tx, v, other)
		name := apptest.Pick(h.d, slices.Sorted(maps.Keys(deeds))...)
		h.about = fmt.Sprintf("after %v wants to %s (%v)", v, name, other)
		return deeds[name]()
	})
	if e := (*svc.Error)(nil); err != nil && !errors.As(err, &e) {
		h.T.Fatal(h.about, err)
	}
}

// dispatch has a member do something in the workspace, what they see that they
// can do or what somebody could once.
func (h *bustle) dispatch(v svc.Viewer) {
	h.T.Helper()
	var seen dataset.Dataset
	_ = json.Unmarshal(h.see(h.App.World, v), &seen) // whoever is switched off sees none
	var mine []world.Dispatch
	for _, a := range seen.Actions {
		id, ours := strings.CutPrefix(a.Command.URL, "/world/actions/")
		if !ours {
			continue
		}
		in := world.Dispatch{ActionID: id}
		in.Before, _ = a.Command.Body["before"].(string)
		in.After, _ = a.Command.Body["after"].(string)
		if a.Type == "order_workspace" {
			order := slices.Clone(seen.Workspace.Order)
			h.d.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			in.Order = (*world.ObjectIDs)(&order)
		}
		mine = append(mine, in)
		if !strings.HasPrefix(a.Type, "focus_") { // of those there are most
			mine = append(mine, in, in, in)
		}
	}
	h.known = append(h.known, mine[:min(3, len(mine))]...)
	if len(mine) == 0 || h.d.OneIn(6) {
		mine = h.known
	}
	if len(mine) == 0 {
		return
	}
	in := apptest.Pick(h.d, mine...)
	err := h.DB.Write(h.T.Context(), func(tx *store.Tx) error { _, err := h.App.World.Perform(tx, v, in); return err })
	h.about = fmt.Sprintf("after %v dispatched %s (%v)", v, in.ActionID, err)
	if e := (*svc.Error)(nil); err != nil && !errors.As(err, &e) {
		h.T.Fatal(h.about)
	}
}

// see returns what a member is shown by a world.
func (h *bustle) see(w *world.World, v svc.Viewer) []byte {
	h.T.Helper()
	a, err := w.Read(h.T.Context(), v, dataset.Request{})
	if err != nil {
		if e := (*svc.Error)(nil); errors.As(err, &e) {
			return []byte(e.Error()) // of a member who is switched off
		}
		h.T.Fatal(h.about, err)
	}
	var b bytes.Buffer
	if _, err := a.Body.WriteTo(&b); err != nil {
		h.T.Fatal(err)
	}
	return b.Bytes()
}

// differ returns a little before where two texts are no longer the same.
func differ(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return max(0, n-200)
}

// Whatever happens, a dataset made of what is remembered is the one that is
// made from nothing. Covers PT-47 and B-84.
func TestWhatIsRememberedIsWhatThereIs(t *testing.T) {
	turns := 300
	if testing.Short() {
		turns = 60
	}
	for seed := range svctest.Seeds(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := &bustle{Population: apptest.NewPopulation(t, 6), d: apptest.NewRand(8400 + seed)}
			for range turns {
				h.act()
				for _, v := range h.Viewers {
					if h.d.OneIn(3) {
						continue // what they remember is older then
					}
					known, anew := h.see(h.App.World, v), h.see(h.App.NewWorld(), v)
					if !bytes.Equal(known, anew) {
						from := differ(known, anew)
						t.Fatalf("%s %v sees\n%.500s\nbut there is\n%.500s", h.about, v, known[from:], anew[from:])
					}
				}
			}
		})
	}
}
