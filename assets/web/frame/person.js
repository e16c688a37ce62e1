// Members: the route of their profile, and their presence.

// profileOf returns the route of the profile of a member, or undefined if it is not in the
// dataset.
export function profileOf(store, memberId) {
	const object = store.dataset?.objects?.find(({ object_type: type, state }) => type === "profile" && state?.member_id === memberId);
	return object && { kind: "at", id: object.world_object_id };
}

// presenceLine returns the presence of a member with their note, or when they were last here.
export function presenceLine(actor, words) {
	const presence = actor?.presence;
	if (presence) return [words.frame.presence(presence.state), presence.note].filter(Boolean).join(" · ");
	return actor?.last_seen ? words.frame.lastSeen(words.when(actor.last_seen)) : "";
}
