package apptest

import "appliance/svc/calendar/ics/icstest"

// Rand generates random choices, times and calendar objects. Equal seeds give
// equal results.
type Rand = icstest.Rand

// NewRand returns a Rand with a seed.
func NewRand(seed uint64) Rand { return icstest.NewRand(seed) }

// Pick returns an item of list.
func Pick[T any](d Rand, list ...T) T { return icstest.Pick(d, list...) }

// Zones are time zones with unusual offsets and clock changes.
var Zones = icstest.Zones

// RealObjects are calendar objects of well-known clients, by name.
var RealObjects = icstest.RealObjects
