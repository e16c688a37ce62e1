package extract

import "testing"

func TestPhoneReturnsTelephoneNumbersOnly(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"+49 89 1258-0", "+49 89 1258-0"}, {"tel:+49891258", "+49891258"}, {"tel:+49%20891258;ext=3", "+49 891258"}, {"Tel.: 030 / 123456", "030 / 123456"},
		{"6156821622", "6156821622"}, {"(615) 682-1622 ext 4", "(615) 682-1622 ext 4"},
		{"+1-XXX-XXX-XXXX", ""}, {"000-000-0000", ""}, {"123", ""}, {"call us", ""}, {"", ""}, {"javascript:alert(12345)", ""}, {"<b>030 123456</b>", "030 123456"},
	} {
		if got := phone(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestEmailReturnsAddressesOnly(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"info@example.org", "info@example.org"}, {"mailto:info@example.org?subject=x", "info@example.org"}, {"MAILTO:a@b.example", "a@b.example"},
		{"info at example.org", ""}, {"@example.org", ""}, {"a@localhost", ""}, {"a@b.example,c@d.example", ""}, {"", ""},
	} {
		if got := email(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAddressOnOneLine(t *testing.T) {
	for _, c := range []struct {
		address Address
		want    string
	}{
		{Address{Street: "Lazarettstraße 33", Postcode: "80636", Locality: "München", Country: "DE"}, "Lazarettstraße 33, 80636 München, DE"},
		{Address{Street: "1 Main St", Locality: "Nashville", Region: "TN", Postcode: "37201", Country: "USA"}, "1 Main St, Nashville, TN 37201, USA"},
		{Address{Street: "10 High Street", Locality: "London", Postcode: "SW1A 1AA", Country: "United Kingdom"}, "10 High Street, London, SW1A 1AA, United Kingdom"},
		{Address{Country: "PERU"}, "PERU"},
		{Address{}, ""},
	} {
		if got := c.address.format(); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.address, got, c.want)
		}
	}
}

// All sizes of a picture have the same key; different pictures have different keys.
func TestSizesOfAPictureHaveOneKey(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"https://a.example/p.jpg", "http://a.example/p.jpg?w=300", true},
		{"https://a.example/p.jpg", "https://a.example/p-1024x768.jpg", true},
		{"https://a.example/p-16x9.jpg", "https://a.example/p-4x3.jpg", true},
		{"https://a.example/p.jpg", "https://a.example/p-scaled.jpg", true},
		{"https://a.example/p.jpg", "https://a.example/p.webp", true},
		{"https://a.example/p@2x.png", "https://a.example/p.png", true},
		{"https://a.example/w_300,h_200/p.png", "https://a.example/w_600/p.png", true},
		{"https://a.example/abc=s640", "https://a.example/abc=w1200-h600", true},
		{"https://a.example/p1.jpg", "https://a.example/p2.jpg", false},
		{"https://a.example/x/p.jpg", "https://a.example/y/p.jpg", false},
		{"https://a.example/p.jpg", "https://b.example/p.jpg", false},
		{"https://a.example/2026-01.jpg", "https://a.example/2026-02.jpg", false},
	} {
		if same := pictureKey(c.a) == pictureKey(c.b); same != c.same {
			t.Errorf("%s and %s: got same %v, want %v", c.a, c.b, same, c.same)
		}
	}
}
