package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
)

// calendarsView is the data of the page about calendars.
type calendarsView struct {
	Calendars []calendarRow
	Trash     []trashRow
	Cursor    string // cursor of the shown page of the trash
	Older     string // cursor of the next page; "" on the last one
	NewSecret *newSecret
	Refused   []calendar.RefusedEntry
}

type calendarRow struct {
	ID, Name string
	Feed     string // creation date of the feed; "" without one
	ReadOnly bool
}

type trashRow struct{ ID, Title, Calendar, Deleted, Expires string }

func (s *Server) getCalendarsPage(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Cursor string `json:"-" query:"cursor"`
	}
	if err := Decode(r, &in); err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, page{}, calendarsView{Cursor: in.Cursor})
}

// calendarsPage renders the page about calendars with the result of a form.
func (s *Server) calendarsPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, p page, view calendarsView) error {
	err := s.db.Read(r.Context(), func(tx *store.Tx) error {
		me, err := s.identity.Me(tx, v)
		if err != nil {
			return err
		}
		p.Member = &me.Member
		day := dateFormatter(v.Language(), me.Member.Timezone)
		calendars, err := s.calendar.Calendars(tx, v)
		if err != nil {
			return err
		}
		feeds, err := s.calendar.Feeds(tx, v)
		if err != nil {
			return err
		}
		for _, c := range calendars {
			line := calendarRow{ID: c.ID, Name: c.Name, ReadOnly: c.ReadOnly}
			if f, ok := feeds[c.ID]; ok {
				line.Feed = day(f.CreatedAt)
			}
			view.Calendars = append(view.Calendars, line)
		}
		trash, err := s.calendar.Trash(tx, v, svc.DefaultLimit, view.Cursor)
		if err != nil {
			return err
		}
		for _, t := range trash.Trash {
			line := trashRow{ID: t.ID, Title: t.Title, Calendar: t.CalendarName, Deleted: day(t.DeletedAt), Expires: day(t.ExpiresAt)}
			if t.ObjectType == calendar.CalendarType {
				line.Calendar = "" // the calendar itself is in the trash
			}
			view.Trash = append(view.Trash, line)
		}
		if next := trash.Page.NextCursor; next != nil {
			view.Older = *next
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.Language, p.Title, p.HasTheme, p.Calendars = v.Language(), v.Language().Text("Your calendars"), true, &view
	return s.render(w, http.StatusOK, "calendars", p)
}

// postImport imports an uploaded iCalendar file.
func (s *Server) postImport(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	report, err := s.importForm(w, r, v)
	p, err := s.formResult(w, r, v, report.In(v.Language()), err)
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, p, calendarsView{Refused: report.Refused})
}

// importForm imports the file of a multipart form.
func (s *Server) importForm(w http.ResponseWriter, r *http.Request, v svc.Viewer) (report calendar.ImportReport, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return report, svc.Errorf(svc.MalformedBody, "Choose a file to import.").WithCause(err)
	}
	for {
		part, err := parts.NextPart()
		if err != nil {
			return report, svc.Errorf(svc.MalformedBody, "Choose a file to import.").WithCause(err)
		}
		if part.FormName() == "file" && part.FileName() != "" {
			return s.importFrom(w, r, part, v)
		}
	}
}

// postFeed creates the feed of a calendar and shows its link.
func (s *Server) postFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	f, err := s.createFeed(r.Context(), v, r.PathValue("id"))
	if err != nil {
		return err
	}
	l := v.Language()
	return s.calendarsPage(w, r, v, page{}, calendarsView{NewSecret: &newSecret{
		Title: l.Text("Link to the calendar"), Secret: s.settings.Link(f.Path),
		Text: l.Text("Anyone with this link can read the calendar, but not change it. Subscribe to it in a calendar app; some need webcal:// instead of https://."),
	}})
}

func (s *Server) postFeedDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.db.Write(r.Context(), func(tx *store.Tx) error { return s.calendar.DeleteFeed(tx, v, r.PathValue("id")) })
	p, err := s.formResult(w, r, v, v.Language().Text("The link is removed."), err)
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, p, calendarsView{})
}

// postRestore restores an entry or a calendar from the trash.
func (s *Server) postRestore(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.db.Write(r.Context(), func(tx *store.Tx) error {
		_, _, err := s.calendar.Restore(tx, v, r.PathValue("id"), "")
		return err
	})
	p, err := s.formResult(w, r, v, v.Language().Text("Restored."), err)
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, p, calendarsView{})
}

// postTrashDelete empties the trash.
func (s *Server) postTrashDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.db.Write(r.Context(), func(tx *store.Tx) error {
		_, err := s.purgeTrash(tx, v, purgeRequest{})
		return err
	})
	p, err := s.formResult(w, r, v, v.Language().Text("The trash is empty."), err)
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, p, calendarsView{})
}
