package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
	"github.com/spf13/pflag"
)

// OperatorsVariable is the environment variable of admin-allowed-emails, the
// only setting whose variable does not begin with APPLIANCE_.
const OperatorsVariable = "ADMIN_ALLOWED_EMAILS"

// Error reports a setting that cannot be used. It is a mistake of the operator,
// not a failure of the program.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// newParser returns a kong parser for s and its model of the flags.
func newParser(s *Settings) (*kong.Kong, []*kong.Flag, error) {
	parser, err := kong.New(s, kong.Name("appliance"), kong.NoDefaultHelp(), kong.Exit(func(int) {}))
	if err != nil {
		return nil, nil, err
	}
	return parser, parser.Model.Flags, nil
}

// AddFlags registers the named settings as flags, or all settings if names is
// empty. Secret settings have no flag, because command lines are visible to every
// user of the machine.
func AddFlags(flags *pflag.FlagSet, names ...string) {
	_, model, err := newParser(new(Settings))
	if err != nil {
		panic(err) // a struct tag of Settings is invalid
	}
	for _, f := range model {
		if len(names) > 0 && !slices.Contains(names, f.Name) || f.Tag.Has("secret") || flags.Lookup(f.Name) != nil {
			continue
		}
		flags.Var(&flagValue{f.Default, cmp.Or(f.PlaceHolder, "VALUE")}, f.Name, f.Help)
	}
}

// SecretHelp describes the settings that have no flag, one per line.
func SecretHelp() (text string) {
	_, model, err := newParser(new(Settings))
	if err != nil {
		panic(err) // a struct tag of Settings is invalid
	}
	for _, f := range model {
		if f.Tag.Has("secret") {
			text += fmt.Sprintf("  %s   %s\n", f.Name, f.Help)
		}
	}
	return text
}

// flagValue implements pflag.Value. kong parses the text later.
type flagValue struct{ text, placeholder string }

func (f *flagValue) String() string        { return f.text }
func (f *flagValue) Set(text string) error { f.text = text; return nil }
func (f *flagValue) Type() string          { return f.placeholder }

// Load merges the settings from, lowest precedence first, the defaults, the
// settings file, the environment and the flags. An invalid value is reported as
// an [Error] that names its source.
func Load(flags *pflag.FlagSet, environ []string) (*Settings, error) {
	s := &Settings{environ: environ, values: make(map[string]string), sources: make(map[string]string)}
	parser, model, err := newParser(s)
	if err != nil {
		return nil, err
	}
	set := func(name, value, source string) {
		s.values[name], s.sources[name] = value, source
	}
	if err := checkVariables(environ, model); err != nil {
		return nil, &Error{err}
	}
	variables := variablesIn(environ, model)
	file, values, err := readFile(flags, variables, model)
	if err != nil {
		return nil, err
	}
	for name, value := range values {
		set(name, value, "file "+file)
	}
	for name, v := range variables {
		set(name, v.value, "environment "+v.name)
	}
	flags.Visit(func(f *pflag.Flag) {
		if slices.ContainsFunc(model, func(k *kong.Flag) bool { return k.Name == f.Name }) {
			set(f.Name, f.Value.String(), "flag --"+f.Name)
		}
	})
	args := make([]string, 0, len(s.values))
	for name, value := range s.values {
		args = append(args, "--"+name+"="+value)
	}
	slices.Sort(args)
	if _, err := parser.Parse(args); err != nil {
		return nil, &Error{withSource(err, s.sources)}
	}
	return s, nil
}

// withSource adds the source of the rejected value to an error of kong.
func withSource(err error, sources map[string]string) error {
	for name, source := range sources {
		if strings.Contains(err.Error(), "--"+name) || strings.HasPrefix(err.Error(), name+":") {
			return fmt.Errorf("%w (%s)", explainValue(err, name, strings.HasPrefix(source, "flag ")), source)
		}
	}
	return err
}

// variable is an environment variable.
type variable struct{ name, value string }

