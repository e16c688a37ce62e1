package harness

import "testing"

func TestConfirmAndDestructiveMatchTheAction(t *testing.T) {
	for text, want := range map[string][]string{
		`{"method": "DELETE", "type": "delete_calendar", "destructive": true, "controls": []}`:                           nil,
		`{"method": "DELETE", "type": "delete_calendar", "controls": []}`:                                                {"destructive"},
		`{"method": "DELETE", "type": "social.unblock"}`:                                                                 nil,
		`{"method": "POST", "type": "social.community.leave", "destructive": true, "confirm": "It ends."}`:               nil,
		`{"method": "POST", "type": "social.community.leave", "destructive": "yes", "confirm": ""}`:                      {"confirm", "destructive"},
		`{"method": "POST", "type": "a", "confirm": "It ends.", "controls": [{"type": "hidden"}]}`:                       nil,
		`{"method": "POST", "type": "a", "confirm": "It ends.", "controls": [{"type": "hidden"}, {"type": "password"}]}`: {"confirm"},
	} {
		var rec recorder
		rec.checkConsequences(parse(t, text))
		rec.wantProblems(t, text, want...)
	}
}
