package index

import (
	"iter"
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
	"appliance/svc/words"
)

// listItem is an occurrence in a list.
type listItem struct {
	position
	to           int64 // like position.From, the end of Instance.From and To
	starts, ends time.Time
	busy         bool // whether it makes its time busy for the member
	object       view.Object
}

func objectsOf(list []listItem) svc.List[view.Object] {
	objects := make(svc.List[view.Object], len(list))
	for i, o := range list {
		objects[i] = o.object
	}
	return objects
}

// collector collects the first limit occurrences of many objects that come
// after a position in the list. Its memory is bounded.
type collector struct {
	after     *position
	limit     int
	perObject int                     // limit for each object; 0 is none
	loc       *time.Location          // for summaries; nil for the time zone of each object
	keep      func(ics.Instance) bool // nil to keep all
	now       time.Time               // like zone and language, set by Index.collect
	zone      *time.Location          // of floating times
	language  words.Language          // of summaries

	declined func(*ics.Component) bool // reports whether the member has declined; set by Index.collect

	list   []listItem
	octets int       // size of the text in list
	bound  *position // position of the last occurrence that can be among the first; nil if unknown

	objectFull bool // an object has more occurrences than perObject
	textFull   bool // list is shorter than limit because of its text
	outOfWork  bool // occurrences are missing because of the limits of a request
}

// truncated reports whether occurrences are missing from the first n of the list,
// or the list has more than n.
func (c *collector) truncated(n int) bool {
	return c.objectFull || c.textFull || c.outOfWork || len(c.list) > n
}

// add adds the occurrences of an object that may be among the first limit
// occurrences.
func (c *collector) add(row *object.Visible, o *ics.Object, all iter.Seq[ics.Instance]) {
	// The occurrences of a series are in the order of time, except within a day
	// around a change of clocks, or if an override moves all later ones.
	ordered := !slices.ContainsFunc(o.Overrides, func(c *ics.Component) bool { return c.ThisAndFuture })
	summarizer := view.NewSummarizer(c.language, row.Info(), o)
	added := 0
	var last *ics.Component
	var busy bool
	for i := range all {
		switch {
		case c.keep != nil && !c.keep(i):
			continue
		case c.bound != nil && ordered && i.Component == o.Master && i.From > c.bound.From+int64(occurrence.Day):
			return
		case c.bound != nil && i.From > c.bound.From, c.after != nil && i.From < c.after.From:
			continue
		}
		p := position{i.From, row.ID, i.RecurrenceID.String()}
		if c.after != nil && p.compare(*c.after) <= 0 {
			continue
		}
		if added == c.perObject && c.perObject > 0 {
			c.objectFull = true
			return
		}
		added++
		if i.Component != last {
			last, busy = i.Component, i.FBType() != ics.Free && !c.declined(i.Component)
		}
		obj := summarizer.Summarize(i)
		if c.loc != nil {
			obj.SummarizeIn(c.language, c.loc, &i)
		}
		obj.SetOverdue(o, &i, c.now, c.zone)
		c.list, c.octets = append(c.list, listItem{p, i.To, i.StartsAt, i.EndsAt, busy, obj}), c.octets+obj.TextSize()
		if len(c.list) >= 2*c.limit || c.octets >= 2*view.MaxText {
			c.trim()
		}
	}
}

// trim sorts the list and removes occurrences beyond the limits. It keeps at
// least two: one for the page, and one that shows that there are more.
func (c *collector) trim() {
	slices.SortFunc(c.list, func(a, b listItem) int { return a.compare(b.position) })
	n, octets := 0, 0
	for ; n < min(len(c.list), c.limit); n++ {
		size := c.list[n].object.TextSize()
		if n >= 2 && octets+size > view.MaxText {
			c.textFull = true
			break
		}
		octets += size
	}
	if n < len(c.list) {
		c.list = slices.Delete(c.list, n, len(c.list)) // Delete zeroes the removed elements, so that their texts can be garbage-collected
		c.bound = new(c.list[n-1].position)
	}
	c.octets = octets
}
