// The route of a member's profile, and the text of their presence.

// profileRoute returns the route of the profile of a member, or undefined if the dataset does not
// contain it.
export function profileRoute(store, memberId) {
	const isProfile = ({ object_type: type, state }) => type === "profile" && state?.member_id === memberId;
	const object = store.dataset?.objects?.find(isProfile);
	return object && { kind: "at", id: object.world_object_id };
}

// presenceLine returns the presence of a member with its note, or the time when the member was
// last seen; "" if neither is known.
export function presenceLine(actor, words) {
	const presence = actor?.presence;
	if (presence) return [words.frame.presence(presence.state), presence.note].filter(Boolean).join(" · ");
	return actor?.last_seen ? words.frame.lastSeen(words.when(actor.last_seen)) : "";
}
