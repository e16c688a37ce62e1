package messages

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/messages"
)

// Whatever is written and looked for, a search answers, finds a text by its own
// words, and finds nobody else's.
func FuzzMessageSearch(f *testing.F) {
	for _, q := range []string{"hello", `"`, `x" OR "y`, "a AND b", "words:x", "NEAR(a b)", "*", "^a", "-x", "9xsecret", "½ ㏂ ﷽", "e\u0301", "\u0301", "\xff", "日本語"} {
		f.Add(q, "Hello, crème brûlée! "+q)
	}
	h := apptest.New(f, apptest.Unlimited)
	ann, bea := h.Member("ann").Viewer(), h.Member("bea").Viewer()
	h.Member("cid")
	send := func(tx *store.Tx, v svc.Viewer, to, body string) error {
		_, err := h.App.Messages.Start(tx, v, messages.StartRequest{Recipient: messages.Recipients{to}, Body: body})
		return err
	}
	undone := errors.New("undone")
	f.Fuzz(func(t *testing.T, q, body string) {
		err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
			if err := errors.Join(send(tx, ann, "bea", body), send(tx, bea, "cid", body+" "+q), send(tx, bea, "cid", "1x"+q)); err != nil {
				return undone // no text
			}
			results, err := h.App.Messages.Search(tx, ann, q, 0, "")
			if err != nil {
				return err
			}
			for _, found := range results.Results {
				if found.Message.Body != body {
					t.Errorf("%q finds %q, which is not ann's", q, found.Message.Body)
				}
			}
			if utf8.RuneCountInString(body) <= svc.MaxTitle && strings.ContainsFunc(body, unicode.IsLetter) {
				results, err := h.App.Messages.Search(tx, ann, body, 0, "")
				if err != nil || len(results.Results) != 1 {
					t.Errorf("%q finds itself %d times, %v", body, len(results.Results), err)
				}
			}
			return undone
		})
		if err != undone && svc.KindOf(err) != svc.Malformed {
			t.Errorf("%q in %q: %v", q, body, err)
		}
	})
}
