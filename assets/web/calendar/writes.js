// Changes, moves and deletes calendar entries and tasks.

import { actionOf, moveFields, timesOf } from "./entries.js";
import { askVersion } from "../frame/conflict.js";
import { withEditor } from "../frame/editor.js";
import { askWay, waysOf } from "../frame/ways.js";
import { askScope, valueText } from "./scopedialog.js";
import { daysText } from "./dates.js";
import { TIME_IDS, conflicts, scopesFor } from "./fields.js";

// DELETIONS are the ids of the actions that delete an entry, by scope.
const DELETIONS = { this: "delete_occurrence", this_and_future: "delete_future", all: "delete" };

// withForms is withEditor with the functions of edit.js in addition.
export function withForms(app, use) {
	return withEditor(app, use, () => import("./edit.js"));
}

// patch sends fields with an action that changes an entry. If the server rejects the request because
// the entry has changed meanwhile (412 Precondition Failed), patch shows both versions. If the member
// keeps their version, it is sent again; also without a question, if the fields do not differ. If the
// series can follow its new start in several ways, patch asks for one of them, and the data has
// choseRule. patch returns a promise of the data of the response, or of null if the member keeps the
// version of the server. The promise is rejected with the error if the member closes the dialog.
export async function patch(app, action, fields) {
	try {
		return await send(app, action, fields);
	} catch (error) {
		const ways = waysOf(error);
		if (ways.length > 0) {
			const rrule = await askWay({ words: app.words, ways });
			if (rrule === null) throw error;
			const data = await patch(app, action, { ...fields, rrule });
			return data && { ...data, choseRule: true };
		}
		if (error.status !== 412 || !error.current) throw error;
		return resolveConflict(app, action, fields, error);
	}
}

// resolveConflict asks the member for the version of an entry to keep, after a rejected request of
// patch, and does what patch does with it. error.current is the entry with the occurrence of the request,
// with the one that takes its place after a move of the series, or without one if it no longer exists.
async function resolveConflict(app, action, fields, error) {
	const { words } = app;
	const { current } = error;
	const present = actionOf(current, action.id);
	if (!present) throw error; // the entry can no longer be changed in this way
	const sent = { ...fields };
	const oldDate = action.body?.recurrence_id;
	const newDate = present.body?.recurrence_id;
	const isSeries = Boolean(current.state?.recurrence?.is_recurring);
	const isGone = Boolean(oldDate && isSeries && !newDate);
	if (!isSeries) delete sent.scope;
	if (isGone) {
		TIME_IDS.forEach((id) => delete sent[id]); // those of the date that no longer exists
		sent.scope = "all";
	}
	const hasFields = Object.keys(sent).some((id) => id !== "scope");
	const rows = conflicts(actionOf(current, "update")?.controls ?? [], sent).map(({ control, mine, theirs }) => (
		{ label: control.label, mine: valueText(control, mine, words), theirs: valueText(control, theirs, words) }
	));
	const dayText = (time) => words.date(time.slice(0, 10));
	let question = {};
	if (isGone) question = { text: words.calendar.dateIsGone(dayText(oldDate), hasFields), keep: hasFields && words.calendar.applyToSeries() };
	else if (oldDate && newDate && oldDate !== newDate) question = { text: words.calendar.dateHasMoved(dayText(oldDate), dayText(newDate)) };
	const answer = rows.length > 0 || isGone ? await askVersion({ words, rows, ...question }) : "mine";
	if (answer === null) throw error;
	return answer === "theirs" ? null : patch(app, present, sent);
}

function send(app, action, fields) {
	return app.dispatcher.perform({ ...action, controls: [] }, {}, { fields });
}

// move moves an entry to a range of the grid, after a question for the scope if it repeats. onSend is
// called before the request is sent, so that the caller can show the new time at once. move returns a
// promise of whether the entry was moved. It shows errors itself.
export async function move(app, object, range, onSend = () => {}) {
	const { words } = app;
	const action = actionOf(object, "move");
	const oldTimes = timesOf(object, words.zone);
	const scope = await askScope(app, {
		options: scopesFor(action), object, submit: words.calendar.move(),
		text: words.calendar.movedText(object.title, timeText(oldTimes, words), timeText(range, words)),
	});
	if (scope === null) return false;
	onSend();
	try {
		const data = await patch(app, action, { ...moveFields(object, range, words.zone), ...(scope && { scope }) });
		if (!data) return false;
		const undo = data.undo ?? moveBack(data.object, object, oldTimes, words);
		// A chosen rule may have no date at the new time.
		const text = data.choseRule ? words.calendar.savedEntry(object.title) : words.calendar.moved(object.title, timeText(range, words));
		app.actions.announce({ undo, notice: data.notice }, text);
		return true;
	} catch (error) {
		if (waysOf(error).length === 0) app.actions.showError(error); // otherwise the member has canceled
		return false;
	}
}

// moveBack returns the action that undoes the move of a single entry from its old times, or undefined.
// movedObject is the object in the response to the move. The server undoes moves of a series.
function moveBack(movedObject, object, oldTimes, words) {
	const action = movedObject && actionOf(movedObject, "move");
	if (!action) return undefined;
	const body = { ...action.body, ...moveFields(object, oldTimes, words.zone) };
	return { label: words.undo(), method: action.method, url: action.url, body };
}

// timeText returns the text of a range of the grid, with its days.
export function timeText({ allDay, start, end }, words) {
	if (allDay) return daysText(words, start, end);
	return end > start ? words.range(start, end) : words.range(start, start);
}

// remove deletes an entry, after a question for the scope if it repeats. before is called before the
// request is sent, failed if the request has failed. remove returns a promise of whether the entry was
// deleted. It shows errors itself.
export async function remove(app, object, { before = () => {}, failed = () => {} } = {}) {
	const { words } = app;
	const deletions = Object.entries(DELETIONS).map(([scope, id]) => ({ scope, action: actionOf(object, id) })).filter(({ action }) => action);
	if (deletions.length === 0) return false;
	let [{ scope, action }] = deletions;
	if (deletions.length > 1) {
		scope = await askScope(app, {
			options: deletions.map(({ scope: value, action: { label } }) => ({ value, label })), object,
			submit: words.calendar.erase(), bad: action.destructive, text: words.calendar.deleteText(object.title),
		});
		if (!scope) return false;
		({ action } = deletions.find((deletion) => deletion.scope === scope));
	}
	before();
	try {
		app.actions.announce(await app.dispatcher.perform(action), words.calendar.deleted(object.title));
		return true;
	} catch (error) {
		failed();
		app.actions.showError(error);
		return false;
	}
}
