package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
)

// audience is the number of a row of social_audience.
type audience int64

// everybody is the audience that every member is in.
const everybody audience = 1

// view is what decides what a member sees. Every query that reads for a
// member has, on what has an author,
//
//	audience_id IN (SELECT value FROM json_each(:audiences))
//	AND author_id NOT IN (SELECT value FROM json_each(:hidden))
//
// be it written as a join or as a condition: that is CanView (B-76).
type view struct {
	member  svc.MemberID
	circles *circles
	hidden  []svc.MemberID // whom they block or are blocked by

	audiences string // lists for json_each
	hiding    string
}

// args are the parameters of the rule, with others.
func (w view) args(more store.Args) store.Args {
	args := store.Args{"audiences": w.audiences, "hidden": w.hiding}
	for name, value := range more {
		args[name] = value
	}
	return args
}

// hides reports whether there is a block between the member and another.
func (w view) hides(other svc.MemberID) bool { return slices.Contains(w.hidden, other) }

// view works out what v may see.
func (s *Service) view(tx *store.Tx, v svc.Viewer) (view, error) {
	member, err := v.Require()
	if err != nil {
		return view{}, err
	}
	return s.viewOf(tx, member)
}

func (s *Service) viewOf(tx *store.Tx, member svc.MemberID) (w view, err error) {
	w.member = member
	if w.hidden, err = s.Hidden(tx, member); err != nil {
		return view{}, err
	}
	w.hiding = jsonList(w.hidden)
	g, err := s.graph(tx)
	if err != nil {
		return view{}, err
	}
	if w.circles, err = s.circlesAt(tx, g, member); err != nil {
		return view{}, err
	}
	w.audiences, err = s.reading.at(member, g.Audiences, func() (string, error) {
		var list []audience
		err := tx.Select(&list, s.q.Audiences, store.Args{"member": member, "circles": w.circles.keys})
		return jsonList(list), err
	})
	return w, err
}

// ofCommunity is the audience of a community's active members.
func (s *Service) ofCommunity(tx *store.Tx, community string) (audience, error) {
	return s.audience(tx, "community", &community, nil, nil)
}

// audienceIn is a list for json_each of the audience of a community that v sees:
// empty if v is not in it, or nothing was said there yet.
func (s *Service) audienceIn(tx *store.Tx, v svc.Viewer, community string) (string, error) {
	c, err := s.community(tx, v, community)
	var list []audience
	if err == nil && c.active() {
		err = tx.Select(&list, s.q.CommunityAudience, store.Args{"community": community})
	}
	return jsonList(list), err
}

// ofCircle is the audience around a member, up to a depth; 0 is they alone.
func (s *Service) ofCircle(tx *store.Tx, member svc.MemberID, depth int) (audience, error) {
	return s.audience(tx, "circle", nil, &member, &depth)
}

// ofGuests is a new audience that consists of those members.
func (s *Service) ofGuests(tx *store.Tx, members ...svc.MemberID) (audience, error) {
	a, err := s.addAudience(tx, "guests", nil, nil, nil)
	if err != nil {
		return 0, err
	}
	return a, s.addGuests(tx, a, members...)
}

// addGuests lets members into an audience of guests.
func (s *Service) addGuests(tx *store.Tx, a audience, members ...svc.MemberID) error {
	_, err := tx.Exec(s.q.AddGuests, store.Args{"audience": a, "members": jsonList(members)})
	return err
}

// audience returns the one of that kind, and makes it if it is the first time.
func (s *Service) audience(tx *store.Tx, kind string, community *string, member *svc.MemberID, depth *int) (a audience, err error) {
	switch kind {
	case "community":
		err = tx.Get(&a, s.q.CommunityAudience, store.Args{"community": community})
	case "circle":
		err = tx.Get(&a, s.q.CircleAudience, store.Args{"member": member, "depth": depth})
	}
	if store.IsNoRows(err) {
		return s.addAudience(tx, kind, community, member, depth)
	}
	return a, err
}

func (s *Service) addAudience(tx *store.Tx, kind string, community *string, member *svc.MemberID, depth *int) (a audience, err error) {
	err = tx.Get(&a, s.q.AddAudience, store.Args{"kind": kind, "community": community, "member": member, "depth": depth})
	return a, err
}

// touch notes that what an audience sees of an item has changed. Nobody else is
// to notice that anything has.
func (s *Service) touch(tx *store.Tx, topic store.Topic, item string, a audience) error {
	members, err := s.inside(tx, a)
	tx.TouchItem(topic, item, members...)
	return err
}

// touchSocial is touch for social life at large.
func (s *Service) touchSocial(tx *store.Tx, a audience) error {
	members, err := s.inside(tx, a)
	tx.Touch(svc.SocialTopic, members...)
	return err
}

// inside returns who is in an audience, for a topic that is touched.
func (s *Service) inside(tx *store.Tx, a audience) (members []int64, err error) {
	circle, err := s.circleOf(tx, a)
	if err != nil {
		return nil, err
	}
	for _, m := range circle {
		members = append(members, int64(m))
	}
	if circle == nil {
		err = tx.Select(&members, s.q.AudienceMembers, store.Args{"audience": a})
	}
	return members, err
}

// circleOf returns who is in an audience around somebody, they among them; nil
// if it is another one.
func (s *Service) circleOf(tx *store.Tx, a audience) ([]svc.MemberID, error) {
	var circle struct {
		Center svc.MemberID `db:"member_id"`
		Depth  int          `db:"depth"`
	}
	err := tx.Get(&circle, s.q.AudienceCircle, store.Args{"audience": a})
	if err != nil || circle.Center == 0 {
		return nil, err
	}
	c, err := s.circles(tx, circle.Center)
	if err != nil {
		return nil, err
	}
	inside := []svc.MemberID{circle.Center}
	for m, p := range c.places {
		if p.depth <= circle.Depth {
			inside = append(inside, m)
		}
	}
	return inside, nil
}

// admitted returns those of the members who may see what the authors, together,
// have made for an audience: who is in it, and apart from none of them.
func (s *Service) admitted(tx *store.Tx, a audience, members []svc.MemberID, authors ...svc.MemberID) (list []svc.MemberID, err error) {
	inside, err := s.circleOf(tx, a)
	if err != nil {
		return nil, err
	}
	if inside != nil {
		members = slices.DeleteFunc(slices.Clone(members), func(m svc.MemberID) bool { return !slices.Contains(inside, m) })
	}
	err = tx.Select(&list, s.q.Admitted, store.Args{"audience": a, "members": jsonList(members), "authors": jsonList(authors)})
	return list, err
}

// jsonList is a list for json_each.
func jsonList[T any](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	return store.JSONArray(list)
}
