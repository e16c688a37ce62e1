package api

import (
	"cmp"
	"net/http"
	"time"

	"appliance/app/account"
	"appliance/app/health"
	"appliance/store"
	"appliance/svc"
)

// deviceSetup is the response to a request that creates a link to set up a device. No
// other response contains the link.
type deviceSetup struct {
	SetupURL  string    `json:"setup_url"` // complete, to be opened on the device
	QR        qrCode    `json:"qr"`        // of setup_url
	ExpiresAt time.Time `json:"expires_at"`
	Notice    string    `json:"notice"` // why the link does not work on other devices, and what to do; "" if it does
}

type newDeviceSetup = struct {
	DeviceSetup deviceSetup `json:"device_setup"`
}

// addDeviceSetup creates a link to set up a device.
func (s *Server) addDeviceSetup(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in deviceRequest) (newDeviceSetup, error) {
	if err := s.Accounts.CheckDeviceLinks(); err != nil {
		return newDeviceSetup{}, err
	}
	return commit(s, r, func(tx *store.Tx) (newDeviceSetup, error) {
		link, err := s.Identity.AddDeviceSetup(tx, v, cmp.Or(in.Label, in.Name))
		if err != nil {
			return newDeviceSetup{}, err
		}
		setup := deviceSetup{SetupURL: s.Settings.Link(account.DeviceSetupPath(link.Code)), ExpiresAt: link.ExpiresAt, Notice: health.Text(s.reach(), v.Language())}
		code, err := account.NewQRCode(setup.SetupURL)
		setup.QR = qrCode(code)
		return newDeviceSetup{setup}, err
	})
}
