package record

import (
	"encoding/json"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/social"
	"appliance/svc/words"
)

// The request of an undo restores the state before the write.
func TestUndoIsTheRequestThatRevertsTheWrite(t *testing.T) {
	until := time.Date(2026, 12, 24, 9, 0, 0, 0, time.UTC)
	if got := UndoTrash(words.English, nil); got != nil {
		t.Errorf("nothing in the trash: got %+v, want none", got)
	}
	task := view.Object{ID: "tob_1", State: view.State{Status: "in_process", TaskState: &view.TaskState{PercentComplete: 40}}}
	fresh := view.Object{ID: "tob_2", State: view.State{Status: "needs_action", TaskState: &view.TaskState{}}}
	for _, c := range []struct {
		name string
		undo *Undo
		want string
	}{
		{"entry in the trash", UndoTrash(words.English, &calendar.TrashEntry{ID: "tob_1", ExpiresAt: until}),
			`{"label":"Undo","method":"POST","url":"/world/time/trash/tob_1/restore","body":{},"until":"2026-12-24T09:00:00Z"}`},
		{"deleted occurrence", UndoExclusion(words.English, "tob_1", "20261201T090000Z"),
			`{"label":"Undo","method":"PATCH","url":"/world/time/objects/tob_1","body":{"restore_occurrence":"20261201T090000Z"},"until":null}`},
		{"completed task", UndoCompletion(words.English, task, edit.All, ""),
			`{"label":"Undo","method":"PATCH","url":"/world/time/objects/tob_1","body":{"percent_complete":40,"status":"in_process"},"until":null}`},
		{"completed occurrence", UndoCompletion(words.English, fresh, edit.This, "20261201"),
			`{"label":"Undo","method":"PATCH","url":"/world/time/objects/tob_2","body":{"recurrence_id":"20261201","scope":"this","status":"needs_action"},"until":null}`},
		{"completed up to today", UndoCompletion(words.English, fresh, edit.UpToToday, "20261201"),
			`{"label":"Undo","method":"PATCH","url":"/world/time/objects/tob_2","body":{"recurrence_id":"20261201","scope":"up_to_today","status":"needs_action"},"until":null}`},
		{"closed conversation", UndoClosing(words.English, social.Conversation{ID: "cnv_1", State: "closed", Permissions: social.ConversationPermissions{CanClose: true}}),
			`{"label":"Undo","method":"PATCH","url":"/world/social/conversations/cnv_1","body":{"state":"open"},"until":null}`},
		{"blocked member", UndoBlock(words.German, social.Block{MemberID: 7}),
			`{"label":"Rückgängig","method":"DELETE","url":"/world/social/blocks/7","body":{},"until":null}`},
		{"unblocked member", UndoUnblock(words.German, 7),
			`{"label":"Rückgängig","method":"POST","url":"/world/social/blocks","body":{"member_id":7},"until":null}`},
	} {
		got, err := json.Marshal(c.undo)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got\n%s, %v\nwant\n%s", c.name, got, err, c.want)
		}
	}
}

// A member is chosen by the display name, and distinguished by the user name.
func TestMemberOptionsNameTheMember(t *testing.T) {
	o := MemberOptions([]svc.Person{{ID: 7, Username: "ann", DisplayName: "Ann"}}, svc.Page{Limit: 1})
	if len(o.Options) != 1 || o.Options[0].Value != "7" || o.Options[0].Label != "Ann (@ann)" || !o.Options[0].Name || o.Page.Limit != 1 {
		t.Errorf("got %+v, want Ann (@ann) with the value 7, and the page", o)
	}
}

// A place has a distance only if the request has a position.
func TestPlaceHasItsDistance(t *testing.T) {
	p := maps.Place{PlaceID: "osm:node/1", Name: "Café", Formatted: "1 High Street", Point: geo.Point{Latitude: 52.5, Longitude: 13.4}}
	p.Address.City = "Berlin"
	r := NewPlace(p, maps.Opening{})
	if r.Distance != nil || r.Latitude != 52.5 || r.Longitude != 13.4 || r.Address.Formatted != "1 High Street" || r.Address.City != "Berlin" {
		t.Errorf("without a position: got %+v, want the place without a distance", r)
	}
	p.Distance = 12.5
	if r := NewPlace(p, maps.Opening{}); r.Distance == nil || *r.Distance != 12.5 {
		t.Errorf("with a position: got the distance %v, want 12.5", r.Distance)
	}
}
