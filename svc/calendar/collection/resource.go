package collection

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
)

// Resource is an object resource: a calendar object with its path in a
// collection.
type Resource struct {
	N         int64        `db:"n"`
	Segment   string       `db:"segment"`
	Component string       `db:"component"`
	ETag      string       `db:"etag"`
	Size      int          `db:"size"`
	UpdatedAt store.Millis `db:"updated_at"`
	Data      []byte       `db:"data"` // nil unless requested
}

// Resources returns the object resources of a calendar without data; with
// etagsOnly, only Segment and ETag are set.
func (s *Service) Resources(tx *store.Tx, v svc.Viewer, calendar string, etagsOnly bool) (list []Resource, err error) {
	c, err := s.objects.CalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return nil, err
	}
	args := store.Args{"calendar": c.ID}
	if !etagsOnly {
		err = tx.Select(&list, s.q.Resources, args)
		return list, err
	}
	var lines string
	if err := tx.Get(&lines, s.q.ETags, args); err != nil || lines == "" {
		return nil, err
	}
	list = make([]Resource, 0, strings.Count(lines, "\n")+1)
	for line := range strings.SplitSeq(lines, "\n") {
		end := strings.IndexByte(line[1:], '"') + 2
		list = append(list, Resource{ETag: line[:end], Segment: line[end:]})
	}
	return list, nil
}

// ResourcesByName returns the object resources of a calendar with the given
// segments, in that order. It omits segments without an object.
func (s *Service) ResourcesByName(tx *store.Tx, v svc.Viewer, calendar string, names []string, withData bool) (list []Resource, err error) {
	c, err := s.objects.CalendarAt(tx, v.Member(), calendar)
	if err == nil {
		err = tx.Select(&list, s.q.ResourcesByName, store.Args{"calendar": c.ID, "names": store.JSONArray(names), "with_data": withData})
	}
	return list, err
}

// ResourceID returns the URN of the resource at a place (RFC 5842 §3.1). It is
// unique and stays the same when the resource is moved. With isFile, p is the
// path of a file or collection.
func (s *Service) ResourceID(tx *store.Tx, v svc.Viewer, p Place, isFile bool) (string, error) {
	identity := fmt.Sprint("home ", v.Member())
	if isFile {
		f, err := s.file(tx, v, p.path(), false)
		if err != nil {
			return "", err
		}
		identity = fmt.Sprint("file ", f.N, " ", f.CreatedAt) // a database key can be reused after a deletion
	} else if p.Calendar != "" {
		c, err := s.objects.CalendarAt(tx, v.Member(), p.Calendar)
		if err != nil {
			return "", err
		}
		if identity = c.ID; p.Segment != "" {
			r, err := s.objects.ShownAt(tx, c.ID, p.Segment)
			if err != nil {
				return "", err
			}
			identity = r.ID
		}
	}
	return resourceURN(tx.InstanceKey(), identity), nil
}

// resourceURN returns a UUID of version 8 (RFC 9562 §5.8), which is a hash of an
// identity on this server.
func resourceURN(key []byte, identity string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("resource-id " + identity))
	id := h.Sum(nil)[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// Data returns the data of the resources with these values of N, which are
// valid in the same transaction only.
func (s *Service) Data(tx *store.Tx, keys []int64) ([][]byte, error) { return s.objects.Data(tx, keys) }

// Put stores an object at a segment of a calendar.
func (s *Service) Put(tx *store.Tx, v svc.Viewer, calendar, segment string, p *object.Prepared, precondition Precondition) (etag string, created bool, err error) {
	c, err := s.objects.WritableCalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return "", false, err
	}
	if !c.Accepts(p.Object.Component) {
		return "", false, &UnsupportedComponent{p.Object.Component}
	}
	old, found, err := s.objects.At(tx, c.ID, segment)
	if err != nil {
		return "", false, err
	}
	if err := precondition(old.ETag); err != nil {
		return "", false, err
	}
	if found {
		return p.ETag, false, s.replace(tx, old, p)
	}
	if other, err := s.objects.SegmentOfUID(tx, c.ID, p.Object.UID); err != nil {
		return "", false, err
	} else if other != "" {
		return "", false, &UIDConflict{other}
	}
	_, err = s.objects.Add(tx, c, segment, p)
	return p.ETag, true, err
}

func (s *Service) replace(tx *store.Tx, old object.Row, p *object.Prepared) error {
	if old.UID != p.Object.UID {
		return &UIDConflict{old.Segment}
	}
	if old.IsMirror() {
		before, err := s.objects.Parse(tx, old.Ref)
		if err != nil {
			return err
		}
		if err := mirror.Check(before, p.Object); err != nil {
			return err
		}
	}
	return s.objects.Replace(tx, old.CalendarID, old.N, p)
}

// Delete moves the object at a segment of a calendar to the trash.
func (s *Service) Delete(tx *store.Tx, v svc.Viewer, calendar, segment string, precondition Precondition) error {
	c, err := s.objects.WritableCalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return err
	}
	r, found, err := s.objects.At(tx, c.ID, segment)
	switch {
	case err != nil:
		return err
	case !found:
		return object.ErrNotFound
	}
	if err := precondition(r.ETag); err != nil {
		return err
	}
	if r.IsMirror() {
		return object.ErrMirror
	}
	return s.objects.Remove(tx, r)
}
