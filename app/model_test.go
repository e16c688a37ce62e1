package app

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// shelfModel is what a calendar holds, as whoever has followed all changes to
// it knows: octets by name.
type shelfModel struct {
	path, id string
	texts    map[string]string
	marks    string    // sync-token and ctag
	past     []replica // the calendar as it was at earlier tokens, by name
}

// playground is a member with two calendars and a model of them.
type playground struct {
	*desk
	dice
	calendars [2]*shelfModel
	rows      *sql.DB
	serial    int
}

func newPlayground(t *testing.T, seed uint64) *playground {
	p := &playground{desk: newDesk(t), dice: newDice(seed)}
	list := p.ann.do("GET", "/world/calendars").want(200)
	for i := range p.calendars {
		p.calendars[i] = &shelfModel{
			path: list.str(fmt.Sprintf("calendars.%d.caldav_path", i)), id: list.str(fmt.Sprintf("calendars.%d.id", i)), texts: make(map[string]string),
		}
	}
	db, err := sql.Open("sqlite", "file:"+p.settings.Database()+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	p.rows = db
	return p
}

// native is the address of an entry for runtimes.
func (p *playground) native(c *shelfModel, name string) string {
	p.t.Helper()
	var id string
	if err := p.rows.QueryRow("SELECT id FROM calendar_object WHERE calendar_id = ? AND segment = ?", c.id, name).Scan(&id); err != nil {
		p.t.Fatalf("%s: %v", name, err)
	}
	return "/world/time/objects/" + id
}

// some returns the name of an entry, "" if there is none.
func (p *playground) some(c *shelfModel) string {
	if len(c.texts) == 0 {
		return ""
	}
	return pick(p.dice, slices.Sorted(maps.Keys(c.texts))...)
}

// read gets what a calendar program reads under a name.
func (p *playground) read(c *shelfModel, name string) *answer {
	p.t.Helper()
	return p.ann.basic().do("GET", c.path+name)
}

// step does one thing or another to the calendar c, and tells the model. It
// returns which calendars have changed.
func (p *playground) step(c, other *shelfModel) (about string, changed []*shelfModel) {
	p.t.Helper()
	p.serial++
	dav, name := p.ann.basic(), p.some(c)
	uid := fmt.Sprintf("uid-%d", p.serial)
	if name == "" || p.one(4) {
		name = fmt.Sprintf("entry %d.ics", p.serial)
		if p.one(4) { // as it was before, if it was
			name = fmt.Sprintf("entry %d.ics", 1+p.IntN(p.serial))
		}
		text, there := c.texts[name]
		if there {
			uid = uidOf(text)
		}
		text = p.object(uid)
		dav.do("PUT", c.path+escaped(name), text).want(map[bool]int{false: 201, true: 204}[there])
		c.texts[name] = text
		return "PUT " + name, []*shelfModel{c}
	}
	text, address := c.texts[name], p.native(c, name)
	refuse := func(about string, do func() *answer, status int) (string, []*shelfModel) {
		p.unchanged(about, func() { do().want(status) })
		return about, nil
	}
	switch p.IntN(10) {
	case 0:
		text = p.object(uidOf(text))
		etag := p.read(c, escaped(name)).want(200).header.Get("ETag")
		dav.with("If-Match", etag).do("PUT", c.path+escaped(name), text).want(204)
		c.texts[name] = text
		return "PUT over " + name, []*shelfModel{c}
	case 1:
		dav.do("DELETE", c.path+escaped(name)).want(204)
		delete(c.texts, name)
		return "DELETE " + name, []*shelfModel{c}
	case 2:
		p.ann.do("DELETE", address).want(200)
		delete(c.texts, name)
		return "native DELETE " + name, []*shelfModel{c}
	case 3:
		made := p.ann.do("POST", "/world/time/objects", fmt.Sprintf(`{"object_type": "task", "title": "Task %d", "calendar_id": %q}`, p.serial, c.id)).want(201)
		name = made.str("object.id") + ".ics"
		c.texts[name] = p.read(c, name).want(200).body
		return "native POST " + name, []*shelfModel{c}
	case 4:
		p.ann.do("PATCH", address, fmt.Sprintf(`{"title": "Title %d"}`, p.serial)).want(200)
		c.texts[name] = p.read(c, escaped(name)).want(200).body
		sameLines(p.t.(*testing.T), text, c.texts[name], "SUMMARY")
		return "native PATCH " + name, []*shelfModel{c}
	case 5, 6:
		p.ann.do("PATCH", address, fmt.Sprintf(`{"calendar_id": %q}`, other.id)).want(200)
		delete(c.texts, name)
		p.find(other, address, name)
		return "move " + name, []*shelfModel{c, other}
	case 7:
		return refuse("a stale PUT of "+name, func() *answer {
			return dav.with("If-Match", `"0"`).do("PUT", c.path+escaped(name), p.object(uidOf(text)))
		}, 412)
	case 8:
		return refuse("a UID twice", func() *answer { return dav.do("PUT", c.path+"another.ics", text) }, 403)
	default:
		return refuse("a bad PATCH", func() *answer {
			return p.ann.do("PATCH", address, fmt.Sprintf(`{"title": "x", "calendar_id": %q, "categories": ["\u0000"]}`, other.id))
		}, 422)
	}
}

// find tells the model the name that an entry got which came into a calendar.
func (p *playground) find(c *shelfModel, address, name string) {
	p.t.Helper()
	if _, taken := c.texts[name]; taken {
		name = address[strings.LastIndexByte(address, '/')+1:] + ".ics"
	}
	c.texts[name] = p.read(c, escaped(name)).want(200).body
}

func uidOf(text string) string {
	_, rest, _ := strings.Cut(text, "UID:")
	line, _, _ := strings.Cut(rest, "\r\n")
	return line
}

func escaped(name string) string { return strings.ReplaceAll(name, " ", "%20") }

// check compares a calendar with its model, and how a client gets there from
// one of the states that it was in.
func (p *playground) check(about string, c *shelfModel, changed bool) {
	p.t.Helper()
	dav := p.ann.basic()
	now := dav.with("Depth", "0").do("PROPFIND", c.path, marks).want(207).body
	if (now != c.marks) != changed {
		p.t.Errorf("%s: changed %v, and the marks were %s and are %s", about, changed, c.marks, now)
	}
	c.marks = now
	want := make(map[string]string)
	for _, e := range dav.with("Depth", "1").do("PROPFIND", c.path, allETags).multistatus().Entries {
		if e.ETag != "" {
			want[e.Href] = e.ETag
		}
	}
	if len(want) != len(c.texts) {
		p.t.Errorf("%s: %d entries are listed, want %d", about, len(want), len(c.texts))
	}
	if name := p.some(c); name != "" {
		if got := p.read(c, escaped(name)).want(200); got.body != c.texts[name] || got.header.Get("ETag") != want[c.path+escaped(name)] {
			p.t.Errorf("%s: %s is listed as %s, and is %s\n%s\nwant\n%s", about, name, want[c.path+escaped(name)], got.header.Get("ETag"), got.body, c.texts[name])
		}
	}
	r := replica{etags: make(map[string]string)}
	if len(c.past) > 0 && !p.one(5) {
		r = pick(p.dice, c.past...)
	}
	from := r.token
	r = p.sync(c, r)
	if !maps.Equal(r.etags, want) {
		p.t.Errorf("%s: from %q a client gets to\n%v\nwant\n%v", about, from, r.etags, want)
	}
	c.past = append(c.past, r)
}

// sync brings a replica up to date, often in small portions.
func (p *playground) sync(c *shelfModel, r replica) replica {
	p.t.Helper()
	r.etags = maps.Clone(r.etags)
	limit := ""
	if p.one(2) {
		limit = fmt.Sprintf("<limit><nresults>%d</nresults></limit>", 1+p.IntN(5))
	}
	for {
		body := strings.Replace(syncReport(r.token), "<prop>", limit+"<prop>", 1)
		m := p.ann.basic().do("REPORT", c.path, body).multistatus()
		r.token = m.Token
		more := false
		for _, e := range m.Entries {
			switch {
			case strings.Contains(e.Status, "507"):
				more = true
			case e.ETag == "":
				delete(r.etags, e.Href)
			default:
				r.etags[e.Href] = e.ETag
			}
		}
		if !more {
			return r
		}
	}
}

// Whatever is done to calendars, by programs and natively, all see the same.
// Covers C-21, E-17, T-18, PT-22, PT-28 and PT-40.
func TestRandomOperations(t *testing.T) {
	for seed := range seeds(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := newPlayground(t, 500+seed)
			for _, c := range p.calendars {
				p.check("at first", c, true)
			}
			for range 60 {
				n := p.IntN(2)
				about, changed := p.step(p.calendars[n], p.calendars[1-n])
				for _, c := range p.calendars {
					p.check(about, c, slices.Contains(changed, c))
				}
				if t.Failed() {
					t.FailNow()
				}
			}
			for _, c := range p.calendars {
				for name, text := range c.texts {
					if got := p.read(c, escaped(name)).want(200).body; got != text {
						t.Errorf("%s became\n%s\nwant\n%s", name, got, text)
					}
				}
			}
		})
	}
}
