package maintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	shortText = 600 // bytes of a block that may be a banner
	shortLine = 120 // bytes of a label
)

// fill adds the blocks of a builder to a text, within the limits and without consent
// banners, share bars, related links and navigation.
func (b *builder) fill(t *Text) {
	t.Truncated = b.cut
	seen := make(map[string]bool)
	images := make(map[string]bool)
	links := make(map[string]bool)
	size := 0
	for _, p := range filter(b.rawBlocks, t.Title) {
		if p.Image != nil {
			if images[p.Image.Source] || len(images) == maxImages {
				continue
			}
			images[p.Image.Source] = true
		}
		if text := p.Text; len(text) > shortLine/2 && p.Type != "code" {
			if seen[text] {
				continue
			}
			seen[text] = true
		}
		if size += p.length; size > maxText || len(t.Blocks) == maxBlocks {
			t.Truncated = true
			break
		}
		t.Blocks = append(t.Blocks, p.Block)
		t.Words += wordCount(p.Block)
		if p.Image != nil {
			t.Images = append(t.Images, p.Image)
		}
		for _, l := range p.links {
			if !links[l.URL] && len(links) < maxLinks {
				links[l.URL] = true
				t.Links = append(t.Links, l)
			}
		}
	}
}

// filter returns the blocks that belong to the text. It stops at maxText bytes.
func filter(rawBlocks []rawBlock, title string) (list []rawBlock) {
	related := false // after a heading of related links
	size := 0
	for i, p := range rawBlocks {
		links := p.linked*10 >= p.length*7 && p.length > 0 // mostly links
		switch p.Type {
		case "heading":
			if related = relatedText.MatchString(p.Text) && leadsToLinks(rawBlocks[i+1:]); related {
				continue
			}
			if strings.EqualFold(p.Text, title) && len(list) < 4 {
				continue
			}
		case "list", "link", "paragraph", "image":
			if related && (links || p.Type == "image" || p.length < shortLine && p.Type == "paragraph") {
				continue
			}
			related = false
		}
		if isNoise(p, links) || p.Type != "image" && isBreadcrumb(p, len(list)) {
			continue
		}
		list = append(list, p)
		if size += p.length; size > maxText { // fill omits the rest
			return list
		}
	}
	return trim(list)
}

// leadsToLinks reports whether the blocks after a heading are links. It is true if there
// are none.
func leadsToLinks(rest []rawBlock) bool {
	for _, p := range rest[:min(len(rest), 4)] {
		if p.Type == "heading" || p.linked*10 >= p.length*7 && p.linked > 0 {
			return true
		}
		if p.Type != "image" && p.length > 2*shortLine {
			return false
		}
	}
	return true
}

// isNoise reports whether a block belongs to the user interface of the page: a consent
// banner, a control or a related link. links is set for a block of mostly links.
func isNoise(p rawBlock, links bool) bool {
	switch p.Type {
	case "code":
		return false
	case "image":
		return p.Text != "" && len(p.Text) < shortLine && isLabel(p.Text)
	case "list":
		return isNoisyList(p, links)
	case "table":
		return isConsent(blockText(p.Block))
	}
	text := strings.TrimSpace(p.Text)
	if isConsent(text) || p.Type == "paragraph" && len(p.links) > 0 && len(text) < 2*shortLine && followText.MatchString(text) {
		return true
	}
	if len(text) > shortLine {
		return false
	}
	if p.Type == "heading" {
		return shareText.MatchString(text) || navText.MatchString(text)
	}
	return isLabel(text) || relatedText.MatchString(text) && (links || len(text) < shortLine/2)
}

// isConsent reports whether a text is part of a consent banner.
func isConsent(text string) bool {
	if len(text) <= shortLine && consentLabel.MatchString(text) {
		return true
	}
	return len(text) < shortText && strings.Contains(strings.ToLower(text), "cookie") && consentText.MatchString(text)
}

// isLabel reports whether a line is a label of a control.
func isLabel(text string) bool {
	return shareText.MatchString(text) || navText.MatchString(text) || networkText.MatchString(text)
}

// isNoisyList reports whether most items of a list are labels of controls.
func isNoisyList(p rawBlock, links bool) bool {
	noisy := 0
	for _, item := range p.Items {
		item = strings.TrimLeft(item, "– ")
		if len(item) < shortLine && (isLabel(item) || homeText.MatchString(item) || !strings.ContainsFunc(item, unicode.IsLetter)) || isConsent(item) {
			noisy++
		}
	}
	return noisy*2 > len(p.Items) || noisy > 1 && links
}

// isBreadcrumb reports whether a block is a breadcrumb trail, such as "Home › Wine".
// before is the number of blocks before it.
func isBreadcrumb(p rawBlock, before int) bool {
	if p.linked == 0 {
		return false
	}
	items := p.Items
	if p.Type == "paragraph" && len(p.Text) < 2*shortLine {
		items = separator.Split(p.Text, -1)
		if before <= 3 && len(items) > 2 && p.linked*2 >= p.length {
			return true
		}
	}
	return len(items) > 1 && homeText.MatchString(strings.TrimSpace(items[0]))
}

// trim removes headings and lists of links from the end, and lists of links from the
// start, if there is other text.
func trim(list []rawBlock) []rawBlock {
	text := 0
	for _, p := range list {
		if p.Type == "paragraph" && p.linked*2 < p.length {
			text += p.length
		}
	}
	if text < shortText {
		return list
	}
	for len(list) > 0 {
		p := list[len(list)-1]
		if p.Type != "heading" && p.Type != "link" && !isLinkList(p) {
			break
		}
		list = list[:len(list)-1]
	}
	for len(list) > 0 && isLinkList(list[0]) {
		list = list[1:]
	}
	return list
}

func isLinkList(p rawBlock) bool { return p.Type == "list" && p.linked*10 >= p.length*9 }

// blockText returns the text of a block.
func blockText(b Block) string {
	parts := append([]string{b.Text}, b.Items...)
	for _, row := range b.Rows {
		parts = append(parts, row...)
	}
	return strings.Join(parts, " ")
}

// wordCount counts the words of a block. Characters of scripts without spaces
// between words count as words.
func wordCount(b Block) (count int) {
	if b.Type == "image" {
		return 0
	}
	inWord := false
	for _, r := range blockText(b) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer):
			count++
			inWord = false
		case unicode.IsSpace(r):
			inWord = false
		case !inWord && (unicode.IsLetter(r) || unicode.IsNumber(r)):
			count++
			inWord = true
		}
	}
	return count
}

// beginning returns the start of the first long paragraph, as the summary of a page
// without a description.
func beginning(blocks []Block) string {
	for _, b := range blocks {
		if (b.Type == "paragraph" || b.Type == "quote") && utf8.RuneCountInString(b.Text) > 40 {
			return cutSummary(b.Text)
		}
	}
	for _, b := range blocks {
		if b.Type == "paragraph" || b.Type == "list" || b.Type == "quote" {
			return cutSummary(blockText(b))
		}
	}
	return ""
}
