package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a payload in addition to those of the schemas.
const (
	maxDepth  = 32
	maxKey    = 100       // characters of a key, which the schemas state too
	maxValues = 1_000_000 // values of a source payload
	// maxRecordValues limits the values of a result and of a record of a source
	// payload, because each may have a problem, and the problems of a record are
	// collected before they are counted.
	maxRecordValues = 25_000
)

// parseTree decodes a JSON document of at most the given numbers of bytes and values.
// Schema, terms and the Go type are applied to its result only. A document that other
// parsers may interpret differently, for example because of duplicate keys, is
// rejected. Integers have their shortest form.
func parseTree(data []byte, maxBytes, maxValues int) (any, error) {
	if len(data) > maxBytes {
		return nil, reject("The payload has %d bytes, the limit is %d.", len(data), maxBytes)
	}
	if err := checkSyntax(data); err != nil {
		return nil, err
	}
	d := treeDecoder{text: string(data), left: maxValues}
	tree, err := d.value()
	if errors.Is(err, errStop) {
		err = nil // the problem is recorded
	}
	if err == nil {
		err = d.problems.err()
	}
	return tree, err
}

// checkSyntax rejects a text that is not exactly one JSON value in UTF-8.
func checkSyntax(data []byte) error {
	if !utf8.Valid(data) {
		i := 0
		for i < len(data) {
			r, size := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		return reject("The payload is not UTF-8 (%s).", position(data, i))
	}
	if json.Valid(data) {
		return nil
	}
	err := json.Unmarshal(data, new(any))
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return reject("The payload is not JSON: %v (%s).", err, position(data, int(syntax.Offset)-1))
	}
	return reject("The payload is not JSON: %v.", err)
}

// position describes the position of a byte of data.
func position(data []byte, offset int) string {
	before := data[:min(max(offset, 0), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)
}

// treeDecoder decodes a document whose syntax is valid. Its strings are parts of text,
// so that most need no memory of their own.
type treeDecoder struct {
	text     string
	pos      int
	problems problems
	path     []string
	left     int // values that the document may still have
}

// errStop ends the decoding after a problem that is already recorded.
var errStop = errors.New("the document is beyond a limit")

// stop records a problem at the current path and ends the decoding.
func (d *treeDecoder) stop(format string, args ...any) (any, error) {
	d.problems.add(d.path, format, args...)
	return nil, errStop
}

// next skips white space, and the character c if it follows.
func (d *treeDecoder) next(c byte) bool {
	for strings.IndexByte(" \t\r\n", d.text[d.pos]) >= 0 {
		d.pos++
	}
	if d.text[d.pos] != c {
		return false
	}
	d.pos++
	return true
}

// value decodes the next value.
func (d *treeDecoder) value() (any, error) {
	if d.left--; d.left < 0 {
		return d.stop("The payload has too many values.")
	}
	object, array := d.next('{'), false
	if !object {
		array = d.next('[')
	}
	if (object || array) && len(d.path) >= maxDepth {
		return d.stop("The payload is nested more deeply than %d levels.", maxDepth)
	}
	switch {
	case object:
		return d.object()
	case array:
		return d.array()
	case d.text[d.pos] == '"':
		return d.string()
	}
	begin := d.pos
	for d.pos < len(d.text) && strings.IndexByte(",]} \t\r\n", d.text[d.pos]) < 0 {
		d.pos++
	}
	switch literal := d.text[begin:d.pos]; literal {
	case "true", "false":
		return literal == "true", nil
	case "null":
		return nil, nil
	default:
		return d.number(literal), nil
	}
}

func (d *treeDecoder) array() (any, error) {
	list := []any{}
	for !d.next(']') {
		d.next(',')
		d.path = append(d.path, strconv.Itoa(len(list)))
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		d.path = d.path[:len(d.path)-1]
	}
	return list, nil
}

func (d *treeDecoder) object() (any, error) {
	object := make(map[string]any)
	for !d.next('}') {
		d.next(',')
		d.next(' ') // skips white space
		key, err := d.string()
		if err != nil {
			return nil, err
		}
		if n := utf8.RuneCountInString(key); n > maxKey {
			return d.stop("A key has %d characters, the limit is %d.", n, maxKey)
		}
		d.path = append(d.path, key)
		if _, ok := object[key]; ok {
			d.problems.add(d.path, "The key occurs twice. Remove one.")
		}
		d.next(':')
		if object[key], err = d.value(); err != nil {
			return nil, err
		}
		d.path = d.path[:len(d.path)-1]
	}
	return object, nil
}

// string decodes the string that begins at the current position.
func (d *treeDecoder) string() (s string, err error) {
	begin := d.pos
	for d.pos++; d.text[d.pos] != '"'; d.pos++ {
		if d.text[d.pos] == '\\' {
			d.pos++
		}
	}
	d.pos++
	literal := d.text[begin:d.pos]
	if strings.IndexByte(literal, '\\') < 0 {
		return literal[1 : len(literal)-1], nil
	}
	err = json.Unmarshal([]byte(literal), &s)
	return s, err
}

// number returns the shortest form of an integer, and other numbers as they are. It
// records a problem for a number that a float64 cannot represent, because programs
// would read different values.
func (d *treeDecoder) number(literal string) json.Number {
	const limit = 1 << 53
	if i, err := strconv.ParseInt(literal, 10, 64); err == nil && -limit <= i && i <= limit {
		return json.Number(strconv.FormatInt(i, 10)) // -0 becomes 0
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil || !strings.ContainsAny(literal, ".eE") {
		d.problems.add(d.path, "The number %s is too large. Write it as a string.", excerpt(literal))
	} else if f == math.Trunc(f) && math.Abs(f) <= limit {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	return json.Number(literal)
}

// countValues returns the number of values in a tree, at most limit+1.
func countValues(tree any, limit int) int {
	n := 1
	switch tree := tree.(type) {
	case map[string]any:
		for _, v := range tree {
			if n > limit {
				break
			}
			n += countValues(v, limit-n)
		}
	case []any:
		for _, v := range tree {
			if n > limit {
				break
			}
			n += countValues(v, limit-n)
		}
	}
	return n
}
