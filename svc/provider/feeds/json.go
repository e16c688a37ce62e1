package feeds

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// jsonFeed is a document of JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
type jsonFeed struct {
	Version     string    `json:"version"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	HomePageURL string    `json:"home_page_url"`
	Items       jsonItems `json:"items"`
}

// jsonItems are the first maxItems objects of a list. Other values are ignored.
type jsonItems []json.RawMessage

// UnmarshalJSON implements [json.Unmarshaler].
func (list *jsonItems) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		return err
	}
	for d.More() && len(*list) < maxItems {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if raw[0] == '{' {
			*list = append(*list, raw)
		}
	}
	return nil
}

// jsonItem is an item of a [jsonFeed].
type jsonItem struct {
	ID            any          `json:"id"` // a string; in some feeds a number
	URL           string       `json:"url"`
	ExternalURL   string       `json:"external_url"`
	Title         string       `json:"title"`
	Summary       string       `json:"summary"`
	ContentText   string       `json:"content_text"`
	ContentHTML   string       `json:"content_html"`
	Image         string       `json:"image"`
	BannerImage   string       `json:"banner_image"`
	DatePublished string       `json:"date_published"`
	DateModified  string       `json:"date_modified"`
	Author        jsonAuthor   `json:"author"` // version 1
	Authors       []jsonAuthor `json:"authors"`
	Tags          []string     `json:"tags"`
	Attachments   []struct {
		URL      string `json:"url"`
		MIMEType string `json:"mime_type"`
	} `json:"attachments"`
}

type jsonAuthor struct {
	Name string `json:"name"`
}

// unmarshal decodes JSON. Values of a wrong type stay zero.
func unmarshal(text []byte, v any) error {
	err := json.Unmarshal(text, v)
	if _, wrongType := errors.AsType[*json.UnmarshalTypeError](err); wrongType {
		return nil
	}
	return err
}

// parseJSON parses JSON Feed.
func parseJSON(text []byte) (*source, error) {
	var f jsonFeed
	if err := unmarshal(text, &f); err != nil {
		return nil, err
	}
	if !strings.Contains(f.Version, "jsonfeed.org/version/") {
		return nil, errNotFeed
	}
	s := &source{title: f.Title, description: f.Description, home: f.HomePageURL}
	for _, raw := range f.Items {
		var j jsonItem
		if err := unmarshal(raw, &j); err != nil {
			return nil, err
		}
		s.items = append(s.items, j.item())
	}
	return s, nil
}

func (j *jsonItem) item() item {
	it := item{
		id: jsonID(j.ID), title: j.Title, summary: j.Summary, content: j.ContentHTML, author: j.Author.Name,
		link: cmp.Or(j.URL, j.ExternalURL), picture: cmp.Or(j.Image, j.BannerImage), date: j.DatePublished, updated: j.DateModified, categories: j.Tags,
	}
	if j.ContentText != "" {
		it.content = j.ContentText
	}
	for _, a := range j.Authors {
		if it.author == "" {
			it.author = a.Name
		}
	}
	for _, a := range j.Attachments[:min(len(j.Attachments), maxItems)] {
		it.files = append(it.files, Resource{a.URL, a.MIMEType})
	}
	return it
}

// jsonID returns an id as text.
func jsonID(v any) string {
	if text, ok := v.(string); ok || v == nil {
		return text
	}
	text, _ := json.Marshal(v)
	return string(text)
}
