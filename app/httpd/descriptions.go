package httpd

import (
	"maps"
	"net/http"

	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/panel"
	"appliance/world/record"
)

// panelParameters are the parameters that the panels read themselves.
var panelParameters = []parameter{{"sections", "query", stringSchema, "Ids of the sections to return, separated by commas; all by default.", false}}

var (
	stringSchema = map[string]any{"type": "string"}
	numberSchema = map[string]any{"type": "number"}
)

// descriptions describes the routes of World, by pattern. Aliases have the description of
// their route. The HTML pages are not described.
var descriptions = merge(identityDescriptions, operatorDescriptions)

// merge returns the union of maps.
func merge[V any](list ...map[string]V) map[string]V {
	all := make(map[string]V)
	for _, m := range list {
		maps.Copy(all, m)
	}
	return all
}

// noSuccess is the status of a route that always responds with an error.
const noSuccess = -1

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
