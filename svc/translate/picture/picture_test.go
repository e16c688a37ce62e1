package picture

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"appliance/svc/diskcache"
	"appliance/svc/outbound"
)

// memory is the limit of decoding in tests.
const memory = 160 << 20

var (
	red  = color.RGBA{200, 20, 20, 255}
	blue = color.RGBA{20, 20, 200, 255}
)

// halves returns a picture whose left half is red and whose right half is blue.
func halves(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			if x < w/2 {
				m.SetRGBA(x, y, red)
			} else {
				m.SetRGBA(x, y, blue)
			}
		}
	}
	return m
}

func pngFile(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jpegFile(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rotated returns a JPEG file with an EXIF orientation and a comment.
func rotated(t testing.TB, m image.Image, orientation byte) []byte {
	file := jpegFile(t, m)
	tiff := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00")
	tiff = append(tiff, orientation, 0, 0, 0, 0, 0, 0)
	exif := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	segment = append(segment, exif...)
	segment = append(segment, "\xff\xfe\x00\x0asecret!!"...)
	return append(append([]byte{0xff, 0xd8}, segment...), file[2:]...)
}

// declaredPNG returns a PNG file whose header states another size than its content has.
func declaredPNG(t testing.TB, w, h uint32, depth byte) []byte {
	file := pngFile(t, halves(4, 4))
	binary.BigEndian.PutUint32(file[16:], w)
	binary.BigEndian.PutUint32(file[20:], h)
	file[24] = depth
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

// webpFile returns a lossless WebP file of one color. Its pixels need no data.
func webpFile(w, h uint32) []byte {
	chunk := []byte{0x2f, 0, 0, 0, 0, 0x88, 0x88, 0x08}
	binary.LittleEndian.PutUint32(chunk[1:], (w-1)|(h-1)<<14)
	file := append([]byte("RIFF\x14\x00\x00\x00WEBPVP8L\x08\x00\x00\x00"), chunk...)
	return file
}

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
	data, err := Convert(file, MaxSide, memory)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, data)
}

func TestLargePictureIsReduced(t *testing.T) {
	for _, c := range []struct{ w, h, wantW, wantH int }{
		{4000, 1000, 1600, 400}, {1001, 3003, 533, 1600}, {1600, 1600, 1600, 1600}, {30, 20, 30, 20}, {20000, 4, 1600, 1}, {1601, 900, 1600, 899},
	} {
		m := convert(t, pngFile(t, halves(c.w, c.h)))
		if got := m.Bounds().Size(); got != image.Pt(c.wantW, c.wantH) {
			t.Errorf("%d×%d: got %v, want %d×%d", c.w, c.h, got, c.wantW, c.wantH)
		}
		if left, right := m.At(c.wantW/4, c.wantH/2), m.At(c.wantW*3/4, c.wantH/2); !near(left, red) || !near(right, blue) {
			t.Errorf("%d×%d: got %v and %v, want red and blue", c.w, c.h, left, right)
		}
	}
}

func TestTransparentPictureStaysTransparent(t *testing.T) {
	src := halves(2000, 10)
	for i := range src.Pix[:len(src.Pix)/2] {
		src.Pix[i] = 0
	}
	data, err := Convert(pngFile(t, src), MaxSide, memory)
	if err != nil || isJPEG(data) {
		t.Fatalf("got JPEG or error %v, want PNG", err)
	}
	m := decode(t, data)
	if _, _, _, top := m.At(5, 0).RGBA(); top != 0 || !near(m.At(5, 7), red) {
		t.Errorf("got %v above %v, want transparent above red", m.At(5, 0), m.At(5, 7))
	}
	if data, err = Convert(pngFile(t, halves(10, 10)), MaxSide, memory); err != nil || !isJPEG(data) {
		t.Errorf("opaque: got %q, %v, want JPEG", data[:4], err)
	}
}

func TestWebPIsDecoded(t *testing.T) {
	if got := convert(t, webpFile(3, 2)).Bounds().Size(); got != image.Pt(3, 2) {
		t.Errorf("got %v, want 3×2", got)
	}
}

func TestFirstFrameOfAnimationIsUsed(t *testing.T) {
	frame := func(c color.Color) *image.Paletted {
		m := image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{c})
		return m
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{frame(red), frame(blue)}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	if got := convert(t, b.Bytes()).At(4, 4); !near(got, red) {
		t.Errorf("got %v, want the first frame, %v", got, red)
	}
}

// The left half of the source is red. want is the side of the result that is red.
func TestOrientationIsApplied(t *testing.T) {
	for orientation, want := range map[byte]string{1: "left", 2: "right", 3: "right", 4: "left", 5: "top", 6: "top", 7: "bottom", 8: "bottom", 9: "left"} {
		file := rotated(t, halves(64, 32), orientation)
		data, err := Convert(file, MaxSide, memory)
		if err != nil {
			t.Fatal(err)
		}
		m := decode(t, data)
		w, h := m.Bounds().Dx(), m.Bounds().Dy()
		at := map[string]image.Point{"left": {4, h / 2}, "right": {w - 4, h / 2}, "top": {w / 2, 4}, "bottom": {w / 2, h - 4}}
		for place, p := range at {
			if isRed := near(m.At(p.X, p.Y), red); (place == want) != isRed && !(isVertical(want) != isVertical(place)) {
				t.Errorf("orientation %d: red at the %s: %v, want it at the %s", orientation, place, isRed, want)
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
	jpg := jpegFile(t, halves(64, 64))
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
		"PNG of 100,000×100,000":  {declaredPNG(t, 100_000, 100_000, 8), TooLarge},
		"PNG of 7000×6000":        {declaredPNG(t, 7000, 6000, 8), TooLarge},
		"PNG of 16 bits":          {declaredPNG(t, 6000, 6000, 16), TooLarge},
		"narrow PNG":              {declaredPNG(t, 1_000_000, 1, 8), TooLarge},
		"PNG of 0×0":              {declaredPNG(t, 0, 0, 8), Damaged},
		"progressive JPEG":        {progressive, TooLarge},
		"large WebP":              {webpFile(16384, 16384), TooLarge},
		"truncated JPEG":          {jpg[:len(jpg)/2], Damaged},
		"truncated PNG":           {pngFile(t, halves(64, 64))[:60], Damaged},
		"only magic":              {[]byte("GIF89a"), Damaged},
		"WebP with another size": {append([]byte("RIFF\x2c\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
			webpFile(16384, 16384)[12:]...), Damaged},
	} {
		if _, err := Convert(c.file, MaxSide, memory); err == nil || ReasonOf(err) != c.want {
			t.Errorf("%s: got %v with reason %d, want reason %d", name, err, ReasonOf(err), c.want)
		}
	}
}

// site is a local server that counts requests.
type site struct {
	*httptest.Server
	mu       sync.Mutex
	requests map[string]int
}

func newSite(t *testing.T, handle http.HandlerFunc) *site {
	s := &site{requests: make(map[string]int)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests[r.URL.Path]++
		s.mu.Unlock()
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[path]
}

// clock is a time that tests advance.
type clock struct {
	mu   sync.Mutex
	time time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.time = c.time.Add(d)
}

// newService returns a Service that may contact only the site.
func newService(t *testing.T, s *site, cacheSize int64) (*Service, *clock) {
	t.Helper()
	policy, err := outbound.Public(strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	client := outbound.New(policy, ClientOptions("appliance/test"))
	cache := diskcache.New("pictures", t.TempDir(), cacheSize, c.now, slog.New(slog.DiscardHandler))
	return New(client, cache, memory, c.now), c
}

func TestPictureIsFetchedOnce(t *testing.T) {
	file := pngFile(t, halves(40, 20))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html") // not trusted
		w.Write(file)
	})
	service, _ := newService(t, s, CacheSize)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			p, err := service.Picture(t.Context(), s.URL+"/a.png")
			if err != nil || p.Type != "image/jpeg" {
				t.Errorf("got %+v, %v, want a JPEG picture", p, err)
			}
		})
	}
	group.Wait()
	p, err := service.Picture(t.Context(), s.URL+"/a.png")
	if err != nil || decode(t, p.Data).Bounds().Dx() != 40 {
		t.Errorf("got error %v, want the picture from the cache", err)
	}
	if got := s.count("/a.png"); got != 1 {
		t.Errorf("got %d requests, want 1", got)
	}
}

// A thumbnail is made from the picture, which is fetched once, and is cached.
func TestThumb(t *testing.T) {
	file := pngFile(t, halves(2000, 1000))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a.png" {
			w.Write(file)
			return
		}
		http.NotFound(w, r)
	})
	service, _ := newService(t, s, CacheSize)
	for name, c := range map[string]struct {
		load func(context.Context, string) (*Picture, error)
		want image.Point
	}{"thumbnail": {service.Thumb, image.Pt(ThumbSide, ThumbSide/2)}, "picture": {service.Picture, image.Pt(MaxSide, MaxSide/2)}} {
		for range 2 {
			p, err := c.load(t.Context(), s.URL+"/a.png")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			m := decode(t, p.Data)
			if got := m.Bounds().Size(); got != c.want || !near(m.At(10, 10), red) || !near(m.At(got.X-10, 10), blue) {
				t.Errorf("%s: got %v with the colors %v and %v, want %v, red and blue", name, got, m.At(10, 10), m.At(got.X-10, 10), c.want)
			}
			if _, err := c.load(t.Context(), s.URL+"/absent"); ReasonOf(err) != Unreachable || err == nil {
				t.Errorf("%s: got %v, want an error", name, err)
			}
		}
	}
	if service.cached(cacheKey(s.URL+"/a.png", ThumbSide)) == nil {
		t.Error("got no thumbnail in the cache, want one")
	}
	if a, absent := s.count("/a.png"), s.count("/absent"); a != 1 || absent != 1 {
		t.Errorf("got %d and %d requests, want one for each file", a, absent)
	}
}

