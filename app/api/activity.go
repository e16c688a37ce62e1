package api

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// activityOperations declares the operations on activity and notifications.
func (s *Server) activityOperations() []declaration {
	return []declaration{
		operation[svc.PageQuery, activityPage]{
			Request: "GET /world/social/activity", ServicePath: "/social/activity", Service: "social",
			Summary: "List the activity that the member sees",
			Do:      s.listActivity,
		},
		operation[svc.PageQuery, notificationPage]{
			Request: "GET /world/social/notifications", ServicePath: "/social/notifications", Service: "social",
			Summary: "List the notifications",
			Do:      s.listNotifications,
		},
		operation[social.NotificationSelection, unreadResponse]{
			Request: "POST /world/social/notifications/read", ServicePath: "/social/notifications/read", Service: "social",
			Aliases: []action.Alias{{Name: "all", Fixed: svc.Map{"all": true}}}, // request of the action read_notifications
			Summary: "Mark notifications as read",
			Do:      s.markNotificationsRead,
		},
		operation[idRequest, unreadResponse]{
			Action: action.Notifications.Endpoint("mark_read"), Service: "social",
			Summary: "Mark a notification as read",
			Do:      s.markNotificationRead,
		},
	}
}

type activityPage = struct {
	Activity svc.List[record.Activity] `json:"activity"`
	Page     svc.Page                  `json:"page"`
}

func (s *Server) listActivity(tx *store.Tx, v svc.Viewer, in svc.PageQuery) (activityPage, error) {
	page, err := s.Social.Activity(tx, v, in.Limit, in.Cursor)
	return activityPage{record.List(page.Activity, record.NewActivity), page.Page}, err
}

type notificationPage = struct {
	Notifications svc.List[record.Notification] `json:"notifications"`
	Page          svc.Page                      `json:"page"`
	UnreadCount   int                           `json:"unread_count"` // unread notifications on all pages
}

func (s *Server) listNotifications(tx *store.Tx, v svc.Viewer, in svc.PageQuery) (notificationPage, error) {
	page, err := s.Social.Notifications(tx, v, in.Limit, in.Cursor)
	return notificationPage{record.List(page.Notifications, record.NewNotification), page.Page, page.UnreadCount}, err
}

type unreadResponse = struct {
	UnreadCount int         `json:"unread_count"` // remaining unread notifications
	Refresh     refreshHint `json:"refresh"`
}

func (s *Server) markNotificationRead(tx *store.Tx, v svc.Viewer, in idRequest) (unreadResponse, error) {
	unread, err := s.Social.MarkNotificationRead(tx, v, in.ID)
	return unreadResponse{unread, socialRefresh}, err
}

func (s *Server) markNotificationsRead(tx *store.Tx, v svc.Viewer, in social.NotificationSelection) (unreadResponse, error) {
	unread, err := s.Social.MarkNotificationsRead(tx, v, in)
	return unreadResponse{unread, socialRefresh}, err
}
