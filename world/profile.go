package world

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
)

// Where members are found and say something of themselves.
const (
	profileURL  = "/world/social/profile"
	profilesURL = "/world/social/profiles"
	presenceURL = "/world/social/presence"
	blocksURL   = "/world/social/blocks"
)

// Profile is a member's profile with the addresses where something can be done
// about it. Schema: service.social.profile.
type Profile struct {
	social.Profile
	Actions svc.Dict[string] `json:"actions"`
}

// NewProfile returns the profile as World shows it.
func NewProfile(p social.Profile) Profile {
	return Profile{p, memberActions(p.MemberID, p.Permissions)}
}

// Person is a member in a list of everybody, with the addresses where
// something can be done about them. Schema: service.social.person.
type Person struct {
	social.Person
	Actions svc.Dict[string] `json:"actions"`
}

// NewPeople returns the members as World shows them.
func NewPeople(list []social.Person) svc.List[Person] {
	people := make(svc.List[Person], len(list))
	for i, p := range list {
		people[i] = Person{p, memberActions(p.ID, p.Permissions)}
	}
	return people
}

// memberActions are what the permissions allow: open is for GET, update for
// PATCH, the others for POST.
func memberActions(member svc.MemberID, can social.ProfilePermissions) svc.Dict[string] {
	actions := make(svc.Dict[string])
	if can.CanView {
		actions["open"] = fmt.Sprintf("%s/%v", profilesURL, member)
	}
	if can.CanUpdate {
		actions["update"] = profileURL
	} else {
		actions["block"] = blocksURL
	}
	if can.CanDM {
		actions["start_dm"] = dmsURL
	}
	return actions
}

// PresencePage is a page of whoever is present (B-69).
type PresencePage struct {
	Presence svc.List[social.Presence] `json:"presence"` // by number
	Page     svc.Page                  `json:"page"`
	Mine     social.Presence           `json:"mine"`
	Actions  svc.Dict[string]          `json:"actions"`
}

// NewPresencePage returns the page as World shows it.
func NewPresencePage(p social.PresencePage) PresencePage {
	return PresencePage{p.Presence, p.Page, p.Mine, svc.Dict[string]{"set": presenceURL}}
}
