package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

const memory = 256 << 20

// drawing returns a picture whose upper left quarter is red; the rest is blue.
func drawing(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{0, 0, 255, 255}
			if x < width/2 && y < (height+1)/2 {
				c = color.RGBA{255, 0, 0, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// decode returns the picture and its format.
func decode(t *testing.T, data []byte) (image.Image, string) {
	t.Helper()
	m, format, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m, format
}

func isRed(c color.Color) bool {
	r, _, b, _ := c.RGBA()
	return r > 0xd000 && b < 0x3000
}

func TestPicturesAreScaledAndEncodedAgain(t *testing.T) {
	transparent := drawing(100, 60)
	transparent.SetRGBA(99, 59, color.RGBA{})
	var animation bytes.Buffer
	frame := image.NewPaletted(image.Rect(0, 0, 40, 20), color.Palette{color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}})
	other := image.NewPaletted(frame.Rect, frame.Palette)
	for i := range other.Pix {
		other.Pix[i] = 1
	}
	if err := gif.EncodeAll(&animation, &gif.GIF{Image: []*image.Paletted{frame, other}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body   []byte
		format string
		size   image.Point
	}{
		"small":        {encodePNG(t, drawing(100, 60)), "jpeg", image.Pt(100, 60)},
		"large":        {encodePNG(t, drawing(4000, 1000)), "jpeg", image.Pt(1600, 400)},
		"narrow":       {encodePNG(t, drawing(4000, 1)), "jpeg", image.Pt(1600, 1)},
		"transparent":  {encodePNG(t, transparent), "png", image.Pt(100, 60)},
		"an animation": {animation.Bytes(), "jpeg", image.Pt(40, 20)},
	} {
		data, err := encode(c.body, memory)
		if err != nil {
			t.Errorf("%s: got %v, want a picture", name, err)
			continue
		}
		m, format := decode(t, data)
		if format != c.format || m.Bounds().Size() != c.size {
			t.Errorf("%s: got %s of %v, want %s of %v", name, format, m.Bounds().Size(), c.format, c.size)
		}
		if !isRed(m.At(0, 0)) {
			t.Errorf("%s: got the color %v in the corner, want red", name, m.At(0, 0))
		}
	}
}

// header returns the beginning of a PNG file with a size.
func header(width, height uint32) []byte {
	chunk := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	chunk = append(chunk, 8, 6, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(chunk))
}

func TestInvalidPicturesAreRejected(t *testing.T) {
	whole := encodePNG(t, drawing(100, 60))
	for name, c := range map[string]struct {
		body   []byte
		memory int64
		want   error
	}{
		"nothing":              {nil, memory, ErrNoPicture},
		"SVG":                  {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), memory, ErrNoPicture},
		"HTML":                 {[]byte("<html>"), memory, ErrNoPicture},
		"a truncated picture":  {whole[:len(whole)/2], memory, ErrNoPicture},
		"too many pixels":      {header(100_000, 100_000), memory, ErrTooLarge},
		"too little memory":    {whole, 100*60*4 - 1, ErrTooLarge},
		"just enough memory":   {whole, 100 * 60 * 4, nil},
		"a width of 0":         {header(0, 10), memory, ErrNoPicture},
		"no pixels, only size": {header(10, 10), memory, ErrNoPicture},
	} {
		if _, err := encode(c.body, c.memory); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

// withOrientation returns a JPEG file with an EXIF orientation.
func withOrientation(t testing.TB, m image.Image, value uint16, order binary.AppendByteOrder, mark string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	tiff := order.AppendUint32(append([]byte(mark), order.AppendUint16(nil, 42)...), 8)
	tiff = order.AppendUint16(tiff, 1)
	tiff = order.AppendUint16(order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, 0x112), 3), 1), value)
	exif := append([]byte("Exif\x00\x00"), append(tiff, 0, 0, 0, 0, 0, 0)...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	return append(append([]byte{0xff, 0xd8}, append(segment, exif...)...), b.Bytes()[2:]...)
}

func TestPicturesAreTurned(t *testing.T) {
	corners := map[uint16]image.Point{1: {0, 0}, 2: {1, 0}, 3: {1, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 1}, 8: {0, 1}, 9: {0, 0}}
	for value, corner := range corners {
		for mark, order := range map[string]binary.AppendByteOrder{"MM": binary.BigEndian, "II": binary.LittleEndian} {
			data, err := encode(withOrientation(t, drawing(64, 32), value, order, mark), memory)
			if err != nil {
				t.Fatal(err)
			}
			m, _ := decode(t, data)
			size := m.Bounds().Size()
			want := image.Pt(64, 32)
			if value >= 5 && value <= 8 {
				want = image.Pt(32, 64)
			}
			if size != want {
				t.Errorf("%s, orientation %d: got %v, want %v", mark, value, size, want)
			}
			for x := range 2 {
				for y := range 2 {
					c := m.At(x*(size.X-1), y*(size.Y-1))
					if isRed(c) != (image.Pt(x, y) == corner) {
						t.Errorf("%s, orientation %d: got %v in the corner %d, %d, want red in %v only", mark, value, c, x, y, corner)
					}
				}
			}
		}
	}
}

// Whatever encode accepts is a picture within the limits.
func FuzzEncode(f *testing.F) {
	f.Add(encodePNG(f, drawing(8, 8)))
	f.Add(withOrientation(f, drawing(8, 8), 6, binary.BigEndian, "MM"))
	f.Add(header(100_000, 100_000))
	f.Add([]byte("GIF89a\x01\x00\x01\x00"))
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		data, err := encode(body, 1<<20)
		if err != nil {
			return
		}
		c, format, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || format != "jpeg" && format != "png" || max(c.Width, c.Height) > maxSide {
			t.Errorf("got %s of %d by %d, %v, want a picture within the limits", format, c.Width, c.Height, err)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	body := encodePNG(b, drawing(4000, 3000))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := encode(body, memory); err != nil {
			b.Fatal(err)
		}
	}
}
