// Package zoneinfo contains the time zone database of the program, and chooses the newest of
// three copies: the embedded one, that of the operating system, and a file of the operator. It
// imports no other package of this program. Services load zones with svc.Zone.
//
// # Files
//
//   - zoneinfo.go: Data, a copy of the database, and the copy in use
//   - read.go: reads the copies, and refuses invalid ones
//   - version.go: the versions of the database and their order
//   - tzif.go: locations with given transitions
//   - generate.go: the program that writes zoneinfo.zip from Debian's package tzdata
//
// # Why
//
// Governments change time zones several times a year, often a few weeks ahead. The database in
// time/tzdata is as old as the Go release, and most containers have none of the operating
// system. A database that operators can replace is current without a release of the program.
package zoneinfo

import (
	"sync"
	"sync/atomic"
	"time"
)

//go:generate go run generate.go

// Source is the place where a copy of the database was read.
type Source string

// The sources.
const (
	Program Source = "program" // embedded in the program
	System  Source = "system"  // of the operating system
	File    Source = "file"    // of the operator
)

// Info describes a copy of the time zone database.
type Info struct {
	Version  string    `json:"version"` // such as "2026f"
	Source   Source    `json:"source"`
	Path     string    `json:"path"`     // of the file or directory; "" for Program
	Released time.Time `json:"released"` // when the copy was made, soon after the release
}

// Data is a copy of the time zone database. It is immutable.
type Data struct {
	Info

	zones    map[string]zoneFile
	links    map[string]string // other names of zones
	fallback *Data             // for names that this copy does not have; may be nil
	loaded   sync.Map          // name → *time.Location, for names that exist
}

// zoneFile is a TZif file (RFC 9636).
type zoneFile interface{ read() ([]byte, error) }

// choice is the result of [Load].
type choice struct {
	*Data
	refused error
}

// inUse is the copy in use, nil for the embedded one.
var inUse atomic.Pointer[choice]

// Current returns the copy of the database in use.
func Current() *Data {
	if c := inUse.Load(); c != nil {
		return c.Data
	}
	return embedded()
}

// Refused returns why the [Load] that chose the copy in use refused another copy, nil if it
// refused none.
func Refused() error {
	if c := inUse.Load(); c != nil {
		return c.refused
	}
	return nil
}

// Use makes the result of [Load] the copy in use and reports whether it is another one than
// before. Locations that were loaded before keep their rules.
func Use(d *Data, refused error) (changed bool) {
	before := Current()
	if changed = d.Info != before.Info; !changed {
		d = before
	}
	inUse.Store(&choice{d, refused})
	return changed
}

// maxName limits the length of a name, and maxLinks the number of links in a chain.
const (
	maxName  = 64
	maxLinks = 4
)

// Location returns the zone with an IANA name, nil if there is none.
func (d *Data) Location(name string) *time.Location {
	if loc, ok := d.loaded.Load(name); ok {
		return loc.(*time.Location)
	}
	if name == "UTC" { // [time.UTC] is compared
		return time.UTC
	}
	data := d.read(name)
	if data == nil {
		return nil
	}
	loc, err := parse(name, data)
	if err != nil { // of the operating system, whose zones are not validated before
		if d.fallback == nil {
			return nil
		}
		return d.fallback.Location(name)
	}
	stored, _ := d.loaded.LoadOrStore(name, loc) // only existing names, so the size is limited
	return stored.(*time.Location)
}

// read returns the TZif file of a zone, nil if there is none. It follows links, also those of
// the fallback: the packages of some systems have none.
func (d *Data) read(name string) []byte {
	if len(name) > maxName {
		return nil
	}
	for range maxLinks {
		if f := d.zones[name]; f != nil {
			data, err := f.read()
			if err != nil {
				return nil
			}
			return data
		}
		target := d.links[name]
		if target == "" && d.fallback != nil {
			target = d.fallback.links[name]
		}
		if target == "" {
			break
		}
		name = target
	}
	if d.fallback == nil {
		return nil
	}
	return d.fallback.read(name)
}
