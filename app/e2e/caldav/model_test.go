package caldav

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
)

// shelfModel is what a calendar holds, as whoever has followed all changes to
// it knows: octets by name.
type shelfModel struct {
	path, id string
	texts    map[string]string
	marks    string            // sync-token and ctag
	past     []apptest.Replica // the calendar as it was at earlier tokens, by name
}

// playground is a member with two calendars and a model of them.
type playground struct {
	*apptest.EntryFixture
	apptest.Rand
	calendars [2]*shelfModel
	rows      *sql.DB
	serial    int
}

func newPlayground(t *testing.T, seed uint64) *playground {
	p := &playground{EntryFixture: apptest.NewEntryFixture(t), Rand: apptest.NewRand(seed)}
	list := p.Ann.Do("GET", "/world/calendars").Want(200)
	for i := range p.calendars {
		p.calendars[i] = &shelfModel{
			path: list.Str(fmt.Sprintf("calendars.%d.caldav_path", i)), id: list.Str(fmt.Sprintf("calendars.%d.id", i)), texts: make(map[string]string),
		}
	}
	db, err := sql.Open("sqlite", "file:"+p.Settings.Database()+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	p.rows = db
	return p
}

// native is the address of an entry for runtimes.
func (p *playground) native(c *shelfModel, name string) string {
	p.T.Helper()
	var id string
	if err := p.rows.QueryRow("SELECT id FROM calendar_object WHERE calendar_id = ? AND segment = ?", c.id, name).Scan(&id); err != nil {
		p.T.Fatalf("%s: %v", name, err)
	}
	return "/world/time/objects/" + id
}

// some returns the name of an entry, "" if there is none.
func (p *playground) some(c *shelfModel) string {
	if len(c.texts) == 0 {
		return ""
	}
	return apptest.Pick(p.Rand, slices.Sorted(maps.Keys(c.texts))...)
}

// read gets what a calendar program reads under a name.
func (p *playground) read(c *shelfModel, name string) *apptest.Answer {
	p.T.Helper()
	return p.Ann.Basic().Do("GET", c.path+name)
}

// step does one thing or another to the calendar c, and tells the model. It
// returns which calendars have changed.
func (p *playground) step(c, other *shelfModel) (about string, changed []*shelfModel) {
	p.T.Helper()
	p.serial++
	dav, name := p.Ann.Basic(), p.some(c)
	uid := fmt.Sprintf("uid-%d", p.serial)
	if name == "" || p.OneIn(4) {
		name = fmt.Sprintf("entry %d.ics", p.serial)
		if p.OneIn(4) { // as it was before, if it was
			name = fmt.Sprintf("entry %d.ics", 1+p.IntN(p.serial))
		}
		text, there := c.texts[name]
		if there {
			uid = uidOf(text)
		}
		text = p.CalendarObject(uid)
		dav.Do("PUT", c.path+escaped(name), text).Want(map[bool]int{false: 201, true: 204}[there])
		c.texts[name] = text
		return "PUT " + name, []*shelfModel{c}
	}
	text, address := c.texts[name], p.native(c, name)
	refuse := func(about string, do func() *apptest.Answer, status int) (string, []*shelfModel) {
		p.WantUnchanged(about, func() { do().Want(status) })
		return about, nil
	}
	switch p.IntN(10) {
	case 0:
		text = p.CalendarObject(uidOf(text))
		etag := p.read(c, escaped(name)).Want(200).Header.Get("ETag")
		dav.With("If-Match", etag).Do("PUT", c.path+escaped(name), text).Want(204)
		c.texts[name] = text
		return "PUT over " + name, []*shelfModel{c}
	case 1:
		dav.Do("DELETE", c.path+escaped(name)).Want(204)
		delete(c.texts, name)
		return "DELETE " + name, []*shelfModel{c}
	case 2:
		p.Ann.Do("DELETE", address).Want(200)
		delete(c.texts, name)
		return "native DELETE " + name, []*shelfModel{c}
	case 3:
		made := p.Ann.Do("POST", "/world/time/objects", fmt.Sprintf(`{"object_type": "task", "title": "Task %d", "calendar_id": %q}`, p.serial, c.id)).Want(201)
		name = made.Str("object.id") + ".ics"
		c.texts[name] = p.read(c, name).Want(200).Body
		return "native POST " + name, []*shelfModel{c}
	case 4:
		p.Ann.Do("PATCH", address, fmt.Sprintf(`{"title": "Title %d"}`, p.serial)).Want(200)
		c.texts[name] = p.read(c, escaped(name)).Want(200).Body
		icstest.WantSameLines(p.T, text, c.texts[name], "SUMMARY")
		return "native PATCH " + name, []*shelfModel{c}
	case 5, 6:
		p.Ann.Do("PATCH", address, fmt.Sprintf(`{"calendar_id": %q}`, other.id)).Want(200)
		delete(c.texts, name)
		p.find(other, address, name)
		return "move " + name, []*shelfModel{c, other}
	case 7:
		return refuse("a stale PUT of "+name, func() *apptest.Answer {
			return dav.With("If-Match", `"0"`).Do("PUT", c.path+escaped(name), p.CalendarObject(uidOf(text)))
		}, 412)
	case 8:
		return refuse("a UID twice", func() *apptest.Answer { return dav.Do("PUT", c.path+"another.ics", text) }, 403)
	default:
		return refuse("a bad PATCH", func() *apptest.Answer {
			return p.Ann.Do("PATCH", address, fmt.Sprintf(`{"title": "x", "calendar_id": %q, "categories": ["\u0000"]}`, other.id))
		}, 422)
	}
}

// find tells the model the name that an entry got which came into a calendar.
func (p *playground) find(c *shelfModel, address, name string) {
	p.T.Helper()
	if _, taken := c.texts[name]; taken {
		name = address[strings.LastIndexByte(address, '/')+1:] + ".ics"
	}
	c.texts[name] = p.read(c, escaped(name)).Want(200).Body
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
	p.T.Helper()
	dav := p.Ann.Basic()
	now := dav.With("Depth", "0").Do("PROPFIND", c.path, apptest.PropfindSyncToken).Want(207).Body
	if (now != c.marks) != changed {
		p.T.Errorf("%s: changed %v, and the marks were %s and are %s", about, changed, c.marks, now)
	}
	c.marks = now
	want := make(map[string]string)
	for _, e := range dav.With("Depth", "1").Do("PROPFIND", c.path, apptest.PropfindETags).Multistatus().Entries {
		if e.ETag != "" {
			want[e.Href] = e.ETag
		}
	}
	if len(want) != len(c.texts) {
		p.T.Errorf("%s: %d entries are listed, want %d", about, len(want), len(c.texts))
	}
	if name := p.some(c); name != "" {
		if got := p.read(c, escaped(name)).Want(200); got.Body != c.texts[name] || got.Header.Get("ETag") != want[c.path+escaped(name)] {
			p.T.Errorf("%s: %s is listed as %s, and is %s\n%s\nwant\n%s", about, name, want[c.path+escaped(name)], got.Header.Get("ETag"), got.Body, c.texts[name])
		}
	}
	r := apptest.Replica{ETags: make(map[string]string)}
	if len(c.past) > 0 && !p.OneIn(5) {
		r = apptest.Pick(p.Rand, c.past...)
	}
	from := r.Token
	r = p.sync(c, r)
	if !maps.Equal(r.ETags, want) {
		p.T.Errorf("%s: from %q a client gets to\n%v\nwant\n%v", about, from, r.ETags, want)
	}
	c.past = append(c.past, r)
}

// sync brings a replica up to date, often in small portions.
func (p *playground) sync(c *shelfModel, r apptest.Replica) apptest.Replica {
	p.T.Helper()
	r.ETags = maps.Clone(r.ETags)
	limit := ""
	if p.OneIn(2) {
		limit = fmt.Sprintf("<limit><nresults>%d</nresults></limit>", 1+p.IntN(5))
	}
	for {
		body := strings.Replace(apptest.SyncCollection(r.Token), "<prop>", limit+"<prop>", 1)
		m := p.Ann.Basic().Do("REPORT", c.path, body).Multistatus()
		r.Token = m.Token
		more := false
		for _, e := range m.Entries {
			switch {
			case strings.Contains(e.Status, "507"):
				more = true
			case e.ETag == "":
				delete(r.ETags, e.Href)
			default:
				r.ETags[e.Href] = e.ETag
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
	for seed := range svctest.Seeds(4) {
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
					if got := p.read(c, escaped(name)).Want(200).Body; got != text {
						t.Errorf("%s became\n%s\nwant\n%s", name, got, text)
					}
				}
			}
		})
	}
}
