package httpd

import (
	"net/http"
	"strconv"
	"strings"
)

// wantsPage reports whether a request is the navigation of a browser: it prefers HTML
// to JSON, and has none of the headers of programs.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Authorization") != "" || r.Header.Get("X-Service-Runtime") != "" {
		return false
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return quality(accept, "text/html") > quality(accept, "application/json")
}

// namesValue reports whether an Accept or Accept-Encoding header names a value.
func namesValue(accept, value string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		if name, _, _ := strings.Cut(part, ";"); strings.EqualFold(strings.TrimSpace(name), value) {
			return true
		}
	}
	return false
}

// quality returns the weight that an Accept or Accept-Encoding header gives to a value
// by its name (RFC 9110 §12.4.2), 0 if it does not name the value. Wildcards do not
// match, because programs send them in Accept.
func quality(accept, value string) float64 {
	for part := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), value) {
			continue
		}
		for p := range strings.SplitSeq(parameters, ";") {
			if text, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p)), "q="); ok {
				q, _ := strconv.ParseFloat(text, 64) // an invalid weight counts as 0
				return q
			}
		}
		return 1
	}
	return 0
}
