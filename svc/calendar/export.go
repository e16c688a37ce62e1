package calendar

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// ExportedObject is a calendar object as it is stored.
type ExportedObject struct {
	Name string `json:"name"`
	Data string `json:"data"` // iCalendar
}

// ExportedTrash is a deleted object or calendar. A calendar appears without
// data, and once more for each of its objects.
type ExportedTrash struct {
	Trashed TrashEntry `json:"trashed"`
	ExportedObject
	Properties json.RawMessage `json:"properties"` // dead properties of an object that was deleted alone, without paths
}

// ExportedFile is a file or a plain collection.
type ExportedFile struct {
	Path       string    `json:"path"` // below the calendar home
	Collection bool      `json:"collection"`
	MediaType  string    `json:"media_type"`
	UpdatedAt  time.Time `json:"updated_at"`
	Base64     string    `json:"data_base64"`
}

// ExportedProperty is a dead property.
type ExportedProperty struct {
	Path      string `json:"path" db:"path"` // of the resource, below the calendar home
	Namespace string `json:"namespace" db:"space"`
	Name      string `json:"name" db:"local"`
	Element   string `json:"element" db:"element"` // XML
}

// Export calls calendar with each calendar of a member and then object with
// each of its objects. Like the other exports, it keeps at most one batch of
// objects in memory.
func (s *Service) Export(tx *store.Tx, member svc.MemberID, calendar func(Calendar) error, object func(ExportedObject) error) error {
	calendars, err := s.calendarsOf(tx, member)
	if err != nil {
		return err
	}
	for _, c := range calendars {
		if err := calendar(c); err != nil {
			return err
		}
		if err := s.exportObjects(tx, c.ID, object); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) exportObjects(tx *store.Tx, calendarID string, visit func(ExportedObject) error) error {
	var rows []object.Row
	if err := tx.Select(&rows, s.q.ObjectsOf, store.Args{"calendar": calendarID}); err != nil {
		return err
	}
	list := make([]object.Ref, len(rows))
	for i, r := range rows {
		list[i] = r.Ref
	}
	return s.objects.Each(tx, list, func(i int, text []byte) error { return visit(ExportedObject{rows[i].Segment, string(text)}) })
}

// ExportTrash calls visit with each entry in the trash of a member.
func (s *Service) ExportTrash(tx *store.Tx, member svc.MemberID, visit func(ExportedTrash) error) error {
	return exportRows(tx, member, s.q.TrashOf, s.q.TrashRows, func(r trashRow) error {
		t := r.entry()
		if err := visit(ExportedTrash{t, ExportedObject{r.Segment, string(r.Data)}, json.RawMessage(r.Properties)}); err != nil || t.ObjectType != CalendarType {
			return err
		}
		return s.exportObjects(tx, t.ID, func(o ExportedObject) error { return visit(ExportedTrash{t, o, json.RawMessage("[]")}) })
	})
}

// fileRow is a row of the query file-rows.
type fileRow struct {
	Path       string       `db:"path"`
	Collection bool         `db:"collection"`
	MediaType  string       `db:"media_type"`
	UpdatedAt  store.Millis `db:"updated_at"`
	Data       []byte       `db:"data"`
}

// ExportFiles calls visit with the files and plain collections of a member.
func (s *Service) ExportFiles(tx *store.Tx, member svc.MemberID, visit func(ExportedFile) error) error {
	return exportRows(tx, member, s.q.FilesOf, s.q.FileRows, func(f fileRow) error {
		return visit(ExportedFile{f.Path, f.Collection, f.MediaType, f.UpdatedAt.Timestamp(), base64.StdEncoding.EncodeToString(f.Data)})
	})
}

// ExportProperties calls visit with the dead properties in a member's calendar
// home.
func (s *Service) ExportProperties(tx *store.Tx, member svc.MemberID, visit func(ExportedProperty) error) error {
	return exportRows(tx, member, s.q.PropertiesOf, s.q.PropertyRows, visit)
}

// exportRows calls visit with each row of a member. The query keys returns the
// keys of the member's rows, and the query rows returns the rows with these keys.
func exportRows[R any](tx *store.Tx, member svc.MemberID, keys, rows store.Query, visit func(R) error) error {
	var list []object.Ref
	if err := tx.Select(&list, keys, store.Args{"member": member}); err != nil {
		return err
	}
	return object.EachRow(tx, rows, list, func(_ int, r R) error { return visit(r) })
}
