package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc"
	"appliance/svc/svctest"
)

// gathering makes a community of those members, the first of whom is its owner.
func gathering(h *apptest.Server, visibility string, members ...*apptest.Client) (id string) {
	h.T.Helper()
	id = svc.NewID("com")
	h.Exec(fmt.Sprintf("INSERT INTO social_community (id, name, summary, visibility, join_policy, member_count, created_by, created_at, updated_at)"+
		" VALUES ('%s', 'Gathering', '', '%s', 'invite', %d, %d, 0, 0)", id, visibility, len(members), members[0].ID))
	for i, m := range members {
		belongs(h, m, id, "active", []string{"owner", "member"}[min(i, 1)])
	}
	return id
}

// belongs makes somebody what they are in a community from now on.
func belongs(h *apptest.Server, c *apptest.Client, community, state, role string) {
	h.T.Helper()
	h.Exec(fmt.Sprintf("INSERT OR REPLACE INTO social_membership (community_id, member_id, state, role, joined_at, updated_at) VALUES ('%s', %d, '%s', '%s', 0, 0)",
		community, c.ID, state, role))
	h.Exec("UPDATE social_graph SET revision = random()")
	h.InvalidateAll()
}

// neighbourhood is an author with one viewer of each relation to them.
type neighbourhood struct {
	*apptest.Server
	author          *apptest.Client
	viewers         map[string]*apptest.Client // by relation, the author among them
	private, public string                     // communities of the author's
}

// relations are all that somebody can be to an author. Each is in the author's
// communities, or in a chain from them, as the name says; the former member,
// and those with a block, would be the closest of all.
var relations = []string{"author", "inner", "trusted", "extended", "co-member", "former", "blocked", "blocker", "stranger", "nobody"}

func newNeighbourhood(t *testing.T) *neighbourhood {
	h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	n := &neighbourhood{Server: h, viewers: map[string]*apptest.Client{"nobody": h.Unauthenticated()}}
	for _, r := range relations[:len(relations)-1] {
		n.viewers[r] = h.Member(r)
	}
	v := n.viewers
	n.author = v["author"]
	n.private = gathering(h, "private", v["author"], v["inner"], v["former"], v["blocked"], v["blocker"])
	n.public = gathering(h, "public", v["author"], v["co-member"], v["former"], v["blocked"], v["blocker"])
	gathering(h, "private", v["inner"], v["trusted"])
	gathering(h, "private", v["trusted"], v["extended"])
	for _, community := range []string{n.private, n.public} {
		belongs(h, v["former"], community, "left", "member")
	}
	v["author"].Do("POST", "/world/social/blocks", map[string]any{"member_id": v["blocked"].ID}).Want(201)
	v["blocker"].Do("POST", "/world/social/blocks", map[string]any{"member_id": v["author"].ID}).Want(201)
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
	shows func(n *neighbourhood, c *apptest.Client, id string) bool
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
		return n.author.Do("POST", "/world/social/conversations", map[string]any{"title": "Secret", "body": everyone(), "context": context}).
			Want(201).Str("conversation.id")
	}
}

func replyToStranger(n *neighbourhood) string {
	id := n.viewers["stranger"].StartConversation("Anybody?")
	for _, r := range relations[:len(relations)-1] {
		n.viewers[r].Do("POST", "/world/social/conversations/"+id+"/replies", `{"body": "me"}`).Want(201)
	}
	n.author.Do("POST", "/world/social/conversations/"+id+"/replies", `{"body": "I too"}`).Want(201)
	return id
}

// conversationPaths are those of a conversation that calls everyone.
var conversationPaths = []readPath{
	{"the list", listed(apptest.ConversationsPath, "conversations", "id")},
	{"the dataset", func(n *neighbourhood, c *apptest.Client, id string) bool { return c.ID != 0 && has(c, id) }},
	{"its page", answers("GET", apptest.ConversationsPath+"/", "", 200)},
	{"its replies", answers("GET", apptest.ConversationsPath+"/", "/replies", 200)},
	{"a reply to it", answers("POST", apptest.ConversationsPath+"/", "/replies", 201)},
	{"reading it", answers("POST", apptest.ConversationsPath+"/", "/read", 200)},
	{"the activity", listed("/world/social/activity", "activity", "target.id")},
	{"the notifications", notified},
	{"the unread notifications", func(n *neighbourhood, c *apptest.Client, id string) bool {
		return c == n.author || status(c, "GET", "/world/social/notifications") == 200 && c.Do("GET", "/world/social/notifications").At("unread_count") != 0.0
	}},
	{"the number of conversations", func(n *neighbourhood, c *apptest.Client, id string) bool { return countConversations(n.Server, c) == 1 }},
	{"for other services", func(n *neighbourhood, c *apptest.Client, id string) bool {
		return c.ID != 0 && status(c.AsService(), "GET", "/social/conversations/"+id) == 200
	}},
}

