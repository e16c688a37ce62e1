package collection

import (
	"errors"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// Property is a dead property: the server stores it for clients and does not
// interpret it.
type Property struct {
	Name    string `db:"name"`    // last path segment of the resource; only set by MemberProperties
	Space   string `db:"space"`   // namespace
	Local   string `db:"local"`   // local name
	Element string `db:"element"` // the whole property as XML; "" removes it
}

// MaxProperties limits the dead properties of one resource.
const MaxProperties = 100

// ErrTooManyProperties is returned for dead properties that exceed a limit.
var ErrTooManyProperties = errors.New("too many dead properties")

// propertyOwner is the resource that has properties. Exactly one field is set.
type propertyOwner struct {
	home     *svc.MemberID
	calendar *string
	object   *int64
	file     *int64
}

func (o propertyOwner) args() store.Args {
	return store.Args{"member": o.home, "calendar": o.calendar, "object": o.object, "file": o.file}
}

// findOwner returns the resource at a place and its ETag. With isFile, p is the
// path of a file or collection. With forWriting, it returns an error unless v
// may change the resource.
func (s *Service) findOwner(tx *store.Tx, v svc.Viewer, p Place, isFile, forWriting bool) (o propertyOwner, etag string, err error) {
	if isFile {
		f, err := s.file(tx, v, p.path(), false)
		return propertyOwner{file: &f.N}, f.ETag, err
	}
	if p.Calendar == "" {
		return propertyOwner{home: new(v.Member())}, "", nil
	}
	c, err := s.objects.CalendarAt(tx, v.Member(), p.Calendar)
	switch {
	case err != nil:
		return o, "", err
	case forWriting && !c.IsWritable():
		return o, "", object.ErrReadOnly
	case p.Segment == "":
		return propertyOwner{calendar: &c.ID}, "", nil
	}
	r, err := s.objects.ShownAt(tx, c.ID, p.Segment)
	return propertyOwner{object: &r.N}, r.ETag, err
}

// Properties returns the dead properties of the resource at a place.
func (s *Service) Properties(tx *store.Tx, v svc.Viewer, p Place, isFile bool) (list []Property, err error) {
	o, _, err := s.findOwner(tx, v, p, isFile, false)
	if err == nil {
		err = tx.Select(&list, s.q.Properties, o.args())
	}
	return list, err
}

// MemberProperties returns the dead properties of all resources directly in a
// collection.
func (s *Service) MemberProperties(tx *store.Tx, v svc.Viewer, p Place, isFile bool) (list []Property, err error) {
	o, _, err := s.findOwner(tx, v, p, isFile, false)
	switch {
	case err != nil:
		return nil, err
	case o.file != nil:
		err = tx.Select(&list, s.q.PropertiesInCollection, store.Args{"member": v.Member(), "parent": p.path()})
	case o.calendar != nil:
		err = tx.Select(&list, s.q.PropertiesInCalendar, store.Args{"calendar": *o.calendar})
	case o.home != nil:
		err = tx.Select(&list, s.q.PropertiesInHome, store.Args{"member": v.Member()})
	}
	return list, err
}

// SetProperties sets and removes dead properties of the resource at a place.
// maxOctets limits the size of all its properties.
func (s *Service) SetProperties(tx *store.Tx, v svc.Viewer, p Place, isFile bool, set []Property, maxOctets int, precondition Precondition) error {
	o, etag, err := s.findOwner(tx, v, p, isFile, true)
	if err == nil {
		err = precondition(etag)
	}
	if err != nil || len(set) == 0 {
		return err
	}
	if err := s.replaceProperties(tx, o, set); err != nil {
		return err
	}
	if err := s.checkProperties(tx, o, maxOctets); err != nil {
		return err
	}
	switch {
	case o.calendar != nil:
		return s.objects.BumpHome(tx, *o.calendar)
	case o.file != nil && p.Segment == "":
		return s.bumpCollection(tx, v, p.Calendar)
	}
	return nil
}

// replaceProperties sets and removes properties of a resource. If set names a property several
// times, the last value is stored.
func (s *Service) replaceProperties(tx *store.Tx, o propertyOwner, set []Property) error {
	elements, names := make(map[[2]string]string, len(set)), make([][2]string, 0, len(set))
	for _, property := range set {
		name := [2]string{property.Space, property.Local}
		if _, found := elements[name]; !found {
			names = append(names, name)
		}
		elements[name] = property.Element
	}
	var added [][3]string
	for _, name := range names {
		if element := elements[name]; element != "" {
			added = append(added, [3]string{name[0], name[1], element})
		}
	}
	if len(added) > MaxProperties {
		return ErrTooManyProperties
	}
	args := o.args()
	args["list"] = store.JSONArray(names)
	if _, err := tx.Exec(s.q.DeleteProperties, args); err != nil {
		return err
	}
	args["list"] = store.JSONArray(added)
	_, err := tx.Exec(s.q.AddProperties, args)
	return err
}

func (s *Service) checkProperties(tx *store.Tx, o propertyOwner, maxOctets int) error {
	var all []Property
	if err := tx.Select(&all, s.q.Properties, o.args()); err != nil {
		return err
	}
	octets := 0
	for _, property := range all {
		octets += len(property.Element)
	}
	if octets > maxOctets || len(all) > MaxProperties {
		return ErrTooManyProperties
	}
	return nil
}
