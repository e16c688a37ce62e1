package extract

import (
	"net/url"
	"regexp"
	"strings"

	"appliance/svc/translate/maintext"
	"appliance/svc/translate/schemaorg"
)

// maxPixels is the largest width and height that a page can state.
const maxPixels = 100_000

// image returns the picture that a value describes, nil if it has no URL. The same
// picture is the same pointer for all values of the surface.
func (r *reader) image(v schemaorg.Value) *maintext.Image {
	source := r.imageSource(v)
	if source == "" {
		return nil
	}
	if img := r.images[source]; img != nil {
		return img
	}
	if source = r.charge(source); source == "" {
		return nil
	}
	img := &maintext.Image{Source: source}
	if n := v.Node; n != nil {
		img.Caption = r.line(n, "caption", "description", "alternateName", "name")
		img.Credit = r.name(n, "creditText", "author", "creator", "copyrightNotice", "copyrightHolder")
		img.License = r.text(n, maxLine, "license")
		if isURL(img.License) {
			img.License = r.resolve(img.License)
		}
		img.Width, img.Height = pixels(textOf(n, "width")), pixels(textOf(n, "height"))
		if img.Caption == img.Source || isURL(img.Caption) {
			img.Caption = ""
		}
	}
	r.images[source] = img
	return img
}

// imageSource returns the URL of a picture: a text, or of an ImageObject. Other
// schemes and pages are none.
func (r *reader) imageSource(v schemaorg.Value) string {
	if v.Node == nil {
		return r.resolve(v.Text)
	}
	for _, p := range []string{"contentUrl", "contentURL", "url"} {
		for _, text := range textsOf(v.Node, p) {
			if source := r.resolve(text); source != "" {
				return source
			}
		}
	}
	return ""
}

// imagesOf returns the different pictures of properties.
func (r *reader) imagesOf(n *schemaorg.Node, most int, properties ...string) (list []*maintext.Image) {
	seen := make(map[string]bool)
	for _, p := range properties {
		for _, v := range valuesOf(n, p) {
			key := pictureKey(r.imageSource(v))
			if key == "" || seen[key] || len(list) >= most {
				continue
			}
			if img := r.image(v); img != nil {
				seen[key] = true
				list = append(list, img)
			}
		}
	}
	return list
}

// logo returns the logo of an organization, nil if it has none.
func (r *reader) logo(n *schemaorg.Node) *maintext.Image {
	if list := r.imagesOf(n, 1, "logo"); len(list) > 0 {
		return list[0]
	}
	return nil
}

func pixels(text string) int {
	if n := positiveInt(text); n <= maxPixels {
		return n
	}
	return 0
}

// sizeSuffix matches what programs add to the names of files for each size of a
// picture, such as "-1024x768", "_large", "@2x" and "-scaled".
var sizeSuffix = regexp.MustCompile(`(?i)(?:[-_.](?:\d{1,5}x\d{1,5}|\d{1,5}x|x\d{1,5}|\d{2,5}w|scaled|thumb|thumbnail|small|medium|large|xlarge|original|full)|@\dx|=[swh]\d+(?:-[a-z0-9]+)*)+$`)

// sizeSegment matches parts of a path that choose the size of a picture, such as
// "w_300,h_200" and "300x200".
var sizeSegment = regexp.MustCompile(`(?i)^(?:[whc]_[^/]*|\d{1,5}x\d{1,5}|(?:fit|fill|resize|crop)[-,:=][^/]*)$`)

// extension matches the extension of an image file.
var extension = regexp.MustCompile(`(?i)\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|svg)$`)

// pictureKey returns what the URLs of the sizes of one picture have in common: the URL
// without scheme, query and suffix for the size.
func pictureKey(source string) string {
	u, err := url.Parse(source)
	if err != nil || source == "" {
		return ""
	}
	segments := strings.Split(u.Path, "/")
	kept := segments[:0]
	for i, s := range segments {
		if i == len(segments)-1 {
			s = sizeSuffix.ReplaceAllString(extension.ReplaceAllString(s, ""), "")
		} else if sizeSegment.MatchString(s) {
			continue
		}
		kept = append(kept, s)
	}
	return strings.ToLower(u.Host) + strings.Join(kept, "/")
}
