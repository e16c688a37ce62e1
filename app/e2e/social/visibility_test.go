package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// relations are the viewers of the matrix by their relation to the author. The
// former member has left the private community of the author; the members
// "blocked" and "blocker" are still in it.
var relations = []string{"author", "inner", "trusted", "outsider", "former", "blocked", "blocker"}

// visibleRecord is a record of the author with the relations of the members that
// can see it and the routes that show it. The rules are tested in svc/social;
// this matrix shows that every route applies them.
type visibleRecord struct {
	name  string
	id    string
	to    string
	shows map[string]func(c *apptest.Client) bool
}

// Covers PT-21, O-27, O-36 and O-37.
func TestEveryRouteHidesRecordsFromMembersOutsideTheAudience(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	v := s.Members(relations...)
	author := v["author"]
	private := author.CreateCommunity(`{"name": "Family"}`, v["inner"], v["former"], v["blocked"], v["blocker"])
	connectChain(v["inner"], v["trusted"])
	v["former"].Do("POST", private+"/leave").Want(200)
	author.Block(v["blocked"]).Want(201)
	v["blocker"].Block(author).Want(201)

	mentions := "@" + strings.Join(relations, " @")
	conversation := author.Do("POST", apptest.ConversationsPath, map[string]any{
		"title": "Secret", "body": mentions, "context": map[string]any{"kind": "circle", "depth": 2},
	}).Want(201).Str("conversation.id")
	event := author.CreateEvent("visibility", "circle", "circle_depth", 1)
	author.Do("PATCH", profilePath, `{"visibility": "circle", "bio": "Bakes"}`).Want(200)
	author.Do("POST", presencePath, `{"state": "busy", "visible_to": "trusted"}`).Want(200)

	for _, record := range []visibleRecord{
		{"conversation of the trusted circle", conversation, "author inner trusted", conversationRoutes(conversation, author)},
		{"event of the inner circle", event, "author inner", eventRoutes(event)},
		{"profile for circles", author.ID.String(), "author inner trusted", profileRoutes(author)},
		{"presence for the trusted circle", author.ID.String(), "author inner trusted", presenceRoutes(author)},
	} {
		for route, shows := range record.shows {
			for _, relation := range relations {
				if got, want := shows(v[relation]), slices.Contains(strings.Fields(record.to), relation); got != want {
					t.Errorf("%s, %s, %s: got visible %t, want %t", record.name, route, relation, got, want)
				}
			}
		}
	}
}

func conversationRoutes(id string, author *apptest.Client) map[string]func(*apptest.Client) bool {
	path := apptest.ConversationsPath + "/" + id
	return map[string]func(*apptest.Client) bool{
		"the list":    listContains(apptest.ConversationsPath, "conversations", "id", id),
		"the record":  routeFinds("GET", path, 200),
		"the replies": routeFinds("GET", path+"/replies", 200),
		"replying":    routeFinds("POST", path+"/replies", 201),
		"marking":     routeFinds("POST", path+"/read", 200),
		"updating": func(c *apptest.Client) bool {
			a := c.Do("PATCH", path, `{"body": "x"}`)
			return hasStatus(a, 200, 403)
		},
		"the activity": listContains(activityPath, "activity", "target.id", id),
		"the notifications": func(c *apptest.Client) bool {
			return c == author || listContains(notificationsPath, "notifications", "target.id", id)(c)
		},
		"the unread notifications": func(c *apptest.Client) bool {
			return c == author || c.Do("GET", notificationsPath).Want(200).At("notifications.0.target.id") == id
		},
		"the count of the session": func(c *apptest.Client) bool {
			a := c.AsRuntime().Do("GET", apptest.SessionPath).Want(200)
			return apptest.At(a.Service("social"), "objects.conversations") == 1.0
		},
		"the dataset":        func(c *apptest.Client) bool { return datasetContains(c, id) },
		"the panel":          routeFinds("GET", apptest.SocialPanelPath+"?view=conversations&id="+id, 200),
		"the list panel":     bodyContains(apptest.SocialPanelPath+"?view=conversations", id),
		"the panel of today": bodyContains("/world/panels/today", id),
		"another service":    serviceRouteFinds("/social/conversations/" + id),
		"the sources":        serviceBodyContains("/social/objects", id),
	}
}

