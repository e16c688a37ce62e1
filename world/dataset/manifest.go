package dataset

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// manifest identifies the records of one dataset and their content, without their
// text. It is immutable, except for size.
type manifest struct {
	request  string // identifies the request
	revision string // identifies request and content
	objects  []objectHashes
	contexts []contextHashes
	actions  []*recordHashes // lists of actions that have no object as their target; the others are in objects
	findings []*recordHashes
	size     int // bytes, approximately; of the cache
}

// contextHashes identifies a context and its content.
type contextHashes struct {
	id    string
	hash  uint64 // of its own fields
	items *recordHashes
}

// newManifest returns the manifest of the composed dataset.
func (c *composition) newManifest() *manifest {
	m := &manifest{request: c.request.identity(), objects: c.next.layout.manifest}
	for _, x := range c.contexts {
		m.contexts = append(m.contexts, contextHashes{x.id, x.hash, x.items.index()})
	}
	m.actions, m.findings = hashesOf(c.actions), hashesOf(c.findings)
	m.revision = m.newRevision(c.tx, c.viewer, c.next.layout.hash)
	return m
}

// addManifest adds the manifest of the composed dataset to the cache, and returns it
// and that of the revision in the request, which is nil if the cache does not have it.
func (c *composition) addManifest() (current, since *manifest) {
	current = c.newManifest()
	if c.request.Since != "" {
		since = c.composer.cache.manifest(c.key, current.request, c.request.Since)
	}
	c.composer.cache.addManifest(c.key, current)
	return current, since
}

// hashesOf returns the hashes of lists of records.
func hashesOf(lists []records) []*recordHashes {
	hashes := make([]*recordHashes, len(lists))
	for i, r := range lists {
		hashes[i] = r.index()
	}
	return hashes
}

// newRevision returns the revision of the dataset: a keyed hash of its content, the
// request, the member and the epoch. layout is the hash of the objects and of the
// actions on them.
func (m *manifest) newRevision(tx *store.Tx, v svc.Viewer, layout uint64) string {
	h := hmac.New(sha256.New, tx.InstanceKey())
	fmt.Fprintf(h, "changes %s %v %q", tx.Epoch(), v, m.request)
	list := binary.BigEndian.AppendUint64(nil, layout)
	for _, c := range m.contexts {
		list = binary.BigEndian.AppendUint64(list, c.hash)
		list = binary.BigEndian.AppendUint64(list, c.items.hash)
	}
	for _, lists := range [][]*recordHashes{m.actions, m.findings} {
		list = binary.BigEndian.AppendUint64(list, uint64(len(lists)))
		for _, hashes := range lists {
			list = binary.BigEndian.AppendUint64(list, hashes.hash)
		}
	}
	h.Write(list)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}

// measure sets m.size to the estimated memory that the cache frees when it drops m but
// not next, the manifest after it.
func (m *manifest) measure(next *manifest) {
	m.size = 300 + 40*len(m.contexts) + 8*len(m.actions) + 8*len(m.findings)
	if len(m.objects) > 0 && (len(next.objects) == 0 || &m.objects[0] != &next.objects[0]) {
		m.size += 32 * len(m.objects)
	}
	before, after := m.lists(), next.lists()
	start, end := commonEnds(before, after, func(a, b *recordHashes) bool { return a == b })
	shared := make(map[*recordHashes]bool)
	for _, hashes := range after[start : len(after)-end] {
		shared[hashes] = true
	}
	for _, hashes := range before[start : len(before)-end] {
		if !shared[hashes] {
			m.size += hashes.size()
		}
	}
}

// lists returns all lists of records.
func (m *manifest) lists() []*recordHashes {
	all := make([]*recordHashes, 0, len(m.objects)+len(m.contexts)+len(m.actions)+len(m.findings))
	for _, c := range m.contexts {
		all = append(all, c.items)
	}
	all = append(append(all, m.findings...), m.actions...)
	for _, o := range m.objects {
		all = append(all, o.actions)
	}
	return all
}

// actionLists returns the lists of the section actions, in order.
func (m *manifest) actionLists() []*recordHashes {
	all := make([]*recordHashes, 0, len(m.actions)+len(m.objects))
	all = append(all, m.actions...)
	for _, o := range m.objects {
		all = append(all, o.actions)
	}
	return all
}

// The limits of the manifests of one cache entry: their number, and their size in
// bytes.
const (
	maxManifests     = 16
	maxManifestsSize = 1 << 20
)

// manifests are the manifests of the latest datasets that were composed for one cache
// entry, the latest last.
type manifests struct {
	list []*manifest
	size int // bytes, approximately
}

// find returns the manifest of a revision, nil if there is none.
func (s manifests) find(request, revision string) *manifest {
	for _, m := range s.list {
		if m.revision == revision && m.request == request {
			return m
		}
	}
	return nil
}

// add adds a manifest, or makes it the latest if it is present. It drops the oldest
// ones above the limits.
func (s *manifests) add(m *manifest) {
	if n := len(s.list); n > 0 && s.list[n-1].revision == m.revision {
		return
	}
	list := slices.DeleteFunc(slices.Clone(s.list), func(other *manifest) bool { return other.revision == m.revision })
	if n := len(list); n > 0 {
		list[n-1].measure(m)
	}
	m.measure(cmp.Or(lastManifest(list), &manifest{}))
	list = append(list, m)
	size := 0
	for _, m := range list {
		size += m.size
	}
	for len(list) > maxManifests || size > maxManifestsSize && len(list) > 1 {
		size -= list[0].size
		list = list[1:]
	}
	*s = manifests{list, size}
}

// lastManifest returns the last manifest of a list, nil if the list is empty.
func lastManifest(list []*manifest) *manifest {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}
