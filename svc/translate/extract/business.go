package extract

import (
	"slices"
	"strconv"

	"appliance/svc/translate/schemaorg"
)

// placeProperties are the properties whose value is the location of another node.
var placeProperties = []string{"location", "contentLocation", "locationCreated", "jobLocation"}

// isBusiness reports whether a node is a business that the page is about. An organization
// with an address, telephone, opening hours or geo always is. Without them, a
// LocalBusiness or FoodEstablishment is one unless it is the location of another node,
// and an Organization unless it only has a role, such as publisher.
func isBusiness(n *schemaorg.Node) bool {
	switch {
	case !n.Is("LocalBusiness", "FoodEstablishment", "Organization"):
		return false
	case hasContactData(n):
		return true
	case n.Is("LocalBusiness", "FoodEstablishment"):
		return !slices.ContainsFunc(n.Owners, func(o schemaorg.Owner) bool { return slices.Contains(placeProperties, o.Property) })
	}
	return !slices.ContainsFunc(n.Owners, isRole)
}

// isRole reports whether a property gives an organization a role, such as publisher. The
// other properties state the subject of a page or the items of a list.
func isRole(o schemaorg.Owner) bool {
	switch o.Property {
	case "mainEntity", "item", "itemListElement":
		return false
	case "about":
		return !o.Node.Is("WebPage")
	}
	return true
}

// hasContactData reports whether an organization has a telephone number, a position, an
// address or opening hours.
func hasContactData(n *schemaorg.Node) bool {
	r := newReader(&pageInput{})
	return len(r.phones(nil, n, "telephone")) > 0 || geo(n) != nil || r.address(n, "address", "location") != nil || len(hourValues(n)) > 0
}

// businesses returns a part for each business of the page.
func businesses(in *pageInput) (list []Extracted) {
	for _, n := range in.businesses {
		if e, ok := business(in, n); ok && len(list) < maxParts {
			list = append(list, e)
		}
	}
	return list
}

// maxDuplicates limits the nodes that describe the same object, and the comparisons that
// find them.
const maxDuplicates = 8

// businessNodes returns one node for each business of the page, although the page may
// describe it as an Organization and again as a LocalBusiness.
func businessNodes(in *pageInput) (list []*schemaorg.Node) {
	var groups [][]*schemaorg.Node
	index := make(map[string][]int) // positions in groups by name
	for _, n := range in.Graph.Nodes {
		if !isBusiness(n) {
			continue
		}
		name := textKey(businessName(in, n))
		same := slices.IndexFunc(index[name], func(i int) bool { return !differentPlaces(groups[i][0], n) })
		switch {
		case name == "":
		case same >= 0:
			i := index[name][same]
			if len(groups[i]) < maxDuplicates {
				groups[i] = append(groups[i], n)
			}
		case len(index[name]) < maxDuplicates:
			index[name] = append(index[name], len(groups))
			groups = append(groups, []*schemaorg.Node{n})
		}
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b *schemaorg.Node) int { return rank(a) - rank(b) })
		list = append(list, mergeNodes(g...))
	}
	return list
}

// rank orders the nodes that describe the same business: a LocalBusiness is first,
// because it has the most specific properties.
func rank(n *schemaorg.Node) int {
	if n.Is("LocalBusiness", "FoodEstablishment") {
		return 0
	}
	return 1
}

// differentPlaces reports whether two organizations have different addresses or, if
// they have none, different telephone numbers, such as branches of a chain.
func differentPlaces(a, b *schemaorg.Node) bool {
	r := newReader(&pageInput{})
	at, bt := r.address(a, "address"), r.address(b, "address")
	if at != nil && bt != nil {
		return textKey(at.Text) != textKey(bt.Text)
	}
	ap, bp := r.phones(nil, a, "telephone"), r.phones(nil, b, "telephone")
	return len(ap) > 0 && len(bp) > 0 && !isSamePhone(ap[0], bp[0])
}

// mergeNodes returns a node with the types, values and owners of nodes that describe
// the same object, those of the first node first.
func mergeNodes(nodes ...*schemaorg.Node) *schemaorg.Node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	all := &schemaorg.Node{ID: nodes[0].ID, Properties: make(map[string][]schemaorg.Value)}
	for _, n := range nodes {
		for _, t := range n.Types {
			if !slices.Contains(all.Types, t) {
				all.Types = append(all.Types, t)
			}
		}
		for p, values := range n.Properties {
			all.Properties[p] = append(all.Properties[p], values...)
		}
		all.Owners = append(all.Owners, n.Owners...)
	}
	return all
}

