package load

import (
	"appliance/app/apptest"
)

// wholeSociety is that of the house that is measured.
var wholeSociety = apptest.SocialVolume{Communities: 200, Conversations: 2000, Replies: 20_000, Events: 500}
