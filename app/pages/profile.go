package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"fmt"
	"net/url"

	"github.com/smallstep/pkcs7"

	"appliance/svc/identity"
	"appliance/svc/words"
)

// configurationProfile returns a configuration profile for Apple devices with a CalDAV account,
// with texts in the language l. name is that of the server. A second profile of the same member
// and server replaces the first.
func configurationProfile(l words.Language, base *url.URL, name string, m identity.Member, d identity.NewDevice) []byte {
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
	payload("Configuration", id, l.Textf("Calendars of %s", name))
	text("PayloadDescription", l.Textf("Adds the calendars and tasks of %s (%s) as the device %s.", m.DisplayName, m.Username, d.Label))
	text("PayloadOrganization", name)
	b.WriteString("<key>PayloadContent</key><array><dict>\n")
	payload("com.apple.caldav.account", id+".account", name)
	text("CalDAVAccountDescription", name)
	text("CalDAVHostName", base.Hostname())
	fmt.Fprintf(&b, "<key>CalDAVPort</key><integer>%s</integer>\n<key>CalDAVUseSSL</key><%t/>\n", port, base.Scheme == "https")
	text("CalDAVPrincipalURL", fmt.Sprintf("%s/caldav/%d/", base.Path, m.ID))
	text("CalDAVUsername", m.Username)
	text("CalDAVPassword", d.Password)
	b.WriteString("</dict></array>\n</dict></plist>\n")
	return b.Bytes()
}

// nameUUID returns a UUID that is derived from a name (version 8, RFC 9562 §5.8).
func nameUUID(name string) string {
	id := sha256.Sum256([]byte(name))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
}

// signProfile signs a configuration profile with the certificate of the server, so that the
// device shows the name of the server as verified. Without a certificate, such as behind a
// proxy, or with a key that the format does not support, it returns the profile as it is:
// devices also install unsigned profiles.
func (s *Server) signProfile(profile []byte) []byte {
	certificate := s.Certificate()
	if certificate == nil {
		return profile
	}
	signed, err := signWith(certificate, profile)
	if err != nil {
		s.Log.Warn("a configuration profile is not signed", "err", err)
		return profile
	}
	return signed
}

// signWith returns content as signed data of the Cryptographic Message Syntax (RFC 5652
// §5), with the chain of the certificate.
func signWith(certificate *tls.Certificate, content []byte) ([]byte, error) {
	var chain []*x509.Certificate
	for _, der := range certificate.Certificate {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, err
		}
		chain = append(chain, c)
	}
	data, err := pkcs7.NewSignedData(content)
	if err != nil {
		return nil, err
	}
	data.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	if err := data.AddSignerChain(chain[0], certificate.PrivateKey, chain[1:], pkcs7.SignerInfoConfig{}); err != nil {
		return nil, err
	}
	return data.Finish()
}
