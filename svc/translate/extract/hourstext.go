package extract

import (
	"regexp"
	"strings"
)

// tokenKind is the kind of a word or sign in a text with opening hours.
type tokenKind int

const (
	unknownToken tokenKind = iota
	dayToken               // names of days
	timeToken              // a time
	dashToken              // from – to
	listToken              // a comma, "and"
	endToken               // a semicolon, a line break
	closedToken            // closed
	alwaysToken            // 24 hours
)

// token is a word or sign. at is the position of its first byte.
type token struct {
	kind tokenKind
	at   int
	on   days
	time dayTime
}

// dayTime is a time of day as the text writes it.
type dayTime struct {
	minute  int  // of the day, as if it were written with 24 hours
	half    byte // 'a' or 'p' if it is marked as a.m. or p.m., else 0
	precise bool // it has minutes or a leading zero
}

// words contains the tokens of known words. init adds the names of days.
var words = map[string]token{
	"daily": {kind: dayToken, on: everyDay}, "everyday": {kind: dayToken, on: everyDay}, "täglich": {kind: dayToken, on: everyDay},
	"weekdays": {kind: dayToken, on: workdays}, "weekday": {kind: dayToken, on: workdays},
	"weekend": {kind: dayToken, on: weekend}, "weekends": {kind: dayToken, on: weekend}, "wochenende": {kind: dayToken, on: weekend},
	"ph": {kind: dayToken, on: holidays}, "publicholiday": {kind: dayToken, on: holidays}, "publicholidays": {kind: dayToken, on: holidays},
	"holidays": {kind: dayToken, on: holidays}, "feiertage": {kind: dayToken, on: holidays}, "feiertags": {kind: dayToken, on: holidays},
	"closed": {kind: closedToken}, "off": {kind: closedToken}, "geschlossen": {kind: closedToken}, "ruhetag": {kind: closedToken},
	"fermé": {kind: closedToken}, "cerrado": {kind: closedToken}, "chiuso": {kind: closedToken}, "gesloten": {kind: closedToken},
	"to": {kind: dashToken}, "until": {kind: dashToken}, "till": {kind: dashToken}, "through": {kind: dashToken}, "thru": {kind: dashToken}, "bis": {kind: dashToken}, "à": {kind: dashToken},
	"and": {kind: listToken}, "und": {kind: listToken}, "et": {kind: listToken}, "y": {kind: listToken}, "e": {kind: listToken}, "en": {kind: listToken},
	"open": {kind: listToken}, "from": {kind: listToken}, "von": {kind: listToken}, "hours": {kind: listToken}, "uhr": {kind: listToken}, "h": {kind: listToken}, "hrs": {kind: listToken},
	"opening": {kind: listToken}, "geöffnet": {kind: listToken}, "öffnungszeiten": {kind: listToken},
	"noon": {kind: timeToken, time: dayTime{12 * 60, 0, true}}, "midnight": {kind: timeToken, time: dayTime{minutesPerDay, 0, true}},
	"always": {kind: alwaysToken},
}

// dayNames contains the names of the days from Monday to Sunday in English, German,
// French, Spanish, Italian and Dutch, and abbreviations that are not ambiguous.
var dayNames = []string{
	"mo mon monday mondays montag montags lundi lun lunes lunedì maandag",
	"tu tue tues tuesday tuesdays di dienstag dienstags mardi martes martedì dinsdag",
	"we wed weds wednesday wednesdays mi mittwoch mittwochs mercredi miércoles mercoledì woensdag",
	"th thu thur thurs thursday thursdays do donnerstag donnerstags jeudi jueves giovedì donderdag",
	"fr fri friday fridays freitag freitags vendredi viernes venerdì vrijdag",
	"sa sat saturday saturdays samstag samstags sonnabend samedi sábado sabato zaterdag",
	"su sun sunday sundays so sonntag sonntags dimanche domingo domenica zondag",
}

func init() {
	for i, names := range dayNames {
		for name := range strings.FieldsSeq(names) {
			words[name] = token{kind: dayToken, on: 1 << i}
		}
	}
}

