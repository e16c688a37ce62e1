package api

import (
	"errors"
	"io"
	"net/http"

	"appliance/app/httpd"
	"appliance/app/transfer"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
	"appliance/world/action"
)

// maxUpload limits an uploaded calendar, in bytes. The command line has no limit.
const maxUpload = action.MaxImport

type calendarImported = struct {
	Report  calendar.ImportReport `json:"report"`
	Refresh refreshHint           `json:"refresh"`
}

// importCalendar imports an iCalendar file into a calendar of the member.
func (s *Server) importCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	report, err := s.importBody(w, r, v)
	if err != nil {
		return err
	}
	return httpd.WriteJSON(w, http.StatusOK, calendarImported{report, timeRefresh})
}

// errImportTooLarge rejects a file whose entries need more work than a request may take.
var errImportTooLarge = svc.FieldError(svc.WorkLimitExceeded, "file",
	"The file needs too much computation. Split it into several files. Entries that are already stored are kept, and are skipped when they are imported again.")

// importMemory is the memory for each byte of an imported calendar: the index of its
// entries.
const importMemory = 4

// importBody imports an iCalendar stream, the body of r, into the calendar in the path of r.
func (s *Server) importBody(w http.ResponseWriter, r *http.Request, v svc.Viewer) (calendar.ImportReport, error) {
	release, err := s.imports.Acquire(r.Context(), v.String())
	if err != nil {
		return calendar.ImportReport{}, err
	}
	defer release()
	upload := &svc.Spool{Dir: s.Settings.Data}
	defer upload.Close()
	if _, err := io.Copy(upload, io.LimitReader(r.Body, maxUpload+1)); err != nil {
		return calendar.ImportReport{}, httpd.BodyError(err)
	}
	if upload.Len() > maxUpload {
		return calendar.ImportReport{}, svc.Errorf(svc.BodyTooLarge, "The file is larger than %d MB. Ask the operator to use appliance calendar import.", maxUpload>>20)
	}
	r, cancel := httpd.WithTimeout(r)
	defer cancel()
	ctx := svc.WithTransferWork(r.Context())
	// An import does not take all memory of a member, so that other requests
	// can continue.
	if err := s.AcquireMemory(w, r, v.String(), min(upload.Len()*importMemory, s.Sizes.Memory.Each/4*3)); err != nil {
		return calendar.ImportReport{}, err
	}
	source, err := upload.Reader()
	if err != nil {
		return calendar.ImportReport{}, err
	}
	c, err := ics.ReadStream(svc.WorkOf(ctx).ReaderAt(source), upload.Len(), nil)
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		return calendar.ImportReport{}, svc.Errorf(svc.MalformedBody, "The file is not a valid iCalendar file: %s", invalid.Reason)
	}
	i := transfer.NewImporter(s.DB, s.Calendar, v)
	if err == nil {
		var entries ics.Assembly
		i.Add(&entries, "", c)
		err = i.Import(ctx, r.PathValue("id"), &entries, nil)
	}
	if errors.Is(err, svc.ErrTooMuchWork) {
		err = errImportTooLarge
	}
	return i.Report(), err
}
