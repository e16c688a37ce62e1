package httpd

import (
	"maps"
	"net/http"

	"appliance/svc"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/world"
	"appliance/world/compat"
	"appliance/world/dataset"
	"appliance/world/panel"
	"appliance/world/record"
)

// Parameters that several routes read themselves.
var (
	since         = parameter{"since", "query", stringSchema, "Revision of the dataset that the client has: only changes are returned.", false}
	runtimeHeader = parameter{"X-Service-Runtime", "header", stringSchema, "Name of the runtime, and optionally its capabilities.", true}

	latitude   = parameter{"lat", "query", numberSchema, "Latitude of the position in degrees; with lon.", false}
	longitude  = parameter{"lon", "query", numberSchema, "Longitude of the position in degrees; with lat.", false}
	categories = parameter{"categories", "query", stringSchema, "Categories of places, separated by commas; all by default.", false}
	radius     = parameter{"radius", "query", map[string]any{"type": "integer"}, "Radius of the field in metres.", false}

	datasetParameters = []parameter{
		runtimeHeader,
		{"sections", "query", stringSchema, "Sections to return, separated by commas; all by default.", false},
		{"caps", "query", stringSchema, "Capabilities, instead of those in the header.", false},
		latitude, longitude, radius, categories,
	}

	areaParameters = []parameter{
		{"south", "query", numberSchema, "Southern border in degrees.", false}, {"west", "query", numberSchema, "Western border.", false},
		{"north", "query", numberSchema, "Northern border.", false}, {"east", "query", numberSchema, "Eastern border.", false}, latitude, longitude, radius, categories,
	}

	panelParameters = []parameter{{"sections", "query", stringSchema, "Ids of the sections to return, separated by commas; all by default.", false}}

	stringSchema = map[string]any{"type": "string"}
	numberSchema = map[string]any{"type": "number"}
)

// schemaList is the response of GET /world/schemas.
var schemaList = fields{"schemas": typeOf[svc.List[schemaLink]](), "openapi": typeOf[string]()}

// descriptions describes the routes of World, by pattern. Aliases have the description of
// their route. The HTML pages are not described.
var descriptions = merge(worldDescriptions, identityDescriptions, operatorDescriptions, socialDescriptions)

// merge returns the union of maps.
func merge[V any](list ...map[string]V) map[string]V {
	all := make(map[string]V)
	for _, m := range list {
		maps.Copy(all, m)
	}
	return all
}

