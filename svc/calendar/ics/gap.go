package ics

import "time"

// gapFinder finds the instances of a rule at local times that a change of the UTC offset
// skips. Such a time is interpreted with the offset before the gap (RFC 5545 §3.3.5), so an
// hourly rule has the instant of the first hour after the gap twice. It is one instance.
type gapFinder struct {
	plan     *rulePlan
	day      int64 // the day of from and to, if isKnown
	from, to int64 // the local times that are skipped on that day; from >= to if there are none
	isKnown  bool
}

// isDuplicate reports whether wall is skipped, and the rule also has an instance at the local
// time after the gap that is the same instant. The start is an instance even if it is skipped.
func (g *gapFinder) isDuplicate(wall int64, b *budget) bool {
	if d := floorDiv(wall, day); !g.isKnown || d != g.day {
		g.day, g.isKnown = d, true
		g.from, g.to = gapOn(g.plan.gaps.loc, d)
	}
	length, isSkipped := g.to-g.from, func(wall int64) bool { return g.from <= wall && wall < g.to }
	return isSkipped(wall) && g.plan.matches(wall+length, b) || wall == g.plan.start+length && isSkipped(g.plan.start)
}

// gapOn returns the local times of loc that are skipped on an epoch day, or in the hours
// before it.
func gapOn(loc *time.Location, epochDay int64) (from, to int64) {
	const before = 3 * 3600 // a gap may begin on the day before
	begin, end := wallToUnix(loc, epochDay*day)-before, wallToUnix(loc, (epochDay+1)*day)
	offset, next := utcOffset(loc, begin), utcOffset(loc, end)
	if next <= offset {
		return 0, 0
	}
	_, transition := time.Unix(begin, 0).In(loc).ZoneBounds()
	return transition.Unix() + offset, transition.Unix() + next
}
