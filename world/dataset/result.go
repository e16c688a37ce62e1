package dataset

import (
	"time"

	"appliance/svc"
	"appliance/world/action"
)

// result is the contribution of a part. Parts with more to contribute have a type that
// embeds it. A result is immutable once it is built.
type result struct {
	revision  int64     // revision of the topics
	expires   time.Time // when the result changes without a write; zero for never
	objects   []*object
	versions  map[version]*object // objects that the next result can reuse
	contexts  []*encodedContext
	actions   []records // actions on no object
	fallbacks []Fallback
	size      int // bytes, approximately
}

// noResult is the previous result of a part that has none.
var noResult result

// actionsResult is the result of a part whose actions are in a context that another part
// or the composition adds.
type actionsResult struct {
	result
	actionIDs svc.List[string]
}

// itemsResult is the result of a part with items of a context that another part adds.
type itemsResult struct {
	result
	items []ContextItem
}

// common returns the fields that the results of all parts have.
func (r *result) common() *result { return r }

// expire sets expires to t, unless expires is earlier.
func (r *result) expire(t time.Time) {
	if !t.IsZero() && (r.expires.IsZero() || t.Before(r.expires)) {
		r.expires = t
	}
}

// expired reports whether the result has expired at now.
func (r *result) expired(now time.Time) bool { return !r.expires.IsZero() && !now.Before(r.expires) }

func (r *result) addContext(entry Context) error {
	encoded, err := encodeContext(entry)
	if err != nil {
		return err
	}
	r.contexts = append(r.contexts, encoded)
	return nil
}

// addActions adds actions that have no object as their target.
func (r *result) addActions(actions ...action.Action) error {
	encoded, err := encodeActions(actions)
	if err != nil {
		return err
	}
	r.actions = append(r.actions, encoded)
	return nil
}

// measure sets r.size to the estimated memory of the result, in bytes.
func (r *result) measure() {
	r.size = 500
	for _, o := range r.objects {
		r.size += o.size()
	}
	for _, c := range r.contexts {
		r.size += c.size()
	}
	for _, list := range r.actions {
		r.size += list.size()
	}
}

// measure sets r.size to the estimated memory of the result, in bytes.
func (r *itemsResult) measure() {
	r.result.measure()
	r.size += 200 * len(r.items)
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
func addObjects[T any](
	b *builder, r *result, list []svc.Version, common string, load func(ids []string) ([]T, error), id func(T) string, encode func(T) (*object, error),
) (truncated bool, err error) {
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
