package pages

import (
	"net/http"
	"slices"
	"strings"

	"appliance/app/account"
	"appliance/app/authlog"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// deviceView is the data of the page that sets up a device.
type deviceView struct {
	Action         string
	Name, Username string // of the member
	Apple          bool   // the browser runs on an Apple device, which can install a profile
	Steps          caldavSteps
	Password       string // "" before it is created
}

// caldavSteps is the data of the instructions for CalDAV clients.
type caldavSteps struct {
	CalDAV string // URL for CalDAV clients
	Host   string // host and path of base-url
}

func (s *Server) caldavSteps() caldavSteps {
	base := s.Settings.URL()
	return caldavSteps{CalDAV: base.String() + "/caldav/", Host: base.Host + base.Path}
}

// isFromApple reports whether the browser of a request runs on a device that can install a
// configuration profile.
func isFromApple(r *http.Request) bool {
	return slices.ContainsFunc([]string{"iPhone", "iPad", "Macintosh"}, func(system string) bool {
		return strings.Contains(r.Header.Get("User-Agent"), system)
	})
}

// getDeviceSetup shows the page of a link. It leaves the link unused, because programs
// that show previews of links read them.
func (s *Server) getDeviceSetup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if err := s.Accounts.CheckDeviceLinks(); err != nil {
		return err
	}
	code := r.PathValue("code")
	var m identity.Member
	var label string
	err := s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		m, label, err = s.Identity.DeviceSetup(tx, code)
		return err
	})
	s.SignIns.RecordFailure(r, authlog.DeviceLink, 0, err)
	if err != nil {
		return err
	}
	l := s.pageLanguage(r, v)
	return s.render(w, http.StatusOK, "device", page{Language: l, Title: l.Textf("Set up %s", label), Device: &deviceView{
		Action: account.DeviceSetupPath(code), Name: m.DisplayName, Username: m.Username, Apple: isFromApple(r),
	}})
}

// postDeviceSetup creates the password of the device, and responds with the page that
// shows it or with a configuration profile.
func (s *Server) postDeviceSetup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if err := s.Accounts.CheckDeviceLinks(); err != nil {
		return err
	}
	values, err := formValues(r)
	if err != nil {
		return err
	}
	var m identity.Member
	var d identity.NewDevice
	err = s.DB.Write(r.Context(), func(tx *store.Tx) (err error) {
		m, d, err = s.Identity.SetUpDevice(tx, r.PathValue("code"))
		return err
	})
	s.SignIns.RecordFailure(r, authlog.DeviceLink, 0, err)
	if err != nil {
		return err
	}
	l := s.pageLanguage(r, v)
	if values.Get("as") == "profile" {
		h := w.Header()
		h.Set("Content-Type", "application/x-apple-aspen-config")
		h.Set("Content-Disposition", `attachment; filename="calendars.mobileconfig"`)
		httpd.SetPrivate(h)
		_, _ = w.Write(s.signProfile(configurationProfile(l, s.Settings.URL(), s.Settings.Title(), m, d))) // fails if the client has disconnected
		return nil
	}
	return s.render(w, http.StatusOK, "device", page{Language: l, Title: l.Textf("Set up %s", d.Label), Device: &deviceView{
		Steps: s.caldavSteps(), Username: m.Username, Password: d.Password,
	}})
}
