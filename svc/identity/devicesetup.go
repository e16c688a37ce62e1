package identity

import (
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// DeviceSetup is a one-time link with which a device gets its password: the only value
// that contains the code.
type DeviceSetup struct {
	Code      string
	ExpiresAt time.Time
}

// AddDeviceSetup creates a link to set up a device of v, and withdraws an earlier one.
func (s *Service) AddDeviceSetup(tx *store.Tx, v svc.Viewer, label string) (DeviceSetup, error) {
	id, err := v.Require()
	if err != nil {
		return DeviceSetup{}, err
	}
	label = strings.TrimSpace(label)
	if err := svc.CheckName("label", label); err != nil {
		return DeviceSetup{}, err
	}
	if err := s.checkDevices(tx, id); err != nil {
		return DeviceSetup{}, err
	}
	if _, err := tx.Exec(s.q.DeleteDeviceLinks, store.Args{"member": id}); err != nil {
		return DeviceSetup{}, err
	}
	r := linkRow{
		ID: svc.NewID("lnk"), Member: &id, Label: label, CreatedBy: id.String(),
		CreatedAt: store.MillisOf(tx.Now()), ExpiresAt: store.MillisOf(tx.Now().Add(deviceTime)),
	}
	code, err := s.addLink(tx, devicePurpose, r)
	return DeviceSetup{code, r.ExpiresAt.Timestamp()}, err
}

// DeviceSetup returns the member and the name of the device of a link.
func (s *Service) DeviceSetup(tx *store.Tx, code string) (m Member, label string, err error) {
	link, row, err := s.deviceLink(tx, code)
	if err != nil {
		return m, "", err
	}
	return s.member(row), link.Label, nil
}

// SetUpDevice creates the device password that a link permits, and marks the link as used.
func (s *Service) SetUpDevice(tx *store.Tx, code string) (m Member, d NewDevice, err error) {
	link, row, err := s.deviceLink(tx, code)
	if err != nil {
		return m, d, err
	}
	if d, err = s.addOwnDevice(tx, row.ID, link.Label); err != nil {
		return m, d, err
	}
	return s.member(row), d, s.useLink(tx, link.ID, row.ID)
}

// deviceLink reads a link and its member.
func (s *Service) deviceLink(tx *store.Tx, code string) (link linkRow, row memberRow, err error) {
	if link, err = s.linkByCode(tx, devicePurpose, code); err != nil {
		return link, row, err
	}
	row, err = s.memberByID(tx, *link.Member)
	if err == nil && row.Status != Active {
		err = svc.Errorf(svc.LinkExpired, "This account is disabled. Ask the operator of this server.")
	}
	return link, row, err
}

// deleteDevices deletes the device passwords of a member, and the links that would create
// others.
func (s *Service) deleteDevices(tx *store.Tx, member svc.MemberID) error {
	for _, q := range []store.Query{s.q.DeleteDevices, s.q.DeleteDeviceLinks} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return nil
}