func TestCacheIsBounded(t *testing.T) {
	file := pngFile(t, halves(40, 20))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { w.Write(file) })
	service, clock := newService(t, s, 2*4096)
	for _, path := range []string{"/1", "/2", "/3", "/3", "/1"} {
		clock.advance(time.Minute)
		if _, err := service.Picture(t.Context(), s.URL+path); err != nil {
			t.Fatal(err)
		}
	}
	if got := []int{s.count("/1"), s.count("/2"), s.count("/3")}; fmt.Sprint(got) != "[2 1 1]" {
		t.Errorf("got %v requests, want [2 1 1]: the oldest entry is removed", got)
	}
}

func TestFailuresAreCached(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/svg":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, "<svg/>")
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			block := make([]byte, 1<<20)
			for range 64 {
				z.Write(block)
			}
			z.Close()
		default:
			http.NotFound(w, r)
		}
	})
	service, clock := newService(t, s, CacheSize)
	for path, c := range map[string]struct {
		want  Reason
		retry time.Duration
	}{"/svg": {Unsupported, retryFile}, "/bomb": {TooLarge, retryFile}, "/absent": {Unreachable, retryFetch}} {
		for range 3 {
			if _, err := service.Picture(t.Context(), s.URL+path); err == nil || ReasonOf(err) != c.want {
				t.Errorf("%s: got %v, want reason %d", path, err, c.want)
			}
		}
		if got := s.count(path); got != 1 {
			t.Errorf("%s: got %d requests, want 1", path, got)
		}
		clock.advance(c.retry)
		service.Picture(t.Context(), s.URL+path)
		if got := s.count(path); got != 2 {
			t.Errorf("%s: got %d requests after %s, want 2", path, got, c.retry)
		}
	}
	_, err := service.Picture(t.Context(), "http://127.0.0.2/x.png")
	if err == nil || outbound.ReasonOf(err) != outbound.Blocked {
		t.Errorf("got %v, want an address that is blocked", err)
	}
	_, err = service.Picture(t.Context(), "data:image/png;base64,x")
	if err == nil || ReasonOf(err) != Unreachable {
		t.Errorf("got %v, want an error", err)
	}
}

