package davserver

import (
	"encoding/xml"
	"errors"
	"io"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/dav"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/index"
)

// snapshot implements [dav.Snapshot] for one member in one transaction.
type snapshot struct {
	s  *Server
	tx *store.Tx
	v  svc.Viewer
}

func (t snapshot) Principal() (dav.Principal, error) {
	me, err := t.s.identity.Me(t.tx, t.v)
	return dav.Principal{Member: me.ID, DisplayName: me.DisplayName, Email: me.Email}, err
}

func (t snapshot) Home() (dav.Home, error) {
	used, available, err := t.s.collections.StorageUsage(t.tx, t.v)
	if err != nil {
		return dav.Home{}, err
	}
	token, err := t.s.collections.HomeToken(t.tx, t.v)
	return dav.Home{SyncToken: token, Used: used, Available: available}, err
}

func (t snapshot) Calendars() ([]dav.Calendar, error) {
	calendars, err := t.s.calendar.Calendars(t.tx, t.v)
	list := make([]dav.Calendar, len(calendars))
	for i, c := range calendars {
		list[i] = t.calendar(c)
	}
	return list, err
}

func (t snapshot) Calendar(segment string) (dav.Calendar, error) {
	c, err := t.s.calendar.CalendarAt(t.tx, t.v, segment)
	return t.calendar(c), err
}

func (t snapshot) calendar(c calendar.Calendar) dav.Calendar {
	return dav.Calendar{
		Segment: c.Segment, Name: c.Name, Description: c.Description, Color: c.Color, Order: c.Order,
		TimeZone: c.Timezone, Now: t.tx.Now(), Components: c.Components, SyncToken: collection.Token(t.tx, c.ID, c.Seq), ExportETag: calendar.StreamETag(t.tx, c, ""), ReadOnly: c.ReadOnly,
	}
}

func (t snapshot) Objects(segment string, etagsOnly bool) ([]dav.Object, error) {
	return toObjects(t.s.collections.Resources(t.tx, t.v, segment, etagsOnly))
}

func (t snapshot) Export(segment string, w io.Writer) error {
	c, err := t.s.calendar.CalendarAt(t.tx, t.v, segment)
	if err != nil {
		return err
	}
	return t.s.calendar.WriteStream(t.tx, t.v, c.ID, "", w)
}

func (t snapshot) ObjectsByName(segment string, names []string, data bool) ([]dav.Object, error) {
	return toObjects(t.s.collections.ResourcesByName(t.tx, t.v, segment, names, data))
}

func (t snapshot) ObjectData(list []dav.Object) ([][]byte, error) {
	keys := make([]int64, len(list))
	for i, o := range list {
		keys[i] = o.ID
	}
	return t.s.collections.Data(t.tx, keys)
}

func (t snapshot) Query(segment string, f ics.Filter, zone *time.Location) ([]dav.Object, error) {
	return toObjects(t.s.collections.MatchingResources(t.tx, t.v, segment, f, zone))
}

func (t snapshot) FreeBusy(segment string, in ics.TimeRange, zone *time.Location, limit int) ([]ics.Period, error) {
	list, err := t.s.timeIndex.FreeBusy(t.tx, t.v, segment, in.Start, in.End, zone, limit)
	if errors.Is(err, index.ErrTooManyPeriods) {
		err = dav.ErrTooManyPeriods
	}
	return list, err
}

func (t snapshot) Changes(segment, since string, limit int, etagsOnly bool) (dav.Changes, error) {
	c, err := t.s.collections.Changes(t.tx, t.v, segment, since, limit, etagsOnly)
	if errors.Is(err, collection.ErrToken) {
		return dav.Changes{}, dav.ErrInvalidSyncToken
	}
	if err != nil {
		return dav.Changes{}, err
	}
	changed, err := toObjects(c.Changed, nil)
	return dav.Changes{Changed: changed, Deleted: c.Deleted, Token: c.Token, Truncated: c.Truncated}, err
}

func (t snapshot) HomeChanges(since string, limit int) (dav.HomeChanges, error) {
	c, err := t.s.collections.HomeChanges(t.tx, t.v, since, limit)
	if errors.Is(err, collection.ErrToken) {
		err = dav.ErrInvalidSyncToken
	}
	return dav.HomeChanges{Changed: c.Changed, Deleted: c.Deleted, Token: c.Token, Truncated: c.Truncated}, err
}

func toObjects(resources []collection.Resource, err error) ([]dav.Object, error) {
	list := make([]dav.Object, len(resources))
	for i, r := range resources {
		list[i] = dav.Object{ID: r.N, Name: r.Segment, Component: r.Component, ETag: r.ETag, Size: r.Size, Modified: r.UpdatedAt.Time(), Data: r.Data}
	}
	return list, err
}

func (t snapshot) File(path string, data bool) (dav.File, error) {
	f, err := t.s.collections.File(t.tx, t.v, path, data)
	return toFile(f), err
}

func (t snapshot) Files(path string) ([]dav.File, error) {
	files, err := t.s.collections.Files(t.tx, t.v, path)
	list := make([]dav.File, len(files))
	for i, f := range files {
		list[i] = toFile(f)
	}
	return list, err
}

func toFile(f collection.File) dav.File {
	return dav.File{
		Path: f.Path, Collection: f.Collection, MediaType: f.MediaType, ETag: f.ETag, Size: int(f.Size),
		Created: f.CreatedAt.Time(), Modified: f.UpdatedAt.Time(), Data: f.Data,
	}
}

func (t snapshot) ResourceID(at dav.Ref) (string, error) {
	return t.s.collections.ResourceID(t.tx, t.v, toPlace(at), at.File)
}

func (t snapshot) DeadProperties(at dav.Ref) ([]dav.DeadProperty, error) {
	found, err := t.s.collections.Properties(t.tx, t.v, toPlace(at), at.File)
	list := make([]dav.DeadProperty, len(found))
	for i, p := range found {
		list[i] = toDeadProperty(p)
	}
	return list, err
}

func (t snapshot) MemberDeadProperties(at dav.Ref) (map[string][]dav.DeadProperty, error) {
	found, err := t.s.collections.MemberProperties(t.tx, t.v, toPlace(at), at.File)
	byName := make(map[string][]dav.DeadProperty)
	for _, p := range found {
		byName[p.Name] = append(byName[p.Name], toDeadProperty(p))
	}
	return byName, err
}

func toDeadProperty(p collection.Property) dav.DeadProperty {
	return dav.DeadProperty{Name: xml.Name{Space: p.Space, Local: p.Local}, Element: p.Element}
}
