package svc

// Entity is a part of a text that names a member: a mention.
type Entity struct {
	Start    int      `json:"start"` // in UTF-16 code units, as the indexes of strings in JavaScript
	End      int      `json:"end"`   // exclusive
	MemberID MemberID `json:"member_id"`
}
