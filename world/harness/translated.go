package harness

import "slices"

var translatedChecks = []check{
	{"W-110 W-111 W-118 X-40", "the translated output has its parts", func(p *probe, f *findings) {
		if t, ok := p.translated(f); ok {
			f.shape(t, "contract object", "capabilities object", "presentation object", "objects array", "contexts array", "actions array",
				"workspace object", "field object", "fallbacks array")
			p.contract(f, t, "service.home.runtime", 2)
			f.equal(t.at("contract.translator"), "expanded_screen")
		}
	}},
	{"PT-04 PT-44", "the translated output fits its schema", func(p *probe, f *findings) {
		if t, ok := p.translated(f); ok {
			p.fits(f, t, "the translated output", "service.home.runtime.translated", 2)
		}
	}},
	{"W-112", "it has the objects of the dataset", func(p *probe, f *findings) {
		t, ok := p.translated(f)
		d, is := p.dataset(f)
		if !ok || !is {
			return
		}
		if got, want := idsOf(t, "objects", "world_object_id"), idsOf(d, "objects", "world_object_id"); !slices.Equal(got, want) {
			f.add("it has %d objects, the dataset %d, or others", len(got), len(want))
		}
		f.items(t.at("objects").list(), "objects", func(o value) {
			f.shape(o, "world_object_id text", "source object", "title string", "permissions object", "actions array", "presentation object")
		})
	}},
	{"W-113", "every action has its nine fields", func(p *probe, f *findings) {
		if t, ok := p.translated(f); ok {
			f.items(t.at("actions").list(), "actions", func(a value) { f.action(a) })
		}
	}},
	{"W-34 PT-03", "every action and object it refers to is there", func(p *probe, f *findings) {
		t, ok := p.translated(f)
		if !ok {
			return
		}
		actions, objects := set(idsOf(t, "actions", "action_id")), set(idsOf(t, "objects", "world_object_id"))
		for _, o := range t.at("objects").list() {
			f.refers(o.at("actions"), actions)
		}
		f.actionIDs(t.without("objects", "actions"), actions)
		for _, g := range t.at("presentation.groups").list() {
			f.refers(g.at("object_ids"), objects)
		}
		f.refers(t.at("workspace.order"), objects)
	}},
	{"W-114", "a context leads to the threads", func(p *probe, f *findings) {
		t, ok := p.translated(f)
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
			f.skip("there are no message threads")
			return
		}
		for _, c := range t.at("contexts").list() {
			for _, item := range c.at("items").list() {
				if threads[item.at("target.world_object_id").str()] && len(item.at("action_ids").list()) > 0 {
					return
				}
			}
		}
		f.add("no item of a context is about one of %d threads and has actions", len(threads))
	}},
	{"W-116 B-26", "the thread that was selected is the workspace's", func(p *probe, f *findings) {
		t, ok := p.translated(f)
		if !ok {
			return
		}
		f.shape(t.at("workspace"), "selected_message_thread object|null")
		var id string
		for _, o := range t.at("objects").list() {
			if o.at("source.resource_type").str() == "thread" {
				id = o.at("source.resource_id").str()
			}
		}
		if id == "" {
			return
		}
		if t, ok := p.document(f, translatedPath+"?thread="+id); ok {
			p.thread(f, t.at("workspace.selected_message_thread"))
			f.equal(t.at("workspace.selected_message_thread.id"), id)
		}
	}},
}
