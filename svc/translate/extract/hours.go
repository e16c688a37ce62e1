package extract

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"appliance/svc/translate/schemaorg"
)

// hourProperties are the properties with opening hours.
var hourProperties = []string{"openingHours", "openingHoursSpecification", "specialOpeningHoursSpecification"}

// hourValues returns the opening hours of a node that are not empty.
func hourValues(n *schemaorg.Node) (list []schemaorg.Value) {
	for _, p := range hourProperties {
		for _, v := range valuesOf(n, p) {
			if v.Node != nil && len(v.Node.Properties) > 0 || v.Node == nil && strings.Trim(v.Text, " \t\r\n,;:|-–") != "" {
				list = append(list, v)
			}
		}
	}
	return list
}

// openingHours returns a part for each object of the page with opening hours.
func openingHours(in *pageInput) (list []Extracted) {
	seen := make(map[string]bool)
	for _, n := range in.Graph.Nodes {
		if len(list) == maxParts {
			break
		}
		e, ok := hours(in, n)
		if !ok {
			continue
		}
		key, _ := json.Marshal(e.Content) // a struct of texts
		if !seen[string(key)] {
			seen[string(key)] = true
			list = append(list, e)
		}
	}
	return list
}

// hours returns the part of the opening hours of a node. ok is false if no day of them
// can be parsed.
func hours(in *pageInput, n *schemaorg.Node) (e Extracted, ok bool) {
	values := hourValues(n)
	if len(values) == 0 {
		return e, false
	}
	r := newReader(in)
	h := &Hours{Name: r.limitText(ownerName(in, n)), Weekly: make(map[string][]Period), Raw: []string{}}
	var s schedule
	for _, v := range values[:min(len(values), maxHourTexts)] {
		h.Raw = append(h.Raw, r.hoursText(v))
		if v.Node == nil {
			s.parseText(plain(v.Text, maxHourText))
		} else if !r.parseSpecification(h, &s, v.Node) {
			s.unparsed = append(s.unparsed, r.hoursText(v))
		}
	}
	h.Raw = slices.DeleteFunc(h.Raw, func(t string) bool { return t == "" })
	s.resolveZero()
	r.fill(h, s)
	if len(h.Weekly) == 0 && len(h.ClosedDays) == 0 && len(h.Exceptions) == 0 {
		return e, false
	}
	e = Extracted{Kind: "hours", Title: joinTitle("Opening hours", h.Name), Content: h}
	e.Details, e.Summary = h.details(), h.summary()
	return r.finish(e, n), true
}

// ownerName returns the name of a node, else of its first owner with a name, else of the
// site.
func ownerName(in *pageInput, n *schemaorg.Node) string {
	if name := businessName(in, n); name != "" {
		return name
	}
	for _, o := range n.Owners {
		if name := businessName(in, o.Node); name != "" {
			return name
		}
	}
	return in.site
}

// hoursTexts returns the opening hours in a property as texts.
func (r *reader) hoursTexts(n *schemaorg.Node, property string) (list []string) {
	for _, v := range valuesOf(n, property) {
		list = r.add(list, r.hoursText(v))
	}
	return list
}

// hoursText returns opening hours as a text, as the page writes them.
func (r *reader) hoursText(v schemaorg.Value) string {
	if v.Node == nil {
		return r.limitText(plain(v.Text, maxLine))
	}
	n := v.Node
	var on []string
	for _, day := range valuesOf(n, "dayOfWeek") {
		on = append(on, enumMember(day))
	}
	between := join("–", textOf(n, "opens"), textOf(n, "closes"))
	valid := join("–", textOf(n, "validFrom"), textOf(n, "validThrough"))
	return r.limitText(plain(join(" ", join(", ", on...), between, valid, textOf(n, "name", "description")), maxLine))
}

