package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"appliance/store"
	"appliance/svc"
)

// What a member may keep beside calendars.
const (
	MaxFiles     = 10_000   // files and plain collections
	MaxFileBytes = 64 << 20 // octets of all files
	maxFilePath  = 2048     // characters of a path below the home
)

// File is a file or a plain collection in a member's calendar home.
type File struct {
	N          int64        `db:"n"`
	Path       string       `db:"path"` // below the home, without slashes around it
	Collection bool         `db:"collection"`
	MediaType  string       `db:"media_type"`
	ETag       string       `db:"etag"` // "" of a collection
	Size       int64        `db:"size"`
	CreatedAt  store.Millis `db:"created_at"`
	UpdatedAt  store.Millis `db:"updated_at"`
	Data       []byte       `db:"data"` // nil if it was not asked for
}

// usage is how much of something there is.
type usage struct {
	Files   int   `db:"files"`
	Size    int64 `db:"size"`
	Longest int   `db:"longest"`
}

var (
	// ErrNoCollection is returned for a place that is in no collection.
	ErrNoCollection = errors.New("there is no collection around it")

	errNoFile     = svc.Errorf(svc.NotFound, "There is no such file.")
	errFilesFull  = svc.Errorf(svc.QuotaExceeded, "There is no more room for files. Delete some that you do not need.")
	errLongPath   = svc.Errorf(svc.InvalidParameter, "What is in it would have too long a path there.")
	errCollection = svc.Errorf(svc.MethodNotAllowed, "This is a collection.")
)

