package apptest

import "appliance/svc/calendar/ics/icstest"

// Rand makes random choices, times and calendar objects. The same seed makes the
// same.
type Rand = icstest.Rand

// NewRand returns a Rand with a seed.
func NewRand(seed uint64) Rand { return icstest.NewRand(seed) }

// Pick returns an item of list.
func Pick[T any](d Rand, list ...T) T { return icstest.Pick(d, list...) }

// Zones are time zones with unusual offsets and changes of clocks.
var Zones = icstest.Zones

// RealObjects are calendar objects as clients write them.
var RealObjects = icstest.RealObjects
