package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"sync"

	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"

	"github.com/emersion/go-webdav"
)

// fetchedResource is a calendar object resource of another server.
type fetchedResource struct {
	source       calendar.ImportSource
	path         string
	offset, size int64 // in Sources.fetched
}

// ReadServer reads all calendars of a user of another CalDAV server.
func (s *Sources) ReadServer(ctx context.Context, address *url.URL, user, password string) error {
	d, err := Discover(ctx, address, user, password, s.Log)
	if err != nil {
		return err
	}
	list, err := d.Calendars(ctx)
	if err != nil {
		return fmt.Errorf("listing the calendars: %w", err)
	}
	s.fetched.Dir = s.Dir
	var resources []fetchedResource
	for _, c := range list {
		supported := slices.DeleteFunc(c.Components, func(name string) bool { return !slices.Contains(ics.ObjectComponents, name) })
		if len(supported) == 0 {
			supported = nil // the server does not list them, so the calendar accepts all components
		}
		source := calendar.ImportSource{CalendarInfo: c.CalendarInfo, Components: supported}
		s.target(source) // also if it is empty
		fetched, err := s.fetchCalendar(ctx, d, c.Path)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Path, err)
		}
		for _, r := range fetched {
			r.source = source
			resources = append(resources, r)
		}
	}
	text, err := s.fetched.Reader()
	if err != nil {
		return err
	}
	for _, r := range resources {
		stream, err := ics.ReadStream(io.NewSectionReader(text, r.offset, r.size), r.size, nil)
		if invalid, ok := errors.AsType[*ics.Error](err); ok {
			s.report.RefuseSource(r.path, invalid)
			continue
		}
		if err != nil {
			return err
		}
		s.Add(&s.target(r.source).entries, r.path, stream)
	}
	return nil
}

// concurrentFetches is the number of entries that are fetched at once.
const concurrentFetches = 8

// fetchCalendar fetches one calendar of another server.
func (s *Sources) fetchCalendar(ctx context.Context, d *DAVClient, at string) (resources []fetchedResource, err error) {
	list, err := d.files.ReadDir(ctx, at, false)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(f webdav.FileInfo) bool { return f.IsDir || f.Path == at })
	progress := s.Progress("Fetching " + path.Base(at))
	fetched := 0
	for part := range slices.Chunk(list, concurrentFetches) {
		texts, errs := make([][]byte, len(part)), make([]error, len(part))
		var fetching sync.WaitGroup
		for n, f := range part {
			fetching.Go(func() { texts[n], errs[n] = fetch(ctx, d, f.Path) })
		}
		fetching.Wait()
		if !slices.Contains(errs, nil) { // all requests failed: the server is unreachable or denies access
			return nil, errors.Join(errs...)
		}
		for n, text := range texts {
			if errs[n] != nil {
				s.report.RefuseSource(part[n].Path, errs[n])
				continue
			}
			resources = append(resources, fetchedResource{path: part[n].Path, offset: s.fetched.Len(), size: int64(len(text))})
			if _, err := s.fetched.Write(text); err != nil {
				return nil, err
			}
		}
		if fetched += len(part); progress != nil {
			progress(int64(fetched), int64(len(list)))
		}
	}
	return resources, nil
}

// maxFetched limits the octets of a resource. Some servers store several entries in one.
const maxFetched = 16 << 20

// fetch returns the text of an entry.
func fetch(ctx context.Context, d *DAVClient, at string) ([]byte, error) {
	body, err := d.files.Open(ctx, at)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	text, err := io.ReadAll(io.LimitReader(body, maxFetched+1))
	if err == nil && len(text) > maxFetched {
		err = fmt.Errorf("the entry has more than %d MB", maxFetched>>20)
	}
	return text, err
}
