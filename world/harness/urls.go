package harness

import (
	"net/url"
	"regexp"
	"strings"
)

// internalPath matches paths of the services behind World.
var internalPath = regexp.MustCompile(`^/(messages|objects|social|runtime|surfaces?|find|maps|identity|events|tasks|integrations|admin)([/?]|$)`)

// isWorldURL reports whether an address is a path below /world/ without a host.
func isWorldURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && u.Fragment == "" && strings.HasPrefix(address, "/world/") &&
		!strings.Contains(u.Path, "/../") && !strings.Contains(u.Path, "//")
}

// isBelowWorld reports whether a request path is below /world/.
func isBelowWorld(path string) bool { return strings.HasPrefix(path, "/world/") }

// isAddress reports whether a text is a path or a URL.
func isAddress(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "http:") || strings.HasPrefix(text, "https:")
}

// publishedURL is a URL that a document offers to runtimes.
type publishedURL struct {
	url    value
	method string
	kind   string // kind of the operation
	form   value  // the record with the body and the controls; nil if there is none
}

// publishedURLs returns the URLs that a document offers: complete requests, maps
// of URLs by name, links and navigation items.
func publishedURLs(doc value) (list []publishedURL) {
	for _, v := range doc.all() {
		command := v.at("command")
		switch {
		case command.at("url").is("text"): // an action of the dataset
			list = append(list, publishedURL{command.at("url"), command.at("method").str(), v.at("type").str(), v})
		case v.at("url").is("text") && v.at("method").is("text") && !strings.HasSuffix(v.path, ".command"):
			list = append(list, publishedURL{v.at("url"), v.at("method").str(), v.at("type").str(), v})
		}
		for key, part := range v.fields() {
			switch key {
			case "options_url":
				method := "GET"
				if v.has("options_method") {
					method = v.at("options_method").str()
				}
				list = append(list, publishedURL{url: part, method: method, kind: key})
			case "nav":
				for _, item := range part.list() {
					if item.at("action").is("text") {
						list = append(list, publishedURL{url: item.at("action"), method: "GET", kind: key})
					}
				}
			case "content_source":
				if part.is("text") {
					list = append(list, publishedURL{url: part, method: "GET", kind: key})
				} else if part.at("kind").str() == "runtime_panel" {
					list = append(list, publishedURL{url: part.at("url"), method: "GET", kind: key})
				}
			case "page": // of a list, a section or a panel
				for name, url := range part.fields() {
					if url.is("text") && (name == "next" || name == "previous" || strings.HasSuffix(name, "_url")) {
						list = append(list, publishedURL{url: url, method: "GET", kind: key + "." + name})
					}
				}
			case "actions", "links", "commands", "navigation":
				list = append(list, urlsByName(key, part)...)
			}
		}
	}
	return list
}

// urlsByName returns the URLs of an object that maps names to URLs. Links, open
// and names that begin with open_ are for GET, others for POST. Templates are
// left out: complete URLs accompany them.
func urlsByName(key string, v value) (list []publishedURL) {
	for name, url := range v.fields() {
		if !url.is("text") || strings.Contains(url.str(), "{") {
			continue
		}
		method := "POST"
		if key == "links" || key == "navigation" || key == "actions" && (name == "open" || strings.HasPrefix(name, "open_")) {
			method = "GET"
		}
		list = append(list, publishedURL{url: url, method: method, kind: key + "." + name})
	}
	return list
}

// sharedURLs returns the URLs that occur under two names in the same actions map.
func sharedURLs(doc value) (shared []value) {
	for _, v := range doc.all() {
		seen := make(map[string]bool)
		for _, url := range v.at("actions").fields() {
			if url.is("text") && seen[url.str()] {
				shared = append(shared, url)
			}
			seen[url.str()] = url.is("text")
		}
	}
	return shared
}
