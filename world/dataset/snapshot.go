package dataset

// snapshot is a cache entry: the results of all parts and the layout of one
// dataset. It is immutable once it is cached. The next snapshot shares the results
// that have not changed.
type snapshot struct {
	revision int64 // revision of the member
	results  results
	field    *fieldResult   // the field of the latest request, nil if Maps could not be read
	fieldKey string         // identifies the field of that request
	find     *actionsResult // the state of Find, nil if it could not be read
	layout   *layout
	size     int // bytes, approximately
}
