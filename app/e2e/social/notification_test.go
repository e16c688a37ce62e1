package social

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
)

// Covers O-04, O-26, B-71 and M-28: notifications and activity link to their targets, and do not
// contain texts of members.
func TestFeedEntriesOpenTheirTargets(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	conversation := ann.StartConversation("Trip")
	bea.Reply(conversation, "in confidence")
	event := ann.CreateEvent("visibility", "public")
	eventConversation := ann.Do("GET", eventsPath+"/"+event).Want(200).Str("event.conversation_id")
	bea.Reply(eventConversation, "in confidence")
	ann.CreateCommunity(`{"name": "Family"}`, bea) // so that bea can send a DM
	dm := apptest.LastSegment(bea.SendDM(ann, "in confidence"))

	panel := "/world/panels/social?view=%s&id=%s"
	a := ann.Do("GET", notificationsPath).Want(200)
	var got []string
	for _, n := range a.List("notifications") {
		a.WantSchema("service.social.notification", n)
		got = append(got, fmt.Sprint(apptest.At(n, "title"), ", ", apptest.At(n, "summary"), ", ", apptest.At(n, "actions.open")))
	}
	want(t, "notifications of ann", got, []string{
		"Bea sent you a message, Bea, " + fmt.Sprintf(panel, "dms", dm),
		"Bea replied, Dinner, " + fmt.Sprintf(panel, "events", event),
		"Bea replied, Trip, " + fmt.Sprintf(panel, "conversations", conversation),
	})
	activity := bea.Do("GET", activityPath).Want(200)
	for _, entry := range activity.List("activity") {
		activity.WantSchema("service.social.activity", entry)
	}
	want(t, "targets of the activity", activity.Column("activity", "target.title"), "Family Family Dinner Dinner Trip Trip")
	opened := apptest.Values(activity.List("activity"), "actions.open")
	want(t, "links of the activity", opened[2:], []string{
		fmt.Sprintf(panel, "events", event), fmt.Sprintf(panel, "events", event),
		fmt.Sprintf(panel, "conversations", conversation), fmt.Sprintf(panel, "conversations", conversation),
	})
}

func TestNotificationsAreMarkedReadOverHTTP(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	conversation := ann.StartConversation("Trip")
	bea.Reply(conversation, "One")
	bea.Reply(conversation, "Two")
	list := ann.Do("GET", notificationsPath).Want(200)
	want(t, "unread notifications", list.At("unread_count"), 2)
	ann.Do("POST", notificationsPath+"/read", map[string]any{"ids": []string{list.Str("notifications.0.id")}}).Want(200).
		WantValues("", map[string]any{"unread_count": 1})
	ann.Do("POST", notificationsPath+"/read", apptest.Form("all=true")).Want(200).WantValues("", map[string]any{"unread_count": 0})
	wantRejected(s, []rejectedRequest{
		{ann, "POST", notificationsPath + "/read", `{}`, "400 field_required ids"},
		{ann, "GET", notificationsPath + "?cursor=x", nil, "400 invalid_parameter cursor"},
		{ann, "GET", activityPath + "?cursor=x", nil, "400 invalid_parameter cursor"},
	})
}
