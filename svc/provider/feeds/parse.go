package feeds

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"appliance/svc/translate/page"
)

// Limits of a feed.
const (
	maxBody     = 4 << 20 // bytes
	maxArticles = 100     // articles that are stored
	maxItems    = 20_000  // articles that are read from a document
)

// Errors of [Parse].
var (
	errNotFeed = errors.New("the document is neither RSS nor Atom nor JSON Feed")
	errTooDeep = fmt.Errorf("the document has more than %d levels", maxDepth)
)

// Document is a feed that has been parsed. All texts are plain.
type Document struct {
	Title       string // not empty
	Description string
	Home        string    // URL of the web site, "" if unknown
	Articles    []Article // newest first, at most 100
}

// Article is an article of a feed.
type Article struct {
	ID         string     `json:"-"` // of the feed; not empty, and unique in it
	Published  time.Time  `json:"-"` // zero if unknown
	Title      string     `json:"title"`
	Summary    string     `json:"summary"`
	Author     string     `json:"author,omitzero"`
	Categories string     `json:"categories,omitzero"` // separated by commas
	Link       string     `json:"link,omitzero"`
	Picture    string     `json:"picture,omitzero"`
	Files      []Resource `json:"files,omitzero"`
}

// Resource is a file that belongs to an article.
type Resource struct {
	URL       string `json:"url"`
	MediaType string `json:"media_type"`
}

// item is an article as the feed has it: the texts may contain markup, and the links may
// be relative.
type item struct {
	id, title, summary, content, author, link, picture string
	date                                               string
	updated                                            string // date, if the item has no other one
	categories                                         []string
	files                                              []Resource
}

// source is a feed as the document has it.
type source struct {
	title, description, home string
	items                    []item
}

// Parse parses the body of a response. address is its URL, and contentType its
// Content-Type header.
func Parse(address, contentType string, body []byte) (*Document, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	text := bytes.TrimSpace(page.Decode(contentType, body))
	var s *source
	switch {
	case bytes.HasPrefix(text, []byte("{")):
		s, err = parseJSON(text)
	case bytes.HasPrefix(text, []byte("<")):
		s, err = parseXML(text)
	default:
		err = errNotFeed
	}
	if err != nil {
		return nil, err
	}
	return s.document(base), nil
}

// document returns the feed with plain text and absolute links. base is its address.
func (s *source) document(base *url.URL) *Document {
	withoutQuery := *base // may contain a secret
	withoutQuery.RawQuery, withoutQuery.Fragment = "", ""
	links := page.Page{Base: &withoutQuery}
	d := &Document{Title: line(s.title), Description: summary(s.description), Home: link(&links, s.home)}
	if d.Title == "" {
		d.Title = "Feed"
	}
	if home, err := url.Parse(d.Home); err == nil && d.Home != "" {
		links.Base = home
	}
	type dated struct {
		*item
		id   string
		date time.Time
	}
	var list []dated
	seen := make(map[string]bool)
	for i := range s.items {
		it := &s.items[i]
		id := cmp.Or(strings.TrimSpace(it.id), strings.TrimSpace(it.link), strings.TrimSpace(it.title+it.summary+it.content))
		if id == "" || seen[id] {
			continue
		}
		seen[id] = true
		list = append(list, dated{it, id, parseDate(cmp.Or(it.date, it.updated))})
	}
	// Articles without a date are usually at the beginning, where feeds have new ones.
	slices.SortStableFunc(list, func(a, b dated) int {
		if a.date.IsZero() || b.date.IsZero() {
			return boolOrder(a.date.IsZero(), b.date.IsZero())
		}
		return b.date.Compare(a.date)
	})
	for _, it := range list[:min(len(list), maxArticles)] {
		a := it.article(&links)
		a.ID, a.Published = it.id, it.date
		d.Articles = append(d.Articles, a)
	}
	return d
}

// boolOrder orders true before false.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// maxFiles limits the files of an article.
const maxFiles = 4

// article returns the article with plain text and absolute links.
func (it *item) article(links *page.Page) Article {
	a := Article{
		Title: line(it.title), Summary: summary(cmp.Or(it.summary, it.content)), Author: line(it.author),
		Link: link(links, it.link), Picture: link(links, it.picture),
	}
	if a.Summary == "" {
		a.Summary = summary(it.content)
	}
	if a.Title == "" {
		a.Title = cmp.Or(shorten(a.Summary, 80), "Untitled")
	}
	var categories []string
	for _, c := range it.categories[:min(len(it.categories), 20)] {
		if c = shorten(line(c), 60); c != "" && !slices.Contains(categories, c) {
			categories = append(categories, c)
		}
	}
	a.Categories = strings.Join(categories, ", ")
	for _, f := range it.files {
		address := link(links, f.URL)
		if address == "" || slices.ContainsFunc(a.Files, func(g Resource) bool { return g.URL == address }) {
			continue
		}
		kind := mediaType(f.MediaType)
		if strings.HasPrefix(kind, "image/") && a.Picture == "" {
			a.Picture = address
		}
		if len(a.Files) < maxFiles && address != a.Picture {
			a.Files = append(a.Files, Resource{address, kind})
		}
	}
	return a
}
