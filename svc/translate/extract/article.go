package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// articles returns a part for each article of the page. The first has the main text
// of the page.
func articles(in *pageInput) (list []Extracted) {
	nodes := articleNodes(in)
	for i, n := range nodes {
		if e, ok := article(in, n, i == 0); ok && len(list) < maxParts {
			list = append(list, e)
		}
	}
	return list
}

// articleNodes returns one node for each article of the page, although the page may
// describe it several times. Teasers of other pages are omitted.
func articleNodes(in *pageInput) (list []*schemaorg.Node) {
	var groups [][]*schemaorg.Node // the nodes that describe each article
	var unnamed, teasers []*schemaorg.Node
	for _, n := range in.Graph.Nodes {
		switch {
		case !isArticle(n):
		case isTeaser(in, n):
			teasers = append(teasers, n)
		case headline(in, n) == "":
			unnamed = append(unnamed, n)
		default:
			same := slices.IndexFunc(groups, func(g []*schemaorg.Node) bool { return isSameArticle(in, g[0], n) })
			if same >= 0 && len(groups[same]) < maxDuplicates {
				groups[same] = append(groups[same], n)
			} else if same < 0 && len(groups) <= maxParts {
				groups = append(groups, []*schemaorg.Node{n})
			}
		}
	}
	unnamed = unnamed[:min(len(unnamed), maxDuplicates)]
	switch {
	case len(groups) > 0: // a node without a headline, such as a review of the article's subject
		groups[0] = append(groups[0], unnamed...)
	case len(unnamed) > 0:
		groups = append(groups, unnamed)
	case len(teasers) == 1:
		return teasers // the page states another of its URLs for its only article
	}
	for _, g := range groups {
		list = append(list, mergeNodes(g...))
	}
	return list
}

// otherWorks are the properties whose value is another work.
var otherWorks = []string{"citation", "isBasedOn", "isBasedOnUrl", "mentions", "comment", "comments", "subjectOf", "review", "reviews", "relatedLink", "significantLink"}

// isArticle reports whether a node is an article of the page. An article that the page
// only mentions, and a review that belongs to another node, such as a product, is not.
func isArticle(n *schemaorg.Node) bool {
	switch {
	case !n.Is("Article", "Review"):
		return false
	case n.Is("Review"):
		return !slices.ContainsFunc(n.Owners, func(o schemaorg.Owner) bool {
			return !o.Node.Is("WebPage", "Article") || strings.HasPrefix(o.Property, "comment")
		})
	}
	return !slices.ContainsFunc(n.Owners, func(o schemaorg.Owner) bool { return slices.Contains(otherWorks, o.Property) })
}

// isTeaser reports whether an article states the URL of another page.
func isTeaser(in *pageInput, n *schemaorg.Node) bool {
	r := newReader(in)
	for _, p := range []string{"url", "mainEntityOfPage"} {
		if u := r.url(n, p); u != "" {
			return !r.isPage(u)
		}
	}
	return false
}

// isSameArticle reports whether two nodes describe the same article: they have the same
// title or URL.
func isSameArticle(in *pageInput, a, b *schemaorg.Node) bool {
	if isSameTitle(headline(in, a), headline(in, b)) {
		return true
	}
	r := newReader(in)
	url := r.url(a, "url", "mainEntityOfPage")
	return url != "" && url == r.url(b, "url", "mainEntityOfPage")
}

// isSameTitle reports whether two titles are equal regardless of case, or one is a
// prefix of the other, such as the title without the name of the site.
func isSameTitle(a, b string) bool {
	a, b = textKey(a), textKey(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) > 20 && strings.HasPrefix(b, a)
}

func headline(in *pageInput, n *schemaorg.Node) string {
	return newReader(in).name(n, "headline", "name", "alternativeHeadline")
}

// article returns the part of an article. main is set for the article with the main
// text of the page. ok is false if it has no headline, or if it is not main and has only
// a headline.
func article(in *pageInput, n *schemaorg.Node, main bool) (e Extracted, ok bool) {
	r := newReader(in)
	text := &maintext.Text{}
	if main {
		text = in.Text
	}
	a := &Article{
		Headline:  r.limitText(firstOf(headline(in, n), plain(text.Title, maxLine), pageTitle(in, main))),
		Authors:   r.authors(n, text.Byline),
		Published: dateText(append(textsOf(n, "datePublished"), append(textsOf(n, "dateCreated"), text.Published)...)...),
		Modified:  dateText(textsOf(n, "dateModified")...),
		Section:   r.name(n, "articleSection"),
		Language:  r.language(n, text.Language),
		Publisher: r.name(n, "publisher", "sourceOrganization", "publishedBy"),
		Review:    r.review(n),
	}
	if a.Headline == "" {
		return e, false
	}
	a.Blocks, a.Words = r.body(n, text)
	if !main && len(a.Blocks) == 0 && len(a.Authors) == 0 && a.Published == "" && textOf(n, "description") == "" {
		return e, false
	}
	a.Images = r.imagesOf(n, maxValues, "image")
	e = Extracted{Kind: "article", Title: a.Headline, Content: a}
	e.Summary = firstOf(r.text(n, maxText, "description", "abstract", "backstory"), text.Summary, firstParagraph(a.Blocks))
	e.Images = mergeImages(a.Images, a.Blocks)
	e.Details = details([2]string{plural(len(a.Authors), "Author", "Authors"), join(", ", a.Authors...)}, [2]string{"Published", dayOf(a.Published)},
		[2]string{"Publisher", a.Publisher}, [2]string{"Reviewed", a.Review.item()}, [2]string{"Rating", a.Review.rating()}, [2]string{"Length", length(a.Words)})
	if text.Truncated {
		e.Warnings = append(e.Warnings, "The text is too long to be shown. Its end has been omitted.")
	}
	return r.finish(e, n), true
}

