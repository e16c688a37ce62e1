package harness

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// listRoute is a route that returns a list of records.
type listRoute struct {
	path   string
	key    string // key of the list in the response
	schema string // contract of a record
	id     string // key that identifies a record
	paged  bool
}

// lists are the routes whose records are checked.
var lists = []listRoute{
	{threadsPath, "threads", "service.messages.thread", "id", true},
	{"/world/social/communities", "communities", "service.social.community", "id", true},
	{"/world/social/conversations", "conversations", "service.social.conversation", "id", true},
	{"/world/social/events", "events", "service.social.event", "id", true},
	{"/world/social/dms", "dms", "service.social.dm", "id", true},
	{"/world/social/invitations", "invitations", "service.social.invitation", "id", true},
	{"/world/social/people", "people", "service.social.person", "id", true},
	{"/world/social/presence", "presence", "service.social.presence", "member_id", true},
	{"/world/social/activity", "activity", "service.social.activity", "id", true},
	{"/world/social/notifications", "notifications", "service.social.notification", "id", true},
	{"/world/social/blocks", "blocks", "service.social.block", "member_id", false},
	{"/world/social/circles", "circles", "service.social.circle", "depth", false},
}

// routeOf returns the route in lists with a path. It panics if there is none.
func routeOf(path string) listRoute {
	for _, l := range lists {
		if l.path == path {
			return l
		}
	}
	panic("harness: no list at " + path)
}

// listPaths returns the paths of the lists.
func listPaths() (paths []string) {
	for _, l := range lists {
		paths = append(paths, l.path)
	}
	return paths
}

const (
	maxPageLimit = 200 // the largest page that World returns
	maxPages     = 5   // maximum number of pages that are read of a list
)

// pages reads a list page by page. complete reports whether the last page was
// read; it is false if a page cannot be read.
func (c *client) pages(rec *recorder, path, key, cursorKey, cursorParameter string, limit int) (records []value, complete bool) {
	query := fmt.Sprintf("%s?limit=%d", path, limit)
	for address := query; ; {
		doc, ok := c.prefetch(address).object(rec)
		if !ok {
			return records, false
		}
		rec.checkShape(doc, key+" array", "page object")
		rec.checkShape(doc.at("page"), cursorKey+" text|null", "limit integer")
		rec.checkInteger(doc.at("page.limit"), limit)
		page := doc.at(key).list()
		if len(page) > limit {
			rec.addProblem("%s: got %d records, want at most %d", doc.at(key).path, len(page), limit)
		}
		records = append(records, page...)
		cursor := doc.at("page").at(cursorKey)
		rec.checkPageURL(doc.at("page"), strings.TrimSuffix(cursorKey, "_cursor"), cursor)
		if !cursor.is("text") {
			return records, true
		}
		if len(page) == 0 {
			rec.addProblem("%s: got a cursor on a page without records", cursor.path)
			return records, false
		}
		if len(records) >= maxPages*limit {
			return records, false
		}
		address = query + "&" + cursorParameter + "=" + cursor.str()
	}
}

// checkPageURL checks that a page has the URL of the page at its cursor exactly if it
// has a cursor.
func (r *recorder) checkPageURL(page value, key string, cursor value) {
	address := page.at(key)
	if !cursor.is("text") {
		r.checkShape(page, key+" null")
		return
	}
	r.checkWorldURL(address)
	if !strings.Contains(address.str(), cursor.str()) {
		r.addUnexpected(address, "a URL with the cursor %s", cursor)
	}
}

// records reads a list with the largest pages. It records no problems, because
// checkList checks the list.
func (c *client) records(path string) (records []value, complete bool) {
	return c.readList(new(recorder), routeOf(path))
}

// readList reads a list with the largest pages, and checks the pages.
func (c *client) readList(rec *recorder, l listRoute) (records []value, complete bool) {
	if l.paged {
		return c.pages(rec, l.path, l.key, "next_cursor", "cursor", maxPageLimit)
	}
	doc, ok := c.prefetch(l.path).object(rec)
	rec.checkShape(doc, l.key+" array")
	return doc.at(l.key).list(), ok
}

// checkList checks that the records of a list match their schema and have different
// ids, and that small pages contain the same records.
func (c *client) checkList(rec *recorder, l listRoute) int {
	records, complete := c.readList(rec, l)
	seen := make(map[string]bool)
	var ids []string
	for _, v := range records {
		c.checkSchema(rec, v, l.schema, 1)
		id := v.at(l.id).String()
		if seen[id] {
			rec.addProblem("%s: %s is listed twice", v.at(l.id).path, id)
		}
		seen[id] = true
		ids = append(ids, id)
	}
	if !l.paged || !complete {
		return len(records)
	}
	const small = 2
	var got []string
	page, _ := c.pages(rec, l.path, l.key, "next_cursor", "cursor", small)
	for _, v := range page {
		got = append(got, v.at(l.id).String())
	}
	if want := ids[:min(len(ids), maxPages*small)]; !slices.Equal(got, want) {
		rec.addProblem("GET %s: with pages of %d: got the records %q, want %q", l.path, small, got, want)
	}
	return len(records)
}

// checkDescending checks that the times of a key do not increase.
func (r *recorder) checkDescending(records []value, key string) {
	for i, v := range records[min(1, len(records)):] {
		if before := records[i].at(key); v.at(key).str() > before.str() {
			r.addUnexpected(v.at(key), "at most %v as in the record before", before)
		}
	}
}

// checkAscending checks that the times of a key do not decrease.
func (r *recorder) checkAscending(records []value, key string) {
	for i, v := range records[min(1, len(records)):] {
		if before := records[i].at(key); v.at(key).str() < before.str() {
			r.addUnexpected(v.at(key), "at least %v as in the record before", before)
		}
	}
}

// compareWithRetry compares responses to several requests. A concurrent write may come
// between them, so it repeats a comparison that finds a problem with new
// responses.
func (c *client) compareWithRetry(rec *recorder, compare func(*recorder)) {
	for i := 1; ; i++ {
		var attempt recorder
		compare(&attempt)
		if len(attempt.problems) == 0 || i == maxComparisons {
			*rec = attempt
			return
		}
		maps.DeleteFunc(c.cache, func(path string, _ *response) bool {
			path = strings.TrimPrefix(path, "prefetch ")
			return strings.HasPrefix(path, threadsPath) || strings.HasPrefix(path, "/world/social/") || strings.HasPrefix(path, "/world/panels/") || path == sessionPath
		})
	}
}
