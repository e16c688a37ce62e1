package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/dav"
)

// redirectWellKnown redirects CalDAV clients to the calendars (RFC 6764 §5). It
// requires no credentials: some clients send none with this request.
func (s *Server) redirectWellKnown(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	w.Header().Set("Location", s.settings.URL().Path+"/caldav/")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusMovedPermanently)
	return nil
}

// davBody limits the part of a CalDAV body that is received before it is processed.
// The protocol rejects longer bodies and reads their rest without storing it.
const davBody = 2 << 20

// davHandler returns the handler of CalDAV requests below mount. Errors outside
// of the protocol handler are plain text, because CalDAV clients show the
// status or write the body to their log.
func (s *Server) davHandler(mount string) Handler {
	h := s.dav.Handler(mount)
	return func(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
		SetPrivate(w.Header())
		w.Header().Set("DAV", dav.Compliance) // for errors outside of the protocol handler
		limited, cancel := WithTimeout(r)
		a, err := s.dav.Authenticate(limited)
		cancel()
		if err == nil {
			ReadRestAfterErrors(w)
			r = s.WithWork(r, a.Viewer.String())
			s.CountWork(w, a.Viewer.String())
			var done func()
			r, done, err = s.Receive(w, r, a.Viewer.String(), davBody)
			defer done()
		}
		r, cancel = WithTimeout(r)
		defer cancel()
		if r.Method == http.MethodDelete {
			r = r.WithContext(store.WithReserve(r.Context()))
		}
		if err == nil {
			err = s.LimitReads(w, r, a.Viewer)
		}
		if err != nil && svc.KindOf(err) != svc.Anonymous {
			e := s.Report(w, r, a.Viewer, err)
			http.Error(w, e.Message, status[e.Code.Kind])
			return nil
		}
		if err == nil {
			err = h.Serve(w, s.dav.Guard(r, a), a.Viewer)
		}
		if svc.KindOf(err) == svc.Anonymous {
			s.Report(w, r, a.Viewer, err)
			w.Header().Set("WWW-Authenticate", `Basic realm="appliance calendar", charset="UTF-8"`)
			http.Error(w, "Sign in with your user name and password.", http.StatusUnauthorized)
			return nil
		}
		return err
	}
}
