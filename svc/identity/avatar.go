package identity

import (
	"appliance/store"
	"appliance/svc"
)

type avatarQueries struct {
	PutAvatar    store.Query `sql:"put-avatar"`
	Avatar       store.Query `sql:"avatar"`
	StoredAvatar store.Query `sql:"stored-avatar"`
	DeleteAvatar store.Query `sql:"delete-avatar"`
}

// personRow is a member with the columns of their appearance.
type personRow struct {
	svc.Person
	Color     svc.Color `db:"color"`
	AvatarKey string    `db:"avatar"`
}

// persons completes the appearance of members, and hides e-mail addresses as the settings
// require.
func (s *Service) persons(rows []personRow) []svc.Person {
	people := make([]svc.Person, len(rows))
	for i, r := range rows {
		people[i] = r.Person
		people[i].Appearance = svc.MemberAppearance(r.ID, r.Color, r.AvatarKey)
	}
	s.hideEmails(people)
	return people
}

// SetAvatar replaces the avatar of v.
func (s *Service) SetAvatar(tx *store.Tx, v svc.Viewer, a svc.AvatarPicture) error {
	id, err := v.Require()
	if err != nil {
		return err
	}
	tx.Touch(svc.MemberUpdated, store.Everyone)
	_, err = tx.Exec(s.q.PutAvatar, store.Args{
		"member": id, "key": a.Key, "thumb": a.Thumb, "picture": a.Picture, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// DeleteAvatar deletes the avatar of v. It is idempotent.
func (s *Service) DeleteAvatar(tx *store.Tx, v svc.Viewer) error {
	id, err := v.Require()
	if err != nil {
		return err
	}
	n, err := tx.Exec(s.q.DeleteAvatar, store.Args{"member": id})
	if n > 0 {
		tx.Touch(svc.MemberUpdated, store.Everyone)
	}
	return err
}

// Avatar returns the encoded avatar of an active member who is not hidden, if key is its
// current key.
func (s *Service) Avatar(tx *store.Tx, id svc.MemberID, key string, thumb bool, hidden []svc.MemberID) (picture []byte, err error) {
	err = tx.Get(&picture, s.q.Avatar, store.Args{"member": id, "key": key, "thumb": thumb, "hidden": store.JSONArray(hidden)})
	if store.IsNoRows(err) {
		err = svc.Errorf(svc.NotFound, "There is no such picture.")
	}
	return picture, err
}

// StoredAvatar is the avatar of a member in an export.
type StoredAvatar struct {
	Picture   []byte       `db:"picture"` // nil for none
	CreatedAt store.Millis `db:"created_at"`
}

// StoredAvatar returns the avatar of a member, active or not.
func (s *Service) StoredAvatar(tx *store.Tx, id svc.MemberID) (a StoredAvatar, err error) {
	err = tx.Get(&a, s.q.StoredAvatar, store.Args{"member": id})
	if store.IsNoRows(err) {
		err = nil
	}
	return a, err
}

// SetColor changes the color of v. A null restores the default color.
func (s *Service) SetColor(tx *store.Tx, v svc.Viewer, color svc.Optional[svc.Color]) error {
	_, err := s.UpdateProfile(tx, v, ProfileChanges{Color: color})
	return err
}
