package harness

import "slices"

var socialChecks = []check{
	{"B-64 B-82 PT-44", "the lists of Social have valid records, page by page", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) {
			n := 0
			for _, l := range lists {
				if l.path != threadsPath {
					n += c.checkList(rec, l)
				}
			}
			rec.note("%d records", n)
		})
	}},
	{"O-25 O-26 B-70 B-71", "activity and notifications are ordered, the latest first", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) {
			for _, path := range []string{"/world/social/activity", "/world/social/notifications"} {
				records, _ := c.records(path)
				rec.checkDescending(records, "created_at")
			}
		})
	}},
	{"O-24 O-37 W-70 PT-42", "the session counts the records of the lists of Social", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkSocialCounts)
	}},
	{"O-01 B-65 PT-42", "communities count their members", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkCommunities)
	}},
	{"O-02 O-05 B-66 PT-42", "conversations count their replies", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkConversations)
	}},
	{"O-04 O-18 B-67 PT-42", "events have consistent responses, times and audiences", func(c *client, rec *recorder) {
		events, _ := c.records("/world/social/events")
		rec.eachItem(events, "events", rec.checkEvent)
	}},
	{"O-29 B-74 B-82", "the list of direct messages has valid threads, page by page", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) {
			c.checkThreads(rec, directMessages)
			threads, _ := c.records(directMessages.path)
			rec.checkDescending(threads, "last_message_at")
		})
		c.eachThread(rec, directMessages, func(t value) { c.checkParticipants(rec, t) })
	}},
	{"O-29 B-74 PT-42", "direct messages count their messages and the unread ones", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) { c.checkThreadCounts(rec, directMessages) })
	}},
	{"O-29 B-74", "direct messages have their own messages, the oldest first", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) { c.checkMessages(rec, directMessages) })
	}},
	{"M-36 O-30", "message threads and direct messages are separate", func(c *client, rec *recorder) {
		threads, _ := c.records(messageThreads.path)
		ids := make(map[string]bool)
		for _, t := range threads {
			ids[t.at("id").str()] = true
		}
		c.eachThread(rec, directMessages, func(t value) {
			if ids[t.at("id").str()] {
				rec.addUnexpected(t.at("id"), "an id that is not in GET %s", messageThreads.path)
			}
		})
	}},
	{"O-26 B-71 PT-42", "notifications count the unread ones", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, c.checkNotifications)
	}},
	{"B-65", "invitations are to the member", func(c *client, rec *recorder) {
		invitations, _ := c.records("/world/social/invitations")
		rec.eachItem(invitations, "invitations", func(v value) { rec.checkInvitation(v, c.memberID()) })
	}},
}

// checkSocialCounts compares the counts of the session with the lists.
func (c *client) checkSocialCounts(rec *recorder) {
	v, ok := c.service(rec, "social")
	if !ok {
		return
	}
	for _, name := range []string{"communities", "conversations", "events", "presence"} {
		if records, complete := c.records("/world/social/" + name); complete {
			rec.checkInteger(v.at("objects").at(name), len(records))
		}
	}
}

// checkCommunities compares the member counts of up to maxDetails communities with
// their lists of members.
func (c *client) checkCommunities(rec *recorder) {
	communities, _ := c.records("/world/social/communities")
	own := slices.DeleteFunc(communities, func(v value) bool { return v.at("membership.state").str() != "active" })
	rec.eachItem(own[:min(len(own), maxDetails)], "communities of the member", func(v value) {
		members, complete := c.pages(rec, v.at("links.members").str(), "members", "next_cursor", "cursor", maxPageLimit)
		ids := make(map[string]bool)
		for _, m := range members {
			c.checkSchema(rec, m, "service.social.community_member", 1)
			if m.at("state").str() == "active" {
				ids[m.at("id").String()] = true
			}
		}
		if complete {
			rec.checkInteger(v.at("member_count"), len(ids))
		}
		if !ids[c.memberID().String()] {
			rec.addProblem("%s: the member is missing", v.at("links.members").path)
		}
	})
}

