package social

import (
	"fmt"
	"slices"
	"testing"

	"appliance/app/apptest"
)

const (
	eventsPath        = "/world/social/events"
	dmsPath           = "/world/social/dms"
	profilePath       = "/world/social/profile"
	peoplePath        = "/world/social/people"
	presencePath      = "/world/social/presence"
	blocksPath        = "/world/social/blocks"
	activityPath      = "/world/social/activity"
	invitationsPath   = "/world/social/invitations"
	notificationsPath = "/world/social/notifications"
)

// memberPath returns the path of a member below a list.
func memberPath(list string, c *apptest.Client) string { return fmt.Sprintf("%s/%d", list, c.ID) }

// connectChain creates a private community of each member with the next one, so
// that the members are at the depths 1, 2, … of the discovery graph of the
// first one.
func connectChain(members ...*apptest.Client) {
	for i, c := range members[1:] {
		members[i].CreateCommunity(`{"name": "Chain"}`, c)
	}
}

// communityContext returns the context of a conversation in the community at a
// path.
func communityContext(community string) string {
	return fmt.Sprintf(`{"kind": "community", "id": %q}`, apptest.LastSegment(community))
}

// createCommunityEvent creates an event of the community at a path.
func createCommunityEvent(host *apptest.Client, community string, fields ...any) string {
	host.T.Helper()
	return host.CreateEvent(append(fields, "visibility", "community", "community_id", apptest.LastSegment(community))...)
}

func rsvp(c *apptest.Client, event, response string) *apptest.Answer {
	c.T.Helper()
	return c.Do("POST", eventsPath+"/"+event+"/rsvp", map[string]any{"response": response})
}

// inviteToEvent invites a member to an event and returns the id of the invitation.
func inviteToEvent(host, guest *apptest.Client, event string) string {
	host.T.Helper()
	a := host.Do("POST", eventsPath+"/"+event+"/invitations", map[string]any{"recipient": guest.Name}).Want(201)
	a.WantSchema("service.social.invitation", a.At("invitation"))
	return a.Str("invitation.id")
}

// disable disables the account of a member.
func disable(operator, c *apptest.Client) {
	operator.T.Helper()
	operator.UpdateMember(c.ID, map[string]any{"status": "disabled"}).Want(200)
}

// datasetContains reports whether the dataset of c contains the record with an
// id.
func datasetContains(c *apptest.Client, id string) bool {
	c.T.Helper()
	objects := c.AsRuntime().Do("GET", "/world/runtime").Want(200).List("objects")
	return slices.ContainsFunc(objects, func(o any) bool { return apptest.At(o, "source.resource_id") == id })
}

// datasetTag returns the ETag of the dataset of c.
func datasetTag(c *apptest.Client) string {
	c.T.Helper()
	return c.AsRuntime().Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
}

// want fails the test unless got and want print the same.
func want(t testing.TB, about string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %q, want %q", about, g, w)
	}
}

// rejectedRequest is a request with the error that it must get, such as "422
// too_long title".
type rejectedRequest struct {
	by           *apptest.Client
	method, path string
	body         any
	want         string
}

// wantRejected fails the test unless each request gets its error and none
// changes a row.
func wantRejected(s *apptest.Server, requests []rejectedRequest) {
	s.T.Helper()
	s.WantUnchanged("rejected requests", func() {
		for _, r := range requests {
			var body []any
			if r.body != nil {
				body = []any{r.body}
			}
			a := r.by.Do(r.method, r.path, body...)
			got := fmt.Sprint(a.Status, " ", a.Str("error.code"))
			for _, field := range a.List("error.fields") {
				got += fmt.Sprint(" ", apptest.At(field, "name"))
			}
			want(s.T, fmt.Sprintf("%s %.60v", a.About, r.body), got, r.want)
		}
	})
}
