package harness

import "slices"

var translatedChecks = []check{
	{"W-110 W-111 W-118 X-40", "the translated output has its sections", func(c *client, rec *recorder) {
		if t, ok := c.translatedDataset(rec); ok {
			rec.checkShape(t, "contract object", "capabilities object", "presentation object", "objects array", "contexts array", "actions array",
				"workspace object", "field object", "fallbacks array")
			rec.checkContract(t, "service.home.runtime", 2)
			rec.checkString(t.at("contract.translator"), "expanded_screen")
		}
	}},
	{"PT-04 PT-44", "the translated output fits its schema", func(c *client, rec *recorder) {
		if t, ok := c.translatedDataset(rec); ok {
			c.checkSchema(rec, t, "service.home.runtime.translated", 2)
		}
	}},
	{"W-112", "the translated output has the objects of the dataset", func(c *client, rec *recorder) {
		t, okTranslated := c.translatedDataset(rec)
		d, okDataset := c.dataset(rec)
		if !okTranslated || !okDataset {
			return
		}
		if got, want := sortedIDs(t, "objects", "world_object_id"), sortedIDs(d, "objects", "world_object_id"); !slices.Equal(got, want) {
			rec.addProblem("%s: got %d objects, want the %d of GET %s", t.at("objects").path, len(got), len(want), runtimePath)
		}
		rec.eachItem(t.at("objects").list(), "objects", func(o value) {
			rec.checkShape(o, "world_object_id text", "source object", "title string", "permissions object", "actions array", "presentation object")
		})
	}},
	{"W-113", "every action of the translated output is a complete request", func(c *client, rec *recorder) {
		if t, ok := c.translatedDataset(rec); ok {
			rec.eachItem(t.at("actions").list(), "actions", rec.checkAction)
		}
	}},
	{"W-34 PT-03", "the translated output refers to its own actions and objects", func(c *client, rec *recorder) {
		t, ok := c.translatedDataset(rec)
		if !ok {
			return
		}
		rec.checkActionReferences(t)
		objects := setOf(sortedIDs(t, "objects", "world_object_id"))
		for _, g := range t.at("presentation.groups").list() {
			rec.checkRefersTo(g.at("object_ids"), objects)
		}
		rec.checkRefersTo(t.at("workspace.order"), objects)
	}},
	{"W-114", "a context leads to the message threads", checkContextOfThreads},
	{"W-116 B-26", "a selected thread is in the workspace", func(c *client, rec *recorder) {
		t, ok := c.translatedDataset(rec)
		if !ok {
			return
		}
		rec.checkShape(t.at("workspace"), "selected_message_thread object|null")
		var id string
		for _, o := range t.at("objects").list() {
			if o.at("source.resource_type").str() == "thread" {
				id = o.at("source.resource_id").str()
			}
		}
		if id == "" {
			return
		}
		if t, ok := c.document(rec, translatedPath+"?thread="+id); ok {
			rec.checkThread(t.at("workspace.selected_message_thread"), "message_thread", threadsPath)
			rec.checkString(t.at("workspace.selected_message_thread.id"), id)
		}
	}},
}

func checkContextOfThreads(c *client, rec *recorder) {
	t, ok := c.translatedDataset(rec)
	if !ok {
		return
	}
	threads := make(map[string]bool)
	for _, o := range t.at("objects").list() {
		if o.at("object_type").str() == "message_thread" || o.at("source.resource_type").str() == "thread" {
			threads[o.at("world_object_id").str()] = true
		}
	}
	if len(threads) == 0 {
		rec.skip("there are no message threads")
		return
	}
	for _, context := range t.at("contexts").list() {
		for _, item := range context.at("items").list() {
			if threads[item.at("target.world_object_id").str()] && len(item.at("action_ids").list()) > 0 {
				return
			}
		}
	}
	rec.addProblem("%s: no item with actions has one of the %d message threads as its target", t.at("contexts").path, len(threads))
}
