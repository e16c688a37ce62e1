// The colors of events and invitations, which are the same in all views.

import { avatar } from "../parts/avatar.js";
import { hueOf } from "../parts/person.js";

// recordOf returns the object of the dataset for the id of a record, or undefined.
const recordOf = (store, id) => (id ? store.dataset?.objects?.find(({ source }) => source?.resource_id === id) : undefined);

// colorOfEvent returns the color of the item of an event, see colorProps: that of its entry in the member's
// calendar, or else of its community or its host.
export function colorOfEvent({ store }, item) {
	const isEntry = ({ object_type: type, state }) => type === "calendar_event" && state?.source_object_id === item.id;
	const entry = item.id && store.dataset?.objects?.find(isEntry);
	if (entry) return entry.state.color;
	const community = recordOf(store, item.community?.id);
	return community ? hueOf(community.state.color, community.state.id) : hueOf(item.host?.color, item.host?.member_id);
}

// invitationPicture returns the picture of an invitation, or of an event that the member has not answered: that of the
// community, or the first letter of the event in its color.
export function invitationPicture(app, item) {
	const isEvent = item.metadata?.object_type === "event";
	const id = isEvent ? item.id : item.context?.id;
	const state = recordOf(app.store, id)?.state ?? {};
	if (!isEvent && item.metadata?.kind !== "event") {
		const image = state.avatar?.thumb_url ?? state.avatar?.url;
		return avatar({ name: item.title, id, color: state.color, image, square: true });
	}
	const host = { ...state.host, member_id: state.host?.id };
	const color = colorOfEvent(app, { id, community: { id: state.community_id }, host });
	return avatar({ name: item.title, id, color, square: true });
}