// pageTitle returns the title of the page for the main article, "" for others.
func pageTitle(in *pageInput, main bool) string {
	if !main {
		return ""
	}
	return plain(in.Page.Title, maxLine)
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...string) string {
	return first(slices.DeleteFunc(texts, func(t string) bool { return t == "" }))
}

// bylinePrefix matches the preposition before the names of authors.
var bylinePrefix = regexp.MustCompile(`(?i)^(?:by|von|par|por|di)\s+`)

// authors returns the names of the authors, byline if the article states none.
func (r *reader) authors(n *schemaorg.Node, byline string) (list []string) {
	names := r.names(n, "author")
	if len(names) == 0 {
		names = r.names(n, "creator")
	}
	if byline = plain(byline, maxLine); len(names) == 0 && !isURL(byline) {
		names = []string{byline}
	}
	for _, name := range names {
		list = r.add(list, bylinePrefix.ReplaceAllString(name, ""))
	}
	return list
}

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$`)

// language returns the BCP 47 tag of an article, of its text or of the page.
func (r *reader) language(n *schemaorg.Node, others ...string) string {
	var list []string
	for _, v := range valuesOf(n, "inLanguage") {
		if v.Node != nil {
			list = append(list, textOf(v.Node, "alternateName", "name"))
		} else {
			list = append(list, v.Text)
		}
	}
	for _, tag := range append(append(list, others...), r.Page.Language) {
		if tag = strings.TrimSpace(tag); languageTag.MatchString(tag) {
			return r.limitText(strings.ReplaceAll(tag, "_", "-"))
		}
	}
	return ""
}

// body returns the main text of the page, or the text that the article states, if the
// main text is much shorter, with the number of its words.
func (r *reader) body(n *schemaorg.Node, text *maintext.Text) (blocks []maintext.Block, words int) {
	const maxBody = 40 << 10
	var stated []maintext.Block
	for _, p := range []string{"articleBody", "reviewBody", "text"} {
		if body := page.Lines(textOf(n, p), maxBody); body != "" {
			stated = paragraphs(body)
			words = len(strings.Fields(body))
			break
		}
	}
	if len(text.Blocks) > 0 && words <= 2*text.Words {
		return text.Blocks, text.Words
	}
	return stated, words
}

// paragraphs returns the lines of a text as blocks of at most maxText bytes.
func paragraphs(text string) (blocks []maintext.Block) {
	for line := range strings.Lines(text) {
		for line = strings.TrimSpace(line); line != ""; {
			part := plain(line, maxText)
			if part != "" {
				blocks = append(blocks, maintext.Block{Type: "paragraph", Text: part})
			}
			if part == "" || len(part) >= len(line) || !strings.HasPrefix(line, part) {
				break
			}
			line = strings.TrimSpace(line[len(part):])
		}
	}
	return blocks
}

func firstParagraph(blocks []maintext.Block) string {
	i := slices.IndexFunc(blocks, func(b maintext.Block) bool { return b.Type == "paragraph" })
	if i < 0 {
		return ""
	}
	return blocks[i].Text
}

// mergeImages returns the pictures of a list and of blocks. It replaces those of the
// list that blocks also have by the pointers in the blocks.
func mergeImages(list []*maintext.Image, blocks []maintext.Block) (all []*maintext.Image) {
	bySource := make(map[string]*maintext.Image)
	for _, b := range blocks {
		if b.Image != nil {
			bySource[b.Image.Source] = b.Image
		}
	}
	for i, img := range list {
		if other := bySource[img.Source]; other != nil {
			list[i] = other
		}
		all = append(all, list[i])
	}
	for _, b := range blocks {
		if b.Image != nil && !slices.Contains(all, b.Image) {
			all = append(all, b.Image)
		}
	}
	return all
}

// review returns the reviewed item and the rating of a Review, nil if it has neither.
func (r *reader) review(n *schemaorg.Node) *Review {
	review := Review{Item: r.name(n, "itemReviewed"), Rating: r.rating(nodeOf(n, "reviewRating"))}
	if !n.Is("Review") || review == (Review{}) {
		return nil
	}
	return &review
}

func (r *Review) item() string {
	if r == nil {
		return ""
	}
	return r.Item
}

func (r *Review) rating() string {
	if r == nil {
		return ""
	}
	return r.Rating.line()
}

// wordsPerMinute is an average reading speed.
const wordsPerMinute = 230

// length returns the length of a text as "1,250 words, 5 minutes to read".
func length(words int) string {
	if words == 0 {
		return ""
	}
	minutes := (words + wordsPerMinute - 1) / wordsPerMinute
	number := strconv.Itoa(words)
	if words >= 1000 {
		number = fmt.Sprintf("%d,%03d", words/1000, words%1000)
	}
	return fmt.Sprintf("%s %s, %d %s to read", number, plural(words, "word", "words"), minutes, plural(minutes, "minute", "minutes"))
}
