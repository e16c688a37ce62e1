package browser

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/words"
)

// pseudoTag is the tag of the pseudo-language, one of those for private use. Browsers format its
// dates and numbers in English.
const pseudoTag = "qps"

// The marks at the ends of each text of the pseudo-language.
const firstMark, lastMark = "⟦", "⟧"

// pseudoCatalog returns the catalog of the pseudo-language: each text of English longer by at least
// 40 %, with accents, between marks. Words become longer, not more, as in languages with compounds.
func pseudoCatalog() words.Catalog {
	english, german := words.English.Catalog(), words.German.Catalog()
	c := words.Catalog{Name: pseudoText("English", verbSyntax), Formats: german.Formats, Server: make(map[string]string), App: make(map[string]map[string]string)}
	c.Regions = map[string]words.Region{"GB": {Name: pseudoText("United Kingdom", verbSyntax)}}
	for _, names := range []*[]string{&c.Formats.Months, &c.Formats.MonthsShort, &c.Formats.Weekdays, &c.Formats.WeekdaysShort} {
		*names = slices.Clone(*names)
		for i, name := range *names {
			(*names)[i] = firstMark + name + lastMark
		}
	}
	for text := range german.Server {
		c.Server[text] = pseudoText(text, serverSyntax)
	}
	for area, messages := range english.App {
		c.App[area] = make(map[string]string)
		for key, message := range messages {
			c.App[area][key] = pseudoText(message, messageSyntax)
		}
	}
	return c
}

// verbSyntax, messageSyntax and serverSyntax match the syntax of texts of the server without plurals, of the
// web app, and of the server, which the pseudo-language keeps. A case of a plural or a choice begins with its name and an opening brace.
var (
	verbSyntax    = regexp.MustCompile(`%(?:\[\d+\])?[-+# 0]*\d*(?:\.\d+)?[a-zA-Z%]`)
	messageSyntax = regexp.MustCompile(`\{\d+\}|\{\d+, (?:plural|selectordinal|select),\s*(?:=\d+|[\w.-]+)\s*\{|\}\s*(?:=\d+|[\w.-]+)\s*\{|[{}#]`)
	serverSyntax  = regexp.MustCompile(verbSyntax.String() + "|" + messageSyntax.String())
)

// accents are the letters of the pseudo-language in place of those of English.
var accents = strings.NewReplacer("a", "à", "c", "ç", "e", "é", "i", "î", "n", "ñ", "o", "ô", "s", "š", "u", "ü", "y", "ý", "z", "ž",
	"A", "Å", "C", "Ç", "E", "É", "I", "Î", "N", "Ñ", "O", "Ö", "S", "Š", "U", "Û", "Y", "Ý", "Z", "Ž")

// pseudoText returns a text of the pseudo-language. syntax matches the parts that stay.
func pseudoText(text string, syntax *regexp.Regexp) string {
	var b strings.Builder
	b.WriteString(firstMark)
	end := 0
	for _, match := range append(syntax.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		b.WriteString(strings.ReplaceAll(lengthen(text[end:match[0]]), "\n", lastMark+"\n"+firstMark)) // lines are shown one by one
		b.WriteString(text[match[0]:match[1]])
		end = match[1]
	}
	b.WriteString(lastMark)
	return b.String()
}

// lengthen returns a part of a text with accents, in which two of five letters are doubled.
func lengthen(text string) string {
	var b strings.Builder
	letters := 0
	for _, r := range text {
		accented := accents.Replace(string(r))
		b.WriteString(accented)
		if anyLetter.MatchString(accented) {
			if letters++; letters%5 == 1 || letters%5 == 3 {
				b.WriteString(strings.ToLower(accented))
			}
		}
	}
	return b.String()
}

