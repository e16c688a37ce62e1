package store

import "slices"

// Everyone is the member to Touch when a change shows to all members.
const Everyone int64 = 0

// Topic is a part of what members see that changes by itself. Services name
// theirs. Some consist of items, which change one by one.
type Topic string

// AllTopics is the topic of what may show anywhere, such as what somebody is
// called.
const AllTopics Topic = ""

// Touch notes that what the members see of a topic has changed; [Everyone] is
// all of them. It is counted when the transaction commits, once for each topic
// and member.
func (tx *Tx) Touch(topic Topic, members ...int64) {
	if len(members) == 0 {
		return
	}
	if tx.touched == nil {
		tx.touched = make(map[Topic][]int64)
	}
	tx.touched[topic] = append(tx.touched[topic], members...)
}

// TouchItem is Touch for one item of a topic: of a topic that consists of items,
// all changes must be told of in this way.
func (tx *Tx) TouchItem(topic Topic, item string, members ...int64) {
	if len(members) > 0 {
		tx.Touch(topic, members...)
		tx.changed = append(tx.changed, [2]string{string(topic), item})
	}
}

// keptChanges is how many of the latest changes of items are known.
const keptChanges = 500

// flush writes what Touch collected.
func (tx *Tx) flush() error {
	for topic, members := range tx.touched {
		slices.Sort(members)
		if _, err := tx.Exec(own.Touch, Args{"topic": topic, "members": JSON(slices.Compact(members))}); err != nil {
			return err
		}
	}
	if len(tx.changed) > 0 {
		slices.SortFunc(tx.changed, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
		if _, err := tx.Exec(own.NoteChanges, Args{"changes": JSON(slices.Compact(tx.changed))}); err != nil {
			return err
		}
		if _, err := tx.Exec(own.ForgetChanges, Args{"keep": keptChanges}); err != nil {
			return err
		}
	}
	return tx.err
}

// Revision is how often what a member sees has changed, for them and for
// everyone.
type Revision struct {
	Own    int64 `db:"own"`
	Shared int64 `db:"shared"`
}

// Revision returns the counts that Touch made for member and for everyone.
func (tx *Tx) Revision(member int64) (r Revision, err error) {
	err = tx.Get(&r, own.Revision, Args{"member": member})
	return r, err
}

// Revisions are how often each topic has changed for a member. A topic that is
// not there never has.
type Revisions map[Topic]int64

// Revisions returns the counts that Touch made for member and everyone, by
// topic.
func (tx *Tx) Revisions(member int64) (Revisions, error) {
	var rows []struct {
		Topic    Topic `db:"topic"`
		Revision int64 `db:"revision"`
	}
	err := tx.Select(&rows, own.Revisions, Args{"member": member})
	list := make(Revisions, len(rows))
	for _, row := range rows {
		list[row.Topic] = row.Revision
	}
	return list, err
}

// Of returns a number that is another one once any of the topics has changed,
// or all have.
func (r Revisions) Of(topics ...Topic) int64 {
	n := r[AllTopics]
	for _, t := range topics {
		n += r[t]
	}
	return n
}

// Changes are those of items since some moment.
type Changes struct {
	Since, Until int64 // numbers of changes
	complete     bool
	items        map[Topic][]string
}

// Changes returns what has changed since the change of that number, the Until
// of earlier ones; 0 if there are none.
func (tx *Tx) Changes(since int64) (Changes, error) {
	c := Changes{Since: since, Until: since}
	if since == 0 {
		return c, tx.Get(&c.Until, own.LastChange, nil)
	}
	var rows []struct {
		Seq   int64  `db:"seq"`
		Topic Topic  `db:"topic"`
		Item  string `db:"item"`
	}
	if err := tx.Select(&rows, own.Changes, Args{"seq": since}); err != nil || len(rows) == 0 {
		return c, err
	}
	c.Until = rows[len(rows)-1].Seq
	if c.complete = rows[0].Seq == since; c.complete {
		c.items = make(map[Topic][]string)
		for _, r := range rows[1:] {
			if !slices.Contains(c.items[r.Topic], r.Item) {
				c.items[r.Topic] = append(c.items[r.Topic], r.Item)
			}
		}
	}
	return c, nil
}

// Of returns which items of a topic have changed since a moment, and whether
// that is known.
func (c Changes) Of(topic Topic, since int64) (items []string, known bool) {
	if !c.complete || since < c.Since {
		return nil, false
	}
	return c.items[topic], true
}
