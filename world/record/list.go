package record

import "appliance/svc"

// List returns the records of the items of a list.
func List[T, R any](items []T, record func(T) R) svc.List[R] {
	list := make(svc.List[R], len(items))
	for i, item := range items {
		list[i] = record(item)
	}
	return list
}
