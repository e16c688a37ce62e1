package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"

	"github.com/emersion/go-ical"
)

// Feed is a link at which a calendar can be read without signing in.
type Feed struct {
	CalendarID string `json:"calendar_id"`
	CreatedAt  string `json:"created_at"`
	Path       string `json:"path,omitzero"` // only where it was just made: nobody can look it up again
}

type feedRow struct {
	CalendarID string       `db:"calendar_id"`
	CreatedAt  store.Millis `db:"created_at"`
}

// Feeds returns the links to v's calendars by the ids of those.
func (s *Service) Feeds(tx *store.Tx, v svc.Viewer) (map[string]Feed, error) {
	var rows []feedRow
	err := tx.Select(&rows, s.q.Feeds, store.Args{"member": v.Member()})
	feeds := make(map[string]Feed, len(rows))
	for _, r := range rows {
		feeds[r.CalendarID] = Feed{CalendarID: r.CalendarID, CreatedAt: stamp(r.CreatedAt.Time())}
	}
	return feeds, err
}

// Feed returns the link to one of v's calendars, nil if there is none.
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

// MakeFeed makes a link to one of v's calendars. One that there was before
// leads nowhere from then on.
func (s *Service) MakeFeed(tx *store.Tx, v svc.Viewer, calendarID string) (Feed, error) {
	if _, err := s.Calendar(tx, v, calendarID); err != nil {
		return Feed{}, err
	}
	secret := svc.NewSecret("")
	_, err := tx.Exec(s.q.PutFeed, store.Args{
		"member": v.Member(), "calendar": calendarID, "hash": feedHash(secret), "now": store.MillisOf(tx.Now()),
	})
	return Feed{CalendarID: calendarID, CreatedAt: stamp(tx.Now()), Path: "/feeds/" + secret + ".ics"}, err
}

func feedHash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// RevokeFeed makes the link to one of v's calendars lead nowhere.
func (s *Service) RevokeFeed(tx *store.Tx, v svc.Viewer, calendarID string) error {
	rows, err := tx.Exec(s.q.DeleteFeed, store.Args{"member": v.Member(), "calendar": calendarID})
	if err == nil && rows == 0 {
		err = svc.Errorf(svc.NotFound, "This calendar has no link.")
	}
	return err
}

// AccountRecovered makes the links of a member lead nowhere: somebody else may have
// made them.
func (s *Service) AccountRecovered(tx *store.Tx, member svc.MemberID) error {
	_, err := tx.Exec(s.q.DeleteFeeds, store.Args{"member": member})
	return err
}

// FeedOf returns whose calendar the secret of a link opens.
func (s *Service) FeedOf(tx *store.Tx, secret string) (member svc.MemberID, calendarID string, err error) {
	var row struct {
		Member     svc.MemberID `db:"member_id"`
		CalendarID string       `db:"calendar_id"`
	}
	err = tx.Get(&row, s.q.FeedOf, store.Args{"hash": feedHash(secret)})
	if store.IsNoRows(err) {
		err = errNoCalendar
	}
	return row.Member, row.CalendarID, err
}

// TextTag is the strong ETag of what [Service.WriteText] writes.
func TextTag(tx *store.Tx, c Calendar) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s", Token(tx, c), c.ETag))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// WriteText writes one of v's calendars with everything in it as one iCalendar
// text, as programs import it and subscribe to it.
func (s *Service) WriteText(tx *store.Tx, v svc.Viewer, calendarID string, w io.Writer) error {
	c, err := s.Calendar(tx, v, calendarID)
	if err != nil {
		return err
	}
	var list []dataRef
	if err := tx.Select(&list, s.q.Visible, store.Args{"calendar": c.ID}); err != nil {
		return err
	}
	m, err := ics.NewMerger(w, head(c))
	if err != nil {
		return err
	}
	err = s.each(tx, list, func(_ int, raw []byte) error { return m.Add(raw) })
	if err != nil {
		return err
	}
	return m.Close()
}

// head is a VCALENDAR that says what a calendar is called, in the words of RFC
// 7986 and in those that programs understand.
func head(c Calendar) *ics.Document {
	d := ics.NewDocument(prodID)
	for _, name := range []string{"NAME", "X-WR-CALNAME"} {
		d.Calendar.Add(ics.TextProp(name, c.Name))
	}
	if c.Description != "" {
		d.Calendar.Add(ics.TextProp("DESCRIPTION", c.Description))
		d.Calendar.Add(ics.TextProp("X-WR-CALDESC", c.Description))
	}
	d.Calendar.Add(ics.TextProp("X-WR-TIMEZONE", c.Timezone))
	d.Calendar.Add(ics.TextProp("X-APPLE-CALENDAR-COLOR", c.Color))
	hour := ical.Prop{Name: "REFRESH-INTERVAL", Value: "PT1H", Params: ical.Params{"VALUE": {"DURATION"}}}
	d.Calendar.Add(hour)
	d.Calendar.Add(ical.Prop{Name: "X-PUBLISHED-TTL", Value: "PT1H"})
	return d
}
