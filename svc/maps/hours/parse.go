package hours

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Limits of a value. OpenStreetMap allows 255 characters.
const (
	maxLength = 1024 // bytes
	maxRules  = 32
	maxSpans  = 64 // of all rules
)

// Parse parses a value of the tag opening_hours.
func Parse(value string) (Hours, error) {
	if len(value) > maxLength {
		return Hours{}, fmt.Errorf("opening hours have more than %d bytes", maxLength)
	}
	p := &parser{rest: strings.NewReplacer("–", "-", "—", "-", "−", "-", "\u00a0", " ").Replace(value)}
	var h Hours
	additive, spans := false, 0
	for {
		r, holiday, err := p.rule()
		if err != nil {
			return Hours{}, fmt.Errorf("opening hours at byte %d: %w", len(value)-len(p.rest), err)
		}
		r.isAdditive = additive
		if !holiday {
			h.rules = append(h.rules, r)
		}
		if spans += len(r.spans); len(h.rules) > maxRules || spans > maxSpans {
			return Hours{}, fmt.Errorf("opening hours have more than %d rules or %d spans", maxRules, maxSpans)
		}
		switch {
		case p.accept("||"):
			return Hours{}, errors.New("opening hours with a fallback (||) are not supported")
		case p.accept(";"):
			additive = false
		case p.accept(","):
			additive = true
		case p.atEnd():
			return h, nil
		default:
			return Hours{}, fmt.Errorf("opening hours: unexpected text %q", p.rest)
		}
		if !additive && p.atEnd() { // a semicolon at the end
			return h, nil
		}
	}
}

// parser reads a value from its beginning. Each method that accepts an element skips
// the spaces before it.
type parser struct {
	rest string
	last date // the last date of the list that is being read; its day is 0 before the first and after a month
}

func (p *parser) skipSpace() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *parser) atEnd() bool {
	p.skipSpace()
	return p.rest == ""
}

// accept removes text, if it is next, and reports whether it was.
func (p *parser) accept(text string) bool {
	p.skipSpace()
	rest, ok := strings.CutPrefix(p.rest, text)
	if ok {
		p.rest = rest
	}
	return ok
}

