package messages

import (
	"slices"
	"strings"
	"unicode/utf8"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// SearchResult is a message that matches a search.
type SearchResult struct {
	Thread  thread.Thread
	Message thread.Message
	Excerpt string // one line of the body around the first match
}

// SearchResults is a page of results, the latest message first.
type SearchResults struct {
	Results []SearchResult
	Page    svc.Page
}

// searchTerms are the folded tokens of a search. The last one also matches as a
// prefix.
type searchTerms []string

// parseSearch splits a search into terms.
func parseSearch(q string) (terms searchTerms) {
	for t := range tokens(q) {
		terms = append(terms, t.folded)
	}
	return terms
}

// ftsExpression returns the FTS5 expression that finds the terms among the
// member's messages. Each term is a quoted string of letters and digits, so no
// input becomes FTS5 syntax (https://sqlite.org/fts5.html#full_text_query_syntax).
func (terms searchTerms) ftsExpression(member svc.MemberID) string {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + indexTerm(member, t) + `"`
	}
	return strings.Join(quoted, " AND ") + " *"
}

// matches reports whether a folded token matches one of the terms.
func (terms searchTerms) matches(folded string) bool {
	return slices.Contains(terms, folded) || strings.HasPrefix(folded, terms[len(terms)-1])
}

// Search returns v's messages that contain all terms of q, the latest first. The results are not
// ranked: an FTS5 rank depends on the frequency of a term in the whole index, and would disclose
// information about other members' messages.
func (s *Service) Search(tx *store.Tx, v svc.Viewer, q string, limit int, cursor string) (SearchResults, error) {
	member, err := v.Require()
	if err != nil {
		return SearchResults{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "messages.search", v, q)
	limit, errLimit := svc.PageLimit(limit)
	var errQ error
	if utf8.RuneCountInString(q) > svc.MaxTitle {
		errQ = svc.ParameterError("q", "The search text may have up to %d characters.", svc.MaxTitle)
	}
	after := ""
	if err := svc.Join(errLimit, errQ, cursors.Decode(cursor, &after)); err != nil {
		return SearchResults{}, err
	}
	terms := parseSearch(q)
	if len(terms) == 0 {
		return SearchResults{Page: svc.Page{Limit: limit}}, nil
	}
	var rows []thread.MessageRow
	err = tx.Select(&rows, s.q.Search, store.Args{
		"member": member, "terms": terms.ftsExpression(member), "after": after, "limit": limit + 1,
	})
	if err != nil {
		return SearchResults{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r thread.MessageRow) any { return r.ID })
	results, err := s.searchResults(tx, v, rows, terms)
	return SearchResults{results, page}, err
}

// searchResults completes the messages with their threads and excerpts.
func (s *Service) searchResults(tx *store.Tx, v svc.Viewer, rows []thread.MessageRow, terms searchTerms) ([]SearchResult, error) {
	var ids []string
	for _, r := range rows {
		if !slices.Contains(ids, r.Thread) {
			ids = append(ids, r.Thread)
		}
	}
	threads, err := s.ByID(tx, v, ids...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]thread.Thread, len(threads))
	for _, t := range threads {
		byID[t.ID] = t
	}
	messages, err := s.Messages(tx, v, rows...)
	if err != nil {
		return nil, err
	}
	results := make([]SearchResult, len(rows))
	for i, r := range rows {
		results[i] = SearchResult{byID[r.Thread], messages[i], terms.excerpt(r.Body)}
	}
	return results, nil
}

// Lengths of an excerpt in code points.
const (
	excerptBefore = 40 // code points before the match
	excerptLength = 160
)

// excerpt returns one line of body around the first match.
func (terms searchTerms) excerpt(body string) string {
	start := 0
	for t := range tokens(body) {
		if terms.matches(t.folded) {
			start = t.start
			break
		}
	}
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
