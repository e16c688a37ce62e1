package action

import (
	"testing"

	"appliance/svc"
)

// The default audience is the community of a member who has exactly one. For a member
// of several communities it is the first circle.
func TestAudienceDefaultsToTheOnlyCommunity(t *testing.T) {
	house, club := Option{Value: "com_1", Label: "House"}, Option{Value: "com_2", Label: "Club"}
	for _, c := range []struct {
		name                string
		communities         svc.List[Option]
		conversation, event string
	}{
		{"no community", nil, "open", "invited"},
		{"one community", svc.List[Option]{house}, "com_1", "com_1"},
		{"two communities", svc.List[Option]{house, club}, "open", "invited"},
	} {
		for name, want := range map[string]string{"create_conversation": c.conversation, "create_event": c.event} {
			for _, entry := range Social.Entries {
				if entry.Name != name {
					continue
				}
				for _, control := range entry.Controls(SocialViewer{Communities: c.communities}) {
					if control.ID == "among" && control.Default != want {
						t.Errorf("%s, %s: default of %s: got %v, want %s", c.name, name, control.ID, control.Default, want)
					}
				}
			}
		}
	}
}
