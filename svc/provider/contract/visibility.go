package contract

import (
	"encoding/json"
	"errors"

	"appliance/svc"
)

// Visibility states which members can see an object. In JSON it is "members"
// (all), "operators", or an object with the list members.
type Visibility struct {
	Group   string           // "members" or "operators"; "" if Members lists them
	Members svc.List[string] // their subjects at the provider, or e-mail addresses
}

// The groups of [Visibility].
const (
	AllMembers = "members"
	Operators  = "operators"
)

type listedMembers struct {
	Members svc.List[string] `json:"members"`
}

// MarshalJSON implements [json.Marshaler].
func (v Visibility) MarshalJSON() ([]byte, error) {
	if v.Group != "" {
		return json.Marshal(v.Group)
	}
	return json.Marshal(listedMembers{v.Members})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Visibility) UnmarshalJSON(text []byte) error {
	var listed listedMembers
	if json.Unmarshal(text, &v.Group) == nil && v.Group != "" {
		v.Members = nil
		return nil
	}
	if err := json.Unmarshal(text, &listed); err != nil || listed.Members == nil {
		return errors.New("visibility must be members, operators or a list of members")
	}
	v.Group, v.Members = "", listed.Members
	return nil
}

// Input lists the values that the member enters. In JSON, {} is an empty list.
type Input svc.List[Control]

// MarshalJSON implements [json.Marshaler].
func (i Input) MarshalJSON() ([]byte, error) { return svc.List[Control](i).MarshalJSON() }

// UnmarshalJSON implements [json.Unmarshaler].
func (i *Input) UnmarshalJSON(text []byte) error {
	if string(text) == "{}" {
		*i = Input{}
		return nil
	}
	return json.Unmarshal(text, (*svc.List[Control])(i))
}
