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
	PeopleByUsername    store.Query `sql:"people-by-username"`
	PeopleByDisplayName store.Query `sql:"people-by-display-name"`
}

// DirectoryQuery selects from the directory. Whoever is hidden from the
// viewer is left out before anything is counted.
type DirectoryQuery struct {
	Q      string // part of a display name or username, or of an address that is shown
	Hidden []svc.MemberID
	Limit  int
	Cursor string
}

// Directory is a page of the members who are active, ordered by number.
type Directory struct {
	Members svc.List[svc.Person] `json:"members"`
	Page    svc.Page             `json:"page"`
}

// Directory lists the members to one of them.
func (s *Service) Directory(tx *store.Tx, v svc.Viewer, query DirectoryQuery) (Directory, error) {
	if _, err := v.Require(); err != nil {
		return Directory{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "identity.directory", v)
	limit, errLimit := svc.PageLimit(query.Limit)
	q, errQ := searchKey(query.Q)
	var after svc.MemberID
	if err := svc.Join(errLimit, errQ, cursors.Decode(query.Cursor, &after)); err != nil {
		return Directory{}, err
	}
	people := make([]svc.Person, 0, limit)
	err := tx.Select(&people, s.q.Directory, store.Args{
		"after": after, "q": q, "by_email": s.cfg.DirectoryEmail == FullEmail,
		"hidden": store.JSONArray(query.Hidden), "limit": limit + 1,
	})
	if err != nil {
		return Directory{}, err
	}
	people, page := svc.CutPage(cursors, people, limit, func(p svc.Person) any { return p.ID })
	s.hideEmails(people)
	return Directory{people, page}, nil
}

// People returns the active members among ids. Whoever is missing is a former
// member, or never was one.
func (s *Service) People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error) {
	var people []svc.Person
	if err := tx.Select(&people, s.q.People, store.Args{"ids": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	s.hideEmails(people)
	byID := make(map[svc.MemberID]svc.Person, len(people))
	for _, p := range people {
		byID[p.ID] = p
	}
	return byID, nil
}

// PeopleByUsername returns the active members with those usernames.
func (s *Service) PeopleByUsername(tx *store.Tx, usernames []string) (map[string]svc.Person, error) {
	var people []svc.Person
	if err := tx.Select(&people, s.q.PeopleByUsername, store.Args{"usernames": store.JSONArray(usernames)}); err != nil {
		return nil, err
	}
	s.hideEmails(people)
	byUsername := make(map[string]svc.Person, len(people))
	for _, p := range people {
		byUsername[p.Username] = p
	}
	return byUsername, nil
}

// MemberExists reports whether there is such a member who is not deleted.
func (s *Service) MemberExists(tx *store.Tx, id svc.MemberID) (bool, error) {
	_, err := s.memberByID(tx, id)
	if svc.KindOf(err) == svc.Missing {
		return false, nil
	}
	return err == nil, err
}

// maxCandidates is how many members an ambiguous name is explained with.
const maxCandidates = 10

// Resolve returns the member that a recipient means: a number, an address, a
// username with or without @, or a display name, the first of these that
// somebody has (B-52). Whoever is hidden does not exist.
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
	person := []svc.Person{{ID: row.ID, Email: row.Email, Username: row.Username, DisplayName: row.DisplayName}}
	s.hideEmails(person)
	return person[0], nil
}

// find reads the first of those who have text as their number, address or
// username and are admitted; the zero row if there is none.
func (s *Service) findByIdentifier(tx *store.Tx, text string, admitted func(memberRow) bool) (memberRow, error) {
	if n, err := strconv.ParseUint(text, 10, 63); err == nil {
		row, err := s.memberByID(tx, svc.MemberID(n))
		if err == nil && admitted(row) {
			return row, nil
		}
		if err != nil && svc.KindOf(err) != svc.Missing {
			return memberRow{}, err
		}
	}
	row, err := s.memberByLogin(tx, strings.TrimPrefix(text, "@"))
	if err != nil || row.ID == 0 || !admitted(row) {
		return memberRow{}, err
	}
	return row, nil
}

func (s *Service) resolveDisplayName(tx *store.Tx, name string, hidden []svc.MemberID) (svc.Person, error) {
	var people []svc.Person
	err := tx.Select(&people, s.q.PeopleByDisplayName, store.Args{
		"name": fold(name), "hidden": store.JSONArray(hidden), "limit": maxCandidates,
	})
	if err != nil {
		return svc.Person{}, err
	}
	s.hideEmails(people)
	switch len(people) {
	case 0:
		e := svc.FieldError(svc.RecipientNotFound, "recipient", "No member matches “%s”.", svc.Excerpt(name))
		e.Fields[0].Code = svc.NotFound.Name
		return svc.Person{}, e
	case 1:
		return people[0], nil
	}
	e := svc.FieldError(svc.RecipientAmbiguous, "recipient", "Several members are called “%s”. Say which by username.", svc.Excerpt(name))
	for _, p := range people {
		e.Fields[0].Candidates = append(e.Fields[0].Candidates,
			svc.Candidate{ID: p.ID, Username: p.Username, DisplayName: p.DisplayName})
	}
	return svc.Person{}, e
}

// veil hides of the addresses what the settings do not show.
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
