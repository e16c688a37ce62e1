package identity

import (
	"net/netip"

	"appliance/store"
	"appliance/svc"
)

type networkQueries struct {
	PutNetwork            store.Query `sql:"put-network"`
	Networks              store.Query `sql:"networks"`
	DeleteSurplusNetworks store.Query `sql:"delete-surplus-networks"`
	DeleteNetworks        store.Query `sql:"delete-networks"`
}

// Limits of the known networks of a member.
const (
	networkTime = 90 * day
	maxNetworks = 50
)

// Network returns the network of an address as known networks are stored: the /24 of
// an IPv4 address, the /64 of an IPv6 address, "" for an invalid address.
func Network(addr netip.Addr) string {
	addr = addr.Unmap()
	bits := 24
	if addr.Is6() {
		bits = 64
	}
	p, err := addr.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}

// addressText returns the text of an address, or "" if it is invalid.
func addressText(addr netip.Addr) string {
	if !addr.IsValid() {
		return ""
	}
	return addr.Unmap().String()
}

// recordNetwork records that a member has signed in from an address.
func (s *Service) recordNetwork(tx *store.Tx, member svc.MemberID, addr netip.Addr) error {
	network := Network(addr)
	if network == "" {
		return nil
	}
	if _, err := tx.Exec(s.q.PutNetwork, store.Args{"member": member, "network": network, "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.DeleteSurplusNetworks, store.Args{"member": member, "keep": maxNetworks})
	return err
}

// networks returns the networks from which a member has signed in recently.
func (s *Service) networks(tx *store.Tx, member svc.MemberID) (list []string, err error) {
	if member == 0 {
		return nil, nil
	}
	err = tx.Select(&list, s.q.Networks, store.Args{"member": member, "since": timeAgo(tx, networkTime)})
	return list, err
}
