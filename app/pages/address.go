package pages

import (
	"net/http"

	"appliance/app/httpd"
	"appliance/svc"
)

// addressView is the data of the page that names the address of the server.
type addressView struct {
	Opened   string // the address that the browser uses
	Address  string // base-url
	Correct  string // the URL of the page at base-url
	Continue string // see httpd.WrongAddress
}

// WriteAddressPage writes a page that names the address of the server, in place of a form. After a
// sign-out it removes the data that the browser has stored, as the sign-in page does.
func (s *Server) WriteAddressPage(w http.ResponseWriter, r *http.Request, a httpd.WrongAddress) error {
	l := s.pageLanguage(r, svc.Viewer{})
	p := page{Language: l, Title: l.Text("Wrong address"), Address: &addressView{
		Opened: a.Opened, Address: s.Settings.URL().String(), Correct: a.Correct, Continue: a.Continue,
	}}
	if r.URL.Query().Has(signedOutParameter) {
		p.Script = SignedOutScript
	}
	return s.render(w, http.StatusOK, "address", p)
}
