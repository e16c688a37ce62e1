package httpd

import (
	"net/http"

	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/world/record"
)

var messagePage = fields{"messages": typeOf[svc.List[messages.Message]](), "page": typeOf[svc.HistoryPage]()}

var socialDescriptions = map[string]description{
	"GET /world/social/dms":                {summary: "List the direct messages", input: typeOf[pageQuery](), result: resultOf[record.SocialDMs]()},
	"POST /world/social/dms":               {summary: "Send a direct message to a member", result: resultOf[dmResponse](), errors: []int{http.StatusNotFound}},
	"GET /world/social/dms/{id}":           {summary: "Read direct messages, and mark them as read", input: typeOf[dmQuery](), result: resultOf[record.SocialDMDetail]()},
	"GET /world/social/dms/{id}/messages":  {summary: "List direct messages", input: typeOf[dmQuery](), result: fields{"messages": typeOf[svc.List[social.DMMessage]](), "page": typeOf[svc.HistoryPage]()}},
	"POST /world/social/dms/{id}/messages": {summary: "Reply to direct messages", result: resultOf[dmResponse]()},
	"POST /world/social/dms/{id}/unread":   {summary: "Mark direct messages as unread", result: resultOf[dmResponse]()},
	"POST /world/social/dms/{id}/read":     {summary: "Mark direct messages as read", result: resultOf[dmResponse]()},
}