func eventRoutes(id string) map[string]func(*apptest.Client) bool {
	path := eventsPath + "/" + id
	return map[string]func(*apptest.Client) bool{
		"the list":    listContains(eventsPath, "events", "id", id),
		"the record":  routeFinds("GET", path, 200),
		"the replies": routeFinds("GET", path+"/replies", 200),
		"responding": func(c *apptest.Client) bool {
			return hasStatus(c.Do("POST", path+"/rsvp", `{"response": "maybe"}`), 200)
		},
		"updating":           func(c *apptest.Client) bool { return hasStatus(c.Do("PATCH", path, `{"description": "x"}`), 200, 403) },
		"the invitations":    func(c *apptest.Client) bool { return hasStatus(c.Do("GET", path+"/invitations"), 200, 403) },
		"inviting":           func(c *apptest.Client) bool { return hasStatus(c.Do("POST", path+"/invitations", `{}`), 400, 403) },
		"the activity":       listContains(activityPath, "activity", "target.id", id),
		"the dataset":        func(c *apptest.Client) bool { return datasetContains(c, id) },
		"the panel":          routeFinds("GET", apptest.SocialPanelPath+"?view=events&id="+id, 200),
		"the dashboard":      bodyContains(apptest.SocialPanelPath+"?view=dashboard", id),
		"the panel of today": bodyContains("/world/panels/today", id),
		"the calendar":       func(c *apptest.Client) bool { rsvp(c, id, "going"); return strings.Contains(mirrorTexts(c), id) },
		"another service":    serviceRouteFinds("/social/events/" + id),
		"the sources":        serviceBodyContains("/social/objects", id),
	}
}

func profileRoutes(author *apptest.Client) map[string]func(*apptest.Client) bool {
	path := memberPath("/world/social/profiles", author)
	return map[string]func(*apptest.Client) bool{
		"the record":      routeFinds("GET", path, 200),
		"the people":      bodyContains(peoplePath, `"open":"`+path+`"`),
		"the panel":       routeFinds("GET", fmt.Sprint(apptest.SocialPanelPath, "?view=people&id=", author.ID), 200),
		"another service": serviceRouteFinds(strings.TrimPrefix(path, "/world")),
	}
}

func presenceRoutes(author *apptest.Client) map[string]func(*apptest.Client) bool {
	return map[string]func(*apptest.Client) bool{
		"the list": func(c *apptest.Client) bool {
			return c.Do("GET", presencePath).Want(200).Column("presence", "member_id") == author.ID.String()
		},
		"the people":      bodyContains(peoplePath, `"busy"`),
		"the people view": bodyContains(apptest.SocialPanelPath+"?view=people", "Busy"),
		"the session": func(c *apptest.Client) bool {
			a := c.AsRuntime().Do("GET", apptest.SessionPath).Want(200)
			return apptest.At(a.Service("social"), "objects.presence") == 1.0
		},
	}
}

// listContains returns a function that reports whether a list has an item with
// a value at a path.
func listContains(path, list, value, id string) func(*apptest.Client) bool {
	return func(c *apptest.Client) bool {
		items := c.Do("GET", path).Want(200).List(list)
		return slices.ContainsFunc(items, func(item any) bool { return apptest.At(item, value) == id })
	}
}

// routeFinds returns a function that reports whether a route finds the record.
func routeFinds(method, path string, status int) func(*apptest.Client) bool {
	return func(c *apptest.Client) bool { return hasStatus(c.Do(method, path, `{"body": "x"}`), status) }
}

// hasStatus reports whether a response has one of the statuses. Any other
// status except 404 fails the test.
func hasStatus(a *apptest.Answer, statuses ...int) bool {
	if slices.Contains(statuses, a.Status) {
		return true
	}
	a.WantError(404, "not_found")
	return false
}

// bodyContains returns a function that reports whether the response of a route
// contains a text.
func bodyContains(path, text string) func(*apptest.Client) bool {
	return func(c *apptest.Client) bool {
		return strings.Contains(c.AsRuntime().Do("GET", path).Want(200).Body, text)
	}
}

func serviceRouteFinds(path string) func(*apptest.Client) bool {
	return func(c *apptest.Client) bool { return hasStatus(c.AsService().Do("GET", path), 200) }
}

func serviceBodyContains(path, text string) func(*apptest.Client) bool {
	return func(c *apptest.Client) bool {
		return strings.Contains(c.AsService().Do("GET", path).Want(200).Body, text)
	}
}
