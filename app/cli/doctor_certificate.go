package cli

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"time"

	"appliance/app"
	"appliance/app/health"
)

// checkCertificate checks the files of the certificate, if the settings name them.
func (d *doctor) checkCertificate(now time.Time) {
	cert, err := app.CheckCertificate(d.settings)
	if err != nil {
		d.problem("certificate", "The server does not start with these files.", "%v", err)
		return
	}
	d.results = append(d.results, health.Certificate(cert, d.settings.URL(), now)...)
}

// isCertificateError reports whether a client has refused the certificate of a server.
func isCertificateError(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	return ok
}

// certificateRemedy returns what to do about a certificate that a client has refused.
func certificateRemedy(err error) string {
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "Set base-url to an address with a name of the certificate, or get a certificate for the address of the server."
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "Use a certificate of a public authority, with its whole chain in the file, or install your own authority on every device. See appliance help https."
	}
	return "Check the clock of this machine. If it is right, renew the certificate."
}
