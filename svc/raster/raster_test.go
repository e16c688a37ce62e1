package raster

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"slices"
	"testing"

	"appliance/svc/raster/rastertest"
)

// memory is the limit of decoding in tests, side the largest side of results.
const (
	memory = 160 << 20
	side   = 1600
)

func fit(file []byte) ([]byte, error) { return New(memory).Fit(context.Background(), file, side) }

func decode(t *testing.T, file []byte) image.Image {
	t.Helper()
	f := formatOf(file)
	if f == nil {
		t.Fatalf("got %q, want a picture", file[:min(len(file), 20)])
	}
	m, err := f.decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(a, b color.Color) bool {
	x, y := color.RGBAModel.Convert(a).(color.RGBA), color.RGBAModel.Convert(b).(color.RGBA)
	return max(x.R, y.R)-min(x.R, y.R) < 30 && max(x.G, y.G)-min(x.G, y.G) < 30 && max(x.B, y.B)-min(x.B, y.B) < 30 && x.A == y.A
}

func convert(t *testing.T, file []byte) image.Image {
	t.Helper()
	data, err := fit(file)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, data)
}

func TestLargePictureIsReduced(t *testing.T) {
	for _, c := range []struct{ w, h, wantW, wantH int }{
		{4000, 1000, 1600, 400}, {1001, 3003, 533, 1600}, {1600, 1600, 1600, 1600}, {30, 20, 30, 20}, {20000, 4, 1600, 1}, {1601, 900, 1600, 899},
	} {
		m := convert(t, rastertest.PNG(t, rastertest.Halves(c.w, c.h)))
		if got := m.Bounds().Size(); got != image.Pt(c.wantW, c.wantH) {
			t.Errorf("%d×%d: got %v, want %d×%d", c.w, c.h, got, c.wantW, c.wantH)
		}
		if left, right := m.At(c.wantW/4, c.wantH/2), m.At(c.wantW*3/4, c.wantH/2); !near(left, rastertest.Red) || !near(right, rastertest.Blue) {
			t.Errorf("%d×%d: got %v and %v, want rastertest.Red and blue", c.w, c.h, left, right)
		}
	}
}

func TestTransparentPictureStaysTransparent(t *testing.T) {
	src := rastertest.Halves(2000, 10)
	for i := range src.Pix[:len(src.Pix)/2] {
		src.Pix[i] = 0
	}
	data, err := fit(rastertest.PNG(t, src))
	if err != nil || Type(data) != "image/png" {
		t.Fatalf("got JPEG or error %v, want PNG", err)
	}
	m := decode(t, data)
	if _, _, _, top := m.At(5, 0).RGBA(); top != 0 || !near(m.At(5, 7), rastertest.Red) {
		t.Errorf("got %v above %v, want transparent above red", m.At(5, 0), m.At(5, 7))
	}
	if data, err = fit(rastertest.PNG(t, rastertest.Halves(10, 10))); err != nil || Type(data) != "image/jpeg" {
		t.Errorf("opaque: got %q, %v, want JPEG", data[:4], err)
	}
}

func TestWebPIsDecoded(t *testing.T) {
	if got := convert(t, rastertest.WebP(3, 2)).Bounds().Size(); got != image.Pt(3, 2) {
		t.Errorf("got %v, want 3×2", got)
	}
}

func TestFirstFrameOfAnimationIsUsed(t *testing.T) {
	frame := func(c color.Color) *image.Paletted {
		m := image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{c})
		return m
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{frame(rastertest.Red), frame(rastertest.Blue)}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	if got := convert(t, b.Bytes()).At(4, 4); !near(got, rastertest.Red) {
		t.Errorf("got %v, want the first frame, %v", got, rastertest.Red)
	}
}

// In each case, want is the side of the result that is red. The left half of the source is red.
func TestOrientationIsApplied(t *testing.T) {
	for orientation, want := range map[byte]string{1: "left", 2: "right", 3: "right", 4: "left", 5: "top", 6: "top", 7: "bottom", 8: "bottom", 9: "left"} {
		file := rastertest.Rotated(t, rastertest.Halves(64, 32), orientation)
		data, err := fit(file)
		if err != nil {
			t.Fatal(err)
		}
		m := decode(t, data)
		w, h := m.Bounds().Dx(), m.Bounds().Dy()
		at := map[string]image.Point{"left": {4, h / 2}, "right": {w - 4, h / 2}, "top": {w / 2, 4}, "bottom": {w / 2, h - 4}}
		for place, p := range at {
			if isRed := near(m.At(p.X, p.Y), rastertest.Red); (place == want) != isRed && !(isVertical(want) != isVertical(place)) {
				t.Errorf("orientation %d: rastertest.Red at the %s: %v, want it at the %s", orientation, place, isRed, want)
			}
		}
		if isVertical(want) != (h > w) {
			t.Errorf("orientation %d: got %d×%d", orientation, w, h)
		}
		if bytes.Contains(data, []byte("Exif")) || bytes.Contains(data, []byte("secret")) {
			t.Errorf("orientation %d: got metadata in the result, want none", orientation)
		}
	}
}

