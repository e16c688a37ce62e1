package edit

import (
	"maps"
	"slices"
	"time"
)

// modelMove is a change of the start of a series: the date from gets the local time to.
type modelMove struct {
	modelForm // after the move
	from, to  time.Time
	rule      modelRule // that follows, without COUNT and UNTIL
	period    string    // in which the rule has one date: "month", "year", "weekyear", or "" for none
	isElapsed bool      // dates keep the elapsed time
}

func (m modelMove) days() int { return daysIn(dateAt(m.from), dateAt(m.to)) }

// shifted returns a local time, moved by the difference.
func (m modelMove) shifted(t time.Time) time.Time {
	t = t.Add(m.to.Sub(m.from))
	if m.isDate {
		t = dateAt(t)
	}
	return t
}

// follow returns how the series follows, and false if it can do so in several ways.
func (s *modelSeries) follow(m modelMove) (modelMove, bool) {
	r := s.rule.clone()
	r.count, r.until = 0, time.Time{}
	m.rule = r
	hasTimes := r.has("BYHOUR") || r.has("BYMINUTE") || r.has("BYSECOND")
	if m.from.Equal(m.to) && m.modelForm == s.modelForm {
		return m, true
	}
	if s.startsOutside() && (m.days() != 0 || hasTimes || r.rank() > 3) {
		return m, false
	}
	switch {
	case m.isDate && s.isDate:
	case m.isDate != s.isDate:
		if r.rank() > 3 || !s.isDate && max(len(r.numbers["BYHOUR"]), len(r.numbers["BYMINUTE"]), len(r.numbers["BYSECOND"])) > 1 {
			return m, false
		}
		for _, part := range []string{"BYHOUR", "BYMINUTE", "BYSECOND"} {
			delete(r.numbers, part)
		}
	default:
		for part, values := range map[string][2]int{
			"BYHOUR": {m.from.Hour(), m.to.Hour()}, "BYMINUTE": {m.from.Minute(), m.to.Minute()}, "BYSECOND": {m.from.Second(), m.to.Second()},
		} {
			switch {
			case values[0] == values[1] || !r.has(part):
			case len(r.numbers[part]) > 1:
				return m, false
			default:
				r.numbers[part] = []int{values[1]}
			}
		}
	}
	m.isElapsed = r.rank() > 3
	if m.days() == 0 {
		return m, true
	}
	if r.skip != "" && r.skip != "OMIT" || r.has("BYSETPOS") || r.rank() > 2 && r.limitsDays() {
		return m, false
	}
	if r.freq == "WEEKLY" {
		for i, d := range r.days {
			r.days[i].Weekday = time.Weekday(((int(d.Weekday)+m.days())%7 + 7) % 7)
		}
		if r.interval > 1 && len(r.days) > 0 {
			m.rule.wkst = time.Weekday(((int(r.wkst)+m.days())%7 + 7) % 7)
		}
		return m, !r.has("BYMONTH") && !r.has("BYMONTHDAY") && !r.has("BYYEARDAY") && !r.has("BYWEEKNO")
	}
	if r.rank() > 1 {
		return m, true
	}
	return m, m.anchor()
}

// anchor sets the day of a rule with one day in each period to that of the new start.
func (m *modelMove) anchor() bool {
	r := m.rule
	parts := 0
	for _, part := range []string{"BYMONTHDAY", "BYYEARDAY", "BYWEEKNO"} {
		if parts += len(r.numbers[part]); len(r.numbers[part]) > 1 {
			return false
		}
	}
	hasPosition := len(r.days) == 1 && r.days[0].N != 0
	signed := func(old, before, after int) int { // days or weeks of the period before and after
		if old < 0 && after <= before {
			return -after - 1
		}
		return before + 1
	}
	switch {
	case r.has("BYWEEKNO"):
		if m.period = "weekyear"; r.freq != "YEARLY" || parts > 1 || hasPosition || len(r.days) > 1 || r.has("BYMONTH") {
			return false
		}
		if r.interval > 1 && (nearNewYear(m.from) || nearNewYear(m.to)) {
			return false
		}
	case r.has("BYYEARDAY"):
		if m.period = "year"; r.freq != "YEARLY" || parts > 1 || len(r.days) > 0 || r.has("BYMONTH") {
			return false
		}
	case len(r.days) > 0 && (!hasPosition || r.has("BYMONTHDAY")):
		return false
	case hasPosition && r.freq == "YEARLY" && !r.has("BYMONTH"):
		m.period = "year"
	default:
		m.period = "month"
	}
	begin, end := m.bounds(m.index(m.to))
	before, after := daysIn(begin, dateAt(m.to)), daysIn(dateAt(m.to), end)-1
	switch {
	case r.has("BYWEEKNO"):
		r.numbers["BYWEEKNO"] = []int{signed(r.numbers["BYWEEKNO"][0], before/7, after/7)}
		if len(r.days) > 0 {
			r.days[0].Weekday = m.to.Weekday()
		}
	case hasPosition:
		r.days[0].N, r.days[0].Weekday = signed(r.days[0].N, before/7, after/7), m.to.Weekday()
	case r.has("BYYEARDAY"):
		r.numbers["BYYEARDAY"] = []int{signed(r.numbers["BYYEARDAY"][0], before, after)}
	case r.has("BYMONTHDAY"):
		r.numbers["BYMONTHDAY"] = []int{signed(r.numbers["BYMONTHDAY"][0], before, after)}
	}
	return m.moveMonths()
}

