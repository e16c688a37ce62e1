package world

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"appliance/app/apptest"
)

// editDocuments returns a function that changes the JSON object in a response for a
// path with a prefix and a suffix. Avatars are no JSON.
func editDocuments(prefix, suffix string, change func(doc map[string]any)) func(*http.Response) {
	return func(r *http.Response) {
		if path := r.Request.URL.Path; strings.HasPrefix(path, prefix) && strings.HasSuffix(path, suffix) && !strings.Contains(path, "/avatar/") {
			editResponse(r, change)
		}
	}
}

// objectAt returns the JSON object at a path of a document.
func objectAt(doc any, path string) map[string]any { return apptest.At(doc, path).(map[string]any) }

// These checks fail with most breakages of threads.
const (
	threadList     = "M-14 the list of threads has valid threads, page by page"
	threadOrder    = "M-15 the list of threads is ordered by the latest message"
	threadMembers  = "M-12 a thread has the member and the member in its title"
	dockBadges     = "B-106 the badges of the dock agree with the lists and the panels"
	threadCounts   = "M-19 threads count their messages and the unread ones"
	threadMessages = "M-26 the messages of a thread are its own, the oldest first"
	threadObjects  = "M-16 the threads of the dataset are those of the list"
	socialLists    = "B-64 the lists of Social have valid records, page by page"
	invitations    = "B-65 invitations are to the member"
	settingsLists  = "W-120 the panel of settings lists the sessions, device passwords and blocks that the read routes list"
	socialCounts   = "O-24 the session counts the records of the lists of Social"
)

