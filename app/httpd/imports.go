package httpd

import (
	"context"
	"errors"
	"io"
	"net/http"

	"appliance/app/transfer"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
)

// maxUpload limits an uploaded calendar, in bytes. The command line has no limit.
const maxUpload = 64 << 20

// importCalendar imports an iCalendar file into a calendar of the member.
func (s *Server) importCalendar(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	report, err := s.importFrom(r.Context(), r.Body, v, r.PathValue("id"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]any{"report": report, "refresh": timeRefresh})
}

// importFrom imports an iCalendar stream into a calendar.
func (s *Server) importFrom(ctx context.Context, body io.Reader, v svc.Viewer, id string) (calendar.ImportReport, error) {
	upload := &svc.Spool{Dir: s.settings.Data}
	defer upload.Close()
	if _, err := io.Copy(upload, io.LimitReader(body, maxUpload+1)); err != nil {
		return calendar.ImportReport{}, svc.Errorf(svc.MalformedBody, "The upload ended too early. Try again.").WithCause(err)
	}
	if upload.Len() > maxUpload {
		return calendar.ImportReport{}, svc.Errorf(svc.BodyTooLarge, "The file is larger than %d MB. Ask the operator to use appliance calendar import.", maxUpload>>20)
	}
	source, err := upload.Reader()
	if err != nil {
		return calendar.ImportReport{}, err
	}
	c, err := ics.ReadStream(source, upload.Len(), nil)
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		return calendar.ImportReport{}, svc.Errorf(svc.MalformedBody, "The file is not a valid iCalendar file: %s", invalid.Reason)
	}
	if err != nil {
		return calendar.ImportReport{}, err
	}
	i := transfer.NewImporter(s.db, s.calendar, v, id)
	if err := i.AddAll(ctx, "", c); err != nil {
		return calendar.ImportReport{}, err
	}
	err = i.Flush(ctx)
	return i.Report(), err
}
