package messages

import (
	"slices"
	"strings"
	"unicode/utf8"

	"appliance/store"
	"appliance/svc"
)

// SearchResult is a message that was looked for.
type SearchResult struct {
	Thread  Thread
	Message Message
	Excerpt string // a line of its text, around the first word
}

// SearchResults is a page of messages that were looked for, the latest first.
type SearchResults struct {
	Results []SearchResult
	Page    svc.Page
}

// question is the words that a message must have. The last one may be the
// beginning of a word.
type question []string

func ask(q string) (list question) {
	for w := range words(q) {
		list = append(list, w.folded)
	}
	return list
}

// match is the question as FTS5 takes it, to be answered for a member. Each
// word is a string in it and has no quotes, so nothing that was typed is part
// of the syntax (https://sqlite.org/fts5.html#full_text_query_syntax).
func (q question) match(member svc.MemberID) string {
	terms := make([]string, len(q))
	for i, w := range q {
		terms[i] = `"` + key(member, w) + `"`
	}
	return strings.Join(terms, " AND ") + " *"
}

// has reports whether a word of a text is one of those in question.
func (q question) has(folded string) bool {
	return slices.Contains(q, folded) || strings.HasPrefix(folded, q[len(q)-1])
}

// Search returns v's messages that have all words of q. They are ordered by
// age alone: FTS5 ranks by how often a word is used in all of the index, and
// so would tell of what others write.
func (s *Service) Search(tx *store.Tx, v svc.Viewer, q string, limit int, cursor string) (SearchResults, error) {
	member, err := v.Require()
	if err != nil {
		return SearchResults{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "messages.search", v)
	limit, errLimit := svc.PageLimit(limit)
	var errQ error
	if utf8.RuneCountInString(q) > svc.MaxTitle {
		errQ = svc.ParameterError("q", "q may have up to %d characters.", svc.MaxTitle)
	}
	after := ""
	if err := svc.Join(errLimit, errQ, cursors.Decode(cursor, &after)); err != nil {
		return SearchResults{}, err
	}
	asked := ask(q)
	if len(asked) == 0 {
		return SearchResults{Page: svc.Page{Limit: limit}}, nil
	}
	var rows []messageRow
	err = tx.Select(&rows, s.q.Search, store.Args{"member": member, "words": asked.match(member), "after": after, "limit": limit + 1})
	if err != nil {
		return SearchResults{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r messageRow) any { return r.ID })
	found, err := s.found(tx, member, rows, asked)
	return SearchResults{found, page}, err
}

// found returns the messages with their threads.
func (s *Service) found(tx *store.Tx, member svc.MemberID, rows []messageRow, asked question) ([]SearchResult, error) {
	var ids []string
	for _, r := range rows {
		if !slices.Contains(ids, r.Thread) {
			ids = append(ids, r.Thread)
		}
	}
	in, err := s.rows(tx, member, ids...)
	if err != nil {
		return nil, err
	}
	threads, err := s.threads(tx, member, in)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]Thread, len(threads))
	for _, t := range threads {
		byID[t.ID] = t
	}
	list := make([]SearchResult, len(rows))
	for i, r := range rows {
		list[i] = SearchResult{byID[r.Thread], r.message(), asked.excerpt(r.Body)}
	}
	return list, nil
}

// How much an excerpt shows before the word that was found, and in all, in
// code points.
const (
	excerptBefore = 40
	excerptLength = 160
)

// excerpt returns a line of body around the first word that is in question.
func (q question) excerpt(body string) string {
	at := 0
	for w := range words(body) {
		if q.has(w.folded) {
			at = w.start
			break
		}
	}
	start := at
	for n := 0; n < excerptBefore && start > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(body[:start])
		start -= size
	}
	end := start
	for n := 0; n < excerptLength && end < len(body); n++ {
		_, size := utf8.DecodeRuneInString(body[end:])
		end += size
	}
	line := strings.Join(strings.Fields(body[start:end]), " ")
	if start > 0 {
		line = "…" + line
	}
	if end < len(body) {
		line += "…"
	}
	return line
}
