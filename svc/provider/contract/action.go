package contract

import "appliance/svc"

// Command is a request to a provider to perform an action for a member. Schema:
// service.world.provider_action_command.
type Command struct {
	Contract     Contract `json:"contract"`
	CommandID    string   `json:"command_id"` // the same if the command is sent again
	IssuedAt     string   `json:"issued_at"`  // RFC 3339
	Provider     string   `json:"provider"`
	Operation    string   `json:"operation"`
	ActionID     string   `json:"action_id"` // as the provider published it
	ActionType   string   `json:"action_type"`
	TargetSource Ref      `json:"target_source"`
	Member       Member   `json:"member"`
	Input        svc.Map  `json:"input"`
	Metadata     svc.Map  `json:"metadata"` // of the operation, as the provider published it
}

// Member identifies a member to one provider.
type Member struct {
	Subject string `json:"subject"` // differs for each provider; contains neither id nor address
}

// ResultStatus is the status of a [Result].
type ResultStatus string

const (
	Completed ResultStatus = "completed"
	Accepted  ResultStatus = "accepted" // the provider will finish later
	Rejected  ResultStatus = "rejected"
	Failed    ResultStatus = "failed"
)

// Values implements [svc.Set].
func (ResultStatus) Values() []string { return svc.Values(Completed, Accepted, Rejected, Failed) }

// Result is the answer of a provider to a [Command]. Schema:
// service.world.provider_action_result.
type Result struct {
	Contract        Contract            `json:"contract"`
	CommandID       string              `json:"command_id"`
	Provider        string              `json:"provider"`
	Operation       string              `json:"operation"`
	TargetSource    Ref                 `json:"target_source"`
	Status          ResultStatus        `json:"status"`
	Message         string              `json:"message,omitzero"`
	PersistentState svc.List[StateFact] `json:"persistent_state"`
	Refresh         Refresh             `json:"refresh"`
}

// StateFact is a fact about the current state of a record at the provider. It is
// shown to the member and changes no object.
type StateFact struct {
	Source Ref     `json:"source"`
	Facts  svc.Map `json:"facts"`
}

// Refresh states whether the objects of the provider have changed.
type Refresh struct {
	Requested bool          `json:"requested"`
	Scope     string        `json:"scope,omitzero"` // "provider" or "sources"
	Sources   svc.List[Ref] `json:"sources,omitzero"`
}