func TestCachedFailuresAreBounded(t *testing.T) {
	f, now := newFailures(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 3 * maxFailures {
		f.add(fmt.Sprint(i), &Error{Damaged, fmt.Errorf("x")}, now)
	}
	if last := fmt.Sprint(3*maxFailures - 1); len(f.list) != maxFailures || f.get(last, now) == nil {
		t.Errorf("got %d failures, want %d with the last one", len(f.list), maxFailures)
	}
}

// A slow host has at most maxPerHost requests at a time.
func TestFetchesFromOneHostAreLimited(t *testing.T) {
	file := pngFile(t, halves(4, 4))
	arrived, proceed := make(chan struct{}, 10), make(chan struct{})
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-proceed
		w.Write(file)
	})
	service, _ := newService(t, s, CacheSize)
	var group sync.WaitGroup
	for i := range 5 {
		group.Go(func() {
			if _, err := service.Picture(t.Context(), fmt.Sprintf("%s/%d", s.URL, i)); err != nil {
				t.Error(err)
			}
		})
	}
	for range maxPerHost {
		<-arrived
	}
	service.mu.Lock()
	free := service.hosts["127.0.0.1"].TryAcquire(1)
	service.mu.Unlock()
	if free {
		t.Errorf("got another fetch during %d, want it to wait", maxPerHost)
	}
	for range 5 {
		proceed <- struct{}{}
	}
	group.Wait()
	if len(service.hosts) != 0 {
		t.Errorf("got %d hosts, want none without fetches", len(service.hosts))
	}
}

