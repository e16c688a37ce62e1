package app

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
)

// How much of an import is stored in one transaction: others write as well.
const (
	importAtOnce = 200     // entries
	importOctets = 4 << 20 // of them
)

// importer stores entries in calendars, some at a time. What is stored stays,
// whatever becomes of the rest: whoever imports again goes on.
type importer struct {
	*server
	v        svc.Viewer
	calendar string // the one that they go into
	waiting  []calendar.ImportEntry
	octets   int
	report   calendar.ImportReport
}

// take takes one entry. source is where it was read, if there are several.
func (i *importer) take(ctx context.Context, source string, one ics.Entry) error {
	c := calendar.PrepareEntry(source, one, i.db.Now())
	i.waiting = append(i.waiting, c)
	i.octets += c.Size()
	if len(i.waiting) < importAtOnce && i.octets < importOctets {
		return nil
	}
	return i.flush(ctx)
}

// refuse notes that nothing of a source can be taken.
func (i *importer) refuse(source, why string) {
	i.report.Add(calendar.ImportReport{RefusedCount: 1, Refused: []calendar.Rejected{{Source: source, Reason: why}}})
}

// flush stores what waits.
func (i *importer) flush(ctx context.Context) error {
	if len(i.waiting) == 0 {
		return nil
	}
	var done calendar.ImportReport
	err := i.db.Write(ctx, func(tx *store.Tx) (err error) {
		done, err = i.server.calendar.Import(tx, i.v, i.calendar, i.waiting)
		return err
	})
	if err != nil {
		return err
	}
	i.report.Add(done)
	i.waiting, i.octets = i.waiting[:0], 0
	return nil
}

// into makes the importer go on with another calendar.
func (i *importer) into(ctx context.Context, calendar string) error {
	if calendar == i.calendar {
		return nil
	}
	err := i.flush(ctx)
	i.calendar = calendar
	return err
}

// takeAll takes everything in a collection.
func (i *importer) takeAll(ctx context.Context, source string, c *ics.Stream) error {
	for one := range c.Entries() {
		if err := i.take(ctx, source, one); err != nil {
			return err
		}
	}
	return nil
}

// maxUpload bounds a calendar that is sent by HTTP, in bytes. The command line
// takes any.
const maxUpload = 64 << 20

// importCalendar reads a whole calendar into one of the member's.
func (s *server) importCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	report, err := s.importFrom(r.Context(), r.Body, v, r.PathValue("id"))
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]any{"report": report, "refresh": timeRefresh})
}

func (s *server) importFrom(ctx context.Context, body io.Reader, v svc.Viewer, id string) (calendar.ImportReport, error) {
	upload := &svc.Spool{Dir: s.settings.Data}
	defer upload.Close()
	if _, err := io.Copy(upload, io.LimitReader(body, maxUpload+1)); err != nil {
		return calendar.ImportReport{}, svc.Errorf(svc.MalformedBody, "The calendar could not be read to its end.").WithCause(err)
	}
	if upload.Len() > maxUpload {
		return calendar.ImportReport{}, svc.Errorf(svc.BodyTooLarge, "A calendar may have up to %d MB here; appliance calendar import takes any.", maxUpload>>20)
	}
	source, err := upload.Reader()
	if err != nil {
		return calendar.ImportReport{}, err
	}
	c, err := ics.ReadStream(source, upload.Len(), nil)
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		return calendar.ImportReport{}, svc.Errorf(svc.MalformedBody, "That is not a calendar: %s", invalid.Reason)
	}
	if err != nil {
		return calendar.ImportReport{}, err
	}
	i := &importer{server: s, v: v, calendar: id}
	if err := i.takeAll(ctx, "", c); err != nil {
		return calendar.ImportReport{}, err
	}
	err = i.flush(ctx)
	return i.report, err
}

// exportCalendar answers with one of the member's calendars as a whole.
func (s *server) exportCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.calendarText(w, r, func(tx *store.Tx) (svc.Viewer, string, error) { return v, r.PathValue("id"), nil })
}

// getFeed answers whoever has the link to a calendar.
func (s *server) getFeed(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	if err := s.queueAs(w, r, limits.Prefix(s.proxies.ClientAddr(r))); err != nil {
		return err
	}
	secret, _ := strings.CutSuffix(r.PathValue("file"), ".ics")
	return s.calendarText(w, r, func(tx *store.Tx) (v svc.Viewer, id string, err error) {
		member, id, err := s.calendar.FeedBySecret(tx, secret)
		if err == nil {
			v, err = s.identity.OnBehalf(tx, member)
		}
		if err != nil {
			err = errNoSuchPath // a member who is shut out, too
		}
		return v, id, err
	})
}

// calendarText answers with the calendar that which returns.
func (s *server) calendarText(w http.ResponseWriter, r *http.Request, which func(*store.Tx) (svc.Viewer, string, error)) error {
	text := &svc.Spool{Dir: s.settings.Data}
	defer text.Close()
	var name, etag string
	unchanged := false
	err := s.db.Read(r.Context(), func(tx *store.Tx) error {
		v, id, err := which(tx)
		if err != nil {
			return err
		}
		c, err := s.calendar.Calendar(tx, v, id)
		if err != nil {
			return err
		}
		name, etag = c.Name, calendar.StreamETag(tx, c)
		if unchanged = r.Header.Get("If-None-Match") == etag; unchanged {
			return nil
		}
		return s.calendar.WriteStream(tx, v, id, text)
	})
	if err != nil {
		return err
	}
	source, err := text.Reader()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("ETag", etag)
	h.Set("Cache-Control", "private, no-cache")
	private(h)
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(name) + ".ics"}))
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(source, 0, text.Len()))
	return nil
}

// fileName makes a name for a file of what a member calls something.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name)
	name = strings.Trim(name, " .-")
	for len(name) > 100 {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return cmp.Or(name, "calendar")
}
