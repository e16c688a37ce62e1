package httpd

import (
	"net/http"

	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/panel"
	"appliance/world/record"
)

// avatarTypes are the media types of the avatars that the server sends.
var avatarTypes = []string{"image/jpeg", "image/png"}

var (
	messagePage     = fields{"messages": typeOf[svc.List[messages.Message]](), "page": typeOf[svc.HistoryPage]()}
	unreadCount     = fields{"unread_count": typeOf[int]()}
	memberUpdated   = fields{"member": typeOf[record.CommunityMember]()}.with(refreshed)
	replyPosted     = fields{"reply": typeOf[social.Reply]()}.with(refreshed)
	blockCreated    = fields{"block": typeOf[social.Block]()}.with(refreshed)
	membershipEnded = fields{"membership": typeOf[social.Membership]()}.with(refreshed)
)

var socialDescriptions = map[string]description{
	"GET /world/panels/social":                {summary: "Read a view of the panel of Social", input: typeOf[panel.SocialQuery](), result: resultOf[panel.Panel](), params: panelParameters, etag: true, errors: []int{http.StatusNotFound}},
	"GET /world/social/circles":               {summary: "List the circles and the members in them", result: listOf[social.Circle]("circles")},
	"GET /world/social/discovery/graph":       {summary: "Read how the members of the circles are connected", input: typeOf[graphQuery](), result: resultOf[social.Graph]()},
	"GET /world/social/blocks":                {summary: "List the members that the member blocks", result: listOf[social.Block]("blocks")},
	"POST /world/social/blocks":               {summary: "Block a member", result: blockCreated, errors: []int{http.StatusNotFound}},
	"DELETE /world/social/blocks/{member_id}": {summary: "Remove a block", result: deleted.with(refreshed).with(fields{"undo": typeOf[*record.Undo]()})},

	"GET /world/social/communities":                             {summary: "List the communities", input: typeOf[communitiesQuery](), result: pageOf[record.Community]("communities")},
	"POST /world/social/communities":                            {summary: "Create a community", result: resultOf[communityResponse](), errors: conflict},
	"GET /world/social/communities/{id}":                        {summary: "Read a community", result: resultOf[communityResponse]()},
	"PATCH /world/social/communities/{id}":                      {summary: "Change a community", result: resultOf[communityResponse](), errors: conflict},
	"DELETE /world/social/communities/{id}":                     {summary: "Delete a community", result: deleted.with(refreshed)},
	"POST /world/social/communities/{id}/join":                  {summary: "Join a community", result: resultOf[communityResponse](), errors: conflict},
	"POST /world/social/communities/{id}/leave":                 {summary: "Leave a community", result: membershipEnded},
	"GET /world/social/communities/{id}/members":                {summary: "List the members of a community", input: typeOf[social.ListQuery](), result: pageOf[record.CommunityMember]("members")},
	"PATCH /world/social/communities/{id}/members/{member_id}":  {summary: "Change the role of a community member, or admit one", result: memberUpdated, errors: conflict},
	"DELETE /world/social/communities/{id}/members/{member_id}": {summary: "Remove a community member", result: deleted.with(refreshed)},
	"GET /world/social/communities/{id}/invitations":            {summary: "List the invitations to a community", input: typeOf[social.ListQuery](), result: pageOf[record.Invitation]("invitations")},
	"POST /world/social/communities/{id}/invitations":           {summary: "Invite members to a community", result: resultOf[invitationsResponse](), errors: conflict},
	"GET /world/social/invitations":                             {summary: "List the invitations to the member", input: typeOf[social.ListQuery](), result: pageOf[record.Invitation]("invitations")},
	"POST /world/social/invitations/{id}/accept":                {summary: "Accept an invitation", result: resultOf[invitationResponse](), errors: conflict},
	"POST /world/social/invitations/{id}/decline":               {summary: "Decline an invitation", result: resultOf[invitationResponse](), errors: conflict},
	"POST /world/social/invitations/{id}/revoke":                {summary: "Cancel an invitation", result: resultOf[invitationResponse](), errors: conflict},

	"GET /world/social/profile":                     {summary: "Read the profile of the member", result: resultOf[profileResponse]()},
	"PATCH /world/social/profile":                   {summary: "Change the profile of the member", result: resultOf[profileResponse]()},
	"GET /world/social/profiles/{member_id}":        {summary: "Read the profile of another member", result: resultOf[profileResponse]()},
	"POST /world/social/profiles/{member_id}/block": {summary: "Block the member of a profile", result: blockCreated},
	"POST /world/social/profiles/{member_id}/dms":   {summary: "Send a direct message to the member of a profile", result: resultOf[dmResponse]()},
	"GET /world/social/people":                      {summary: "List the members", input: typeOf[peopleQuery](), result: pageOf[record.Person]("people")},
	"GET /world/social/presence":                    {summary: "List the members who are present", input: typeOf[pageQuery](), result: resultOf[record.PresencePage]()},
	"POST /world/social/presence":                   {summary: "Set the presence of the member", result: fields{"presence": typeOf[social.Presence]()}.with(refreshed)},
	"GET /world/social/dms":                         {summary: "List the direct messages", input: typeOf[pageQuery](), result: resultOf[record.SocialDMs]()},
	"POST /world/social/dms":                        {summary: "Send a direct message to a member", result: resultOf[dmResponse](), errors: []int{http.StatusNotFound}},
	"GET /world/social/dms/{id}":                    {summary: "Read direct messages, and mark them as read", input: typeOf[dmQuery](), result: resultOf[record.SocialDMDetail]()},
	"GET /world/social/dms/{id}/messages":           {summary: "List direct messages", input: typeOf[dmQuery](), result: fields{"messages": typeOf[svc.List[social.DMMessage]](), "page": typeOf[svc.HistoryPage]()}},
	"POST /world/social/dms/{id}/messages":          {summary: "Reply to direct messages", result: resultOf[dmResponse]()},
	"POST /world/social/dms/{id}/unread":            {summary: "Mark direct messages as unread", result: resultOf[dmResponse]()},
	"POST /world/social/dms/{id}/read":              {summary: "Mark direct messages as read", result: resultOf[dmResponse]()},

	"PUT /world/social/profile/avatar":                          {summary: "Set the avatar of the member", bodies: action.PictureTypes, once: true, result: resultOf[profileResponse]()},
	"POST /world/social/profile/avatar":                         {summary: "Set the avatar of the member", bodies: action.PictureTypes, once: true, result: resultOf[profileResponse]()},
	"DELETE /world/social/profile/avatar":                       {summary: "Remove the avatar of the member", result: resultOf[profileResponse]()},
	"GET /world/social/profiles/{member_id}/avatar/{key}":       {summary: "Read the avatar of a member", media: avatarTypes, etag: true},
	"GET /world/social/profiles/{member_id}/avatar/{key}/thumb": {summary: "Read the small avatar of a member", media: avatarTypes, etag: true},
	"PUT /world/social/communities/{id}/avatar":                 {summary: "Set the avatar of a community", bodies: action.PictureTypes, once: true, result: resultOf[communityResponse]()},
	"POST /world/social/communities/{id}/avatar":                {summary: "Set the avatar of a community", bodies: action.PictureTypes, once: true, result: resultOf[communityResponse]()},
	"DELETE /world/social/communities/{id}/avatar":              {summary: "Remove the avatar of a community", result: resultOf[communityResponse]()},
	"GET /world/social/communities/{id}/avatar/{key}":           {summary: "Read the avatar of a community", media: avatarTypes, etag: true},
	"GET /world/social/communities/{id}/avatar/{key}/thumb":     {summary: "Read the small avatar of a community", media: avatarTypes, etag: true},

	"GET /world/social/activity":                 {summary: "List the activity that the member sees", input: typeOf[pageQuery](), result: pageOf[record.Activity]("activity")},
	"GET /world/social/notifications":            {summary: "List the notifications", input: typeOf[pageQuery](), result: pageOf[record.Notification]("notifications").with(unreadCount)},
	"POST /world/social/notifications/read":      {summary: "Mark notifications as read", result: unreadCount.with(refreshed)},
	"POST /world/social/notifications/{id}/read": {summary: "Mark a notification as read", result: unreadCount.with(refreshed)},

	"GET /world/social/events":                   {summary: "List the events", input: typeOf[eventsQuery](), result: pageOf[record.Event]("events")},
	"POST /world/social/events":                  {summary: "Plan an event", result: resultOf[eventResponse](), errors: []int{http.StatusNotFound}},
	"GET /world/social/events/{id}":              {summary: "Read an event and its attendees", result: resultOf[eventResponse]()},
	"PATCH /world/social/events/{id}":            {summary: "Change an event", result: resultOf[eventResponse]()},
	"DELETE /world/social/events/{id}":           {summary: "Cancel an event, or delete it", result: anyOf{resultOf[eventResponse](), deleted.with(refreshed)}, errors: conflict},
	"POST /world/social/events/{id}/rsvp":        {summary: "Respond to an event", result: resultOf[eventResponse](), errors: conflict},
	"GET /world/social/events/{id}/replies":      {summary: "List the replies to an event", input: typeOf[historyQuery](), result: resultOf[repliesResponse]()},
	"POST /world/social/events/{id}/replies":     {summary: "Reply to an event", result: replyPosted},
	"GET /world/social/events/{id}/invitations":  {summary: "List the invitations to an event", input: typeOf[social.ListQuery](), result: pageOf[record.Invitation]("invitations")},
	"POST /world/social/events/{id}/invitations": {summary: "Invite members to an event", result: resultOf[invitationsResponse](), errors: conflict},
}
