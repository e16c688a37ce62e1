package identity

import (
	"appliance/store"
	"appliance/svc"
)

type zoneQueries struct {
	IsZoneDeclined store.Query `sql:"is-zone-declined"`
	DeclineZone    store.Query `sql:"decline-zone"`
	WithoutZone    store.Query `sql:"members-without-zone"`
}

// ZoneReport is the time zone of a browser of a member.
type ZoneReport struct {
	Timezone string `json:"timezone"` // IANA name

	// Decline means that the member does not want this zone for the account. Later
	// replies do not ask for it.
	Decline bool `json:"decline"`
}

// ZoneReply is the result of a ZoneReport.
type ZoneReply struct {
	svc.ZoneInUse      // of the member
	Stored        bool `json:"stored"` // the zone of the report has become that of the member
	Ask           bool `json:"ask"`    // the zones differ, and the member has not declined that of the report
}

// ReportZone handles the time zone of a browser of v. It becomes that of the member if the
// member has none.
func (s *Service) ReportZone(tx *store.Tx, v svc.Viewer, r ZoneReport) (ZoneReply, error) {
	id, err := v.Require()
	if err != nil {
		return ZoneReply{}, err
	}
	row, err := s.memberByID(tx, id)
	if err == nil {
		err = checkTimezone(r.Timezone)
	}
	if err != nil {
		return ZoneReply{}, err
	}
	if r.Decline {
		_, err := tx.Exec(s.q.DeclineZone, store.Args{"member": id, "timezone": r.Timezone})
		return ZoneReply{ZoneInUse: s.zoneOf(row)}, err
	}
	if row.Timezone == "" {
		m, err := s.UpdateProfile(tx, v, ProfileChanges{Timezone: &r.Timezone})
		return ZoneReply{ZoneInUse: m.Zone, Stored: true}, err
	}
	var declined bool
	err = tx.Get(&declined, s.q.IsZoneDeclined, store.Args{"member": id, "timezone": r.Timezone})
	return ZoneReply{ZoneInUse: s.zoneOf(row), Ask: row.Timezone != r.Timezone && !declined}, err
}

// zoneOf returns the time zone of a member, or that of the server if the member has none.
func (s *Service) zoneOf(r memberRow) svc.ZoneInUse {
	if r.Timezone == "" {
		return svc.ZoneInUse{Timezone: s.cfg.Timezone, Source: svc.ZoneOfServer}
	}
	return svc.ZoneInUse{Timezone: r.Timezone, Source: svc.ZoneOfMember}
}

// Timezone returns the time zone of a member, or that of the server if the member has none.
func (s *Service) Timezone(tx *store.Tx, id svc.MemberID) (string, error) {
	row, err := s.memberByID(tx, id)
	return s.zoneOf(row).Timezone, err
}

// WithoutZone returns up to limit members without a time zone of their own, in the order of
// their ids, after an id.
func (s *Service) WithoutZone(tx *store.Tx, after svc.MemberID, limit int) (list []svc.MemberID, err error) {
	err = tx.Select(&list, s.q.WithoutZone, store.Args{"after": after, "limit": limit})
	return list, err
}

// runZoneHooks runs the ZoneChanged functions.
func (s *Service) runZoneHooks(tx *store.Tx, id svc.MemberID, timezone string) error {
	for _, h := range s.hooks {
		if h.ZoneChanged == nil {
			continue
		}
		if err := h.ZoneChanged(tx, id, timezone); err != nil {
			return err
		}
	}
	return nil
}

// checkTimezone validates an IANA time zone name.
func checkTimezone(name string) error {
	if _, ok := svc.Zone(name); !ok {
		return svc.FieldError(svc.InvalidValue, "timezone", "Time zone must be an IANA time zone such as Europe/Berlin.")
	}
	return nil
}
