package provider

import (
	"encoding/json"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider/contract"
)

type readQueries struct {
	VisibleObjects store.Query `sql:"visible-objects"`
	ObjectsByID    store.Query `sql:"objects-by-id"`
	VisibleByKey   store.Query `sql:"visible-by-key"`
	Collections    store.Query `sql:"collections"`
}

// Reader is the member for whom objects are read.
type Reader struct {
	Member   svc.MemberID
	Email    string
	Operator bool
}

// names returns the names under which objects list the reader: the subjects at all
// providers, and the e-mail address.
func (r Reader) names(key []byte, providers []Provider) []string {
	names := []string{strings.ToLower(r.Email)}
	for _, p := range providers {
		names = append(names, Subject(key, p.ID, r.Member))
	}
	return names
}

// Object is an object of a provider, with all data of it that members see.
type Object struct {
	ID       string // of its record
	Provider string
	Label    string // of the provider
	Key      string // identifies the object in ids of actions
	contract.Object
	Actions       []Action
	Resources     svc.List[contract.Resource]
	Relationships svc.List[contract.Relationship]
}

// Action is an action on an object.
type Action struct {
	contract.Action
	Key string // identifies the action in its id
}

// Objects returns the records of all objects that the reader can see, ordered by provider
// and source, and the versions of their contents.
func (s *Service) Objects(tx *store.Tx, r Reader, providers []Provider, limit int) (list []svc.Version, more bool, err error) {
	if len(providers) == 0 {
		return nil, false, nil
	}
	err = tx.Select(&list, s.q.read.VisibleObjects, store.Args{
		"operator": r.Operator, "names": store.JSONArray(r.names(tx.InstanceKey(), providers)), "limit": limit + 1,
	})
	if len(list) > limit {
		list, more = list[:limit], true
	}
	return list, more, err
}

// objectRow is an object as it is stored.
type objectRow struct {
	ID       int64  `db:"id"`
	Provider string `db:"provider"`
	Label    string `db:"label"`
	Key      string `db:"key"`
	Content  string `db:"content"`
}

func (r objectRow) object() (Object, error) {
	var content objectContent
	if err := json.Unmarshal([]byte(r.Content), &content); err != nil {
		return Object{}, err
	}
	o := Object{
		ID: strconv.FormatInt(r.ID, 10), Provider: r.Provider, Label: r.Label, Key: r.Key, Object: content.Object,
		Resources: content.Resources, Relationships: content.Relationships,
	}
	for _, a := range content.Actions {
		o.Actions = append(o.Actions, Action{a, actionKey(r.Provider, a.ID)})
	}
	return o, nil
}

// ObjectsByID returns objects whose ids [Service.Objects] has returned in the same
// transaction.
func (s *Service) ObjectsByID(tx *store.Tx, ids []string) (list []Object, err error) {
	var rows []objectRow
	if err := tx.Select(&rows, s.q.read.ObjectsByID, store.Args{"ids": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	return objectsOf(rows)
}

func objectsOf(rows []objectRow) (list []Object, err error) {
	for _, row := range rows {
		o, err := row.object()
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// ObjectsByKey returns the objects with these keys that the reader can see.
func (s *Service) ObjectsByKey(tx *store.Tx, r Reader, keys []string) ([]Object, error) {
	return s.visibleObjects(tx, r, store.Args{"objects": store.JSONArray(keys), "action": nil})
}

// objectOfAction returns the object of the action with a key, if the reader can see it.
func (s *Service) objectOfAction(tx *store.Tx, r Reader, key string) (Object, error) {
	list, err := s.visibleObjects(tx, r, store.Args{"objects": "[]", "action": key})
	if err == nil && len(list) == 0 {
		err = svc.Errorf(svc.NotFound, "This object does not exist or is no longer available.")
	}
	if err != nil {
		return Object{}, err
	}
	return list[0], nil
}

// visibleObjects returns the objects with some keys, and the object of the action with
// a key, that the reader can see.
func (s *Service) visibleObjects(tx *store.Tx, r Reader, args store.Args) ([]Object, error) {
	providers, err := s.ProvidersOf(tx, r.Member)
	if err != nil {
		return nil, err
	}
	args["operator"], args["names"] = r.Operator, store.JSONArray(r.names(tx.InstanceKey(), providers))
	var rows []objectRow
	if err := tx.Select(&rows, s.q.read.VisibleByKey, args); err != nil {
		return nil, err
	}
	return objectsOf(rows)
}

// Collections returns the collections of all providers, with all their items.
func (s *Service) Collections(tx *store.Tx, limit int) (list []Collection, err error) {
	var rows []struct {
		Provider string `db:"provider"`
		Content  string `db:"content"`
	}
	if err := tx.Select(&rows, s.q.read.Collections, store.Args{"limit": limit}); err != nil {
		return nil, err
	}
	for _, row := range rows {
		c := Collection{Provider: row.Provider}
		if err := json.Unmarshal([]byte(row.Content), &c.Collection); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// Collection is a collection of a provider.
type Collection struct {
	Provider string
	contract.Collection
}
