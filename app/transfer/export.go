package transfer

import (
	"errors"
	"io"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/raster"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// Exporter exports everything that the services store about a member.
type Exporter struct {
	Identity *identity.Service
	Calendar *calendar.Service
	Messages *messages.Service
	Social   *social.Service
	Surface  *surface.Service
	Find     *find.Service
	Feeds    *feeds.Service

	Providers *provider.Service

	// VisibleSurface returns a surface as the member may see it now: a stored surface can
	// name an object that the member can no longer see.
	VisibleSurface func(tx *store.Tx, id svc.MemberID, s surface.Surface) surface.Surface
}

// exportedFeed is a feed that a member has added.
type exportedFeed struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// exportedAvatar is a picture that a member has uploaded: their own avatar, or that of a
// community.
type exportedAvatar struct {
	CommunityID *string   `json:"community_id"` // null for that of the member
	CreatedAt   time.Time `json:"created_at"`
	MediaType   string    `json:"media_type"`
	Base64      []byte    `json:"data_base64"`
}

// eachAvatar calls add with each avatar that a member has uploaded.
func (x *Exporter) eachAvatar(tx *store.Tx, id svc.MemberID, add func(any) error) error {
	own, err := x.Identity.StoredAvatar(tx, id)
	if err != nil {
		return err
	}
	if own.Picture != nil {
		if err := add(exportedAvatar{nil, own.CreatedAt.Timestamp(), raster.Type(own.Picture), own.Picture}); err != nil {
			return err
		}
	}
	return x.Social.ExportAvatars(tx, id, func(a social.ExportedAvatar) error {
		return add(exportedAvatar{&a.CommunityID, a.CreatedAt, raster.Type(a.Picture), a.Picture})
	})
}

// memberPart contains the values of an export that exist once per member. The
// calendars and the lists of [Exporter.lists] follow it.
type memberPart struct {
	Identity    identity.Export       `json:"identity"`
	Preferences calendar.Boundaries   `json:"time_preferences"`
	Profile     social.ProfileDetails `json:"social_profile"`
	Presence    social.Presence       `json:"social_presence"`
}

// memberPart reads the memberPart of a member. The caller has checked permissions.
func (x *Exporter) memberPart(tx *store.Tx, id svc.MemberID) (e memberPart, err error) {
	if e.Identity, err = x.Identity.Export(tx, id); err != nil {
		return e, err
	}
	if e.Preferences, err = x.Calendar.Boundaries(tx, id); err != nil {
		return e, err
	}
	if e.Profile, err = x.Social.ProfileDetails(tx, id); err != nil {
		return e, err
	}
	e.Presence, err = x.Social.OwnPresence(tx, id)
	return e, err
}

// WriteJSON writes everything stored about a member as one JSON object. The
// caller has checked permissions.
func (x *Exporter) WriteJSON(tx *store.Tx, id svc.MemberID, w io.Writer) error {
	e, err := x.memberPart(tx, id)
	if err != nil {
		return err
	}
	text, err := svc.EncodeJSON(e)
	if err != nil {
		return err
	}
	out := jsonWriter{w: w}
	out.text(string(text[:len(text)-len("}\n")]) + `,"calendars":[`)
	calendars, entries := 0, 0
	err = x.Calendar.Export(tx, id, func(c calendar.Calendar) error {
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
	for _, l := range x.lists(tx, id) {
		out.text(`,"` + l.name + `":[`)
		if err := out.list(l.each); err != nil {
			return err
		}
		out.text("]")
	}
	out.text("}\n")
	return out.err
}

// list is a named list in an export.
type list struct {
	name string
	each func(add func(any) error) error
}

// lists returns the lists of an export, except the calendars.
func (x *Exporter) lists(tx *store.Tx, id svc.MemberID) []list {
	return []list{
		{"files", func(add func(any) error) error {
			return x.Calendar.ExportFiles(tx, id, func(f calendar.ExportedFile) error { return add(f) })
		}},
		{"properties", func(add func(any) error) error {
			return x.Calendar.ExportProperties(tx, id, func(p calendar.ExportedProperty) error { return add(p) })
		}},
		{"trash", func(add func(any) error) error {
			return x.Calendar.ExportTrash(tx, id, func(t calendar.ExportedTrash) error { return add(t) })
		}},
		{"communities", func(add func(any) error) error {
			return x.Social.ExportMemberships(tx, id, func(m social.ExportedMembership) error { return add(m) })
		}},
		{"conversations", func(add func(any) error) error {
			return x.Social.ExportConversations(tx, id, func(c social.ExportedConversation) error { return add(c) })
		}},
		{"replies", func(add func(any) error) error {
			return x.Social.ExportReplies(tx, id, func(r social.ExportedReply) error { return add(r) })
		}},
		{"social_events", func(add func(any) error) error {
			return x.Social.ExportEvents(tx, id, func(e social.ExportedEvent) error { return add(e) })
		}},
		{"rsvps", func(add func(any) error) error {
			return x.Social.ExportRSVPs(tx, id, func(r social.ExportedRSVP) error { return add(r) })
		}},
		{"social_invitations", func(add func(any) error) error {
			return x.Social.ExportInvitations(tx, id, func(i social.ExportedInvitation) error { return add(i) })
		}},
		{"blocks", func(add func(any) error) error {
			list, err := x.Social.Blocks(tx, words.English, id)
			for _, b := range list {
				err = errors.Join(err, add(b))
			}
			return err
		}},
		{"notifications", func(add func(any) error) error {
			return x.Social.ExportNotifications(tx, id, func(n social.Notification) error { return add(n) })
		}},
		{"social_dms", func(add func(any) error) error {
			return x.Social.ExportDMs(tx, id, func(d social.ExportedDM) error { return add(d) })
		}},
		{"social_dm_messages", func(add func(any) error) error {
			return x.Social.DMs.EachMessage(tx, id, func(m thread.Message) error { return add(m) })
		}},
		{"surface_stacks", func(add func(any) error) error {
			return x.Surface.ExportStacks(tx, id, func(s surface.ExportedStack) error { return add(s) })
		}},
		{"surfaces", func(add func(any) error) error {
			return x.Surface.ExportSurfaces(tx, id, func(s surface.Surface) error { return add(x.VisibleSurface(tx, id, s)) })
		}},
		{"searches", func(add func(any) error) error {
			return x.Find.ExportQueries(tx, id, func(q find.QueryRecord) error { return add(q) })
		}},
		{"search_sessions", func(add func(any) error) error {
			return x.Find.ExportSessions(tx, id, func(s find.Session) error { return add(s) })
		}},
		{"search_findings", func(add func(any) error) error {
			return x.Find.ExportHeads(tx, id, func(h find.Head) error { return add(h) })
		}},
		{"avatars", func(add func(any) error) error { return x.eachAvatar(tx, id, add) }},
		{"feeds", func(add func(any) error) error {
			list, err := x.Feeds.Feeds(tx, provider.OwnID(id))
			for _, f := range list {
				err = errors.Join(err, add(exportedFeed{f.URL, f.Title}))
			}
			return err
		}},
		{"read_articles", func(add func(any) error) error {
			subjects, err := x.Providers.SubjectsOf(tx, id)
			if err != nil {
				return err
			}
			marks, err := x.Feeds.MarksOf(tx, subjects)
			for _, m := range marks {
				err = errors.Join(err, add(m))
			}
			return err
		}},
		{"message_threads", func(add func(any) error) error {
			return x.Messages.EachThread(tx, id, func(t thread.Thread) error { return add(messages.NewThread(t)) })
		}},
		{"messages", func(add func(any) error) error {
			return x.Messages.EachMessage(tx, id, func(m thread.Message) error { return add(m) })
		}},
	}
}

// jsonWriter writes a JSON text piece by piece. It writes nothing after the
// first error.
type jsonWriter struct {
	w   io.Writer
	err error
}

func (j *jsonWriter) text(s string) {
	if j.err == nil {
		_, j.err = io.WriteString(j.w, s)
	}
}

func (j *jsonWriter) value(v any) {
	text, err := svc.EncodeJSON(v)
	if j.err == nil {
		j.err = err
	}
	j.text(string(text))
}

// list writes the values that each passes to add, separated by commas.
func (j *jsonWriter) list(each func(add func(any) error) error) error {
	n := 0
	err := each(func(v any) error {
		if n > 0 {
			j.text(",\n")
		}
		n++
		j.value(v)
		return j.err
	})
	if err == nil {
		err = j.err
	}
	return err
}
