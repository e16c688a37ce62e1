package feeds

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// hash returns an id that differs for different lists of texts. Hexadecimal digits form
// no word that the contract forbids.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// articleRow is a row of provider_article.
type articleRow struct {
	ID          string       `json:"id" db:"id"`
	PublishedAt store.Millis `json:"published_at" db:"published_at"`
	Content     string       `json:"content" db:"content"`
	FeedID      int64        `json:"-" db:"feed_id"`
}

// put stores the result of a fetch. If it failed, the articles stay.
func (s *Service) put(tx *store.Tx, f Feed, fetched *Fetched, failure error) error {
	message, pause := "", time.Duration(0)
	if fetched != nil {
		pause = fetched.retryAfter
	}
	if failure != nil {
		message = "The feed cannot be read."
		if e, ok := errors.AsType[*svc.Error](failure); ok {
			message, pause = e.Message, e.RetryAfter
		}
	}
	args := fetchTimes(tx.Now(), pause)
	args["id"], args["url"], args["failure"] = f.id, f.URL, message
	n, err := tx.Exec(s.q.PutState, args)
	if err != nil || n == 0 || fetched == nil || fetched.Document == nil { // n is 0 if it has been removed
		return err
	}
	d := fetched.Document
	_, err = tx.Exec(s.q.PutFeed, store.Args{
		"id": f.id, "title": d.Title, "description": d.Description, "home": d.Home, "etag": fetched.etag, "modified": fetched.lastModified,
	})
	if err != nil {
		return err
	}
	rows := make([]articleRow, len(d.Articles))
	for i, a := range d.Articles {
		at := tx.Now().Add(-time.Duration(i) * time.Millisecond) // keeps the order of articles without a date
		if !a.Published.IsZero() && a.Published.Before(at) {
			at = a.Published
		}
		rows[i] = articleRow{ID: hash(f.URL, a.ID), PublishedAt: store.MillisOf(at), Content: store.JSON(a)}
	}
	if _, err := tx.Exec(s.q.PutArticles, store.Args{"feed": f.id, "articles": store.JSONArray(rows)}); err != nil {
		return err
	}
	old := store.Args{"feed": f.id, "keep": maxArticles, "limit": sweepBatch}
	if _, err := tx.Exec(s.q.DeleteOldMarks, old); err != nil {
		return err
	}
	delete(old, "limit")
	_, err = tx.Exec(s.q.DeleteOldArticles, old)
	return err
}

// sweepBatch is the number of rows that one write deletes from each table.
const sweepBatch = 500

// Sweep deletes a batch of the articles of removed feeds. It reports whether there may be more.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	for _, q := range []store.Query{s.q.DeleteRemovedMarks, s.q.DeleteRemovedArticles, s.q.DeleteRemovedFeeds} {
		n, err := tx.Exec(q, store.Args{"limit": sweepBatch})
		if err != nil || n == sweepBatch {
			return true, err
		}
	}
	return false, nil
}
