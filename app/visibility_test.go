package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/svc"
)

// gathering makes a community of those members, the first of whom is its owner.
func (h *house) gathering(visibility string, members ...*client) (id string) {
	h.t.Helper()
	id = svc.NewID("com")
	meddle(h.t, h, fmt.Sprintf("INSERT INTO social_community (id, name, summary, visibility, join_policy, member_count, created_by, created_at, updated_at)"+
		" VALUES ('%s', 'Gathering', '', '%s', 'invite', %d, %d, 0, 0)", id, visibility, len(members), members[0].id))
	for i, m := range members {
		h.belongs(m, id, "active", []string{"owner", "member"}[min(i, 1)])
	}
	return id
}

// belongs makes somebody what they are in a community from now on.
func (h *house) belongs(c *client, community, state, role string) {
	h.t.Helper()
	meddle(h.t, h, fmt.Sprintf("INSERT OR REPLACE INTO social_membership (community_id, member_id, state, role, joined_at, updated_at) VALUES ('%s', %d, '%s', '%s', 0, 0)",
		community, c.id, state, role))
	meddle(h.t, h, "UPDATE social_graph SET revision = random()")
	h.touch()
}

// neighbourhood is an author with one viewer of each relation to them.
type neighbourhood struct {
	*house
	author          *client
	viewers         map[string]*client // by relation, the author among them
	private, public string             // communities of the author's
}

// relations are all that somebody can be to an author. Each is in the author's
// communities, or in a chain from them, as the name says; the former member,
// and those with a block, would be the closest of all.
var relations = []string{"author", "inner", "trusted", "extended", "co-member", "former", "blocked", "blocker", "stranger", "nobody"}

func newNeighbourhood(t *testing.T) *neighbourhood {
	h := open(t, unlimited, withKey)
	n := &neighbourhood{house: h, viewers: map[string]*client{"nobody": h.nobody()}}
	for _, r := range relations[:len(relations)-1] {
		n.viewers[r] = h.member(r)
	}
	v := n.viewers
	n.author = v["author"]
	n.private = h.gathering("private", v["author"], v["inner"], v["former"], v["blocked"], v["blocker"])
	n.public = h.gathering("public", v["author"], v["co-member"], v["former"], v["blocked"], v["blocker"])
	h.gathering("private", v["inner"], v["trusted"])
	h.gathering("private", v["trusted"], v["extended"])
	for _, community := range []string{n.private, n.public} {
		h.belongs(v["former"], community, "left", "member")
	}
	v["author"].do("POST", "/world/social/blocks", map[string]any{"member_id": v["blocked"].id}).want(201)
	v["blocker"].do("POST", "/world/social/blocks", map[string]any{"member_id": v["author"].id}).want(201)
	return n
}

// visibleKind is a kind of thing that an author makes, who sees it, and where
// it would show.
type visibleKind struct {
	name  string
	make  func(n *neighbourhood) string // returns its id
	to    string                        // the relations that see it
	paths []readPath
}

// readPath is a way to come to know of something.
type readPath struct {
	name  string
	shows func(n *neighbourhood, c *client, id string) bool
}

// visibleKinds is what the matrix is of: whoever adds something that members
// make adds it here.
var visibleKinds = []visibleKind{
	{"a conversation of a private community", converse("community", "private", 0), "author inner", conversationPaths},
	{"a conversation of a public community", converse("community", "public", 0), "author co-member", conversationPaths},
	{"a conversation of the inner circle", converse("circle", "", 1), "author inner", conversationPaths},
	{"a conversation of the trusted circle", converse("circle", "", 2), "author inner trusted", conversationPaths},
	{"a conversation of the extended circle", converse("circle", "", 3), "author inner trusted extended", conversationPaths},
	{"an open conversation", converse("open", "", 0), "author inner trusted extended co-member former stranger", conversationPaths},
	{"a reply in a conversation of a stranger", replyToStranger, "author inner trusted extended co-member former stranger", replyPaths},
}

// everyone is a text that calls all viewers.
func everyone() string { return "@" + strings.Join(relations, " @") }

func converse(kind, community string, depth int) func(*neighbourhood) string {
	return func(n *neighbourhood) string {
		context := map[string]any{"kind": kind, "depth": depth, "id": map[string]string{"private": n.private, "public": n.public}[community]}
		return n.author.do("POST", "/world/social/conversations", map[string]any{"title": "Secret", "body": everyone(), "context": context}).
			want(201).str("conversation.id")
	}
}

func replyToStranger(n *neighbourhood) string {
	id := n.viewers["stranger"].converse("Anybody?")
	for _, r := range relations[:len(relations)-1] {
		n.viewers[r].do("POST", "/world/social/conversations/"+id+"/replies", `{"body": "me"}`).want(201)
	}
	n.author.do("POST", "/world/social/conversations/"+id+"/replies", `{"body": "I too"}`).want(201)
	return id
}

// converse begins an open conversation.
func (c *client) converse(title string) (id string) {
	c.t.Helper()
	return c.do("POST", "/world/social/conversations", map[string]any{"title": title, "body": "Well?", "context": map[string]any{"kind": "open"}}).
		want(201).str("conversation.id")
}

