package feeds

import (
	"encoding/json"
	"errors"
	"time"

	"appliance/store"
	"appliance/svc"
)

// MaxFeeds limits the feeds of a provider.
const MaxFeeds = 50

// Feed is a feed of a provider.
type Feed struct {
	Subject     string // pseudonym of the only member who sees it, "" for all
	URL         string
	Title       string
	Description string
	Home        string    // URL of the web site, "" if unknown
	FetchedAt   time.Time // last attempt
	FailedAt    time.Time // since when it cannot be fetched; zero if it can
	Failure     string    // reason, "" if it can be fetched

	id                 int64
	etag, lastModified string
	nextAt             time.Time // no fetch before
	local              bool      // at the address that the operator configured, which need not be public
}

// feedRow is a row of provider_feed.
type feedRow struct {
	ID           int64         `db:"id"`
	Subject      string        `db:"subject"`
	Local        bool          `db:"local"`
	URL          string        `db:"url"`
	Title        string        `db:"title"`
	Description  string        `db:"description"`
	Home         string        `db:"home"`
	ETag         string        `db:"etag"`
	LastModified string        `db:"last_modified"`
	FetchedAt    store.Millis  `db:"fetched_at"`
	NextAt       store.Millis  `db:"next_at"`
	FailedAt     *store.Millis `db:"failed_at"`
	Failure      string        `db:"failure"`
}

func (r feedRow) feed() Feed {
	f := Feed{
		Subject: r.Subject, URL: r.URL, Title: r.Title, Description: r.Description, Home: r.Home, FetchedAt: r.FetchedAt.Timestamp(), Failure: r.Failure,
		id: r.ID, etag: r.ETag, lastModified: r.LastModified, nextAt: r.NextAt.Time(),
		local: r.Local,
	}
	if r.FailedAt != nil {
		f.FailedAt = r.FailedAt.Timestamp()
	}
	return f
}

// Feeds returns the feeds of a provider in the order in which they were added. It has none
// if it is another provider.
func (s *Service) Feeds(tx *store.Tx, provider string) (list []Feed, err error) {
	var rows []feedRow
	err = tx.Select(&rows, s.q.Feeds, store.Args{"provider": provider})
	for _, r := range rows {
		list = append(list, r.feed())
	}
	return list, err
}

// SharedFeeds returns the feeds of providers, by the id of the provider, except those
// that only one member sees.
func (s *Service) SharedFeeds(tx *store.Tx, providers []string) (map[string][]Feed, error) {
	var rows []struct {
		Provider string `db:"provider"`
		feedRow
	}
	err := tx.Select(&rows, s.q.SharedFeeds, store.Args{"providers": store.JSONArray(providers)})
	list := make(map[string][]Feed)
	for _, r := range rows {
		list[r.Provider] = append(list[r.Provider], r.feed())
	}
	return list, err
}

// MaxAdded limits the feeds of one call of Add, which is one write.
const MaxAdded = 8

// Add adds feeds that have been fetched to a provider. subject is the pseudonym of the
// only member who sees them, "" for all.
func (s *Service) Add(tx *store.Tx, provider, subject string, feeds []*Fetched) error {
	existing, err := s.Feeds(tx, provider)
	if err != nil {
		return err
	}
	if len(existing)+len(feeds) > MaxFeeds {
		return svc.FieldError(svc.InvalidValue, "feed", "There can be up to %d feeds. Remove one first.", MaxFeeds)
	}
	for _, f := range feeds {
		var id int64
		err := tx.Get(&id, s.q.AddFeed, store.Args{"provider": provider, "subject": subject, "url": f.url, "local": f.local})
		if store.IsNoRows(err) {
			err = svc.FieldError(svc.AlreadyExists, "url", "This feed has been added already.")
		}
		if err != nil {
			return err
		}
		if err := s.put(tx, Feed{id: id, URL: f.url}, f, nil); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the feeds of a provider. Sweep deletes their articles.
func (s *Service) Remove(tx *store.Tx, provider string) error {
	_, err := tx.Exec(s.q.RemoveFeeds, store.Args{"provider": provider})
	return err
}

// Refresh makes all feeds of a provider due, except those that were fetched within
// refreshInterval.
func (s *Service) Refresh(tx *store.Tx, provider string) error {
	_, err := s.refresh(tx, provider, nil)
	return err
}

// refresh makes a feed due, or all if feed is nil. ok is false if there is none that may
// be fetched now.
func (s *Service) refresh(tx *store.Tx, provider string, feed any) (ok bool, err error) {
	n, err := tx.Exec(s.q.RequestRefresh, store.Args{"provider": provider, "feed": feed, "now": store.MillisOf(tx.Now())})
	return n > 0, err
}

// Mark is an article that a member has marked as read.
type Mark struct {
	Provider string `json:"provider"`
	Title    string `json:"title"` // of the article
	Link     string `json:"link"`  // of the article; may be empty
	MarkedAt string `json:"marked_at"`
}

// MarksOf returns the read marks of the member with these subjects, the oldest first.
func (s *Service) MarksOf(tx *store.Tx, subjects []string) ([]Mark, error) {
	var rows []struct {
		Provider string       `db:"provider"`
		Content  string       `db:"content"`
		MarkedAt store.Millis `db:"marked_at"`
	}
	err := tx.Select(&rows, s.q.MarksOfSubjects, store.Args{"subjects": store.JSONArray(subjects)})
	marks := make([]Mark, len(rows))
	for i, r := range rows {
		var a Article
		err = errors.Join(err, json.Unmarshal([]byte(r.Content), &a))
		marks[i] = Mark{r.Provider, a.Title, a.Link, r.MarkedAt.Timestamp().Format(time.RFC3339)}
	}
	return marks, err
}

// RemoveMarks removes at most limit read marks of the member with these subjects and returns
// their number.
func (s *Service) RemoveMarks(tx *store.Tx, subjects []string, limit int) (marks int, err error) {
	n, err := tx.Exec(s.q.RemoveMarks, store.Args{"subjects": store.JSONArray(subjects), "limit": limit})
	return int(n), err
}
