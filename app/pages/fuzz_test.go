package pages

import (
	"net/url"
	"strings"
	"testing"
)

// Sign-in redirects only to this server.
func FuzzReturnTo(f *testing.F) {
	for _, s := range []string{"/account", "//evil.example", "/\\evil.example", "/%2f/evil.example", "https:evil", "/a/../..//b", "/?x=//y", "/\t/evil.example"} {
		f.Add(s)
	}
	base, _ := url.Parse("https://home.example/")
	f.Fuzz(func(t *testing.T, to string) {
		got := localPath(to)
		if got == "" {
			return
		}
		// Browsers drop tabs and line breaks, and read \ as /.
		interpreted := strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/").Replace(got)
		u, err := base.Parse(interpreted)
		if err != nil || u.Host != base.Host || u.Scheme != base.Scheme || strings.HasPrefix(interpreted, "//") {
			t.Errorf("%q: got a redirect to %v, %v, want this server", to, u, err)
		}
	})
}
