package social

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"appliance/store"
	"appliance/svc"
)

// datasetQueries contains the statements of this file.
type datasetQueries struct {
	DatasetCommunities   store.Query `sql:"dataset-communities"`
	ConversationVersions store.Query `sql:"conversation-versions"`
	EventVersions        store.Query `sql:"event-versions"`
	ModeratedMembers     store.Query `sql:"moderated-members"`
	DatasetInvitations   store.Query `sql:"dataset-invitations"`
}

// DatasetReader reads the data of Social for the dataset of one member. For every
// kind of object it lists the versions of the objects that the member sees, in the
// order of the dataset, and loads objects by id. The caller loads only objects
// whose version it has not cached.
//
// The version of an object changes whenever its JSON changes for this member.
type DatasetReader struct {
	service *Service
	tx      *store.Tx
	viewer  svc.Viewer

	loaded      *view                // nil until the first use
	communities map[string]Community // the result of CommunityVersions
}

// DatasetReader returns the reader for v.
func (s *Service) DatasetReader(tx *store.Tx, v svc.Viewer) *DatasetReader {
	return &DatasetReader{service: s, tx: tx, viewer: v}
}

// Versions contains the versions of the objects of one kind.
type Versions struct {
	List      []svc.Version
	Common    string // part of every version
	Truncated bool
	Expires   time.Time // the time until which the list and the versions are valid without a write; zero for no limit
}

// RecordList contains records of one kind.
type RecordList[T any] struct {
	List      []T
	Truncated bool
	Expires   time.Time // the time until which the list is valid without a write; zero for no limit
}

// The limits of the lists. With calendar entries and threads, a dataset has at
// most 2,000 objects.
const (
	maxCommunities      = 100
	maxConversations    = 120
	maxDMs              = 60
	maxEvents           = 80
	maxPastEvents       = 20
	maxProfiles         = 80
	maxInvitations      = 200
	maxBlocks           = 200
	maxModeratedMembers = 100
)

func (r *DatasetReader) view() (view, error) {
	if r.loaded == nil {
		w, err := r.service.view(r.tx, r.viewer)
		if err != nil {
			return w, err
		}
		r.loaded = &w
	}
	return *r.loaded, nil
}

// namesVersion returns the version of the names that the member sees. They depend on
// blocks and on the display names and states of members.
func (r *DatasetReader) namesVersion(w view) string {
	return fmt.Sprint(w.hiddenList, r.tx.Revisions(int64(w.member)).Of())
}

// truncate returns the first limit items of list and sets *truncated if list is longer.
func truncate[T any](truncated *bool, list []T, limit int) []T {
	*truncated = len(list) > limit
	return list[:min(len(list), limit)]
}

