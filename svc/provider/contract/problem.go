package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Rejection is the error of a payload that violates its contract.
type Rejection struct {
	Problems []Problem // the first 20
	Total    int
}

// Problem is a violation at one place of a payload.
type Problem struct {
	Pointer string `json:"pointer"` // RFC 6901; "" is the payload as a whole
	Message string `json:"message"` // for the author of the provider
}

// Error implements error.
func (r *Rejection) Error() string {
	p := r.Problems[0]
	text := p.Message
	if p.Pointer != "" {
		text = p.Pointer + ": " + text
	}
	if r.Total > 1 {
		text += fmt.Sprintf(" (and %d more problems)", r.Total-1)
	}
	return text
}

// maxProblems limits the problems of a [Rejection].
const maxProblems = 20

// problems collects the problems of a payload.
type problems struct {
	list  []Problem
	total int
}

// add adds a problem at a path of keys and indices.
func (p *problems) add(path []string, format string, args ...any) {
	if p.total++; len(p.list) < maxProblems {
		p.list = append(p.list, Problem{pointer(path), fmt.Sprintf(format, args...)})
	}
}

// err returns the problems as an error, nil if there are none.
func (p *problems) err() error {
	if p.total == 0 {
		return nil
	}
	return &Rejection{p.list, p.total}
}

// reject returns a [Rejection] with one problem of the payload as a whole.
func reject(format string, args ...any) error {
	var p problems
	p.add(nil, format, args...)
	return p.err()
}

var escapePointer = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the JSON Pointer of a path.
func pointer(path []string) string {
	var b strings.Builder
	for _, key := range path {
		b.WriteByte('/')
		b.WriteString(escapePointer.Replace(key))
	}
	return b.String()
}

// comparePaths orders paths as their places in a payload. Keys are in alphabetical
// order.
func comparePaths(a, b []string) int {
	return slices.CompareFunc(a, b, func(a, b string) int {
		i, errA := strconv.Atoi(a)
		j, errB := strconv.Atoi(b)
		if errA == nil && errB == nil {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(a, b)
	})
}

// excerpt quotes the beginning of a text of a payload.
func excerpt(text string) string {
	const limit = 60
	if len(text) > limit {
		cut := limit
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return strconv.Quote(text)
}
