package extract

import (
	"net/url"
	"regexp"
	"strings"

	"appliance/svc/translate/maintext"
	"appliance/svc/translate/schemaorg"
)

// maxPixels is the largest width and height that is accepted from a page.
const maxPixels = 100_000

// image returns the picture that a value describes, nil if it has no URL. All values of
// a part with the same URL share one pointer.
func (r *reader) image(v schemaorg.Value) *maintext.Image {
	source := r.imageSource(v)
	if source == "" {
		return nil
	}
	if img := r.images[source]; img != nil {
		return img
	}
	if source = r.limitText(source); source == "" {
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

// imageSource returns the URL of a picture, which is a text or a property of an
// ImageObject, "" if it has no http or https URL.
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

// imagesOf returns at most limit distinct pictures of properties.
func (r *reader) imagesOf(n *schemaorg.Node, limit int, properties ...string) (list []*maintext.Image) {
	seen := make(map[string]bool)
	for _, p := range properties {
		for _, v := range valuesOf(n, p) {
			key := pictureKey(r.imageSource(v))
			if key == "" || seen[key] || len(list) >= limit {
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

// sizeSuffix matches the suffixes of the files with the sizes of one picture, such as
// "-1024x768", "_large", "@2x" and "-scaled".
var sizeSuffix = regexp.MustCompile(`(?i)(?:[-_.](?:\d{1,5}x\d{1,5}|\d{1,5}x|x\d{1,5}|\d{2,5}w|scaled|thumb|thumbnail|small|medium|large|xlarge|original|full)|@\dx|=[swh]\d+(?:-[a-z0-9]+)*)+$`)

// sizeSegment matches parts of a path that choose the size of a picture, such as
// "w_300,h_200" and "300x200".
var sizeSegment = regexp.MustCompile(`(?i)^(?:[whc]_[^/]*|\d{1,5}x\d{1,5}|(?:fit|fill|resize|crop)[-,:=][^/]*)$`)

// extensionPattern matches the extension of an image file.
var extensionPattern = regexp.MustCompile(`(?i)\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|svg)$`)

// pictureKey returns a text that is equal for the URLs of all sizes of one picture: the
// URL without scheme, query, extension and size.
func pictureKey(source string) string {
	u, err := url.Parse(source)
	if err != nil || source == "" {
		return ""
	}
	segments := strings.Split(u.Path, "/")
	kept := segments[:0]
	for i, s := range segments {
		if i == len(segments)-1 {
			s = sizeSuffix.ReplaceAllString(extensionPattern.ReplaceAllString(s, ""), "")
		} else if sizeSegment.MatchString(s) {
			continue
		}
		kept = append(kept, s)
	}
	return strings.ToLower(u.Host) + strings.Join(kept, "/")
}
