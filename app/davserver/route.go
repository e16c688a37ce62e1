package davserver

import (
	"net/http"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/dav"
)

// Routes returns the routes of CalDAV, whose handlers run in h. /dav/ is another name of
// /caldav/.
func (s *Server) Routes(h *httpd.Server) []httpd.Route {
	return []httpd.Route{
		{Access: httpd.Foreign, Pattern: "/.well-known/caldav", Handle: s.redirectWellKnown},
		{Access: httpd.Foreign, Pattern: "/.well-known/caldav/{$}", Handle: s.redirectWellKnown},
		{Access: httpd.Foreign, Service: "time", Pattern: "/caldav", Handle: s.handler(h, "/caldav"), Traits: httpd.Traits{ReceivesBody: true}},
		{Access: httpd.Foreign, Service: "time", Pattern: "/caldav/", Handle: s.handler(h, "/caldav"), Traits: httpd.Traits{ReceivesBody: true}},
		{Access: httpd.Foreign, Service: "time", Pattern: "/dav", Handle: s.handler(h, "/dav"), Traits: httpd.Traits{ReceivesBody: true}},
		{Access: httpd.Foreign, Service: "time", Pattern: "/dav/", Handle: s.handler(h, "/dav"), Traits: httpd.Traits{ReceivesBody: true}},
	}
}

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

// handler returns the handler of CalDAV requests below mount. Errors outside
// of the protocol handler are plain text, because CalDAV clients show the
// status or write the body to their log.
func (s *Server) handler(h *httpd.Server, mount string) httpd.Handler {
	protocol := dav.New(backend{s}, s.settings.URL().Path, mount, s.settings.Data)
	return func(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
		httpd.SetPrivate(w.Header())
		w.Header().Set("DAV", dav.Compliance) // for errors outside of the protocol handler
		limited, cancel := httpd.WithTimeout(r)
		a, err := s.Authenticate(limited)
		cancel()
		if err == nil {
			httpd.ReadRestAfterErrors(w)
			r = h.WithWork(r, a.Viewer.String())
			h.CountWork(w, a.Viewer.String())
			var done func()
			r, done, err = h.Receive(w, r, a.Viewer.String(), davBody)
			defer done()
		}
		r, cancel = httpd.WithTimeout(r)
		defer cancel()
		if r.Method == http.MethodDelete {
			r = r.WithContext(store.WithReserve(r.Context()))
		}
		if err == nil {
			err = h.LimitReads(w, r, a.Viewer)
		}
		if err != nil && svc.KindOf(err) != svc.Anonymous {
			e := h.Report(w, r, a.Viewer, err)
			http.Error(w, e.Message, httpd.Status(e))
			return nil
		}
		if err == nil {
			err = protocol.Serve(w, s.Guard(r, a), a.Viewer)
		}
		if svc.KindOf(err) == svc.Anonymous {
			h.Report(w, r, a.Viewer, err)
			w.Header().Set("WWW-Authenticate", `Basic realm="appliance calendar", charset="UTF-8"`)
			http.Error(w, "Sign in with your user name and password.", http.StatusUnauthorized)
			return nil
		}
		return err
	}
}
