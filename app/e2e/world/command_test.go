package world

import (
	"cmp"
	"testing"

	"appliance/app/apptest"
)

// Covers W-36 and PT-02.
func TestEveryCommandHasARoute(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	ann.CreateEntries()
	for _, action := range ann.Dataset().List("actions") {
		method, url := apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string)
		if method == "DELETE" {
			continue // sent below, after the commands that need the objects
		}
		if a := ann.Do(method, url, apptest.At(action, "command.body")); a.Status == 405 || a.Status == 404 || a.Status >= 500 {
			t.Errorf("%s: got status %d, want a route that accepts the method", a.About, a.Status)
		}
	}
	for _, action := range ann.Dataset().List("actions") {
		if apptest.At(action, "command.method") == "DELETE" {
			ann.Do("DELETE", apptest.At(action, "command.url").(string)).Want(200)
		}
	}
}

// filledForm returns the body of an action, with a value for each control: its
// default, or else a valid value. recipients has the recipients of action types;
// other actions get bea.
func filledForm(action any, recipients map[any]string) map[string]any {
	body := apptest.At(action, "command.body").(map[string]any)
	for _, control := range apptest.At(action, "controls").([]any) {
		value := apptest.At(control, "default")
		switch {
		case apptest.At(control, "required") == true && value == "" && apptest.At(control, "type") == "datetime":
			value = "2026-12-05T10:00:00"
		case apptest.At(control, "id") == "recipient":
			value = cmp.Or(recipients[apptest.At(action, "type")], "bea")
		case apptest.At(control, "required") == true && value == "":
			value = "Something"
		}
		body[apptest.At(control, "id").(string)] = value
	}
	return body
}

// Covers W-35 and W-36 for actions with controls.
func TestFilledFormsOfActionsAreAccepted(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	ann.CreateEntries()
	s.Member("cem")
	s.Member("dan")
	ann.CreateCommunity(`{"name": "Family"}`, bea)
	ann.CreateCommunity(`{"name": "Choir", "visibility": "public"}`)
	ann.Do("POST", "/world/social/dms", `{"recipient": "bea", "body": "Hello"}`).Want(201)
	ann.Do("POST", "/world/social/conversations", `{"title": "Trip", "body": "Where to?", "context": {"kind": "open"}}`).Want(201)
	forms := 0
	for _, action := range ann.Dataset().List("actions") {
		if len(apptest.At(action, "controls").([]any)) == 0 {
			continue
		}
		forms++
		body := filledForm(action, map[any]string{"social.community.invite": "cem", "social.block": "dan"})
		if a := ann.Do(apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string), body); a.Status >= 300 {
			t.Errorf("%v with %v: got status %d, want 2xx: %s", apptest.At(action, "type"), body, a.Status, a.Body)
		}
	}
	if forms == 0 {
		t.Error("got no actions with controls, want some")
	}
}