func isVertical(place string) bool { return place == "top" || place == "bottom" }

func TestFilesThatAreNoPicturesAreRejected(t *testing.T) {
	jpg := rastertest.JPEG(t, rastertest.Halves(64, 64))
	progressive := bytes.Replace(bytes.Clone(jpg), []byte{0xff, 0xc0}, []byte{0xff, 0xc2}, 1)
	at := bytes.Index(progressive, []byte{0xff, 0xc2})
	binary.BigEndian.PutUint16(progressive[at+5:], 5000)
	binary.BigEndian.PutUint16(progressive[at+7:], 5000)
	for name, c := range map[string]struct {
		file []byte
		want Reason
	}{
		"SVG":                     {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), Unsupported},
		"SVG after a declaration": {[]byte(`<?xml version="1.0"?><svg/>`), Unsupported},
		"HTML":                    {[]byte("<html>"), Unsupported},
		"empty":                   {nil, Unsupported},
		"PNG of 100,000×100,000":  {rastertest.DeclaredPNG(t, 100_000, 100_000, 8), TooLarge},
		"PNG of 7000×6000":        {rastertest.DeclaredPNG(t, 7000, 6000, 8), TooLarge},
		"PNG of 16 bits":          {rastertest.DeclaredPNG(t, 6000, 6000, 16), TooLarge},
		"narrow PNG":              {rastertest.DeclaredPNG(t, 1_000_000, 1, 8), TooLarge},
		"PNG of 0×0":              {rastertest.DeclaredPNG(t, 0, 0, 8), Damaged},
		"progressive JPEG":        {progressive, TooLarge},
		"large WebP":              {rastertest.WebP(16384, 16384), TooLarge},
		"truncated JPEG":          {jpg[:len(jpg)/2], Damaged},
		"truncated PNG":           {rastertest.PNG(t, rastertest.Halves(64, 64))[:60], Damaged},
		"only magic":              {[]byte("GIF89a"), Damaged},
		"WebP with another size": {append([]byte("RIFF\x2c\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
			rastertest.WebP(16384, 16384)[12:]...), Damaged},
	} {
		if _, err := fit(c.file); err == nil || ReasonOf(err) != c.want {
			t.Errorf("%s: got %v with reason %d, want reason %d", name, err, ReasonOf(err), c.want)
		}
	}
}

// A result can be decoded and has at most side pixels on each side.
func FuzzFit(f *testing.F) {
	f.Add(rastertest.PNG(f, rastertest.Halves(20, 10)))
	f.Add(rastertest.JPEG(f, rastertest.Halves(20, 10)))
	f.Add(rastertest.Rotated(f, rastertest.Halves(20, 10), 6))
	f.Add(rastertest.WebP(1, 1))
	f.Add(rastertest.DeclaredPNG(f, 4000, 4000, 8))
	f.Add([]byte("GIF89a\x02\x00\x02\x00\x80\x00\x00\xff\x00\x00\x00\x00\xff,\x00\x00\x00\x00\x02\x00\x02\x00\x00\x02\x02\x84\x51\x00;"))
	f.Fuzz(func(t *testing.T, file []byte) {
		data, err := fit(file)
		if err != nil {
			return
		}
		size := decode(t, data).Bounds().Size()
		if size.X < 1 || size.Y < 1 || size.X > side || size.Y > side {
			t.Errorf("got %v, want at most %d", size, side)
		}
	})
}

// BenchmarkFit converts a photograph of 12 megapixels.
func BenchmarkFit(b *testing.B) {
	m := image.NewRGBA(image.Rect(0, 0, 4000, 3000))
	for i := range m.Pix {
		m.Pix[i] = uint8(i/7 + i*i/4099)
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	file := rastertest.JPEG(b, m)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fit(file); err != nil {
			b.Fatal(err)
		}
	}
}

// squares returns the squares of a file, decoded.
func squares(t *testing.T, file []byte, sides ...int) (list []image.Image) {
	t.Helper()
	files, err := New(memory).Squares(t.Context(), file, sides...)
	if err != nil || len(files) != len(sides) {
		t.Fatalf("got %d files, %v, want %d", len(files), err, len(sides))
	}
	for i, f := range files {
		m := decode(t, f)
		if got := m.Bounds().Size(); got != image.Pt(sides[i], sides[i]) {
			t.Errorf("got %v, want %d×%d", got, sides[i], sides[i])
		}
		list = append(list, m)
	}
	return list
}

// A wide picture loses its left and right edges, a high one its upper and lower edges.
func TestSquaresAreCentered(t *testing.T) {
	for _, size := range []image.Point{{900, 300}, {300, 900}, {40, 20}, {20, 40}, {2, 1}, {320, 320}} {
		src := rastertest.Halves(size.X, size.Y)
		for _, m := range squares(t, rastertest.PNG(t, src), 320, 96) {
			n := m.Bounds().Dx()
			left, right := m.At(n/8, n/2), m.At(n-n/8, n/2)
			if size != image.Pt(2, 1) && (!near(left, rastertest.Red) || !near(right, rastertest.Blue)) {
				t.Errorf("%v: got %v and %v, want red and blue", size, left, right)
			}
		}
	}
}

