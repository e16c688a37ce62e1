package httpd

import "net/http"

// access says who may use a route.
type access int

const (
	public   access = iota // everyone; requests from other web sites are rejected
	foreign                // everyone, including other web sites: the route ignores cookies
	member                 // members
	operator               // operators
	service                // clients with the service key; for others the route does not exist
	onBehalf               // like service, on behalf of the member that a header names
)

// route is one route of the HTTP interface.
type route struct {
	access  access
	pattern string
	handle  handler
	page    bool   // errors are HTML pages
	service string // hosted service that the route belongs to; "" if it is always on
}

// internal reports whether the route requires the service key.
func (rt route) internal() bool { return rt.access == service || rt.access == onBehalf }

// Route describes a route.
type Route struct {
	Pattern string // of [http.ServeMux]
	Service string // hosted service that the route belongs to; "" if it is always on
	Access  string // "public", "foreign", "member", "operator", "service" or "on-behalf"
	Page    bool   // errors are HTML pages
}

// Routes lists the routes.
func (s *Server) Routes() []Route {
	names := map[access]string{
		public: "public", foreign: "foreign", member: "member", operator: "operator", service: "service", onBehalf: "on-behalf",
	}
	var list []Route
	for _, r := range s.routes() {
		list = append(list, Route{r.pattern, r.service, names[r.access], r.page})
	}
	return list
}

// HasRoute reports whether a route matches the request.
func (s *Server) HasRoute(r *http.Request) bool {
	_, pattern := s.mux.Handler(r)
	return pattern != ""
}

