package store

import "syscall"

// unreliableFileSystems contains the names of file systems whose locks or memory maps do not
// work with SQLite, by magic number (statfs(2)).
var unreliableFileSystems = map[int64]string{
	0x6969: "NFS", 0xff534d42: "CIFS", 0xfe534d42: "SMB2", 0x517b: "SMB", 0x65735546: "FUSE", 0x01021997: "9P",
	0x5346414f: "AFS", 0x00c36400: "Ceph", 0x0bd00bd0: "Lustre", 0x61756673: "aufs",
}

// FileSystem returns the free bytes of the file system of dir, and its name if
// SQLite is unreliable on it, otherwise "".
func FileSystem(dir string) (kind string, free uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return "", 0, err
	}
	return unreliableFileSystems[int64(s.Type)&0xffffffff], s.Bavail * uint64(s.Bsize), nil
}