func TestSquareOfOnePixelHasItsColor(t *testing.T) {
	src := image.NewRGBA(image.Rect(0, 0, 1, 1))
	src.SetRGBA(0, 0, rastertest.Blue)
	m := squares(t, rastertest.PNG(t, src), 320)[0]
	for _, p := range []image.Point{{0, 0}, {319, 319}, {160, 160}} {
		if got := m.At(p.X, p.Y); !near(got, rastertest.Blue) {
			t.Errorf("%v: got %v, want blue", p, got)
		}
	}
}

// Each file states orientation 6: the left edge is at the top.
func TestOrientationOfEachFormatIsApplied(t *testing.T) {
	tiff := []byte("II\x2a\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00")
	if got := exifOrientation(tiff); got != 6 {
		t.Fatalf("got orientation %d, want 6", got)
	}
	file := rastertest.PNG(t, rastertest.Halves(64, 64))
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(tiff)))
	chunk = append(append(chunk, "eXIf"...), tiff...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	withChunk := slices.Concat(file[:33], chunk, file[33:]) // after IHDR
	for name, file := range map[string][]byte{"JPEG": rastertest.Rotated(t, rastertest.Halves(64, 64), 6), "PNG": withChunk} {
		m := squares(t, file, 32)[0]
		if top, bottom := m.At(16, 4), m.At(16, 28); !near(top, rastertest.Red) || !near(bottom, rastertest.Blue) {
			t.Errorf("%s: got %v above %v, want red above blue", name, top, bottom)
		}
	}
	webp := appendChunk(rastertest.WebP(3, 2), "EXIF", append([]byte("Exif\x00\x00"), tiff...))
	if got := orientationOf(webp); got != 6 {
		t.Errorf("WebP: got orientation %d, want 6", got)
	}
}

func TestCMYKIsDecoded(t *testing.T) {
	m := squares(t, rastertest.CMYK(t), 32)[0]
	if r, g, b, _ := m.At(16, 16).RGBA(); r != g || g != b || r == 0 {
		t.Errorf("got %v, want gray", m.At(16, 16))
	}
}

func TestFirstFrameOfAnAnimatedWebPIsUsed(t *testing.T) {
	file := rastertest.AnimatedWebP(30, 20, rastertest.WebP(30, 20), rastertest.WebP(30, 20))
	data, err := fit(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := decode(t, data).Bounds().Size(); got != image.Pt(30, 20) {
		t.Errorf("got %v, want 30×20", got)
	}
	for name, file := range map[string][]byte{"no frame": rastertest.AnimatedWebP(30, 20), "truncated frame": file[:len(file)-60]} {
		if _, err := fit(file); ReasonOf(err) != Damaged {
			t.Errorf("%s: got %v, want an error with the reason Damaged", name, err)
		}
	}
	large := rastertest.AnimatedWebP(30, 20, rastertest.WebP(16384, 16384)) // the frame is larger than the canvas
	if _, err := fit(large); ReasonOf(err) != TooLarge {
		t.Errorf("large frame: got %v, want an error with the reason TooLarge", err)
	}
}

// A caller gets an error if its context ends while another picture is decoded.
func TestOnePictureIsDecodedAtATime(t *testing.T) {
	d := New(memory)
	release, err := d.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := rastertest.PNG(t, rastertest.Halves(4, 4))
	if _, err := d.Squares(ctx, file, 32); ReasonOf(err) != Busy {
		t.Errorf("got %v, want an error with the reason Busy", err)
	}
	release()
	if _, err := d.Squares(t.Context(), file, 32); err != nil {
		t.Error(err)
	}
}

// Each result can be decoded and has exactly the requested size.
func FuzzSquares(f *testing.F) {
	f.Add(rastertest.PNG(f, rastertest.Halves(20, 10)))
	f.Add(rastertest.Rotated(f, rastertest.Halves(20, 10), 6))
	f.Add(rastertest.AnimatedWebP(30, 20, rastertest.WebP(30, 20), rastertest.WebP(30, 20)))
	f.Add(rastertest.WebP(1, 1))
	f.Add(rastertest.DeclaredPNG(f, 4000, 4000, 8))
	f.Add([]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"))
	f.Fuzz(func(t *testing.T, file []byte) {
		// This limit is lower than that of the program, so that the fuzzer soon finds a file that
		// exceeds it.
		results, err := New(8<<20).Squares(t.Context(), file, 64, 16)
		if err != nil {
			return
		}
		for i, want := range []int{64, 16} {
			if got := decode(t, results[i]).Bounds().Size(); got != image.Pt(want, want) {
				t.Errorf("got %v, want %d×%d", got, want, want)
			}
		}
	})
}
