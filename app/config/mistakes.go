package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

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

// didYouMean returns a question with the most similar of the known names.
func didYouMean(name string, known []string) string {
	nearest := slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
	return "; did you mean " + nearest + "?"
}

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
		name, value, ok := strings.Cut(lines[at], "=")
		value = strings.TrimSpace(value)
		if ok && value != "" && !strings.ContainsAny(value, "\"'[]{}#") {
			return fmt.Errorf("line %d: the quotes are missing: write %s = %s", syntax.Position.Line, strings.TrimSpace(name), tomlString(value))
		}
	}
	return fmt.Errorf("line %d: %s: write each setting as name = \"value\"", syntax.Position.Line, syntax.Message)
}
