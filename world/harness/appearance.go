package harness

import (
	"net/http"
	"strings"
)

var appearanceChecks = []check{
	{"B-106", "members and communities have a color", func(c *client, rec *recorder) {
		rec.eachItem(c.appearances(rec), "members and communities", func(v value) {
			rec.checkShape(v, "color text")
			if v.at("avatar").is("null") {
				return
			}
			rec.checkShape(v.at("avatar"), "url text", "width integer", "height integer", "thumb_url text")
			for _, key := range []string{"url", "thumb_url"} {
				rec.checkWorldURL(v.at("avatar").at(key))
			}
		})
	}},
	{"B-106 B-102", "avatars can be read and cached", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkAvatars)
	}},
}

// appearances returns the members and the communities of the dataset and of the lists.
func (c *client) appearances(rec *recorder) (found []value) {
	var documents []value
	if d, ok := c.dataset(rec); ok {
		documents = append(documents, d)
	}
	for _, path := range []string{"/world/social/people", "/world/social/communities", threadsPath} {
		records, _ := c.records(path)
		documents = append(documents, records...)
	}
	for _, d := range documents {
		for _, v := range d.all() {
			if v.is("object") && (v.has("display_name") || v.has("avatar")) {
				found = append(found, v)
			}
		}
	}
	return found
}

// checkAvatars reads the first avatars in both sizes.
func (c *client) checkAvatars(rec *recorder) {
	read := 0
	for _, v := range c.appearances(rec) {
		for _, key := range []string{"url", "thumb_url"} {
			url := v.at("avatar").at(key)
			if !isWorldURL(url.str()) || read == 2*maxDetails {
				continue
			}
			read++
			a := c.get(url.str())
			if kind := a.header.Get("Content-Type"); a.status != http.StatusOK || !strings.HasPrefix(kind, "image/") {
				rec.addProblem("%s: %v: got status %d with the type %q, want 200 with a picture", url.path, a, a.status, kind)
			}
			if cache := a.header.Get("Cache-Control"); !strings.Contains(cache, "private") {
				rec.addProblem("%s: %v: got Cache-Control %q, want private", url.path, a, cache)
			}
		}
	}
}

// isPicture reports whether a response is an avatar.
func isPicture(a *response) bool {
	return strings.Contains(a.path, "/avatar/") && a.status == http.StatusOK && strings.HasPrefix(a.header.Get("Content-Type"), "image/")
}
