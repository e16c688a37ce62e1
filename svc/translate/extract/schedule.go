package extract

import (
	"fmt"
	"slices"
	"strings"
)

// weekdays are the keys of Hours.Weekly.
var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

var weekdayNames = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// days is a set of weekdays, from Monday in bit 0 to Sunday in bit 6, and of public
// holidays.
type days uint8

const (
	everyDay     days = 1<<7 - 1
	workdays     days = 1<<5 - 1
	weekend      days = 1<<5 | 1<<6
	holidays     days = 1 << 7
	maxPeriods        = 6 // of a day
	maxHourTexts      = 40
	maxHourText       = 1024 // bytes
)

// minutesPerDay is the minute at which a day ends.
const minutesPerDay = 24 * 60

// schedule contains the hours of the days of a week and of public holidays, in the
// order of days.
type schedule struct {
	periods  [8][]span
	closed   days
	zero     days // stated as 00:00–00:00
	unparsed []string
}

// span is a part of a day in minutes. It ends on the next day if end exceeds
// minutesPerDay.
type span struct{ start, end int }

// newSpan returns the span between two times of a day. It ends on the next day if it
// would end before it starts. ok is false if both are the same time.
func newSpan(start, end int) (s span, ok bool) {
	if end%minutesPerDay < start && end <= minutesPerDay {
		end = end%minutesPerDay + minutesPerDay
	}
	if end == minutesPerDay*2 {
		end = minutesPerDay
	}
	return span{start, end}, start != end && start < minutesPerDay && end-start <= minutesPerDay
}

// set adds hours to days. Hours that overlap earlier hours of a day replace them, as in
// "Mo-Su 09:00-18:00; Sa 10:00-12:00".
func (s *schedule) set(on days, open span) {
	for i := range s.periods {
		if on&(1<<i) == 0 {
			continue
		}
		s.closed &^= 1 << i
		list := slices.DeleteFunc(slices.Clone(s.periods[i]), func(p span) bool { return p.start < open.end && open.start < p.end })
		if len(list) < maxPeriods {
			list = append(list, open)
		}
		slices.SortFunc(list, func(a, b span) int { return a.start - b.start })
		s.periods[i] = list
	}
}

// close marks days as closed.
func (s *schedule) close(on days) {
	s.closed |= on
	for i := range s.periods {
		if on&(1<<i) != 0 {
			s.periods[i] = nil
		}
	}
}

// zeroHours is the text for hours from 00:00 to 00:00 if no other day has hours.
const zeroHours = "00:00–00:00"

// resolveZero interprets 00:00–00:00. If other days have hours, the day is closed, as
// search engines document. Otherwise the place could also be always open, and the hours
// are added to unparsed.
func (s *schedule) resolveZero() {
	if s.zero == 0 {
		return
	}
	if slices.ContainsFunc(s.periods[:], func(list []span) bool { return len(list) > 0 }) {
		for i := range s.periods {
			if s.zero&(1<<i) != 0 && len(s.periods[i]) == 0 {
				s.closed |= 1 << i
			}
		}
	} else {
		s.unparsed = append(s.unparsed, join(" ", s.zero.String(), zeroHours))
	}
	s.zero = 0
}

// String returns the names of the days, such as "Monday, Tuesday".
func (d days) String() string {
	var names []string
	for i, name := range append(weekdayNames[:7:7], "Public holidays") {
		if d&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// period returns the span in the form of the content.
func (s span) period() Period {
	p := Period{Open: clockText(s.start), Close: clockText(s.end), Overnight: s.end > minutesPerDay}
	if p.Overnight {
		p.Close = clockText(s.end - minutesPerDay)
	}
	return p
}

// clockText returns a minute of a day as hh:mm, its end as 24:00.
func clockText(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

// periodsOf returns spans in the form of the content.
func periodsOf(spans []span) (list []Period) {
	for _, s := range spans {
		list = append(list, s.period())
	}
	return list
}

// isAllDay reports whether spans cover the whole day. Many programs write 23:59 for
// its end.
func isAllDay(spans []span) bool {
	return len(spans) == 1 && spans[0].start == 0 && spans[0].end >= minutesPerDay-1
}

// dayText returns the hours of a day as "12:00–14:30, 18:00–22:00".
func dayText(periods []Period) string {
	var list []string
	for _, p := range periods {
		list = append(list, p.Open+"–"+p.Close)
	}
	if text := join(", ", list...); text != "00:00–24:00" && text != "00:00–23:59" {
		return text
	}
	return "Open 24 hours"
}
