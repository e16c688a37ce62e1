package svc

// Version identifies one state of an object. If an object shows anything else to a
// reader, it has another version for that reader.
type Version struct {
	ID      string `db:"id"`
	Version string `db:"version"`
}
