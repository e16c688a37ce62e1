package maintext

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"appliance/svc/translate/page"
)

const (
	maxTitle      = 300  // bytes
	maxName       = 200  // bytes; of a site and of authors
	maxSummary    = 1000 // bytes
	maxTitleParts = 6
)

// addMeta adds the metadata in the head of a page. A title or date that is absent there
// is taken from tree.
func addMeta(t *Text, p *page.Page, tree *html.Node, byline string) {
	first := func(limit int, names ...string) string {
		for _, name := range names {
			if text := page.Text(p.Meta[name], limit); text != "" {
				return text
			}
		}
		return ""
	}
	t.SiteName = first(maxName, "og:site_name", "application-name", "apple-mobile-web-app-title")
	t.Title = first(maxTitle, "og:title", "twitter:title", "dc.title")
	heading, date := scanTree(tree)
	if t.Title == "" {
		t.Title = page.Text(p.Title, maxTitle)
	}
	t.Title = withoutSite(t.Title, t.SiteName, p.URL.Hostname(), heading)
	if t.Title == "" {
		t.Title = heading
	}
	t.Byline = first(maxName, "author", "dc.creator", "article:author_name", "parsely-author", "sailthru.author", "byl", "article:author")
	if t.Byline == "" || strings.Contains(t.Byline, "://") {
		t.Byline = page.Text(byline, maxName)
	}
	if name := authorPrefix.FindString(t.Byline); name != "" {
		t.Byline = t.Byline[len(name):]
	}
	if strings.ContainsAny(t.Byline, "0123456789") || strings.EqualFold(t.Byline, "author") {
		t.Byline = "" // with a date or a number of comments
	}
	for _, name := range []string{"article:published_time", "og:article:published_time", "datepublished", "dc.date.issued", "dcterms.created",
		"dc.date", "dcterms.date", "parsely-pub-date", "sailthru.date", "publish-date", "pubdate", "date"} {
		if t.Published == "" {
			t.Published = normalizeDate(p.Meta[name])
		}
	}
	if t.Published == "" {
		t.Published = date
	}
	t.Summary = first(maxSummary, "description", "og:description", "twitter:description", "dc.description")
	if consentText.MatchString(t.Summary) {
		t.Summary = ""
	}
}

var authorPrefix = regexp.MustCompile(`(?i)^(.* )?(written by|by|about the author|posted by) +`)

// scanTree returns the text of the h1 element, "" if there are several, and the date of
// the element that is marked as the date of publication.
func scanTree(tree *html.Node) (heading, date string) {
	count := 0
	visit(tree, func(n *html.Node) {
		switch {
		case n.DataAtom == atom.H1:
			if text := page.Text(textBelow(n), maxTitle); text != "" {
				count++
				heading = text
			}
		case date == "" && n.DataAtom == atom.Time && attr(n, "datetime") != "":
			if attr(n, "itemprop") == "datePublished" || hasAttr(n, "pubdate") || hasWord(attr(n, "class"), publishedWords) {
				date = normalizeDate(attr(n, "datetime"))
			}
		case attr(n, "itemprop") == "datePublished" && attr(n, "content") != "":
			date = normalizeDate(attr(n, "content"))
		}
	})
	if count != 1 {
		heading = ""
	}
	return heading, date
}

// textBelow returns the text below an element.
func textBelow(n *html.Node) string {
	var b strings.Builder
	visit(n, func(k *html.Node) {
		if k.Type == html.TextNode && b.Len() < maxRun {
			b.WriteString(k.Data)
		}
	})
	return b.String()
}

var titleSeparators = []string{" | ", " - ", " – ", " — ", " · ", " • ", " » ", " :: ", " ‹ ", " « "}

// withoutSite removes the name of the site from a title: its first or last part if
// that is the name or the host, and every part that the heading of the page lacks.
func withoutSite(title, site, host, heading string) string {
	if heading != "" && len(heading) >= 8 && len(heading) < len(title) && strings.HasPrefix(strings.ToLower(title), strings.ToLower(heading)) {
		rest := title[len(heading):]
		for _, s := range titleSeparators {
			if strings.HasPrefix(rest, s) {
				return title[:len(heading)]
			}
		}
	}
	for range maxTitleParts {
		shorter := title
		for _, s := range titleSeparators {
			if i := strings.LastIndex(title, s); i > 0 && isSite(title[i+len(s):], site, host) {
				shorter = title[:i]
				break
			}
			if i := strings.Index(title, s); i > 0 && isSite(title[:i], site, host) {
				shorter = title[i+len(s):]
				break
			}
		}
		if shorter == title {
			break
		}
		title = strings.TrimSpace(shorter)
	}
	return title
}

// isSite reports whether a part of a title is the name of the site or its host.
func isSite(part, site, host string) bool {
	fold := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" -_.,'’", r) {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	part = fold(part)
	if part == "" {
		return false
	}
	if part == fold(site) {
		return true
	}
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	label, _, _ := strings.Cut(host, ".")
	return part == fold(host) || part == fold(label) || len(part) > 3 && strings.Contains("."+host, "."+part+".")
}

var dateLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04", time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC,
}

var dayLayouts = []string{"2006-01-02", "2006/01/02", "20060102", "02.01.2006", "2.1.2006", "January 2, 2006", "Jan 2, 2006", "2 January 2006"}

// normalizeDate returns a date as RFC 3339, or as a date if its zone is unknown, ""
// if its form is unknown.
func normalizeDate(text string) string {
	text = page.Text(text, 64)
	for _, layout := range dateLayouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if y := t.Year(); y < 1000 || y > 9999 {
			return ""
		}
		if strings.Contains(layout, "Z07") || strings.Contains(layout, "-0700") || strings.Contains(layout, "MST") {
			return t.UTC().Format(time.RFC3339)
		}
		return t.Format(time.DateOnly)
	}
	for _, layout := range dayLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

func cutSummary(text string) string { return page.Text(text, maxSummary/2) }

// addLead adds the lead image, which the head of the page names, as the first image.
func (t *Text) addLead(p *page.Page) {
	for _, name := range []string{"og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"} {
		address := p.Resolve(strings.TrimSpace(p.Meta[name]))
		if address == "" || notPicture.MatchString(address) {
			continue
		}
		for _, i := range t.Images {
			if i.Source == address {
				return
			}
		}
		lead := &Image{Source: address, Caption: page.Text(p.Meta["og:image:alt"], maxCaption)}
		if strings.HasPrefix(name, "og:") {
			lead.Width, lead.Height = pixels(p.Meta["og:image:width"]), pixels(p.Meta["og:image:height"])
		}
		t.Images = slices.Insert(t.Images, 0, lead)
		return
	}
}
