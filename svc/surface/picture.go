package surface

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"appliance/store"
	"appliance/svc"
)

// pictureQueries read and write the pictures of surfaces.
type pictureQueries struct {
	Picture        store.Query `sql:"picture"`
	DeletePictures store.Query `sql:"delete-pictures"`
	PutPictures    store.Query `sql:"put-pictures"`
}

// Picture is a picture that a surface shows, with its address on a web page.
type Picture struct {
	ID     string `json:"id"`     // as PictureID returns it
	Source string `json:"source"` // its address at the site, which clients never see
}

// PictureID returns the id of the picture at an address, for a member. The id does not reveal the
// address.
func PictureID(member svc.MemberID, source string) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%d|%s", member, source))
	return "picture_" + hex.EncodeToString(h[:16])
}

// savePictures replaces the pictures of surfaces.
func (s *Service) savePictures(tx *store.Tx, member svc.MemberID, pictures map[string][]Picture) error {
	type row struct {
		Picture
		Surface string `json:"surface"`
	}
	var ids []string
	var rows []row
	for id, list := range pictures {
		ids = append(ids, id)
		for _, p := range list {
			rows = append(rows, row{p, id})
		}
	}
	if _, err := tx.Exec(s.q.picture.DeletePictures, store.Args{"member": member, "ids": store.JSONArray(ids)}); err != nil || len(rows) == 0 {
		return err
	}
	_, err := tx.Exec(s.q.picture.PutPictures, store.Args{"member": member, "pictures": store.JSONArray(rows)})
	return err
}

// PictureSource returns the address of a picture that one of v's surfaces shows.
func (s *Service) PictureSource(tx *store.Tx, v svc.Viewer, id string) (address string, err error) {
	err = tx.Get(&address, s.q.picture.Picture, store.Args{"member": v.Member(), "id": id})
	if store.IsNoRows(err) {
		return "", svc.Errorf(svc.NotFound, "This picture does not exist.")
	}
	return address, err
}
