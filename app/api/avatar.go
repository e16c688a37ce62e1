package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/raster"
	"appliance/world/action"
	"appliance/world/record"
)

// avatarOperations declares the operations on the avatars of members and communities. PUT
// and POST are the same.
func (s *Server) avatarOperations() []declaration {
	return []declaration{
		operation[struct{}, profileResponse]{
			Request: "PUT /world/social/profile/avatar", Service: "social",
			Summary: "Set the avatar of the member", Bodies: action.PictureTypes, Once: true,
			Serve: s.setAvatar, Traits: httpd.Traits{ReceivesBody: true},
		},
		operation[struct{}, profileResponse]{
			Action: action.Profiles.Endpoint("set_avatar"), Service: "social",
			Summary: "Set the avatar of the member", Bodies: action.PictureTypes, Once: true,
			Serve: s.setAvatar, Traits: httpd.Traits{ReceivesBody: true},
		},
		operation[struct{}, profileResponse]{
			Action: action.Profiles.Endpoint("delete_avatar"), Service: "social",
			Summary: "Remove the avatar of the member",
			Do:      s.deleteAvatar,
		},
		operation[struct{}, []byte]{
			Request: "GET /world/social/profiles/{member_id}/avatar/{key}",
			Summary: "Read the avatar of a member", Media: avatarTypes, ETag: true,
			Serve: s.getMemberAvatar(false), Traits: httpd.Traits{Rate: limits.Avatars},
		},
		operation[struct{}, []byte]{
			Request: "GET /world/social/profiles/{member_id}/avatar/{key}/thumb",
			Summary: "Read the small avatar of a member", Media: avatarTypes, ETag: true,
			Serve: s.getMemberAvatar(true), Traits: httpd.Traits{Rate: limits.Avatars},
		},
		operation[struct{}, communityResponse]{
			Request: "PUT /world/social/communities/{id}/avatar", Service: "social",
			Summary: "Set the avatar of a community", Bodies: action.PictureTypes, Once: true,
			Serve: s.setCommunityAvatar, Traits: httpd.Traits{ReceivesBody: true},
		},
		operation[struct{}, communityResponse]{
			Action: action.Communities.Endpoint("set_avatar"), Service: "social",
			Summary: "Set the avatar of a community", Bodies: action.PictureTypes, Once: true,
			Serve: s.setCommunityAvatar, Traits: httpd.Traits{ReceivesBody: true},
		},
		operation[idRequest, communityResponse]{
			Action: action.Communities.Endpoint("delete_avatar"), Service: "social",
			Summary: "Remove the avatar of a community",
			Do:      s.deleteCommunityAvatar,
		},
		operation[struct{}, []byte]{
			Request: "GET /world/social/communities/{id}/avatar/{key}", Service: "social",
			Summary: "Read the avatar of a community", Media: avatarTypes, ETag: true,
			Serve: s.getCommunityAvatar(false), Traits: httpd.Traits{Rate: limits.Avatars},
		},
		operation[struct{}, []byte]{
			Request: "GET /world/social/communities/{id}/avatar/{key}/thumb", Service: "social",
			Summary: "Read the small avatar of a community", Media: avatarTypes, ETag: true,
			Serve: s.getCommunityAvatar(true), Traits: httpd.Traits{Rate: limits.Avatars},
		},
	}
}

// avatarTypes are the media types of the avatars that the server sends.
var avatarTypes = []string{"image/jpeg", "image/png"}

// setAvatar sets the avatar of the member to the picture in the body.
func (s *Server) setAvatar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.uploadAvatar(w, r, v, func(tx *store.Tx, a svc.AvatarPicture) (any, error) {
		p, err := s.Social.SetAvatar(tx, v, a)
		return profileResponse{record.NewProfile(p), &socialRefresh}, err
	})
}

func (s *Server) deleteAvatar(tx *store.Tx, v svc.Viewer, _ struct{}) (profileResponse, error) {
	p, err := s.Social.DeleteAvatar(tx, v)
	return profileResponse{record.NewProfile(p), &socialRefresh}, err
}

// setCommunityAvatar sets the avatar of a community to the picture in the body.
func (s *Server) setCommunityAvatar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	id := r.PathValue("id")
	if err := s.DB.Read(r.Context(), func(tx *store.Tx) error { return s.Social.CheckCommunityAvatar(tx, v, id) }); err != nil {
		return err
	}
	return s.uploadAvatar(w, r, v, func(tx *store.Tx, a svc.AvatarPicture) (any, error) {
		c, err := s.Social.SetCommunityAvatar(tx, v, id, a)
		return communityResponse{record.NewCommunity(c), &socialRefresh}, err
	})
}

func (s *Server) deleteCommunityAvatar(tx *store.Tx, v svc.Viewer, in idRequest) (communityResponse, error) {
	c, err := s.Social.DeleteCommunityAvatar(tx, v, in.ID)
	return communityResponse{record.NewCommunity(c), &socialRefresh}, err
}

// uploadAvatar receives the picture in the body of r and responds with the result of
// write, which stores it.
func (s *Server) uploadAvatar(w http.ResponseWriter, r *http.Request, v svc.Viewer, write func(*store.Tx, svc.AvatarPicture) (any, error)) error {
	refresh, err := parseReturn(r)
	if err != nil {
		return err
	}
	if err := s.Rates.Take(limits.Uploads, v.String()); err != nil {
		return err
	}
	release, err := s.uploads.Acquire(r.Context(), v.String())
	if err != nil {
		return err
	}
	defer release()
	a, err := s.receiveAvatar(w, r, v)
	if err != nil {
		return err
	}
	r, cancel := httpd.WithTimeout(r)
	defer cancel()
	written, err := s.doOnce(r, v, []byte(a.Key), http.StatusOK, func(tx *store.Tx) (any, error) { return write(tx, a) }, nil)
	if err != nil {
		return err
	}
	return s.writeResult(w, r, v, refresh, written)
}

