package httpd

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"appliance/app/authlog"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// deviceSetup is the response to a request that creates a link to set up a device. No
// other response contains the link.
type deviceSetup struct {
	SetupURL  string    `json:"setup_url"` // complete, to be opened on the device
	ExpiresAt time.Time `json:"expires_at"`
	OnlyLocal bool      `json:"only_local"` // the link works only on the machine of the server: base-url is not set
}

// deviceSetupPath is the path of the page of a link.
func deviceSetupPath(code string) string { return "/world/device/" + url.PathEscape(code) }

// addDeviceSetup creates a link to set up a device.
func (s *Server) addDeviceSetup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in deviceRequest
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.write(w, r, http.StatusCreated, func(tx *store.Tx) (any, error) {
		setup, err := s.identity.AddDeviceSetup(tx, v, cmp.Or(in.Label, in.Name))
		return map[string]any{"device_setup": deviceSetup{s.settings.Link(deviceSetupPath(setup.Code)), setup.ExpiresAt, s.settings.IsLoopback()}}, err
	})
}

// deviceView is the data of the page that sets up a device.
type deviceView struct {
	Action         string
	Name, Username string // of the member
	Secure         bool   // the server uses HTTPS, which Apple devices require
	CalDAV         string // URL for CalDAV clients
	Password       string // "" before it is created
}

// getDeviceSetup shows the page of a link. It leaves the link unused, because programs
// that show previews of links read them.
func (s *Server) getDeviceSetup(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
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
	return s.render(w, http.StatusOK, "device", page{Title: "Set up " + label, Device: &deviceView{
		Action: deviceSetupPath(code), Name: m.DisplayName, Username: m.Username, Secure: s.settings.UsesHTTPS(),
	}})
}

// postDeviceSetup creates the password of the device, and responds with the page that
// shows it or with a configuration profile.
func (s *Server) postDeviceSetup(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
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
	if values.Get("as") == "profile" {
		h := w.Header()
		h.Set("Content-Type", "application/x-apple-aspen-config")
		h.Set("Content-Disposition", `attachment; filename="calendars.mobileconfig"`)
		setPrivate(h)
		_, _ = w.Write(configurationProfile(s.settings.URL(), m, d)) // fails if the client has disconnected
		return nil
	}
	return s.render(w, http.StatusOK, "device", page{Title: "Set up " + d.Label, Device: &deviceView{
		CalDAV: s.settings.Link("/caldav/"), Username: m.Username, Password: d.Password,
	}})
}

// configurationProfile returns a configuration profile for Apple devices with a CalDAV
// account. A second profile of the same member and server replaces the first one.
func configurationProfile(base *url.URL, m identity.Member, d identity.NewDevice) []byte {
	port := cmp.Or(base.Port(), map[bool]string{true: "443", false: "80"}[base.Scheme == "https"])
	id := fmt.Sprintf("%s.%s.caldav", base.Hostname(), m.Username)
	var b bytes.Buffer
	text := func(key, value string) {
		fmt.Fprintf(&b, "<key>%s</key><string>", key)
		_ = xml.EscapeText(&b, []byte(value)) // a buffer returns no error
		b.WriteString("</string>\n")
	}
	payload := func(kind, id, name string) {
		text("PayloadType", kind)
		text("PayloadIdentifier", id)
		text("PayloadUUID", nameUUID(id))
		text("PayloadDisplayName", name)
		b.WriteString("<key>PayloadVersion</key><integer>1</integer>\n")
	}
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n<plist version=\"1.0\"><dict>\n")
	payload("Configuration", id, "Calendars of "+base.Hostname())
	b.WriteString("<key>PayloadContent</key><array><dict>\n")
	payload("com.apple.caldav.account", id+".account", base.Hostname())
	text("CalDAVAccountDescription", base.Hostname())
	text("CalDAVHostName", base.Hostname())
	fmt.Fprintf(&b, "<key>CalDAVPort</key><integer>%s</integer>\n<key>CalDAVUseSSL</key><%t/>\n", port, base.Scheme == "https")
	text("CalDAVPrincipalURL", fmt.Sprintf("%s/caldav/%d/", base.Path, m.ID))
	text("CalDAVUsername", m.Username)
	text("CalDAVPassword", d.Password)
	b.WriteString("</dict></array>\n</dict></plist>\n")
	return b.Bytes()
}

// nameUUID returns a UUID (RFC 9562 §5.8) that follows from a name.
func nameUUID(name string) string {
	id := sha256.Sum256([]byte(name))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
}
