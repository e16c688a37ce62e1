package feeds

import (
	"maps"
	"regexp"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/words"
)

// The English texts of payloads and results that have a part of a feed. The contract with
// providers has no language: a payload is in English, and [Texts] translates it.
const (
	failureFormat  = "Not updated since %s. %s"
	failureDay     = "2 January 2006, 15:04 UTC"
	authorFormat   = "By %s"
	categoryFormat = "Categories: %s"
	markFormat     = "Read: %s"
)

// actionLabels are the English labels of actions, by type.
var actionLabels = map[string]string{refreshOperation: "Refresh", removeOperation: "Remove", readOperation: "Mark as read", unreadOperation: "Mark as unread"}

// resourceLabels are the English labels of resources.
var resourceLabels = []string{"Web site", "Article", "Picture"}

// Texts translates the texts of this provider to a language.
type Texts struct{ Language words.Language }

// Label returns the label of an action of a type.
func (t Texts) Label(actionType, label string) string {
	if label == actionLabels[actionType] {
		return t.Language.Text(label)
	}
	return label
}

// Message returns the message of a result.
func (t Texts) Message(message string) string { return t.Language.Stored(message) }

// Title returns the title of an object.
func (t Texts) Title(o contract.Object) string {
	if o.Type == markType {
		return t.argument(markFormat, o.Title)
	}
	return o.Title
}

var failureSummary = regexp.MustCompile(`(?s)^Not updated since (.+? UTC)\. (.*)$`)

// Summary returns the summary of an object.
func (t Texts) Summary(o contract.Object) string {
	match := failureSummary.FindStringSubmatch(o.Summary)
	if o.Type != FeedType || match == nil {
		return o.Summary
	}
	at, err := time.Parse(failureDay, match[1])
	if err != nil {
		return o.Summary
	}
	return t.Language.Textf(failureFormat, t.Language.Date(at, failureDay), words.Stored(match[2]))
}

// Metadata returns the metadata of an object.
func (t Texts) Metadata(o contract.Object) svc.Map {
	if o.Type != articleType {
		return o.Metadata
	}
	metadata := maps.Clone(o.Metadata)
	for key, format := range map[string]string{"author": authorFormat, "categories": categoryFormat} {
		if text, ok := metadata[key].(string); ok {
			metadata[key] = t.argument(format, text)
		}
	}
	return metadata
}

// Resources returns the resources of an object.
func (t Texts) Resources(list svc.List[contract.Resource]) svc.List[contract.Resource] {
	translated := append(svc.List[contract.Resource]{}, list...)
	for i, r := range translated {
		translated[i].Label = t.Language.Stored(r.Label)
	}
	return translated
}

// argument returns an English text with one argument in the language.
func (t Texts) argument(format, text string) string {
	prefix, _ := strings.CutSuffix(format, "%s")
	if argument, ok := strings.CutPrefix(text, prefix); ok {
		return t.Language.Textf(format, argument)
	}
	return text
}