var worldDescriptions = map[string]description{
	"GET " + openAPIURL:                   {summary: "Read this document", result: resultOf[map[string]any](), etag: true},
	"GET /world/schemas":                  {summary: "List the contracts", result: schemaList},
	"GET /world/schemas/{name}/{version}": {summary: "Read the JSON Schema of a contract", media: []string{"application/schema+json"}},
	"GET /world/runtime":                  {summary: "Read the dataset of the member", params: append([]parameter{since}, datasetParameters...), result: resultOf[dataset.Dataset](), etag: true},
	"GET /world/stream": {
		summary: "Receive events that name what has changed", media: []string{"text/event-stream"}, errors: []int{http.StatusServiceUnavailable},
		params: []parameter{{"Last-Event-ID", "header", stringSchema, "Id of the last event that the client has received.", false}},
	},
	"GET /world/panels/today": {summary: "Read the panel of today", input: typeOf[todayQuery](), result: resultOf[panel.TodayPanel](), params: panelParameters, etag: true},
	"GET /world/session":      {summary: "Read the session: dock, surfaces, field and services", params: datasetParameters, result: resultOf[compat.Session](), etag: true},
	"POST /world/session":     {summary: "Read the dataset as test harnesses do", input: typeOf[dataset.SessionRequest](), params: datasetParameters, result: resultOf[dataset.Dataset]()},
	"GET /world/translated": {
		summary: "Read the dataset with presentation hints", result: resultOf[compat.Translated](), etag: true,
		params: append([]parameter{{"thread", "query", stringSchema, "Id of the selected thread.", false}}, datasetParameters...), errors: []int{http.StatusNotFound},
	},
	"POST /world/actions/{action_id}": {
		summary: "Perform an action of the dataset", input: typeOf[world.Dispatch](), params: append([]parameter{since}, datasetParameters[1:]...), once: true, result: resultOf[world.ActionResponse](),
		errors: []int{http.StatusConflict, http.StatusFailedDependency},
	},

	"GET /world/panels/find":         {summary: "Read the panel of Find", result: resultOf[panel.FindPanel](), params: panelParameters, etag: true},
	"POST /world/find/query":         {summary: "Search places and web pages", input: typeOf[find.Request](), once: true, result: resultOf[compat.FindResponse](), errors: []int{http.StatusConflict}},
	"POST /world/find/history/clear": {summary: "Delete the latest searches", result: fields{"status": typeOf[string]()}},

	"GET /world/maps/tiles/{layer}/{z}/{x}/{file}": {summary: "Read a tile of the map", media: []string{"image/png"}, etag: true},
	"GET /world/field/objects":                     {summary: "List the places in an area, or their numbers", params: areaParameters, result: resultOf[compat.FieldArea]()},
	"GET /world/pictures/{picture_id}":             {summary: "Read a picture of a page that a surface shows", media: pageImageTypes, etag: true, errors: pictureErrors},
	"GET /world/pictures/{picture_id}/thumb":       {summary: "Read a thumbnail of a picture", media: pageImageTypes, etag: true, errors: pictureErrors},
	"POST /world/feeds":                            {summary: "Add a feed that only the member sees", input: typeOf[newFeed](), once: true, result: resultOf[addedFeed](), status: http.StatusCreated, errors: []int{http.StatusConflict, http.StatusFailedDependency}},

	"POST /world/surface/stacks/{stack_key}/focus":        {summary: "Focus a surface of a stack", result: arranged, errors: arrangementErrors},
	"POST /world/surface/stacks/{stack_key}/reorder":      {summary: "Reorder a stack", result: arranged, errors: arrangementErrors},
	"POST /world/surface/surfaces/{surface_id}/placement": {summary: "Place a surface", result: arranged, errors: arrangementErrors},
	"POST /world/surface/surfaces/{surface_id}/remove":    {summary: "Take a surface out of its stack", result: arranged, errors: arrangementErrors},
	"POST /world/surface/surfaces/{surface_id}/open":      {summary: "Open a found place on a map", result: arranged},
	"POST /world/surface/surfaces/{surface_id}/translate": {summary: "Read a found web page", input: typeOf[translateRequest](), once: true, result: arranged, errors: []int{http.StatusFailedDependency}},

	"GET /world/messages":                    {summary: "List the threads, or search messages", input: typeOf[threadsQuery](), result: anyOf{resultOf[record.Inbox](), resultOf[record.SearchResults]()}},
	"POST /world/messages":                   {summary: "Send a message to a member", result: resultOf[record.SentMessage](), errors: []int{http.StatusNotFound}},
	"GET /world/messages/{id}":               {summary: "Read a thread, and mark its messages as read", input: typeOf[messagesQuery](), result: resultOf[record.ThreadDetail]()},
	"GET /world/messages/{id}/messages":      {summary: "List the messages of a thread", input: typeOf[messagesQuery](), result: messagePage},
	"POST /world/messages/{id}/messages":     {summary: "Reply in a thread", result: resultOf[record.SentMessage]()},
	"POST /world/messages/{id}/read":         {summary: "Mark messages as read", result: fields{"thread": typeOf[record.MessageThread]()}},
	"POST /world/messages/{id}/unread":       {summary: "Mark a thread as unread", result: fields{"thread": typeOf[record.MessageThread]()}},
	"POST /world/messages/{id}/participants": {summary: "Always rejected: a thread has two participants", status: noSuccess},
	"GET /world/panels/messages":             {summary: "Read the panel of Messages", input: typeOf[panelQuery](), result: resultOf[panel.MessagesPanel](), params: panelParameters, etag: true, errors: []int{http.StatusNotFound}},
	"GET /world/panels/messages/rail":        {summary: "Read the threads for the side of a screen", result: resultOf[panel.Panel](), params: panelParameters, etag: true},
}

// noSuccess is the status of a route that always responds with an error.
const noSuccess = -1

var (
	arranged          = resultOf[compat.CommandResponse]()
	arrangementErrors = []int{http.StatusPreconditionFailed}
	pageImageTypes    = []string{"image/jpeg", "image/png"}
	pictureErrors     = []int{http.StatusFailedDependency, http.StatusUnprocessableEntity}
)

