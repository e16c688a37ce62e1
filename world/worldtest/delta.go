package worldtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// idKeys contains the sections in which a delta names changes, with the key of the ids.
var idKeys = map[string]string{"objects": "world_object_id", "contexts": "context_id", "actions": "action_id", "findings": "finding_id"}

// ApplyDelta returns the dataset that a runtime has after an answer: the answer itself,
// or, if it contains only changes, the earlier dataset with these changes. The error
// describes the violation of the contract.
func ApplyDelta(earlier, answer []byte) ([]byte, error) {
	var before, after map[string]any
	if err := json.Unmarshal(answer, &after); err != nil {
		return nil, err
	}
	delta, ok := after["delta"].(map[string]any)
	if !ok {
		return answer, nil
	}
	if err := json.Unmarshal(earlier, &before); err != nil {
		return nil, err
	}
	revision := func(d map[string]any) any {
		return d["capabilities"].(map[string]any)["changes"].(map[string]any)["revision"]
	}
	if delta["since"] != revision(before) || delta["revision"] != revision(after) {
		return nil, fmt.Errorf("got a delta from %v to %v, want from %v to %v", delta["since"], delta["revision"], revision(before), revision(after))
	}
	if err := applyItems(before, after, delta["items"].(map[string]any)); err != nil {
		return nil, err
	}
	part := func(kind, section string) any { return delta[kind].(map[string]any)[section] }
	for section, key := range idKeys {
		c := map[string]any{"changed": part("changed", section), "gone": part("gone", section), "after": part("after", section)}
		list, err := applyList(before[section].([]any), after[section].([]any), key, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", section, err)
		}
		after[section] = list
	}
	delete(after, "delta")
	return json.Marshal(after)
}

// applyItems replaces the items of the changed contexts of after by all their items.
func applyItems(before, after, items map[string]any) error {
	earlier := make(map[any][]any)
	for _, c := range before["contexts"].([]any) {
		c := c.(map[string]any)
		earlier[c["context_id"]] = c["items"].([]any)
	}
	changed := after["contexts"].([]any)
	if len(items) != len(changed) {
		return fmt.Errorf("got items of the contexts %v, want those of the %d changed contexts", slices.Sorted(maps.Keys(items)), len(changed))
	}
	for _, c := range changed {
		c := c.(map[string]any)
		id := c["context_id"].(string)
		changes, ok := items[id].(map[string]any)
		if !ok {
			return fmt.Errorf("context %s: got no changes of its items", id)
		}
		list, err := applyList(earlier[id], c["items"].([]any), "item_id", changes)
		if err != nil {
			return fmt.Errorf("context %s: %w", id, err)
		}
		c["items"] = list
	}
	return nil
}

// applyList returns a list with the changed records.
func applyList(list, changed []any, key string, changes map[string]any) ([]any, error) {
	idOf := func(record any) any { return record.(map[string]any)[key] }
	ids, gone, after := changes["changed"].([]any), changes["gone"].([]any), changes["after"].(map[string]any)
	if len(ids) != len(changed) || len(ids) != len(after) {
		return nil, fmt.Errorf("got %d changed records and %d records before them, want %d", len(changed), len(after), len(ids))
	}
	for _, id := range gone {
		if !slices.ContainsFunc(list, func(r any) bool { return idOf(r) == id }) || slices.Contains(ids, id) {
			return nil, fmt.Errorf("%v is gone, but it was not there or has changed", id)
		}
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r any) bool { return slices.Contains(ids, idOf(r)) || slices.Contains(gone, idOf(r)) })
	for i, id := range ids {
		if idOf(changed[i]) != id {
			return nil, fmt.Errorf("got the changed record %v, want %v", idOf(changed[i]), id)
		}
		predecessor, ok := after[id.(string)]
		at := 0
		if predecessor != nil {
			at = 1 + slices.IndexFunc(list, func(r any) bool { return idOf(r) == predecessor })
		}
		if !ok || predecessor != nil && at == 0 {
			return nil, fmt.Errorf("%v follows %v, which is not there", id, predecessor)
		}
		list = slices.Insert(list, at, changed[i])
	}
	return list, nil
}

// EqualJSON returns an error with the first difference unless two texts are equal as
// JSON values.
func EqualJSON(got, want []byte) error {
	var a, b any
	if err := errors.Join(json.Unmarshal(got, &a), json.Unmarshal(want, &b)); err != nil {
		return err
	}
	got, err := json.Marshal(a) // with sorted keys
	want, err2 := json.Marshal(b)
	if err := errors.Join(err, err2); err != nil || bytes.Equal(got, want) {
		return err
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	at = max(0, at-200)
	return fmt.Errorf("got\n%.500s\nwant\n%.500s", got[at:], want[at:])
}
