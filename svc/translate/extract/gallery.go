package extract

import (
	"fmt"
	"slices"
	"strings"

	"appliance/svc/translate/maintext"
	"appliance/svc/translate/schemaorg"
)

// maxImages is the maximum number of pictures of a gallery.
const maxImages = 60

// gallery returns a part with the ImageObjects of the page, if at least two are distinct
// pictures and neither logos nor portraits.
func gallery(in *pageInput) []Extracted {
	r := newReader(in)
	excluded := r.excludedPictures()
	g := &Gallery{}
	var list []*maintext.Image
	name := pageName(in)
	for _, n := range in.Graph.Nodes {
		if n.Is("ImageGallery") && name == "" {
			name = r.name(n, "name", "headline")
		}
		source := r.imageSource(schemaorg.Value{Node: n})
		if !n.Is("ImageObject") || source == "" || isDecoration(n) || excluded[pictureKey(source)] {
			continue
		}
		excluded[pictureKey(source)] = true
		if img := r.image(schemaorg.Value{Node: n}); img != nil && len(list) < maxImages {
			list = append(list, img)
		}
	}
	if len(list) < 2 {
		return nil
	}
	g.Images = list
	e := Extracted{Kind: "gallery", Title: joinTitle("Pictures", name), Content: g, Images: list, SchemaTypes: []string{"ImageObject"}}
	e.Summary = fmt.Sprintf("%d pictures", len(list))
	e.Details = details([2]string{"Pictures", fmt.Sprint(len(list))}, [2]string{"Credit", list[0].Credit})
	return []Extracted{r.finish(e, nil)}
}

// pageName returns the title of the page.
func pageName(in *pageInput) string {
	return firstOf(plain(in.Page.Meta["og:title"], maxLine), plain(in.Page.Title, maxLine))
}

// isDecoration reports whether an ImageObject is a logo, a portrait of a person or a
// smaller size of another picture.
func isDecoration(n *schemaorg.Node) bool {
	return slices.ContainsFunc(n.Owners, func(o schemaorg.Owner) bool {
		switch o.Property {
		case "logo", "thumbnail", "thumbnailUrl":
			return true
		case "image", "photo":
			return o.Node.Is("Person")
		}
		return false
	})
}

// excludedPictures returns the picture keys of the logos and portraits, which the page
// may also describe as separate ImageObjects.
func (r *reader) excludedPictures() map[string]bool {
	keys := map[string]bool{"": true}
	for _, n := range r.Graph.Nodes {
		properties := []string{"logo"}
		if n.Is("Person") {
			properties = []string{"image", "photo"}
		}
		for _, p := range properties {
			for _, v := range valuesOf(n, p) {
				keys[pictureKey(r.imageSource(v))] = true
			}
		}
		if n.Is("ImageObject") {
			if source := r.imageSource(schemaorg.Value{Node: n}); strings.Contains(source, "gravatar.com/avatar/") {
				keys[pictureKey(source)] = true
			}
		}
	}
	return keys
}
