package config

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"appliance/app/limits"
	"appliance/svc/find/provider"
	"appliance/svc/outbound"
)

// validateOutbound checks the settings of the servers that this server contacts.
func (s *Settings) validateOutbound() error {
	for _, c := range []struct{ name, url string }{{"find-geocoder-url", s.FindGeocoderURL}, {"find-web-url", s.FindWebURL}} {
		if _, err := outbound.Configured(c.url); c.url != "" && err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if s.FindWeb == provider.Brave && s.FindWebURL != "" && s.FindWebKey == "" {
		return errors.New("find-web-key: Brave needs a key")
	}
	if _, err := s.PagePolicy(); err != nil {
		return fmt.Errorf("fetch-allow-hosts: %w", err)
	}
	return nil
}

// PagePolicy returns the servers from which web pages and their pictures are fetched.
func (s *Settings) PagePolicy() (outbound.Policy, error) {
	return outbound.Public(s.FetchAllowHosts...)
}

// Searches returns the searches on other servers that are configured, nil for those
// that are not.
func (s *Settings) Searches(userAgent string, now func() time.Time, log *slog.Logger) (places *provider.Places, pages *provider.Pages, err error) {
	c := provider.Config{UserAgent: userAgent, Now: now, Log: log}
	if s.FindGeocoderURL != "" {
		c.Kind, c.URL = s.FindGeocoder, s.FindGeocoderURL
		if s.FindGeocoder == provider.Nominatim {
			c.Interval = limits.Interval(limits.Geocoder, s.RateLimits)
		}
		if places, err = provider.NewPlaces(c); err != nil {
			return nil, nil, err
		}
	}
	if s.FindWebURL != "" {
		c.Kind, c.URL, c.Key, c.Interval = s.FindWeb, s.FindWebURL, s.FindWebKey, 0
		pages, err = provider.NewPages(c)
	}
	return places, pages, err
}
