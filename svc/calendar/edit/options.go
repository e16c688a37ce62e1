package edit

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// nextDates is the number of dates in each list of a [svc.RuleOption].
const nextDates = 3

// ruleAmbiguous returns the error for a rule that can follow its start in several ways, with
// the ways to choose from.
func ruleAmbiguous(e *ics.AmbiguousError, present *ics.Rule, now time.Time) error {
	err := svc.FieldError(svc.RecurrenceAmbiguous, "rrule", "There are several ways in which this series can follow its new start. Choose one of them.")
	for _, way := range e.Ways {
		rule, text := way.Rule, way.Rule.String()
		if present != nil && text == present.String() {
			text = "RRULE:" + text // otherwise it would be no change
		}
		from, to := way.Moved()
		option := svc.RuleOption{
			RRule: text, Next: formatTimes(way.Next(now, nextDates)), MovedFrom: view.FormatTime(from), Ends: formatTimes(way.Ends(now, nextDates)),
		}
		if !to.IsZero() {
			option.MovedTo = new(view.FormatTime(to))
		}
		err.Fields[0].Options = append(err.Fields[0].Options, option.WithLabel(func(l words.Language) string {
			return view.RuleText(l, rule, e.Start)
		}))
	}
	return err
}

func formatTimes(times []ics.Time) (texts []string) {
	for _, t := range times {
		texts = append(texts, view.FormatTime(t))
	}
	return texts
}