// parseSpecification adds an OpeningHoursSpecification. It reports false if it cannot be
// parsed.
func (r *reader) parseSpecification(h *Hours, s *schedule, n *schemaorg.Node) bool {
	on, ok := daysOf(n, "dayOfWeek")
	if !ok {
		return false
	}
	spans, zero, ok := specificationSpans(n)
	if !ok {
		return false
	}
	from, through := dayOf(textOf(n, "validFrom")), dayOf(textOf(n, "validThrough"))
	if from == "" && textOf(n, "validFrom") != "" || through == "" && textOf(n, "validThrough") != "" {
		return false
	}
	if (from != "" || through != "") && !r.isRegular(from, through) {
		if through == "" {
			through = from
		}
		if from == "" {
			from = r.Now.UTC().Format(time.DateOnly)
		}
		exception := Exception{From: from, Through: through, Closed: len(spans) == 0, Periods: periodsOf(spans), Days: on.keys()}
		if through >= r.Now.AddDate(0, 0, -1).UTC().Format(time.DateOnly) && from <= through && len(h.Exceptions) < maxHourTexts {
			h.Exceptions = append(h.Exceptions, exception)
		}
		return true
	}
	if on == 0 {
		on = everyDay
	}
	switch {
	case zero:
		s.zero |= on
	case len(spans) == 0:
		s.close(on)
	}
	for _, span := range spans {
		s.set(on, span)
	}
	return true
}

// isRegular reports whether hours with a first and last day are those of a usual week:
// they are valid now, and for more than half a year or without an end.
func (r *reader) isRegular(from, through string) bool {
	today := r.Now.UTC().Format(time.DateOnly)
	if from > today || through != "" && through < today {
		return false
	}
	if from == "" || through == "" {
		return through == ""
	}
	first, _ := time.Parse(time.DateOnly, from) // dayOf returns valid dates
	last, _ := time.Parse(time.DateOnly, through)
	const halfYear = 180 * 24 * time.Hour
	return last.Sub(first) > halfYear
}

// daysOf returns the days in a property, 0 if there are none. ok is false if one cannot
// be parsed.
func daysOf(n *schemaorg.Node, property string) (on days, ok bool) {
	for _, v := range valuesOf(n, property) {
		text := enumMember(v)
		if strings.TrimSpace(text) == "" {
			continue
		}
		list := tokens(text)
		p := textParser{schedule: &schedule{}, list: list}
		for i := 0; i < len(list); {
			switch list[i].kind {
			case dayToken:
				i += p.readDays(i)
			case listToken, endToken:
				i++
			default:
				return 0, false
			}
		}
		on |= p.on
	}
	return on, true
}

// specificationSpans returns the hours of a specification, none if it is closed. zero
// is set for hours from 00:00 to 00:00.
func specificationSpans(n *schemaorg.Node) (spans []span, zero, ok bool) {
	opens, closes := textsOf(n, "opens"), textsOf(n, "closes")
	if len(opens) != len(closes) || len(opens) > maxPeriods {
		return nil, false, false
	}
	for i := range opens {
		from, ok1 := specificationTime(opens[i])
		to, ok2 := specificationTime(closes[i])
		if !ok1 || !ok2 {
			closed := tokens(opens[i])
			return nil, false, len(opens) == 1 && len(closed) == 1 && closed[0].kind == closedToken
		}
		if from.minute == 0 && to.minute == 0 {
			return nil, true, len(opens) == 1
		}
		span, ok := spanOf(from, to)
		if !ok {
			return nil, false, false
		}
		spans = append(spans, span)
	}
	return spans, false, true
}

