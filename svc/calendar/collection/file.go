package collection

import (
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// Limits of the files and plain collections of a member.
const (
	MaxFiles     = 10_000
	MaxFileBytes = 64 << 20 // of all files
	maxPath      = 2048     // characters of a path below the home
)

// Limits of one write (B-130).
const (
	maxTreeRows   = 2000    // of the copied, moved, replaced or deleted files
	maxTreeOctets = 8 << 20 // of the copied files
)

// File is a file or a plain collection in a calendar home.
type File struct {
	N          int64        `db:"n"`
	Path       string       `db:"path"` // below the home, without leading and trailing slash
	Collection bool         `db:"collection"`
	MediaType  string       `db:"media_type"`
	ETag       string       `db:"etag"` // "" for a collection
	Size       int64        `db:"size"`
	CreatedAt  store.Millis `db:"created_at"`
	UpdatedAt  store.Millis `db:"updated_at"`
	Data       []byte       `db:"data"` // nil unless requested
}

// usage is the storage that files use.
type usage struct {
	Files       int   `db:"files"`
	Size        int64 `db:"size"`
	LongestPath int   `db:"longest_path"`
	Properties  int   `db:"properties"` // dead properties of the files; only of a tree
}

// rows returns the number of rows that a copy of the files adds or a deletion of
// them removes.
func (u usage) rows() int { return 3*u.Files + u.Properties }

var (
	errNoFile       = svc.Errorf(svc.NotFound, "This file does not exist, or it was deleted.")
	errFilesFull    = svc.Errorf(svc.QuotaExceeded, "You cannot have more than %d files, or more than %d MB of them. Delete files that you do not need.", MaxFiles, MaxFileBytes>>20)
	errTreeTooLarge = svc.Errorf(svc.QuotaExceeded, "This folder, or the one at the destination, is too large for one request. Copy, move or delete its contents one by one.")
	errPathTooLong  = svc.Errorf(svc.InvalidParameter, "The paths of the files would be too long there. Choose a shorter path.")
	errIsCollection = svc.Errorf(svc.MethodNotAllowed, "This is a collection. Choose another name for the file.")
)

// parent returns the path of the collection that contains a path, "" for the
// home.
func parent(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// File returns the file or collection at a path of the calendar home.
func (s *Service) File(tx *store.Tx, v svc.Viewer, path string, withData bool) (File, error) {
	return s.file(tx, v, path, withData)
}

func (s *Service) file(tx *store.Tx, v svc.Viewer, path string, withData bool) (f File, err error) {
	err = tx.Get(&f, s.q.File, store.Args{"member": v.Member(), "path": path, "with_data": withData})
	if store.IsNoRows(err) {
		err = errNoFile
	}
	return f, err
}

// Files returns the files and collections directly in a plain collection, or in
// the home if path is empty.
func (s *Service) Files(tx *store.Tx, v svc.Viewer, path string) (list []File, err error) {
	err = tx.Select(&list, s.q.Files, store.Args{"member": v.Member(), "parent": path})
	return list, err
}

// StorageUsage returns the number of bytes that v uses (RFC 4331 §4), and the
// number of bytes by which the files of v may grow (RFC 4331 §3).
func (s *Service) StorageUsage(tx *store.Tx, v svc.Viewer) (used, available int64, err error) {
	files, err := s.usage(tx, v)
	if err != nil {
		return 0, 0, err
	}
	all, err := s.storage.Usage(tx, v.Member())
	available = MaxFileBytes - files.Size
	if all.Limit > 0 {
		available = min(available, all.Limit-all.Used)
	}
	return all.Used, max(available, 0), err
}

func (s *Service) usage(tx *store.Tx, v svc.Viewer) (u usage, err error) {
	err = tx.Get(&u, s.q.FileUsage, store.Args{"member": v.Member()})
	return u, err
}

// checkFileQuota returns an error unless v may store this number of additional
// files and octets.
func (s *Service) checkFileQuota(tx *store.Tx, v svc.Viewer, files int, size int64) error {
	u, err := s.usage(tx, v)
	if err == nil && (u.Files+files > MaxFiles || u.Size+size > MaxFileBytes) {
		err = errFilesFull
	}
	if err != nil {
		return err
	}
	return s.storage.Check(tx, v.Member(), size)
}

// PutFile stores a file.
func (s *Service) PutFile(tx *store.Tx, v svc.Viewer, path, mediaType string, data []byte, precondition Precondition) (etag string, created bool, err error) {
	old, err := s.file(tx, v, path, false)
	created = svc.KindOf(err) == svc.Missing
	if err != nil && !created {
		return "", false, err
	}
	if err := precondition(old.ETag); err != nil {
		return "", false, err
	}
	if old.Collection {
		return "", false, errIsCollection
	}
	if err := s.checkFileQuota(tx, v, 1, int64(len(data))-old.Size); err != nil {
		return "", false, err
	}
	f := File{N: old.N, Path: path, MediaType: mediaType, ETag: object.ETag(data), Size: int64(len(data))}
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
	return f.ETag, created, s.bumpCollection(tx, v, path)
}

// addFile adds the row of a file or collection at a free path.
func (s *Service) addFile(tx *store.Tx, v svc.Viewer, f File) (n int64, err error) {
	if err := s.checkParent(tx, v, f.Path); err != nil {
		return 0, err
	}
	err = tx.Get(&n, s.q.AddFile, store.Args{
		"member": v.Member(), "path": f.Path, "parent": parent(f.Path), "collection": f.Collection, "media_type": f.MediaType,
		"etag": f.ETag, "size": f.Size, "now": store.MillisOf(tx.Now()),
	})
	return n, err
}

// checkParent returns ErrNoCollection unless a path is in a collection.
func (s *Service) checkParent(tx *store.Tx, v svc.Viewer, path string) error {
	if parent(path) == "" {
		return nil
	}
	f, err := s.file(tx, v, parent(path), false)
	if svc.KindOf(err) == svc.Missing || err == nil && !f.Collection {
		return ErrNoCollection
	}
	return err
}

// MakeCollection creates a plain collection.
func (s *Service) MakeCollection(tx *store.Tx, v svc.Viewer, path string) error {
	if parent(path) == "" {
		if err := s.objects.ClaimSegment(tx, v.Member(), path); err != nil {
			return err
		}
	} else if _, err := s.file(tx, v, path, false); err == nil {
		return object.ErrTaken
	} else if svc.KindOf(err) != svc.Missing {
		return err
	}
	if err := s.checkFileQuota(tx, v, 1, 0); err != nil {
		return err
	}
	if _, err := s.addFile(tx, v, File{Path: path, Collection: true}); err != nil {
		return err
	}
	return s.bumpCollection(tx, v, path)
}

// DeleteFile deletes a file, or a collection and everything below it. One write
// deletes a limited number of files, the deepest ones first. If more is true, the
// caller must call DeleteFile again.
func (s *Service) DeleteFile(tx *store.Tx, v svc.Viewer, path string, precondition Precondition) (more bool, err error) {
	f, err := s.file(tx, v, path, false)
	if err != nil {
		return false, err
	}
	if err := precondition(f.ETag); err != nil {
		return false, err
	}
	return s.deleteFiles(tx, v, path)
}

func (s *Service) deleteFiles(tx *store.Tx, v svc.Viewer, path string) (more bool, err error) {
	var files []struct {
		N      int64 `db:"n"`
		Weight int   `db:"weight"`
	}
	err = tx.Select(&files, s.q.FilesToDelete, store.Args{"member": v.Member(), "path": path, "limit": maxTreeRows/3 + 1})
	if err != nil {
		return false, err
	}
	var keys []int64
	rows := 0
	for _, f := range files {
		if rows += f.Weight; len(keys) > 0 && rows > maxTreeRows {
			more = true
			break
		}
		keys = append(keys, f.N)
	}
	if _, err := tx.Exec(s.q.DeleteFiles, store.Args{"list": store.JSONArray(keys)}); err != nil {
		return false, err
	}
	if more {
		return true, s.bumpCollection(tx, v, path)
	}
	return false, s.recordRemoval(tx, v, path)
}

// recordRemoval adds a home tombstone for a top-level path. For a path in a
// collection, it increments the home seq of the top-level collection.
func (s *Service) recordRemoval(tx *store.Tx, v svc.Viewer, path string) error {
	if parent(path) != "" {
		return s.bumpCollection(tx, v, path)
	}
	return s.objects.AddHomeTombstone(tx, v.Member(), path)
}

// bumpCollection increments the home seq of the top-level file or collection of
// a path.
func (s *Service) bumpCollection(tx *store.Tx, v svc.Viewer, path string) error {
	homeSeq, err := s.objects.NextHomeSeq(tx)
	if err != nil {
		return err
	}
	top, _, _ := strings.Cut(path, "/")
	_, err = tx.Exec(s.q.SetFileHomeSeq, store.Args{"member": v.Member(), "path": top, "home_seq": homeSeq})
	return err
}