// routes returns all routes.
func (s *Server) routes() []route {
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
		{access: member, service: "time", pattern: "GET /account/calendars", handle: s.getCalendarsPage, page: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/import", handle: s.postImport, page: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/feed", handle: s.postFeed, page: true},
		{access: member, service: "time", pattern: "POST /account/calendars/{id}/feed/delete", handle: s.postFeedDelete, page: true},
		{access: member, service: "time", pattern: "POST /account/trash/{id}/restore", handle: s.postRestore, page: true},
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
		{access: service, pattern: "GET /identity/members", handle: s.getDirectory},
		{access: service, pattern: "POST /identity/dav/validate", handle: s.validateDAV},
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
		{access: member, service: "surface", pattern: "POST /world/actions/{action_id}", handle: s.postAction},

		// World: time
		{access: member, service: "time", pattern: "GET /world/calendars", handle: s.getCalendars},
		{access: member, service: "time", pattern: "POST /world/calendars", handle: relayed(s, http.StatusCreated, s.createCalendar)},
		{access: member, service: "time", pattern: "GET /world/calendars/{id}", handle: s.getCalendar},
		{access: member, service: "time", pattern: "PATCH /world/calendars/{id}", handle: relayed(s, http.StatusOK, s.updateCalendar)},
		{access: member, service: "time", pattern: "DELETE /world/calendars/{id}", handle: relayed(s, http.StatusOK, s.deleteCalendar)},
		{access: member, service: "time", pattern: "POST /world/calendars/{id}/import", handle: s.importCalendar},
		{access: member, service: "time", pattern: "GET /world/calendars/{id}/export", handle: s.exportCalendar},
		{access: member, service: "time", pattern: "GET /world/calendars/{id}/feed", handle: s.getCalendarFeed},
		{access: member, service: "time", pattern: "POST /world/calendars/{id}/feed", handle: s.makeFeed},
		{access: member, service: "time", pattern: "DELETE /world/calendars/{id}/feed", handle: s.deleteFeed},
		{access: member, service: "time", pattern: "GET /world/time/objects", handle: s.getTimeObjects},
		{access: member, service: "time", pattern: "POST /world/time/objects", handle: relayed(s, http.StatusCreated, s.createTimeObject)},
		{access: member, service: "time", pattern: "GET /world/time/objects/{id}", handle: s.getTimeObject},
		{access: member, service: "time", pattern: "PATCH /world/time/objects/{id}", handle: relayed(s, http.StatusOK, s.updateTimeObject)},
		{access: member, service: "time", pattern: "DELETE /world/time/objects/{id}", handle: relayed(s, http.StatusOK, s.deleteTimeObject)},
		{access: member, service: "time", pattern: "GET /world/time/trash", handle: s.getTrash},
		{access: member, service: "time", pattern: "DELETE /world/time/trash", handle: relayed(s, http.StatusOK, s.emptyTrash)},
		{access: member, service: "time", pattern: "DELETE /world/time/trash/{id}", handle: relayed(s, http.StatusOK, s.emptyTrash)},
		{access: member, service: "time", pattern: "POST /world/time/trash/{id}/restore", handle: relayed(s, http.StatusOK, s.restoreTrashed)},
		{access: member, service: "time", pattern: "GET /world/time/preferences", handle: s.getTimePreferences},
		{access: member, service: "time", pattern: "PATCH /world/time/preferences", handle: relayed(s, http.StatusOK, s.changeTimePreferences)},
		{access: member, service: "time", pattern: "GET /world/panels/time", handle: s.getTimePanel},

		// World: social life
		{access: member, service: "social", pattern: "GET /world/social/circles", handle: s.getCircles},
		{access: member, service: "social", pattern: "GET /world/social/discovery/graph", handle: s.getGraph},
		{access: member, service: "social", pattern: "GET /world/social/blocks", handle: s.getBlocks},
		{access: member, service: "social", pattern: "POST /world/social/blocks", handle: relayed(s, http.StatusCreated, s.block)},
		{access: member, service: "social", pattern: "DELETE /world/social/blocks/{member_id}", handle: relayed(s, http.StatusOK, s.unblock)},

		// World: the panel of social life
		{access: member, service: "social", pattern: "GET /world/panels/social", handle: s.getSocialPanel},

		// World: communities and invitations
		{access: member, service: "social", pattern: "GET /world/social/communities", handle: s.getCommunities},
		{access: member, service: "social", pattern: "POST /world/social/communities", handle: relayed(s, http.StatusCreated, s.createCommunity)},
		{access: member, service: "social", pattern: "GET /world/social/communities/{id}", handle: s.getCommunity},
		{access: member, service: "social", pattern: "PATCH /world/social/communities/{id}", handle: relayed(s, http.StatusOK, s.updateCommunity)},
		{access: member, service: "social", pattern: "DELETE /world/social/communities/{id}", handle: relayed(s, http.StatusOK, s.deleteCommunity)},
		{access: member, service: "social", pattern: "POST /world/social/communities/{id}/join", handle: relayed(s, http.StatusOK, s.joinCommunity)},
		{access: member, service: "social", pattern: "POST /world/social/communities/{id}/leave", handle: relayed(s, http.StatusOK, s.leaveCommunity)},
		{access: member, service: "social", pattern: "GET /world/social/communities/{id}/members", handle: s.getCommunityMembers},
		{access: member, service: "social", pattern: "PATCH /world/social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.updateCommunityMember)},
		{access: member, service: "social", pattern: "DELETE /world/social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.removeCommunityMember)},
		{access: member, service: "social", pattern: "GET /world/social/communities/{id}/invitations", handle: s.getCommunityInvitations},
		{access: member, service: "social", pattern: "POST /world/social/communities/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteIntoCommunity)},
		{access: member, service: "social", pattern: "GET /world/social/invitations", handle: s.getSocialInvitations},
		{access: member, service: "social", pattern: "POST /world/social/invitations/{id}/accept", handle: relayed(s, http.StatusOK, s.answerInvitation("accepted"))},
		{access: member, service: "social", pattern: "POST /world/social/invitations/{id}/decline", handle: relayed(s, http.StatusOK, s.answerInvitation("declined"))},
		{access: member, service: "social", pattern: "POST /world/social/invitations/{id}/revoke", handle: relayed(s, http.StatusOK, s.answerInvitation("revoked"))},
		// World: people, and what two say to one another in social life
		{access: member, service: "social", pattern: "GET /world/social/profile", handle: s.getOwnProfile},
		{access: member, service: "social", pattern: "PATCH /world/social/profile", handle: relayed(s, http.StatusOK, s.updateProfile)},
		{access: member, service: "social", pattern: "GET /world/social/profiles/{member_id}", handle: s.getProfile},
		{access: member, service: "social", pattern: "GET /world/social/people", handle: s.getPeople},
		{access: member, service: "social", pattern: "GET /world/social/presence", handle: s.getPresence},
		{access: member, service: "social", pattern: "POST /world/social/presence", handle: relayed(s, http.StatusOK, s.setPresence)},
		{access: member, service: "social", pattern: "GET /world/social/dms", handle: s.getDMs},
		{access: member, service: "social", pattern: "POST /world/social/dms", handle: relayed(s, http.StatusCreated, s.startDM)},
		{access: member, service: "social", pattern: "GET /world/social/dms/{id}", handle: s.openDM},
		{access: member, service: "social", pattern: "GET /world/social/dms/{id}/messages", handle: s.getDMMessages},
		{access: member, service: "social", pattern: "POST /world/social/dms/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendDM)},
		{access: member, service: "social", pattern: "POST /world/social/dms/{id}/read", handle: relayed(s, http.StatusOK, s.readDM)},
		// World: conversations, activity, notifications
		{access: member, service: "social", pattern: "GET /world/social/conversations", handle: s.getConversations},
		{access: member, service: "social", pattern: "POST /world/social/conversations", handle: relayed(s, http.StatusCreated, s.beginConversation)},
		{access: member, service: "social", pattern: "GET /world/social/conversations/{id}", handle: s.openConversation},
		{access: member, service: "social", pattern: "PATCH /world/social/conversations/{id}", handle: relayed(s, http.StatusOK, s.updateConversation)},
		{access: member, service: "social", pattern: "DELETE /world/social/conversations/{id}", handle: relayed(s, http.StatusOK, s.closeConversation)},
		{access: member, service: "social", pattern: "POST /world/social/conversations/{id}/read", handle: relayed(s, http.StatusOK, s.readConversation)},
		{access: member, service: "social", pattern: "GET /world/social/conversations/{id}/replies", handle: s.getReplies},
		{access: member, service: "social", pattern: "POST /world/social/conversations/{id}/replies", handle: relayed(s, http.StatusCreated, s.postReply)},
		{access: member, service: "social", pattern: "GET /world/social/activity", handle: s.getActivity},
		{access: member, service: "social", pattern: "GET /world/social/notifications", handle: s.getNotifications},
		{access: member, service: "social", pattern: "POST /world/social/notifications/read", handle: relayed(s, http.StatusOK, s.readNotifications)},
		// World: messages
		{access: member, service: "messages", pattern: "GET /world/messages", handle: s.getThreads},
		{access: member, service: "messages", pattern: "POST /world/messages", handle: relayed(s, http.StatusCreated, s.startThread)},
		{access: member, service: "messages", pattern: "GET /world/messages/{id}", handle: s.openThread},
		{access: member, service: "messages", pattern: "GET /world/messages/{id}/messages", handle: s.getMessages},
		{access: member, service: "messages", pattern: "POST /world/messages/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendMessage)},
		{access: member, service: "messages", pattern: "POST /world/messages/{id}/read", handle: relayed(s, http.StatusOK, s.readThread)},
		{access: member, service: "messages", pattern: "POST /world/messages/{id}/participants", handle: s.addParticipant},
		{access: member, service: "messages", pattern: "GET /world/panels/messages", handle: s.getMessagesPanel},
		{access: member, service: "messages", pattern: "GET /world/panels/messages/rail", handle: s.getMessagesRail},
		// World: social events
		{access: member, service: "social", pattern: "GET /world/social/events", handle: s.getEventList},
		{access: member, service: "social", pattern: "POST /world/social/events", handle: relayed(s, http.StatusCreated, s.createSocialEvent)},
		{access: member, service: "social", pattern: "GET /world/social/events/{id}", handle: s.getSocialEvent},
		{access: member, service: "social", pattern: "PATCH /world/social/events/{id}", handle: relayed(s, http.StatusOK, s.updateSocialEvent)},
		{access: member, service: "social", pattern: "DELETE /world/social/events/{id}", handle: relayed(s, http.StatusOK, s.deleteSocialEvent)},
		{access: member, service: "social", pattern: "POST /world/social/events/{id}/rsvp", handle: relayed(s, http.StatusOK, s.answerEvent)},
		{access: member, service: "social", pattern: "GET /world/social/events/{id}/replies", handle: s.getEventReplies},
		{access: member, service: "social", pattern: "POST /world/social/events/{id}/replies", handle: relayed(s, http.StatusCreated, s.replyToEvent)},
		{access: member, service: "social", pattern: "GET /world/social/events/{id}/invitations", handle: s.getEventInvitations},
		{access: member, service: "social", pattern: "POST /world/social/events/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteToEvent)},

		// World: surfaces and how they are arranged
		{access: member, service: "surface", pattern: "POST /world/surface/stacks/{stack_key}/focus", handle: arranging(s, s.focus)},
		{access: member, service: "surface", pattern: "POST /world/surface/stacks/{stack_key}/reorder", handle: arranging(s, s.reorder)},
		{access: member, service: "surface", pattern: "POST /world/surface/surfaces/{surface_id}/placement", handle: arranging(s, s.place)},
		{access: member, service: "surface", pattern: "POST /world/surface/surfaces/{surface_id}/open", handle: arranging(s, s.open)},

		// A calendar for whoever has the link
		{access: foreign, service: "time", pattern: "GET /feeds/{file}", handle: s.getFeed},

		// Time, for whoever has the service key
		{access: onBehalf, service: "time", pattern: "GET /objects", handle: s.getTimeSources},
		{access: onBehalf, service: "time", pattern: "GET /runtime/panel/time", handle: s.getTimePanel},
		{access: onBehalf, service: "time", pattern: "POST /runtime/objects", handle: relayed(s, http.StatusCreated, s.createTimeObject)},
		{access: onBehalf, service: "time", pattern: "PATCH /runtime/objects/{id}", handle: relayed(s, http.StatusOK, s.updateTimeObject)},
		{access: onBehalf, service: "time", pattern: "DELETE /runtime/objects/{id}", handle: relayed(s, http.StatusOK, s.deleteTimeObject)},
		{access: onBehalf, service: "time", pattern: "GET /calendars", handle: s.getCalendars},
		{access: onBehalf, service: "time", pattern: "POST /calendars", handle: relayed(s, http.StatusCreated, s.createCalendar)},
		{access: onBehalf, service: "time", pattern: "GET /calendars/{id}", handle: s.getCalendar},
		{access: onBehalf, service: "time", pattern: "PATCH /calendars/{id}", handle: relayed(s, http.StatusOK, s.updateCalendar)},
		{access: onBehalf, service: "time", pattern: "DELETE /calendars/{id}", handle: relayed(s, http.StatusOK, s.deleteCalendar)},
		{access: onBehalf, service: "time", pattern: "GET /events", handle: s.getEvents},
		{access: onBehalf, service: "time", pattern: "POST /events", handle: relayed(s, http.StatusCreated, s.events().create)},
		{access: onBehalf, service: "time", pattern: "GET /events/{id}", handle: s.events().get},
		{access: onBehalf, service: "time", pattern: "PATCH /events/{id}", handle: relayed(s, http.StatusOK, s.events().update)},
		{access: onBehalf, service: "time", pattern: "DELETE /events/{id}", handle: relayed(s, http.StatusOK, s.events().delete)},
		{access: onBehalf, service: "time", pattern: "GET /tasks", handle: s.getTasks},
		{access: onBehalf, service: "time", pattern: "POST /tasks", handle: relayed(s, http.StatusCreated, s.tasks().create)},
		{access: onBehalf, service: "time", pattern: "GET /tasks/{id}", handle: s.tasks().get},
		{access: onBehalf, service: "time", pattern: "PATCH /tasks/{id}", handle: relayed(s, http.StatusOK, s.tasks().update)},
		{access: onBehalf, service: "time", pattern: "DELETE /tasks/{id}", handle: relayed(s, http.StatusOK, s.tasks().delete)},

		{access: service, service: "time", pattern: "POST /integrations/social/events", handle: s.pushEvent},

		// Social, for whoever has the service key
		{access: onBehalf, service: "social", pattern: "GET /social/objects", handle: s.getSocialSources},
		{access: onBehalf, service: "social", pattern: "GET /social/circles", handle: s.getCircles},
		{access: onBehalf, service: "social", pattern: "GET /social/discovery/graph", handle: s.getGraph},
		{access: onBehalf, service: "social", pattern: "GET /social/blocks", handle: s.getBlocks},
		{access: onBehalf, service: "social", pattern: "POST /social/blocks", handle: relayed(s, http.StatusCreated, s.block)},
		{access: onBehalf, service: "social", pattern: "DELETE /social/blocks/{member_id}", handle: relayed(s, http.StatusOK, s.unblock)},

		// The panel of Social, for whoever has the service key
		{access: onBehalf, service: "social", pattern: "GET /runtime/panel/social", handle: s.getSocialPanel},
		{access: onBehalf, service: "social", pattern: "GET /runtime/panel/social-dms", handle: s.getDMPanel},

		// Communities and invitations, for whoever has the service key
		{access: onBehalf, service: "social", pattern: "GET /social/communities", handle: s.getCommunities},
		{access: onBehalf, service: "social", pattern: "POST /social/communities", handle: relayed(s, http.StatusCreated, s.createCommunity)},
		{access: onBehalf, service: "social", pattern: "GET /social/communities/{id}", handle: s.getCommunity},
		{access: onBehalf, service: "social", pattern: "PATCH /social/communities/{id}", handle: relayed(s, http.StatusOK, s.updateCommunity)},
		{access: onBehalf, service: "social", pattern: "DELETE /social/communities/{id}", handle: relayed(s, http.StatusOK, s.deleteCommunity)},
		{access: onBehalf, service: "social", pattern: "POST /social/communities/{id}/join", handle: relayed(s, http.StatusOK, s.joinCommunity)},
		{access: onBehalf, service: "social", pattern: "POST /social/communities/{id}/leave", handle: relayed(s, http.StatusOK, s.leaveCommunity)},
		{access: onBehalf, service: "social", pattern: "GET /social/communities/{id}/members", handle: s.getCommunityMembers},
		{access: onBehalf, service: "social", pattern: "PATCH /social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.updateCommunityMember)},
		{access: onBehalf, service: "social", pattern: "DELETE /social/communities/{id}/members/{member_id}", handle: relayed(s, http.StatusOK, s.removeCommunityMember)},
		{access: onBehalf, service: "social", pattern: "GET /social/communities/{id}/invitations", handle: s.getCommunityInvitations},
		{access: onBehalf, service: "social", pattern: "POST /social/communities/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteIntoCommunity)},
		{access: onBehalf, service: "social", pattern: "GET /social/invitations", handle: s.getSocialInvitations},
		{access: onBehalf, service: "social", pattern: "POST /social/invitations/{id}/accept", handle: relayed(s, http.StatusOK, s.answerInvitation("accepted"))},
		{access: onBehalf, service: "social", pattern: "POST /social/invitations/{id}/decline", handle: relayed(s, http.StatusOK, s.answerInvitation("declined"))},
		{access: onBehalf, service: "social", pattern: "POST /social/invitations/{id}/revoke", handle: relayed(s, http.StatusOK, s.answerInvitation("revoked"))},
		// People and Social DMs, for whoever has the service key
		{access: onBehalf, service: "social", pattern: "GET /social/profile", handle: s.getOwnProfile},
		{access: onBehalf, service: "social", pattern: "PATCH /social/profile", handle: relayed(s, http.StatusOK, s.updateProfile)},
		{access: onBehalf, service: "social", pattern: "GET /social/profiles/{member_id}", handle: s.getProfile},
		{access: onBehalf, service: "social", pattern: "GET /social/people", handle: s.getPeople},
		{access: onBehalf, service: "social", pattern: "GET /social/presence", handle: s.getPresence},
		{access: onBehalf, service: "social", pattern: "POST /social/presence", handle: relayed(s, http.StatusOK, s.setPresence)},
		{access: onBehalf, service: "social", pattern: "GET /social/dms", handle: s.getDMs},
		{access: onBehalf, service: "social", pattern: "POST /social/dms", handle: relayed(s, http.StatusCreated, s.startDM)},
		{access: onBehalf, service: "social", pattern: "GET /social/dms/{id}", handle: s.getDM},
		{access: onBehalf, service: "social", pattern: "GET /social/dms/{id}/messages", handle: s.getDMMessages},
		{access: onBehalf, service: "social", pattern: "POST /social/dms/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendDM)},
		{access: onBehalf, service: "social", pattern: "POST /social/dms/{id}/read", handle: relayed(s, http.StatusOK, s.readDM)},
		// Conversations, activity, notifications, for whoever has the service key
		{access: onBehalf, service: "social", pattern: "GET /social/conversations", handle: s.getConversations},
		{access: onBehalf, service: "social", pattern: "POST /social/conversations", handle: relayed(s, http.StatusCreated, s.beginConversation)},
		{access: onBehalf, service: "social", pattern: "GET /social/conversations/{id}", handle: s.getConversation},
		{access: onBehalf, service: "social", pattern: "PATCH /social/conversations/{id}", handle: relayed(s, http.StatusOK, s.updateConversation)},
		{access: onBehalf, service: "social", pattern: "DELETE /social/conversations/{id}", handle: relayed(s, http.StatusOK, s.closeConversation)},
		{access: onBehalf, service: "social", pattern: "POST /social/conversations/{id}/read", handle: relayed(s, http.StatusOK, s.readConversation)},
		{access: onBehalf, service: "social", pattern: "GET /social/conversations/{id}/messages", handle: s.getReplies},
		{access: onBehalf, service: "social", pattern: "POST /social/conversations/{id}/messages", handle: relayed(s, http.StatusCreated, s.postReply)},
		{access: onBehalf, service: "social", pattern: "GET /social/activity", handle: s.getActivity},
		{access: onBehalf, service: "social", pattern: "GET /social/notifications", handle: s.getNotifications},
		{access: onBehalf, service: "social", pattern: "POST /social/notifications/read", handle: relayed(s, http.StatusOK, s.readNotifications)},
		// Messages, for whoever has the service key
		{access: onBehalf, service: "messages", pattern: "GET /messages", handle: s.getThreads},
		{access: onBehalf, service: "messages", pattern: "POST /messages", handle: relayed(s, http.StatusCreated, s.startThread)},
		{access: onBehalf, service: "messages", pattern: "GET /messages/objects", handle: s.getThreadSources},
		{access: onBehalf, service: "messages", pattern: "GET /messages/{id}", handle: s.getThread},
		{access: onBehalf, service: "messages", pattern: "POST /messages/{id}/messages", handle: relayed(s, http.StatusCreated, s.sendMessage)},
		{access: onBehalf, service: "messages", pattern: "POST /messages/{id}/read", handle: relayed(s, http.StatusOK, s.readThread)},
		{access: onBehalf, service: "messages", pattern: "GET /runtime/panel/messages", handle: s.getMessagesPanelSource},
		// Social events, for whoever has the service key
		{access: onBehalf, service: "social", pattern: "GET /social/events", handle: s.getEventList},
		{access: onBehalf, service: "social", pattern: "POST /social/events", handle: relayed(s, http.StatusCreated, s.createSocialEvent)},
		{access: onBehalf, service: "social", pattern: "GET /social/events/{id}", handle: s.getSocialEvent},
		{access: onBehalf, service: "social", pattern: "PATCH /social/events/{id}", handle: relayed(s, http.StatusOK, s.updateSocialEvent)},
		{access: onBehalf, service: "social", pattern: "DELETE /social/events/{id}", handle: relayed(s, http.StatusOK, s.deleteSocialEvent)},
		{access: onBehalf, service: "social", pattern: "POST /social/events/{id}/rsvp", handle: relayed(s, http.StatusOK, s.answerEvent)},
		{access: onBehalf, service: "social", pattern: "GET /social/events/{id}/replies", handle: s.getEventReplies},
		{access: onBehalf, service: "social", pattern: "POST /social/events/{id}/replies", handle: relayed(s, http.StatusCreated, s.replyToEvent)},
		{access: onBehalf, service: "social", pattern: "GET /social/events/{id}/invitations", handle: s.getEventInvitations},
		{access: onBehalf, service: "social", pattern: "POST /social/events/{id}/invitations", handle: relayed(s, http.StatusCreated, s.inviteToEvent)},

		// Surface, for whoever has the service key
		{access: onBehalf, service: "surface", pattern: "GET /runtime", handle: s.getSurfaceRuntime},
		{access: onBehalf, service: "surface", pattern: "GET /runtime/surfaces", handle: s.getRuntimeSurfaces},
		{access: onBehalf, service: "surface", pattern: "GET /runtime/stacks", handle: s.getStacks},
		{access: onBehalf, service: "surface", pattern: "GET /runtime/stacks/{stack_key}", handle: s.getStack},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/stacks/{stack_key}/focus", handle: relayed(s, http.StatusOK, s.focusAlone)},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/stacks/{stack_key}/reorder", handle: relayed(s, http.StatusOK, s.reorderAlone)},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/surfaces/{surface_id}/placement", handle: relayed(s, http.StatusOK, s.placeAlone)},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/surfaces/{surface_id}/open", handle: relayed(s, http.StatusOK, s.openAlone)},
		{access: onBehalf, service: "surface", pattern: "GET /surfaces", handle: s.getSurfaces},
		{access: onBehalf, service: "surface", pattern: "POST /surfaces", handle: relayed(s, http.StatusOK, s.putSurface)},
		{access: onBehalf, service: "surface", pattern: "GET /surface/{id}", handle: s.getSurface},
		{access: onBehalf, service: "surface", pattern: "POST /surfaces/overlay", handle: s.replaceOverlay},

		// CalDAV; /dav/ is another name of /caldav/
		{access: foreign, pattern: "/.well-known/caldav", handle: s.redirectWellKnown},
		{access: foreign, service: "time", pattern: "/caldav", handle: s.davHandler("/caldav")},
		{access: foreign, service: "time", pattern: "/caldav/", handle: s.davHandler("/caldav")},
		{access: foreign, service: "time", pattern: "/dav", handle: s.davHandler("/dav")},
		{access: foreign, service: "time", pattern: "/dav/", handle: s.davHandler("/dav")},
	}
}
