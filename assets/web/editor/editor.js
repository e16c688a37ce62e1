// The editor of calendar entries, tasks and Social events: one form, whose fields are the controls of the
// actions that create or change the entry.

import { button } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { createForm } from "../parts/form.js";
import { segmented } from "../parts/tabs.js";
import { makeKeys } from "../world/client.js";
import {
	OWN_CALENDAR, SIDE_BY_SIDE, arrangeControls, creations, isSocial, isTask, shortFormControls, withAudience, withDefaults,
} from "./controls.js";
import { HOUR } from "../grid/zone.js";
import { createsEntry } from "../frame/editor.js";
import { dayIn } from "../parts/day.js";
import { layOut } from "./layout.js";
import { suggestPlaces } from "./places.js";
import { formTimes, suggestRange } from "./suggestion.js";

// createEntry shows the form for a new entry. actions are the actions that create a calendar entry, a task
// or a Social event: the form is for the first action. The other types of calendar entries are chosen with
// a control above the form; whether it is a Social event follows from the audience that the member chooses.
// values are the initial values of the fields by id. The form for a calendar entry is short unless isFull is
// true. createEntry returns a promise of the data of the response, or null if nothing was created.
export async function createEntry(app, actions, values = {}, { isFull = false, focusedId = "", isContinued = false } = {}) {
	const { words } = app;
	const [action] = actions;
	const isShort = !isFull && !isSocial(action);
	const keyOf = makeKeys();
	let next = null; // the form that replaces this one: parameters of createEntry
	let dialog;
	const replaceForm = (nextAction, options) => {
		next = { actions: [nextAction, ...actions.filter((other) => other !== nextAction)], values: { ...values, ...form.values() }, options };
		form.discardDraft();
		dialog.close();
	};
	const chooseAudience = ({ among }) => {
		const { entry, event } = creations(actions);
		const chosenAction = among === OWN_CALENDAR ? entry : event;
		if (among && chosenAction && chosenAction !== action) replaceForm(chosenAction, { isFull, focusedId: "among" });
	};
	const controls = withDefaults(withAudience(action, actions, words.editor.ownCalendar()), values);
	const hasAudience = controls.some(({ id }) => id === "among");
	const arranged = isShort ? { controls: shortFormControls(controls), more: [] } : arrangeControls(controls);
	const form = makeForm(app, {
		controls: arranged.controls, draftKey: draftKeyOf(action), restoresDraft: !isContinued, cancel: () => dialog.close(),
		extra: isShort ? [button({ label: words.editor.moreFields(), kind: "plain", run: () => replaceForm(action, { isFull: true }) })] : [],
		hints: hasAudience && !isTask(action) ? { among: isSocial(action) ? words.editor.becomesEvent() : words.editor.becomesEntry() } : {},
		changed: hasAudience ? chooseAudience : undefined,
		send: async (body) => {
			const { among, ...entry } = body;
			const fields = isSocial(action) ? body : entry;
			const data = await app.dispatcher.perform(action, fields, { key: keyOf(fields) });
			dialog.close(data ?? {});
			announceNew(app, data);
		},
	});
	layOut(form, arranged.more, words);
	dialog = openDialog({
		words, title: action.label, body: [typeControl(actions, replaceForm, words), ...form.body].filter(Boolean), foot: form.foot,
		form: form.element, kind: isShort ? "edit quick" : "edit", isChanged: () => !next && (form.isChanged() || Boolean(values.title)),
		discarded: form.discardDraft,
	});
	form.focus(focusedId);
	const data = await dialog.closed;
	return next ? createEntry(app, next.actions, next.values, { ...next.options, isContinued: true }) : data ?? null;
}

// createProposed shows the form of an action that creates a calendar entry or a Social event, with the next hour as
// its proposed time unless values contain a start. The audience that the action fixes can be changed in the form, if
// the member can choose it. values and the result are those of createEntry.
export function createProposed(app, action, values = {}) {
	const { words, store } = app;
	const { entry, event } = creations(store.actionsOn("workspace").filter(createsEntry));
	const among = values.among ?? action.controls.find(({ id }) => id === "among")?.default;
	const isOffered = event?.controls.find(({ id }) => id === "among")?.options.some(({ value }) => value === among);
	const first = isSocial(action) && isOffered ? event : action;
	const other = isSocial(first) ? entry : event;
	const range = suggestRange(dayIn(words.zone, Date.now() + HOUR), { now: Date.now(), zone: words.zone });
	const times = values.start || isTask(action) ? {} : { ...formTimes(range, words.zone), timezone: words.zone };
	const proposed = { ...times, ...(isOffered && { among }) };
	return createEntry(app, [first, other].filter(Boolean), { ...proposed, ...values });
}

// typeControl returns the control that chooses between a calendar entry and a task, or null if there is
// nothing to choose.
function typeControl(actions, replaceForm, words) {
	const choices = actions.filter((action) => !isSocial(action));
	if (isSocial(actions[0]) || choices.length < 2) return null;
	const sorted = [...choices].sort((a, b) => isTask(a) - isTask(b));
	const options = sorted.map(({ id, label }) => ({ value: id, label }));
	const choose = (id) => replaceForm(choices.find((choice) => choice.id === id));
	return segmented(options, { label: words.isNew(), value: actions[0].id, full: true, choose }).element;
}

// draftKeyOf returns the key of the draft of a new entry. The short and the full form share their draft.
function draftKeyOf(action) {
	return `new ${isSocial(action) ? "event" : isTask(action) ? "task" : "entry"}`;
}

// announceNew announces the new entry in the data of a response, with its deletion as Undo.
function announceNew(app, data) {
	const { words } = app;
	const { object, event } = data ?? {};
	const deletion = object?.action_descriptors?.find(({ id }) => id === "delete");
	const undo = deletion && { ...deletion, label: words.undo() };
	if (object) app.actions.announce({ undo, notice: data.notice }, words.editor.created(object.title));
	else if (event) announceEvent(app, event, data.notice);
}

// announceEvent reports a new Social event, and offers its page, which has the button that invites members.
function announceEvent(app, event, notice) {
	const { words } = app;
	const open = () => app.go({ kind: "in", id: "social", query: { view: "events", id: event.id } });
	const text = [words.editor.published(event.title), notice].filter(Boolean).join(" ");
	app.toasts.show(text, { action: { label: words.frame.open(), run: open } });
}

// changeEvent shows the form of an action that changes a Social event. data is the metadata of the event. A change of
// a series applies to all its dates.
export function changeEvent(app, action, data = {}) {
	const { controls, more } = arrangeControls(action.controls);
	return app.actions.openForm(action, {
		title: app.words.editor.changeEvent(), submit: app.words.save(), controls, kind: "edit", ...formOptions(app),
		hints: data.rrule ? { title: app.words.editor.allDatesChange(data.date_count ?? 0) } : {},
		prepare: (form) => layOut(form, more, app.words),
	});
}

// formOptions returns the options of createForm that all forms of the editor have.
function formOptions(app) {
	return {
		group: SIDE_BY_SIDE,
		options: (control, text, signal) => (control.type === "location" ? suggestPlaces(app, text) : app.actions.options(control, text, signal)),
	};
}

// makeForm returns a form of createForm with the additional property initial: its values before a
// draft was restored.
export function makeForm(app, { controls, draftKey, ...options }) {
	const sharedOptions = { controls, words: app.words, ...formOptions(app) };
	const initial = createForm(sharedOptions).values(); // of a form without a draft
	const form = createForm({ ...sharedOptions, storage: app.drafts, draftKey, ...options });
	return { ...form, initial };
}
