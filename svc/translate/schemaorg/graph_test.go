package schemaorg_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"appliance/svc/translate/page"
	"appliance/svc/translate/schemaorg"
)

// thing is a node of a random graph.
type thing struct {
	id     string
	types  []string
	values map[string][]any // texts and *thing
}

// randomGraph returns nodes with texts and references. The first one reaches all.
func randomGraph(r *rand.Rand) []*thing {
	list := make([]*thing, 1+r.IntN(8))
	for i := range list {
		list[i] = &thing{id: fmt.Sprintf("%s#n%d", address, i), values: make(map[string][]any)}
		list[i].types = []string{"Hotel", "Person", "NewsArticle", "Event", "Offer"}[r.IntN(4):][:1+r.IntN(2)]
		if i > 0 {
			owner := list[r.IntN(i)]
			owner.values["p0"] = append(owner.values["p0"], list[i])
		}
	}
	for range r.IntN(20) {
		t, name := list[r.IntN(len(list))], fmt.Sprint("p", r.IntN(4))
		var v any = fmt.Sprintf("text %d & \"<é>\"", r.IntN(5))
		if r.IntN(3) == 0 {
			v = list[r.IntN(len(list))]
		}
		if !slices.Contains(t.values[name], v) {
			t.values[name] = append(t.values[name], v)
		}
	}
	return list
}

// form writes a graph in one of its equivalent forms, which it selects at random.
type form struct {
	r      *rand.Rand
	nested bool            // nodes are written where they occur first
	done   map[*thing]bool // written nodes
}

// randomBool returns true in half of the cases.
func (f *form) randomBool() bool { return f.r.IntN(2) == 0 }

// node returns a node as a JSON object with shuffled keys.
func (f *form) node(t *thing) string {
	f.done[t] = true
	types, _ := json.Marshal(t.types)
	if len(t.types) == 1 && f.randomBool() {
		types, _ = json.Marshal("http://schema.org/" + strings.ToLower(t.types[0]))
	}
	members := []string{`"@id":` + quote(t.id), `"@type":` + string(types)}
	if f.randomBool() {
		members[0] = `"@id":` + quote(strings.TrimPrefix(t.id, address))
	}
	for _, name := range slices.Sorted(maps.Keys(t.values)) {
		var values []string
		for _, v := range t.values[name] {
			switch v := v.(type) {
			case *thing:
				if f.nested && !f.done[v] {
					values = append(values, f.node(v))
				} else {
					values = append(values, `{"@id":`+quote(v.id)+`}`)
				}
			case string:
				if f.randomBool() {
					values = append(values, quote(v))
				} else {
					values = append(values, `{"@value":`+quote(v)+`}`)
				}
			}
		}
		value := "[" + strings.Join(values, ",") + "]"
		if len(values) == 1 && f.randomBool() {
			value = values[0]
		} else if f.randomBool() {
			value = `{"@list":` + value + `}`
		}
		members = append(members, quote([]string{"", "schema:", "https://schema.org/"}[f.r.IntN(3)]+name)+":"+value)
	}
	f.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

func quote(s string) string {
	text, _ := json.Marshal(s) // escapes < and >
	return string(text)
}

// jsonLD writes a graph as one or several blocks.
func (f *form) jsonLD(list []*thing) string {
	f.nested, f.done = f.randomBool(), make(map[*thing]bool)
	var nodes []string
	for _, t := range list {
		if !f.done[t] {
			nodes = append(nodes, f.node(t))
		}
	}
	switch f.r.IntN(3) {
	case 0:
		return script("[" + strings.Join(nodes, ",") + "]")
	case 1:
		return script(`{"@context":"https://schema.org","@graph":[` + strings.Join(nodes, ",") + "]}")
	}
	f.r.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(script(n))
	}
	return b.String()
}

// rdfa writes a graph as RDFa Lite.
func (f *form) rdfa(list []*thing) string {
	var b strings.Builder
	b.WriteString(`<div vocab="https://schema.org/">`)
	for _, t := range list {
		fmt.Fprintf(&b, `<div typeof="%s" resource="%s">`, strings.Join(t.types, " "), t.id)
		for _, name := range slices.Sorted(maps.Keys(t.values)) {
			for _, v := range t.values[name] {
				switch v := v.(type) {
				case *thing:
					fmt.Fprintf(&b, `<a property="%s" resource="%s">x</a>`, name, v.id)
				case string:
					fmt.Fprintf(&b, `<i property="%s">%s</i>`, name, html.EscapeString(v))
				}
			}
		}
		b.WriteString("</div>")
	}
	return b.String() + "</div>"
}

// canonical returns a graph as text that does not depend on its order.
func canonical(g *schemaorg.Graph) string {
	var lines []string
	for _, n := range g.Nodes {
		lines = append(lines, n.ID+" is "+strings.Join(slices.Sorted(slices.Values(n.Types)), ","))
		for name, values := range n.Properties {
			for _, v := range values {
				if v.Node != nil {
					lines = append(lines, n.ID+" "+name+" node "+v.Node.ID)
				} else {
					lines = append(lines, n.ID+" "+name+" text "+v.Text)
				}
			}
		}
		for _, o := range n.Owners {
			lines = append(lines, n.ID+" belongs to "+o.Node.ID+" as "+o.Property)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Covers PT-36: the graph does not depend on syntax, nesting and order of keys.
func TestGraphIsIndependentOfItsForm(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 36))
		list := randomGraph(r)
		f := &form{r: r}
		forms := []string{f.rdfa(list)}
		for range 6 {
			forms = append(forms, f.jsonLD(list))
		}
		want := canonical(parse(t, forms[0]))
		for _, text := range forms[1:] {
			if got := canonical(parse(t, text)); got != want {
				t.Fatalf("seed %d, %s\ngot\n%s\nwant the graph of %s\n%s", seed, text, got, forms[0], want)
			}
		}
		if got := strings.Count(want, " is "); got != len(list) {
			t.Errorf("seed %d: got %d nodes, want %d", seed, got, len(list))
		}
	}
}