func TestPseudoTextKeepsTheSyntax(t *testing.T) {
	for _, c := range []struct {
		syntax     *regexp.Regexp
		text, want string
	}{
		{verbSyntax, "Save", "⟦Ššàvvé⟧"},
		{verbSyntax, "%[2]s of 100%% %.1f [all]", "⟦%[2]s ôôf 100%% %.1f [ààlll]⟧"},
		{messageSyntax, "{0} is on", "⟦{0} îîš ôôñ⟧"},
		{serverSyntax, "%[2]s: {0, plural, one {# day} other {# days}}", "⟦%[2]s: {0, plural, one {# ddàýý} other {# ddàýýš}}⟧"},
		{messageSyntax, "{0, plural, =0 {no} one {# day} other {# {1}}}", "⟦{0, plural, =0 {ññô} one {# ddàýý} other {# {1}}}⟧"},
	} {
		if got := pseudoText(c.text, c.syntax); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

//go:embed testdata/pseudo.js
var pseudoScript string

// untranslated is a text of a page that is not in its language, or is cut.
type untranslated struct{ Kind, Text, At string }

// Every screen shows only texts of the language of the member, except data, and cuts none of
// them, also if they are longer than the English ones.
func TestScreensInThePseudoLanguageOnADesktop(t *testing.T) { testPseudoScreens(t, 1440, 900) }

func TestScreensInThePseudoLanguageOnAPhone(t *testing.T) { testPseudoScreens(t, 390, 844) }

func testPseudoScreens(t *testing.T, width, height int64) {
	longBrowserTest(t)
	f := populate(t, apptest.BinaryWithCatalog(t, pseudoTag, pseudoCatalog()))
	f.ann.Do("PATCH", "/world/identity/me", map[string]string{"locale": pseudoTag}).Want(200)
	w := newWebTab(f.server, "ann")
	w.resize(width, height)
	found := make(map[untranslated][]string) // the screens
	check := func(b *browser, screen string) {
		for _, u := range evaluate[[]untranslated](b, "("+pseudoScript+")()") {
			if u.Kind == "cut" || !isData(u.Text) {
				found[u] = append(found[u], screen)
			}
		}
	}
	for _, s := range webScreens {
		w.visit(f.resolve(s.path))
		w.until("a heading", func() bool {
			return evaluate[bool](w.browser, `!!document.querySelector("h1") && !document.querySelector("main.start")`)
		})
		check(w.browser, s.name)
		w.takePicture(fmt.Sprintf("pseudo-%s-%d", s.name, width))
		w.ignoreShifts()
	}
	signedOut := newBrowser(f.server)
	signedOut.setLanguage(pseudoTag)
	for _, page := range []struct {
		tab    *browser
		path   string
		status int64
	}{
		{signedOut, "/world/login", 200}, {signedOut, "/world/register", 403}, {signedOut, "/nowhere", 404}, {signedOut, "/world/reset/none", 404},
		{w.browser, "/account", 200},
	} {
		page.tab.open(page.path, page.status)
		(&webTab{browser: page.tab}).resize(width, height)
		check(page.tab, page.path)
	}
	for _, u := range slices.SortedFunc(maps.Keys(found), func(a, b untranslated) int { return strings.Compare(a.Kind+a.Text+a.At, b.Kind+b.Text+b.At) }) {
		t.Errorf("%s %q in %s, on %s", u.Kind, u.Text, u.At, strings.Join(slices.Compact(found[u]), ", "))
	}
}

// data matches the parts of texts that are not texts of the program.
var data = regexp.MustCompile(strings.Join([]string{
	// dates, times, sizes and durations, and names of languages, which the browser formats in English
	`\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b`,
	`\d+\s(?:AM|PM)\b|\d:\d\d\s(?:AM|PM)\b|\b[AP]M\b|\b(?i:today|tomorrow|yesterday)\b|\bin \d+ days?\b|\b\d+ bytes\b|\bUTC\b|\bEnglish\b|\bGMT[+-]\d+|\bEurope/Berlin\b|^\d+(?:\.\d+)? (?:kB|MB|GB|m|km)$`,
	// names, addresses and initials of members, communities and devices
	`\b(?:ann|Bea|bea|Cem|cem)\b(?:@example\.org)?|^[A-Z]$|Go-http-client/1\.1|in the garden`,
	// what members have written
	`I will bring bread|Is there room for one more\?|It is behind the shed|in the loft\?|Bring one thing\.|Bring the card\.|(?:About )?Who has the long ladder\?`,
	`Boiler engineer|Dentist|Dora visits|Night train|Stand-up|Supper|Answer the school|Order seed potatoes|Church Row 2|The kitchen|The house|Everyone who lives here|Rowing club|Garden`,
	`\bCalendar\b`, // the first calendar of a member has a name in the language of the set-up
	// the imported places and the found page, with the names of their sources
	`Café Corner|Fish Quay 3, Valletta|^places$|Made with Natural Earth|GeoNames`,
	`(?:A wall without mortar can be taken apart\.\s*)+|How to mend a wall|Wallers|Walling day|wallers@example\.org|The common|^Before$|^After$|Jo Wall|About it|^Page http\S+`,
	// addresses and versions of the server
	`https?://127\.0\.0\.1\S*|^0\.1\.0-dev(\+\w+)*(\.\w+)*$|^20\d\d[a-z]$`,
}, "|"))

var anyLetter = regexp.MustCompile(`\pL`)

// isData reports whether a text contains only data.
func isData(text string) bool { return !anyLetter.MatchString(data.ReplaceAllString(text, "")) }
