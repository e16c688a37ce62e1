package cli

import (
	"crypto/tls"
	"crypto/x509"
	"errors"

	"appliance/app"
)

// readCertificate returns the certificate that the settings name, nil for none or if its files are not usable,
// which it reports.
func (d *doctor) readCertificate() *x509.Certificate {
	cert, err := app.CheckCertificate(d.settings)
	if err != nil {
		d.problem("certificate", "The server does not start with these files.", "%v", err)
	}
	return cert
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