// peekWord returns the next letters in lower case.
func (p *parser) peekWord() string {
	p.skipSpace()
	end := strings.IndexFunc(p.rest, func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') })
	if end < 0 {
		end = len(p.rest)
	}
	return strings.ToLower(p.rest[:end])
}

// acceptWord removes the next letters if they are the word.
func (p *parser) acceptWord(word string) bool {
	if p.peekWord() != word {
		return false
	}
	p.rest = p.rest[len(word):]
	return true
}

// digits returns how many digits are next.
func (p *parser) digits() int {
	p.skipSpace()
	return len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
}

var errNumber = errors.New("a number is missing or out of range")

// number reads a number from least to most.
func (p *parser) number(least, most int) (n int, err error) {
	digits := p.digits()
	if digits == 0 || digits > 4 {
		return 0, errNumber
	}
	for _, c := range p.rest[:digits] {
		n = n*10 + int(c-'0')
	}
	if n < least || n > most {
		return 0, errNumber
	}
	p.rest = p.rest[digits:]
	return n, nil
}

// rule reads a rule. holiday reports that it is for holidays only.
func (p *parser) rule() (r rule, holiday bool, err error) {
	if p.atEnd() {
		return r, false, errors.New("a rule is missing")
	}
	r.state = openState
	before := p.rest
	if !p.accept("24/7") {
		if err := p.dates(&r.selector); err != nil {
			return r, false, err
		}
		p.accept(":")
		if holiday, err = p.weekdays(&r.selector); err != nil {
			return r, false, err
		}
		p.accept(":")
	}
	if p.isTime() {
		if r.spans, err = p.spans(); err != nil {
			return r, false, err
		}
	}
	if err := p.modifier(&r); err != nil {
		return r, false, err
	}
	if p.rest == before {
		return r, false, fmt.Errorf("unexpected text %q", p.rest)
	}
	return r, holiday, nil
}

// modifier reads the state and the comment of a rule. A comment without a state means
// that the state is unknown.
func (p *parser) modifier(r *rule) error {
	stated := true
	switch {
	case p.acceptWord("open"):
	case p.acceptWord("off"), p.acceptWord("closed"):
		r.state = closedState
	case p.acceptWord("unknown"):
		r.state = unknownState
	default:
		stated = false
	}
	if p.accept(`"`) {
		_, rest, ok := strings.Cut(p.rest, `"`)
		if !ok {
			return errors.New("a comment does not end")
		}
		if p.rest = rest; !stated {
			r.state = unknownState
		}
	}
	if r.state == unknownState {
		for i := range r.spans {
			r.spans[i].state = unknownState
		}
	}
	return nil
}

// isTime reports whether a time is next.
func (p *parser) isTime() bool {
	n := p.digits()
	return (n == 1 || n == 2) && strings.HasPrefix(p.rest[n:], ":") && len(p.rest) > n+1 && p.rest[n+1] >= '0' && p.rest[n+1] <= '9'
}

// spans reads spans with commas between them.
func (p *parser) spans() (list []span, err error) {
	for {
		s, err := p.span()
		if err != nil {
			return nil, err
		}
		if list = append(list, s); p.accept("+") { // an open end
			list = append(list, span{s.end, max(s.end, minutesPerDay), unknownState})
		}
		before := p.rest
		if !p.accept(",") {
			return list, nil
		}
		if !p.isTime() { // the comma begins another rule
			p.rest = before
			return list, nil
		}
	}
}

// span reads a span. The end of 10:00+ is its beginning.
func (p *parser) span() (s span, err error) {
	s.state = openState
	if s.start, err = p.time(24); err != nil {
		return s, err
	}
	if s.end = s.start; strings.HasPrefix(p.rest, "+") {
		return s, nil
	}
	if !p.accept("-") {
		return s, errors.New("the end of a span is missing")
	}
	if s.end, err = p.time(48); err != nil {
		return s, err
	}
	if s.end <= s.start {
		s.end += minutesPerDay
	}
	if p.accept("/") {
		return s, errors.New("intervals are not supported")
	}
	return s, nil
}

// time reads a time in minutes.
func (p *parser) time(maxHour int) (int, error) {
	if !p.isTime() {
		return 0, errors.New("a time such as 08:30 is missing")
	}
	hour, err := p.number(0, maxHour)
	if err != nil {
		return 0, err
	}
	p.accept(":")
	minute, err := p.number(0, 59)
	if err != nil || hour == maxHour && minute > 0 {
		return 0, errNumber
	}
	return hour*60 + minute, nil
}

var weekdayNames = map[string]time.Weekday{
	"su": time.Sunday, "mo": time.Monday, "tu": time.Tuesday, "we": time.Wednesday, "th": time.Thursday, "fr": time.Friday, "sa": time.Saturday,
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

// weekdays reads weekdays and holidays. holiday reports that the rule is for
// holidays only: all elements are holidays, or the weekdays restrict them.
func (p *parser) weekdays(s *selector) (holiday bool, err error) {
	for first := true; ; first = false {
		word := p.peekWord()
		if word == "ph" || word == "sh" {
			p.acceptWord(word)
			p.skipSpace()
			if strings.HasPrefix(p.rest, "+") || strings.HasPrefix(p.rest, "-") {
				return false, errors.New("days relative to holidays are not supported")
			}
			holiday = true
		} else if _, ok := weekdayNames[word]; ok {
			r, err := p.weekdayRange()
			if err != nil {
				return false, err
			}
			s.weekdays = append(s.weekdays, r)
		} else if first {
			return false, nil
		} else {
			return false, errors.New("a weekday is missing")
		}
		before := p.rest
		if !p.accept(",") {
			break
		}
		if next := p.peekWord(); next != "ph" && next != "sh" && !isWeekday(next) {
			p.rest = before
			break
		}
	}
	if !holiday {
		return false, nil
	}
	if isWeekday(p.peekWord()) { // PH Mo-Fr: holidays on these weekdays
		_, err := p.weekdays(new(selector))
		return true, err
	}
	return len(s.weekdays) == 0, nil
}

func isWeekday(word string) bool {
	_, ok := weekdayNames[word]
	return ok
}

// weekdayRange reads a weekday, a range of them, or occurrences of one in the month.
func (p *parser) weekdayRange() (r weekdayRange, err error) {
	r.from = p.weekday()
	r.to = r.from
	if p.accept("[") {
		if r.nth, err = p.occurrences(); err != nil {
			return r, err
		}
		if p.skipSpace(); strings.HasPrefix(p.rest, "+") || strings.HasPrefix(p.rest, "-") {
			return r, errors.New("days relative to weekdays are not supported")
		}
		return r, nil
	}
	if p.accept("-") {
		if !isWeekday(p.peekWord()) {
			return r, errors.New("the last weekday of a range is missing")
		}
		r.to = p.weekday()
	}
	return r, nil
}

// weekday reads the name of a weekday, which must be next.
func (p *parser) weekday() time.Weekday {
	word := p.peekWord()
	p.rest = p.rest[len(word):]
	return weekdayNames[word]
}

// occurrences reads numbers up to a closing bracket.
func (p *parser) occurrences() (list []int, err error) {
	for {
		sign := 1
		if p.accept("-") {
			sign = -1
		}
		n, err := p.number(1, 5)
		if err != nil {
			return nil, err
		}
		last := n
		if sign > 0 && p.accept("-") {
			if last, err = p.number(n, 5); err != nil {
				return nil, err
			}
		}
		for ; n <= last; n++ {
			list = append(list, sign*n)
		}
		if p.accept("]") {
			return list, nil
		}
		if !p.accept(",") {
			return nil, errors.New("a bracket does not end")
		}
	}
}