// businessName returns the name of a business; for a LocalBusiness without one it is
// the name of the site.
func businessName(in *pageInput, n *schemaorg.Node) string {
	r := newReader(in)
	name := r.name(n, "name", "legalName", "alternateName")
	if name == "" && n.Is("LocalBusiness", "FoodEstablishment") {
		name = in.site
	}
	return name
}

// siteName returns the name of the site, "" if the page does not state it.
func siteName(in *pageInput) string {
	for _, n := range in.Graph.Nodes {
		if n.Is("WebSite") {
			if name := newReader(in).name(n, "name"); name != "" {
				return name
			}
		}
	}
	return plain(in.Page.Meta["og:site_name"], maxLine)
}

// business returns the part of a business. ok is false if it has no name.
func business(in *pageInput, n *schemaorg.Node) (e Extracted, ok bool) {
	r := newReader(in)
	b := &Business{
		Name:       r.limitText(businessName(in, n)),
		Types:      typeNames(n),
		Address:    r.address(n, "address", "location"),
		Geo:        geo(n),
		URL:        r.url(n, "url"),
		PriceRange: r.line(n, "priceRange"),
		Rating:     r.rating(nodeOf(n, "aggregateRating"), "ratingCount", "reviewCount"),
		MenuURL:    r.url(n, "hasMenu", "menu"),
	}
	if b.Name == "" {
		return e, false
	}
	for _, of := range append([]*schemaorg.Node{n}, nodesOf(n, "contactPoint")...) {
		b.Phones = r.phones(b.Phones, of, "telephone")
		b.Emails = r.emails(b.Emails, of, "email")
	}
	if b.Geo == nil && nodeOf(n, "location") != nil {
		b.Geo = geo(nodeOf(n, "location"))
	}
	for _, text := range textsOf(n, "servesCuisine") {
		for _, cuisine := range splitList(plain(text, maxLine)) {
			b.Cuisines = r.add(b.Cuisines, cuisine)
		}
	}
	b.Description = r.text(n, maxText, "description", "disambiguatingDescription", "slogan")
	b.SameAs = r.urls(n, "sameAs")
	b.Images = r.imagesOf(n, maxValues, "image", "photo", "photos")
	b.Logo = r.logo(n)

	e = Extracted{Kind: "business", Title: b.Name, Summary: b.Description, Content: b, Images: b.Images}
	if b.Logo != nil && !slices.Contains(b.Images, b.Logo) {
		e.Images = append(slices.Clone(b.Images), b.Logo)
	}
	e.Details = details([2]string{"Address", b.Address.line()}, [2]string{"Telephone", first(b.Phones)}, [2]string{"E-mail", first(b.Emails)},
		[2]string{"Price range", b.PriceRange}, [2]string{"Rating", b.Rating.line()}, [2]string{"Cuisine", join(", ", b.Cuisines...)})
	if e.Summary == "" {
		e.Summary = b.Address.line()
	}
	return r.finish(e, n), true
}

// line returns the address on one line, "" for nil.
func (a *Address) line() string {
	if a == nil {
		return ""
	}
	return a.Text
}

// first returns the first item of a list, the zero value if it is empty.
func first[T any](list []T) (item T) {
	if len(list) == 0 {
		return item
	}
	return list[0]
}

// rating returns a rating, nil if it has no value that is a number. The number of
// ratings is the first of the count properties that has one.
func (r *reader) rating(n *schemaorg.Node, counts ...string) *Rating {
	if n == nil {
		return nil
	}
	text := plain(textOf(n, "ratingValue"), maxLine)
	value, best := ratingValue(text)
	if stated, ok := decimal(plain(textOf(n, "bestRating"), maxLine)); ok {
		best = stated
	}
	if value == "" || best != "" && exceeds(value, best) {
		return nil
	}
	rating := &Rating{Value: value, Best: best}
	for _, c := range counts {
		if rating.Count = positiveInt(plain(textOf(n, c), maxLine)); rating.Count > 0 {
			break
		}
	}
	if len(counts) > 0 && rating.Count == 0 && exceeds("0.01", value) { // nothing has been rated
		return nil
	}
	return rating
}

// line returns a rating as "4.5 of 5 (12 ratings)", "" for nil.
func (r *Rating) line() string {
	if r == nil {
		return ""
	}
	text := r.Value
	if r.Best != "" {
		text += " of " + r.Best
	}
	if r.Count > 0 {
		text += " (" + strconv.Itoa(r.Count) + plural(r.Count, " rating)", " ratings)")
	}
	return text
}
