package extract

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"appliance/svc/translate/schemaorg"
)

// Limits of a menu.
const (
	maxDishes   = 400
	maxSections = 80
	maxDepth    = 5   // of nested sections
	maxMenus    = 100 // menus that are read, also those without dishes
)

// Properties of menus. menuSection and menuItem are former names.
var (
	sectionProperties = []string{"hasMenuSection", "menuSection", "menuSections"}
	itemProperties    = []string{"hasMenuItem", "menuItem", "menuItems"}
)

// menus returns a part for each menu of the page that has dishes. A menu is a Menu, or a
// node with sections. The sections without a menu are one more part.
func menus(in *pageInput) (list []Extracted) {
	var unowned []*schemaorg.Node
	tried := 0
	for _, n := range in.Graph.Nodes {
		switch {
		case n.Is("MenuSection"):
			if !slices.ContainsFunc(n.Owners, func(o schemaorg.Owner) bool { return slices.Contains(sectionProperties, o.Property) }) {
				unowned = append(unowned, n)
			}
		case n.Is("Menu"), hasNode(n, sectionProperties):
			if tried++; tried > maxMenus || len(list) == maxParts {
				continue
			}
			if e, ok := menu(in, n, []*schemaorg.Node{n}); ok {
				list = append(list, e)
			}
		}
	}
	if len(unowned) > 0 && len(list) < maxParts {
		if e, ok := menu(in, unowned[0], unowned[:min(len(unowned), maxSections)]); ok {
			list = append(list, e)
		}
	}
	return list
}

func hasNode(n *schemaorg.Node, properties []string) bool {
	return slices.ContainsFunc(properties, func(p string) bool { return nodeOf(n, p) != nil })
}

// menuReader reads one menu.
type menuReader struct {
	*reader
	sections, dishes int
	path             []*schemaorg.Node // the sections around the current one
	currencies       map[string]int
}

// menu returns the part of a menu, or of sections without a menu. ok is false if it
// has no dish.
func menu(in *pageInput, n *schemaorg.Node, roots []*schemaorg.Node) (e Extracted, ok bool) {
	r := &menuReader{reader: newReader(in), currencies: make(map[string]int)}
	m := &Menu{Sections: []MenuSection{}}
	owner := ""
	if n.Is("Menu") {
		m.Name = r.name(n, "name")
	}
	if owner = menuOwner(in, n); owner == "" && m.Name == "" {
		owner = in.site
	}
	for _, root := range roots {
		section := r.section(root)
		if n.Is("MenuSection") {
			m.Sections = append(m.Sections, section)
			continue
		}
		if len(section.Items) > 0 {
			m.Sections = append(m.Sections, MenuSection{Items: section.Items})
		}
		m.Sections = append(m.Sections, section.Sections...)
	}
	m.Sections = slices.DeleteFunc(m.Sections, MenuSection.isEmpty)
	if r.dishes == 0 {
		return e, false
	}
	for code, count := range r.currencies {
		if most := r.currencies[m.Currency]; count > most || count == most && code < m.Currency {
			m.Currency = code
		}
	}
	name := firstOf(owner, m.Name)
	if owner != "" && m.Name != "" && !strings.Contains(textKey(m.Name), textKey(owner)) && textKey(m.Name) != "menu" {
		name = owner + " (" + m.Name + ")"
	}
	e = Extracted{Kind: "menu", Title: joinTitle("Menu", name), Content: m, Summary: r.reader.text(n, maxText, "description")}
	var names []string
	for _, s := range m.Sections {
		names = append(names, s.Name)
	}
	e.Details = details([2]string{"Dishes", fmt.Sprint(r.dishes)}, [2]string{"Sections", join(", ", names...)}, [2]string{"Currency", m.Currency})
	if e.Summary == "" {
		e.Summary = join(", ", names...)
	}
	if r.dishes == maxDishes || r.sections == maxSections {
		e.Warnings = append(e.Warnings, fmt.Sprintf("A menu shows at most %d dishes in %d sections.", maxDishes, maxSections))
	}
	return r.finish(e, n), true
}

// menuOwner returns the name of the place to which a menu or a section belongs, "" if it
// is unknown.
func menuOwner(in *pageInput, n *schemaorg.Node) string {
	if !n.Is("Menu", "MenuSection") {
		return businessName(in, n)
	}
	for _, o := range n.Owners {
		if name := businessName(in, o.Node); name != "" && !o.Node.Is("Menu", "MenuSection") {
			return name
		}
	}
	return ""
}

func (s MenuSection) isEmpty() bool { return len(s.Items) == 0 && len(s.Sections) == 0 }

// section reads a menu or one of its sections.
func (r *menuReader) section(n *schemaorg.Node) (s MenuSection) {
	if len(r.path) >= maxDepth || r.sections >= maxSections || slices.Contains(r.path, n) {
		return s
	}
	r.sections++
	r.path = append(r.path, n)
	if n.Is("MenuSection") {
		s.Name, s.Description = r.name(n, "name"), r.reader.text(n, maxText, "description")
	}
	for _, item := range nodesOf(n, itemProperties...) {
		if item.Is("MenuSection") { // a section in the wrong property
			s.addSection(r.section(item))
		} else if dish, ok := r.dish(item); ok {
			s.Items = append(s.Items, dish)
		}
	}
	for _, sub := range nodesOf(n, sectionProperties...) {
		s.addSection(r.section(sub))
	}
	r.path = r.path[:len(r.path)-1]
	return s
}

func (s *MenuSection) addSection(sub MenuSection) {
	if !sub.isEmpty() {
		s.Sections = append(s.Sections, sub)
	}
}

// dish reads a MenuItem. ok is false if it has no name.
func (r *menuReader) dish(n *schemaorg.Node) (item MenuItem, ok bool) {
	if r.dishes >= maxDishes {
		return item, false
	}
	if item.Name = r.name(n, "name"); item.Name == "" {
		return item, false
	}
	r.dishes++
	item.Description = r.reader.text(n, maxText, "description")
	if item.Prices = r.prices(n, "offers", "price"); len(item.Prices) > 0 && item.Prices[0].Currency != "" {
		r.currencies[item.Prices[0].Currency]++
	}
	for _, v := range valuesOf(n, "suitableForDiet") {
		item.Diets = r.add(item.Diets, dietName(enumMember(v)))
	}
	return item, true
}

// dietName returns a diet of schema.org in words, as "Gluten free" of "GlutenFreeDiet".
func dietName(member string) string {
	member = strings.TrimSuffix(plain(member, maxLine), "Diet")
	var b strings.Builder
	for i, c := range member {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
			c = unicode.ToLower(c)
		}
		b.WriteRune(c)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
