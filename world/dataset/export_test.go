package dataset

import (
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

// TopicsOfParts returns the topics of each part.
func TopicsOfParts() (topics [][]store.Topic) {
	for _, p := range slices.Concat(accountParts(), timeParts(), messagesParts(), socialParts(), providerParts(), workspaceParts(), operatorParts()) {
		topics = append(topics, p.topics)
	}
	return topics
}
