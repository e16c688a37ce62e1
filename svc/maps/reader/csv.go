package reader

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
)

// maxRow limits the length of one row in bytes.
const maxRow = 256 << 10

// csvReader reads a table whose first row names the columns. It reads the file twice,
// as geoJSONReader does.
type csvReader struct {
	ctx     context.Context
	file    File
	options Options
	sink    mapdata.Sink // nil in the first pass

	bounds    pointBounds
	rows      int
	columns   []string // names in lower case
	latitude  int      // index of the column
	longitude int
	csv       *csv.Reader
}

// The names of the columns with the position.
var (
	latitudeNames  = []string{"latitude", "lat", "y"}
	longitudeNames = []string{"longitude", "lon", "lng", "long", "x"}
)

func readCSV(ctx context.Context, f File, o Options, sink mapdata.Sink) error {
	r := &csvReader{ctx: ctx, file: f, options: o}
	if err := r.pass(0); err != nil {
		return err
	}
	if r.rows == 0 {
		return errors.New("the file contains no rows")
	}
	if err := sink.Header(mapdata.Header{Bounds: r.bounds.box()}); err != nil {
		return err
	}
	r.sink = sink
	return r.pass(f.Size)
}

// pass reads the file once. The progress begins with done.
func (r *csvReader) pass(done int64) error {
	input := &boundedReader{content: r.file.text(), progress: func(read int64) {
		r.options.Progress(done+read, 2*r.file.Size)
	}}
	r.csv = csv.NewReader(input)
	r.csv.ReuseRecord, r.csv.Comma = true, r.separator()
	for r.rows = -1; ; r.rows++ {
		input.allow(r.csv.InputOffset(), maxRow)
		row, err := r.csv.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return r.parseError(err)
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if r.rows < 0 {
			err = r.header(row)
		} else {
			err = r.row(row)
		}
		if err != nil {
			return err
		}
	}
	if r.rows < 0 {
		return errors.New("the file is empty: the first row must name the columns")
	}
	return nil
}

// separator returns the separator of columns: the most frequent one in the first row.
func (r *csvReader) separator() rune {
	start := make([]byte, 4096)
	n, _ := r.file.Content.ReadAt(start, 0) // an error is reported by the reading of the rows
	first, _, _ := bytes.Cut(start[:n], []byte{'\n'})
	best, count := ',', 0
	for _, s := range []rune{',', ';', '\t'} {
		if c := bytes.Count(first, []byte(string(s))); c > count {
			best, count = s, c
		}
	}
	return best
}

// parseError returns an error of the syntax with its position.
func (r *csvReader) parseError(err error) error {
	syntax := new(csv.ParseError)
	switch {
	case !errors.As(err, &syntax):
		return r.file.at(r.csv.InputOffset(), err)
	case errors.Is(err, csv.ErrFieldCount):
		return &Error{syntax.StartLine, 1, fmt.Errorf("the row has more or fewer columns than the first row, which has %d", len(r.columns))}
	}
	return &Error{syntax.Line, syntax.Column, syntax.Err}
}

// at returns an error in a column of the current row.
func (r *csvReader) at(column int, format string, args ...any) error {
	line, position := r.csv.FieldPos(column)
	return &Error{line, position, fmt.Errorf(format, args...)}
}

// header reads the names of the columns.
func (r *csvReader) header(row []string) error {
	r.columns = make([]string, len(row))
	for i, name := range row {
		r.columns[i] = strings.ToLower(strings.TrimSpace(name))
		if r.columns[i] != "" && slices.Contains(r.columns[:i], r.columns[i]) {
			return r.at(i, "two columns have the name %.60q", r.columns[i])
		}
	}
	find := func(names []string) int {
		return slices.IndexFunc(r.columns, func(c string) bool { return slices.Contains(names, c) })
	}
	r.latitude, r.longitude = find(latitudeNames), find(longitudeNames)
	switch {
	case r.latitude < 0:
		return r.at(0, "no column has the name latitude or lat")
	case r.longitude < 0:
		return r.at(0, "no column has the name longitude, lon or lng")
	case find([]string{"name", "title", "label"}) < 0:
		return r.at(0, "no column has the name name")
	}
	return nil
}

// row reads one place.
func (r *csvReader) row(row []string) error {
	var p geo.Point
	var err error
	if p.Latitude, err = r.coordinate(row, r.latitude, 90); err != nil {
		return err
	}
	if p.Longitude, err = r.coordinate(row, r.longitude, 180); err != nil {
		return err
	}
	r.bounds.add(p)
	tags := make(map[string]string, len(row))
	for i, value := range row {
		if !utf8.ValidString(value) {
			return r.at(i, "the text is not encoded in UTF-8")
		}
		if i != r.latitude && i != r.longitude {
			setProperty(tags, r.columns[i], value)
		}
	}
	place, ok, badCategory := placeOfProperties(tags)
	if badCategory != "" {
		return r.at(slices.Index(r.columns, "category"), "unknown category %.60q: use %s, a tag such as amenity=cafe, or leave it empty",
			badCategory, strings.Join(kind.Categories, ", "))
	}
	if !ok {
		column := max(0, slices.IndexFunc(r.columns, func(c string) bool { return c == "name" || tagOfProperty[c] == "name" }))
		return r.at(column, "the name is empty")
	}
	if r.sink == nil {
		return nil
	}
	place.Provider, place.Point = r.options.Region, p
	place.ProviderID = idOf(tags["id"], place.Name, p)
	return r.sink.Place(place)
}

// coordinate returns the coordinate in a column.
func (r *csvReader) coordinate(row []string, column int, limit float64) (float64, error) {
	value := strings.TrimSpace(row[column])
	degrees, err := strconv.ParseFloat(value, 64)
	if err != nil && strings.Contains(value, ",") {
		return 0, r.at(column, "the %s %.40q is not a number: write a point before the decimals", r.columns[column], value)
	}
	if err != nil || math.IsNaN(degrees) {
		return 0, r.at(column, "the %s %.40q is not a number", r.columns[column], value)
	}
	if degrees < -limit || degrees > limit {
		return 0, r.at(column, "the %s %g is out of range: it is between %g and %g degrees", r.columns[column], degrees, -limit, limit)
	}
	return degrees, nil
}
