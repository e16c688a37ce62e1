package account

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"
)

// The path of a QR code draws exactly its dark modules.
func TestPathOfAQRCodeDrawsItsModules(t *testing.T) {
	for _, text := range []string{"x", "https://home.example.org/world/device/dev_hZNQxV8bDXxOmXyVdqmah1qnSS605-pQjHz8SYqVNrk", strings.Repeat("ä", 500)} {
		got, err := NewQRCode(text)
		if err != nil {
			t.Fatal(err)
		}
		drawn := make(map[[2]int]bool)
		for run := range strings.SplitSeq(strings.TrimSuffix(got.Path, "z"), "z") {
			var x, y, width, back int
			if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%d", &x, &y, &width, &back); err != nil || back != width {
				t.Fatalf("got the part %q, want a run of modules", run)
			}
			for i := range width {
				drawn[[2]int{x + i - qrMargin, y - qrMargin}] = true
			}
		}
		want, err := qr.Encode(text, qr.M, qr.Auto)
		if err != nil {
			t.Fatal(err)
		}
		size := want.Bounds().Dx()
		if got.Size != size+2*qrMargin {
			t.Errorf("got the size %d, want %d", got.Size, size+2*qrMargin)
		}
		for y := range size {
			for x := range size {
				if r, _, _, _ := want.At(x, y).RGBA(); drawn[[2]int{x, y}] != (r == 0) {
					t.Fatalf("module %d, %d: got dark %t, want %t", x, y, drawn[[2]int{x, y}], r == 0)
				}
			}
		}
	}
}
