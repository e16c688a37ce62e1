package apptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"testing"
	"time"

	"appliance/store/storetest"
)

// NewCertificate returns a self-signed certificate for 127.0.0.1 and localhost with a
// serial number, and its key, as PEM, after changes of its template.
func NewCertificate(t testing.TB, serial int64, changes ...CertificateChange) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		NotBefore: storetest.Start.AddDate(-50, 0, 0), NotAfter: storetest.Start.AddDate(50, 0, 0),
		IsCA: true, BasicConstraintsValid: true,
	}
	for _, change := range changes {
		change(template)
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// CertificateChange changes the template of a certificate.
type CertificateChange func(*x509.Certificate)

// ValidBetween sets the validity of a certificate.
func ValidBetween(begin, end time.Time) CertificateChange {
	return func(c *x509.Certificate) { c.NotBefore, c.NotAfter = begin, end }
}

// ForHost sets the only host of a certificate.
func ForHost(name string) CertificateChange {
	return func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = []string{name}, nil }
}
