package apptest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/store/storetest"
)

// BenchEvent returns an event of about 1 kB.
func BenchEvent(i int64) string {
	at := storetest.Start.Add(time.Duration(i%60*24) * time.Hour)
	return VEvent(fmt.Sprintf("event-%d@bench.example", i),
		"DTSTART;TZID=Europe/Berlin:"+at.Format("20060102T150405"), "DTEND;TZID=Europe/Berlin:"+at.Add(time.Hour).Format("20060102T150405"),
		fmt.Sprint("SUMMARY:Meeting number ", i), "LOCATION:Room 7, second floor",
		"DESCRIPTION:"+strings.Repeat("What we talk about. ", 30), "STATUS:CONFIRMED", "SEQUENCE:0",
		"BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:Meeting", "END:VALARM")
}

// Bench returns a function that sends a request as the client and returns the
// size of the response body. Unlike [Client.Do], it does not keep or check the
// body.
func (c *Client) Bench(b *testing.B, method string, want int) func(path, body string) int64 {
	get := c.BenchReader(b, method, want)
	return func(path, body string) int64 {
		n, err := io.Copy(io.Discard, get(path, body))
		if err != nil {
			b.Error(err)
		}
		return n
	}
}

// BenchReader returns a function that sends a request as the client and returns
// the response body. The caller must read the body to its end.
func (c *Client) BenchReader(b *testing.B, method string, want int) func(path, body string) io.Reader {
	// Without DisableCompression, the benchmark would also measure the decompression.
	web := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
	b.Cleanup(web.CloseIdleConnections)
	return func(path, body string) io.Reader {
		r, err := http.NewRequest(method, c.Server.HTTP.URL+path, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		for name, value := range c.Headers {
			r.Header.Set(name, value)
		}
		resp, err := web.Do(r)
		if err != nil {
			b.Error(err)
			return strings.NewReader("")
		}
		if resp.StatusCode != want {
			b.Errorf("%s %s: got status %d, want %d", method, path, resp.StatusCode, want)
		}
		return closeAtEnd{resp.Body}
	}
}

// closeAtEnd is a body that closes itself when it has been read to its end.
type closeAtEnd struct{ io.ReadCloser }

func (t closeAtEnd) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err != nil {
		t.Close()
	}
	return n, err
}

// FillCalendar stores n events within the next two months.
func (c *Client) FillCalendar(b *testing.B, n int64) {
	path, put := c.DefaultCalendar(), c.Basic().Bench(b, "PUT", 201)
	var all sync.WaitGroup
	for w := range int64(8) {
		all.Go(func() {
			for i := w; i < n; i += 8 {
				put(fmt.Sprintf("%s%d.ics", path, i), BenchEvent(i))
			}
		})
	}
	all.Wait()
}