// listBreakages are breakages of GET /world/messages and GET /world/social/…, at
// least one of each list.
var listBreakages = []breakage{
	{name: "a wrong unread total", response: editDocument("/world/messages", func(d map[string]any) { d["unread_total"] = 99 }), failed: []string{dockBadges, threadCounts}},
	{name: "a wrong message count", response: editDocument("/world/messages", func(d map[string]any) { firstItem(d, "threads")["message_count"] = 77 }),
		failed: []string{threadCounts, threadMessages, threadObjects}},
	{name: "a wrong unread count", response: editDocument("/world/messages", func(d map[string]any) {
		firstItem(d, "threads")["unread_count"] = 2
		d["unread_total"] = json.Number("99")
	}), failed: []string{dockBadges, threadCounts, threadMessages, threadObjects}},
	{name: "another title", response: editDocument("/world/messages", func(d map[string]any) { firstItem(d, "threads")["title"] = "Zoe" }),
		failed: []string{threadMembers, threadMessages, threadObjects}},
	{name: "another summary", response: editDocument("/world/messages", func(d map[string]any) { firstItem(d, "threads")["summary"] = "Nonsense" }),
		failed: []string{threadMessages, threadObjects}},
	{name: "another type of thread", response: editDocument("/world/messages", func(d map[string]any) { firstItem(d, "threads")["type"] = "social_dm" }),
		failed: []string{threadList, threadMessages}},
	{name: "threads in another order", response: editDocument("/world/messages", func(d map[string]any) { slices.Reverse(d["threads"].([]any)) }),
		failed: []string{threadOrder}},
	{name: "a thread twice", response: editDocument("/world/messages", func(d map[string]any) { d["threads"] = append(d["threads"].([]any), firstItem(d, "threads")) }),
		failed: []string{threadList, threadOrder, threadCounts}},
	{name: "the limit of threads is ignored", request: func(r *http.Request) {
		if r.URL.Path == "/world/messages" {
			r.URL.RawQuery = ""
		}
	}, failed: []string{threadList}},
	{name: "a message of another thread", response: editDocuments("/world/messages/", "/messages", func(d map[string]any) {
		firstItem(d, "messages")["thread_id"] = "thr_of_others"
	}), failed: []string{threadMessages}},
	{name: "a message of an outsider", response: editDocuments("/world/messages/", "/messages", func(d map[string]any) {
		firstItem(d, "messages")["sender_identity_user_id"] = 99
	}), failed: []string{threadMessages}},
	{name: "a missing message", response: editDocuments("/world/messages/", "/messages", func(d map[string]any) {
		d["messages"] = d["messages"].([]any)[1:]
	}), failed: []string{threadCounts, threadMessages}},
	{name: "an unknown thread is empty", response: func(r *http.Response) {
		if strings.HasPrefix(r.Request.URL.Path, "/world/messages/thr_that") {
			r.StatusCode = http.StatusOK
			replaceBody(r, "{}")
		}
	}, failed: []string{"M-09 an unknown thread is 404"}},

	{name: "wrong counts in the session", response: editSession(func(d map[string]any) {
		objectAt(firstItem(d, "services", "id", "social"), "objects")["conversations"] = 99
	}), failed: []string{socialCounts}},
	{name: "a missing event", response: editDocument("/world/social/events", func(d map[string]any) { d["events"] = []any{} }), failed: []string{socialCounts}},
	{name: "a wrong member count", response: editDocument("/world/social/communities", func(d map[string]any) {
		firstItem(d, "communities", "visibility", "private")["member_count"] = 7
	}), failed: []string{"O-01 communities count their members"}},
	{name: "a wrong reply count", response: editDocument("/world/social/conversations", func(d map[string]any) {
		firstItem(d, "conversations")["reply_count"] = 7
	}), failed: []string{"O-02 conversations count their replies"}},
	{name: "a record that is no record", response: editDocument("/world/social/conversations", func(d map[string]any) {
		firstItem(d, "conversations")["author"] = "Ann"
	}), failed: []string{socialLists}},
	{name: "a response without its count", response: editDocument("/world/social/events", func(d map[string]any) {
		objectAt(firstItem(d, "events"), "rsvp.counts")["going"] = 0
	}), failed: []string{"O-04 events have consistent responses, times and audiences"}},
	{name: "an event that ends before it starts", response: editDocument("/world/social/events", func(d map[string]any) {
		firstItem(d, "events")["end"] = "2025-01-01T00:00:00"
	}), failed: []string{"O-04 events have consistent responses, times and audiences"}},
	{name: "a wrong unread total of direct messages", response: editDocument("/world/social/dms", func(d map[string]any) { d["unread_total"] = 99 }),
		failed: []string{"O-29 direct messages count their messages and the unread ones"}},
	{name: "a wrong count of direct messages", response: editDocument("/world/social/dms", func(d map[string]any) { firstItem(d, "dms")["message_count"] = 7 }),
		failed: []string{"O-29 direct messages count their messages and the unread ones", "O-29 direct messages have their own messages, the oldest first"}},
	{name: "a direct message of another thread", response: editDocuments("/world/social/dms/", "/messages", func(d map[string]any) {
		firstItem(d, "messages")["thread_id"] = "sdm_of_others"
	}), failed: []string{"O-29 direct messages have their own messages, the oldest first"}},
	{name: "a wrong count of unread notifications", response: editDocument("/world/social/notifications", func(d map[string]any) { d["unread_count"] = 99 }),
		failed: []string{dockBadges, "O-26 notifications count the unread ones"}},
	{name: "activity in another order", response: editDocument("/world/social/activity", func(d map[string]any) { slices.Reverse(d["activity"].([]any)) }),
		failed: []string{"O-25 activity and notifications are ordered, the latest first", socialLists}},
	{name: "a member in two circles", response: editDocument("/world/social/circles", func(d map[string]any) {
		circles := d["circles"].([]any)
		circles[1].(map[string]any)["members"] = circles[0].(map[string]any)["members"]
	}), failed: []string{"O-06 circles have the depths 1 to 3, and no member twice", "O-06 people have the circle that lists them",
		"O-15 the discovery graph has the members of the circles"}},
	{name: "an edge to a stranger", response: editDocument("/world/social/discovery/graph", func(d map[string]any) { firstItem(d, "edges")["to"] = 99 }),
		failed: []string{"O-15 the discovery graph has the members of the circles"}},
	{name: "a node without a circle", response: editDocument("/world/social/discovery/graph", func(d map[string]any) {
		node := maps.Clone(firstItem(d, "nodes"))
		node["member_id"] = 99
		d["nodes"] = append(d["nodes"].([]any), node)
	}), failed: []string{"O-15 the discovery graph has the members of the circles"}},
	{name: "a profile with another name", response: editDocuments("/world/social/profiles/", "", func(d map[string]any) { objectAt(d, "profile")["display_name"] = "Zoe" }),
		failed: []string{"O-22 profiles agree with the list of people"}},
	{name: "a person in another circle", response: editDocument("/world/social/people", func(d map[string]any) {
		firstItem(d, "people", "username", "bea")["circle"] = map[string]any{"depth": 3, "name": "extended"}
	}), failed: []string{"O-06 people have the circle that lists them", "O-22 profiles agree with the list of people"}},
	{name: "a person with another name", response: editDocument("/world/social/people", func(d map[string]any) { firstItem(d, "people")["display_name"] = "Zoe" }),
		failed: []string{"O-22 profiles agree with the list of people"}},
	{name: "a person who is blocked", response: editDocument("/world/social/blocks", func(d map[string]any) {
		firstItem(d, "blocks")["member_id"] = 2
	}), failed: []string{"O-27 blocked members are in no list of members", settingsLists}},
	{name: "a block that is no record", response: editDocument("/world/social/blocks", func(d map[string]any) { d["blocks"] = []any{"Dan"} }),
		failed: []string{socialLists, settingsLists}},
	{name: "an invitation to another member", response: editDocument("/world/social/invitations", func(d map[string]any) {
		objectAt(firstItem(d, "invitations"), "invitee")["id"] = 2
	}), failed: []string{invitations}},
	{name: "an invitation in an unknown state", response: editDocument("/world/social/invitations", func(d map[string]any) { firstItem(d, "invitations")["state"] = "lost" }),
		failed: []string{invitations, socialLists}},
	{name: "one's own presence is missing", response: editDocument("/world/social/presence", func(d map[string]any) { d["presence"] = []any{} }),
		failed: []string{"O-23 the presence of the member is in the list", socialCounts}},
}
