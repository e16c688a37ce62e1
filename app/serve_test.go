package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"testing"

	"appliance/app/config"
	"appliance/store"
)

// terminal receives what a server writes on the terminal.
type terminal chan string

func (t terminal) Write(p []byte) (int, error) {
	t <- string(p)
	return len(p), nil
}

// A server on a new data directory shows the link to the set-up page, and removes its address
// file when it stops. A second server on the same directory is refused.
func TestServeShowsTheLinkToSetUpUntilItStops(t *testing.T) {
	settings := newSettings(t, func(s *config.Settings) { s.Listen, s.BackupEvery = "127.0.0.1:0", 0 })
	shown := make(terminal, 10)
	log := new(bytes.Buffer)
	o := ServeOptions{Settings: settings, Log: slog.New(slog.NewTextHandler(log, nil)), Terminal: shown, LogLevel: new(slog.LevelVar)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, o) }()
	var text string
	select {
	case text = <-shown:
	case err := <-ended:
		t.Fatalf("got the end of the server: %v\n%s", err, log)
	}
	link := regexp.MustCompile(`http://\S+/setup\?code=\S+`).FindString(text)
	page, err := http.Get(link)
	if err != nil || page.StatusCode != http.StatusOK {
		t.Fatalf("got %v, %v for the link in\n%s\nwant the set-up page", page, err, text)
	}
	page.Body.Close()
	if _, err := os.Stat(settings.AddressFile()); err != nil {
		t.Errorf("got the error %v, want the address of the server in a file", err)
	}
	other := newSettings(t, func(s *config.Settings) { s.Data, s.Listen = settings.Data, "127.0.0.1:0" })
	if err := Serve(ctx, ServeOptions{Settings: other, Log: o.Log, LogLevel: o.LogLevel}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second server: got the error %v, want %v", err, store.ErrLocked)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("got the error %v, want none", err)
	}
	if _, err := os.Stat(settings.AddressFile()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after the end: got the error %v, want no file", err)
	}
	if _, err := http.Get(link); err == nil {
		t.Error("after the end: got a response, want none")
	}
}
