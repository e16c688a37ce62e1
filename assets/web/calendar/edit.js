// Changes and copies calendar entries and tasks with the forms of the editor.

import { button } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { withQuery } from "../world/dispatch.js";
import { arrangeControls } from "../editor/controls.js";
import { createEntry, makeForm } from "../editor/editor.js";
import { layOut } from "../editor/layout.js";
import { actionOf, keyOf as entryKey, timesOf } from "./entries.js";
import { changedFields, scopesFor } from "./fields.js";
import { askScope } from "./scopedialog.js";
import { patch, remove, timeText } from "./writes.js";

// readEntry reads an entry, or the occurrence of a series, with the controls of its actions. It
// returns a promise of the object.
export async function readEntry(app, object) {
	const { recurrence_id: occurrence } = object.state.occurrence ?? {};
	const url = actionOf(object, "open")?.url ?? object.actions.open;
	return (await app.client.request("GET", withQuery(url, occurrence ? { recurrence_id: occurrence } : {}))).data.object;
}

// COPIED_IDS are the ids of the fields that a copy has in addition to those of the form for a new entry.
const COPIED_IDS = new Set(["start", "end_timezone", "all_day", "alarms", "location", "categories"]);

// duplicateEntry shows the full form for a new entry with the values of an object that readEntry has
// returned. It returns what createEntry returns.
export async function duplicateEntry(app, object) {
	const url = withQuery(app.store.service("time").content_source, { fields: "action_descriptors" });
	const actions = (await app.client.read(url)).data.action_descriptors;
	const { controls } = actionOf(object, "update");
	const values = Object.fromEntries(controls.filter(({ id }) => id !== "scope").map(({ id, default: value }) => [id, value]));
	const type = object.object_type === "task" ? "create_task" : "create_event";
	const action = actions.find(({ id }) => id === type);
	if (!values.start && values.end_timezone) values.timezone = values.end_timezone;
	const copy = { ...action, controls: controlsForCopy(action.controls, controls) };
	return createEntry(app, [copy], values, { isFull: true, isContinued: true });
}

// controlsForCopy returns the controls of the form for a new entry, created, with those of COPIED_IDS
// that only the form of the original has.
function controlsForCopy(created, controls) {
	const more = controls.filter(({ id }) => COPIED_IDS.has(id) && !created.some((control) => control.id === id));
	const hasAlarms = more.some(({ id }) => id === "alarms");
	return [...created.filter(({ id }) => id !== "alarm_minutes" || !hasAlarms), ...more];
}

// editEntry shows the form of an object that readEntry has returned. callbacks are those of
// remove. editEntry returns a promise of the data of the response, with the changed object; of
// { deleted: true }; of {} if the member has kept the version of another client, see patch; or of
// null if nothing was sent.
export async function editEntry(app, object, callbacks) {
	const { words } = app;
	const action = actionOf(object, "update");
	if (!action?.controls) return null;
	const { controls, more } = arrangeControls(action.controls);
	const repeats = scopesFor(action).length > 0;
	let dialog;
	let initialValues;
	const deletion = actionOf(object, "delete") ?? actionOf(object, "delete_occurrence");
	const deleteEntry = async () => {
		if (await remove(app, object, callbacks)) dialog.close({ deleted: true });
	};
	const deleteButton = deletion && button({
		label: words.calendar.erase(), icon: "trash", kind: deletion.destructive ? "plain bad" : "plain", run: deleteEntry,
	});
	const send = async (body) => {
		const changes = changedFields(initialValues, body);
		if (Object.keys(changes).length === 0) return dialog.close();
		const fields = repeats ? await withScope(app, object, changes, form.follows("rrule")) : changes;
		if (!fields) return false;
		const data = await patch(app, action, fields);
		dialog.close(data ?? {});
		if (data) app.actions.announce({ undo: data.undo, notice: data.notice }, words.calendar.savedEntry(data.object?.title ?? object.title));
		return undefined;
	};
	const form = makeForm(app, {
		controls, send, draftKey: `${entryKey(object)} ${object.state.etag}`, submit: repeats ? words.calendar.saveWhich() : words.save(),
		extra: deleteButton ? [deleteButton] : [], cancel: () => dialog.close(),
	});
	initialValues = form.initial;
	layOut(form, more, words);
	dialog = openDialog({
		words, title: words.calendar.changeTitle(object.object_type), body: form.body, foot: form.foot, form: form.element,
		kind: "edit", isChanged: form.isChanged, discarded: form.discardDraft,
	});
	form.focus();
	return (await dialog.closed) ?? null;
}

// withScope asks to which occurrences of a series a change applies. It returns a promise of the
// fields to send, with the scope, or null if the member has cancelled. ruleFollows is whether the
// recurrence rule has changed only because the start has: the server then moves the rule itself, as it
// does when the entry is dragged.
async function withScope(app, object, fields, ruleFollows) {
	const { words } = app;
	const sent = { ...fields };
	if (ruleFollows) delete sent.rrule;
	const times = timesOf(object, words.zone) ?? { allDay: true, start: words.currentDay(), end: words.currentDay() };
	const scope = await askScope(app, {
		options: scopesFor(actionOf(object, "update"), sent), object, submit: words.save(),
		text: words.calendar.changeText(object.title, timeText(times, words)),
	});
	return scope === null ? null : { ...sent, ...(scope && { scope }) };
}
