package health

import (
	"crypto/x509"
	"net/url"
	"slices"
	"strings"
	"time"
)

// certificateTime is the remaining validity of a certificate below which there is a
// warning. Certificates are usually renewed a month before they expire.
const certificateTime = 14 * 24 * time.Hour

// Certificate checks the validity of the certificate of the server and that it is for the host of
// base. There is no result for nil, which means that the server has none.
func Certificate(cert *x509.Certificate, base *url.URL, now time.Time) (list []Diagnosis) {
	const renew = "Renew the certificate. The server reads the new files without a restart."
	if cert == nil {
		return nil
	}
	day := cert.NotAfter.Format(time.DateOnly)
	switch left := cert.NotAfter.Sub(now); {
	case now.Before(cert.NotBefore):
		list = append(list, Problem("certificate", "Check the clock of the server. If it is right, wait or use another certificate.",
			"The certificate is valid only from %s on. Clients refuse the connection.", cert.NotBefore.Format(time.DateOnly)))
	case left <= 0:
		list = append(list, Problem("certificate", renew, "The certificate expired on %s. Clients refuse the connection.", day))
	case left < certificateTime:
		list = append(list, Warning("certificate", renew, "The certificate expires on %s.", day))
	default:
		list = append(list, OK("certificate", "The certificate is valid until %s.", day))
	}
	if host := base.Hostname(); cert.VerifyHostname(host) != nil {
		list = append(list, Warning("certificate", "Set base-url to an address with a name of the certificate, or get a certificate for the address of the server.",
			"The certificate is for %s, not for %s. Clients refuse the connection.", certificateNames(cert), host))
	}
	return list
}

// certificateNames returns the first hosts for which a certificate is, or else its subject.
func certificateNames(cert *x509.Certificate) string {
	names := slices.Clone(cert.DNSNames)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return cert.Subject.String()
	}
	return strings.Join(names[:min(len(names), 3)], ", ")
}
