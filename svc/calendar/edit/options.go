package edit

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// nextDates is the number of dates of a [svc.RuleOption].
const nextDates = 3

// ruleAmbiguous returns the error for a rule that can follow its start in several ways, with
// the ways to choose from.
func ruleAmbiguous(e *ics.AmbiguousError, present *ics.Rule, now time.Time) error {
	err := svc.FieldError(svc.RecurrenceAmbiguous, "rrule", "There are several ways in which this series can follow its new start. Choose one of them.")
	for _, rule := range e.Rules {
		text := rule.String()
		if present != nil && text == present.String() {
			text = "RRULE:" + text // otherwise it would be no change
		}
		var next []string
		for _, t := range ics.NextDates(rule, e.Start, now, nextDates) {
			next = append(next, view.FormatTime(t))
		}
		err.Fields[0].Options = append(err.Fields[0].Options, svc.NewRuleOption(text, next, func(l words.Language) string {
			return view.RuleText(l, rule, e.Start)
		}))
	}
	return err
}