// nearNewYear reports whether the week of a day may belong to another year than the day.
func nearNewYear(t time.Time) bool { return t.YearDay() <= 7 || t.AddDate(0, 0, 7).Year() > t.Year() }

// moveMonths moves BYMONTH by as many months as the start.
func (m *modelMove) moveMonths() bool {
	by := m.index(m.to) - m.index(m.from)
	if m.period != "month" || by == 0 {
		return true
	}
	r, years := m.rule, make(map[int]bool)
	if r.freq == "YEARLY" && r.interval > 1 && !r.has("BYMONTH") && r.has("BYMONTHDAY") {
		return false
	}
	var months []int
	for _, n := range r.numbers["BYMONTH"] {
		at := firstOf(2000, time.Month(n+by))
		years[at.Year()] = true
		months = append(months, int(at.Month()))
	}
	r.numbers["BYMONTH"] = months
	return len(years) < 2 || r.freq != "YEARLY" || r.interval == 1
}

// index returns the number of the period that contains t.
func (m *modelMove) index(t time.Time) int {
	switch m.period {
	case "month":
		return t.Year()*12 + int(t.Month()) - 1
	case "weekyear":
		return weekYear(t, m.rule.wkst)
	}
	return t.Year()
}

// bounds returns the first day of a period and of the next one.
func (m *modelMove) bounds(index int) (begin, end time.Time) {
	switch m.period {
	case "month":
		return firstOf(index/12, time.Month(index%12+1)), firstOf(index/12, time.Month(index%12+2))
	case "weekyear":
		return firstWeek(index, m.rule.wkst), firstWeek(index+1, m.rule.wkst)
	}
	return firstOf(index, 1), firstOf(index+1, 1)
}

// image returns the new time of a date. now is the series after the move, without end; it is
// only used for elapsed times.
func (m *modelMove) image(s, now *modelSeries, t time.Time) (time.Time, bool) {
	at := m.shifted(t)
	switch {
	case m.isElapsed:
		isDate := func(t time.Time) bool {
			dates, _ := now.dates()
			_, found := slices.BinarySearchFunc(dates, t, time.Time.Compare)
			return found
		}
		if s.zone != "" && now.zone != "" {
			elapsed := s.time(t).Instant(nil).Sub(s.time(m.from).Instant(nil))
			later := now.time(m.to).Instant(nil).Add(elapsed).In(zone(now.zone).Location())
			_, offset := later.Zone()
			if local := later.Add(time.Duration(offset) * time.Second).UTC(); isDate(local) {
				return local, true
			}
		}
		return at, isDate(at)
	case m.period == "":
		return at, true
	}
	begin, end := m.bounds(m.index(t) + m.index(m.to) - m.index(m.from))
	for d := begin; d.Before(end); d = d.AddDate(0, 0, 1) {
		if m.rule.selectsDay(d, m.to) {
			return d.Add(at.Sub(dateAt(at))), true
		}
	}
	return at, false
}

