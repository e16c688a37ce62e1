package ics

import "time"

// movedRanges are the distances, in seconds, at which MovedInstance looks for an instance,
// so that it expands few instances of a dense series.
var movedRanges = []int64{60, 3600, day, 7 * day, 31 * day, 366 * day, 8 * 366 * day}

// MovedInstance returns the instance that takes the place of a recurrence id that the series
// had before it moved: the nearest one in local time. It returns false for a deleted instance,
// for one beyond the end of the series, and if two instances are equally near.
func (o *Object) MovedInstance(id Time, loc *time.Location) (Instance, bool) {
	id = o.normalizeRecurrenceID(id)
	if o.Master == nil || !o.Recurs() || o.Master.isExcluded(id.wall) {
		return Instance{}, false
	}
	b := o.budget()
	for _, distance := range movedRanges {
		nearest, found, equal := o.Master.nearestDate(id.wall, distance, b)
		if !found {
			continue
		}
		if equal || b.exhausted || o.Master.isBeyondEnd(id.wall, nearest, b) {
			return Instance{}, false
		}
		id.wall = nearest
		return o.FindInstance(id, loc)
	}
	return Instance{}, false
}

// nearestDate returns the recurrence id that is nearest to a local time, within a distance.
// equal reports that another one is as near.
func (c *Component) nearestDate(wall, distance int64, b *budget) (nearest int64, found, equal bool) {
	for date := range c.recurrenceIDs(wall-distance, wall+distance, b) {
		d, best := max(date-wall, wall-date), max(nearest-wall, wall-nearest)
		switch {
		case !found || d < best:
			nearest, found, equal = date, true, false
		case d == best && date != nearest:
			equal = true
		}
		if date > wall {
			break
		}
	}
	return nearest, found, equal
}

// isBeyondEnd reports whether a local time is before the first or after the last recurrence
// id, which is nearest, by at least the distance of that from its neighbor, or by a whole
// period of the rule.
func (c *Component) isBeyondEnd(wall, nearest int64, b *budget) bool {
	distance := max(wall-nearest, nearest-wall)
	from, to, first, last := wall, int64(maxWall), nearest-distance, nearest-1
	if wall < nearest {
		from, to, first, last = minWall, wall, nearest+1, nearest+distance
	}
	if c.hasDate(from, to, b) {
		return false
	}
	r := c.Rule()
	return c.hasDate(first, last, b) || r != nil && distance >= int64(max(r.Interval, 1))*shortestPeriods[r.Freq]
}

// shortestPeriods are the lengths of the shortest periods of the frequencies, in seconds.
var shortestPeriods = []int64{Yearly: 365 * day, Monthly: 28 * day, Weekly: 7 * day, Daily: day, Hourly: 3600, Minutely: 60, Secondly: 1}

// hasDate reports whether there is a recurrence id from one local time to another.
func (c *Component) hasDate(from, to int64, b *budget) bool {
	for range c.recurrenceIDs(from, to, b) {
		return true
	}
	return false
}
