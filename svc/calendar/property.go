package calendar

import (
	"errors"

	"appliance/store"
	"appliance/svc"
)

// Property is a property that clients keep and nobody here understands.
type Property struct {
	Name    string `db:"name"` // of what it is of, when those of a collection's members are read
	Space   string `db:"space"`
	Local   string `db:"local"`
	Element string `db:"element"` // all of it, as XML; "" removes it
}

// MaxProperties is how many properties one thing may have.
const MaxProperties = 100

// ErrProperties is returned for more properties than one thing may have.
var ErrProperties = errors.New("it may not have that many properties")

// owner says what properties are of: one of the four.
type owner struct {
	member   *svc.MemberID // of the home of
	calendar *string
	object   *int64
	file     *int64
}

func (o owner) args() store.Args {
	return store.Args{"member": o.member, "calendar": o.calendar, "object": o.object, "file": o.file}
}

// owner finds the thing at a place: the home, a calendar, an entry, or with
// file what is at that path. write asks that v may change it.
func (s *Service) owner(tx *store.Tx, v svc.Viewer, p Place, file, write bool) (o owner, etag string, err error) {
	if file {
		f, err := s.file(tx, v.Member(), p.path(), false)
		return owner{file: &f.N}, f.ETag, err
	}
	if p.Calendar == "" {
		return owner{member: new(v.Member())}, "", nil
	}
	c, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": p.Calendar})
	switch {
	case err != nil:
		return o, "", err
	case write && !c.writable():
		return o, "", errReadOnly
	case p.Segment == "":
		return owner{calendar: &c.ID}, "", nil
	}
	row, found, err := s.at(tx, c.ID, p.Segment)
	if err == nil && (!found || row.Hidden) {
		err = errNoObject
	}
	return owner{object: &row.N}, row.ETag, err
}

// Properties returns the properties of what is at a place.
func (s *Service) Properties(tx *store.Tx, v svc.Viewer, p Place, file bool) (list []Property, err error) {
	o, _, err := s.owner(tx, v, p, file, false)
	if err == nil {
		err = tx.Select(&list, s.q.Properties, o.args())
	}
	return list, err
}

// PropertiesIn returns the properties of all that is right in a collection.
func (s *Service) PropertiesIn(tx *store.Tx, v svc.Viewer, p Place, file bool) (list []Property, err error) {
	o, _, err := s.owner(tx, v, p, file, false)
	switch {
	case err != nil:
		return nil, err
	case o.file != nil:
		err = tx.Select(&list, s.q.PropertiesInFolder, store.Args{"member": v.Member(), "around": p.path()})
	case o.calendar != nil:
		err = tx.Select(&list, s.q.PropertiesInCalendar, store.Args{"calendar": *o.calendar})
	case o.member != nil:
		err = tx.Select(&list, s.q.PropertiesInHome, store.Args{"member": v.Member()})
	}
	return list, err
}

// SetProperties sets and removes properties of what is at a place. ok is asked
// about its ETag, "" for what has none. octets bounds all of them together.
func (s *Service) SetProperties(tx *store.Tx, v svc.Viewer, p Place, file bool, set []Property, octets int, ok func(etag string) error) error {
	o, etag, err := s.owner(tx, v, p, file, true)
	if err == nil {
		err = ok(etag)
	}
	if err != nil || len(set) == 0 {
		return err
	}
	for _, one := range set {
		args := o.args()
		args["space"], args["local"] = one.Space, one.Local
		if _, err := tx.Exec(s.q.DeleteProperty, args); err != nil {
			return err
		}
		if one.Element == "" {
			continue
		}
		args["element"] = one.Element
		if _, err := tx.Exec(s.q.AddProperty, args); err != nil {
			return err
		}
	}
	var all []Property
	if err := tx.Select(&all, s.q.Properties, o.args()); err != nil {
		return err
	}
	for _, one := range all {
		octets -= len(one.Element)
	}
	if octets < 0 || len(all) > MaxProperties {
		return ErrProperties
	}
	switch {
	case o.calendar != nil:
		return s.stampCalendar(tx, *o.calendar)
	case o.file != nil && p.Segment == "":
		return s.stampFolder(tx, v, p.Calendar)
	}
	return nil
}
