package harness

import "slices"

var peopleChecks = []check{
	{"O-06 O-07 O-08 O-09 B-73", "circles have the depths 1 to 3, and no member twice", func(c *client, rec *recorder) {
		c.checkCircles(rec)
	}},
	{"O-15 B-73 PT-42", "the discovery graph has the members of the circles", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkGraph)
	}},
	{"O-06 B-73", "people have the circle that lists them", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkPeople)
	}},
	{"O-22 B-68", "profiles agree with the list of people", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkProfiles)
	}},
	{"O-23 B-69", "the presence of the member is in the list", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkPresence)
	}},
	{"O-27 B-72", "blocked members are in no list of members", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkBlocks)
	}},
}

// checkCircles checks the circles, and returns the depths of their members by id.
func (c *client) checkCircles(rec *recorder) map[string]int {
	circles, _ := c.records("/world/social/circles")
	if len(circles) != 3 {
		rec.addProblem("GET /world/social/circles: got %d circles, want 3", len(circles))
	}
	depths := make(map[string]int)
	me := c.memberID().String()
	for i, circle := range circles {
		rec.checkInteger(circle.at("depth"), i+1)
		for _, m := range circle.at("members").list() {
			id := m.at("id").String()
			if id == me || depths[id] > 0 {
				rec.addUnexpected(m.at("id"), "a member other than the viewer and those of the circles before")
			}
			depths[id] = circle.at("depth").integer()
		}
	}
	return depths
}

// checkGraph compares the discovery graph with the circles.
func (c *client) checkGraph(rec *recorder) {
	depths := c.checkCircles(new(recorder))
	doc, ok := c.prefetch("/world/social/discovery/graph?depth=3").object(rec)
	if !ok {
		return
	}
	c.checkSchema(rec, doc, "service.social.graph", 1)
	me := c.memberID()
	if !equalJSON(doc.at("root"), me) {
		rec.addUnexpected(doc.at("root"), "%v, the member", me)
	}
	nodes := map[string]bool{me.String(): true}
	for _, node := range doc.at("nodes").list() {
		id := node.at("member_id").String()
		if nodes[id] {
			rec.addProblem("%s: %s is listed twice", node.at("member_id").path, id)
		}
		nodes[id] = true
		if depths[id] == 0 {
			rec.addUnexpected(node.at("member_id"), "a member of a circle")
		} else {
			rec.checkInteger(node.at("depth"), depths[id])
		}
	}
	for _, edge := range doc.at("edges").list() {
		for _, end := range []string{"from", "to"} {
			if !nodes[edge.at(end).String()] {
				rec.addUnexpected(edge.at(end), "the root or a node")
			}
		}
	}
	if n := len(nodes) - 1; !doc.at("truncated").isTrue() && n != len(depths) {
		rec.addProblem("%s: got %d nodes, want the %d members of the circles", doc.at("nodes").path, n, len(depths))
	}
}

// checkProfiles compares up to maxDetails profiles with the list of people.
func (c *client) checkProfiles(rec *recorder) {
	if doc, ok := c.prefetch("/world/social/profile").object(rec); ok {
		c.checkSchema(rec, doc.at("profile"), "service.social.profile", 1)
		if me := c.memberID(); !equalJSON(doc.at("profile.member_id"), me) {
			rec.addUnexpected(doc.at("profile.member_id"), "%v, the member", me)
		}
	}
	people, _ := c.records("/world/social/people")
	for _, v := range people[:min(len(people), maxDetails)] {
		doc, ok := c.prefetch("/world/social/profiles/" + v.at("id").String()).object(rec)
		if !ok {
			continue
		}
		profile := doc.at("profile")
		c.checkSchema(rec, profile, "service.social.profile", 1)
		for key, want := range map[string]value{"member_id": v.at("id"), "display_name": v.at("display_name"), "circle": v.at("circle")} {
			if !equalJSON(profile.at(key), want) {
				rec.addUnexpected(profile.at(key), "%v as in the list of people", want)
			}
		}
	}
}

// checkPresence checks the states of the presence list, and that it has the
// member's own presence.
func (c *client) checkPresence(rec *recorder) {
	const path = "/world/social/presence"
	records, complete := c.records(path)
	for _, v := range records {
		if v.at("state").str() == "offline" {
			rec.addUnexpected(v.at("state"), "a member who is present")
		}
	}
	doc, ok := c.prefetch(path).object(rec)
	mine := doc.at("mine")
	if !ok || !mine.is("object") || mine.at("state").str() == "offline" || !complete {
		return
	}
	if !slices.ContainsFunc(records, func(v value) bool { return equalJSON(v.at("member_id"), mine.at("member_id")) }) {
		rec.addProblem("%s: the presence of the member is missing", doc.at("presence").path)
	}
}

// checkPeople checks that the circle of each member in /world/social/people is the
// one in /world/social/circles.
func (c *client) checkPeople(rec *recorder) {
	depths := c.checkCircles(new(recorder))
	people, _ := c.records("/world/social/people")
	for _, v := range people {
		switch depth, listed := v.at("circle.depth"), depths[v.at("id").String()]; {
		case listed > 0:
			rec.checkInteger(depth, listed)
		case !v.at("circle").is("null"):
			rec.addUnexpected(v.at("circle"), "null, since no circle lists the member")
		}
	}
}

// checkBlocks checks that the blocked members are hidden.
func (c *client) checkBlocks(rec *recorder) {
	blocks, _ := c.records("/world/social/blocks")
	blocked := make(map[string]bool)
	for _, v := range blocks {
		blocked[v.at("member_id").String()] = true
	}
	depths := c.checkCircles(new(recorder))
	rec.eachItem(blocks, "blocks", func(v value) {
		if depth := depths[v.at("member_id").String()]; depth > 0 {
			rec.addProblem("%s: got %v in the circle of depth %d, want blocked members in none", v.at("member_id").path, v.at("member_id"), depth)
		}
	})
	for path, key := range map[string]string{"/world/social/people": "id", "/world/social/presence": "member_id"} {
		records, _ := c.records(path)
		for _, v := range records {
			if blocked[v.at(key).String()] {
				rec.addUnexpected(v.at(key), "a member who is not blocked")
			}
		}
	}
}
