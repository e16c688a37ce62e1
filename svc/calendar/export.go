package calendar

import (
	"encoding/base64"
	"encoding/json"

	"appliance/store"
	"appliance/svc"
)

// Exported is one entry as it was stored.
type Exported struct {
	Name string `json:"name"`
	Data string `json:"data"` // iCalendar
}

// ExportedTrash is something in the trash as it was stored. A calendar is
// there without data, and once more for each entry that went with it.
type ExportedTrash struct {
	Trashed Trashed `json:"trashed"`
	Exported
	Properties json.RawMessage `json:"properties"` // each without a path; of an entry that was deleted alone
}

// ExportedFile is a file, or a plain collection, which has no data.
type ExportedFile struct {
	Path       string `json:"path"` // below the member's home
	Collection bool   `json:"collection"`
	MediaType  string `json:"media_type"`
	UpdatedAt  string `json:"updated_at"`
	Base64     string `json:"data_base64"`
}

// ExportedProperty is a property that a client keeps.
type ExportedProperty struct {
	Path      string `json:"path" db:"path"` // of what it is of, below the member's home
	Namespace string `json:"namespace" db:"space"`
	Name      string `json:"name" db:"local"`
	Element   string `json:"element" db:"element"` // XML
}

// Export shows all calendars that a member has, each before what is in it. Of
// this and of what the other exports show, little is in memory at once.
func (s *Service) Export(tx *store.Tx, member svc.MemberID, calendar func(Calendar) error, entry func(Exported) error) error {
	calendars, err := s.calendarsOf(tx, member)
	if err != nil {
		return err
	}
	for _, c := range calendars {
		if err := calendar(c); err != nil {
			return err
		}
		if err := s.exportEntries(tx, c.ID, entry); err != nil {
			return err
		}
	}
	return nil
}

// exportEntries shows what is in a calendar.
func (s *Service) exportEntries(tx *store.Tx, calendarID string, entry func(Exported) error) error {
	var rows []objectRow
	if err := tx.Select(&rows, s.q.All, store.Args{"calendar": calendarID}); err != nil {
		return err
	}
	list := make([]dataRef, len(rows))
	for i, r := range rows {
		list[i] = r.dataRef
	}
	return s.each(tx, list, func(i int, raw []byte) error { return entry(Exported{rows[i].Segment, string(raw)}) })
}

// ExportTrash shows what a member deleted and can still have back.
func (s *Service) ExportTrash(tx *store.Tx, member svc.MemberID, show func(ExportedTrash) error) error {
	var list []dataRef
	if err := tx.Select(&list, s.q.TrashRefs, store.Args{"member": member}); err != nil {
		return err
	}
	return inPortions(tx, s.q.TrashRows, list, func(_ int, row trashRow) error {
		t := row.trashed()
		if err := show(ExportedTrash{t, Exported{row.Segment, string(row.Data)}, json.RawMessage(row.Properties)}); err != nil || t.ObjectType != CalendarType {
			return err
		}
		return s.exportEntries(tx, t.ID, func(e Exported) error { return show(ExportedTrash{t, e, json.RawMessage("[]")}) })
	})
}

// ExportFiles shows what a member keeps beside calendars.
func (s *Service) ExportFiles(tx *store.Tx, member svc.MemberID, show func(ExportedFile) error) error {
	var list []dataRef
	if err := tx.Select(&list, s.q.MemberFiles, store.Args{"member": member}); err != nil {
		return err
	}
	return inPortions(tx, s.q.FileRows, list, func(_ int, f File) error {
		return show(ExportedFile{f.Path, f.Collection, f.MediaType, stamp(f.UpdatedAt.Time()), base64.StdEncoding.EncodeToString(f.Data)})
	})
}

// ExportProperties shows what programs keep at a member's calendars, entries
// and files.
func (s *Service) ExportProperties(tx *store.Tx, member svc.MemberID, show func(ExportedProperty) error) error {
	var list []dataRef
	if err := tx.Select(&list, s.q.MemberProperties, store.Args{"member": member}); err != nil {
		return err
	}
	return inPortions(tx, s.q.PropertyRows, list, func(_ int, p ExportedProperty) error { return show(p) })
}
