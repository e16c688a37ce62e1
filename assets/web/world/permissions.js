// Removes the actions that the permissions of an object do not allow. A missing permission means that the
// action is not permitted.

// TYPES and IDS are the permissions that actions need, by the type of an action and by the id of a form: those
// permissions that World names for all types of objects. Other actions need none.
const TYPES = {
	send_message: "can_reply", "social.dm.send": "can_reply", "social.conversation.reply": "can_reply", "social.event.reply": "can_reply",
	update_time_object: "can_update", move_time_object: "can_update", delete_time_object: "can_delete",
	"social.event.update": "can_update", "social.conversation.update": "can_update", "social.community.update": "can_update",
	"social.event.cancel": "can_delete", "social.community.delete": "can_delete",
	"social.event.invite": "can_add_participant", "social.community.invite": "can_add_participant",
};
const IDS = {
	send_message: "can_reply", reply: "can_reply", update: "can_update", move: "can_update", complete: "can_update", reopen: "can_update",
	cancel: "can_delete", delete: "can_delete", delete_occurrence: "can_delete", delete_future: "can_delete", invite: "can_add_participant",
};

// SUBJECT_SECTIONS are the sections with the record that the forms of a panel concern, as their only item.
const SUBJECT_SECTIONS = ["event", "conversation", "about", "direct_message"];

// isPermitted reports whether the permissions of an object allow an action that needs a permission. needed is
// undefined for an action that needs none.
function isPermitted(needed, { permissions }) {
	return !needed || permissions?.[needed] === true;
}

// isPermittedAction reports whether an action of the dataset is permitted. object is its target, or undefined.
export function isPermittedAction({ type }, object) {
	return !object || isPermitted(TYPES[type], object);
}

// permittedPanel returns a panel without the actions that its objects do not allow. objectOf returns the
// object of the dataset for the id of a record, such as an event, or undefined. A panel whose actions are all
// permitted is returned unchanged.
export function permittedPanel(panel, objectOf) {
	const subject = panel.selected_thread ?? panel.sections?.find(({ id }) => SUBJECT_SECTIONS.includes(id))?.items?.[0];
	let result = withPermitted(panel, subject && objectOf(subject.id));
	for (const name of ["appointments", "tasks"]) result = withList(result, name, (record) => withPermitted(record, record));
	result = withField(result, "object", (record) => withPermitted(record, record));
	result = withField(result, "selected_thread", (thread) => withPermitted(thread, objectOf(thread.id)));
	return withList(result, "sections", (section) => (
		withList(section, "items", (item) => withPermitted(item, objectOf(item.id)))
	));
}

// withPermitted returns a record with the actions that an object allows; the record itself if there is no
// object or all are permitted.
function withPermitted(record, object) {
	if (!object) return record;
	let result = record;
	for (const name of ["actions", "action_descriptors"]) {
		const actions = record[name];
		if (Array.isArray(actions)) {
			const kept = actions.filter((action) => isPermitted(action.type === "submit_form" ? IDS[action.id] : TYPES[action.type], object));
			if (kept.length < actions.length) result = { ...result, [name]: kept };
		} else if (actions) { // URLs by name
			const kept = Object.entries(actions).filter(([id]) => isPermitted(IDS[id], object));
			if (kept.length < Object.keys(actions).length) result = { ...result, [name]: Object.fromEntries(kept) };
		}
	}
	return result;
}

// withField returns a record whose field has the result of change, if it has the field.
function withField(record, name, change) {
	if (!record[name]) return record;
	const value = change(record[name]);
	return value === record[name] ? record : { ...record, [name]: value };
}

// withList returns a record whose list has the results of change for its elements, if it has the list.
function withList(record, name, change) {
	return withField(record, name, (list) => {
		const values = list.map(change);
		return values.every((value, i) => value === list[i]) ? list : values;
	});
}
