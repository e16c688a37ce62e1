// Package gazetteer contains the towns of the world, from GeoNames
// (https://www.geonames.org/, CC BY 4.0).
//
// # Files
//
//   - gazetteer.go: Read, which passes the towns to a sink, and Cities
//   - generate.go: the program that writes the embedded data from npm packages
package gazetteer

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"

	"github.com/klauspost/compress/zstd"
)

//go:generate go run generate.go

//go:embed towns.zst
var data []byte

// Attribution is required by the license of GeoNames.
var Attribution = mapdata.Attribution{Label: "GeoNames", URL: "https://www.geonames.org/", Required: true}

// Size is the number of embedded bytes.
func Size() int64 { return int64(len(data)) }

// Part is a part of the towns.
type Part string

// Parts.
const (
	All   Part = ""
	Large Part = "large" // the capitals and the towns with at least 50,000 inhabitants
)

// Checksum returns the SHA-256 of the embedded data, of the version of its
// interpretation and of the part, in hex.
func Checksum(part Part) string {
	sum := sha256.New()
	sum.Write(data)
	fmt.Fprint(sum, version, part)
	return hex.EncodeToString(sum.Sum(nil))
}

// version must be incremented when Read returns other places from the same data, so
// that existing servers load them again.
const version = 1

// maxText limits the size of the decompressed data.
const maxText = 32 << 20

// Read passes the towns of a part to the sink.
func Read(ctx context.Context, part Part, sink mapdata.Sink) error {
	rows, err := readRows()
	if err != nil {
		return err
	}
	if err := sink.Header(mapdata.Header{Bounds: geo.Box{South: -90, West: -180, North: 90, East: 180}, Attribution: Attribution}); err != nil {
		return err
	}
	for rows.next() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if part == Large && rows.town.rank() < 0 {
			continue
		}
		if err := sink.Place(rows.town.place()); err != nil {
			return err
		}
	}
	return rows.err
}

// readRows decompresses the embedded data.
func readRows() (*rows, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxText))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	text, err := decoder.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the embedded towns: %w", err)
	}
	return newRows(text)
}

// Cities returns the labels of the capitals and of the towns with at least 50,000
// inhabitants. It takes a fraction of a second.
func Cities() (list []mapdata.Feature, err error) {
	rows, err := readRows()
	if err != nil {
		return nil, err
	}
	for rows.next() {
		if rank := rows.town.rank(); rank >= 0 {
			name := strings.Clone(rows.town.name) // without the other rows
			list = append(list, mapdata.Feature{Class: mapdata.PlaceLabel, Name: name, Rank: rank, Parts: [][]geo.Point{{rows.town.point}}})
		}
	}
	return list, rows.err
}

// The columns of the data.
const (
	columnName = iota
	columnCountry
	columnRegion
	columnID
	columnCode
	columnPopulation
	columnLatitude
	columnLongitude
	columnCount
)

// rows iterates over the rows of the data, which contains the columns one after the
// other.
type rows struct {
	columns             [columnCount][]byte
	town                town
	latitude, longitude int // of the current row, in 1e-4 degrees
	err                 error
}

func newRows(text []byte) (*rows, error) {
	columns := bytes.Split(bytes.TrimSuffix(text, []byte{0}), []byte{0})
	if len(columns) != columnCount {
		return nil, errors.New("the embedded towns have the wrong number of columns")
	}
	return &rows{columns: [columnCount][]byte(columns)}, nil
}

// next advances to the next row. It returns false at the end or after an error.
func (r *rows) next() bool {
	if len(r.columns[columnName]) == 0 || r.err != nil {
		return false
	}
	var values [columnCount]string
	for i := range r.columns {
		value, rest, found := bytes.Cut(r.columns[i], []byte{'\n'})
		if !found {
			r.err = errors.New("the columns of the embedded towns have different lengths")
			return false
		}
		values[i], r.columns[i] = string(value), rest
	}
	var population, latitude, longitude int
	for column, number := range map[int]*int{columnPopulation: &population, columnLatitude: &latitude, columnLongitude: &longitude} {
		if *number, r.err = strconv.Atoi(values[column]); r.err != nil {
			return false
		}
	}
	r.latitude += latitude
	r.longitude += longitude
	r.town = town{
		id: values[columnID], name: values[columnName], country: values[columnCountry], region: values[columnRegion], code: values[columnCode],
		population: population, point: geo.Point{Latitude: float64(r.latitude) / 1e4, Longitude: float64(r.longitude) / 1e4},
	}
	return true
}

// town is a row.
type town struct {
	id         string // of GeoNames, "0" if it is unknown
	name       string
	country    string
	region     string // name of the first-order division, such as a state
	code       string // feature code of GeoNames, such as PPLC
	population int
	point      geo.Point
}

// place returns the town as a place.
func (t town) place() mapdata.Place {
	tags := map[string]string{"name": t.name, "place": t.kind()}
	if t.population > 0 {
		tags["population"] = strconv.Itoa(t.population)
	}
	if t.code == "PPLC" {
		tags["capital"] = "yes"
	}
	p := mapdata.Place{Provider: "geonames", ProviderID: t.id, Name: t.name, Point: t.point, Address: mapdata.Address{Country: t.country}}
	p.Kind, p.Category, p.Importance = kind.Of(tags)
	if t.region != t.name {
		p.Address.City = t.region // the region is shown after the name of a town
	}
	if t.id == "0" {
		p.ProviderID = fmt.Sprintf("%s/%s/%.4f,%.4f", t.country, t.name, t.point.Latitude, t.point.Longitude)
	}
	delete(tags, "name")
	delete(tags, "place")
	p.Tags = tags
	return p
}

// rank returns the rank of the label of a town, -1 if it has none.
func (t town) rank() int {
	switch {
	case t.code == "PPLC" && t.population >= 100_000:
		return 0
	case t.code == "PPLC": // it must not displace a large city nearby
		return 2
	case t.code == "PPLX": // a part of a town
		return -1
	case t.population >= 1_000_000:
		return 1
	case t.population >= 250_000:
		return 2
	case t.population >= 100_000:
		return 3
	case t.population >= 50_000:
		return 4
	}
	return -1
}

// kind returns the value of the tag place.
func (t town) kind() string {
	switch {
	case t.code == "PPLC" || t.population >= 100_000:
		return "city"
	case t.code == "PPLX":
		return "suburb"
	case t.population >= 10_000 || t.code == "PPLA":
		return "town"
	}
	return "village"
}
