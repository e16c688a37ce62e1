package api_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/app/limits"
	"appliance/svc/raster/rastertest"
	"appliance/world/action"
)

const avatarPath = apptest.OwnAvatarPath

// Covers B-102 and B-106.
func TestAvatarIsASquareThatClientsMayCache(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	for name, file := range map[string][]byte{
		"PNG": rastertest.PNG(t, rastertest.Halves(900, 300)), "JPEG": rastertest.Rotated(t, rastertest.Halves(64, 32), 6), "WebP": rastertest.WebP(3, 2),
		"animated WebP": rastertest.AnimatedWebP(30, 20, rastertest.WebP(30, 20), rastertest.WebP(30, 20)),
		"one pixel":     rastertest.PNG(t, image.NewGray(image.Rect(0, 0, 1, 1))), "CMYK JPEG": rastertest.CMYK(t),
	} {
		a := ann.Upload("PUT", avatarPath, file).Want(200)
		url, thumb := a.Str("profile.avatar.url"), a.Str("profile.avatar.thumb_url")
		a.WantValues("profile.avatar", map[string]any{"width": 320, "height": 320})
		for url, side := range map[string]int{url: 320, thumb: 96} {
			picture := bea.WantPicture(url, side)
			for header, want := range map[string]string{
				"Cache-Control": "private, max-age=86400", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
				"Vary": "Cookie, Authorization, X-Service-Runtime",
			} {
				if got := picture.Header.Get(header); got != want {
					t.Errorf("%s: %s: got %q, want %q", name, header, got, want)
				}
			}
			if strings.Contains(picture.Body, "Exif") || strings.Contains(picture.Body, "secret") {
				t.Errorf("%s: got metadata of the file in the avatar, want none", name)
			}
			bea.With("If-None-Match", picture.Header.Get("ETag")).Do("GET", url).Want(304)
			bea.Do("HEAD", url).Want(200)
			s.Unauthenticated().Do("GET", url).WantError(401, "unauthenticated")
		}
		if again := ann.Upload("POST", avatarPath, file).Want(200).Str("profile.avatar.url"); again != url {
			t.Errorf("%s: the same file again: got the URL %s, want %s", name, again, url)
		}
	}
	url := ann.Do("GET", "/world/social/profile").Str("profile.avatar.url")
	if other := ann.Upload("PUT", avatarPath, s.AvatarFile(7)).Want(200).Str("profile.avatar.url"); other == url {
		t.Errorf("another picture: got the URL %s, want another", other)
	}
	bea.Do("GET", url).WantError(404, "not_found")
	url = ann.Do("GET", "/world/social/profile").Str("profile.avatar.url")
	ann.Do("POST", avatarPath+"/delete").Want(200).WantValues("profile", map[string]any{"avatar": nil})
	ann.Do("DELETE", avatarPath).Want(200)
	bea.Do("GET", url).WantError(404, "not_found")
}

