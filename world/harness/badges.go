package harness

var badgeChecks = []check{
	{"B-106", "badges have a positive number and a kind", func(c *client, rec *recorder) {
		s, ok := c.session(rec)
		if !ok {
			return
		}
		checkBadge := func(v value) {
			if b := v.at("badge"); !b.is("null") {
				rec.checkShape(b, "count integer", "kind text")
				if b.at("count").integer() < 1 {
					rec.addUnexpected(b.at("count"), "at least 1")
				}
			}
		}
		rec.eachItem(s.at("shell.dock.items").list(), "items in the dock", checkBadge)
		for _, v := range s.at("surface_runtime.surfaces").list() {
			checkBadge(v)
		}
		c.eachPanel(rec, func(_ string, v value) {
			for _, item := range v.at("nav").list() {
				checkBadge(item)
			}
		})
	}},
	{"B-106 PT-42", "the badges of the dock agree with the lists and the panels", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkDockBadges)
	}},
	{"B-106", "the session describes the server, and has an action to sign out", func(c *client, rec *recorder) {
		s, ok := c.session(rec)
		if !ok {
			return
		}
		rec.checkShape(s.at("shell.server"), "name text", "timezone text", "locale text", "version text", "registration text")
		action, found := byID(s.at("shell.actions"), "id")["sign_out"]
		if !found {
			rec.addProblem("%s: sign_out is missing", s.at("shell.actions").path)
			return
		}
		rec.checkString(action.at("method"), "POST")
		rec.checkWorldURL(action.at("url"))
	}},
	{"B-106", "exactly the removable surfaces have a command that removes them", func(c *client, rec *recorder) {
		s, ok := c.surfaceRuntime(rec)
		if !ok {
			return
		}
		rec.eachItem(s.at("surfaces").list(), "surfaces", func(v value) {
			rec.checkShape(v, "icon text", "removable boolean")
			if v.at("removable").isTrue() != v.at("commands").has("remove_surface") {
				rec.addUnexpected(v.at("commands"), "remove_surface exactly if removable is true")
			}
			if defaultSurfaces[v.at("surface_id").str()] != "" && v.at("removable").isTrue() {
				rec.addUnexpected(v.at("removable"), "false for a surface that every member has")
			}
		})
	}},
}

// waitingPath is the path of the panel with what waits for an answer of the member.
const waitingPath = "/world/panels/social?view=dashboard"

// checkDockBadges compares the badges of the dock with the lists of the services.
func (c *client) checkDockBadges(rec *recorder) {
	s, okSession := c.session(rec)
	threads, okThreads := c.prefetch(threadsPath).object(rec)
	notifications, okNotifications := c.prefetch("/world/social/notifications").object(rec)
	tasks, okTasks := c.prefetch("/world/panels/time?view=tasks").object(rec)
	if !okSession || !okThreads || !okNotifications || !okTasks {
		return
	}
	dock := byID(s.at("shell.dock.items"), "id")
	compare := func(item string, want int) {
		if got := badgeCount(dock[item]); got != want {
			rec.addProblem("%s: got the badge %d of %s, want %d", s.at("shell.dock.items").path, got, item, want)
		}
	}
	compare("messages", threads.at("unread_total").integer())
	compare("time", badgeCount(byID(tasks.at("nav"), "id")["tasks"]))
	unread := notifications.at("unread_count").integer()
	if unread == 0 {
		waiting, ok := c.prefetch(waitingPath).object(rec)
		if !ok {
			return
		}
		unread = len(byID(waiting.at("sections"), "id")["waiting"].at("items").list())
	}
	compare("social", unread)
}

// badgeCount returns the number in the badge of an item, 0 for none.
func badgeCount(item value) int {
	if b := item.at("badge"); b.is("object") {
		return b.at("count").integer()
	}
	return 0
}
