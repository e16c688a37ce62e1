package calendar

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/words"
	"appliance/svc/zoneinfo"

	"github.com/emersion/go-ical"
)

// FeedContent is the part of the entries of its calendar that a feed contains.
type FeedContent string

const (
	FeedDetails FeedContent = "details" // everything that their classes permit, see ics.Document.Redact
	FeedBusy    FeedContent = "busy"    // the times of busy events
)

// Values implements [svc.Set].
func (FeedContent) Values() []string { return svc.Values(FeedDetails, FeedBusy) }

// Feed is a secret link at which a calendar can be read without signing in.
type Feed struct {
	CalendarID string      `json:"calendar_id"`
	Shows      FeedContent `json:"shows"`
	CreatedAt  time.Time   `json:"created_at"`
	Path       string      `json:"path,omitzero"` // only set when the feed is created: the server stores a hash
}

// Feeds returns the feeds of v by the ids of their calendars.
func (s *Service) Feeds(tx *store.Tx, v svc.Viewer) (map[string]Feed, error) {
	var rows []struct {
		CalendarID string       `db:"calendar_id"`
		Shows      FeedContent  `db:"shows"`
		CreatedAt  store.Millis `db:"created_at"`
	}
	err := tx.Select(&rows, s.q.Feeds, store.Args{"member": v.Member()})
	feeds := make(map[string]Feed, len(rows))
	for _, r := range rows {
		feeds[r.CalendarID] = Feed{CalendarID: r.CalendarID, Shows: r.Shows, CreatedAt: r.CreatedAt.Timestamp()}
	}
	return feeds, err
}

// Feed returns the feed of a calendar of v, nil if there is none.
func (s *Service) Feed(tx *store.Tx, v svc.Viewer, calendarID string) (*Feed, error) {
	if _, err := s.Calendar(tx, v, calendarID); err != nil {
		return nil, err
	}
	feeds, err := s.Feeds(tx, v)
	if f, ok := feeds[calendarID]; ok {
		return &f, err
	}
	return nil, err
}

// CreateFeed creates a feed of a calendar of v. It replaces an existing feed,
// whose link stops working.
func (s *Service) CreateFeed(tx *store.Tx, v svc.Viewer, calendarID string, shows FeedContent) (Feed, error) {
	shows = cmp.Or(shows, FeedDetails)
	if err := svc.CheckSet("shows", shows); err != nil {
		return Feed{}, err
	}
	if _, err := s.Calendar(tx, v, calendarID); err != nil {
		return Feed{}, err
	}
	secret, now := svc.NewSecret(""), store.MillisOf(tx.Now())
	_, err := tx.Exec(s.q.PutFeed, store.Args{"member": v.Member(), "calendar": calendarID, "hash": hashSecret(secret), "shows": shows, "now": now})
	tx.Touch(svc.CalendarArranged, int64(v.Member()))
	return Feed{CalendarID: calendarID, Shows: shows, CreatedAt: now.Timestamp(), Path: "/feeds/" + secret + ".ics"}, err
}

func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// DeleteFeed deletes the feed of a calendar of v.
func (s *Service) DeleteFeed(tx *store.Tx, v svc.Viewer, calendarID string) error {
	rows, err := tx.Exec(s.q.DeleteFeed, store.Args{"member": v.Member(), "calendar": calendarID})
	if err == nil && rows == 0 {
		err = svc.Errorf(svc.NotFound, "This calendar has no link, so there is none to remove.")
	}
	tx.Touch(svc.CalendarArranged, int64(v.Member()))
	return err
}

// FeedSource is the calendar of a feed and the member who created the feed.
type FeedSource struct {
	Member     svc.MemberID `db:"member_id"`
	CalendarID string       `db:"calendar_id"`
	Shows      FeedContent  `db:"shows"`
}

// FeedBySecret returns the source of the feed with a secret.
func (s *Service) FeedBySecret(tx *store.Tx, secret string) (source FeedSource, err error) {
	err = tx.Get(&source, s.q.FeedByHash, store.Args{"hash": hashSecret(secret)})
	if store.IsNoRows(err) {
		err = svc.Errorf(svc.NotFound, "This link does not work any more. Ask the owner of the calendar for a new one.")
	}
	return source, err
}

// StreamETag returns the ETag of the output of WriteStream.
func StreamETag(tx *store.Tx, c Calendar, shows FeedContent) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %s %s %s", c.ID, tx.Epoch(), c.Seq, c.ETag, shows, zoneinfo.Current().Version))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// shownObject is a row of the query shown-objects.
type shownObject struct {
	object.Ref
	FirstStart store.Millis `db:"first_start"`
}

// WriteStream writes a calendar of v with all its objects as one VCALENDAR, as
// clients import it and subscribe to it. The clients of a feed get what shows permits,
// the owner, with the zero FeedContent, everything.
func (s *Service) WriteStream(tx *store.Tx, v svc.Viewer, calendarID string, shows FeedContent, w io.Writer) error {
	c, err := s.Calendar(tx, v, calendarID)
	if err != nil {
		return err
	}
	var rows []shownObject
	if err := tx.Select(&rows, s.q.ShownObjects, store.Args{"calendar": c.ID}); err != nil {
		return err
	}
	list, first := make([]object.Ref, len(rows)), store.MillisOf(tx.Now())
	for i, r := range rows {
		list[i], first = r.Ref, min(first, r.FirstStart)
	}
	m, err := ics.NewMerger(w, streamHead(c), first.Time().Year())
	if err != nil {
		return err
	}
	var redaction *ics.Redaction
	if shows != "" {
		redaction = &ics.Redaction{Title: words.Textf("Busy").In(v.Language()), TimesOnly: shows == FeedBusy}
	}
	work := svc.WorkOf(tx.Context())
	if err := s.objects.Each(tx, list, func(_ int, text []byte) error { return m.Add(work, text, redaction) }); err != nil {
		return err
	}
	return m.Close()
}

// streamHead returns a VCALENDAR with the properties of a calendar: those of RFC
// 7986, and the nonstandard ones that clients read.
func streamHead(c Calendar) *ics.Document {
	d := ics.NewDocument(ics.ProdID)
	d.Calendar.Add(ics.TextProp("NAME", c.Name))
	d.Calendar.Add(ics.TextProp("X-WR-CALNAME", c.Name))
	if c.Description != "" {
		d.Calendar.Add(ics.TextProp("DESCRIPTION", c.Description))
		d.Calendar.Add(ics.TextProp("X-WR-CALDESC", c.Description))
	}
	d.Calendar.Add(ics.TextProp("X-WR-TIMEZONE", c.Timezone))
	d.Calendar.Add(ics.TextProp("X-APPLE-CALENDAR-COLOR", c.Color))
	d.Calendar.Add(ical.Prop{Name: "REFRESH-INTERVAL", Value: "PT1H", Params: ical.Params{"VALUE": {"DURATION"}}})
	d.Calendar.Add(ical.Prop{Name: "X-PUBLISHED-TTL", Value: "PT1H"})
	return d
}