var (
	alwaysPattern = regexp.MustCompile(`^(?i:24\s*/\s*7|24\s*h(?:ours|rs|r)?\b|24 stunden)`)
	timePattern   = regexp.MustCompile(`^(?:(\d{1,2})[:.h](\d{2})(?::\d{2})?|(\d{1,2})(\d{2})|(\d{1,2}))`)
	halfPattern   = regexp.MustCompile(`^\s*(?i:([ap])\.?m\.?|([ap])\b)`)
	wordPattern   = regexp.MustCompile(`^\p{L}+`)
)

// tokens splits a text with opening hours into tokens.
func tokens(text string) (list []token) {
	for at := 0; at < len(text); {
		rest := text[at:]
		t := token{at: at, kind: unknownToken}
		n := 1
		switch c := rest[0]; {
		case strings.ContainsRune(" \t\r:.", rune(c)):
			at++
			continue
		case c == '-':
			t.kind = dashToken
		case strings.HasPrefix(rest, "–"), strings.HasPrefix(rest, "—"), strings.HasPrefix(rest, "−"):
			t.kind, n = dashToken, 3
		case strings.ContainsRune(",&/+", rune(c)):
			t.kind = listToken
		case strings.ContainsRune(";|\n", rune(c)):
			t.kind = endToken
		case alwaysPattern.MatchString(rest):
			t.kind, n = alwaysToken, len(alwaysPattern.FindString(rest))
		case c >= '0' && c <= '9':
			t.kind = timeToken
			if t.time, n = readTime(rest); n == 0 {
				t.kind, n = unknownToken, len(rest)-len(strings.TrimLeft(rest, "0123456789"))
			}
		default:
			if word := wordPattern.FindString(rest); word != "" {
				n = len(word)
				known := words[strings.ToLower(word)]
				t.kind, t.on, t.time = known.kind, known.on, known.time
			}
		}
		list = append(list, t)
		at += n
	}
	return list
}

// readTime reads a time with a.m. or p.m., and returns its length in bytes, 0 if it is
// invalid.
func readTime(text string) (t dayTime, n int) {
	m := timePattern.FindStringSubmatch(text)
	if len(m[0]) < len(text) && text[len(m[0])] >= '0' && text[len(m[0])] <= '9' {
		return t, 0
	}
	hours, minutes := m[1]+m[3]+m[5], m[2]+m[4] // 8:00, 800 or 8
	h, mins := positiveInt(hours), positiveInt(minutes)
	t = dayTime{minute: h*60 + mins, precise: minutes != "" || hours[0] == '0'}
	n = len(m[0])
	if half := halfPattern.FindStringSubmatch(text[n:]); half != nil {
		t.half = strings.ToLower(half[1] + half[2])[0]
		if n += len(half[0]); h < 1 || h > 12 {
			return t, 0
		}
		t.minute = h%12*60 + mins
		if t.half == 'p' {
			t.minute += 12 * 60
		}
	}
	if mins > 59 || t.minute > 30*60 {
		return t, 0
	}
	return t, n
}

// spanOf returns the span between two times in the form of the text. ok is false if
// it is ambiguous, such as "9-5" and "11am-3".
func spanOf(open, end dayTime) (s span, ok bool) {
	start, stop := open.minute, end.minute
	twelve := func(t dayTime) bool { return t.half == 0 && t.minute < 13*60 && t.minute >= 60 }
	switch {
	case open.half == 0 && end.half != 0 && twelve(open) && !strings.HasPrefix(clockText(start), "00"):
		// In "9-5pm" and "6-10pm", the second time determines the half of the first.
		if later := start%(12*60) + 12*60; end.half == 'p' && !open.precise && later < stop {
			start = later
		}
	case open.half != 0 && end.half == 0 && twelve(end):
		if stop > start {
			return s, false
		}
		stop += 12 * 60
	case open.half == 0 && end.half == 0 && !(open.precise && end.precise) && stop <= start:
		return s, false
	}
	if end.half == 'a' && stop == 0 { // 12am at the end
		stop = minutesPerDay
	}
	return newSpan(start, stop)
}

// parseText adds the opening hours of a text. The rest of a text that cannot be parsed
// is added to unparsed.
func (s *schedule) parseText(text string) {
	list := tokens(text)
	p := textParser{schedule: s, list: list}
	if at := p.parse(); at >= 0 {
		rest := strings.TrimSpace(strings.TrimLeft(text[at:], " ,;:"))
		if rest != "" {
			s.unparsed = append(s.unparsed, rest)
		}
	}
}