// around is the path of the collection that a path is in, "" for the home.
func around(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// File returns what is at a path in v's home.
func (s *Service) File(tx *store.Tx, v svc.Viewer, path string, data bool) (File, error) {
	return s.file(tx, v.Member(), path, data)
}

func (s *Service) file(tx *store.Tx, member svc.MemberID, path string, data bool) (f File, err error) {
	err = tx.Get(&f, s.q.File, store.Args{"member": member, "path": path, "data": data})
	if store.IsNoRows(err) {
		err = errNoFile
	}
	return f, err
}

// Files returns what is right in the plain collection of that path; "" is the
// home.
func (s *Service) Files(tx *store.Tx, v svc.Viewer, path string) (list []File, err error) {
	err = tx.Select(&list, s.q.Files, store.Args{"member": v.Member(), "around": path})
	return list, err
}

// FileBytes returns how many octets v's files have.
func (s *Service) FileBytes(tx *store.Tx, v svc.Viewer) (int64, error) {
	u, err := s.usage(tx, v.Member())
	return u.Size, err
}

func (s *Service) usage(tx *store.Tx, member svc.MemberID) (u usage, err error) {
	err = tx.Get(&u, s.q.FileUsage, store.Args{"member": member})
	return u, err
}

// roomForFiles makes sure that v may keep so much more.
func (s *Service) roomForFiles(tx *store.Tx, v svc.Viewer, files int, size int64) error {
	u, err := s.usage(tx, v.Member())
	if err == nil && (u.Files+files > MaxFiles || u.Size+size > MaxFileBytes) {
		err = errFilesFull
	}
	return err
}

// PutFile stores a file. ok is asked about the ETag of what stands there, ""
// for nothing.
func (s *Service) PutFile(tx *store.Tx, v svc.Viewer, path, mediaType string, data []byte, ok func(etag string) error) (etag string, created bool, err error) {
	old, err := s.file(tx, v.Member(), path, false)
	created = svc.KindOf(err) == svc.Missing
	if err != nil && !created {
		return "", false, err
	}
	if err := ok(old.ETag); err != nil {
		return "", false, err
	}
	if old.Collection {
		return "", false, errCollection
	}
	if err := s.roomForFiles(tx, v, 1, int64(len(data))-old.Size); err != nil {
		return "", false, err
	}
	sum := sha256.Sum256(data)
	f := File{N: old.N, Path: path, MediaType: mediaType, ETag: `"` + hex.EncodeToString(sum[:16]) + `"`, Size: int64(len(data))}
	if created {
		f.N, err = s.addFile(tx, v, f)
	} else {
		_, err = tx.Exec(s.q.UpdateFile, store.Args{
			"n": f.N, "media_type": f.MediaType, "etag": f.ETag, "size": f.Size, "now": store.MillisOf(tx.Now()),
		})
	}
	if err != nil {
		return "", false, err
	}
	if _, err := tx.Exec(s.q.PutFileData, store.Args{"n": f.N, "data": data}); err != nil {
		return "", false, err
	}
	return f.ETag, created, s.stampFolder(tx, v, path)
}

// addFile stores the row of a file or collection at a path that is free, in a
// collection that must be there.
func (s *Service) addFile(tx *store.Tx, v svc.Viewer, f File) (n int64, err error) {
	if err := s.checkAround(tx, v, f.Path); err != nil {
		return 0, err
	}
	err = tx.Get(&n, s.q.AddFile, store.Args{
		"member": v.Member(), "path": f.Path, "around": around(f.Path), "collection": f.Collection, "media_type": f.MediaType,
		"etag": f.ETag, "size": f.Size, "stamp": 0, "now": store.MillisOf(tx.Now()),
	})
	return n, err
}

// checkAround makes sure that a path is in a collection.
func (s *Service) checkAround(tx *store.Tx, v svc.Viewer, path string) error {
	if around(path) == "" {
		return nil
	}
	f, err := s.file(tx, v.Member(), around(path), false)
	if svc.KindOf(err) == svc.Missing || err == nil && !f.Collection {
		return ErrNoCollection
	}
	return err
}

// MakeFolder makes a plain collection.
func (s *Service) MakeFolder(tx *store.Tx, v svc.Viewer, path string) error {
	if around(path) == "" {
		if _, err := s.arrive(tx, v.Member(), path); err != nil {
			return err
		}
	} else if _, err := s.file(tx, v.Member(), path, false); svc.KindOf(err) != svc.Missing {
		return orOccupied(err)
	}
	if err := s.roomForFiles(tx, v, 1, 0); err != nil {
		return err
	}
	if _, err := s.addFile(tx, v, File{Path: path, Collection: true}); err != nil {
		return err
	}
	return s.stampFolder(tx, v, path)
}

// RemoveFile deletes a file, or a collection and what is below it. ok is asked
// only if there is something.
func (s *Service) RemoveFile(tx *store.Tx, v svc.Viewer, path string, ok func(etag string) error) error {
	f, err := s.file(tx, v.Member(), path, false)
	if err != nil {
		return err
	}
	if err := ok(f.ETag); err != nil {
		return err
	}
	return s.removeFiles(tx, v, path)
}

func (s *Service) removeFiles(tx *store.Tx, v svc.Viewer, path string) error {
	if _, err := tx.Exec(s.q.DeleteFiles, store.Args{"member": v.Member(), "path": path}); err != nil {
		return err
	}
	if around(path) != "" {
		return s.stampFolder(tx, v, path)
	}
	stamp, err := s.nextStamp(tx)
	if err == nil {
		_, err = tx.Exec(s.q.BuryFolder, store.Args{"member": v.Member(), "segment": path, "stamp": stamp})
	}
	return err
}

// CopyFile copies a file or a collection to another place, or moves it there,
// with what is below it unless it is to be shallow. ok is asked about its
// ETag.
func (s *Service) CopyFile(tx *store.Tx, v svc.Viewer, from, to string, move, replace, shallow bool, ok func(etag string) error) (created bool, err error) {
	f, err := s.file(tx, v.Member(), from, false)
	if err == nil {
		err = ok(f.ETag)
	}
	if err == nil {
		err = s.checkAround(tx, v, to)
	}
	if err != nil {
		return false, err
	}
	_, err = s.file(tx, v.Member(), to, false)
	created = svc.KindOf(err) == svc.Missing
	switch {
	case err != nil && !created:
		return false, err
	case !created && !replace:
		return false, errOccupiedEntry
	case !created:
		if err := s.removeFiles(tx, v, to); err != nil {
			return false, err
		}
	}
	if around(to) == "" {
		if _, err := s.arrive(tx, v.Member(), to); err != nil {
			return false, err
		}
	}
	var tree usage
	if err := tx.Get(&tree, s.q.TreeUsage, store.Args{"member": v.Member(), "path": from}); err != nil {
		return false, err
	}
	if tree.Longest-len(from)+len(to) > maxFilePath {
		return false, errLongPath
	}
	if move {
		err = s.moveFiles(tx, v, from, to)
	} else if err = s.roomForFiles(tx, v, tree.Files, tree.Size); err == nil {
		err = s.copyFiles(tx, v, from, to, shallow)
	}
	if err != nil {
		return false, err
	}
	return created, s.stampFolder(tx, v, to)
}

func (s *Service) moveFiles(tx *store.Tx, v svc.Viewer, from, to string) error {
	if _, err := tx.Exec(s.q.MoveFiles, store.Args{
		"member": v.Member(), "from": from, "to": to, "around": around(to), "stamp": 0,
	}); err != nil {
		return err
	}
	return s.removeFiles(tx, v, from) // nothing is there: it is for whoever asks what changed
}

func (s *Service) copyFiles(tx *store.Tx, v svc.Viewer, from, to string, shallow bool) error {
	if _, err := tx.Exec(s.q.CopyFiles, store.Args{
		"member": v.Member(), "from": from, "to": to, "around": around(to), "shallow": shallow, "stamp": 0, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	args := store.Args{"member": v.Member(), "from": from, "to": to}
	if _, err := tx.Exec(s.q.CopyFileData, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.CopyFileProperties, args)
	return err
}

// stampFolder notes that something has changed in the collection in the home
// that a path is in, or is.
func (s *Service) stampFolder(tx *store.Tx, v svc.Viewer, path string) error {
	stamp, err := s.nextStamp(tx)
	if err != nil {
		return err
	}
	top, _, _ := strings.Cut(path, "/")
	_, err = tx.Exec(s.q.StampFile, store.Args{"member": v.Member(), "path": top, "stamp": stamp})
	return err
}
