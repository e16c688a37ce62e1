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
	Actions svc.Dict[string] `json:"actions"`
}

// NewProfile returns the record of p.
func NewProfile(p social.Profile) Profile {
	return Profile{p, action.MemberURLs(p.MemberID, p.Permissions)}
}

// Person is a member in a list, with the addresses of what the viewer can do
// with that member. Schema: service.social.person.
type Person struct {
	social.Person
	Actions svc.Dict[string] `json:"actions"`
}

// NewPeople returns the records of members.
func NewPeople(list []social.Person) svc.List[Person] {
	people := make(svc.List[Person], len(list))
	for i, p := range list {
		people[i] = Person{p, action.MemberURLs(p.ID, p.Permissions)}
	}
	return people
}

// PresencePage is a page of the members whose presence the viewer can see.
type PresencePage struct {
	Presence svc.List[social.Presence] `json:"presence"` // by member id
	Page     svc.Page                  `json:"page"`
	Mine     social.Presence           `json:"mine"`
	Actions  svc.Dict[string]          `json:"actions"`
}

// NewPresencePage returns the records of p.
func NewPresencePage(p social.PresencePage) PresencePage {
	return PresencePage{p.Presence, p.Page, p.Mine, svc.Dict[string]{"set": action.PresenceURL}}
}
