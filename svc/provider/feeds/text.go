package feeds

import (
	"mime"
	"path"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/translate/page"
)

// line returns a text of a feed as a line of at most [svc.MaxTitle] characters.
func line(text string) string {
	return withoutTerms(svc.SingleLine(page.Text(text, 4*svc.MaxTitle), svc.MaxTitle))
}

// summary returns a text of a feed as plain text of at most [svc.MaxSummary] characters.
func summary(text string) string {
	return withoutTerms(shorten(svc.WithoutDirections(page.Text(text, 4*svc.MaxSummary)), svc.MaxSummary))
}

// withoutTerms returns a text without the words that a payload must not contain, which
// are a few names of parts of this program.
func withoutTerms(text string) string {
	if contract.AcceptsText(text) {
		return text
	}
	words := strings.Fields(text)
	for i, word := range words {
		if !contract.AcceptsText(word) {
			words[i] = "…"
		}
	}
	return strings.Join(words, " ")
}

// shorten returns the first limit characters of a text, cut at a space if there is one in
// the second half.
func shorten(text string, limit int) string {
	n := 0
	for i := range text {
		if n++; n > limit {
			if space := strings.LastIndexByte(text[:i], ' '); space > i/2 {
				i = space
			}
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

// link returns a link of a feed as the URL of a resource, "" if it cannot be one. A link
// to a place in the feed itself would publish the address of the feed.
func link(base *page.Page, reference string) string {
	if strings.HasPrefix(strings.TrimSpace(reference), "#") {
		return ""
	}
	if address := base.Resolve(reference); contract.AcceptsText(address) {
		return address
	}
	return ""
}

// webPage is the media type of the resource that is the web page of an article. The contract
// rejects text/html: a runtime opens the address and does not display the document.
const webPage = "application/octet-stream"

// knownTypes are the media types that a payload has. It describes other files as
// application/octet-stream, because the contract rejects some types.
var knownTypes = []string{
	"audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/opus", "audio/flac", "audio/wav", "audio/webm", "audio/x-m4a", "audio/mp3",
	"video/mp4", "video/webm", "video/ogg", "video/quicktime", "video/x-m4v", "video/mpeg",
	"image/jpeg", "image/png", "image/gif", "image/webp", "image/avif",
	"application/pdf", "application/epub+zip",
}

// mediaType returns the media type of a file in a form that the contract accepts.
func mediaType(text string) string {
	kind, _, err := mime.ParseMediaType(text)
	if err == nil && slices.Contains(knownTypes, kind) {
		return kind
	}
	return "application/octet-stream"
}

// pictureType returns the media type of a picture, which feeds often do not state.
func pictureType(address string) string {
	name, _, _ := strings.Cut(address, "?")
	if kind := "image/" + strings.TrimPrefix(path.Ext(strings.ToLower(name)), "."); slices.Contains(knownTypes, kind) {
		return kind
	}
	return "image/jpeg"
}

// kindOf returns the kind of the resource with a media type.
func kindOf(mediaType string) string {
	switch group, _, _ := strings.Cut(mediaType, "/"); group {
	case "audio", "video":
		return group
	}
	return "document"
}
