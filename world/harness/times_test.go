package harness

import "testing"

// Covers PT-43.
func TestTimesNeedUTCOrATimeZone(t *testing.T) {
	for text, want := range map[string][]string{
		`{"created_at": "2026-12-01T09:00:00Z"}`:                                                      nil,
		`{"created_at": "2026-12-01T09:00:00+01:00"}`:                                                 {"created_at"},
		`{"created_at": "2026-12-01 09:00:00Z"}`:                                                      {"created_at"},
		`{"created_at": "2026-13-01T09:00:00Z"}`:                                                      {"created_at"},
		`{"created_at": "yesterday"}`:                                                                 {"created_at"},
		`{"created_at": 1764579600}`:                                                                  {"created_at"},
		`{"created_at": null}`:                                                                        nil,
		`{"start": "2026-12-01T09:00:00"}`:                                                            {"start"},
		`{"start": "2026-12-01T09:00:00", "timezone": "Europe/Berlin"}`:                               nil,
		`{"timezone": "Europe/Berlin", "occurrence": {"recurrence_id": "2026-12-01T09:00:00"}}`:       nil,
		`{"timezone": null, "start": "2026-12-01T09:00:00"}`:                                          nil,
		`{"timezone": "UTC", "start": "2026-12-01T09:00:00+01:00"}`:                                   {"start"},
		`{"title": "2026-12-01T09:00:00", "date": "2026-12-01"}`:                                      nil,
		`{"list": ["2026-12-01T09:00:00Z", "2026-12-01T09:00:00"]}`:                                   {"list[1]"},
		`{"a": {"timezone": "UTC", "at": "2026-12-01T09:00:00"}, "b": {"at": "2026-12-01T09:00:00"}}`: {"b.at"},
	} {
		var rec recorder
		checkTimes(&rec, parse(t, text))
		rec.wantProblems(t, text, want...)
	}
}
