package httpd

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

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

	// mirror is the path of the same route for clients with the service key, on
	// behalf of a member; "" if there is none. mirrorHandle is its handler if it
	// differs: opening an object marks it as read only for the member.
	mirror       string
	mirrorHandle handler

	// post are the POST routes with the same handler below the path, by their
	// last segment, each with the JSON of fixed fields of the body, "" for none.
	post map[string]string
}

// update and delete are the POST routes of most PATCH and DELETE routes.
var (
	postUpdate = map[string]string{"update": ""}
	postDelete = map[string]string{"delete": ""}
)

// aliases returns the POST routes of a route.
func (rt route) aliases() (list []route) {
	_, path, _ := strings.Cut(rt.pattern, " ")
	for _, name := range slices.Sorted(maps.Keys(rt.post)) {
		list = append(list, route{
			access: rt.access, service: rt.service, pattern: "POST " + path + "/" + name, handle: withFixedFields(rt.handle, rt.post[name]),
		})
	}
	return list
}

// mirrored returns the route for clients with the service key.
func (rt route) mirrored() route {
	method, _, _ := strings.Cut(rt.pattern, " ")
	m := route{access: onBehalf, service: rt.service, pattern: method + " " + rt.mirror, handle: rt.handle}
	if rt.mirrorHandle != nil {
		m.handle = rt.mirrorHandle
	}
	return m
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
	list := s.routeTable()
	for _, rt := range list {
		if rt.mirror != "" {
			list = append(list, rt.mirrored())
		}
		list = append(list, rt.aliases()...)
	}
	return list
}