func TestFilesThatAreNoAvatarsAreRejected(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"uploads": 0} })
	ann := s.Member("ann")
	png := s.AvatarFile(1)
	gif, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAAAAACwAAAAAAQABAAA=")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		kind, body string
		status     int
		code, text string
	}{
		"no type":               {"", string(png), 415, "unsupported_media_type", "image/png, image/jpeg, image/webp"},
		"SVG":                   {"image/svg+xml", "<svg/>", 415, "unsupported_media_type", "image/png, image/jpeg, image/webp"},
		"GIF":                   {"image/gif", string(gif), 415, "unsupported_media_type", "image/png, image/jpeg, image/webp"},
		"SVG as PNG":            {"image/png", "<svg/>", 415, "unsupported_media_type", "not image/png"},
		"GIF as PNG":            {"image/png", string(gif), 415, "unsupported_media_type", "not image/png"},
		"PNG as JPEG":           {"image/jpeg", string(png), 415, "unsupported_media_type", "not image/jpeg"},
		"form":                  {"multipart/form-data; boundary=x", "--x--", 415, "unsupported_media_type", "image/png"},
		"invalid type":          {"image/png;;", string(png), 415, "unsupported_media_type", "image/png"},
		"empty body":            {"image/png", "", 400, "malformed_body", "empty"},
		"truncated":             {"image/png", string(png[:len(png)-20]), 422, "invalid_value", "damaged or incomplete"},
		"only magic":            {"image/jpeg", "\xff\xd8\xff", 422, "invalid_value", "damaged or incomplete"},
		"30,000×30,000 pixels":  {"image/png", string(rastertest.DeclaredPNG(t, 30_000, 30_000, 8)), 413, "body_too_large", "40 megapixels"},
		"65,536×1 pixels":       {"image/png", string(rastertest.DeclaredPNG(t, 65_536, 1, 8)), 413, "body_too_large", "40 megapixels"},
		"compressed zeros":      {"image/png", string(rastertest.ZeroPNG(t, 6400, 6400)), 413, "body_too_large", "40 megapixels"},
		"content after the end": {"image/png", string(png) + strings.Repeat("x", 11<<20), 413, "body_too_large", "10 MB"},
	} {
		a := ann.With("Content-Type", c.kind).Do("PUT", avatarPath, c.body).WantError(c.status, c.code)
		if message := a.Str("error.message"); !strings.Contains(message, c.text) {
			t.Errorf("%s: got %q, want %q", name, message, c.text)
		}
	}
	ann.Do("GET", "/world/social/profile").WantValues("profile", map[string]any{"avatar": nil})
	if n := s.App.API.Uploads().InUse() + s.App.HTTP.Memory.InUse(); n != 0 {
		t.Errorf("got %d slots in use after the requests, want 0", n)
	}
}

// rejectedBody fails the test if it is read although the client is not authenticated, or while
// the request occupies memory.
type rejectedBody struct {
	s             *apptest.Server
	authenticated bool
}

func (b rejectedBody) Read([]byte) (int, error) {
	if n := b.s.App.API.Uploads().InUse() + b.s.App.HTTP.Memory.InUse(); n != 0 || !b.authenticated {
		b.s.T.Errorf("the body was read with %d slots in use, authenticated: %t", n, b.authenticated)
	}
	return 0, io.EOF
}

// A rejected upload is not received: the body of an unauthenticated request is not read, and
// that of a member only after the request has released its memory and its upload slot.
func TestBodyOfARejectedUploadIsNotReceived(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	community := ann.CreateCommunity(`{"name": "Choir"}`)
	for _, c := range []struct {
		about, path, token, kind string
		size                     int64
		want                     int
	}{
		{"too large", avatarPath, ann.Token, "image/png", action.MaxPicture + 1, 413},
		{"unsupported type", avatarPath, ann.Token, "image/gif", 100_000, 415},
		{"unauthenticated", avatarPath, "", "image/png", 100_000, 401},
		{"outsider of a community", community + "/avatar", bea.Token, "image/png", 100_000, 404},
	} {
		r := httptest.NewRequest("PUT", c.path, rejectedBody{s, c.token != ""})
		r.ContentLength = c.size
		r.Header.Set("Content-Type", c.kind)
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		w := httptest.NewRecorder()
		s.App.HTTP.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: got %d %s, want %d", c.about, w.Code, w.Body, c.want)
		}
	}
}

