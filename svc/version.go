package svc

// Version identifies the state of an object for one reader. It differs whenever the
// reader would see a different object.
type Version struct {
	ID      string `db:"id"`
	Version string `db:"version"`
}