// routeTable returns the routes, without the mirrored ones and the aliases.
func (s *Server) routeTable() []route {
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
		{access: member, service: "time", pattern: "GET /world/calendars", handle: s.getCalendars, mirror: "/calendars"},
		{access: member, service: "time", pattern: "POST /world/calendars", handle: idempotent(s, http.StatusCreated, s.createCalendar), mirror: "/calendars"},
		{access: member, service: "time", pattern: "GET /world/calendars/{id}", handle: s.getCalendar, mirror: "/calendars/{id}"},
		{access: member, service: "time", pattern: "PATCH /world/calendars/{id}", handle: idempotent(s, http.StatusOK, s.updateCalendar), mirror: "/calendars/{id}", post: postUpdate},
		{access: member, service: "time", pattern: "DELETE /world/calendars/{id}", handle: idempotent(s, http.StatusOK, s.deleteCalendar), mirror: "/calendars/{id}", post: postDelete},
		{access: member, service: "time", pattern: "POST /world/calendars/{id}/import", handle: s.importCalendar},
		{access: member, service: "time", pattern: "GET /world/calendars/{id}/export", handle: s.exportCalendar},
		{access: member, service: "time", pattern: "GET /world/calendars/{id}/feed", handle: s.getCalendarFeed},
		{access: member, service: "time", pattern: "POST /world/calendars/{id}/feed", handle: s.postCalendarFeed},
		{access: member, service: "time", pattern: "DELETE /world/calendars/{id}/feed", handle: s.deleteFeed},
		{access: member, service: "time", pattern: "GET /world/time/objects", handle: s.getTimeObjects},
		{access: member, service: "time", pattern: "POST /world/time/objects", handle: idempotent(s, http.StatusCreated, s.createTimeObject), mirror: "/runtime/objects"},
		{access: member, service: "time", pattern: "GET /world/time/objects/{id}", handle: s.getTimeObject},
		{access: member, service: "time", pattern: "PATCH /world/time/objects/{id}", handle: idempotent(s, http.StatusOK, s.updateTimeObject), mirror: "/runtime/objects/{id}", post: map[string]string{"update": "", "complete": `{"status": "completed"}`, "reopen": `{"status": "needs_action"}`}},
		{access: member, service: "time", pattern: "DELETE /world/time/objects/{id}", handle: idempotent(s, http.StatusOK, s.deleteTimeObject), mirror: "/runtime/objects/{id}", post: postDelete},
		{access: member, service: "time", pattern: "GET /world/time/trash", handle: s.getTrash},
		{access: member, service: "time", pattern: "DELETE /world/time/trash", handle: idempotent(s, http.StatusOK, s.purgeTrash)},
		{access: member, service: "time", pattern: "DELETE /world/time/trash/{id}", handle: idempotent(s, http.StatusOK, s.purgeTrash), post: postDelete},
		{access: member, service: "time", pattern: "POST /world/time/trash/{id}/restore", handle: idempotent(s, http.StatusOK, s.restoreTrashed)},
		{access: member, service: "time", pattern: "GET /world/time/preferences", handle: s.getTimePreferences},
		{access: member, service: "time", pattern: "PATCH /world/time/preferences", handle: idempotent(s, http.StatusOK, s.changeTimePreferences), post: postUpdate},
		{access: member, service: "time", pattern: "GET /world/panels/time", handle: s.getTimePanel, mirror: "/runtime/panel/time"},

		// World: social life
		{access: member, service: "social", pattern: "GET /world/social/circles", handle: s.getCircles, mirror: "/social/circles"},
		{access: member, service: "social", pattern: "GET /world/social/discovery/graph", handle: s.getGraph, mirror: "/social/discovery/graph"},
		{access: member, service: "social", pattern: "GET /world/social/blocks", handle: s.getBlocks, mirror: "/social/blocks"},
		{access: member, service: "social", pattern: "POST /world/social/blocks", handle: idempotent(s, http.StatusCreated, s.block), mirror: "/social/blocks"},
		{access: member, service: "social", pattern: "DELETE /world/social/blocks/{member_id}", handle: idempotent(s, http.StatusOK, s.unblock), mirror: "/social/blocks/{member_id}"},

		// World: the panel of social life
		{access: member, service: "social", pattern: "GET /world/panels/social", handle: s.getSocialPanel, mirror: "/runtime/panel/social"},

		// World: communities and invitations
		{access: member, service: "social", pattern: "GET /world/social/communities", handle: s.getCommunities, mirror: "/social/communities"},
		{access: member, service: "social", pattern: "POST /world/social/communities", handle: idempotent(s, http.StatusCreated, s.createCommunity), mirror: "/social/communities"},
		{access: member, service: "social", pattern: "GET /world/social/communities/{id}", handle: s.getCommunity, mirror: "/social/communities/{id}"},
		{access: member, service: "social", pattern: "PATCH /world/social/communities/{id}", handle: idempotent(s, http.StatusOK, s.updateCommunity), mirror: "/social/communities/{id}", post: map[string]string{"update": "", "make_private": `{"visibility": "private"}`}},
		{access: member, service: "social", pattern: "DELETE /world/social/communities/{id}", handle: idempotent(s, http.StatusOK, s.deleteCommunity), mirror: "/social/communities/{id}", post: postDelete},
		{access: member, service: "social", pattern: "POST /world/social/communities/{id}/join", handle: idempotent(s, http.StatusOK, s.joinCommunity), mirror: "/social/communities/{id}/join"},
		{access: member, service: "social", pattern: "POST /world/social/communities/{id}/leave", handle: idempotent(s, http.StatusOK, s.leaveCommunity), mirror: "/social/communities/{id}/leave"},
		{access: member, service: "social", pattern: "GET /world/social/communities/{id}/members", handle: s.getCommunityMembers, mirror: "/social/communities/{id}/members"},
		{access: member, service: "social", pattern: "PATCH /world/social/communities/{id}/members/{member_id}", handle: idempotent(s, http.StatusOK, s.updateCommunityMember), mirror: "/social/communities/{id}/members/{member_id}", post: map[string]string{"role": "", "admit": `{"state": "active"}`}},
		{access: member, service: "social", pattern: "DELETE /world/social/communities/{id}/members/{member_id}", handle: idempotent(s, http.StatusOK, s.removeCommunityMember), mirror: "/social/communities/{id}/members/{member_id}", post: map[string]string{"remove": ""}},
		{access: member, service: "social", pattern: "GET /world/social/communities/{id}/invitations", handle: s.getCommunityInvitations, mirror: "/social/communities/{id}/invitations"},
		{access: member, service: "social", pattern: "POST /world/social/communities/{id}/invitations", handle: idempotent(s, http.StatusCreated, s.inviteToCommunity), mirror: "/social/communities/{id}/invitations"},
		{access: member, service: "social", pattern: "GET /world/social/invitations", handle: s.getSocialInvitations, mirror: "/social/invitations"},
		{access: member, service: "social", pattern: "POST /world/social/invitations/{id}/accept", handle: idempotent(s, http.StatusOK, s.answerInvitation("accepted")), mirror: "/social/invitations/{id}/accept"},
		{access: member, service: "social", pattern: "POST /world/social/invitations/{id}/decline", handle: idempotent(s, http.StatusOK, s.answerInvitation("declined")), mirror: "/social/invitations/{id}/decline"},
		{access: member, service: "social", pattern: "POST /world/social/invitations/{id}/revoke", handle: idempotent(s, http.StatusOK, s.answerInvitation("revoked")), mirror: "/social/invitations/{id}/revoke"},
		// World: people, and what two say to one another in social life
		{access: member, service: "social", pattern: "GET /world/social/profile", handle: s.getOwnProfile, mirror: "/social/profile"},
		{access: member, service: "social", pattern: "PATCH /world/social/profile", handle: idempotent(s, http.StatusOK, s.updateProfile), mirror: "/social/profile", post: postUpdate},
		{access: member, service: "social", pattern: "GET /world/social/profiles/{member_id}", handle: s.getProfile, mirror: "/social/profiles/{member_id}"},
		{access: member, service: "social", pattern: "POST /world/social/profiles/{member_id}/block", handle: idempotent(s, http.StatusCreated, s.blockProfile)},
		{access: member, service: "social", pattern: "POST /world/social/profiles/{member_id}/dms", handle: idempotent(s, http.StatusCreated, s.startDMWith)},
		{access: member, service: "social", pattern: "GET /world/social/people", handle: s.getPeople, mirror: "/social/people"},
		{access: member, service: "social", pattern: "GET /world/social/presence", handle: s.getPresence, mirror: "/social/presence"},
		{access: member, service: "social", pattern: "POST /world/social/presence", handle: idempotent(s, http.StatusOK, s.setPresence), mirror: "/social/presence"},
		{access: member, service: "social", pattern: "GET /world/social/dms", handle: s.getDMs, mirror: "/social/dms"},
		{access: member, service: "social", pattern: "POST /world/social/dms", handle: idempotent(s, http.StatusCreated, s.startDM), mirror: "/social/dms"},
		{access: member, service: "social", pattern: "GET /world/social/dms/{id}", handle: s.openDM, mirror: "/social/dms/{id}", mirrorHandle: s.getDM},
		{access: member, service: "social", pattern: "GET /world/social/dms/{id}/messages", handle: s.getDMMessages, mirror: "/social/dms/{id}/messages"},
		{access: member, service: "social", pattern: "POST /world/social/dms/{id}/messages", handle: idempotent(s, http.StatusCreated, s.sendDM), mirror: "/social/dms/{id}/messages"},
		{access: member, service: "social", pattern: "POST /world/social/dms/{id}/read", handle: idempotent(s, http.StatusOK, s.readDM), mirror: "/social/dms/{id}/read"},
		// World: conversations, activity, notifications
		{access: member, service: "social", pattern: "GET /world/social/conversations", handle: s.getConversations, mirror: "/social/conversations"},
		{access: member, service: "social", pattern: "POST /world/social/conversations", handle: idempotent(s, http.StatusCreated, s.startConversation), mirror: "/social/conversations"},
		{access: member, service: "social", pattern: "GET /world/social/conversations/{id}", handle: s.openConversation, mirror: "/social/conversations/{id}", mirrorHandle: s.getConversation},
		{access: member, service: "social", pattern: "PATCH /world/social/conversations/{id}", handle: idempotent(s, http.StatusOK, s.updateConversation), mirror: "/social/conversations/{id}", post: map[string]string{"update": "", "reopen": `{"state": "open"}`}},
		{access: member, service: "social", pattern: "DELETE /world/social/conversations/{id}", handle: idempotent(s, http.StatusOK, s.closeConversation), mirror: "/social/conversations/{id}", post: map[string]string{"close": ""}},
		{access: member, service: "social", pattern: "POST /world/social/conversations/{id}/read", handle: idempotent(s, http.StatusOK, s.readConversation), mirror: "/social/conversations/{id}/read"},
		{access: member, service: "social", pattern: "GET /world/social/conversations/{id}/replies", handle: s.getReplies, mirror: "/social/conversations/{id}/messages"},
		{access: member, service: "social", pattern: "POST /world/social/conversations/{id}/replies", handle: idempotent(s, http.StatusCreated, s.postReply), mirror: "/social/conversations/{id}/messages"},
		{access: member, service: "social", pattern: "GET /world/social/activity", handle: s.getActivity, mirror: "/social/activity"},
		{access: member, service: "social", pattern: "GET /world/social/notifications", handle: s.getNotifications, mirror: "/social/notifications"},
		{access: member, service: "social", pattern: "POST /world/social/notifications/read", handle: idempotent(s, http.StatusOK, s.readNotifications), mirror: "/social/notifications/read", post: map[string]string{"all": `{"all": true}`}},
		{access: member, service: "social", pattern: "POST /world/social/notifications/{id}/read", handle: idempotent(s, http.StatusOK, s.readNotification)},
		// World: messages
		{access: member, service: "messages", pattern: "GET /world/messages", handle: s.getThreads, mirror: "/messages"},
		{access: member, service: "messages", pattern: "POST /world/messages", handle: idempotent(s, http.StatusCreated, s.startThread), mirror: "/messages"},
		{access: member, service: "messages", pattern: "GET /world/messages/{id}", handle: s.openThread, mirror: "/messages/{id}", mirrorHandle: s.getThread},
		{access: member, service: "messages", pattern: "GET /world/messages/{id}/messages", handle: s.getMessages},
		{access: member, service: "messages", pattern: "POST /world/messages/{id}/messages", handle: idempotent(s, http.StatusCreated, s.sendMessage), mirror: "/messages/{id}/messages"},
		{access: member, service: "messages", pattern: "POST /world/messages/{id}/read", handle: idempotent(s, http.StatusOK, s.readThread), mirror: "/messages/{id}/read"},
		{access: member, service: "messages", pattern: "POST /world/messages/{id}/participants", handle: s.addParticipant},
		{access: member, service: "messages", pattern: "GET /world/panels/messages", handle: s.getMessagesPanel},
		{access: member, service: "messages", pattern: "GET /world/panels/messages/rail", handle: s.getMessagesRail},
		// World: social events
		{access: member, service: "social", pattern: "GET /world/social/events", handle: s.getEventList, mirror: "/social/events"},
		{access: member, service: "social", pattern: "POST /world/social/events", handle: idempotent(s, http.StatusCreated, s.createSocialEvent), mirror: "/social/events"},
		{access: member, service: "social", pattern: "GET /world/social/events/{id}", handle: s.getSocialEvent, mirror: "/social/events/{id}"},
		{access: member, service: "social", pattern: "PATCH /world/social/events/{id}", handle: idempotent(s, http.StatusOK, s.updateSocialEvent), mirror: "/social/events/{id}", post: postUpdate},
		{access: member, service: "social", pattern: "DELETE /world/social/events/{id}", handle: idempotent(s, http.StatusOK, s.deleteSocialEvent), mirror: "/social/events/{id}", post: map[string]string{"cancel": ""}},
		{access: member, service: "social", pattern: "POST /world/social/events/{id}/rsvp", handle: idempotent(s, http.StatusOK, s.respondToEvent), mirror: "/social/events/{id}/rsvp"},
		{access: member, service: "social", pattern: "GET /world/social/events/{id}/replies", handle: s.getEventReplies, mirror: "/social/events/{id}/replies"},
		{access: member, service: "social", pattern: "POST /world/social/events/{id}/replies", handle: idempotent(s, http.StatusCreated, s.replyToEvent), mirror: "/social/events/{id}/replies"},
		{access: member, service: "social", pattern: "GET /world/social/events/{id}/invitations", handle: s.getEventInvitations, mirror: "/social/events/{id}/invitations"},
		{access: member, service: "social", pattern: "POST /world/social/events/{id}/invitations", handle: idempotent(s, http.StatusCreated, s.inviteToEvent), mirror: "/social/events/{id}/invitations"},

		// World: surfaces and how they are arranged
		{access: member, service: "surface", pattern: "POST /world/surface/stacks/{stack_key}/focus", handle: idempotentArrangement(s, s.focus)},
		{access: member, service: "surface", pattern: "POST /world/surface/stacks/{stack_key}/reorder", handle: idempotentArrangement(s, s.reorder)},
		{access: member, service: "surface", pattern: "POST /world/surface/surfaces/{surface_id}/placement", handle: idempotentArrangement(s, s.place)},
		{access: member, service: "surface", pattern: "POST /world/surface/surfaces/{surface_id}/open", handle: idempotentArrangement(s, s.open)},

		// Calendar feeds
		{access: foreign, service: "time", pattern: "GET /feeds/{file}", handle: s.getFeed},

		// Time, for clients with the service key
		{access: onBehalf, service: "time", pattern: "GET /objects", handle: s.getTimeSources},
		{access: onBehalf, service: "time", pattern: "GET /events", handle: s.getEvents},
		{access: onBehalf, service: "time", pattern: "POST /events", handle: idempotent(s, http.StatusCreated, s.events().create)},
		{access: onBehalf, service: "time", pattern: "GET /events/{id}", handle: s.events().get},
		{access: onBehalf, service: "time", pattern: "PATCH /events/{id}", handle: idempotent(s, http.StatusOK, s.events().update)},
		{access: onBehalf, service: "time", pattern: "DELETE /events/{id}", handle: idempotent(s, http.StatusOK, s.events().delete)},
		{access: onBehalf, service: "time", pattern: "GET /tasks", handle: s.getTasks},
		{access: onBehalf, service: "time", pattern: "POST /tasks", handle: idempotent(s, http.StatusCreated, s.tasks().create)},
		{access: onBehalf, service: "time", pattern: "GET /tasks/{id}", handle: s.tasks().get},
		{access: onBehalf, service: "time", pattern: "PATCH /tasks/{id}", handle: idempotent(s, http.StatusOK, s.tasks().update)},
		{access: onBehalf, service: "time", pattern: "DELETE /tasks/{id}", handle: idempotent(s, http.StatusOK, s.tasks().delete)},

		{access: service, service: "time", pattern: "POST /integrations/social/events", handle: s.pushEvent},

		// Social, for clients with the service key
		{access: onBehalf, service: "social", pattern: "GET /social/objects", handle: s.getSocialSources},

		// The panel of Social, for clients with the service key
		{access: onBehalf, service: "social", pattern: "GET /runtime/panel/social-dms", handle: s.getDMPanel},

		// Messages, for clients with the service key
		{access: onBehalf, service: "messages", pattern: "GET /messages/objects", handle: s.getThreadSources},
		{access: onBehalf, service: "messages", pattern: "GET /runtime/panel/messages", handle: s.getMessagesPanelSource},

		// Surface, for clients with the service key
		{access: onBehalf, service: "surface", pattern: "GET /runtime", handle: s.getSurfaceRuntime},
		{access: onBehalf, service: "surface", pattern: "GET /runtime/surfaces", handle: s.getRuntimeSurfaces},
		{access: onBehalf, service: "surface", pattern: "GET /runtime/stacks", handle: s.getStacks},
		{access: onBehalf, service: "surface", pattern: "GET /runtime/stacks/{stack_key}", handle: s.getStack},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/stacks/{stack_key}/focus", handle: idempotent(s, http.StatusOK, s.focusForService)},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/stacks/{stack_key}/reorder", handle: idempotent(s, http.StatusOK, s.reorderForService)},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/surfaces/{surface_id}/placement", handle: idempotent(s, http.StatusOK, s.placeForService)},
		{access: onBehalf, service: "surface", pattern: "POST /runtime/surfaces/{surface_id}/open", handle: idempotent(s, http.StatusOK, s.openForService)},
		{access: onBehalf, service: "surface", pattern: "GET /surfaces", handle: s.getSurfaces},
		{access: onBehalf, service: "surface", pattern: "POST /surfaces", handle: idempotent(s, http.StatusOK, s.putSurface)},
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
