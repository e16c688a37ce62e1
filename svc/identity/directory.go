package identity

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/store"
	"appliance/svc"
)

// Person is a member as others see them: the directory entry. Schema:
// service.identity.directory.
type Person struct {
	ID          svc.MemberID `json:"id" db:"id"`
	Email       string       `json:"email" db:"email"` // as far as the settings show it
	Username    string       `json:"username" db:"username"`
	DisplayName string       `json:"display_name" db:"display_name"`
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
	Members svc.List[Person] `json:"members"`
	Page    svc.Page         `json:"page"`
}

// Directory lists the members to one of them.
func (s *Service) Directory(tx *store.Tx, v svc.Viewer, query DirectoryQuery) (Directory, error) {
	if _, err := v.Require(); err != nil {
		return Directory{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "identity.directory", v)
	limit, errLimit := svc.PageLimit(query.Limit)
	q, errQ := checkQ(query.Q)
	var after svc.MemberID
	if err := svc.Join(errLimit, errQ, cursors.Read(query.Cursor, &after)); err != nil {
		return Directory{}, err
	}
	people := make([]Person, 0, limit)
	err := tx.Select(&people, s.q.Directory, store.Args{
		"after": after, "q": q, "by_email": s.cfg.DirectoryEmail == FullEmail,
		"hidden": idList(query.Hidden), "limit": limit + 1,
	})
	if err != nil {
		return Directory{}, err
	}
	people, page := svc.CutPage(cursors, people, limit, func(p Person) any { return p.ID })
	s.veil(people)
	return Directory{people, page}, nil
}

// People returns the active members among ids. Whoever is missing is a former
// member, or never was one.
func (s *Service) People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]Person, error) {
	var people []Person
	if err := tx.Select(&people, s.q.People, store.Args{"ids": idList(ids)}); err != nil {
		return nil, err
	}
	s.veil(people)
	byID := make(map[svc.MemberID]Person, len(people))
	for _, p := range people {
		byID[p.ID] = p
	}
	return byID, nil
}

// Names returns what the members of ids are called. Unlike [Service.People] it
// knows of those who are disabled, by their names, and of those who were
// deleted, as former members.
func (s *Service) Names(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Name, error) {
	var rows []struct {
		ID svc.MemberID `db:"id"`
		svc.Name
	}
	if err := tx.Select(&rows, s.q.Names, store.Args{"ids": idList(ids)}); err != nil {
		return nil, err
	}
	names := make(map[svc.MemberID]svc.Name, len(rows))
	for _, r := range rows {
		names[r.ID] = r.Name
	}
	return names, nil
}

// maxCandidates is how many members an ambiguous name is explained with.
const maxCandidates = 10

// Resolve returns the member that a recipient means: a number, an address, a
// username with or without @, or a display name, the first of these that
// somebody has (B-52). Whoever is hidden does not exist.
func (s *Service) Resolve(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (Person, error) {
	if _, err := v.Require(); err != nil {
		return Person{}, err
	}
	recipient = strings.TrimSpace(recipient)
	if recipient == "" {
		return Person{}, svc.Required("recipient")
	}
	row, err := s.find(tx, recipient, func(r memberRow) bool {
		return r.Status == Active && !slices.Contains(hidden, r.ID)
	})
	if err != nil {
		return Person{}, err
	}
	if row.ID == 0 {
		return s.resolveName(tx, recipient, hidden)
	}
	person := []Person{{ID: row.ID, Email: row.Email, Username: row.Username, DisplayName: row.DisplayName}}
	s.veil(person)
	return person[0], nil
}

// Recipient is [Service.Resolve] for whoever needs no more than the number.
func (s *Service) Recipient(tx *store.Tx, v svc.Viewer, recipient string, hidden []svc.MemberID) (svc.MemberID, error) {
	p, err := s.Resolve(tx, v, recipient, hidden)
	return p.ID, err
}

// find reads the first of those who have text as their number, address or
// username and are admitted; the zero row if there is none.
func (s *Service) find(tx *store.Tx, text string, admitted func(memberRow) bool) (memberRow, error) {
	if n, err := strconv.ParseUint(text, 10, 63); err == nil {
		row, err := s.row(tx, svc.MemberID(n))
		if err == nil && admitted(row) {
			return row, nil
		}
		if err != nil && svc.KindOf(err) != svc.Missing {
			return memberRow{}, err
		}
	}
	row, err := s.rowByLogin(tx, strings.TrimPrefix(text, "@"))
	if err != nil || row.ID == 0 || !admitted(row) {
		return memberRow{}, err
	}
	return row, nil
}

func (s *Service) resolveName(tx *store.Tx, name string, hidden []svc.MemberID) (Person, error) {
	var people []Person
	err := tx.Select(&people, s.q.PeopleNamed, store.Args{
		"name": fold(name), "hidden": idList(hidden), "limit": maxCandidates,
	})
	if err != nil {
		return Person{}, err
	}
	s.veil(people)
	switch len(people) {
	case 0:
		e := svc.FieldError(svc.RecipientNotFound, "recipient", "No member matches “%s”.", svc.Excerpt(name))
		e.Fields[0].Code = svc.NotFound.Name
		return Person{}, e
	case 1:
		return people[0], nil
	}
	e := svc.FieldError(svc.RecipientAmbiguous, "recipient", "Several members are called “%s”. Say which by username.", svc.Excerpt(name))
	for _, p := range people {
		e.Fields[0].Candidates = append(e.Fields[0].Candidates,
			svc.Candidate{ID: p.ID, Username: p.Username, DisplayName: p.DisplayName})
	}
	return Person{}, e
}

// veil hides of the addresses what the settings do not show.
func (s *Service) veil(people []Person) {
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

// idList is a list of members for json_each.
func idList(ids []svc.MemberID) string {
	if len(ids) == 0 {
		return "[]"
	}
	return store.JSON(ids)
}
