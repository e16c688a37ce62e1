package account

import (
	"net/url"

	"appliance/svc"
)

// DeviceSetupPath is the path of the page of a link.
func DeviceSetupPath(code string) string { return "/world/device/" + url.PathEscape(code) }

// CheckDeviceLinks returns an error unless the server uses HTTPS: without it, the network
// could read the link and the password, and Apple devices would reject the account.
func (s *Service) CheckDeviceLinks() error {
	if s.settings.UsesHTTPS() {
		return nil
	}
	return svc.Errorf(svc.ActionUnavailable, "A link to set up a device needs HTTPS, which this server does not use. Create a device password instead, or ask the operator to set up HTTPS.")
}
