package identity

import (
	"crypto/rand"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

type deviceQueries struct {
	AddDevice     store.Query `sql:"add-device"`
	Devices       store.Query `sql:"devices"`
	DeleteDevice  store.Query `sql:"delete-device"`
	DeleteDevices store.Query `sql:"delete-devices"`
}

// A device password is 20 characters of 5 bits each, in groups of four. The
// alphabet is Crockford's base 32, without i, l, o and u. When a password is read, i
// and l mean 1, and o means 0.
const (
	deviceAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	deviceLength   = 20
	deviceGroup    = 4
)

// maxDevices limits the device passwords of a member.
const maxDevices = 50

// Device is a device password as its owner sees it, without the password.
type Device struct {
	ID         string     `json:"id"`
	Label      string     `json:"label"`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"` // accurate to an hour, null if never
}

// NewDevice is a new device password, the only value that contains the password.
type NewDevice struct {
	Device
	Password string `json:"password"`
}

// AddDevice creates a device password for v. The label describes the device.
func (s *Service) AddDevice(tx *store.Tx, v svc.Viewer, label string) (NewDevice, error) {
	id, err := v.Require()
	if err != nil {
		return NewDevice{}, err
	}
	return s.addOwnDevice(tx, id, label)
}

// addOwnDevice creates a device password for the member who uses it.
func (s *Service) addOwnDevice(tx *store.Tx, id svc.MemberID, label string) (NewDevice, error) {
	d, err := s.addDevice(tx, id, label, false)
	if err != nil {
		return NewDevice{}, err
	}
	return d, s.audit(tx, id.String(), auditAddDevice, id, d.ID)
}

// AddDeviceOf creates a device password of a member for a command, which removes it with
// RevokeDeviceOf. The audit log contains its label, which is not the member's. Its use does not
// count as that of the member.
func (s *Service) AddDeviceOf(tx *store.Tx, by Actor, member svc.MemberID, label string) (NewDevice, error) {
	if err := by.require(); err != nil {
		return NewDevice{}, err
	}
	d, err := s.addDevice(tx, member, label, true)
	if err != nil {
		return NewDevice{}, err
	}
	return d, s.audit(tx, by.name, auditAddDevice, member, d.ID+" "+d.Label)
}

// addDevice creates a device password of a member, without an entry in the audit log.
func (s *Service) addDevice(tx *store.Tx, id svc.MemberID, label string, byCommand bool) (NewDevice, error) {
	label = strings.TrimSpace(label)
	if err := svc.CheckName("label", label); err != nil {
		return NewDevice{}, err
	}
	if err := s.checkDevices(tx, id); err != nil {
		return NewDevice{}, err
	}
	now := store.MillisOf(tx.Now())
	d := NewDevice{Device: Device{ID: svc.NewID("dev"), Label: label, CreatedAt: now.Timestamp()}, Password: newDevicePassword()}
	canonical, _ := canonicalDevice(d.Password)
	_, err := tx.Exec(s.q.AddDevice, store.Args{
		"id": d.ID, "member": id, "hash": digest(canonical), "label": label, "now": now, "by_command": byCommand,
	})
	if err != nil {
		return NewDevice{}, err
	}
	tx.Touch(svc.CredentialsChanged, int64(id))
	return d, nil
}

// checkDevices returns an error if a member has the maximum number of device passwords.
func (s *Service) checkDevices(tx *store.Tx, id svc.MemberID) error {
	devices, err := s.Devices(tx, id)
	if err == nil && len(devices) >= maxDevices {
		err = svc.Errorf(svc.InvalidValue, "You already have %d device passwords. Remove one that you no longer use.", maxDevices)
	}
	return err
}

// Devices returns the device passwords of a member, oldest first.
func (s *Service) Devices(tx *store.Tx, member svc.MemberID) ([]Device, error) {
	var rows []struct {
		ID         string        `db:"id"`
		Label      string        `db:"label"`
		CreatedAt  store.Millis  `db:"created_at"`
		LastUsedAt *store.Millis `db:"last_used_at"`
	}
	err := tx.Select(&rows, s.q.Devices, store.Args{"member": member})
	list := make([]Device, len(rows))
	for i, r := range rows {
		list[i] = Device{ID: r.ID, Label: r.Label, CreatedAt: r.CreatedAt.Timestamp(), LastUsedAt: store.OptionalTimestamp(r.LastUsedAt)}
	}
	return list, err
}

// RevokeDevice revokes a device password of v.
func (s *Service) RevokeDevice(tx *store.Tx, v svc.Viewer, id string) error {
	member, err := v.Require()
	if err != nil {
		return err
	}
	return s.revokeOne(tx, s.q.DeleteDevice, member.String(), member, id, id)
}

// RevokeDeviceOf removes a device password that AddDeviceOf has created.
func (s *Service) RevokeDeviceOf(tx *store.Tx, by Actor, member svc.MemberID, d Device) error {
	if err := by.require(); err != nil {
		return err
	}
	return s.revokeOne(tx, s.q.DeleteDevice, by.name, member, d.ID, d.ID+" "+d.Label)
}

// newDevicePassword returns a random device password with hyphens between its
// groups.
func newDevicePassword() string {
	random := make([]byte, deviceLength)
	rand.Read(random)
	var b strings.Builder
	for i, r := range random {
		if i > 0 && i%deviceGroup == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(deviceAlphabet[int(r)%len(deviceAlphabet)]) // 32 divides 256: no bias
	}
	return b.String()
}

// canonicalDevice returns the 20 characters of a device password that a member typed. It ignores
// case, because phones capitalize the first letter, and accepts spaces or nothing in place of
// hyphens. ok is false if the text is not a device password.
func canonicalDevice(typed string) (canonical string, ok bool) {
	if len(typed) > 2*deviceLength {
		return "", false
	}
	var b strings.Builder
	for _, r := range strings.ToLower(typed) {
		switch r {
		case '-', ' ':
			continue
		case 'o':
			r = '0'
		case 'i', 'l':
			r = '1'
		}
		if !strings.ContainsRune(deviceAlphabet, r) {
			return "", false
		}
		b.WriteRune(r)
	}
	return b.String(), b.Len() == deviceLength
}
