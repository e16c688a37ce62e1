package contract_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"appliance/svc/provider/contract"
)

func TestExampleResultIsAccepted(t *testing.T) {
	example := exampleOf(t, contract.ResultContract)
	r, err := contract.ParseResult(encode(t, example), command(t))
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != contract.Completed || !r.Refresh.Requested || r.PersistentState[0].Facts["due_on"] != "2027-01-10" {
		t.Errorf("got %+v, want a completed renewal", r)
	}
	var got any
	if err := json.Unmarshal(encode(t, r), &got); err != nil || !reflect.DeepEqual(got, any(example)) {
		t.Errorf("got %v, %v, want %v", got, err, example)
	}
}

// Covers V-27.
func TestRequiredKeysOfResults(t *testing.T) {
	for record, keys := range map[string]string{
		"":                           "contract command_id provider operation target_source status persistent_state refresh",
		"/contract":                  "name version",
		"/target_source":             "provider source_type source_id",
		"/persistent_state/0":        "source facts",
		"/persistent_state/0/source": "provider source_type source_id",
		"/refresh":                   "requested",
	} {
		for key := range strings.FieldsSeq(keys) {
			payload := exampleOf(t, contract.ResultContract)
			edit(t, payload, record+"/"+key, absent{})
			_, err := contract.ParseResult(encode(t, payload), command(t))
			wantProblem(t, err, record, `"`+key+`" is missing`)
		}
	}
	for _, optional := range []string{"/message", "/refresh/scope", "/refresh/sources"} {
		payload := exampleOf(t, contract.ResultContract)
		edit(t, payload, optional, absent{})
		if _, err := contract.ParseResult(encode(t, payload), command(t)); err != nil {
			t.Errorf("without %s: got %v, want no error", optional, err)
		}
	}
}

// Covers V-28.
func TestInvalidResults(t *testing.T) {
	for _, c := range []struct {
		pointer string
		value   any
		problem string // pointer
		message string
	}{
		{"", "ok", "", "of type string"},
		{"/contract/name", "service.world.provider_source", "/contract/name", "Write"},
		{"/contract/version", 2, "/contract/version", "Write 1"},
		{"/command_id", "cmd_other", "/command_id", "Write"},
		{"/provider", "museum", "/provider", `Write "library"`},
		{"/operation", "cancel_loan", "/operation", `Write "renew_loan"`},
		{"/target_source/source_id", "89", "/target_source", "not the target_source of the command"},
		{"/target_source/source_type", "book", "/target_source", "not the target_source of the command"},
		{"/target_source/provider", "museum", "/target_source", "not the target_source of the command"},
		{"/status", "done", "/status", `"completed", "accepted", "rejected", "failed"`},
		{"/message", "<b>Renewed</b>", "/message", "markup"},
		{"/message", strings.Repeat("a", 1001), "/message", "the limit is 1000"},
		{"/message", "See surface_runtime", "/message", `"surface_runtime"`},
		{"/url", "https://a.example", "/url", "unknown"},
		{"/persistent_state/0/source/provider", "museum", "/persistent_state/0/source/provider", `Write "library"`},
		{"/persistent_state/0/facts/panel", 1, "/persistent_state/0/facts/panel", `"panel"`},
		{"/persistent_state/0/facts/state", "card", "/persistent_state/0/facts/state", `"card"`},
		{"/persistent_state/0/facts/link", "/world/x", "/persistent_state/0/facts/link", "addresses"},
		{"/persistent_state/0/facts/world_object_id", "x", "/persistent_state/0/facts/world_object_id", "world_object_id"},
		{"/refresh/requested", "yes", "/refresh/requested", "boolean"},
		{"/refresh/scope", "all", "/refresh/scope", `"provider", "sources"`},
		{"/refresh/sources/-", map[string]any{"provider": "museum", "source_type": "a", "source_id": "1"}, "/refresh/sources/0/provider", `Write "library"`},
	} {
		payload := edit(t, exampleOf(t, contract.ResultContract), c.pointer, c.value)
		r, err := contract.ParseResult(encode(t, payload), command(t))
		if r != nil {
			t.Errorf("%s: got a result with the error %v, want none", c.pointer, err)
		}
		wantProblem(t, err, c.problem, c.message)
	}
}

func TestLimitsOfResults(t *testing.T) {
	for text, message := range map[string]string{
		strings.Repeat(" ", contract.MaxResult+1):         "limit is 1048576",
		"[" + strings.Repeat("1,", 30_000) + "1]":         "too many values",
		strings.Repeat("[", 40) + strings.Repeat("]", 40): "nested",
		"<html>": "not JSON",
	} {
		_, err := contract.ParseResult([]byte(text), command(t))
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%.40q: got %v, want %q", text, err, message)
		}
	}
}

// The id of a command is random and made by this server, so that it may contain a term.
func TestTermsInCommandIDsAreAccepted(t *testing.T) {
	c := command(t)
	c.CommandID = "cmd_css"
	payload := exampleOf(t, contract.ResultContract)
	edit(t, payload, "/command_id", c.CommandID)
	if _, err := contract.ParseResult(encode(t, payload), c); err != nil {
		t.Errorf("got %v, want no error", err)
	}
}
