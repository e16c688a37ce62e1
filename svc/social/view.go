package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// view contains the lists that determine which records one member can see. Every
// query that reads for a member contains, for records with an author,
//
//	audience_id IN (SELECT value FROM json_each(:audiences))
//	AND author_id NOT IN (SELECT value FROM json_each(:hidden))
//
// as a join or as a condition.
type view struct {
	member   svc.MemberID
	language words.Language // of the member
	circles  *circles
	hidden   []svc.MemberID // members with a block between them and the member

	unsettled bool // the value of graphRevisions

	audienceList string // ids of the member's audiences, for json_each
	hiddenList   string // hidden, for json_each
}

// args returns more with the parameters of the visibility condition added.
func (w view) args(more store.Args) store.Args {
	args := store.Args{"audiences": w.audienceList, "hidden": w.hiddenList}
	for name, value := range more {
		args[name] = value
	}
	return args
}

// hides reports whether other is hidden from the member.
func (w view) hides(other svc.MemberID) bool { return slices.Contains(w.hidden, other) }

// view returns the view of v, who must be signed in.
func (s *Service) view(tx *store.Tx, v svc.Viewer) (view, error) {
	member, err := v.Require()
	if err != nil {
		return view{}, err
	}
	return s.viewOf(tx, v.Language(), member)
}

func (s *Service) viewOf(tx *store.Tx, l words.Language, member svc.MemberID) (w view, err error) {
	w.member, w.language = member, l
	if w.hidden, err = s.Hidden(tx, member); err != nil {
		return view{}, err
	}
	w.hiddenList = store.JSONArray(w.hidden)
	r, err := s.graphRevisions(tx)
	if err != nil {
		return view{}, err
	}
	w.unsettled = r.Unsettled
	if w.circles, err = s.circlesAt(tx, r, member); err != nil {
		return view{}, err
	}
	w.audienceList, err = s.audienceCache.get(member, r.Audiences, func() (string, error) {
		var ids []audienceID
		err := tx.Select(&ids, s.q.MemberAudiences, store.Args{"member": member, "circles": w.circles.depthList})
		return store.JSONArray(ids), err
	})
	return w, err
}
