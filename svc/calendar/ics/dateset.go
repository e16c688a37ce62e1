package ics

import (
	"iter"
	"slices"
)

// dateSet is a recurrence set without its EXDATEs, as wall clock times.
type dateSet struct {
	plans  []rulePlan
	rdates []int64 // sorted
	budget *budget

	counted map[*rulePlan][]int64 // the dates of rules with COUNT, which are found in order only
}

func newDateSet(plans []rulePlan, rdates []int64, b *budget) *dateSet {
	slices.Sort(rdates)
	return &dateSet{plans, rdates, b, make(map[*rulePlan][]int64)}
}

// ruleDates yields the dates of the rules between two wall clock times, both inclusive.
func (s *dateSet) ruleDates(from, to int64) iter.Seq[int64] {
	var sources []iter.Seq[int64]
	for i := range s.plans {
		p := &s.plans[i]
		if p.rule.Count == 0 {
			sources = append(sources, p.between(from, to, s.budget))
			continue
		}
		if _, isRead := s.counted[p]; !isRead {
			s.counted[p] = slices.Collect(p.between(minWall, maxWall, s.budget))
		}
		sources = append(sources, valuesWithin(s.counted[p], from, to))
	}
	return mergeSorted(sources)
}

// dates yields all dates between two wall clock times, both inclusive.
func (s *dateSet) dates(from, to int64) iter.Seq[int64] {
	return mergeSorted([]iter.Seq[int64]{s.ruleDates(from, to), valuesWithin(s.rdates, from, to)})
}

// valuesWithin yields the values of a sorted list between two others, both inclusive.
func valuesWithin(list []int64, from, to int64) iter.Seq[int64] {
	i, _ := slices.BinarySearch(list, from)
	j, _ := slices.BinarySearch(list, to+1)
	return slices.Values(list[i:max(i, j)])
}

// hasRuleDate reports whether wall is a date of a rule.
func (s *dateSet) hasRuleDate(wall int64) bool {
	for range s.ruleDates(wall, wall) {
		return true
	}
	return false
}

// has reports whether wall is a date of the set.
func (s *dateSet) has(wall int64) bool {
	_, found := slices.BinarySearch(s.rdates, wall)
	return found || s.hasRuleDate(wall)
}

// lastRuleDates yields the dates of the only rule, which has an end, the last one first.
func (s *dateSet) lastRuleDates() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		p := &s.plans[0]
		days := [...]int64{Yearly: 4000, Monthly: 400, Weekly: 60, Daily: 40, Hourly: 5, Minutely: 1, Secondly: 1}[p.rule.Freq]
		for to := p.until; to >= p.start && !s.budget.exhausted; days *= 8 {
			from := max(p.start, to-days*day)
			for _, wall := range slices.Backward(slices.Collect(s.ruleDates(from, to))) {
				if !yield(wall) {
					return
				}
			}
			to = from - 1
		}
	}
}