// fileClient returns a file for each address, and counts the requests.
type fileClient struct {
	file     []byte
	requests atomic.Int64
}

func (c *fileClient) Get(context.Context, string, http.Header) (*outbound.Response, error) {
	c.requests.Add(1)
	return &outbound.Response{Status: http.StatusOK, Body: c.file}, nil
}

// A file keeps the slot of its fetch until it is decoded, which limits the files in
// memory.
func TestFilesThatWaitForTheDecoderAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &fileClient{file: pngFile(t, halves(4, 4))}
		service := New(client, diskcache.New("pictures", t.TempDir(), CacheSize, time.Now, slog.New(slog.DiscardHandler)), memory, time.Now)
		if err := service.decoding.Acquire(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for i := range 3 * maxFetches {
			group.Go(func() {
				if _, err := service.Picture(t.Context(), fmt.Sprintf("https://%d.example/", i)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if n := client.requests.Load(); n != maxFetches {
			t.Errorf("got %d files that wait for the decoder, want %d", n, maxFetches)
		}
		service.decoding.Release(1)
		group.Wait()
	})
}

// A result can be decoded and has at most MaxSide pixels on each side.
func FuzzConvert(f *testing.F) {
	f.Add(pngFile(f, halves(20, 10)))
	f.Add(jpegFile(f, halves(20, 10)))
	f.Add(rotated(f, halves(20, 10), 6))
	f.Add(webpFile(1, 1))
	f.Add(declaredPNG(f, 4000, 4000, 8))
	f.Add([]byte("GIF89a\x02\x00\x02\x00\x80\x00\x00\xff\x00\x00\x00\x00\xff,\x00\x00\x00\x00\x02\x00\x02\x00\x00\x02\x02\x84\x51\x00;"))
	f.Fuzz(func(t *testing.T, file []byte) {
		data, err := Convert(file, MaxSide, memory)
		if err != nil {
			return
		}
		size := decode(t, data).Bounds().Size()
		if size.X < 1 || size.Y < 1 || size.X > MaxSide || size.Y > MaxSide {
			t.Errorf("got %v, want at most %d", size, MaxSide)
		}
	})
}

// BenchmarkConvert converts a photograph of 12 megapixels.
func BenchmarkConvert(b *testing.B) {
	m := image.NewRGBA(image.Rect(0, 0, 4000, 3000))
	for i := range m.Pix {
		m.Pix[i] = uint8(i/7 + i*i/4099)
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	file := jpegFile(b, m)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Convert(file, MaxSide, memory); err != nil {
			b.Fatal(err)
		}
	}
}
