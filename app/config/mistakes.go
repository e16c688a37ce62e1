package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// variablePrefix begins the names of the variables that set a setting.
const variablePrefix = "APPLIANCE_"

// variableOf returns the name of the environment variable of a setting.
func variableOf(setting string) string {
	if setting == "admin-allowed-emails" {
		return OperatorsVariable
	}
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(setting, "-", "_"))
}

// serviceVariable matches the variables with which container runtimes describe a service that is
// called appliance. They are not meant as settings.
var serviceVariable = regexp.MustCompile(`^APPLIANCE_(SERVICE_HOST|SERVICE_PORT(_\w+)?|NAME|PORT|PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)$`)

// checkVariables returns an error if environ has a variable with the prefix of settings that no
// setting has: it is probably misspelt, and would otherwise have no effect.
func checkVariables(environ []string, model []*kong.Flag) error {
	var known []string
	for _, name := range settingNames(model) {
		known = append(known, variableOf(name))
	}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, variablePrefix) && !slices.Contains(known, name) && !serviceVariable.MatchString(name) {
			return fmt.Errorf("there is no setting for the environment variable %s%s", name, didYouMean(name, known))
		}
	}
	return nil
}

func settingNames(model []*kong.Flag) (names []string) {
	for _, f := range model {
		names = append(names, f.Name)
	}
	return names
}

// didYouMean returns a question with the most similar of the known names, or where all are listed
// if none is similar.
func didYouMean(name string, known []string) string {
	nearest := slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
	if distance(name, nearest) > max(2, len(name)/2) {
		return "; appliance help settings lists all settings"
	}
	return "; did you mean " + nearest + "?"
}

// settingName matches names that have the form of those of settings.
var settingName = regexp.MustCompile(`^[a-z-]+$`)

// typographicQuotes are the quotes of word processors, which TOML does not know.
const typographicQuotes = "“”„‟«»‘’"

// distance returns the number of characters to insert, delete or replace to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // distances of the prefixes of b to a prefix of a
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// explainSyntax adds a remedy to a syntax error of a settings file: mostly, the quotes of a text
// are missing.
func explainSyntax(err error, text string) error {
	var syntax toml.ParseError
	if !errors.As(err, &syntax) {
		return err
	}
	lines := strings.Split(text, "\n")
	if at := syntax.Position.Line - 1; at >= 0 && at < len(lines) {
		if reason, remedy := explainLine(lines[at]); reason != "" {
			return fmt.Errorf("line %d: %s: write %s", syntax.Position.Line, reason, remedy)
		}
	}
	if name := repeatedName(lines, syntax.Position.Line); name != "" {
		return fmt.Errorf("line %d: the setting %s is set twice: remove one of its lines", syntax.Position.Line, name)
	}
	return fmt.Errorf("line %d: %s: write each setting as name = \"value\"", syntax.Position.Line, syntax.Message)
}

// repeatedName returns the name of the setting in a line of a settings file, counted from 1, if an earlier line
// sets it, too; otherwise "".
func repeatedName(lines []string, line int) string {
	nameIn := func(text string) string {
		name, _, isSet := strings.Cut(text, "=")
		if name = strings.TrimSpace(name); !isSet || !settingName.MatchString(name) {
			return ""
		}
		return name
	}
	if line < 1 || line > len(lines) {
		return ""
	}
	name := nameIn(lines[line-1])
	isSame := func(earlier string) bool { return nameIn(earlier) == name }
	if name == "" || !slices.ContainsFunc(lines[:line-1], isSame) {
		return ""
	}
	return name
}

// explainLine returns what is wrong with a line of a settings file that TOML rejects, and the line
// to write instead; "" if the mistake is none of the usual ones.
func explainLine(line string) (reason, remedy string) {
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		name, value, ok = strings.Cut(line, ":")
		reason = "the sign = is missing"
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	bare := strings.Trim(value, `"`+typographicQuotes)
	isPlain := utf8.ValidString(bare) && !strings.ContainsFunc(bare, unicode.IsControl) && !strings.ContainsAny(bare, "\"'[]{}#")
	if !ok || !settingName.MatchString(name) || bare == "" || !isPlain {
		return "", ""
	}
	switch {
	case reason != "":
	case bare == value:
		reason = "the quotes are missing"
	case strings.ContainsAny(value, typographicQuotes):
		reason = "the quotes are typographic"
	case strings.Count(value, `"`) == 1:
		reason = "a quote is missing"
	default:
		return "", ""
	}
	return reason, name + " = " + tomlString(bare)
}

// explainValue replaces the terms of the parser of flags in an error about a value. isFlag reports
// whether a flag has set it.
func explainValue(err error, name string, isFlag bool) error {
	text := strings.Replace(err.Error(), "a valid 64 bit int", "a whole number", 1)
	if before, _, ok := strings.Cut(text, ": time: "); ok {
		text = before + ": write it with a unit, such as 24h or 30m"
	}
	if !isFlag {
		text = strings.Replace(text, "--"+name, name, 1)
	}
	return errors.New(text)
}