// moved returns the series after a move that it can follow, and the number of exceptions that
// it loses. It returns false if it has no date after the move.
func (s *modelSeries) moved(m modelMove) (now *modelSeries, removed int, ok bool) {
	now = &modelSeries{modelForm: m.modelForm, rule: m.rule.clone(), start: m.shifted(s.start)}
	dates, _ := s.dates()
	if m.period != "" {
		ok = false
		for _, t := range dates {
			if now.start, ok = m.image(s, now, t); ok {
				break
			}
		}
		if !ok {
			return nil, 0, false
		}
	}
	if !s.rule.until.IsZero() {
		var last time.Time
		for _, t := range dates {
			if at, ok := m.image(s, now, t); ok {
				last = at
			}
		}
		now.rule.until = last
	}
	now.rule.count = s.rule.count
	endless := *now
	endless.rule.count, endless.rule.until = 0, time.Time{}
	removed = now.addMoved(s, m, func(t time.Time) (time.Time, bool) { return m.image(s, &endless, t) })
	return now, removed, true
}

// ruled returns the series after a change of its rule, and the number of exceptions that it
// loses: its dates keep their time. It returns false if the rule has no date.
func (s *modelSeries) ruled(rule modelRule) (now *modelSeries, removed int, ok bool) {
	now = &modelSeries{modelForm: s.modelForm, rule: rule, start: s.start}
	times, _ := now.selected()
	if len(times) == 0 || !rule.until.IsZero() && s.time(times[0]).Instant(nil).After(s.time(rule.until).Instant(nil)) {
		return nil, 0, false
	}
	now.start, now.times = times[0], nil
	after, _ := now.dates()
	m := modelMove{modelForm: s.modelForm, from: s.start, to: s.start}
	removed = now.addMoved(s, m, func(t time.Time) (time.Time, bool) {
		return t, slices.ContainsFunc(after, t.Equal) || slices.ContainsFunc(s.rdates, t.Equal)
	})
	return now, removed, true
}

// addMoved adds the RDATEs and the exceptions of s after a move, and returns the number of
// lost exceptions. image returns the new time of a date of the rule.
func (now *modelSeries) addMoved(s *modelSeries, m modelMove, image func(time.Time) (time.Time, bool)) (removed int) {
	dates, _ := s.dates()
	after, _ := now.dates()
	isDate := func(list []time.Time, t time.Time) bool { return slices.ContainsFunc(list, t.Equal) }
	isOther := m.from.Equal(m.to) && m.modelForm == s.modelForm // the change is one of the rule
	for _, t := range s.rdates {
		now.rdates = append(now.rdates, m.shifted(t))
	}
	exclude := func(t time.Time) {
		switch {
		case isDate(dates, t):
			at, ok := image(t)
			if !ok {
				removed++
				return
			}
			now.exdates = append(now.exdates, at)
		case isOther || isDate(s.rdates, t) && !isDate(after, m.shifted(t)):
			now.exdates = append(now.exdates, m.shifted(t))
		}
	}
	for _, t := range s.exdates {
		exclude(t)
	}
	if isOther {
		isOn := func(day time.Time) func(time.Time) bool {
			return func(t time.Time) bool { return dateAt(t).Equal(day) }
		}
		for _, day := range s.exdays {
			switch was := slices.Concat(dates, s.rdates); {
			case slices.ContainsFunc(slices.Concat(after, now.rdates), isOn(day)):
				now.exdays = append(now.exdays, day)
			case slices.ContainsFunc(was, isOn(day)):
				removed++
			}
		}
		s = &modelSeries{exdays: nil, overrides: s.overrides}
	}
	for _, day := range s.exdays {
		all := slices.Concat(dates, s.rdates)
		slices.SortFunc(all, time.Time.Compare)
		for _, t := range slices.Compact(all) {
			if dateAt(t).Equal(day) {
				exclude(t)
			}
		}
	}
	now.overrides = make(map[time.Time]modelOverride)
	for _, isOfRule := range []bool{true, false} {
		for _, t := range slices.SortedFunc(maps.Keys(s.overrides), time.Time.Compare) {
			o := s.overrides[t]
			at, ok := m.shifted(t), true
			if isDate(dates, t) != isOfRule {
				continue
			}
			if isOfRule {
				at, ok = image(t)
			}
			if _, isUsed := now.overrides[at]; !ok || isUsed {
				removed++
				continue
			}
			if o.start.Equal(t) {
				if o.start, o.modelForm = at, now.modelForm; now.isDate {
					o.length = max(o.length.Truncate(24*time.Hour), 24*time.Hour)
				}
			}
			now.overrides[at] = o
		}
	}
	return removed
}
