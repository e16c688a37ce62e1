// Writes of calendar entries: change, move, delete, complete.

import { actionOf, moveFields, takenBack, timesOf } from "./entries.js";
import { askVersion } from "../frame/conflict.js";
import { askScope, valueText } from "./ask.js";
import { daysText } from "./dates.js";
import { conflicts, scopesFor } from "./fields.js";

// DELETIONS are the actions that delete, by the scope.
const DELETIONS = { this: "delete_occurrence", this_and_future: "delete_future", all: "delete" };

// withEditor runs a step with the forms, which are not loaded before a member writes. It returns
// the result of the step, or undefined after it has shown an error.
export async function withEditor(app, step) {
	const editor = await import("./edit.js").catch(() => app.acts.offerReload());
	try {
		return editor ? await step(editor) : undefined;
	} catch (error) {
		app.acts.showError(error);
		return undefined;
	}
}

// patch sends fields with an action that changes an entry. If the entry was changed meanwhile, it
// shows both versions; the member keeps their own, which overwrites the other one, or not. It
// returns the data of the response, or null if the member has kept the other one. It throws the
// error if they have not decided.
export async function patch(app, action, fields) {
	try {
		return await send(app, action, fields);
	} catch (error) {
		if (error.status !== 412 || !error.current) throw error;
		const controls = error.current.action_descriptors?.find(({ id }) => id === "update")?.controls ?? [];
		const { words } = app;
		const rows = conflicts(controls, fields).map(({ control, mine, theirs }) => ({ label: control.label, mine: valueText(control, mine, words), theirs: valueText(control, theirs, words) }));
		const etag = error.current.state?.etag;
		const answer = rows.length > 0 ? await askVersion({ words, rows }) : "mine";
		if (answer === null) throw error;
		if (answer === "theirs") return null;
		return send(app, action, { ...fields, etag });
	}
}

function send(app, action, fields) {
	return app.dispatcher.perform({ ...action, controls: [] }, {}, { fields });
}

// move moves an entry to a range of the grid. before is called when the member has decided, so
// that the entry is shown at its new time at once. It returns whether the entry was moved.
export async function move(app, object, range, before = () => {}) {
	const { words } = app;
	const action = actionOf(object, "move");
	const old = timesOf(object, words.zone);
	const scope = await askScope(app, { options: scopesFor(action), object, act: words.calendar.move(), text: words.calendar.movedText(object.title, timeText(old, words), timeText(range, words)) });
	if (scope === null) return false;
	before();
	try {
		const data = await patch(app, action, { ...moveFields(object, range, words.zone), ...(scope && { scope }) });
		if (!data) return false;
		app.acts.announce({ undo: moveBack(data.object, object, { old, range, scope }, words) }, words.calendar.moved(object.title, timeText(range, words)));
		return true;
	} catch (error) {
		app.acts.showError(error);
		return false;
	}
}

// moveBack returns the request that takes the move of an object from its old times to a range back.
// A part of a series that was moved is a series of its own since then. The response to the move of
// a series has its next occurrence, which moves back by the same difference.
function moveBack(moved, object, { old, range, scope }, words) {
	const action = moved && actionOf(moved, "move");
	if (!action) return undefined;
	const { zone } = words;
	const isSeries = scope && scope !== "this";
	const times = isSeries ? moveFields(moved, takenBack(timesOf(moved, zone), old, range, zone), zone) : moveFields(object, old, zone);
	const fields = { ...times, ...(scope && { scope: isSeries ? "all" : "this" }) };
	return { label: words.undo(), method: action.method, url: action.url, body: { ...action.body, ...fields } };
}

// timeText returns the time of an entry in words.
export function timeText({ allDay, start, end }, words) {
	if (allDay) return daysText(words, start, end);
	return end > start ? words.range(start, end) : words.range(start, start);
}

// remove deletes an entry, after the question which ones of a series. before is called when the
// member has decided, failed if the entry could not be deleted. It returns whether it was deleted.
export async function remove(app, object, { before = () => {}, failed = () => {} } = {}) {
	const { words } = app;
	const found = Object.entries(DELETIONS).map(([scope, id]) => ({ scope, action: actionOf(object, id) })).filter(({ action }) => action);
	if (found.length === 0) return false;
	let [{ scope, action }] = found;
	if (found.length > 1) {
		scope = await askScope(app, { options: found.map(({ scope: value, action: { label } }) => ({ value, label })), object, act: words.calendar.erase(), bad: true, text: words.calendar.deleteText(object.title) });
		if (!scope) return false;
		({ action } = found.find((one) => one.scope === scope));
	}
	before();
	try {
		app.acts.announce(await app.dispatcher.perform(action), words.calendar.deleted(object.title));
		return true;
	} catch (error) {
		failed();
		app.acts.showError(error);
		return false;
	}
}