const conversationsPath = "/world/social/conversations"

// conversationPaths are those of a conversation that calls everyone.
var conversationPaths = []readPath{
	{"the list", listed(conversationsPath, "conversations", "id")},
	{"the dataset", func(n *neighbourhood, c *client, id string) bool { return c.id != 0 && c.has(id) }},
	{"its page", answers("GET", conversationsPath+"/", "", 200)},
	{"its replies", answers("GET", conversationsPath+"/", "/replies", 200)},
	{"a reply to it", answers("POST", conversationsPath+"/", "/replies", 201)},
	{"reading it", answers("POST", conversationsPath+"/", "/read", 200)},
	{"the activity", listed("/world/social/activity", "activity", "target.id")},
	{"the notifications", notified},
	{"the unread notifications", func(n *neighbourhood, c *client, id string) bool {
		return c == n.author || c.status("GET", "/world/social/notifications") == 200 && c.do("GET", "/world/social/notifications").at("unread_count") != 0.0
	}},
	{"the number of conversations", func(n *neighbourhood, c *client, id string) bool { return n.countConversations(c) == 1 }},
	{"for other services", func(n *neighbourhood, c *client, id string) bool {
		return c.id != 0 && c.internally().status("GET", "/social/conversations/"+id) == 200
	}},
}

// replyPaths are those of the author's replies in a conversation of a
// stranger's, in which all others have said one thing.
var replyPaths = []readPath{
	{"the replies", func(n *neighbourhood, c *client, id string) bool {
		return c.id != 0 && strings.Contains(c.do("GET", conversationsPath+"/"+id+"?peek=1").want(200).body, "I too")
	}},
	{"the number of replies", saysOf("reply_count", 10)},
	{"the number of participants", saysOf("participant_count", 9)},
	{"the activity", func(n *neighbourhood, c *client, id string) bool {
		return c.id != 0 && strings.Contains(c.do("GET", "/world/social/activity").want(200).body, `"Author"`)
	}},
	{"the notifications", func(n *neighbourhood, c *client, id string) bool {
		return c == n.author || c.id != 0 && strings.Contains(c.do("GET", "/world/social/notifications").want(200).body, "Author replied")
	}},
}

// saysOf is the path of a number that is that if nobody is left out. The
// author does not see two of those counted.
func saysOf(field string, all float64) func(*neighbourhood, *client, string) bool {
	return func(n *neighbourhood, c *client, id string) bool {
		if c.id == 0 {
			return false
		}
		got := c.do("GET", conversationsPath+"/"+id+"?peek=1").want(200).at("conversation." + field)
		return got == all || c == n.author && got == all-2
	}
}

// listed is the path of a list, in which a value of each item is the id.
func listed(path, key, value string) func(*neighbourhood, *client, string) bool {
	return func(n *neighbourhood, c *client, id string) bool {
		a := c.do("GET", path)
		return a.status == 200 && slices.ContainsFunc(a.list(key), func(item any) bool { return dig(item, value) == id })
	}
}

// has reports whether somebody's dataset has a thing.
func (c *client) has(id string) bool {
	c.t.Helper()
	objects := c.runtime().do("GET", "/world/runtime").want(200).list("objects")
	return slices.ContainsFunc(objects, func(o any) bool { return dig(o, "source.resource_id") == id })
}

// notified reports whether somebody has been told; an author is not told of
// what they did.
func notified(n *neighbourhood, c *client, id string) bool {
	return c == n.author || listed("/world/social/notifications", "notifications", "target.id")(n, c, id)
}

// answers is the path of one thing, which answers with that status or as if
// there were nothing.
func answers(method, before, after string, status int) func(*neighbourhood, *client, string) bool {
	return func(n *neighbourhood, c *client, id string) bool {
		a := c.do(method, before+id+after, map[string]any{"body": "x"})
		switch {
		case c.id == 0:
			a.refused(401, "unauthenticated")
		case a.status != status:
			a.refused(404, "not_found")
		}
		return a.status == status
	}
}

func (c *client) status(method, path string) int { return c.do(method, path).status }

// countConversations returns how many conversations somebody's session says
// that they see.
func (h *house) countConversations(c *client) (count int) {
	if c.id == 0 {
		return 0
	}
	a := c.runtime().do("GET", sessionPath).want(200)
	return int(dig(a.service("social"), "objects.conversations").(float64))
}

// Whatever it is and whichever way somebody looks, they see it if and only if
// they may. Covers PT-21, O-27, O-36 and O-37.
func TestVisibility(t *testing.T) {
	long(t)
	for _, kind := range visibleKinds {
		t.Run(kind.name, func(t *testing.T) {
			n := newNeighbourhood(t)
			id := kind.make(n)
			for _, path := range kind.paths {
				for _, relation := range relations {
					want := slices.Contains(strings.Fields(kind.to), relation)
					if got := path.shows(n, n.viewers[relation], id); got != want {
						t.Errorf("%s: for %s it shows: %t", path.name, relation, got)
					}
				}
			}
		})
	}
}
