package load

import (
	"testing"

	"appliance/app/apptest"
)

// BenchmarkSocialPanel reads the views of the panel of Social.
func BenchmarkSocialPanel(b *testing.B) {
	h, ann := newDiscussions(b)
	for _, name := range []string{"club", "choir", "chess"} {
		ann.CreateCommunity(`{"name": "` + name + `"}`)
	}
	h.Restart()
	get := ann.Bench(b, "GET", 200)
	for _, view := range append(apptest.SocialViews, "conversations&id=cnv_00000000000000000000000007") {
		b.Run(view, func(b *testing.B) {
			var size int64
			for b.Loop() {
				size = get(apptest.SocialPanelPath+"?view="+view, "")
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
