package dataset

import (
	"slices"

	"appliance/svc"
)

// Delta says how a runtime applies a dataset that contains only changes. It names
// records by their ids: world_object_id, context_id, action_id, finding_id, and item_id
// in Items.
//
// A section is applied to the list that the runtime has: remove the records that are in
// Gone or Changed, then insert those of Changed, in this order, each directly after the
// record that After names, or first in the list if that is null. All other sections
// replace those that the runtime has.
type Delta struct {
	Since    string       `json:"since"`    // revision that the changes apply to
	Revision string       `json:"revision"` // revision after the changes; the same as in capabilities.changes
	Changed  SectionIDs   `json:"changed"`  // records that are new, have changed or have moved, in their order; the sections contain exactly these
	Gone     SectionIDs   `json:"gone"`     // records that the dataset does not contain any more
	After    SectionOrder `json:"after"`    // the records before the changed ones
	Items    ItemChanges  `json:"items"`    // of each changed context, by context_id
}

// SectionIDs contains ids of records by section.
type SectionIDs struct {
	Objects  svc.List[string] `json:"objects"`
	Contexts svc.List[string] `json:"contexts"`
	Actions  svc.List[string] `json:"actions"`
	Findings svc.List[string] `json:"findings"`
}

// SectionOrder contains the records before changed records, by section: id → id of the
// record directly before it, or null for the first one.
type SectionOrder struct {
	Objects  Order `json:"objects"`
	Contexts Order `json:"contexts"`
	Actions  Order `json:"actions"`
	Findings Order `json:"findings"`
}

// Order maps the ids of records to the ids of the records before them.
type Order map[string]*string

// ItemChanges maps ids of contexts to the changes of their items.
type ItemChanges map[string]ListChanges

// ListChanges describes the changes of one list, like [Delta].
type ListChanges struct {
	Changed svc.List[string] `json:"changed"`
	Gone    svc.List[string] `json:"gone"`
	After   Order            `json:"after"`
}

// ChangesOffer offers the changes after this dataset.
type ChangesOffer struct {
	Revision string `json:"revision"` // of this dataset; opaque
	URL      string `json:"url"`      // request for the dataset with only what has changed since then
}

// delta computes the changes between two manifests, the texts of the records that have
// changed, and the instructions for the runtime.
type delta struct {
	Delta
	objects, actions, findings Chunks // with commas between the records
	contexts                   Chunks
}

// newDelta returns the changes of the dataset since an earlier one, in the sections
// that are requested.
func (w Writer) newDelta(before, after *manifest) *delta {
	d := &delta{Delta: Delta{Since: before.revision, Revision: after.revision, After: SectionOrder{Order{}, Order{}, Order{}, Order{}}, Items: ItemChanges{}}}
	if w.wants("objects") {
		changes := compare(objectRecords(before.objects), objectRecords(after.objects), nil)
		d.objects = changes.texts(func(i int) Chunks { data, suffix := w.c.next.layout.text(i); return Chunks{data, suffix} })
		d.Changed.Objects, d.Gone.Objects, d.After.Objects = changes.ids, changes.gone, changes.after
	}
	if w.wants("contexts") {
		d.addContexts(w.c.contexts, before.contexts, after.contexts)
	}
	if w.wants("actions") {
		changes, texts := compareLists(before.actionLists(), after.actionLists(), func(list int) records {
			if general := len(after.actions); list >= general {
				return w.c.objects[list-general].actions
			}
			return w.c.actions[list]
		})
		d.actions, d.Changed.Actions, d.Gone.Actions, d.After.Actions = texts, changes.ids, changes.gone, changes.after
	}
	if w.wants("findings") {
		changes, texts := compareLists(before.findings, after.findings, func(list int) records { return w.c.findings[list] })
		d.findings, d.Changed.Findings, d.Gone.Findings, d.After.Findings = texts, changes.ids, changes.gone, changes.after
	}
	return d
}

// addContexts adds the changed contexts, each with its changed items.
func (d *delta) addContexts(contexts []*encodedContext, before, after []contextHashes) {
	changes := compare(contextRecords(before), contextRecords(after), nil)
	items := make(map[string]*recordHashes, len(before))
	for _, c := range before {
		items[c.id] = c.items
	}
	d.contexts = changes.texts(func(i int) Chunks {
		c := contexts[i]
		earlier := items[c.id]
		if earlier == nil {
			earlier = noRecords
		}
		changed, texts := compareLists([]*recordHashes{earlier}, []*recordHashes{c.items.index()}, func(int) records { return c.items })
		d.Items[c.id] = ListChanges{changed.ids, changed.gone, changed.after}
		return slices.Concat(Chunks{c.head}, texts, Chunks{c.tail})
	})
	d.Changed.Contexts, d.Gone.Contexts, d.After.Contexts = changes.ids, changes.gone, changes.after
}
