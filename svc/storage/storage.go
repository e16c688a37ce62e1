// Package storage limits how much each member stores: calendar entries with the trash, files,
// messages, and texts in Social. Messages and posts count for their author.
//
// # Files
//
//   - storage.go: Limiter, the usage and the limit
//   - size.go: sizes for people
//
// # Guarantees
//
// The database counts: triggers keep one row of storage_usage per member, whatever
// statement writes or deletes (see the migration). This package only compares the
// row with the limit, in the transaction of the write.
package storage

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Limiter limits the storage of each member.
type Limiter struct {
	// Limit is the storage of one member in bytes, 0 for no limit. It may be changed
	// before the Limiter is used.
	Limit int64

	q struct {
		Usage  store.Query `sql:"usage"`
		Usages store.Query `sql:"usages"`
	}
}

// New returns a Limiter with a limit in bytes, 0 for no limit.
func New(limit int64) *Limiter {
	l := &Limiter{Limit: limit}
	store.Bind("storage", &l.q)
	return l
}

// Usage is the storage of one member in bytes.
type Usage struct {
	Used  int64 `json:"used_bytes"`
	Limit int64 `json:"limit_bytes"` // 0 for no limit
}

// String returns the usage in English, such as "12.3 MB of 2048 MB".
func (u Usage) String() string { return u.In(words.English) }

// In returns the usage in the language l.
func (u Usage) In(l words.Language) string {
	if u.Limit == 0 {
		return FormatSize(l, u.Used)
	}
	return l.Textf("%s of %s", FormatSize(l, u.Used), FormatSize(l, u.Limit))
}

// Usage returns the storage of a member.
func (l *Limiter) Usage(tx *store.Tx, member svc.MemberID) (Usage, error) {
	used, err := l.used(tx, member)
	return Usage{Used: used, Limit: l.Limit}, err
}

// Usages returns the storage of each of the members.
func (l *Limiter) Usages(tx *store.Tx, members []svc.MemberID) (map[svc.MemberID]Usage, error) {
	var rows []struct {
		Member svc.MemberID `db:"member_id"`
		Octets int64        `db:"octets"`
	}
	err := tx.Select(&rows, l.q.Usages, store.Args{"members": store.JSONArray(members)})
	usages := make(map[svc.MemberID]Usage, len(members))
	for _, m := range members {
		usages[m] = Usage{Limit: l.Limit}
	}
	for _, r := range rows {
		usages[r.Member] = Usage{r.Octets, l.Limit}
	}
	return usages, err
}

func (l *Limiter) used(tx *store.Tx, member svc.MemberID) (octets int64, err error) {
	err = tx.Get(&octets, l.q.Usage, store.Args{"member": member})
	return octets, err
}

// Check returns an error unless a member may store a number of additional bytes.
// It always permits a write that stores no more than before.
func (l *Limiter) Check(tx *store.Tx, member svc.MemberID, additional int64) error {
	if l.Limit == 0 || additional <= 0 {
		return nil
	}
	used, err := l.used(tx, member)
	if err == nil && used+additional > l.Limit {
		err = l.errFull()
	}
	return err
}

// Charge runs write, which changes the storage of a member. It returns an error if the member then
// stores more than before and more than the limit; the caller must return the error, so that the
// transaction is rolled back.
func (l *Limiter) Charge(tx *store.Tx, member svc.MemberID, write func() error) error {
	if l.Limit == 0 {
		return write()
	}
	before, err := l.used(tx, member)
	if err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	after, err := l.used(tx, member)
	if err == nil && after > before && after > l.Limit {
		err = l.errFull()
	}
	return err
}

func (l *Limiter) errFull() error {
	return svc.Errorf(svc.QuotaExceeded,
		"Your storage is full: the limit is %s. Delete calendar entries and files that you do not need and empty the trash, or ask an operator to raise the limit.",
		FormatSize(words.English, l.Limit))
}