// confirmed are the errors of a request that confirms the identity of the member.
var confirmed = []int{http.StatusConflict}

var identityDescriptions = map[string]description{
	"GET /world/identity/me":                       {summary: "Read the account of the member", result: resultOf[identity.Me]()},
	"PATCH /world/identity/me":                     {summary: "Change the account of the member", input: typeOf[myChanges](), result: resultOf[identity.Me](), errors: confirmed},
	"POST /world/identity/logout":                  {summary: "Sign out", input: typeOf[logOutRequest](), result: fields{"logged_out": typeOf[bool]()}},
	"POST /world/identity/password":                {summary: "Change the password", input: typeOf[passwordRequest](), result: fields{"changed": typeOf[bool]()}},
	"GET /world/identity/device-passwords":         {summary: "List the device passwords", result: listOf[identity.Device]("device_passwords")},
	"POST /world/identity/device-passwords":        {summary: "Create a device password", input: typeOf[deviceRequest](), result: fields{"device_password": typeOf[identity.NewDevice]()}, status: http.StatusCreated},
	"POST /world/identity/device-setups":           {summary: "Create a link to set up a device", input: typeOf[deviceRequest](), result: fields{"device_setup": typeOf[deviceSetup]()}, status: http.StatusCreated, errors: []int{http.StatusConflict}},
	"DELETE /world/identity/device-passwords/{id}": {summary: "Remove a device password", result: deleted},
	"GET /world/identity/sessions":                 {summary: "List the sessions", result: listOf[identity.Token]("sessions")},
	"DELETE /world/identity/sessions":              {summary: "End all other sessions", result: deleted},
	"GET /world/panels/settings":                   {summary: "Read a view of the settings", input: typeOf[panel.SettingsQuery](), result: resultOf[panel.SettingsPanel](), params: panelParameters, etag: true, errors: []int{http.StatusNotFound}},
	"GET /world/options/timezones":                 {summary: "List the time zones for a control", input: typeOf[optionsQuery](), result: resultOf[record.Options]()},
	"GET /world/options/members":                   {summary: "List the other members for a control", input: typeOf[optionsQuery](), result: resultOf[record.Options]()},
	"DELETE /world/identity/sessions/{id}":         {summary: "End a session", result: deleted},
	"GET /world/identity/export":                   {summary: "Read everything that is stored about the member", result: resultOf[map[string]any](), errors: []int{422}},

	"GET /world/identity/second-factor":                  {summary: "Read the second factors", result: fields{"second_factor": typeOf[identity.SecondFactor]()}},
	"POST /world/identity/second-factor/totp":            {summary: "Add an authenticator app", input: typeOf[confirmation](), result: fields{"totp": typeOf[identity.NewTOTP]()}, status: http.StatusCreated, errors: confirmed},
	"POST /world/identity/second-factor/totp/confirm":    {summary: "Confirm an authenticator app", input: typeOf[totpRequest](), result: recoveryCodes, errors: confirmed},
	"DELETE /world/identity/second-factor/totp":          {summary: "Remove the authenticator app", input: typeOf[confirmation](), result: deleted, errors: []int{http.StatusNotFound}},
	"POST /world/identity/second-factor/recovery-codes":  {summary: "Replace the recovery codes", input: typeOf[confirmation](), result: recoveryCodes, status: http.StatusCreated, errors: confirmed},
	"POST /world/identity/second-factor/passkeys/begin":  {summary: "Begin to add a passkey", input: typeOf[confirmation](), result: resultOf[identity.NewPasskey](), status: http.StatusCreated, errors: confirmed},
	"POST /world/identity/second-factor/passkeys":        {summary: "Add a passkey", input: typeOf[passkeyRequest](), result: recoveryCodes.with(fields{"passkey": typeOf[identity.Passkey]()}), status: http.StatusCreated, errors: confirmed},
	"DELETE /world/identity/second-factor/passkeys/{id}": {summary: "Remove a passkey", input: typeOf[confirmation](), result: deleted},
}

var recoveryCodes = fields{"recovery_codes": typeOf[svc.List[string]]()}

var (
	conflict = []int{http.StatusConflict}
	notFound = []int{http.StatusNotFound}
)