// variablesIn returns the variables in environ that set a setting, by the name of
// the setting.
func variablesIn(environ []string, model []*kong.Flag) map[string]variable {
	found := make(map[string]variable)
	for _, f := range model {
		name := variableOf(f.Name)
		for _, pair := range environ {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				found[f.Name] = variable{name, value}
			}
		}
	}
	return found
}

// readFile returns the name of the settings file and its values. A file that is
// named by a flag or variable must exist; the one in the data directory is
// optional.
func readFile(flags *pflag.FlagSet, env map[string]variable, model []*kong.Flag) (string, map[string]string, error) {
	lookup := func(name string) string {
		if f := flags.Lookup(name); f != nil && f.Changed {
			return f.Value.String()
		}
		return env[name].value
	}
	s := Settings{Config: lookup("config"), Data: cmp.Or(lookup("data"), "./data")}
	file := s.File()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && s.Config == "" {
		return file, nil, nil
	}
	if err != nil {
		return file, nil, fmt.Errorf("reading the settings: %w", err)
	}
	values, err := parseFile(string(text), model)
	if err != nil {
		return file, nil, &Error{fmt.Errorf("%s: %w", file, explainSyntax(err, string(text)))}
	}
	return file, values, nil
}

// parseFile reads a settings file (TOML), with one setting per key.
func parseFile(text string, model []*kong.Flag) (map[string]string, error) {
	var raw map[string]any
	if _, err := toml.Decode(text, &raw); err != nil {
		return nil, err
	}
	values := make(map[string]string, len(raw))
	for name, v := range raw {
		if name == "config" || !slices.ContainsFunc(model, func(f *kong.Flag) bool { return f.Name == name }) {
			if _, isSection := v.(map[string]any); isSection {
				return nil, fmt.Errorf("settings have no sections: remove the line [%s]", name)
			}
			return nil, fmt.Errorf("there is no setting %q%s", name, didYouMean(name, settingNames(model)))
		}
		values[name] = flagText(v)
	}
	return values, nil
}

// flagText returns a TOML value in the form of a flag: lists are separated by
// commas.
func flagText(v any) string {
	switch v := v.(type) {
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = flagText(v[i])
		}
		return strings.Join(parts, ",")
	case map[string]any:
		parts := make([]string, 0, len(v))
		for name, value := range v {
			parts = append(parts, name+"="+flagText(value))
		}
		slices.Sort(parts)
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(v)
}

// Setting is the effective value of one setting and its source.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// List returns all settings. It replaces the values of secret settings by "…".
func (s *Settings) List() ([]Setting, error) {
	_, model, err := newParser(s)
	if err != nil {
		return nil, err
	}
	derived := map[string]string{"config": s.File(), "base-url": s.url.String(), "timezone": s.Timezone}
	var list []Setting
	for _, f := range model {
		value, set := s.values[f.Name]
		if !set {
			value = cmp.Or(derived[f.Name], f.Default)
		}
		if f.Tag.Has("secret") && value != "" {
			value = "…"
		}
		list = append(list, Setting{f.Name, value, cmp.Or(s.sources[f.Name], "default")})
	}
	return list, nil
}

// ChangedNames returns the names of the settings whose values differ in next.
func (s *Settings) ChangedNames(next *Settings) (names []string) {
	_, model, err := newParser(new(Settings))
	if err != nil {
		panic(err) // a struct tag of Settings is invalid
	}
	for _, f := range model {
		before, wasSet := s.values[f.Name]
		after, isSet := next.values[f.Name]
		if !wasSet {
			before = f.Default
		}
		if !isSet {
			after = f.Default
		}
		if before != after {
			names = append(names, f.Name)
		}
	}
	return names
}

// Enums returns the allowed values of each setting with a fixed list of values, by
// the name of the setting.
func Enums() map[string][]string {
	_, model, err := newParser(new(Settings))
	if err != nil {
		panic(err) // a struct tag of Settings is invalid
	}
	enums := make(map[string][]string)
	for _, f := range model {
		if f.Enum != "" {
			enums[f.Name] = strings.Split(f.Enum, ",")
		}
	}
	return enums
}
