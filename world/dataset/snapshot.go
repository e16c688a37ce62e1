package dataset

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/social"
	"appliance/world/action"
)

// snapshot is a cache entry: the results of all parts and the layout of one
// dataset. It is immutable once it is cached. The next snapshot shares the results
// that have not changed.
type snapshot struct {
	revision int64 // revision of the member
	parts    map[string]*result
	field    *result // the field of the latest request, nil if Maps could not be read
	fieldKey string  // identifies the field of that request
	find     *result // the state of Find, nil if it could not be read
	layout   *layout
	size     int // bytes, approximately
}

// measure sets s.size to the estimated memory of the snapshot, in bytes.
func (s *snapshot) measure() {
	s.size = s.layout.size
	for _, r := range s.parts {
		s.size += r.size
	}
	for _, r := range []*result{s.field, s.find} {
		if r != nil {
			s.size += r.size
		}
	}
}

// part is one part of a dataset. Its result is valid as long as its topics have the
// same revision for the member, the results of its inputs are the same, and it has
// not expired.
type part struct {
	name   string
	topics []store.Topic
	inputs []string // earlier parts of the same service
	build  func(*builder) (result, error)

	sections []string // sections of the dataset that a change of the part can change
}

// The sections that a change of a part can change. An object can be in the workspace,
// and every part has actions and items of a context.
var (
	actionSections    = []string{"contexts", "actions"}
	objectSections    = []string{"workspace", "objects", "contexts", "actions"}
	workspaceSections = []string{"workspace", "objects", "contexts", "actions", "findings"}
)

// builder contains what a part needs to build its result: the services and other
// results.
type builder struct {
	*environment
	previous *result              // the previous result of the part; may be empty
	input    func(string) *result // returns the result of an input
}

// environment contains the values that all parts of one composition share.
type environment struct {
	tx            *store.Tx
	viewer        svc.Viewer
	location      *time.Location  // the member's time zone
	reader        provider.Reader // the member as objects of providers list them
	revisions     store.Revisions
	actionBuilder action.Builder
	services      Services
	social        *social.DatasetReader
}

// result is the contribution of a part. It is immutable once it is built.
type result struct {
	revision   int64     // revision of the topics
	expires    time.Time // when the result changes without a write; zero for never
	objects    []*object
	versions   map[version]*object // objects that the next result can reuse
	contexts   []*encodedContext
	actions    []records        // actions on no object
	items      []ContextItem    // items of a context that another part builds
	actionIDs  svc.List[string] // action_ids of that context
	findings   records
	workspace  *workspaceItems       // only of the part of the workspace; else nil
	places     svc.List[FieldObject] // only of the field, like the next two
	noPlaces   Reason                // why there are no places
	loading    bool                  // the data of the world is not complete yet
	providers  []providerState       // only of the part of providers
	fallbacks  []Fallback
	incomplete bool // whether the workspace has defaults that are not stored yet
	size       int  // bytes, approximately
}

// expire sets expires to t, unless expires is earlier.
func (r *result) expire(t time.Time) {
	if !t.IsZero() && (r.expires.IsZero() || t.Before(r.expires)) {
		r.expires = t
	}
}

// expired reports whether the result has expired at now.
func (r *result) expired(now time.Time) bool { return !r.expires.IsZero() && !now.Before(r.expires) }

// addContext adds a context.
func (r *result) addContext(entry Context) error {
	encoded, err := encodeContext(entry)
	r.contexts = append(r.contexts, encoded)
	return err
}

// addActions adds actions that have no object as their target.
func (r *result) addActions(actions ...action.Action) error {
	encoded, err := encodeActions(actions)
	r.actions = append(r.actions, encoded)
	return err
}

// measure sets r.size to the estimated memory of the result, in bytes.
func (r *result) measure() {
	r.size = 500 + 200*len(r.items) + 700*len(r.places)
	for _, o := range r.objects {
		r.size += o.size()
	}
	for _, c := range r.contexts {
		r.size += c.size()
	}
	for _, list := range append(r.actions[:len(r.actions):len(r.actions)], r.findings) {
		r.size += list.size()
	}
	if r.workspace != nil {
		r.size += 300 * len(r.workspace.list)
	}
}

// maxEncoded limits the objects of one part, in bytes, because a dataset is composed
// in memory and members can write long texts.
const maxEncoded = 16 << 20

// version identifies one state of an object.
type version struct {
	svc.Version
	common string // version of the data that all objects of the list depend on
}

// addObjects adds the objects of a list of versions, up to maxEncoded bytes. It
// reuses the objects of the previous result that have the same version; load loads
// the others and encode encodes them. An object that load does not return is
// omitted.
func addObjects[T any](b *builder, r *result, list []svc.Version, common string, load func(ids []string) ([]T, error), id func(T) string, encode func(T) (*object, error)) (truncated bool, err error) {
	var missing []string
	for _, v := range list {
		if b.previous.versions[version{v, common}] == nil {
			missing = append(missing, v.ID)
		}
	}
	loaded := make(map[string]*object, len(missing))
	if len(missing) > 0 {
		records, err := load(missing)
		if err != nil {
			return false, err
		}
		for _, record := range records {
			if loaded[id(record)], err = encode(record); err != nil {
				return false, err
			}
		}
	}
	r.versions = make(map[version]*object, len(list))
	size := 0
	for _, v := range list {
		key := version{v, common}
		o := b.previous.versions[key]
		if o == nil {
			o = loaded[v.ID]
		}
		if o == nil {
			continue
		}
		if size += o.size(); size > maxEncoded {
			return true, nil
		}
		r.versions[key] = o
		r.objects = append(r.objects, o)
	}
	return false, nil
}
