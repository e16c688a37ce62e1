package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/record"
)

func (s *Server) getActivity(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in pageQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.social.Activity(tx, v, in.Limit, in.Cursor)
		list := make([]record.Activity, len(page.Activity))
		for i, a := range page.Activity {
			list[i] = record.NewActivity(a)
		}
		return map[string]any{"activity": list, "page": linked(r, page.Page)}, err
	})
}

func (s *Server) getNotifications(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in pageQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.social.Notifications(tx, v, in.Limit, in.Cursor)
		list := make([]record.Notification, len(page.Notifications))
		for i, n := range page.Notifications {
			list[i] = record.NewNotification(n)
		}
		return map[string]any{"notifications": list, "page": linked(r, page.Page), "unread_count": page.UnreadCount}, err
	})
}

type notificationRequest struct {
	ID string `json:"-" path:"id"`
}

func (s *Server) markNotificationRead(tx *store.Tx, v svc.Viewer, in notificationRequest) (any, error) {
	unread, err := s.social.MarkNotificationRead(tx, v, in.ID)
	return map[string]any{"unread_count": unread, "refresh": socialRefresh}, err
}

func (s *Server) markNotificationsRead(tx *store.Tx, v svc.Viewer, in social.NotificationSelection) (any, error) {
	unread, err := s.social.MarkNotificationsRead(tx, v, in)
	return map[string]any{"unread_count": unread, "refresh": socialRefresh}, err
}
