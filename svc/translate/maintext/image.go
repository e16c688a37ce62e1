package maintext

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"appliance/svc/translate/page"
)

const (
	minImage  = 48   // pixels; smaller images are icons
	bestWidth = 1600 // pixels; a srcset candidate of this width is preferred to larger ones
)

// newImage returns the image of an img element, nil if it has no usable source or is
// an icon.
func newImage(p *page.Page, n *html.Node) *Image {
	if hasWord(attr(n, "class"), iconWords) || attr(n, "role") == "presentation" && attr(n, "alt") == "" && attr(n, "srcset") == "" {
		return nil
	}
	i := &Image{Width: pixels(attr(n, "width")), Height: pixels(attr(n, "height"))}
	if i.Width > 0 && i.Width < minImage || i.Height > 0 && i.Height < minImage {
		return nil
	}
	if i.Source = source(p, n); i.Source == "" || iconURL.MatchString(i.Source) {
		return nil
	}
	if alt := page.Text(attr(n, "alt"), maxCaption); !fileName.MatchString(alt) {
		i.Caption = alt
	}
	return i
}

var (
	fileName    = regexp.MustCompile(`(?i)^\S*\.(jpe?g|png|gif|webp|avif)$|^(img|dsc|image)[_-]?\d+$`)
	placeholder = regexp.MustCompile(`(?i)(placeholder|spacer|blank|pixel|transparent|1x1|lazy[_-]?load)[^/]*\.(gif|png|jpe?g|webp)`)
	iconURL     = regexp.MustCompile(`(?i)avatar|gravatar|/reactions?/|/emojis?/|/smil(ies|eys)/|profile/photo|/icons?/|favicon`)
	notPicture  = regexp.MustCompile(`(?i)\.(svg|avif|ico|mp4|webm)([?#]|$)`)
)

// source returns the address of the picture. Pages that load images by script have a
// placeholder in src, so the attributes for scripts are tried first.
func source(p *page.Page, n *html.Node) string {
	usable := func(ref string) string {
		if ref = strings.TrimSpace(ref); ref == "" || strings.HasPrefix(ref, "data:") || placeholder.MatchString(ref) || notPicture.MatchString(ref) {
			return ""
		}
		return p.Resolve(ref)
	}
	for _, key := range []string{"data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-url", "data-image"} {
		if address := usable(attr(n, key)); address != "" {
			return address
		}
	}
	for _, key := range []string{"data-srcset", "data-lazy-srcset", "srcset"} {
		for _, ref := range candidates(attr(n, key)) {
			if address := usable(ref); address != "" {
				return address
			}
		}
	}
	return usable(attr(n, "src"))
}

// maxCandidates limits the candidates of a srcset.
const maxCandidates = 20

// candidates returns the URLs of a srcset attribute, the best one first: the widest
// one up to bestWidth, then the others in their order.
func candidates(srcset string) (list []string) {
	best, bestSize := 0, 0.0
	for part := range strings.SplitSeq(srcset, ", ") {
		fields := strings.Fields(strings.Trim(part, ", \n\t"))
		if len(fields) == 0 {
			continue
		}
		size := 1.0
		if len(fields) > 1 {
			size, _ = strconv.ParseFloat(strings.TrimRight(fields[1], "wxh"), 64)
		}
		if size > bestSize && size <= bestWidth {
			best, bestSize = len(list), size
		}
		if list = append(list, fields[0]); len(list) == maxCandidates {
			break
		}
	}
	if best > 0 {
		list[0], list[best] = list[best], list[0]
	}
	return list
}

// pixels parses a width or height, 0 if it is not a number of pixels.
func pixels(text string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(text), "px"))
	if err != nil || n < 0 || n > 100_000 {
		return 0
	}
	return n
}

func (b *builder) image(n *html.Node) {
	if i := newImage(b.page, n); i != nil {
		b.pending.images = append(b.pending.images, i)
	}
}

// picture appends the image of a picture element: that of its img element or, if this
// has no usable source, of its source elements.
func (b *builder) picture(n *html.Node) {
	if i := pictureImage(b.page, n); i != nil {
		b.pending.images = append(b.pending.images, i)
	}
}

func pictureImage(p *page.Page, n *html.Node) (i *Image) {
	var alternative string
	visit(n, func(k *html.Node) {
		switch {
		case k.DataAtom == atom.Source && alternative == "" && !strings.Contains(attr(k, "type"), "avif") && !strings.Contains(attr(k, "type"), "svg"):
			alternative = source(p, k)
		case (k.DataAtom == atom.Img || k.Data == "amp-img") && i == nil:
			if i = newImage(p, k); i == nil && alternative != "" {
				i = newImage(p, withSource(k, alternative))
			}
		}
	})
	return i
}

// withSource returns an img element with another source.
func withSource(n *html.Node, address string) *html.Node {
	c := copyNode(n)
	c.Attr = append([]html.Attribute{{Key: "data-src", Val: address}}, c.Attr...)
	return c
}

// figure appends an image with its caption. For a figure with other content, it appends
// the content.
func (b *builder) figure(n *html.Node) {
	b.flush()
	if contains(n, atom.Table, atom.Pre, atom.Blockquote, atom.Ul, atom.Ol) {
		b.walk(n)
		b.flush()
		return
	}
	var images []*Image
	var caption, credit string
	var r *run
	var search func(n *html.Node)
	search = func(n *html.Node) {
		switch {
		case n.DataAtom == atom.Figcaption && r == nil:
			r, credit = b.caption(n)
			caption = page.Text(r.text.String(), maxCaption)
			return
		case n.DataAtom == atom.Picture:
			if i := pictureImage(b.page, n); i != nil {
				images = append(images, i)
			}
			return
		case n.DataAtom == atom.Img || n.Data == "amp-img":
			if i := newImage(b.page, n); i != nil && (len(images) == 0 || images[len(images)-1].Source != i.Source) {
				images = append(images, i)
			}
			return
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			search(k)
		}
	}
	search(n)
	if len(images) == 0 {
		b.walk(n)
		b.flush()
		return
	}
	if caption != "" {
		images[0].Caption = caption
	}
	images[0].Credit = credit
	for k, i := range images {
		block := Block{Type: "image", Text: i.Caption, Image: i}
		if k == 0 {
			b.add(block, r)
		} else {
			b.add(block, nil)
		}
	}
}

// caption returns the text of a figcaption without the credit, and the credit.
func (b *builder) caption(n *html.Node) (r *run, credit string) {
	c := clone(n)
	var found *html.Node
	visit(c, func(k *html.Node) {
		if k != c && found == nil && k.Type == html.ElementNode && hasWord(attr(k, "class"), creditWords) {
			found = k
		}
	})
	if found != nil {
		credit = page.Text(b.collect(found).text.String(), maxCaption)
		found.Parent.RemoveChild(found)
	}
	return b.collect(c), credit
}
