package page_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"appliance/svc/translate/page"
)

var tag = regexp.MustCompile(`<[a-zA-Z/!?]`)

// checkText checks the property of every text that leaves the package. Covers PT-35.
func checkText(t *testing.T, got string, limit int) {
	t.Helper()
	if found := tag.FindString(got); found != "" {
		t.Errorf("got %q with %q, want no tag", got, found)
	}
	if len(got) > limit || !utf8.ValidString(got) {
		t.Errorf("got %d bytes, valid: %t, want at most %d of UTF-8", len(got), utf8.ValidString(got), limit)
	}
	for _, r := range got {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) && r != '\u200e' && r != '\u200f' && r != '\u061c' {
			t.Errorf("got %q, want no control character", got)
		}
	}
}

func checkURL(t *testing.T, got string) {
	t.Helper()
	u, err := url.Parse(got)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(got) > 2048 {
		t.Errorf("got %q, %v, want an http or https URL without a user name", got, err)
	}
	if strings.ContainsFunc(got, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`<>"`, r) }) {
		t.Errorf("got %q, want ASCII without spaces, < and >", got)
	}
}

func TestTextIsPlain(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Plain text", "Plain text"},
		{"  a \t\n b\u00a0\u2003c ", "a b c"},
		{"a &amp; b", "a & b"},
		{"Fish &amp;amp; chips", "Fish & chips"},
		{"<p>One</p><p>Two</p>", "One Two"},
		{"H<sub>2</sub>O <b>bold</b>", "H2O bold"},
		{"&lt;p&gt;One&lt;/p&gt; two", "One two"},
		{"&amp;lt;p&amp;gt;One&amp;lt;/p&amp;gt; two", "One two"},
		{"<<b>script>alert(1)</script>", "alert(1)"},
		{"<scr<b>ipt>x", "ipt>x"},
		{"&amp;lt;<b>b>x", "x"},
		{"&lt;&lt;b&gt;i&gt;x", "x"},
		{"a<script>evil()</script>b<style>p{}</style>c", "a b c"},
		{`a<img alt="x>y" src='a>b'>c`, "a c"},
		{`<a title="unclosed>text`, "text"},
		{"a<!-- > --> b <!DOCTYPE x><?php 1 ?>c", "a b c"},
		{"1 < 2 and 3 > 2 and 5<6", "1 < 2 and 3 > 2 and 5<6"},
		{"i <b you", "i b you"},
		{"it's a <b>dog's</b> life", "it's a dog's life"},
		{"<\x00b>x", "b>x"},
		{"<\u202eb>x", "b>x"},
		{"<\u200b/b>x", "/b>x"},
		{"a\u202eb\u2066c\u200bd\ufeffe\u00adf\U000e0041", "abcdef"},
		{"a\x00\x07\x1b[31mb\u0085c", "a[31mb c"},
		{"\xff\xfea", "\ufffd\ufffda"},
		{"عربي\u200f!", "عربي\u200f!"},
		{"👩\u200d🍳", "👩\u200d🍳"},
		{"&#60;b&#62;x&#x3c;/b&#x3e;", "x"},
		{"&lt", "<"},
	} {
		if got := page.Text(c.text, 1000); got != c.want {
			t.Errorf("Text(%q): got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTextIsCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"one two three", 13, "one two three"},
		{"one two three", 12, "one two"},
		{"one two three", 7, "one two"},
		{"one two three", 6, "one tw"},
		{"a bcdefghijk", 10, "a bcdefghi"},
		{"äöü", 5, "äö"},
		{"日本語", 2, ""},
		{"text", 0, ""},
		{"text", -1, ""},
		{strings.Repeat("<i></i>", 100) + "x", 5, "x"},
	} {
		if got := page.Text(c.text, c.limit); got != c.want {
			t.Errorf("Text(%q, %d): got %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func TestLinesKeepsLineBreaks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" a  b \r\n c\n\n\n\nd ", "a b\nc\n\nd"},
		{"<p>One</p><p>Two<br>Three</p>", "One\n\nTwo\nThree"},
		{"one line", "one line"},
		{"a\u2028b", "a\nb"},
		{"<\nb>", "<\nb>"},
	} {
		if got := page.Lines(c.text, 1000); got != c.want {
			t.Errorf("Lines(%q): got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCodeKeepsIndentation(t *testing.T) {
	got := page.Code("\nfunc f[T any]() {\r\n\tx := \"<b>&amp;\"\n  y<z\x00\n}\n", 1000)
	if want := "func f[T any]() {\n\tx := \"< b>&amp;\"\n  y< z\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestResolveReturnsSafeURLs(t *testing.T) {
	p := parse(t, "text/html", "x")
	for _, c := range []struct{ reference, want string }{
		{"a.html", "https://example.org/dir/a.html"},
		{" /a?b=c#d ", "https://example.org/a?b=c#d"},
		{"//other.example/x", "https://other.example/x"},
		{"HTTP://Other.Example:8080", "http://other.example:8080/"},
		{"../../../up", "https://example.org/up"},
		{"?q=1", "https://example.org/dir/page.html?q=1"},
		{"/100%/ä b?q=<b>\"#<x>", "https://example.org/100%25/%C3%A4%20b?q=%3Cb%3E%22#%3Cx%3E"},
		{"https://münchen.example/", "https://xn--mnchen-3ya.example/"},
		{"https://a_b.example/", "https://a_b.example/"},
		{"https:\\\\other.example\\x", "https://other.example/x"},
		{"/a\n\tb", "https://example.org/ab"},
		{"https://[2001:DB8::1]:8080/", "https://[2001:db8::1]:8080/"},
		{"", ""},
		{"javascript:alert(1)", ""},
		{"JaVa\nScript:alert(1)", ""},
		{"data:text/html,x", ""},
		{"mailto:a@b.example", ""},
		{"ftp://a.example/", ""},
		{"http:a", ""},
		{"http:///a", ""},
		{"https://user:secret@a.example/", ""},
		{"https://@a.example/", ""},
		{"https://a<b>.example/", ""},
		{"https://a.example:port/", ""},
		{"https://[fe80::1%25eth0]/", ""},
		{"/a\x00b", ""},
		{"/\u202eb", ""},
		{"/" + strings.Repeat("a", 2048), ""},
		{"/" + strings.Repeat("ä", 900), ""},
	} {
		if got := p.Resolve(c.reference); got != c.want {
			t.Errorf("Resolve(%q): got %q, want %q", c.reference, got, c.want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"<<b>script>", "&lt;b&gt;", "&amp;lt;b", "<a title='>\">x", "<!--<script></style>", "a\u202e\n\n\nb", "<\x00!"} {
		f.Add(s, 20)
		f.Add(strings.Repeat(s, 9), 1000)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = min(limit, 1<<20)
		for name, convert := range map[string]func(string, int) string{"Text": page.Text, "Lines": page.Lines, "Code": page.Code} {
			got := convert(s, limit)
			checkText(t, got, max(limit, 0))
			if strings.TrimSpace(got) != got && name != "Code" || name == "Text" && strings.ContainsAny(got, "\n\t") {
				t.Errorf("%s(%q): got %q, want collapsed white space", name, s, got)
			}
			if strings.Contains(got, "  ") && name != "Code" || strings.Contains(got, "\n\n\n") && name == "Lines" {
				t.Errorf("%s(%q): got %q, want collapsed white space", name, s, got)
			}
		}
	})
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a", "//b/c?d#e", "http://x:y@z", "https://ä.example/%zz<", "\\\\a", "http://[::1%25x]", "//a://b?://c"} {
		f.Add(s, "/base/")
	}
	f.Fuzz(func(t *testing.T, reference, base string) {
		p, err := page.Parse(address, "text/html", []byte("<base href='"+strings.ReplaceAll(base, "'", "")+"'>x"))
		if err != nil {
			t.Skip()
		}
		got := p.Resolve(reference)
		if got == "" {
			return
		}
		checkURL(t, got)
		if again := p.Resolve(got); again != got {
			t.Errorf("Resolve(%q): got %q, and from that %q, want the same", reference, got, again)
		}
	})
}
