package browser

import (
	"fmt"
	"strings"
	"testing"
)

// hostilePage returns content of a web page by kind: values of wrong types, values that are too
// long, and values that try to run scripts.
func hostilePage() map[string]any {
	const script = "javascript:document.title=1"
	word := strings.Repeat("Wort", 5000)
	list := func(n int, item any) (list []any) {
		for range n {
			list = append(list, item)
		}
		return list
	}
	picture := map[string]any{"url": "/world/web/pictures/gone", "thumb": script, "width": -1, "height": "tall", "caption": "Before"}
	wrong := []any{nil, 7, "text", []any{}, map[string]any{}}
	block := func(fields string) any { return decodeJSON(fields) }
	blocks := []any{
		map[string]any{"type": "paragraph", "text": strings.Repeat("wall ", 200_000)}, map[string]any{"type": "paragraph", "text": word},
		map[string]any{"type": "paragraph", "text": "\u202eעברית עם English\u2066"}, map[string]any{"type": "heading", "level": 99, "text": word},
		map[string]any{"type": "code", "text": word}, map[string]any{"type": "table", "header": true, "rows": []any{[]any{word, nil, 7}, nil, 7}},
		block(`{"type": "list", "items": [null, {}, "<b>Body</b>"]}`), block(`{"type": "link", "url": "` + script + `", "text": "Link"}`), block(`{"type": "link", "url": "data:text/html,x"}`),
		block(`{"type": "image", "image": {"url": "https://evil.example/x.png"}}`), block(`{"type": "iframe", "text": "<script>document.title=1</script>"}`), block(`{"type": "paragraph", "text": {}}`),
	}
	return map[string]any{
		"article": map[string]any{
			"headline": word, "authors": wrong, "published": "9999-99-99", "word_count": "many", "language": "<x>", "review": map[string]any{"rating": 7},
			"blocks": append(append(blocks, wrong...), list(2000, map[string]any{"type": "image", "image": picture})...),
		},
		"business": map[string]any{"name": word, "url": script, "phones": []any{script, nil}, "emails": []any{"a@b.example?bcc=x", 7}, "same_as": []any{script}, "images": wrong, "rating": "5", "address": "x", "cuisines": wrong},
		"hours":    map[string]any{"weekly": map[string]any{"mon": wrong, "tue": "always"}, "closed_days": 7, "raw": wrong, "exceptions": wrong},
		"menu": map[string]any{"currency": "<b>", "sections": append(wrong, map[string]any{"name": word, "items": append(list(500, map[string]any{
			"name": word[:200], "description": "a", "prices": []any{nil, map[string]any{"amount": "x"}, map[string]any{"amount": "7.50", "currency": "EUR"}}}), wrong...)})},
		"events":  map[string]any{"events": append(wrong, map[string]any{"name": word, "start": "soon", "location": "x", "offers": wrong, "status": "constructor", "url": script})},
		"gallery": map[string]any{"images": append(list(2000, picture), wrong...)},
		"contact": map[string]any{"points": append(wrong, map[string]any{"phone": script, "email": "a@b.example,c@d.example"}), "url": script, "address": 7},
	}
}

// A page with hostile content fits on the smallest phone, also with text of twice the size. It runs
// no scripts, and its links and pictures have only permitted URLs.
func TestHostilePageIsReadable(t *testing.T) {
	s := newStub(t)
	page := hostilePage()
	s.edit(sessionPath, func(v any) any {
		for kind, content := range page {
			v = set(v, "surface_runtime.surfaces.-", map[string]any{
				"surface_id": "surface_hostile_" + kind, "surface_type": "web_" + kind + "_surface", "title": "Hostile", "service_binding": map[string]any{"service_id": "web", "resource_id": "hostile"},
				"commands": map[string]any{}, "placement": nil,
				"runtime_state": map[string]any{"surface_object": map[string]any{"object_type": kind, "title": strings.Repeat("T", 5000), "primary_url": "javascript:document.title=1", "content": content}},
			})
		}
		return v
	})
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(404)) // for the pictures in the viewport
	w.resize(320, 640)
	for kind := range page {
		w.visit("/app/on/surface_hostile_" + kind)
		w.until("the page", func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".art-grid h1")`) })
		for _, size := range []int{100, 200} {
			evaluate[bool](w.browser, fmt.Sprintf(`document.documentElement.style.fontSize = "%d%%", true`, size))
			if got := evaluate[int](w.browser, "document.documentElement.scrollWidth"); got > 320 {
				t.Errorf("%s, text of %d %%: the page is %d pixels wide, want 320", kind, size, got)
			}
		}
		if got := evaluate[[]string](w.browser, `[...document.querySelectorAll("main a[href], main img[src], main script, main b")].map((e) => e.getAttribute("href") ?? e.getAttribute("src") ?? e.outerHTML)
			.filter((url) => !/^(https?:\/\/|\/|tel:|mailto:)/.test(url) || /evil\.example/.test(url)).map((url) => url.slice(0, 80))`); len(got) > 0 {
			t.Errorf("%s: got the links, pictures and scripts %q, want none", kind, got)
		}
		if evaluate[string](w.browser, "document.title") == "1" {
			t.Errorf("%s: the page ran a script", kind)
		}
		w.ignoreShifts() // caused by the larger text
	}
}
