package httpd

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"appliance/app/account"
	"appliance/app/authlog"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// deviceSetup is the response to a request that creates a link to set up a device. No
// other response contains the link.
type deviceSetup struct {
	SetupURL  string    `json:"setup_url"` // complete, to be opened on the device
	QR        qrCode    `json:"qr"`        // of setup_url
	ExpiresAt time.Time `json:"expires_at"`
	OnlyLocal bool      `json:"only_local"` // the link works only on the machine of the server: base-url is not set
}

// deviceSetupPath is the path of the page of a link.
func deviceSetupPath(code string) string { return "/world/device/" + url.PathEscape(code) }

// checkDeviceLinks returns an error unless the server uses HTTPS: without it, the network
// could read the link and the password, and Apple devices would reject the account.
func (s *Server) checkDeviceLinks() error {
	if s.settings.UsesHTTPS() {
		return nil
	}
	return svc.Errorf(svc.ActionUnavailable, "A link to set up a device needs HTTPS, which this server does not use. Create a device password instead, or ask the operator to set up HTTPS.")
}

type newDeviceSetup = struct {
	DeviceSetup deviceSetup `json:"device_setup"`
}

// addDeviceSetup creates a link to set up a device.
func (s *Server) addDeviceSetup(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in deviceRequest) (newDeviceSetup, error) {
	if err := s.checkDeviceLinks(); err != nil {
		return newDeviceSetup{}, err
	}
	return commit(s, r, func(tx *store.Tx) (newDeviceSetup, error) {
		link, err := s.identity.AddDeviceSetup(tx, v, cmp.Or(in.Label, in.Name))
		if err != nil {
			return newDeviceSetup{}, err
		}
		setup := deviceSetup{SetupURL: s.settings.Link(deviceSetupPath(link.Code)), ExpiresAt: link.ExpiresAt, OnlyLocal: s.settings.IsLoopback()}
		code, err := account.NewQRCode(setup.SetupURL)
		setup.QR = qrCode(code)
		return newDeviceSetup{setup}, err
	})
}

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
	base := s.settings.URL()
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
	if err := s.checkDeviceLinks(); err != nil {
		return err
	}
	code := r.PathValue("code")
	var m identity.Member
	var label string
	err := s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		m, label, err = s.identity.DeviceSetup(tx, code)
		return err
	})
	s.signIns.RecordFailure(r, authlog.DeviceLink, 0, err)
	if err != nil {
		return err
	}
	l := s.pageLanguage(r, v)
	return s.render(w, http.StatusOK, "device", page{Language: l, Title: l.Textf("Set up %s", label), Device: &deviceView{
		Action: deviceSetupPath(code), Name: m.DisplayName, Username: m.Username, Apple: isFromApple(r),
	}})
}

// postDeviceSetup creates the password of the device, and responds with the page that
// shows it or with a configuration profile.
func (s *Server) postDeviceSetup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if err := s.checkDeviceLinks(); err != nil {
		return err
	}
	values, err := formValues(r)
	if err != nil {
		return err
	}
	var m identity.Member
	var d identity.NewDevice
	err = s.db.Write(r.Context(), func(tx *store.Tx) (err error) {
		m, d, err = s.identity.SetUpDevice(tx, r.PathValue("code"))
		return err
	})
	s.signIns.RecordFailure(r, authlog.DeviceLink, 0, err)
	if err != nil {
		return err
	}
	l := s.pageLanguage(r, v)
	if values.Get("as") == "profile" {
		h := w.Header()
		h.Set("Content-Type", "application/x-apple-aspen-config")
		h.Set("Content-Disposition", `attachment; filename="calendars.mobileconfig"`)
		SetPrivate(h)
		_, _ = w.Write(s.signProfile(configurationProfile(l, s.settings.URL(), s.settings.Title(), m, d))) // fails if the client has disconnected
		return nil
	}
	return s.render(w, http.StatusOK, "device", page{Language: l, Title: l.Textf("Set up %s", d.Label), Device: &deviceView{
		Steps: s.caldavSteps(), Username: m.Username, Password: d.Password,
	}})
}
