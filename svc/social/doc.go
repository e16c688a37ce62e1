// Package social implements the Social service: communities, circles,
// conversations, events, profiles, presence and direct messages (DMs).
//
// # Files
//
//   - service.go: Service, the deletion of members and the sweep
//   - sets.go: the closed sets of Social
//   - needs.go: the interfaces required of other services
//   - names.go: display names, and which members appear as former members
//   - view.go: the lists that determine which records one member sees
//   - audience.go: audience rows
//   - audience_spec.go: AudienceSpec, the audience in one form field
//   - avatar.go: avatars of members and communities
//   - block.go: blocks
//   - circle.go: circles and the discovery graph
//   - circle_compute.go: computes and caches circles
//   - member_cache.go: the cache of computed values per member
//   - community.go: reading communities
//   - community_write.go: creating, updating and deleting communities
//   - community_invitation.go: invitations to communities
//   - membership.go: members, roles and removal
//   - join.go: joining, leaving and the succession of owners
//   - invitation.go: invitations to communities and events
//   - conversation.go: reading conversations
//   - conversation_write.go: starting, updating and closing conversations
//   - reply.go: replies and read cursors
//   - mention.go: mentions
//   - event.go: reading events
//   - event_create.go: creating events
//   - event_update.go: updating, cancelling and purging events
//   - event_mirror.go: calendar mirrors
//   - follow_up.go: FollowUp, which completes changes that concern many events
//   - zones.go: FollowZones, which computes the instants of events by other time zone data
//   - event_invitation.go: invitations to events
//   - rsvp.go: responses
//   - feed.go: rows and targets of the two feeds
//   - activity.go: the activity feed
//   - notification.go: notifications
//   - profile.go: reading profiles
//   - profile_write.go: updating profiles
//   - person.go: the list of members
//   - actor.go: members beside the items of a panel
//   - presence.go: presence
//   - dm.go: DMs, which are threads of package thread
//   - dm_eligibility.go: common ground between two members
//   - heading.go: titles and unread counts of records of any kind
//   - expiry.go: when something changes without a write
//   - dataset.go: versions and records for the dataset
//   - counts.go: counts of records
//   - attention.go: records that are unread or unanswered, and their counts
//   - source.go: the objects of the dataset for other services
//   - export.go: the data of one member
//
// # Visibility
//
// Every visible record refers to an audience: everyone, the members of a
// community, the circles of a member up to a depth, or a list of guests. A
// member sees a record if they are in its audience and there is no block between
// them and its author. This is a WHERE clause of every query that reads for a
// member (view.go), evaluated at read time, so that lists, records, counts, feeds
// and calendars agree.
//
// Circles depend on shared private communities only. They are computed and cached,
// never stored.
//
// # Rules of communities
//
// A private community never becomes public. When a public community becomes
// private, it is invitation-only and pending requests to join end. A member who
// was removed, or whose request was declined, can return only by invitation. The
// last owner cannot leave; if an owner's account is deleted, the member who has
// been a moderator or member the longest becomes owner. Deletion ends all
// memberships, so that the audience of the community has no members.
//
// A block revokes pending invitations between the two members and their RSVPs to
// each other's events. In a shared community both remain members, but neither
// sees or counts the other; events of the community stay visible to both. Owners
// and moderators see hidden members as former members and can remove them, so a
// block does not protect from moderation and looks like a disabled account.
//
// # Why audiences are rows
//
// A condition such as "within two steps of Bea" is too expensive per row. As a
// row it is evaluated once per request: the audiences of a member are a list of
// integers, and the indexes of all visible tables start with the audience. The
// list is cached until social_graph.audiences changes, which triggers maintain.
package social
