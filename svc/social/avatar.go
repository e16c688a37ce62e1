package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

type avatarQueries struct {
	PutAvatar     store.Query `sql:"put-avatar"`
	Avatar        store.Query `sql:"avatar"`
	DeleteAvatars store.Query `sql:"delete-avatars"`
}

// SetAvatar sets the avatar of v, which counts towards the storage of v.
func (s *Service) SetAvatar(tx *store.Tx, v svc.Viewer, a svc.AvatarPicture) (Profile, error) {
	if err := s.storage.Charge(tx, v.Member(), func() error { return s.directory.SetAvatar(tx, v, a) }); err != nil {
		return Profile{}, err
	}
	return s.Profile(tx, v, v.Member())
}

// DeleteAvatar deletes the avatar of v. It is idempotent.
func (s *Service) DeleteAvatar(tx *store.Tx, v svc.Viewer) (Profile, error) {
	if err := s.directory.DeleteAvatar(tx, v); err != nil {
		return Profile{}, err
	}
	return s.Profile(tx, v, v.Member())
}

// MemberAvatar returns the encoded avatar of a member whose name v sees, if key is its
// current key.
func (s *Service) MemberAvatar(tx *store.Tx, v svc.Viewer, member svc.MemberID, key string, thumb bool) ([]byte, error) {
	viewer, err := v.Require()
	if err != nil {
		return nil, err
	}
	hidden, err := s.Hidden(tx, viewer)
	if err != nil {
		return nil, err
	}
	return s.directory.Avatar(tx, member, key, thumb, hidden)
}

// CheckCommunityAvatar returns an error unless v can set the avatar of a community.
func (s *Service) CheckCommunityAvatar(tx *store.Tx, v svc.Viewer, id string) error {
	_, err := s.staffedCommunity(tx, v, id)
	return err
}

// SetCommunityAvatar sets the avatar of a community that v owns or moderates. It counts
// towards the storage of v.
func (s *Service) SetCommunityAvatar(tx *store.Tx, v svc.Viewer, id string, a svc.AvatarPicture) (Community, error) {
	c, err := s.staffedCommunity(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	if err := s.write(tx, v.Member(), s.q.PutAvatar, store.Args{
		"community": id, "member": v.Member(), "key": a.Key, "thumb": a.Thumb, "picture": a.Picture, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return Community{}, err
	}
	if err := s.touchCommunity(tx, c); err != nil {
		return Community{}, err
	}
	return s.Community(tx, v, id)
}

// DeleteCommunityAvatar deletes the avatar of a community that v owns or moderates. It is
// idempotent.
func (s *Service) DeleteCommunityAvatar(tx *store.Tx, v svc.Viewer, id string) (Community, error) {
	c, err := s.staffedCommunity(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	if c.Avatar == "" {
		return c.toCommunity(), nil
	}
	if err := s.deleteAvatars(tx, id); err != nil {
		return Community{}, err
	}
	if err := s.touchCommunity(tx, c); err != nil {
		return Community{}, err
	}
	return s.Community(tx, v, id)
}

// deleteAvatars deletes the avatars of communities.
func (s *Service) deleteAvatars(tx *store.Tx, ids ...string) error {
	_, err := tx.Exec(s.q.DeleteAvatars, store.Args{"communities": store.JSONArray(ids)})
	return err
}

// staffedCommunity returns a community that v owns or moderates.
func (s *Service) staffedCommunity(tx *store.Tx, v svc.Viewer, id string) (communityRow, error) {
	c, err := s.community(tx, v, id)
	if err == nil && !c.isStaff() {
		err = svc.Errorf(svc.PermissionDenied, "Only owners and moderators can change the picture of this community.")
	}
	return c, err
}

// CommunityAvatar returns the encoded avatar of a community that v sees, if key is its
// current key.
func (s *Service) CommunityAvatar(tx *store.Tx, v svc.Viewer, id, key string, thumb bool) (picture []byte, err error) {
	member, err := v.Require()
	if err != nil {
		return nil, err
	}
	err = tx.Get(&picture, s.q.Avatar, store.Args{"community": id, "member": member, "key": key, "thumb": thumb})
	if store.IsNoRows(err) {
		err = svc.Errorf(svc.NotFound, "There is no such picture.")
	}
	return picture, err
}

// ExportedAvatar is the avatar of a community that the exported member has uploaded.
type ExportedAvatar struct {
	CommunityID string
	CreatedAt   time.Time
	Picture     []byte // JPEG or PNG
}

// ExportAvatars calls visit with each avatar of a community that a member has uploaded.
func (s *Service) ExportAvatars(tx *store.Tx, member svc.MemberID, visit func(ExportedAvatar) error) error {
	type row struct {
		Community string       `db:"community_id"`
		CreatedAt store.Millis `db:"created_at"`
		Picture   []byte       `db:"picture"`
	}
	args := store.Args{"member": member, "after": "", "limit": avatarBatch}
	for {
		var rows []row
		if err := tx.Select(&rows, s.q.ExportAvatars, args); err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := visit(ExportedAvatar{r.Community, r.CreatedAt.Timestamp(), r.Picture}); err != nil {
				return err
			}
			args["after"] = r.Community
		}
	}
}

// avatarBatch limits the avatars that an export holds in memory: each may have 400 kB.
const avatarBatch = 20
