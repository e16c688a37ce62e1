package contract

import "regexp"

// Contract names a contract and its version.
type Contract struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// The contracts.
var (
	SourceContract  = Contract{"service.world.provider_source", 1}
	CommandContract = Contract{"service.world.provider_action_command", 1}
	ResultContract  = Contract{"service.world.provider_action_result", 1}
)

// Ref names a record of a provider.
type Ref struct {
	Provider   string `json:"provider"`
	SourceType string `json:"source_type"`
	SourceID   string `json:"source_id"`
}

// Limits of a source payload and of a result.
const (
	MaxSource = 8 << 20 // bytes
	MaxItems  = 5000    // items of a section, which its schema states too
	MaxResult = 1 << 20 // bytes
)

var providerID = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// ValidProviderID reports whether id can be the id of a provider: at most 40 lower-case
// letters, digits and single hyphens, with a letter first, and without a term that a
// payload must not contain.
func ValidProviderID(id string) bool {
	return len(id) <= 40 && providerID.MatchString(id) && nameTerm(id, true) == ""
}