// checkConversations compares the counts of up to maxDetails conversations with
// their replies.
func (c *client) checkConversations(rec *recorder) {
	conversations, _ := c.records("/world/social/conversations")
	rec.eachItem(conversations[:min(len(conversations), maxDetails)], "conversations", func(v value) {
		replies, complete := c.pages(rec, v.at("links.self").str()+"/replies", "replies", "previous_cursor", "before", maxPageLimit)
		authors := make(map[string]bool)
		for _, reply := range replies {
			c.checkSchema(rec, reply, "service.social.reply", 1)
			rec.checkString(reply.at("conversation_id"), v.at("id").str())
			authors[reply.at("author.id").String()] = true
		}
		rec.checkAscending(replies, "created_at")
		if unread := v.at("unread_count").integer(); unread < 0 || unread > v.at("reply_count").integer() {
			rec.addUnexpected(v.at("unread_count"), "0 to %v, the replies", v.at("reply_count"))
		}
		if !complete {
			return
		}
		rec.checkInteger(v.at("reply_count"), len(replies))
		authors[v.at("author.id").String()] = true
		if n := v.at("participant_count").integer(); n < len(authors)-1 || n > len(authors) {
			rec.addUnexpected(v.at("participant_count"), "%d, the author and those who replied", len(authors))
		}
		if len(replies) == 0 != v.at("last_reply_at").is("null") {
			rec.addUnexpected(v.at("last_reply_at"), "a time exactly if there are replies")
		}
	})
}

// checkEvent checks the responses, the times and the audience of an event.
func (r *recorder) checkEvent(v value) {
	r.checkShape(v.at("rsvp.counts"), "going integer", "maybe integer", "declined integer", "none integer")
	for _, n := range v.at("rsvp.counts").fields() {
		if n.integer() < 0 {
			r.addUnexpected(n, "0 or more")
		}
	}
	if mine := v.at("rsvp.mine").str(); v.at("rsvp.counts").at(mine).integer() < 1 && mine != "none" {
		r.addUnexpected(v.at("rsvp.counts").at(mine), "at least 1, the response of the member")
	}
	if capacity := v.at("rsvp.capacity"); capacity.is("integer") && v.at("rsvp.counts.going").integer() > capacity.integer() {
		r.addUnexpected(v.at("rsvp.counts.going"), "at most %v, the capacity", capacity)
	}
	if start, end := v.at("start").str(), v.at("end").str(); end != "" && end < start {
		r.addUnexpected(v.at("end"), "a time after %s, the start", start)
	}
	if (v.at("visibility").str() == "community") != v.at("community_id").is("text") {
		r.addUnexpected(v.at("community_id"), "an id exactly if the visibility is community, not %v", v.at("visibility"))
	}
	if (v.at("visibility").str() == "circle") != v.at("circle_depth").is("integer") {
		r.addUnexpected(v.at("circle_depth"), "a depth exactly if the visibility is circle, not %v", v.at("visibility"))
	}
}

// checkNotifications compares the unread count with the notifications.
func (c *client) checkNotifications(rec *recorder) {
	const path = "/world/social/notifications"
	records, complete := c.records(path)
	unread := 0
	for _, v := range records {
		if v.at("read_at").is("null") {
			unread++
		}
	}
	if doc, ok := c.prefetch(path).object(rec); ok && complete {
		rec.checkInteger(doc.at("unread_count"), unread)
	}
}

// checkInvitation checks an invitation to a member.
func (r *recorder) checkInvitation(v, member value) {
	if invitee := v.at("invitee.id"); !equalJSON(invitee, member) {
		r.addUnexpected(invitee, "%v, the member", member)
	}
	other := map[string]string{"community": "event_id", "event": "community_id"}[v.at("kind").str()]
	if other != "" && !v.at(other).is("null") {
		r.addUnexpected(v.at(other), "null, since the kind is %v", v.at("kind"))
	}
	open := v.at("state").str() == "pending" || v.at("state").str() == "expired"
	if open != v.at("answered_at").is("null") {
		r.addUnexpected(v.at("answered_at"), "a time exactly if the invitation was answered, not %v", v.at("state"))
	}
}
