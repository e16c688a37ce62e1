package httpd

import (
	"net/http"

	"appliance/svc/identity"
	"appliance/world/panel"
)

var (
	memberManaged = resultOf[changedMember]()
	removedName   = fields{"removed": typeOf[string]()} // name of a region, id of a provider
)

var operatorDescriptions = map[string]description{
	"GET /world/panels/operator":                                     {summary: "Read a view of the administration", input: typeOf[panel.OperatorQuery](), result: resultOf[panel.OperatorPanel](), params: panelParameters, etag: true, errors: []int{http.StatusNotFound}},
	"POST /world/operator/members":                                   {summary: "Add a member", input: typeOf[identity.Registration](), result: memberManaged, status: http.StatusCreated, errors: conflict},
	"PATCH /world/operator/members/{member_id}":                      {summary: "Change a member", input: typeOf[managedChanges](), result: memberManaged, errors: conflict},
	"DELETE /world/operator/members/{member_id}":                     {summary: "Delete a member", input: typeOf[confirmation](), result: deleted.with(refreshed)},
	"POST /world/operator/members/{member_id}/end_sessions":          {summary: "End the sessions of a member", result: memberManaged},
	"POST /world/operator/members/{member_id}/revoke_access":         {summary: "End the sessions of a member and remove the device passwords", result: memberManaged},
	"DELETE /world/operator/members/{member_id}/devices/{device_id}": {summary: "Remove a device password of a member", result: memberManaged},
	"POST /world/operator/members/{member_id}/reset_password":        {summary: "Create a link to choose a new password", input: typeOf[confirmation](), result: resultOf[oneTimeLink](), status: http.StatusCreated},
	"POST /world/operator/members/{member_id}/reset_factor":          {summary: "Remove the second factors of a member", input: typeOf[confirmation](), result: memberManaged},
	"POST /world/operator/members/{member_id}/export":                {summary: "Read everything that is stored about a member", input: typeOf[confirmation](), result: resultOf[map[string]any](), errors: []int{422}},
	"POST /world/operator/members/{member_id}/promote":               {summary: "Make a member an operator", input: typeOf[confirmation](), result: memberManaged, errors: conflict},
	"POST /world/operator/members/{member_id}/demote":                {summary: "Make an operator a member", input: typeOf[confirmation](), result: memberManaged, errors: conflict},
	"POST /world/operator/invitations":                               {summary: "Create an invitation to the server", input: typeOf[inviteRequest](), result: resultOf[newInvitation](), status: http.StatusCreated, errors: conflict},
	"DELETE /world/operator/invitations/{id}":                        {summary: "Withdraw an invitation to the server", result: fields{"revoked": typeOf[bool]()}},
	"POST /world/operator/backups":                                   {summary: "Start a backup", result: fields{"backup_job": typeOf[*panel.BackupJob]()}, status: http.StatusAccepted, errors: conflict},
	"DELETE /world/operator/regions/{id}":                            {summary: "Remove a region of the map", result: removedName, errors: conflict},
	"POST /world/operator/providers/{id}/sync":                       {summary: "Acquire the objects of a provider", result: resultOf[syncedProvider](), errors: []int{http.StatusConflict, http.StatusFailedDependency}},
	"DELETE /world/operator/providers/{id}":                          {summary: "Remove a provider with its objects", result: removedName.with(refreshed)},
}