// A member uploads one picture at a time; another upload waits, or is rejected. Uploads of
// other members continue.
func TestConcurrentUploadsAreLimited(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	var group sync.WaitGroup
	for i := range 4 { // one runs at a time, the others wait
		group.Go(func() {
			if a := ann.Upload("PUT", avatarPath, s.AvatarFile(uint8(i))); a.Status != 200 {
				t.Errorf("got %d %s, want 200", a.Status, a.Body)
			}
		})
	}
	group.Wait()
	s.App.API.SetUploads(limits.NewConcurrency(limits.Capacity{Each: 1}))
	release, err := s.App.API.Uploads().Acquire(t.Context(), ann.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	ann.Upload("PUT", avatarPath, s.AvatarFile(9)).WantError(429, "rate_limited")
	bea.Upload("PUT", avatarPath, s.AvatarFile(9)).Want(200)
	release()
	ann.Upload("PUT", avatarPath, s.AvatarFile(9)).Want(200)
}

// Rejected files count, too, because the server decodes them.
func TestUploadsAreRateLimited(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"uploads": 2} })
	ann := s.Member("ann")
	ann.Upload("PUT", avatarPath, s.AvatarFile(1)).Want(200)
	ann.With("Content-Type", "image/png").Do("PUT", avatarPath, "x").Want(415)
	if a := ann.Upload("PUT", avatarPath, s.AvatarFile(2)).WantError(429, "rate_limited"); a.Header.Get("Retry-After") == "" || !strings.Contains(a.Body, "Too many uploads") {
		t.Errorf("got %s with Retry-After %q, want the waiting time", a.Body, a.Header.Get("Retry-After"))
	}
	ann.Do("DELETE", avatarPath).Want(200)
}

// A repeated POST gets the first response. Covers B-88.
func TestUploadIsIdempotent(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	at := ann.CreateCommunity(`{"name": "Choir"}`) + "/avatar"
	keyed := ann.With("Idempotency-Key", "one")
	first := keyed.Upload("POST", at, s.AvatarFile(1)).Want(200)
	ann.Do("POST", at+"/delete").Want(200).WantValues("community", map[string]any{"avatar": nil})
	if again := keyed.Upload("POST", at, s.AvatarFile(1)).Want(200); again.Body != first.Body {
		t.Errorf("got %s, want the first response %s", again.Body, first.Body)
	}
	keyed.Upload("POST", at, s.AvatarFile(2)).WantError(422, "idempotency_key_reused")
}

func TestResponseToAnUploadCanContainTheDataset(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	a := ann.AsRuntime().Upload("PUT", avatarPath+"?return=dataset", s.AvatarFile(1)).Want(200)
	if got, want := a.Str("dataset.member.avatar.url"), a.Str("profile.avatar.url"); got != want {
		t.Errorf("got the avatar %s in the dataset, want %s", got, want)
	}
}

func FuzzUpload(f *testing.F) {
	s := apptest.New(f, func(s *config.Settings) { s.RateLimits = map[string]int{"uploads": 0, "writes": 0} })
	ann := s.Member("ann")
	f.Add("image/png", s.AvatarFile(1))
	f.Add("image/webp", rastertest.WebP(3, 2))
	f.Add("image/jpeg", rastertest.CMYK(f))
	f.Add("image/png;q=1", []byte("<svg/>"))
	f.Fuzz(func(t *testing.T, kind string, file []byte) {
		r := httptest.NewRequest("PUT", avatarPath, bytes.NewReader(file))
		r.Header["Content-Type"] = []string{kind}
		r.Header.Set("Authorization", "Bearer "+ann.Token)
		w := httptest.NewRecorder()
		s.App.HTTP.ServeHTTP(w, r)
		switch w.Code {
		case 200, 400, 413, 415, 422:
		default:
			t.Errorf("got %d %s, want success or an error of the client", w.Code, w.Body)
		}
	})
}

// BenchmarkUploadAvatar uploads a photograph of 12 megapixels.
func BenchmarkUploadAvatar(b *testing.B) {
	s := apptest.New(b, func(s *config.Settings) { s.RateLimits = map[string]int{"uploads": 0, "writes": 0} })
	ann := s.Member("ann")
	m := rastertest.Halves(4000, 3000)
	for i := range m.Pix {
		if i%4 != 3 {
			m.Pix[i] = uint8(i/7 + i*i/4099)
		}
	}
	file := rastertest.JPEG(b, m)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		ann.Upload("PUT", avatarPath, file).Want(200)
	}
}
