package calendar

import (
	"fmt"
	"path"
	"strings"

	"appliance/svc/calendar/ics/icstest"
)

// write makes a random write to the calendar c, or moves one of its objects to
// the calendar other, and updates the model. It returns the calendars that have
// changed.
func (m *model) write(c, other *calendarModel) (about string, changed []*calendarModel) {
	m.t.Helper()
	m.serial++
	name := m.randomName(c)
	if name == "" || m.OneIn(4) {
		return m.putNew(c)
	}
	switch m.IntN(10) {
	case 0:
		return m.putWithETag(c, name)
	case 1:
		m.dav.Do("DELETE", c.objectPath(name)).Want(204)
		delete(c.texts, name)
		return "DELETE " + name, []*calendarModel{c}
	case 2:
		m.ann.Do("DELETE", m.apiPath(c, name)).Want(200)
		delete(c.texts, name)
		return "JSON DELETE " + name, []*calendarModel{c}
	case 3:
		return m.createTask(c)
	case 4:
		return m.patchTitle(c, name)
	case 5, 6:
		return m.move(c, other, name)
	default:
		return m.sendRejectedWrite(c, other, name), nil
	}
}

// putNew stores an object under a new name or under a previously used name.
func (m *model) putNew(c *calendarModel) (about string, changed []*calendarModel) {
	m.t.Helper()
	n := m.serial
	if m.OneIn(4) {
		n = 1 + m.IntN(m.serial)
	}
	name, uid, status := fmt.Sprintf("entry %d.ics", n), fmt.Sprintf("uid-%d", m.serial), 201
	if text, ok := c.texts[name]; ok {
		uid, status = uidOf(text), 204
	}
	text := m.CalendarObject(uid)
	m.dav.Do("PUT", c.objectPath(name), text).Want(status)
	c.texts[name] = text
	return "PUT " + name, []*calendarModel{c}
}

func (m *model) putWithETag(c *calendarModel, name string) (about string, changed []*calendarModel) {
	m.t.Helper()
	text := m.CalendarObject(uidOf(c.texts[name]))
	etag := m.dav.Do("GET", c.objectPath(name)).Want(200).Header.Get("ETag")
	m.dav.With("If-Match", etag).Do("PUT", c.objectPath(name), text).Want(204)
	c.texts[name] = text
	return "PUT with the ETag of " + name, []*calendarModel{c}
}

func (m *model) createTask(c *calendarModel) (about string, changed []*calendarModel) {
	m.t.Helper()
	body := map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", m.serial), "calendar_id": c.id}
	name := m.ann.Do("POST", "/world/time/objects", body).Want(201).Str("object.id") + ".ics"
	c.texts[name] = m.stored(c, name)
	return "JSON POST " + name, []*calendarModel{c}
}

// patchTitle changes the title over the JSON API, which keeps all other lines and adds the
// VTIMEZONEs that are missing.
func (m *model) patchTitle(c *calendarModel, name string) (about string, changed []*calendarModel) {
	m.t.Helper()
	m.ann.Do("PATCH", m.apiPath(c, name), map[string]any{"title": fmt.Sprint("Title ", m.serial)}).Want(200)
	text := m.stored(c, name)
	icstest.WantSameLines(m.t, c.texts[name], text, "SUMMARY VTIMEZONE inherited")
	c.texts[name] = text
	return "JSON PATCH " + name, []*calendarModel{c}
}

// move moves an object over the JSON API. It keeps its name, unless the other
// calendar has an object with that name.
func (m *model) move(c, other *calendarModel, name string) (about string, changed []*calendarModel) {
	m.t.Helper()
	apiPath := m.apiPath(c, name)
	m.ann.Do("PATCH", apiPath, map[string]any{"calendar_id": other.id}).Want(200)
	delete(c.texts, name)
	newName := name
	if _, taken := other.texts[name]; taken {
		newName = path.Base(apiPath) + ".ics"
	}
	other.texts[newName] = m.stored(other, newName)
	return "move " + name, []*calendarModel{c, other}
}

// sendRejectedWrite sends a request that must not change the database.
func (m *model) sendRejectedWrite(c, other *calendarModel, name string) (about string) {
	m.t.Helper()
	text, apiPath := c.texts[name], m.apiPath(c, name)
	var send func()
	switch m.IntN(3) {
	case 0:
		about = "PUT with another ETag of " + name
		text := m.CalendarObject(uidOf(text))
		send = func() { m.dav.With("If-Match", `"0"`).Do("PUT", c.objectPath(name), text).Want(412) }
	case 1:
		about = "PUT with the UID of " + name
		send = func() { m.dav.Do("PUT", c.path+"another.ics", text).Want(403) }
	default:
		about = "invalid JSON PATCH of " + name
		body := map[string]any{"title": "x", "calendar_id": other.id, "categories": []string{"\x00"}}
		send = func() { m.ann.Do("PATCH", apiPath, body).Want(422) }
	}
	m.WantUnchanged(about, send)
	return about
}

func uidOf(text string) string {
	_, rest, _ := strings.Cut(text, "UID:")
	uid, _, _ := strings.Cut(rest, "\r\n")
	return uid
}
