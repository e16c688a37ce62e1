package words

import (
	"regexp"
	"strconv"
)

// Stored is an English message of the server that a record contains, as an argument of a
// [Text]. It is translated as by [Language.Stored].
type Stored string

var number = regexp.MustCompile(`\d+`)

// Stored returns a stored English message of the server in the language l. A message is a text
// without arguments, or a text with a number for its only verb %d. Other messages are returned
// unchanged.
func (l Language) Stored(message string) string {
	if text, ok := l.Catalog().Server[message]; ok {
		return text
	}
	at := number.FindStringIndex(message)
	if at == nil {
		return message
	}
	n, err := strconv.Atoi(message[at[0]:at[1]])
	format := message[:at[0]] + "%d" + message[at[1]:]
	if _, ok := l.Catalog().Server[format]; !ok || err != nil {
		return message
	}
	return l.Textf(format, n)
}
