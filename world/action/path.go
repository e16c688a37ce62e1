package action

import (
	"net/url"
)

// URLs of World, relative to base-url.
const (
	CommunitiesURL   = "/world/social/communities"
	ConversationsURL = "/world/social/conversations"
	EventsURL        = "/world/social/events"
	DMsURL           = "/world/social/dms"
	PresenceURL      = "/world/social/presence"
	BlocksURL        = "/world/social/blocks"

	MessagesURL = "/world/messages"

	TimeObjectsURL = "/world/time/objects"
	RecurrenceURL  = "/world/options/recurrence"
	CalendarsURL   = "/world/calendars"

	TimePanelURL     = "/world/panels/time"
	MessagesPanelURL = "/world/panels/messages"
	SocialPanelURL   = "/world/panels/social"
	FindPanelURL     = "/world/panels/find"
	TodayPanelURL    = "/world/panels/today"

	FindQueryURL    = "/world/find/query"
	FeedsURL        = "/world/feeds"
	ClearHistoryURL = "/world/find/history/clear"

	SettingsPanelURL = "/world/panels/settings"

	TimezoneOptionsURL     = "/world/options/timezones"
	MemberOptionsURL       = "/world/options/members"
	OperatorPanelURL       = "/world/panels/operator"
	OperatorMembersURL     = "/world/operator/members"
	OperatorInvitationsURL = "/world/operator/invitations"
	OperatorRegionsURL     = "/world/operator/regions"
	OperatorProvidersURL   = "/world/operator/providers"

	RuntimeURL = "/world/runtime"
	StreamURL  = "/world/stream"
	ActionsURL = "/world/actions/" // followed by an action_id
)

// SocialViewURL returns the URL of a view of the social panel. id selects one
// record of the view, cursor a later page; both may be "".
func SocialViewURL(view, id, cursor string) string {
	at := SocialPanelURL + "?view=" + view
	if id != "" {
		at += "&id=" + url.QueryEscape(id)
	}
	if cursor != "" {
		at += "&cursor=" + url.QueryEscape(cursor)
	}
	return at
}

// SettingsViewURL returns the URL of a view of the panel of settings. cursor selects
// a later page; it may be "".
func SettingsViewURL(view, cursor string) string {
	at := SettingsPanelURL + "?view=" + view
	if cursor != "" {
		at += "&cursor=" + url.QueryEscape(cursor)
	}
	return at
}

// ThreadPanelURL returns the URL at which the messages panel shows a thread with
// the messages before a cursor, or the newest messages if before is "".
func ThreadPanelURL(id, before string) string {
	query := url.Values{"thread": {id}}
	if before != "" {
		query.Set("before", before)
	}
	return MessagesPanelURL + "?" + query.Encode()
}
