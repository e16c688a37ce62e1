package words

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// categories are the names of plural categories in messages.
var categories = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other"}

// pluralMark precedes the cases of a plural, after its argument.
const pluralMark = ", plural,"

// formatText formats a text in the language of a tag, with the syntax of a [Text].
func formatText(tag language.Tag, text string, args []any) string {
	format := expandPlurals(tag, text, args)
	if format != text && !strings.Contains(format, "%") {
		return format // a case without its number
	}
	return fmt.Sprintf(format, args...)
}

// expandPlurals returns a format in the language of a tag with each plural in the syntax of ICU
// replaced by its case for the argument:
//
//	{0, plural, =0 {none} one {# day} other {# days}}
//
// The case is that of the exact number, or else of its plural category in CLDR. # is the number,
// and becomes a verb with its index, so that the result is a format for [fmt.Sprintf].
func expandPlurals(tag language.Tag, format string, args []any) string {
	if !strings.Contains(format, pluralMark) {
		return format
	}
	var b strings.Builder
	for format != "" {
		before, after, ok := strings.Cut(format, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		argument, end := closed(after)
		format = after[end:]
		index, cases, isPlural := strings.Cut(argument, pluralMark)
		i, err := strconv.Atoi(index)
		if !isPlural || err != nil || i >= len(args) {
			b.WriteString("{" + after[:end])
			continue
		}
		text := pluralCase(tag, cases, absolute(args[i]))
		text = strings.ReplaceAll(text, "#", "%["+strconv.Itoa(i+1)+"]d")
		b.WriteString(expandPlurals(tag, text, args))
	}
	return b.String()
}

// pluralCase returns the case for a number.
func pluralCase(tag language.Tag, cases string, n int) string {
	category, others, inCategory := categories[plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0)], "", (*string)(nil)
	for {
		name, after, ok := strings.Cut(cases, "{")
		switch {
		case !ok && inCategory != nil:
			return *inCategory
		case !ok:
			return others
		}
		content, end := closed(after)
		cases = after[end:]
		switch name = strings.TrimSpace(name); {
		case name == "="+strconv.Itoa(n):
			return content
		case name == category:
			inCategory = &content
		case name == "other":
			others = content
		}
	}
}

// closed returns the text before the brace that closes the one before it, and the index after it.
func closed(text string) (content string, end int) {
	depth := 1
	for i, r := range text {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return text[:i], i + 1
		}
	}
	return text, len(text)
}

// absolute returns the absolute value of an argument, 0 if it is not an integer.
func absolute(arg any) int {
	v := reflect.ValueOf(arg)
	if !v.CanInt() {
		return 0
	}
	return int(max(v.Int(), -v.Int()))
}
