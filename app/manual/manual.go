// Package manual provides the topics of the manual, which the server shows as
// pages and `appliance help TOPIC` prints.
package manual

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"appliance/assets"
	"appliance/testdata/runtime"
)

// Topic is one topic of the manual.
type Topic struct {
	Name     string // of the file, without its extension
	Title    string
	Text     string
	Verbatim bool // whether Text is a file to copy, such as a systemd unit, and not Markdown
}

// Audience is the kind of readers of a topic.
type Audience string

const (
	Members    Audience = "For members"
	Operators  Audience = "For operators"
	Developers Audience = "For developers"
)

// Group has the names of the topics for an audience, in the order in which they should be read.
type Group struct {
	Audience Audience
	Names    []string
}

// Groups returns all topics by audience. The topics for operators are first if isOperator, and
// those for members otherwise.
func Groups(isOperator bool) []Group {
	groups := []Group{
		{Members, []string{"app", "calendars", "messages", "social", "find", "second-factor"}},
		{Operators, []string{"start", "members", "settings", "https", "backups", "upgrade", "monitoring", "regions", "limits", "commands", "systemd"}},
		{Developers, []string{"providers", "runtimes", "example", "conformance", "caldav"}},
	}
	if isOperator {
		groups[0], groups[1] = groups[1], groups[0]
	}
	return groups
}

// example is the topic with the source of the example runtime.
var example = Topic{Name: "example", Title: "Example of a runtime", Text: runtime.Source, Verbatim: true}

// Topics returns the topics in the order of their names.
func Topics() []Topic {
	files, err := fs.Glob(assets.Files, "manual/*")
	if err != nil {
		panic(err) // the pattern is malformed
	}
	var list []Topic
	for _, file := range files {
		text, err := fs.ReadFile(assets.Files, file)
		if err != nil {
			panic(err) // the file is embedded
		}
		name, extension, _ := strings.Cut(path.Base(file), ".")
		title, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Topic{
			Name: name, Title: strings.TrimSuffix(strings.TrimPrefix(title, "# "), "."), Text: string(text), Verbatim: extension != "md",
		})
	}
	list = append(list, example)
	slices.SortFunc(list, func(a, b Topic) int { return strings.Compare(a.Name, b.Name) })
	return list
}
