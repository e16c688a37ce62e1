package panel

import (
	"appliance/svc"
	"appliance/svc/social"
)

// Badge is the number of things that are new or wait for the member. There is no badge
// for 0.
type Badge struct {
	Count int64     `json:"count"`
	Kind  BadgeKind `json:"kind"`
}

// BadgeKind is the kind of the things that a [Badge] counts.
type BadgeKind string

const (
	Unread  BadgeKind = "unread"
	Waiting BadgeKind = "waiting" // for an answer
	Due     BadgeKind = "due"     // today or earlier
)

// Values implements [svc.Set].
func (BadgeKind) Values() []string { return svc.Values(Unread, Waiting, Due) }

// NewBadge returns the badge for a number, nil for 0.
func NewBadge[N int | int64](n N, kind BadgeKind) *Badge {
	if n == 0 {
		return nil
	}
	return &Badge{int64(n), kind}
}

// SocialBadge returns the badge of Social: its unread notifications, or, if all have been
// read, what waits for an answer of the member.
func SocialBadge(a social.Attention) *Badge {
	if a.Notifications > 0 {
		return NewBadge(a.Notifications, Unread)
	}
	return NewBadge(a.Waiting(), Waiting)
}
