package app

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
)

// export is all that is kept about a member, but for calendars and what is in
// them.
type export struct {
	Identity    identity.Export       `json:"identity"`
	Preferences calendar.Boundaries   `json:"time_preferences"`
	Profile     social.ProfileDetails `json:"social_profile"`
	Presence    social.Presence       `json:"social_presence"`
}

// export collects it. The caller has made sure that it may be seen.
func (s *server) export(tx *store.Tx, id svc.MemberID) (e export, err error) {
	if e.Identity, err = s.identity.Export(tx, id); err != nil {
		return e, err
	}
	if e.Preferences, err = s.calendar.Boundaries(tx, id); err != nil {
		return e, err
	}
	if e.Profile, err = s.social.ProfileDetails(tx, id); err != nil {
		return e, err
	}
	e.Presence, err = s.social.OwnPresence(tx, id)
	return e, err
}

// writeExport writes everything that is kept about a member as one JSON text.
func (s *server) writeExport(tx *store.Tx, id svc.MemberID, w io.Writer) error {
	e, err := s.export(tx, id)
	if err != nil {
		return err
	}
	text, err := svc.EncodeJSON(e)
	if err != nil {
		return err
	}
	out := exportWriter{w: w}
	out.text(string(text[:len(text)-len("}\n")]) + `,"calendars":[`)
	calendars, entries := 0, 0
	err = s.calendar.Export(tx, id, func(c calendar.Calendar) error {
		if calendars > 0 {
			out.text("]},")
		}
		out.text(`{"calendar":`)
		out.value(c)
		out.text(`,"objects":[`)
		calendars, entries = calendars+1, 0
		return out.err
	}, func(entry calendar.ExportedObject) error {
		if entries > 0 {
			out.text(",")
		}
		out.value(entry)
		entries++
		return out.err
	})
	if err != nil {
		return err
	}
	if calendars > 0 {
		out.text("]}")
	}
	out.text("]")
	for _, part := range s.exportParts(tx, id) {
		out.text(`,"` + part.name + `":[`)
		if err := out.list(part.show); err != nil {
			return err
		}
		out.text("]")
	}
	out.text("}\n")
	return out.err
}

// exportPart is a list in an export.
type exportPart struct {
	name string
	show func(add func(any) error) error
}

// exportParts are what is kept of a member beside calendars.
func (s *server) exportParts(tx *store.Tx, id svc.MemberID) []exportPart {
	return []exportPart{
		{"files", func(add func(any) error) error {
			return s.calendar.ExportFiles(tx, id, func(f calendar.ExportedFile) error { return add(f) })
		}},
		{"properties", func(add func(any) error) error {
			return s.calendar.ExportProperties(tx, id, func(p calendar.ExportedProperty) error { return add(p) })
		}},
		{"trash", func(add func(any) error) error {
			return s.calendar.ExportTrash(tx, id, func(t calendar.ExportedTrash) error { return add(t) })
		}},
		{"communities", func(add func(any) error) error {
			return s.social.ExportMemberships(tx, id, func(m social.ExportedMembership) error { return add(m) })
		}},
		{"conversations", func(add func(any) error) error {
			return s.social.ExportConversations(tx, id, func(c social.ExportedConversation) error { return add(c) })
		}},
		{"replies", func(add func(any) error) error {
			return s.social.ExportReplies(tx, id, func(r social.ExportedReply) error { return add(r) })
		}},
		{"social_events", func(add func(any) error) error {
			return s.social.ExportEvents(tx, id, func(e social.ExportedEvent) error { return add(e) })
		}},
		{"rsvps", func(add func(any) error) error {
			return s.social.ExportRSVPs(tx, id, func(r social.ExportedRSVP) error { return add(r) })
		}},
		{"social_invitations", func(add func(any) error) error {
			return s.social.ExportInvitations(tx, id, func(i social.ExportedInvitation) error { return add(i) })
		}},
		{"blocks", func(add func(any) error) error {
			list, err := s.social.Blocks(tx, id)
			for _, b := range list {
				err = errors.Join(err, add(b))
			}
			return err
		}},
		{"notifications", func(add func(any) error) error {
			return s.social.ExportNotifications(tx, id, func(n social.Notification) error { return add(n) })
		}},
		{"social_dms", func(add func(any) error) error {
			return s.social.ExportDMs(tx, id, func(d social.ExportedDM) error { return add(d) })
		}},
		{"social_dm_messages", func(add func(any) error) error {
			return s.social.ExportDMMessages(tx, id, func(m social.DMMessage) error { return add(m) })
		}},
		{"surface_stacks", func(add func(any) error) error {
			return s.surface.ExportStacks(tx, id, func(one surface.ExportedStack) error { return add(one) })
		}},
		{"surfaces", func(add func(any) error) error {
			return s.surface.ExportSurfaces(tx, id, func(one surface.Surface) error { return add(one) })
		}},
		{"message_threads", func(add func(any) error) error {
			return s.messages.ExportThreads(tx, id, func(t messages.Thread) error { return add(t) })
		}},
		{"messages", func(add func(any) error) error {
			return s.messages.ExportMessages(tx, id, func(m messages.Message) error { return add(m) })
		}},
	}
}

// exportWriter writes the parts of a JSON text. After an error it writes
// nothing more.
type exportWriter struct {
	w   io.Writer
	err error
}

func (x *exportWriter) text(s string) {
	if x.err == nil {
		_, x.err = io.WriteString(x.w, s)
	}
}

func (x *exportWriter) value(v any) {
	text, err := svc.EncodeJSON(v)
	if x.err == nil {
		x.err = err
	}
	x.text(string(text))
}

// list writes what show adds, with commas between.
func (x *exportWriter) list(show func(add func(any) error) error) error {
	n := 0
	err := show(func(v any) error {
		if n > 0 {
			x.text(",\n")
		}
		n++
		x.value(v)
		return x.err
	})
	if err == nil {
		err = x.err
	}
	return err
}

// getExport gives members everything that is kept about them.
func (s *server) getExport(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	text := &svc.Spool{Dir: s.settings.Data}
	defer text.Close()
	err := s.db.Read(r.Context(), func(tx *store.Tx) error { return s.writeExport(tx, v.Member(), text) })
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="appliance-export.json"`)
	h.Set("Content-Length", strconv.FormatInt(text.Len(), 10))
	private(h)
	_, _ = text.WriteTo(w) // a member who has gone away is no failure
	return nil
}