// specificationTime parses the value of opens or closes, such as "09:00:00", "800",
// "8:00 AM" and "2026-01-01T08:00:00+01:00".
func specificationTime(text string) (t dayTime, ok bool) {
	text = strings.TrimSpace(plain(text, maxLine))
	if m, isMoment := parseMoment(text); isMoment && m.hasTime && strings.ContainsAny(text, "T-") {
		return dayTime{m.Hour()*60 + m.Minute(), 0, true}, true
	}
	text = strings.TrimPrefix(text, "T")
	if end := strings.IndexAny(text, "Z+"); end > 0 {
		text = text[:end]
	}
	if list := tokens(text); len(list) == 1 && list[0].kind == timeToken {
		t = list[0].time
		t.precise = true
		return t, true
	}
	return t, false
}

// keys returns the keys of weekdays.
func (d days) keys() (list []string) {
	for i, key := range weekdays {
		if d&(1<<i) != 0 {
			list = append(list, key)
		}
	}
	return list
}

// fill sets the days of h from a parsed schedule.
func (r *reader) fill(h *Hours, s schedule) {
	h.AlwaysOpen = true
	for i, key := range weekdays {
		if len(s.periods[i]) > 0 {
			h.Weekly[key] = periodsOf(s.periods[i])
		} else if s.closed&(1<<i) != 0 {
			h.ClosedDays = append(h.ClosedDays, key)
		}
		h.AlwaysOpen = h.AlwaysOpen && isAllDay(s.periods[i])
	}
	if list := s.periods[7]; len(list) > 0 {
		s.unparsed = append(s.unparsed, holidays.String()+": "+dayText(periodsOf(list)))
	} else if s.closed&holidays != 0 {
		s.unparsed = append(s.unparsed, holidays.String()+": closed")
	}
	for _, text := range s.unparsed {
		h.Unparsed = r.add(h.Unparsed, plain(text, maxLine))
	}
	slices.SortStableFunc(h.Exceptions, func(a, b Exception) int { return strings.Compare(a.From+a.Through, b.From+b.Through) })
}

// text returns the hours of a weekday, "Closed" or "Not stated".
func (h *Hours) text(key string) string {
	switch periods, ok := h.Weekly[key]; {
	case ok:
		return dayText(periods)
	case slices.Contains(h.ClosedDays, key):
		return "Closed"
	}
	return "Not stated"
}

// details returns the hours of the seven days, the next exceptions and the texts that
// could not be parsed.
func (h *Hours) details() (list [][2]string) {
	for i, key := range weekdays {
		if len(h.Weekly)+len(h.ClosedDays) > 0 {
			list = append(list, [2]string{weekdayNames[i], h.text(key)})
		}
	}
	const shown = 5
	for _, x := range h.Exceptions[:min(len(h.Exceptions), shown)] {
		label, value := x.From, dayText(x.Periods)
		if x.Through != x.From {
			label += " – " + x.Through
		}
		if x.Closed {
			value = "Closed"
		}
		list = append(list, [2]string{label, join(" ", value, x.dayNames())})
	}
	if len(h.Unparsed) > 0 {
		list = append(list, [2]string{"Also", join("; ", h.Unparsed...)})
	}
	return list
}

// dayNames returns the days of an exception as "(Monday, Tuesday)", "" for all days.
func (x Exception) dayNames() string {
	var names []string
	for _, key := range x.Days {
		names = append(names, weekdayNames[slices.Index(weekdays, key)])
	}
	if len(names) == 0 || len(names) == len(weekdays) {
		return ""
	}
	return "(" + join(", ", names...) + ")"
}

// summary returns the hours of the week on one line, such as "Monday–Friday
// 09:00–18:00, Saturday 10:00–14:00".
func (h *Hours) summary() string {
	var parts []string
	for i := 0; i < len(weekdays); {
		end := i
		for end+1 < len(weekdays) && h.text(weekdays[end+1]) == h.text(weekdays[i]) {
			end++
		}
		names := weekdayNames[i]
		if end > i {
			names += "–" + weekdayNames[end]
		}
		if text := h.text(weekdays[i]); text != "Not stated" {
			parts = append(parts, names+" "+text)
		}
		i = end + 1
	}
	return join("; ", append(parts, h.Unparsed...)...)
}