func TestEachNodeComesBeforeNestedOnes(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		list := randomGraph(r)
		f := &form{r: r, nested: true, done: make(map[*thing]bool)}
		g := parse(t, script(f.node(list[0])))
		if len(g.Nodes) == 0 || g.Nodes[0].ID != list[0].id {
			t.Fatalf("seed %d: got %s, want %s first", seed, describe(g), list[0].id)
		}
		for i, n := range g.Nodes[1:] {
			earlier := slices.ContainsFunc(n.Owners, func(o schemaorg.Owner) bool { return slices.Contains(g.Nodes[:i+1], o.Node) })
			if !earlier {
				t.Errorf("seed %d: got %s before its owners, want it after one", seed, n.ID)
			}
		}
	}
}

// Covers PT-45 for structured data.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		script(`{"@graph":[{"@id":"#a","@type":"Hotel","x":{"@id":"#a"}}]}`),
		`<div itemscope itemref="a" itemtype="http://schema.org/Hotel"><p id=a itemprop=x itemscope itemref=a>`,
		`<div vocab="http://schema.org/" typeof=Hotel resource="#a"><i property="name x" resource="#a">y`,
		`<div prefix="s: http://schema.org/" typeof=s:Hotel><i property=s:name content=y></div><p itemscope itemtype="http://schema.org/Hotel"><i itemprop=name>y`,
	} {
		f.Add(s)
		f.Add(s + strings.Repeat(s, 20))
	}
	f.Fuzz(func(t *testing.T, body string) {
		p, err := page.Parse(address, "text/html", []byte("<title>Title</title>"+body))
		if err != nil {
			t.Fatal(err)
		}
		g := schemaorg.Parse(p)
		if got := len(g.Nodes); got > min(20_000, len(body)) {
			t.Errorf("got %d nodes of %d bytes, want at most one for each byte", got, len(body))
		}
		seen := make(map[*schemaorg.Node]bool)
		ids := make(map[string]bool)
		for _, n := range g.Nodes {
			if seen[n] || n.ID != "" && ids[n.ID] {
				t.Errorf("got the node %q twice, want it once", n.ID)
			}
			seen[n], ids[n.ID] = true, true
			checkNode(t, n)
		}
		for _, n := range g.Nodes {
			for _, values := range n.Properties {
				for _, v := range values {
					if v.Node != nil && !seen[v.Node] {
						t.Error("got a value that is not a node of the graph, want one of the graph")
					}
				}
			}
		}
	})
}

// checkNode checks that a node is well-formed.
func checkNode(t *testing.T, n *schemaorg.Node) {
	t.Helper()
	for _, o := range n.Owners {
		if !slices.Contains(o.Node.Properties[o.Property], schemaorg.Value{Node: n}) {
			t.Errorf("got the owner %s, want one with the node as a value", o.Property)
		}
	}
	for name, values := range n.Properties {
		if len(values) == 0 || name == "" || name[0] == '@' {
			t.Errorf("got the property %q with %d values, want a name and values", name, len(values))
		}
		for _, v := range values {
			if (v.Node == nil) == (v.Text == "") || len(v.Text) > 64<<10 {
				t.Errorf("%s: got %+v, want a node or a text", name, v)
			}
		}
	}
	for _, text := range append(slices.Clone(n.Types), n.ID) {
		if page.Text(text, 1<<20) != text && strings.Contains(text, "<") {
			t.Errorf("got the type or identifier %q, want it without markup", text)
		}
	}
}

// page200KB returns an ordinary page of about 200 KB.
func page200KB() []byte {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html lang=en><head><title>Page</title>` + strings.Repeat(`<meta property="og:x" content="A text of usual length">`, 40))
	var nodes []string
	for i := range 120 {
		nodes = append(nodes, fmt.Sprintf(`{"@type":"NewsArticle","@id":"#%d","headline":"Headline &amp; %d","author":{"@type":"Person","name":"Name %d"},"image":["https://example.org/%d.jpg"],"publisher":{"@id":"#%d"},"description":"%s"}`, i, i, i, i, i/2, strings.Repeat("word ", 20)))
	}
	b.WriteString(script(`{"@context":"https://schema.org","@graph":[` + strings.Join(nodes, ",") + `]}`))
	b.WriteString("</head><body>")
	for i := range 330 {
		fmt.Fprintf(&b, `<div class="card card-%d" itemscope itemtype="https://schema.org/Product"><h2 itemprop="name"><a href="/p/%d">Product %d</a></h2><img itemprop="image" src="/i/%d.jpg" alt="Picture"><p class="text" itemprop="description">Some <b>text</b> with <i>words</i> &amp; more.%s</p><ul><li>One</li><li>Two</li></ul></div>`, i, i, i, i, strings.Repeat(" words", 30))
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	body := page200KB()
	p, err := page.Parse(address, "text/html", body)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if g := schemaorg.Parse(p); len(g.Nodes) != 570 {
			b.Fatalf("got %d nodes, want 570", len(g.Nodes))
		}
	}
}

func BenchmarkPage(b *testing.B) {
	body := page200KB()
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := page.Parse(address, "text/html", body); err != nil {
			b.Fatal(err)
		}
	}
}