// receiveAvatar receives the picture in the body of r and encodes it again as an avatar.
// While a slow client sends the body, it occupies only a spool.
func (s *Server) receiveAvatar(w http.ResponseWriter, r *http.Request, v svc.Viewer) (svc.AvatarPicture, error) {
	declared, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !slices.Contains(action.PictureTypes, declared) {
		return svc.AvatarPicture{}, svc.Errorf(svc.UnsupportedMedia, "The body must be a picture. Send a file of one of these types: %s.", pictureTypes)
	}
	if r.ContentLength > action.MaxPicture {
		return svc.AvatarPicture{}, errLargePicture()
	}
	spool := &svc.Spool{Dir: s.Settings.Data}
	defer spool.Close()
	if _, err := io.Copy(spool, io.LimitReader(r.Body, action.MaxPicture+1)); err != nil {
		return svc.AvatarPicture{}, httpd.BodyError(err)
	}
	switch {
	case spool.Len() == 0:
		return svc.AvatarPicture{}, svc.Errorf(svc.MalformedBody, "The body is empty. Send the file of a picture.")
	case spool.Len() > action.MaxPicture:
		return svc.AvatarPicture{}, errLargePicture()
	}
	r, cancel := httpd.WithTimeout(r)
	defer cancel()
	// An upload does not take all memory of a member, so that other requests can
	// continue.
	if err := s.AcquireMemory(w, r, v.String(), min(spool.Len(), s.Sizes.Memory.Each/4*3)); err != nil {
		return svc.AvatarPicture{}, err
	}
	source, err := spool.Reader()
	if err != nil {
		return svc.AvatarPicture{}, err
	}
	file, err := io.ReadAll(io.NewSectionReader(source, 0, spool.Len()))
	if err != nil {
		return svc.AvatarPicture{}, err
	}
	if kind := raster.Type(file); kind != declared {
		return svc.AvatarPicture{}, svc.Errorf(svc.UnsupportedMedia, "The content of the file is not %s. Send a file of one of these types: %s.", declared, pictureTypes)
	}
	return s.newAvatar(r.Context(), file)
}

var pictureTypes = strings.Join(action.PictureTypes, ", ")

func errLargePicture() error {
	return svc.Errorf(svc.BodyTooLarge, "The file is larger than %d MB. Choose a smaller picture.", action.MaxPicture>>20)
}

// newAvatar encodes the picture in a file as an avatar.
func (s *Server) newAvatar(ctx context.Context, file []byte) (svc.AvatarPicture, error) {
	squares, err := s.Decoder.Squares(ctx, file, svc.AvatarSide, svc.AvatarThumbSide)
	switch raster.ReasonOf(err) {
	case raster.Busy:
		return svc.AvatarPicture{}, limits.Unavailable()
	case raster.TooLarge:
		return svc.AvatarPicture{}, svc.Errorf(svc.BodyTooLarge, "The picture has too many pixels: the limit is %d megapixels. Choose a smaller picture.", raster.MaxPixels/1_000_000).WithCause(err)
	case raster.Unsupported, raster.Damaged:
		return svc.AvatarPicture{}, svc.FieldError(svc.InvalidValue, "file", "The picture cannot be read: the file is damaged or incomplete. Choose another file.").WithCause(err)
	}
	if err != nil {
		return svc.AvatarPicture{}, err
	}
	sum := sha256.Sum256(slices.Concat(squares...))
	return svc.AvatarPicture{Key: fmt.Sprintf("%x", sum[:16]), Picture: squares[0], Thumb: squares[1]}, nil
}

// getMemberAvatar responds with the avatar of a member.
func (s *Server) getMemberAvatar(thumb bool) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		member, err := memberID(r.PathValue("member_id"))
		if err != nil {
			return err
		}
		return s.sendAvatar(w, r, v, thumb, func(tx *store.Tx, key string) ([]byte, error) {
			return s.Social.MemberAvatar(tx, v, member, key, thumb)
		})
	}
}

// getCommunityAvatar responds with the avatar of a community.
func (s *Server) getCommunityAvatar(thumb bool) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
		return s.sendAvatar(w, r, v, thumb, func(tx *store.Tx, key string) ([]byte, error) {
			return s.Social.CommunityAvatar(tx, v, r.PathValue("id"), key, thumb)
		})
	}
}

// sendAvatar responds with the picture that load returns for the key in the path. The URL
// changes with the picture, so that clients may cache it.
func (s *Server) sendAvatar(w http.ResponseWriter, r *http.Request, v svc.Viewer, thumb bool, load func(tx *store.Tx, key string) ([]byte, error)) error {
	// The slot is held until the picture is sent, because it is in memory until then.
	release, err := s.avatarSends.Acquire(r.Context(), v.String())
	if err != nil {
		return err
	}
	defer release()
	tag, picture := r.PathValue("key"), []byte(nil)
	if err := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		picture, err = load(tx, tag)
		return err
	}); err != nil {
		return err
	}
	if thumb {
		tag += "-thumb"
	}
	writePicture(w, r, tag, picture)
	return nil
}

// writePicture responds with a picture that only the member can see. tag is the content
// of its ETag.
func writePicture(w http.ResponseWriter, r *http.Request, tag string, picture []byte) {
	h := w.Header()
	h.Set("ETag", `"`+tag+`"`)
	h.Set("Cache-Control", "private, max-age=86400")
	httpd.SetPrivate(h)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Type", raster.Type(picture))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(picture))
}