// textParser reads groups of days and their hours.
type textParser struct {
	*schedule
	list    []token
	on      days // of the current group
	begin   int  // position of the current group
	used    bool // the group has hours
	closing bool // the days after "closed" are being read
}

// parse reads all groups. It returns the position from which the text cannot be parsed,
// -1 if all of it can.
func (p *textParser) parse() (at int) {
	for i := 0; i < len(p.list); {
		t := p.list[i]
		n := 1
		switch t.kind {
		case dayToken:
			n = p.readDays(i)
		case listToken, endToken:
		case dashToken:
			if i == 0 || i+1 == len(p.list) || p.list[i-1].kind != dayToken || p.list[i+1].kind == dayToken {
				return p.position(t)
			}
		case closedToken:
			p.readClosed(t)
		case alwaysToken:
			p.assign(t, span{0, minutesPerDay})
		case timeToken:
			if n = p.readHours(i); n == 0 {
				return p.position(t)
			}
		default:
			return p.position(t)
		}
		i += n
	}
	switch {
	case p.closing && p.on != 0:
		p.close(p.on)
	case p.closing:
		return p.begin
	case p.on != 0 && !p.used && len(p.list) > 0 && p.begin == p.list[0].at && p.on&everyDay == everyDay:
		p.set(p.on, span{0, minutesPerDay}) // "Mo-Su" is documented as all day
	case p.on != 0 && !p.used:
		return p.begin
	}
	return -1
}

// position returns the position from which the text cannot be parsed if t is unexpected:
// that of the current group if the group has no hours yet.
func (p *textParser) position(t token) int {
	if p.closing && p.on != 0 {
		p.close(p.on)
		return t.at
	}
	if p.used || p.on == 0 && !p.closing {
		return t.at
	}
	return p.begin
}

// readDays adds a day or a range of days to the group, or begins the next group. It
// returns the number of tokens.
func (p *textParser) readDays(i int) (n int) {
	if p.used {
		p.on, p.used = 0, false
	}
	if p.on == 0 && !p.closing {
		p.begin = p.list[i].at
	}
	first := p.list[i].on
	if i+2 < len(p.list) && p.list[i+1].kind == dashToken && p.list[i+2].kind == dayToken && first.isOne() && p.list[i+2].on.isOne() {
		for d := first; ; d = d.next() {
			p.on |= d
			if d == p.list[i+2].on {
				return 3
			}
		}
	}
	p.on |= first
	return 1
}

// isOne reports whether the set is one weekday.
func (d days) isOne() bool { return d != 0 && d <= 1<<6 && d&(d-1) == 0 }

// next returns the day after a weekday.
func (d days) next() days {
	if d == 1<<6 {
		return 1
	}
	return d << 1
}

// readClosed marks the days before the word as closed, or begins a group of closed days.
func (p *textParser) readClosed(t token) {
	if p.on != 0 && !p.used && !p.closing {
		p.close(p.on)
		p.used = true
		return
	}
	if p.closing {
		p.close(p.on)
	}
	p.on, p.used, p.closing, p.begin = 0, false, true, t.at
}

// readHours reads a time, a dash and a time. It returns the number of tokens, 0 if they
// cannot be parsed.
func (p *textParser) readHours(i int) (n int) {
	if i+2 >= len(p.list) || p.list[i+1].kind != dashToken || p.list[i+2].kind != timeToken || p.closing {
		return 0
	}
	t, from, to := p.list[i], p.list[i].time, p.list[i+2].time
	if from.minute == 0 && to.minute == 0 && from.half == 0 && to.half == 0 {
		p.assignZero(t)
		return 3
	}
	s, ok := spanOf(from, to)
	if !ok {
		return 0
	}
	p.assign(t, s)
	return 3
}

// assign sets the hours of the group. Hours before the first day are those of every day.
func (p *textParser) assign(t token, s span) {
	p.beginHours(t)
	p.set(p.on, s)
}

// assignZero marks the hours of the group as 00:00–00:00.
func (p *textParser) assignZero(t token) {
	p.beginHours(t)
	p.zero |= p.on
}

// beginHours prepares the current group for hours, after it has ended a list of closed
// days. A group without days applies to every day.
func (p *textParser) beginHours(t token) {
	if p.closing && p.on != 0 {
		p.close(p.on)
		p.on, p.closing = 0, false
	}
	if p.on == 0 {
		p.on, p.begin = everyDay, t.at
	}
	p.used = true
}
