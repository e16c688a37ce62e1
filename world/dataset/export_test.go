package dataset

import (
	"maps"
	"slices"

	"appliance/store"
)

// LimitCache replaces the cache by an empty one of at most max bytes.
func (c *Composer) LimitCache(max int) { c.cache = newCache(max) }

// Cached returns the number of cached snapshots and their size in bytes.
func (c *Composer) Cached() (snapshots, size int) {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	return len(c.cache.entries), c.cache.size
}

// TopicsOfParts returns the topics of all parts, by the name of the part. A part
// without own topics has the topics of its inputs.
func TopicsOfParts() map[string][]store.Topic {
	topics := make(map[string][]store.Topic)
	for _, p := range slices.Concat(accountParts(), timeParts(), messagesParts(), socialParts(), providerParts(), workspaceParts(), operatorParts()) {
		topics[p.name] = p.topics
		for _, input := range p.inputs {
			topics[p.name] = append(topics[p.name], topics[input]...)
		}
	}
	return maps.Clone(topics)
}
