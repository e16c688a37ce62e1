package collection

import (
	"appliance/store"
	"appliance/svc"
)

// CopyFile copies or moves a file, or a collection and everything below it.
func (s *Service) CopyFile(tx *store.Tx, v svc.Viewer, from, to string, in CopyRequest, precondition Precondition) (created bool, err error) {
	f, err := s.file(tx, v, from, false)
	if err == nil {
		err = precondition(f.ETag)
	}
	if err == nil {
		err = s.checkParent(tx, v, to)
	}
	if err != nil {
		return false, err
	}
	_, err = s.file(tx, v, to, false)
	created = svc.KindOf(err) == svc.Missing
	if err != nil && !created {
		return false, err
	}
	if !created && !in.Overwrite {
		return false, errOverwrite
	}
	tree, err := s.checkTree(tx, v, from, to, in)
	if err != nil {
		return false, err
	}
	if !created {
		if _, err := s.deleteFiles(tx, v, to); err != nil {
			return false, err
		}
	}
	if parent(to) == "" {
		if err := s.objects.ClaimSegment(tx, v.Member(), to); err != nil {
			return false, err
		}
	}
	if in.Move {
		err = s.moveFiles(tx, v, from, to)
	} else if err = s.checkFileQuota(tx, v, tree.Files, tree.Size); err == nil {
		err = s.copyFiles(tx, v, from, to, in.Shallow)
	}
	if err != nil {
		return false, err
	}
	return created, s.bumpCollection(tx, v, to)
}

// checkTree returns the size of the files to copy or move. It returns an error if a new path would
// be too long, or if the copied or moved files and the replaced ones have too many rows for one
// write.
func (s *Service) checkTree(tx *store.Tx, v svc.Viewer, from, to string, in CopyRequest) (tree usage, err error) {
	if err := tx.Get(&tree, s.q.TreeUsage, store.Args{"member": v.Member(), "path": from}); err != nil {
		return tree, err
	}
	var replaced usage
	if err := tx.Get(&replaced, s.q.TreeUsage, store.Args{"member": v.Member(), "path": to}); err != nil {
		return tree, err
	}
	rows := tree.rows()
	switch {
	case in.Move:
		rows = tree.Files
	case in.Shallow:
		rows = 0
	}
	switch {
	case rows+replaced.rows() > maxTreeRows, !in.Move && !in.Shallow && tree.Size > maxTreeOctets:
		return tree, errTreeTooLarge
	case tree.LongestPath-len(from)+len(to) > maxPath:
		return tree, errPathTooLong
	}
	return tree, nil
}

func (s *Service) moveFiles(tx *store.Tx, v svc.Viewer, from, to string) error {
	if _, err := tx.Exec(s.q.MoveFiles, store.Args{"member": v.Member(), "from": from, "to": to, "parent": parent(to)}); err != nil {
		return err
	}
	return s.recordRemoval(tx, v, from)
}

func (s *Service) copyFiles(tx *store.Tx, v svc.Viewer, from, to string, shallow bool) error {
	if _, err := tx.Exec(s.q.CopyFiles, store.Args{
		"member": v.Member(), "from": from, "to": to, "parent": parent(to), "shallow": shallow, "now": store.MillisOf(tx.Now()),
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
