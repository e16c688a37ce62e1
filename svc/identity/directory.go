package identity

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/store"
	"appliance/svc"
)

type directoryQueries struct {
	Directory           store.Query `sql:"directory"`
	People              store.Query `sql:"people"`
	MemberNames         store.Query `sql:"member-names"`
	PeopleByUsername    store.Query `sql:"people-by-username"`
	PeopleByDisplayName store.Query `sql:"people-by-display-name"`
}

// DirectoryQuery selects members of the directory. Hidden members are excluded by
// the query, before the page is cut.
type DirectoryQuery struct {
	Q      string // part of a display name, a user name or, if addresses are visible, an e-mail address
	Hidden []svc.MemberID
	Limit  int
	Cursor string
}

// Directory is a page of the active members, ordered by id.
type Directory struct {
	Members svc.List[svc.Person] `json:"members"`
	Page    svc.Page             `json:"page"`
}

// Directory returns a page of the member directory for v.
func (s *Service) Directory(tx *store.Tx, v svc.Viewer, query DirectoryQuery) (Directory, error) {
	if _, err := v.Require(); err != nil {
		return Directory{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "identity.directory", v, query.Q)
	limit, errLimit := svc.PageLimit(query.Limit)
	q, errQ := searchKey(query.Q)
	var after svc.MemberID
	if err := svc.Join(errLimit, errQ, cursors.Decode(query.Cursor, &after)); err != nil {
		return Directory{}, err
	}
	var rows []personRow
	err := tx.Select(&rows, s.q.Directory, store.Args{
		"after": after, "q": q, "by_email": s.cfg.DirectoryEmail == FullEmail,
		"hidden": store.JSONArray(query.Hidden), "limit": limit + 1,
	})
	if err != nil {
		return Directory{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r personRow) any { return r.ID })
	return Directory{s.persons(rows), page}, nil
}

// People returns the active members among ids. Ids of former members are missing
// from the result.
func (s *Service) People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error) {
	var rows []personRow
	if err := tx.Select(&rows, s.q.People, store.Args{"ids": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	byID := make(map[svc.MemberID]svc.Person, len(rows))
	for _, p := range s.persons(rows) {
		byID[p.ID] = p
	}
	return byID, nil
}

// MemberNames returns the names of the members among ids, for operators. Unlike [Service.People] it
// contains disabled members; the ids of deleted ones are missing.
func (s *Service) MemberNames(tx *store.Tx, by Actor, ids []svc.MemberID) (map[svc.MemberID]string, error) {
	if err := by.require(); err != nil {
		return nil, err
	}
	var rows []struct {
		ID   svc.MemberID `db:"id"`
		Name string       `db:"display_name"`
	}
	err := tx.Select(&rows, s.q.MemberNames, store.Args{"ids": store.JSONArray(ids)})
	names := make(map[svc.MemberID]string, len(rows))
	for _, r := range rows {
		names[r.ID] = r.Name
	}
	return names, err
}

// PeopleByUsername returns the active members with the user names.
func (s *Service) PeopleByUsername(tx *store.Tx, usernames []string) (map[string]svc.Person, error) {
	var rows []personRow
	if err := tx.Select(&rows, s.q.PeopleByUsername, store.Args{"usernames": store.JSONArray(usernames)}); err != nil {
		return nil, err
	}
	byUsername := make(map[string]svc.Person, len(rows))
	for _, p := range s.persons(rows) {
		byUsername[p.Username] = p
	}
	return byUsername, nil
}

// Email returns the e-mail address of a member, in lower case.
func (s *Service) Email(tx *store.Tx, id svc.MemberID) (string, error) {
	row, err := s.memberByID(tx, id)
	return row.EmailKey, err
}

// MemberExists reports whether there is a member with the id who is not deleted.
func (s *Service) MemberExists(tx *store.Tx, id svc.MemberID) (bool, error) {
	_, err := s.memberByID(tx, id)
	if svc.KindOf(err) == svc.Missing {
		return false, nil
	}
	return err == nil, err
}

// maxCandidates limits the candidates listed for an ambiguous name.
const maxCandidates = 10

// Resolve returns the member that a recipient names: by id, e-mail address, user
// name with or without @, or display name, in this order. Hidden members are
// treated as if they did not exist.
func (s *Service) Resolve(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error) {
	if _, err := v.Require(); err != nil {
		return svc.Person{}, err
	}
	recipient = strings.TrimSpace(recipient)
	if recipient == "" {
		return svc.Person{}, svc.Required("recipient")
	}
	row, err := s.findByIdentifier(tx, recipient, func(r memberRow) bool {
		return r.Status == Active && !slices.Contains(hidden, r.ID)
	})
	if err != nil {
		return svc.Person{}, err
	}
	if row.ID == 0 {
		return s.resolveDisplayName(tx, recipient, hidden)
	}
	person := []svc.Person{{ID: row.ID, Email: row.Email, Username: row.Username, DisplayName: row.DisplayName, Appearance: row.appearance()}}
	s.hideEmails(person)
	return person[0], nil
}

// findByIdentifier returns the member with the id, e-mail address or user name. It
// ignores members that accept rejects, and returns the zero row if there is no
// other match.
func (s *Service) findByIdentifier(tx *store.Tx, text string, accept func(memberRow) bool) (memberRow, error) {
	if n, err := strconv.ParseUint(text, 10, 63); err == nil {
		row, err := s.memberByID(tx, svc.MemberID(n))
		if err == nil && accept(row) {
			return row, nil
		}
		if err != nil && svc.KindOf(err) != svc.Missing {
			return memberRow{}, err
		}
	}
	row, err := s.memberByLogin(tx, strings.TrimPrefix(text, "@"))
	if err != nil || row.ID == 0 || !accept(row) {
		return memberRow{}, err
	}
	return row, nil
}

// resolveDisplayName returns the only visible member with the display name.
func (s *Service) resolveDisplayName(tx *store.Tx, name string, hidden []svc.MemberID) (svc.Person, error) {
	var rows []personRow
	err := tx.Select(&rows, s.q.PeopleByDisplayName, store.Args{
		"name": fold(name), "hidden": store.JSONArray(hidden), "limit": maxCandidates,
	})
	if err != nil {
		return svc.Person{}, err
	}
	people := s.persons(rows)
	switch len(people) {
	case 0:
		e := svc.FieldError(svc.RecipientNotFound, "recipient", "No member matches “%s”.", svc.Excerpt(name))
		e.Fields[0].Code = svc.NotFound.Name
		return svc.Person{}, e
	case 1:
		return people[0], nil
	}
	e := svc.FieldError(svc.RecipientAmbiguous, "recipient", "Several members are named “%s”. Enter the user name instead.", svc.Excerpt(name))
	for _, p := range people {
		e.Fields[0].Candidates = append(e.Fields[0].Candidates,
			svc.Candidate{ID: p.ID, Username: p.Username, DisplayName: p.DisplayName, Appearance: p.Appearance})
	}
	return svc.Person{}, e
}

// hideEmails removes or masks the e-mail addresses as the settings require.
func (s *Service) hideEmails(people []svc.Person) {
	for i, p := range people {
		switch s.cfg.DirectoryEmail {
		case HiddenEmail:
			people[i].Email = ""
		case MaskedEmail:
			_, size := utf8.DecodeRuneInString(p.Email)
			people[i].Email = p.Email[:size] + "…" + p.Email[strings.LastIndexByte(p.Email, '@'):]
		}
	}
}
