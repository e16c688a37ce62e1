package app

import "net/http"

// access is who may ask for a route.
type access int

const (
	public   access = iota // anybody
	foreign                // anybody, and another web site's pages too: nothing here counts on a cookie
	member                 // whoever is signed in
	operator               // operators
	internal               // whoever has the service key; for others it does not exist
	onBehalf               // likewise, for the member that they name
)

// route is one line of the table of contents.
type route struct {
	access  access
	pattern string
	handle  handler
	page    bool   // people get its errors, as a page
	unit    string // the service it belongs to
}

// between reports whether the route is for other services, and hidden.
func (rt route) between() bool { return rt.access == internal || rt.access == onBehalf }

// routes is the table of contents of the HTTP interface.
func (s *server) routes() []route {
	return []route{
		// How the server is doing
		{access: public, pattern: "GET /health", handle: s.getHealth},
		{access: public, pattern: "GET /health/{service}", handle: s.getServiceHealth},
		{access: public, pattern: "GET /ready", handle: s.getReady},
		{access: public, pattern: "GET /ready/{service}", handle: s.getServiceReady},

		// Pages
		{access: public, pattern: "GET /{$}", handle: s.getRoot, page: true},
		{access: public, pattern: "GET /app/{$}", handle: s.getApp, page: true},
		{access: public, pattern: "GET /assets/", handle: s.getStyle, page: true},
		{access: public, pattern: "GET /help/{$}", handle: s.getManual, page: true},
		{access: public, pattern: "GET /help/{topic}", handle: s.getManual, page: true},
		{access: public, pattern: "GET /setup", handle: s.getSetup, page: true},
		{access: public, pattern: "POST /setup", handle: s.postSetup, page: true},
		{access: public, pattern: "GET /world/login", handle: s.getLogin, page: true},
		{access: public, pattern: "POST /world/login", handle: s.postLogin, page: true},
		{access: public, pattern: "GET /world/login/done", handle: s.getLoginDone, page: true},
		{access: public, pattern: "POST /world/logout", handle: s.postLogout, page: true},
		{access: public, pattern: "GET /world/register", handle: s.getRegister, page: true},
		{access: public, pattern: "POST /world/register", handle: s.postRegister, page: true},
		{access: public, pattern: "GET /world/invite/{code}", handle: s.getRegister, page: true},
		{access: public, pattern: "POST /world/invite/{code}", handle: s.postRegister, page: true},
		{access: public, pattern: "GET /world/reset/{code}", handle: s.getReset, page: true},
		{access: public, pattern: "POST /world/reset/{code}", handle: s.postReset, page: true},
		{access: member, pattern: "GET /account", handle: s.getAccount, page: true},
		{access: public, pattern: "GET /account/", handle: s.getApp, page: true},
		{access: member, unit: "time", pattern: "GET /account/calendars", handle: s.getCalendarsPage, page: true},
		{access: member, unit: "time", pattern: "POST /account/calendars/{id}/import", handle: s.postImport, page: true},
		{access: member, unit: "time", pattern: "POST /account/calendars/{id}/feed", handle: s.postFeed, page: true},
		{access: member, unit: "time", pattern: "POST /account/calendars/{id}/feed/delete", handle: s.postFeedDelete, page: true},
		{access: member, unit: "time", pattern: "POST /account/trash/{id}/restore", handle: s.postRestore, page: true},
		{access: member, pattern: "POST /account/profile", handle: s.postProfile, page: true},
		{access: member, pattern: "POST /account/password", handle: s.postPassword, page: true},
		{access: member, pattern: "POST /account/devices", handle: s.postDevice, page: true},
		{access: member, pattern: "POST /account/devices/{id}/delete", handle: s.postDeviceDelete, page: true},
		{access: member, pattern: "POST /account/sessions/delete", handle: s.postSessionsDelete, page: true},
		{access: member, pattern: "POST /account/sessions/{id}/delete", handle: s.postSessionDelete, page: true},
		{access: operator, pattern: "POST /account/invitations", handle: s.postInvitation, page: true},
		{access: operator, pattern: "POST /account/invitations/{id}/delete", handle: s.postInvitationDelete, page: true},

		// Identity
		{access: public, pattern: "POST /identity/register", handle: s.register},
		{access: public, pattern: "POST /identity/login", handle: s.logIn},
		{access: member, pattern: "POST /identity/logout", handle: s.logOut},
		{access: member, pattern: "GET /identity/me", handle: s.getMe},
		{access: internal, pattern: "GET /identity/members", handle: s.getDirectory},
		{access: internal, pattern: "POST /identity/dav/validate", handle: s.validateDAV},
		{access: operator, pattern: "GET /admin/members", handle: s.getMembers},
		{access: operator, pattern: "POST /admin/members/update", handle: s.updateMember},

		// World: who I am
		{access: member, pattern: "GET /world/identity/me", handle: s.getMe},
		{access: member, pattern: "POST /world/identity/password", handle: s.changePassword},
		{access: member, pattern: "GET /world/identity/device-passwords", handle: s.getDevices},
		{access: member, pattern: "POST /world/identity/device-passwords", handle: s.addDevice},
		{access: member, pattern: "DELETE /world/identity/device-passwords/{id}", handle: s.deleteDevice},
		{access: member, pattern: "GET /world/identity/sessions", handle: s.getSessions},
		{access: member, pattern: "DELETE /world/identity/sessions/{id}", handle: s.deleteSession},
		{access: member, pattern: "GET /world/identity/export", handle: s.getExport},

		// World: contracts, and the dataset
		{access: public, pattern: "GET /world/schemas", handle: s.getSchemas},
		{access: public, pattern: "GET /world/schemas/{name}/{version}", handle: s.getSchema},
		{access: member, pattern: "GET /world/runtime", handle: s.getRuntime},
		{access: member, pattern: "GET /world/session", handle: s.getSession},
		{access: member, pattern: "POST /world/session", handle: s.postSession},
		{access: member, pattern: "GET /world/translated", handle: s.getTranslated},
		{access: member, pattern: "GET /world/panels/find", handle: s.getFindPanel},
		{access: member, unit: "surface", pattern: "POST /world/actions/{action_id}", handle: s.postAction},

		// World: time
		{access: member, unit: "time", pattern: "GET /world/calendars", handle: s.getCalendars},
		{access: member, unit: "time", pattern: "POST /world/calendars", handle: relayed(s, http.StatusCreated, s.createCalendar)},
		{access: member, unit: "time", pattern: "GET /world/calendars/{id}", handle: s.getCalendar},
		{access: member, unit: "time", pattern: "PATCH /world/calendars/{id}", handle: relayed(s, http.StatusOK, s.updateCalendar)},
		{access: member, unit: "time", pattern: "DELETE /world/calendars/{id}", handle: relayed(s, http.StatusOK, s.deleteCalendar)},
		{access: member, unit: "time", pattern: "POST /world/calendars/{id}/import", handle: s.importCalendar},
		{access: member, unit: "time", pattern: "GET /world/calendars/{id}/export", handle: s.exportCalendar},
		{access: member, unit: "time", pattern: "GET /world/calendars/{id}/feed", handle: s.getCalendarFeed},
		{access: member, unit: "time", pattern: "POST /world/calendars/{id}/feed", handle: s.makeFeed},
		{access: member, unit: "time", pattern: "DELETE /world/calendars/{id}/feed", handle: s.deleteFeed},
		{access: member, unit: "time", pattern: "GET /world/time/objects", handle: s.getTimeObjects},
		{access: member, unit: "time", pattern: "POST /world/time/objects", handle: relayed(s, http.StatusCreated, s.createTimeObject)},
		{access: member, unit: "time", pattern: "GET /world/time/objects/{id}", handle: s.getTimeObject},
		{access: member, unit: "time", pattern: "PATCH /world/time/objects/{id}", handle: relayed(s, http.StatusOK, s.updateTimeObject)},
		{access: member, unit: "time", pattern: "DELETE /world/time/objects/{id}", handle: relayed(s, http.StatusOK, s.deleteTimeObject)},
		{access: member, unit: "time", pattern: "GET /world/time/trash", handle: s.getTrash},
		{access: member, unit: "time", pattern: "DELETE /world/time/trash", handle: relayed(s, http.StatusOK, s.emptyTrash)},
		{access: member, unit: "time", pattern: "DELETE /world/time/trash/{id}", handle: relayed(s, http.StatusOK, s.emptyTrash)},
		{access: member, unit: "time", pattern: "POST /world/time/trash/{id}/restore", handle: relayed(s, http.StatusOK, s.restoreTrashed)},
		{access: member, unit: "time", pattern: "GET /world/time/preferences", handle: s.getTimePreferences},
		{access: member, unit: "time", pattern: "PATCH /world/time/preferences", handle: relayed(s, http.StatusOK, s.changeTimePreferences)},
		{access: member, unit: "time", pattern: "GET /world/panels/time", handle: s.getTimePanel},

		// World: social life
		{access: member, unit: "social", pattern: "GET /world/social/circles", handle: s.getCircles},
		{access: member, unit: "social", pattern: "GET /world/social/discovery/graph", handle: s.getGraph},
		{access: member, unit: "social", pattern: "GET /world/social/blocks", handle: s.getBlocks},
		{access: member, unit: "social", pattern: "POST /world/social/blocks", handle: relayed(s, http.StatusCreated, s.block)},
		{access: member, unit: "social", pattern: "DELETE /world/social/blocks/{member_id}", handle: relayed(s, http.StatusOK, s.unblock)},

		// World: the panel of social life
		{access: member, unit: "social", pattern: "GET /world/panels/social", handle: s.getSocialPanel},

		// World: communities and invitations
		{access: member, unit: "social", pattern: "GET /world/social/communities", handle: s.getCommunities},
		{access: member, unit: "social", pattern: "POST /world/social/communities", handle: relayed(s, http.StatusCreated, s.createCommunity)},
		{access: member, unit: "social", pattern: "GET /world/social/communities/{id}", handle: s.getCommunity},
		{access: member, unit: "social", pattern: "PATCH /world/social/communities/{id}", handle: relayed(s, http.StatusOK, s.updateCommunity)},
		{access: member, unit: "social", pattern: "DELETE /world/social/communities/{id}", handle: relayed(s, http.StatusOK, s.deleteCommunity)},
		{access: member, unit: "social", pattern: "POST /world/social/communities/{id}/join", handle: relayed(s, http.StatusOK, s.joinCommunity)},
		{access: member, unit: "social", pattern: "POST /world/social/communities/{id}/leave", handle: relayed(s, http.StatusOK, s.leaveCommunity)},
		{access: member, unit: "social", pattern: "GET /world/social/communities/{id}/members", handle: s.getCommunityMembers},
		{access: member, unit: "social", pattern: "PATCH /world/social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.updateCommunityMember)},
		{access: member, unit: "social", pattern: "DELETE /world/social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.removeCommunityMember)},
		{access: member, unit: "social", pattern: "GET /world/social/communities/{id}/invitations", handle: s.getCommunityInvitations},
		{access: member, unit: "social", pattern: "POST /world/social/communities/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteIntoCommunity)},
		{access: member, unit: "social", pattern: "GET /world/social/invitations", handle: s.getSocialInvitations},
		{access: member, unit: "social", pattern: "POST /world/social/invitations/{id}/accept", handle: relayed(s, http.StatusOK, s.answerInvitation("accepted"))},
		{access: member, unit: "social", pattern: "POST /world/social/invitations/{id}/decline", handle: relayed(s, http.StatusOK, s.answerInvitation("declined"))},
		{access: member, unit: "social", pattern: "POST /world/social/invitations/{id}/revoke", handle: relayed(s, http.StatusOK, s.answerInvitation("revoked"))},
		// World: people, and what two say to one another in social life
		{access: member, unit: "social", pattern: "GET /world/social/profile", handle: s.getOwnProfile},
		{access: member, unit: "social", pattern: "PATCH /world/social/profile", handle: relayed(s, http.StatusOK, s.updateProfile)},
		{access: member, unit: "social", pattern: "GET /world/social/profiles/{member_id}", handle: s.getProfile},
		{access: member, unit: "social", pattern: "GET /world/social/people", handle: s.getPeople},
		{access: member, unit: "social", pattern: "GET /world/social/presence", handle: s.getPresence},
		{access: member, unit: "social", pattern: "POST /world/social/presence", handle: relayed(s, http.StatusOK, s.setPresence)},
		{access: member, unit: "social", pattern: "GET /world/social/dms", handle: s.getDMs},
		{access: member, unit: "social", pattern: "POST /world/social/dms", handle: relayed(s, http.StatusCreated, s.startDM)},
		{access: member, unit: "social", pattern: "GET /world/social/dms/{id}", handle: s.openDM},
		{access: member, unit: "social", pattern: "GET /world/social/dms/{id}/messages", handle: s.getDMMessages},
		{access: member, unit: "social", pattern: "POST /world/social/dms/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendDM)},
		{access: member, unit: "social", pattern: "POST /world/social/dms/{id}/read", handle: relayed(s, http.StatusOK, s.readDM)},
		// World: conversations, activity, notifications
		{access: member, unit: "social", pattern: "GET /world/social/conversations", handle: s.getConversations},
		{access: member, unit: "social", pattern: "POST /world/social/conversations", handle: relayed(s, http.StatusCreated, s.beginConversation)},
		{access: member, unit: "social", pattern: "GET /world/social/conversations/{id}", handle: s.openConversation},
		{access: member, unit: "social", pattern: "PATCH /world/social/conversations/{id}", handle: relayed(s, http.StatusOK, s.updateConversation)},
		{access: member, unit: "social", pattern: "DELETE /world/social/conversations/{id}", handle: relayed(s, http.StatusOK, s.closeConversation)},
		{access: member, unit: "social", pattern: "POST /world/social/conversations/{id}/read", handle: relayed(s, http.StatusOK, s.readConversation)},
		{access: member, unit: "social", pattern: "GET /world/social/conversations/{id}/replies", handle: s.getReplies},
		{access: member, unit: "social", pattern: "POST /world/social/conversations/{id}/replies", handle: relayed(s, http.StatusCreated, s.postReply)},
		{access: member, unit: "social", pattern: "GET /world/social/activity", handle: s.getActivity},
		{access: member, unit: "social", pattern: "GET /world/social/notifications", handle: s.getNotifications},
		{access: member, unit: "social", pattern: "POST /world/social/notifications/read", handle: relayed(s, http.StatusOK, s.readNotifications)},
		// World: messages
		{access: member, unit: "messages", pattern: "GET /world/messages", handle: s.getThreads},
		{access: member, unit: "messages", pattern: "POST /world/messages", handle: relayed(s, http.StatusCreated, s.startThread)},
		{access: member, unit: "messages", pattern: "GET /world/messages/{id}", handle: s.openThread},
		{access: member, unit: "messages", pattern: "GET /world/messages/{id}/messages", handle: s.getMessages},
		{access: member, unit: "messages", pattern: "POST /world/messages/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendMessage)},
		{access: member, unit: "messages", pattern: "POST /world/messages/{id}/read", handle: relayed(s, http.StatusOK, s.readThread)},
		{access: member, unit: "messages", pattern: "POST /world/messages/{id}/participants", handle: s.addParticipant},
		{access: member, unit: "messages", pattern: "GET /world/panels/messages", handle: s.getMessagesPanel},
		{access: member, unit: "messages", pattern: "GET /world/panels/messages/rail", handle: s.getMessagesRail},
		// World: social events
		{access: member, unit: "social", pattern: "GET /world/social/events", handle: s.getEventList},
		{access: member, unit: "social", pattern: "POST /world/social/events", handle: relayed(s, http.StatusCreated, s.createSocialEvent)},
		{access: member, unit: "social", pattern: "GET /world/social/events/{id}", handle: s.getSocialEvent},
		{access: member, unit: "social", pattern: "PATCH /world/social/events/{id}", handle: relayed(s, http.StatusOK, s.updateSocialEvent)},
		{access: member, unit: "social", pattern: "DELETE /world/social/events/{id}", handle: relayed(s, http.StatusOK, s.deleteSocialEvent)},
		{access: member, unit: "social", pattern: "POST /world/social/events/{id}/rsvp", handle: relayed(s, http.StatusOK, s.answerEvent)},
		{access: member, unit: "social", pattern: "GET /world/social/events/{id}/replies", handle: s.getEventReplies},
		{access: member, unit: "social", pattern: "POST /world/social/events/{id}/replies", handle: relayed(s, http.StatusCreated, s.replyToEvent)},
		{access: member, unit: "social", pattern: "GET /world/social/events/{id}/invitations", handle: s.getEventInvitations},
		{access: member, unit: "social", pattern: "POST /world/social/events/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteToEvent)},

		// World: surfaces and how they are arranged
		{access: member, unit: "surface", pattern: "POST /world/surface/stacks/{stack_key}/focus", handle: arranging(s, s.focus)},
		{access: member, unit: "surface", pattern: "POST /world/surface/stacks/{stack_key}/reorder", handle: arranging(s, s.reorder)},
		{access: member, unit: "surface", pattern: "POST /world/surface/surfaces/{surface_id}/placement", handle: arranging(s, s.place)},
		{access: member, unit: "surface", pattern: "POST /world/surface/surfaces/{surface_id}/open", handle: arranging(s, s.open)},

		// A calendar for whoever has the link
		{access: foreign, unit: "time", pattern: "GET /feeds/{file}", handle: s.getFeed},

		// Time, for whoever has the service key
		{access: onBehalf, unit: "time", pattern: "GET /objects", handle: s.getTimeSources},
		{access: onBehalf, unit: "time", pattern: "GET /runtime/panel/time", handle: s.getTimePanel},
		{access: onBehalf, unit: "time", pattern: "POST /runtime/objects", handle: relayed(s, http.StatusCreated, s.createTimeObject)},
		{access: onBehalf, unit: "time", pattern: "PATCH /runtime/objects/{id}", handle: relayed(s, http.StatusOK, s.updateTimeObject)},
		{access: onBehalf, unit: "time", pattern: "DELETE /runtime/objects/{id}", handle: relayed(s, http.StatusOK, s.deleteTimeObject)},
		{access: onBehalf, unit: "time", pattern: "GET /calendars", handle: s.getCalendars},
		{access: onBehalf, unit: "time", pattern: "POST /calendars", handle: relayed(s, http.StatusCreated, s.createCalendar)},
		{access: onBehalf, unit: "time", pattern: "GET /calendars/{id}", handle: s.getCalendar},
		{access: onBehalf, unit: "time", pattern: "PATCH /calendars/{id}", handle: relayed(s, http.StatusOK, s.updateCalendar)},
		{access: onBehalf, unit: "time", pattern: "DELETE /calendars/{id}", handle: relayed(s, http.StatusOK, s.deleteCalendar)},
		{access: onBehalf, unit: "time", pattern: "GET /events", handle: s.getEvents},
		{access: onBehalf, unit: "time", pattern: "POST /events", handle: relayed(s, http.StatusCreated, s.events().create)},
		{access: onBehalf, unit: "time", pattern: "GET /events/{id}", handle: s.events().get},
		{access: onBehalf, unit: "time", pattern: "PATCH /events/{id}", handle: relayed(s, http.StatusOK, s.events().update)},
		{access: onBehalf, unit: "time", pattern: "DELETE /events/{id}", handle: relayed(s, http.StatusOK, s.events().delete)},
		{access: onBehalf, unit: "time", pattern: "GET /tasks", handle: s.getTasks},
		{access: onBehalf, unit: "time", pattern: "POST /tasks", handle: relayed(s, http.StatusCreated, s.tasks().create)},
		{access: onBehalf, unit: "time", pattern: "GET /tasks/{id}", handle: s.tasks().get},
		{access: onBehalf, unit: "time", pattern: "PATCH /tasks/{id}", handle: relayed(s, http.StatusOK, s.tasks().update)},
		{access: onBehalf, unit: "time", pattern: "DELETE /tasks/{id}", handle: relayed(s, http.StatusOK, s.tasks().delete)},

		{access: internal, unit: "time", pattern: "POST /integrations/social/events", handle: s.pushEvent},

		// Social, for whoever has the service key
		{access: onBehalf, unit: "social", pattern: "GET /social/objects", handle: s.getSocialSources},
		{access: onBehalf, unit: "social", pattern: "GET /social/circles", handle: s.getCircles},
		{access: onBehalf, unit: "social", pattern: "GET /social/discovery/graph", handle: s.getGraph},
		{access: onBehalf, unit: "social", pattern: "GET /social/blocks", handle: s.getBlocks},
		{access: onBehalf, unit: "social", pattern: "POST /social/blocks", handle: relayed(s, http.StatusCreated, s.block)},
		{access: onBehalf, unit: "social", pattern: "DELETE /social/blocks/{member_id}", handle: relayed(s, http.StatusOK, s.unblock)},

		// The panel of Social, for whoever has the service key
		{access: onBehalf, unit: "social", pattern: "GET /runtime/panel/social", handle: s.getSocialPanel},
		{access: onBehalf, unit: "social", pattern: "GET /runtime/panel/social-dms", handle: s.getDMPanel},

		// Communities and invitations, for whoever has the service key
		{access: onBehalf, unit: "social", pattern: "GET /social/communities", handle: s.getCommunities},
		{access: onBehalf, unit: "social", pattern: "POST /social/communities", handle: relayed(s, http.StatusCreated, s.createCommunity)},
		{access: onBehalf, unit: "social", pattern: "GET /social/communities/{id}", handle: s.getCommunity},
		{access: onBehalf, unit: "social", pattern: "PATCH /social/communities/{id}", handle: relayed(s, http.StatusOK, s.updateCommunity)},
		{access: onBehalf, unit: "social", pattern: "DELETE /social/communities/{id}", handle: relayed(s, http.StatusOK, s.deleteCommunity)},
		{access: onBehalf, unit: "social", pattern: "POST /social/communities/{id}/join", handle: relayed(s, http.StatusOK, s.joinCommunity)},
		{access: onBehalf, unit: "social", pattern: "POST /social/communities/{id}/leave", handle: relayed(s, http.StatusOK, s.leaveCommunity)},
		{access: onBehalf, unit: "social", pattern: "GET /social/communities/{id}/members", handle: s.getCommunityMembers},
		{access: onBehalf, unit: "social", pattern: "PATCH /social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.updateCommunityMember)},
		{access: onBehalf, unit: "social", pattern: "DELETE /social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.removeCommunityMember)},
		{access: onBehalf, unit: "social", pattern: "GET /social/communities/{id}/invitations", handle: s.getCommunityInvitations},
		{access: onBehalf, unit: "social", pattern: "POST /social/communities/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteIntoCommunity)},
		{access: onBehalf, unit: "social", pattern: "GET /social/invitations", handle: s.getSocialInvitations},
		{access: onBehalf, unit: "social", pattern: "POST /social/invitations/{id}/accept", handle: relayed(s, http.StatusOK, s.answerInvitation("accepted"))},
		{access: onBehalf, unit: "social", pattern: "POST /social/invitations/{id}/decline", handle: relayed(s, http.StatusOK, s.answerInvitation("declined"))},
		{access: onBehalf, unit: "social", pattern: "POST /social/invitations/{id}/revoke", handle: relayed(s, http.StatusOK, s.answerInvitation("revoked"))},
		// People and Social DMs, for whoever has the service key
		{access: onBehalf, unit: "social", pattern: "GET /social/profile", handle: s.getOwnProfile},
		{access: onBehalf, unit: "social", pattern: "PATCH /social/profile", handle: relayed(s, http.StatusOK, s.updateProfile)},
		{access: onBehalf, unit: "social", pattern: "GET /social/profiles/{member_id}", handle: s.getProfile},
		{access: onBehalf, unit: "social", pattern: "GET /social/people", handle: s.getPeople},
		{access: onBehalf, unit: "social", pattern: "GET /social/presence", handle: s.getPresence},
		{access: onBehalf, unit: "social", pattern: "POST /social/presence", handle: relayed(s, http.StatusOK, s.setPresence)},
		{access: onBehalf, unit: "social", pattern: "GET /social/dms", handle: s.getDMs},
		{access: onBehalf, unit: "social", pattern: "POST /social/dms", handle: relayed(s, http.StatusCreated, s.startDM)},
		{access: onBehalf, unit: "social", pattern: "GET /social/dms/{id}", handle: s.getDM},
		{access: onBehalf, unit: "social", pattern: "GET /social/dms/{id}/messages", handle: s.getDMMessages},
		{access: onBehalf, unit: "social", pattern: "POST /social/dms/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendDM)},
		{access: onBehalf, unit: "social", pattern: "POST /social/dms/{id}/read", handle: relayed(s, http.StatusOK, s.readDM)},
		// Conversations, activity, notifications, for whoever has the service key
		{access: onBehalf, unit: "social", pattern: "GET /social/conversations", handle: s.getConversations},
		{access: onBehalf, unit: "social", pattern: "POST /social/conversations", handle: relayed(s, http.StatusCreated, s.beginConversation)},
		{access: onBehalf, unit: "social", pattern: "GET /social/conversations/{id}", handle: s.getConversation},
		{access: onBehalf, unit: "social", pattern: "PATCH /social/conversations/{id}", handle: relayed(s, http.StatusOK, s.updateConversation)},
		{access: onBehalf, unit: "social", pattern: "DELETE /social/conversations/{id}", handle: relayed(s, http.StatusOK, s.closeConversation)},
		{access: onBehalf, unit: "social", pattern: "POST /social/conversations/{id}/read", handle: relayed(s, http.StatusOK, s.readConversation)},
		{access: onBehalf, unit: "social", pattern: "GET /social/conversations/{id}/messages", handle: s.getReplies},
		{access: onBehalf, unit: "social", pattern: "POST /social/conversations/{id}/messages", handle: relayed(s, http.StatusCreated, s.postReply)},
		{access: onBehalf, unit: "social", pattern: "GET /social/activity", handle: s.getActivity},
		{access: onBehalf, unit: "social", pattern: "GET /social/notifications", handle: s.getNotifications},
		{access: onBehalf, unit: "social", pattern: "POST /social/notifications/read", handle: relayed(s, http.StatusOK, s.readNotifications)},
		// Messages, for whoever has the service key
		{access: onBehalf, unit: "messages", pattern: "GET /messages", handle: s.getThreads},
		{access: onBehalf, unit: "messages", pattern: "POST /messages", handle: relayed(s, http.StatusCreated, s.startThread)},
		{access: onBehalf, unit: "messages", pattern: "GET /messages/objects", handle: s.getThreadSources},
		{access: onBehalf, unit: "messages", pattern: "GET /messages/{id}", handle: s.getThread},
		{access: onBehalf, unit: "messages", pattern: "POST /messages/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendMessage)},
		{access: onBehalf, unit: "messages", pattern: "POST /messages/{id}/read", handle: relayed(s, http.StatusOK, s.readThread)},
		{access: onBehalf, unit: "messages", pattern: "GET /runtime/panel/messages", handle: s.getMessagesPanelSource},
		// Social events, for whoever has the service key
		{access: onBehalf, unit: "social", pattern: "GET /social/events", handle: s.getEventList},
		{access: onBehalf, unit: "social", pattern: "POST /social/events", handle: relayed(s, http.StatusCreated, s.createSocialEvent)},
		{access: onBehalf, unit: "social", pattern: "GET /social/events/{id}", handle: s.getSocialEvent},
		{access: onBehalf, unit: "social", pattern: "PATCH /social/events/{id}", handle: relayed(s, http.StatusOK, s.updateSocialEvent)},
		{access: onBehalf, unit: "social", pattern: "DELETE /social/events/{id}", handle: relayed(s, http.StatusOK, s.deleteSocialEvent)},
		{access: onBehalf, unit: "social", pattern: "POST /social/events/{id}/rsvp", handle: relayed(s, http.StatusOK, s.answerEvent)},
		{access: onBehalf, unit: "social", pattern: "GET /social/events/{id}/replies", handle: s.getEventReplies},
		{access: onBehalf, unit: "social", pattern: "POST /social/events/{id}/replies", handle: relayed(s, http.StatusCreated, s.replyToEvent)},
		{access: onBehalf, unit: "social", pattern: "GET /social/events/{id}/invitations", handle: s.getEventInvitations},
		{access: onBehalf, unit: "social", pattern: "POST /social/events/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteToEvent)},

		// Surface, for whoever has the service key
		{access: onBehalf, unit: "surface", pattern: "GET /runtime", handle: s.getSurfaceRuntime},
		{access: onBehalf, unit: "surface", pattern: "GET /runtime/surfaces", handle: s.getRuntimeSurfaces},
		{access: onBehalf, unit: "surface", pattern: "GET /runtime/stacks", handle: s.getStacks},
		{access: onBehalf, unit: "surface", pattern: "GET /runtime/stacks/{stack_key}", handle: s.getStack},
		{access: onBehalf, unit: "surface", pattern: "POST /runtime/stacks/{stack_key}/focus", handle: relayed(s, http.StatusOK, s.focusAlone)},
		{access: onBehalf, unit: "surface", pattern: "POST /runtime/stacks/{stack_key}/reorder", handle: relayed(s, http.StatusOK, s.reorderAlone)},
		{access: onBehalf, unit: "surface", pattern: "POST /runtime/surfaces/{surface_id}/placement", handle: relayed(s, http.StatusOK, s.placeAlone)},
		{access: onBehalf, unit: "surface", pattern: "POST /runtime/surfaces/{surface_id}/open", handle: relayed(s, http.StatusOK, s.openAlone)},
		{access: onBehalf, unit: "surface", pattern: "GET /surfaces", handle: s.getSurfaces},
		{access: onBehalf, unit: "surface", pattern: "POST /surfaces", handle: relayed(s, http.StatusOK, s.putSurface)},
		{access: onBehalf, unit: "surface", pattern: "GET /surface/{id}", handle: s.getSurface},
		{access: onBehalf, unit: "surface", pattern: "POST /surfaces/overlay", handle: s.replaceOverlay},

		// CalDAV; /dav/ is another name of /caldav/
		{access: foreign, pattern: "/.well-known/caldav", handle: s.wellKnown},
		{access: foreign, unit: "time", pattern: "/caldav", handle: s.davHandler("/caldav")},
		{access: foreign, unit: "time", pattern: "/caldav/", handle: s.davHandler("/caldav")},
		{access: foreign, unit: "time", pattern: "/dav", handle: s.davHandler("/dav")},
		{access: foreign, unit: "time", pattern: "/dav/", handle: s.davHandler("/dav")},
	}
}
