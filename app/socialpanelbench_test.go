package app

import (
	"testing"
)

// The panel of Social in a talkative house, for somebody whom much was told.
func BenchmarkSocialPanel(b *testing.B) {
	h, ann := talkative(b)
	for _, name := range []string{"club", "choir", "chess"} {
		ann.community(`{"name": "` + name + `"}`)
	}
	h.restart()
	get := ann.request(b, "GET", 200)
	for _, view := range append(socialViews, "conversations&id=cnv_00000000000000000000000007") {
		b.Run(view, func(b *testing.B) {
			var size int64
			for b.Loop() {
				size = get(socialPanelPath+"?view="+view, "")
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
