package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
)

// calendarShelf is what the page about the member's calendars shows.
type calendarShelf struct {
	Calendars []shelfLine
	Trash     []trashLine
	Cursor    string // where the trash begins; "" with what was deleted last
	Older     string // where it goes on, "" if that is all
	NewSecret *newSecret
	Refused   []calendar.Rejected
}

type shelfLine struct {
	ID, Name string
	Feed     string // since when it has a link
	ReadOnly bool
}

type trashLine struct{ ID, Title, Calendar, Deleted, Expires string }

func (s *Server) getCalendarsPage(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Cursor string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, page{}, calendarShelf{Cursor: in.Cursor})
}

// calendarsPage shows the calendars with what was just done, or went wrong.
func (s *Server) calendarsPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, p page, shelf calendarShelf) error {
	err := s.db.Read(r.Context(), func(tx *store.Tx) error {
		me, err := s.identity.Me(tx, v)
		if err != nil {
			return err
		}
		p.Member = &me.Member
		day := dayIn(me.Member.Timezone)
		calendars, err := s.calendar.Calendars(tx, v)
		if err != nil {
			return err
		}
		feeds, err := s.calendar.Feeds(tx, v)
		if err != nil {
			return err
		}
		for _, c := range calendars {
			line := shelfLine{ID: c.ID, Name: c.Name, ReadOnly: c.ReadOnly}
			if f, ok := feeds[c.ID]; ok {
				line.Feed = day(f.CreatedAt)
			}
			shelf.Calendars = append(shelf.Calendars, line)
		}
		trash, err := s.calendar.Trash(tx, v, svc.DefaultLimit, shelf.Cursor)
		if err != nil {
			return err
		}
		for _, t := range trash.Trash {
			line := trashLine{ID: t.ID, Title: t.Title, Calendar: t.CalendarName, Deleted: day(t.DeletedAt), Expires: day(t.ExpiresAt)}
			if t.ObjectType == calendar.CalendarType {
				line.Calendar = "" // with everything in it
			}
			shelf.Trash = append(shelf.Trash, line)
		}
		if next := trash.Page.NextCursor; next != nil {
			shelf.Older = *next
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.Title, p.Shelf = "Your calendars", &shelf
	return s.render(w, http.StatusOK, "calendars", p)
}

// postImport takes a calendar from a file of the member's.
func (s *Server) postImport(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	report, err := s.importForm(r, v)
	p, err := s.outcome(w, r, v, report.String(), err)
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, p, calendarShelf{Refused: report.Refused})
}

func (s *Server) importForm(r *http.Request, v svc.Viewer) (report calendar.ImportReport, err error) {
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
			return s.importFrom(r.Context(), part, v, r.PathValue("id"))
		}
	}
}

// postFeed makes a link for programs that only read.
func (s *Server) postFeed(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	f, err := s.newFeed(r.Context(), v, r.PathValue("id"))
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, page{}, calendarShelf{NewSecret: &newSecret{
		Title: "Link to the calendar", Secret: s.settings.Link(f.Path),
		Text: "Whoever has it can read the calendar, and change nothing. Programs subscribe to it; some want webcal:// in front instead.",
	}})
}

func (s *Server) postFeedDelete(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.db.Write(r.Context(), func(tx *store.Tx) error { return s.calendar.DeleteFeed(tx, v, r.PathValue("id")) })
	p, err := s.outcome(w, r, v, "That link leads nowhere now.", err)
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, p, calendarShelf{})
}

// postRestore brings something back from the trash.
func (s *Server) postRestore(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	err := s.db.Write(r.Context(), func(tx *store.Tx) error {
		_, _, err := s.calendar.Restore(tx, v, r.PathValue("id"), "")
		return err
	})
	p, err := s.outcome(w, r, v, "It is back.", err)
	if err != nil {
		return err
	}
	return s.calendarsPage(w, r, v, p, calendarShelf{})
}
