package dataset

import (
	"fmt"
	"testing"
	"time"

	"appliance/svc"
)

// remnant is a part of so many bytes.
type remnant int

func (remnant) expires() time.Time { return time.Time{} }
func (r remnant) size() int        { return int(r) }

// What was asked for the longest time ago is forgotten first, and there is
// never more than there may be.
func TestMemoryForgets(t *testing.T) {
	m := newMemory()
	key := func(n int) memoryKey { return memoryKey{member: svc.MemberID(n), part: "time"} }
	for n := range 4 {
		m.put(key(n), kept{value: remnant(maxKept / 4)})
	}
	m.get(key(0))
	m.put(key(4), kept{value: remnant(maxKept / 4)})
	left := ""
	for n := range 5 {
		if m.get(key(n)).value != nil {
			left += fmt.Sprint(n)
		}
	}
	if left != "0234" || m.bytes != maxKept {
		t.Errorf("%s are left, with %d bytes of %d", left, m.bytes, maxKept)
	}
	m.put(key(0), kept{value: remnant(maxKept / 2)}) // instead of the smaller one
	if m.bytes > maxKept || m.get(key(0)).value != remnant(maxKept/2) {
		t.Errorf("%d bytes of %d after one that grew", m.bytes, maxKept)
	}
	m.put(key(2), kept{value: remnant(maxKept + 1)})
	if m.get(key(2)).value != nil || m.bytes > maxKept {
		t.Errorf("what is larger than all the room is kept, or %d bytes are", m.bytes)
	}
}

// Two may make the same part at once, of different states. The later one stays.
func TestMemoryKeepsTheNewest(t *testing.T) {
	m := newMemory()
	key := memoryKey{member: 7, part: "social"}
	m.put(key, kept{value: remnant(1), revision: 5, change: 20})
	m.put(key, kept{value: remnant(2), revision: 4, change: 10})
	if k := m.get(key); k.value != remnant(1) || k.change != 20 {
		t.Errorf("kept: %+v", k)
	}
	m.confirm(key, 5, 30)
	m.confirm(key, 4, 40) // of another state
	m.confirm(key, 5, 25)
	if k := m.get(key); k.change != 30 {
		t.Errorf("it has all changes up to %d, not 30", k.change)
	}
}
