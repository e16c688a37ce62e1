package messages

import (
	"database/sql"
	"fmt"
	"net/url"
	"slices"
	"testing"

	"appliance/app/apptest"
)

// Members find what was written to them and by them, the latest first, and
// nothing that they have no part in.
func TestMessageSearch(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	withBea := ann.SendMessage("bea", "Crème brûlée on Friday?")
	ann.SendMessage("cid", "Bring the CREME, please")
	bea.SendInThread(withBea, "Friday it is; I bring\nthe torch")
	bea.SendMessage("cid", "Ann makes creme brulee on Friday, secretly")
	found := func(c *apptest.Client, q string) []string {
		t.Helper()
		return c.Do("GET", "/world/messages?q="+url.QueryEscape(q)).Want(200).Each("results", "excerpt")
	}
	for _, s := range []struct {
		who  *apptest.Client
		q    string
		want []string
	}{
		{ann, "creme", []string{"Bring the CREME, please", "Crème brûlée on Friday?"}},
		{ann, "CRÈME bru", []string{"Crème brûlée on Friday?"}},
		{ann, "brulee creme", []string{"Crème brûlée on Friday?"}},
		{ann, "frid", []string{"Friday it is; I bring the torch", "Crème brûlée on Friday?"}},
		{ann, "fri day", nil},
		{ann, "secretly", nil},
		{ann, "s", nil},
		{cid, "friday", []string{"Ann makes creme brulee on Friday, secretly"}},
		{cid, "torch", nil},
		{ann, `"creme" OR please*`, nil},
		{ann, `words:creme`, nil},
		{ann, `3xcreme`, nil},
		{ann, `"creme" -please (`, []string{"Bring the CREME, please"}},
		{ann, "?!", nil},
		{ann, " ", nil},
	} {
		if got := found(s.who, s.q); !slices.Equal(got, s.want) {
			t.Errorf("%s looks for %s and finds %q, want %q", s.who.Name, s.q, got, s.want)
		}
	}
	a := ann.Do("GET", "/world/messages?q=torch").Want(200)
	a.WantSchema("service.messages.thread", a.At("results.0.thread"))
	a.WantSchema("service.messages.message", a.At("results.0.message"))
	if a.Str("results.0.thread.title") != "Bea" || a.Str("results.0.message.body") != "Friday it is; I bring\nthe torch" {
		t.Errorf("found %s", a.Body)
	}

	for i := range 30 {
		ann.SendInThread(withBea, fmt.Sprintf("Number %d of many", i))
	}
	var all []string
	cursor := ""
	for {
		page := bea.Do("GET", "/world/messages?q=many&limit=7"+cursor).Want(200)
		all = append(all, page.Each("results", "excerpt")...)
		if page.At("page.next_cursor") == nil {
			break
		}
		ann.SendInThread(withBea, "Many more")
		cursor = "&cursor=" + url.QueryEscape(page.Str("page.next_cursor"))
	}
	if len(all) != 30 || all[0] != "Number 29 of many" || all[29] != "Number 0 of many" {
		t.Errorf("page by page: %q", all)
	}
}

// What others write to others does not show in what a search costs: each word
// in the index is one member's.
func TestSearchTouchesOnesOwnWordsAlone(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	h.Member("cid")
	ann.SendMessage("bea", "A needle")
	for range 50 {
		bea.SendMessage("cid", "needles, needles")
	}
	db, err := sql.Open("sqlite", h.Settings.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'messages_search', 'row')"); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("SELECT term, doc FROM temp.terms ORDER BY term")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got := ""
	for rows.Next() {
		var term string
		var n int
		if err := rows.Scan(&term, &n); err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprintf("%s %d, ", term, n)
	}
	if want := "1xa 1, 1xneedle 1, 2xa 1, 2xneedle 1, 2xneedles 50, 3xneedles 50, "; got != want {
		t.Errorf("the index has %s, want %s", got, want)
	}
}
