package feeds

import (
	"fmt"
	"testing"

	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/words"
)

func TestTextsOfPayloadsAreTranslated(t *testing.T) {
	german := Texts{words.German}
	feed := contract.Object{Type: FeedType, Title: "By Max", Summary: "Not updated since 1 March 2026, 09:00 UTC. The server answered with status 503."}
	article := contract.Object{Type: articleType, Title: "Read: it", Summary: "Not updated since 1 March 2026, 09:00 UTC. No.", Metadata: svc.Map{"author": "By Max", "categories": "Categories: By, Read", "published_at": "2026"}}
	mark := contract.Object{Type: markType, Title: "Read: Read: it"}
	for _, c := range []struct{ about, got, want string }{
		{"summary of a feed", german.Summary(feed), "Nicht aktualisiert seit dem 1. März 2026, 09:00 UTC. Der Server hat mit Status 503 geantwortet."},
		{"title of a feed", german.Title(feed), feed.Title},
		{"title of an article", german.Title(article), article.Title},
		{"summary of an article", german.Summary(article), article.Summary},
		{"metadata of an article", fmt.Sprint(german.Metadata(article)), "map[author:Von Max categories:Kategorien: By, Read published_at:2026]"},
		{"title of a mark", german.Title(mark), "Gelesen: Read: it"},
		{"action", german.Label(refreshOperation, "Refresh"), "Aktualisieren"},
		{"another action", german.Label("other", "Refresh"), "Refresh"},
		{"result", german.Message("The feed was updated a moment ago, or its server asks to wait. Try again in 1 minute."), "Der Feed wurde gerade aktualisiert, oder sein Server bittet um Geduld. Versuche es in 1 Minute noch einmal."},
		{"resources", fmt.Sprint(german.Resources(svc.List[contract.Resource]{{Label: "Web site"}, {Label: "File 2"}})[1].Label), "Datei 2"},
		{"English summary", Texts{words.English}.Summary(feed), feed.Summary},
		{"English title", Texts{words.English}.Title(mark), mark.Title},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.about, c.got, c.want)
		}
	}
}
