package social

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"appliance/store"
	"appliance/svc"
)

// ProfileChange is an update of a profile. A null resets a field to its
// default; the display name has none.
type ProfileChange struct {
	DisplayName  *string                             `json:"display_name"`
	Bio          svc.Optional[string]                `json:"bio"`
	Pronouns     svc.Optional[string]                `json:"pronouns"`
	Links        svc.Optional[svc.List[ProfileLink]] `json:"links"`
	Visibility   svc.Optional[ProfileVisibility]     `json:"visibility"`
	Color        svc.Optional[svc.Color]             `json:"color"`
	ShowLastSeen svc.Optional[bool]                  `json:"show_last_seen"`
}

// MaxBio limits a bio, in code points.
const MaxBio = 2000

// Limits of the other fields: code points, links and bytes.
const (
	maxPronouns = 80
	maxLinks    = 10
	maxURL      = 2048
)

// UpdateProfile updates the profile of v.
func (s *Service) UpdateProfile(tx *store.Tx, v svc.Viewer, c ProfileChange) (Profile, error) {
	member, err := v.Require()
	if err != nil {
		return Profile{}, err
	}
	d, err := s.ProfileDetails(tx, member)
	if err != nil {
		return Profile{}, err
	}
	setOrReset(&d.Bio, c.Bio, defaultDetails.Bio)
	setOrReset(&d.Pronouns, c.Pronouns, defaultDetails.Pronouns)
	setOrReset(&d.Links, c.Links, defaultDetails.Links)
	setOrReset(&d.Visibility, c.Visibility, defaultDetails.Visibility)
	var rename, recolor error
	setOrReset(&d.ShowLastSeen, c.ShowLastSeen, defaultDetails.ShowLastSeen)
	if c.DisplayName != nil {
		rename = s.directory.Rename(tx, v, *c.DisplayName)
	}
	if c.Color.Set {
		recolor = s.directory.SetColor(tx, v, c.Color)
	}
	if err := svc.Join(rename, recolor, d.validate()); err != nil {
		return Profile{}, err
	}
	if c.Bio.Set || c.Pronouns.Set || c.Links.Set || c.Visibility.Set || c.ShowLastSeen.Set {
		if err := s.putProfile(tx, member, d); err != nil {
			return Profile{}, err
		}
	}
	return s.Profile(tx, v, member)
}

func (s *Service) putProfile(tx *store.Tx, member svc.MemberID, d ProfileDetails) (err error) {
	audience := everyoneAudience
	if d.Visibility == ProfileCircle {
		if audience, err = s.circleAudience(tx, member, MaxDepth); err != nil {
			return err
		}
	}
	links, err := svc.EncodeJSON(d.Links)
	if err != nil {
		return err
	}
	tx.Touch(svc.ProfileUpdated, store.Everyone)
	_, err = tx.Exec(s.q.PutProfile, store.Args{
		"member": member, "bio": d.Bio, "pronouns": d.Pronouns, "links": string(links), "visibility": d.Visibility, "show_last_seen": d.ShowLastSeen,
		"audience": audience, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// setOrReset sets field to the value of a change, or to def if it is null.
func setOrReset[T any](field *T, change svc.Optional[T], def T) {
	switch {
	case change.Null:
		*field = def
	case change.Set:
		*field = change.Value
	}
}

// validate returns all errors of the details.
func (d ProfileDetails) validate() error {
	errs := []error{
		svc.CheckText("bio", d.Bio, MaxBio), checkOptionalLine("pronouns", d.Pronouns, maxPronouns),
		svc.CheckChosen("visibility", d.Visibility),
	}
	if len(d.Links) > maxLinks {
		e := svc.FieldError(svc.TooLong, "links", "A profile can have up to %d links.", maxLinks)
		e.Fields[0].Max = maxLinks
		return svc.Join(append(errs, e)...)
	}
	for i, l := range d.Links {
		errs = append(errs, l.validate(i))
	}
	return svc.Join(errs...)
}

// validate checks the link at index i of the list.
func (l ProfileLink) validate(i int) error {
	prefix := fmt.Sprintf("links.%d.", i)
	return setPointers(svc.Join(svc.CheckName(prefix+"label", l.Label), checkURL(prefix+"url", l.URL)))
}

// checkURL checks an http or https URL. It rejects user information and
// invisible characters, which can disguise the host.
func checkURL(field, text string) error {
	if strings.TrimSpace(text) == "" {
		return svc.Required(field)
	}
	if len(text) > maxURL {
		e := svc.FieldError(svc.TooLong, field, "A URL can have up to %d bytes.", maxURL)
		e.Fields[0].Max = maxURL
		return e
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
		return svc.FieldError(svc.InvalidValue, field, "Enter a complete URL, such as https://example.org/page.")
	}
	return nil
}

// setPointers derives the JSON pointers of the fields from their dotted names.
func setPointers(err error) error {
	if e, ok := err.(*svc.Error); ok {
		for i, f := range e.Fields {
			e.Fields[i].Pointer = "/" + strings.ReplaceAll(f.Name, ".", "/")
		}
	}
	return err
}

// checkOptionalLine checks a single line of text, which may be empty.
func checkOptionalLine(field, text string, max int) error {
	if text == "" {
		return nil
	}
	return svc.CheckTitle(field, text, max)
}
