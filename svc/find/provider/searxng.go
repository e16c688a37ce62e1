package provider

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"appliance/svc/words"
)

// searchSearXNG searches pages with GET /search of SearXNG.
func searchSearXNG(p *Pages, ctx context.Context, q PageQuery) ([]Page, error) {
	values := url.Values{"q": {q.Text}, "format": {"json"}}
	if q.Language != "" {
		values.Set("language", q.Language)
	}
	return fetch(ctx, p.source, p.source.address("/search", values), http.Header{"Accept": {"application/json"}}, parseSearXNG)
}

// webPage is a result of SearXNG or Brave.
type webPage struct {
	URL         text `json:"url"`
	Title       text `json:"title"`
	Content     text `json:"content"`     // SearXNG
	Description text `json:"description"` // Brave
}

// parseSearXNG parses the response to a search. No result is a failure if the
// engines behind the server have failed.
func parseSearXNG(body []byte) ([]Page, error) {
	var response struct {
		Results      *[]json.RawMessage `json:"results"`
		Unresponsive []json.RawMessage  `json:"unresponsive_engines"`
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return nil, err
	}
	if response.Results == nil {
		return nil, errNotList
	}
	if len(*response.Results) == 0 && len(response.Unresponsive) > 0 {
		return nil, newError(HTTPError, true, errors.New("no results, unresponsive engines"), words.Textf("The search engines behind the web search did not answer."))
	}
	return parseItems(*response.Results, maxResults, webPage.page)
}

// maxPageSummary limits the summary of a page, in characters.
const maxPageSummary = 500

func (w webPage) page() (Page, bool) {
	p := Page{URL: webAddress(w.URL), Title: plainText(w.Title, maxTitle), Summary: plainText(w.Content+w.Description, maxPageSummary)}
	if p.Title == "" {
		if u, err := url.Parse(p.URL); err == nil {
			p.Title = plainText(text(u.Host), maxTitle)
		}
	}
	return p, p.URL != "" && p.Title != ""
}
