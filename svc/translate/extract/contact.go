package extract

import (
	"slices"
	"strings"

	"appliance/svc/translate/schemaorg"

	"golang.org/x/net/html"
)

// maxPoints is the maximum number of contact points.
const maxPoints = 24

// contacts returns a part, if the page is a ContactPage and states a telephone
// number, an e-mail address or a postal address.
func contacts(in *pageInput) []Extracted {
	tried := 0
	for _, n := range in.Graph.Nodes {
		if n.Is("ContactPage") && isThisPage(in, n) && tried < maxDuplicates {
			tried++
			if e, ok := contact(in, n); ok {
				return []Extracted{e}
			}
		}
	}
	return nil
}

// isThisPage reports whether a WebPage node describes the translated page, and not
// another page of the site.
func isThisPage(in *pageInput, n *schemaorg.Node) bool {
	if slices.ContainsFunc(n.Owners, func(o schemaorg.Owner) bool { return o.Property == "mainEntity" || o.Property == "mainEntityOfPage" }) {
		return true
	}
	r := newReader(in)
	if u := r.url(n, "url"); u != "" {
		return r.isPage(u)
	}
	return n.ID == "" || strings.Contains(n.ID, "#") || r.isPage(n.ID)
}

// contact returns the part of a ContactPage. ok is false if it has no contact point.
func contact(in *pageInput, n *schemaorg.Node) (e Extracted, ok bool) {
	r := newReader(in)
	c := &Contact{URL: r.url(n, "url")}
	organizations := append(nodesOf(n, "mainEntity", "about"), in.businesses...)
	organizations = organizations[:min(len(organizations), maxParts)]
	for _, o := range append(organizations, n) {
		if c.Name == "" && o != n {
			c.Name = r.name(o, "name", "legalName")
		}
		if c.Address == nil {
			c.Address = r.address(o, "address", "location")
		}
		r.contactPoints(c, o)
	}
	r.linkedPoints(c)
	if len(c.Points) == 0 {
		return e, false
	}
	name := firstOf(c.Name, in.site, pageName(in))
	e = Extracted{Kind: "contact", Title: joinTitle("Contact", name), Content: c, Summary: r.text(n, maxText, "description")}
	e.Details = details([2]string{"Telephone", c.find(func(p ContactPoint) string { return p.Phone })},
		[2]string{"E-mail", c.find(func(p ContactPoint) string { return p.Email })}, [2]string{"Address", c.Address.line()})
	if e.Summary == "" {
		e.Summary = join(", ", e.Details[0][1], c.Address.line())
	}
	return r.finish(e, n), true
}

// find returns the first value of the contact points that is not empty.
func (c *Contact) find(value func(ContactPoint) string) string {
	for _, p := range c.Points {
		if v := value(p); v != "" {
			return v
		}
	}
	return ""
}

// contactPoints adds the ways to contact an organization: its contact points, and its
// own telephone numbers and e-mail addresses.
func (r *reader) contactPoints(c *Contact, n *schemaorg.Node) {
	for _, of := range append(nodesOf(n, "contactPoint", "contactPoints"), n) {
		var p ContactPoint
		if of != n {
			p.Type = r.line(of, "contactType", "name")
			p.Hours = join("; ", r.hoursTexts(of, "hoursAvailable")...)
			p.Languages = r.names(of, "availableLanguage")
		}
		phones, emails := r.phones(nil, of, "telephone"), r.emails(nil, of, "email")
		for i := range max(len(phones), len(emails)) {
			p.Phone, p.Email = at(phones, i), at(emails, i)
			c.add(p)
		}
	}
}

// at returns list[i], "" if i is out of range.
func at(list []string, i int) string {
	if i >= len(list) {
		return ""
	}
	return list[i]
}

// add adds a contact point, without a telephone number or e-mail address that another
// one has.
func (c *Contact) add(p ContactPoint) {
	for _, other := range c.Points {
		if p.Phone != "" && other.Phone != "" && isSamePhone(p.Phone, other.Phone) {
			p.Phone = ""
		}
		if strings.EqualFold(p.Email, other.Email) {
			p.Email = ""
		}
	}
	if (p.Phone != "" || p.Email != "") && len(c.Points) < maxPoints {
		c.Points = append(c.Points, p)
	}
}

// linkedPoints adds contact points for the tel and mailto links of the page outside of
// forms.
func (r *reader) linkedPoints(c *Contact) {
	skip := func(n *html.Node) bool {
		return n.Type == html.ElementNode && (n.Data == "form" || n.Data == "template")
	}
	for n := r.Page.Root; n != nil; n = next(n, r.Page.Root, skip(n)) {
		if n.Type != html.ElementNode || n.Data != "a" {
			continue
		}
		for _, a := range n.Attr {
			if a.Key != "href" {
				continue
			}
			scheme, _, _ := strings.Cut(a.Val, ":")
			switch strings.ToLower(strings.TrimSpace(scheme)) {
			case "tel":
				c.add(ContactPoint{Phone: r.limitText(phone(a.Val))})
			case "mailto":
				c.add(ContactPoint{Email: r.limitText(email(a.Val))})
			}
		}
	}
}

// next returns the node after n in document order below root, without the children of n
// if skip is set. It does not recurse, because documents may be deeply nested.
func next(n, root *html.Node, skip bool) *html.Node {
	if n.FirstChild != nil && !skip {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}
