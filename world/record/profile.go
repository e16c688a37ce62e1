package record

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// Profile is a member's profile with its addresses. Schema:
// service.social.profile.
type Profile struct {
	social.Profile
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewProfile returns the record of p.
func NewProfile(p social.Profile) Profile {
	return Profile{p, action.Profiles.URLs(action.ProfileMember(p))}
}

// Person is a member in a list, with the URLs of the actions that the viewer can
// perform on that member. Schema: service.social.person.
type Person struct {
	social.Person
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewPeople returns the records of members.
func NewPeople(list []social.Person) svc.List[Person] {
	return List(list, func(p social.Person) Person {
		return Person{p, action.Profiles.URLs(action.Member{ID: p.ID, Permissions: p.Permissions, Avatar: p.Avatar})}
	})
}

// PresencePage is a page of the members whose presence the viewer can see.
type PresencePage struct {
	Presence svc.List[social.Presence] `json:"presence"` // by member id
	Page     svc.Page                  `json:"page"`
	Mine     social.Presence           `json:"mine"`
	Actions  svc.Dict[string]          `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewPresencePage returns the records of p.
func NewPresencePage(p social.PresencePage) PresencePage {
	return PresencePage{p.Presence, p.Page, p.Mine, svc.Dict[string]{"set": action.PresenceURL}}
}
