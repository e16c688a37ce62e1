package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const shopPage = `<!doctype html><html lang="en"><head><title>Shop</title><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Bakery", "name": "Bread & Co", "telephone": "+49 30 123456", "image": "/front.jpg", "openingHours": "Mo-Sa 07:00-18:00"}
</script></head><body><p>Bread</p></body></html>`

func TestTranslatePrintsThePartsOfAPage(t *testing.T) {
	name := filepath.Join(t.TempDir(), "shop.html")
	if err := os.WriteFile(name, []byte(shopPage), 0o600); err != nil {
		t.Fatal(err)
	}
	status, text, stderr := run(t, "", "translate", name, "--url", "https://bread.example/shop", "--data", t.TempDir())
	for _, want := range []string{"BUSINESS: Bread & Co", "Telephone: +49 30 123456", "HOURS: ", "Monday: 07:00–18:00"} {
		if status != 0 || !strings.Contains(text, want) {
			t.Errorf("got status %d, %s%s, want %q", status, text, stderr, want)
		}
	}
	status, text, _ = run(t, "", "translate", name, "--url", "https://bread.example/shop", "--json", "--data", t.TempDir())
	var r struct {
		CanonicalURL string `json:"canonical_url"`
		Parts        []struct {
			Kind    string
			Content struct{ Images []struct{ URL string } }
		}
	}
	if err := json.Unmarshal([]byte(text), &r); status != 0 || err != nil {
		t.Fatalf("got status %d, %v, %s", status, err, text)
	}
	if r.CanonicalURL != "https://bread.example/shop" || len(r.Parts) != 2 || r.Parts[0].Kind != "business" || r.Parts[0].Content.Images[0].URL != "https://bread.example/front.jpg" {
		t.Errorf("got %+v, want the business with its picture, and the hours", r)
	}
}

// Covers S-66 for the command.
func TestTranslateReportsUnreadablePages(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.html")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		empty: "This is not a web page with text.", "http://127.0.0.1/": "it is not on a public server of the web", empty + "x": "no such file",
	} {
		if status, _, stderr := run(t, "", "translate", source, "--data", t.TempDir()); status != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: got status %d, %s, want 1 and %q", source, status, stderr, want)
		}
	}
}
