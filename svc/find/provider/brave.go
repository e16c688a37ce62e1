package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"appliance/svc"
)

// maxBraveQuery limits the text of a search, in characters.
const maxBraveQuery = 400

// searchBrave searches pages with GET /res/v1/web/search of Brave. It sends no
// language, because Brave rejects a search in a language that it does not
// support.
func searchBrave(p *Pages, ctx context.Context, q PageQuery) ([]Page, error) {
	values := url.Values{"q": {svc.SingleLine(q.Text, maxBraveQuery)}, "count": {"20"}, "text_decorations": {"false"}}
	header := http.Header{"Accept": {"application/json"}, "X-Subscription-Token": {p.key}}
	return fetch(ctx, p.source, p.source.address("/res/v1/web/search", values), header, parseBrave)
}

// parseBrave parses the response to a search. A response without web results has no
// key web.
func parseBrave(body []byte) ([]Page, error) {
	var response struct {
		Type text `json:"type"`
		Web  *struct {
			Results []json.RawMessage `json:"results"`
		} `json:"web"`
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return nil, err
	}
	if response.Web == nil {
		if response.Type != "search" {
			return nil, errNotList
		}
		return nil, nil
	}
	return parseItems(response.Web.Results, maxResults, webPage.page)
}
