package maintext

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkFind finds the main text of a page of 200 KB, half of which is markup.
func BenchmarkFind(b *testing.B) {
	var source strings.Builder
	source.WriteString(`<html><head><title>Harvest</title></head><body><nav><ul>`)
	for i := range 300 {
		fmt.Fprintf(&source, `<li class="nav-item level-%d"><a href="/section/%d" class="nav-link">Section number %d</a></li>`, i%3, i, i)
	}
	source.WriteString(`</ul></nav><div class="layout"><main><article>`)
	for i := 0; source.Len() < 200<<10; i++ {
		fmt.Fprintf(&source, `<div class="block block-%d"><h2>Part %d</h2>%s<p>See <a href="/p/%d">the notes</a>, <em>which</em> are long.</p>
<figure><img src="/i/%d.jpg" alt="Picture %d"></figure><ul><li>one <b>item</b></li><li>another item</li></ul></div>`, i, i, sentences(i, i+4), i, i, i)
	}
	source.WriteString(`</article></main></div></body></html>`)
	p := parse(b, source.String())
	b.SetBytes(int64(source.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if text := Find(p); len(text.Blocks) < 100 {
			b.Fatalf("got %d blocks, want at least 100", len(text.Blocks))
		}
	}
}