// replyPaths are those of the author's replies in a conversation of a
// stranger's, in which all others have said one thing.
var replyPaths = []readPath{
	{"the replies", func(n *neighbourhood, c *apptest.Client, id string) bool {
		return c.ID != 0 && strings.Contains(c.Do("GET", apptest.ConversationsPath+"/"+id+"?peek=1").Want(200).Body, "I too")
	}},
	{"the number of replies", saysOf("reply_count", 10)},
	{"the number of participants", saysOf("participant_count", 9)},
	{"the activity", func(n *neighbourhood, c *apptest.Client, id string) bool {
		return c.ID != 0 && strings.Contains(c.Do("GET", "/world/social/activity").Want(200).Body, `"Author"`)
	}},
	{"the notifications", func(n *neighbourhood, c *apptest.Client, id string) bool {
		return c == n.author || c.ID != 0 && strings.Contains(c.Do("GET", "/world/social/notifications").Want(200).Body, "Author replied")
	}},
}

// saysOf is the path of a number that is that if nobody is left out. The
// author does not see two of those counted.
func saysOf(field string, all float64) func(*neighbourhood, *apptest.Client, string) bool {
	return func(n *neighbourhood, c *apptest.Client, id string) bool {
		if c.ID == 0 {
			return false
		}
		got := c.Do("GET", apptest.ConversationsPath+"/"+id+"?peek=1").Want(200).At("conversation." + field)
		return got == all || c == n.author && got == all-2
	}
}

// listed is the path of a list, in which a value of each item is the id.
func listed(path, key, value string) func(*neighbourhood, *apptest.Client, string) bool {
	return func(n *neighbourhood, c *apptest.Client, id string) bool {
		a := c.Do("GET", path)
		return a.Status == 200 && slices.ContainsFunc(a.List(key), func(item any) bool { return apptest.At(item, value) == id })
	}
}

// has reports whether somebody's dataset has a thing.
func has(c *apptest.Client, id string) bool {
	c.T.Helper()
	objects := c.Runtime().Do("GET", "/world/runtime").Want(200).List("objects")
	return slices.ContainsFunc(objects, func(o any) bool { return apptest.At(o, "source.resource_id") == id })
}

// notified reports whether somebody has been told; an author is not told of
// what they did.
func notified(n *neighbourhood, c *apptest.Client, id string) bool {
	return c == n.author || listed("/world/social/notifications", "notifications", "target.id")(n, c, id)
}

// answers is the path of one thing, which answers with that status or as if
// there were nothing.
func answers(method, before, after string, status int) func(*neighbourhood, *apptest.Client, string) bool {
	return func(n *neighbourhood, c *apptest.Client, id string) bool {
		a := c.Do(method, before+id+after, map[string]any{"body": "x"})
		switch {
		case c.ID == 0:
			a.WantError(401, "unauthenticated")
		case a.Status != status:
			a.WantError(404, "not_found")
		}
		return a.Status == status
	}
}

func status(c *apptest.Client, method, path string) int { return c.Do(method, path).Status }

// countConversations returns how many conversations somebody's session says
// that they see.
func countConversations(h *apptest.Server, c *apptest.Client) (count int) {
	if c.ID == 0 {
		return 0
	}
	a := c.Runtime().Do("GET", apptest.SessionPath).Want(200)
	return int(apptest.At(a.Service("social"), "objects.conversations").(float64))
}

// Whatever it is and whichever way somebody looks, they see it if and only if
// they may. Covers PT-21, O-27, O-36 and O-37.
func TestVisibility(t *testing.T) {
	svctest.Long(t)
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