// earlierTime returns the earlier of two times. The zero time means never.
func earlierTime(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// CommunityVersions lists communities: the member's own first, then public ones,
// newest first.
func (r *DatasetReader) CommunityVersions() (v Versions, err error) {
	w, err := r.view()
	if err != nil {
		return v, err
	}
	var ids []string
	if err = r.tx.Select(&ids, r.service.q.DatasetCommunities, store.Args{"member": w.member, "limit": maxCommunities + 1}); err != nil {
		return v, err
	}
	rows, err := r.service.visibleCommunities(r.tx, w, truncate(&v.Truncated, ids, maxCommunities)...)
	r.communities = make(map[string]Community, len(rows))
	for _, row := range rows {
		c := row.toCommunity()
		r.communities[c.ID] = c
		// The version is a hash of the record, because no column counts all its
		// changes.
		sum := sha256.Sum256([]byte(store.JSON(c)))
		v.List = append(v.List, svc.Version{ID: c.ID, Version: string(sum[:])})
		if row.InvitedUntil > 0 {
			v.Expires = earlierTime(v.Expires, row.InvitedUntil.Time())
		}
	}
	return v, err
}

// Communities returns communities from the result of CommunityVersions.
func (r *DatasetReader) Communities(ids []string) ([]Community, error) {
	list := make([]Community, len(ids))
	for i, id := range ids {
		list[i] = r.communities[id]
	}
	return list, nil
}

// OwnCommunities returns the communities of which the member is a member, newest first.
func (r *DatasetReader) OwnCommunities() ([]Community, error) {
	list, _, err := r.service.Communities(r.tx, r.viewer, true, svc.PageQuery{Limit: svc.MaxLimit})
	return list, err
}

// ConversationVersions lists the conversations that do not belong to an event, in
// descending order of their latest activity.
func (r *DatasetReader) ConversationVersions() (v Versions, err error) {
	w, err := r.view()
	if err != nil {
		return v, err
	}
	positions, err := r.service.latestConversations(r.tx, w, latestActivity, maxConversations+1)
	if err != nil {
		return v, err
	}
	ids := idsOf(truncate(&v.Truncated, positions, maxConversations))
	err = r.tx.Select(&v.List, r.service.q.ConversationVersions, store.Args{"member": w.member, "ids": store.JSONArray(ids)})
	v.Common = r.namesVersion(w)
	return v, err
}

// Conversations returns the conversations with these ids that the member can see.
func (r *DatasetReader) Conversations(ids []string) ([]Conversation, error) {
	w, err := r.view()
	if err != nil {
		return nil, err
	}
	return r.service.conversations(r.tx, w, ids...)
}

// DMVersions lists the DMs of the member, in descending order of their newest
// message.
func (r *DatasetReader) DMVersions() (v Versions, err error) {
	w, err := r.view()
	if err != nil {
		return v, err
	}
	v.Common = r.namesVersion(w)
	v.List, v.Truncated, err = r.service.DMs.Versions(r.tx, r.viewer, maxDMs)
	return v, err
}

// DMs returns the DMs of the member with these ids.
func (r *DatasetReader) DMs(ids []string) ([]DM, error) {
	threads, err := r.service.DMs.ByID(r.tx, r.viewer, ids...)
	list := make([]DM, len(threads))
	for i, t := range threads {
		list[i] = DM{t}
	}
	return list, err
}

// EventVersions lists the upcoming events, then the latest past events. Truncated
// reports whether there are more upcoming events.
func (r *DatasetReader) EventVersions() (v Versions, err error) {
	w, err := r.view()
	if err != nil {
		return v, err
	}
	now := store.MillisOf(r.tx.Now())
	var next, past []eventCursor
	if err = r.tx.Select(&next, r.service.q.UpcomingEvents, w.args(store.Args{
		"from": now, "to": endlessEnd, "at": int64(math.MinInt64), "id": "", "limit": maxEvents + 1,
	})); err != nil {
		return v, err
	}
	if err = r.tx.Select(&past, r.service.q.PastEvents, w.args(store.Args{
		"now": now, "at": int64(math.MaxInt64), "id": "", "limit": maxPastEvents,
	})); err != nil {
		return v, err
	}
	for _, e := range next {
		v.Expires = earlierTime(v.Expires, e.EndsAt.Time())
	}
	ids := idsOf(append(truncate(&v.Truncated, next, maxEvents), past...))
	err = r.tx.Select(&v.List, r.service.q.EventVersions, store.Args{"member": w.member, "ids": store.JSONArray(ids), "now": now})
	if err != nil {
		return v, err
	}
	v.Common, err = r.responsesVersion()
	v.Common += r.namesVersion(w)
	return v, err
}

// responsesVersion returns the version of the responses to events. The revision of an event does
// not yet count responses that a pending change revokes, so the version depends on the revision of
// EventsTopic while there is such a change.
func (r *DatasetReader) responsesVersion() (string, error) {
	var revoking bool
	err := r.tx.Get(&revoking, r.service.q.HasRevokingFollowUp, nil)
	if err != nil || !revoking {
		return "", err
	}
	return fmt.Sprint(r.tx.Revisions(int64(r.viewer.Member())).Of(svc.EventsTopic), " "), nil
}

// Events returns the events with these ids that the member can see.
func (r *DatasetReader) Events(ids []string) ([]Event, error) {
	w, err := r.view()
	if err != nil {
		return nil, err
	}
	rows, err := r.service.visibleEvents(r.tx, w, ids...)
	if err != nil {
		return nil, err
	}
	return r.service.completeEvents(r.tx, w, rows)
}

// ProfileVersions lists the profile of the member, then the profiles of the
// member's circles by depth. Members can always see the profiles of their circles.
func (r *DatasetReader) ProfileVersions() (v Versions, err error) {
	w, err := r.view()
	if err != nil {
		return v, err
	}
	circleMembers := slices.DeleteFunc(slices.Collect(maps.Keys(w.circles.entries)), w.hides)
	active, err := r.service.names(r.tx, w.language, circleMembers...)
	if err != nil {
		return v, err
	}
	circleMembers = slices.DeleteFunc(circleMembers, func(m svc.MemberID) bool { return !active.has(m) })
	slices.SortFunc(circleMembers, w.circles.compareByDepth)
	members := truncate(&v.Truncated, slices.Insert(circleMembers, 0, w.member), maxProfiles)
	present, err := r.service.presenceOf(r.tx, w, members)
	if err != nil {
		return v, err
	}
	own, err := r.service.OwnPresence(r.tx, w.member)
	if err != nil {
		return v, err
	}
	v.Common = fmt.Sprint(r.tx.Revisions(int64(w.member)).Of(svc.SocialTopic))
	for _, m := range members {
		p, version := present[m], ""
		if m == w.member {
			p, version = &own, string(own.VisibleTo)+" "
		}
		if p != nil {
			version += string(p.State) + " " + p.Note
		}
		if p != nil && p.ExpiresAt != nil {
			v.Expires = earlierTime(v.Expires, *p.ExpiresAt)
		}
		v.List = append(v.List, svc.Version{ID: m.String(), Version: version})
	}
	return v, nil
}

// PresentProfile is a profile with the presence of its member.
type PresentProfile struct {
	Profile
	Presence *Presence // nil if the member is offline or hides the presence from the viewer
	Own      Presence  // in the profile of the viewer: the presence set by the viewer, also while offline; zero in other profiles
}

// Profiles returns profiles from the list of ProfileVersions.
func (r *DatasetReader) Profiles(ids []string) ([]PresentProfile, error) {
	w, err := r.view()
	if err != nil {
		return nil, err
	}
	members := make([]svc.MemberID, len(ids))
	for i, id := range ids {
		members[i] = memberID(id)
	}
	profiles, err := r.service.profiles(r.tx, w, members...)
	if err != nil {
		return nil, err
	}
	present, err := r.service.presenceOf(r.tx, w, members)
	if err != nil {
		return nil, err
	}
	list := make([]PresentProfile, len(profiles))
	for i, p := range profiles {
		list[i] = PresentProfile{Profile: p, Presence: present[p.MemberID]}
		if p.MemberID == w.member {
			list[i].Own, err = r.service.OwnPresence(r.tx, w.member)
		}
	}
	return list, err
}

// Blocks lists the blocks of the member, in descending order of time.
func (r *DatasetReader) Blocks() (l RecordList[Block], err error) {
	list, err := r.service.Blocks(r.tx, r.viewer.Language(), r.viewer.Member())
	l.List = truncate(&l.Truncated, list, maxBlocks)
	return l, err
}

// ModeratedMember is a member of a community that the viewer moderates, or a
// request to join it.
type ModeratedMember struct {
	CommunityMember
	Community string // name of the community
}

// ModeratedMembers lists the requests to join the communities that the viewer
// moderates, then their other members.
func (r *DatasetReader) ModeratedMembers() (l RecordList[ModeratedMember], err error) {
	w, err := r.view()
	if err != nil {
		return l, err
	}
	var rows []struct {
		Community string `db:"community_id"`
		memberRow
	}
	if err := r.tx.Select(&rows, r.service.q.ModeratedMembers, store.Args{"member": w.member, "limit": maxModeratedMembers + 1}); err != nil {
		return l, err
	}
	rows = truncate(&l.Truncated, rows, maxModeratedMembers)
	ids, members := make([]string, len(rows)), make([]svc.MemberID, len(rows))
	for i, row := range rows {
		ids[i], members[i] = row.Community, row.Member
	}
	slices.Sort(ids)
	list, err := r.service.visibleCommunities(r.tx, w, slices.Compact(ids)...)
	if err != nil {
		return l, err
	}
	communities := make(map[string]communityRow, len(list))
	for _, c := range list {
		communities[c.ID] = c
	}
	names, err := r.service.visibleNames(r.tx, w, members...)
	for _, row := range rows {
		c := communities[row.Community]
		l.List = append(l.List, ModeratedMember{c.toCommunityMember(row.memberRow, w.member, names), c.Name})
	}
	return l, err
}

// Invitations lists the pending invitations to and from the member, in descending
// order of time.
func (r *DatasetReader) Invitations() (l RecordList[Invitation], err error) {
	w, err := r.view()
	if err != nil {
		return l, err
	}
	var rows []invitationRow
	err = r.tx.Select(&rows, r.service.q.DatasetInvitations, store.Args{
		"member": w.member, "now": store.MillisOf(r.tx.Now()), "limit": maxInvitations + 1, "hidden": w.hiddenList,
	})
	if err != nil {
		return l, err
	}
	rows = truncate(&l.Truncated, rows, maxInvitations)
	for _, row := range rows {
		l.Expires = earlierTime(l.Expires, row.ExpiresAt.Time())
	}
	l.List, err = r.service.completeInvitations(r.tx, w, rows, func(i invitationRow) bool { return i.Inviter == w.member })
	return l, err
}

// memberID parses the id of a member. It returns 0, which no member has, for an
// invalid id.
func memberID(id string) svc.MemberID {
	n, _ := strconv.ParseInt(id, 10, 64)
	return svc.MemberID(n)
}
