// The forms for calendar entries and tasks: a short form for new ones, and the full form.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { createForm } from "../parts/form.js";
import { segmented } from "../parts/tabs.js";
import { makeKeys } from "../world/client.js";
import { withQuery } from "../world/dispatch.js";
import { actionOf, keyOf as entryKey, timesOf } from "./entries.js";
import { SIDE_BY_SIDE, arrangeControls, changedFields, shortFormControls, scopesFor, withDefaults } from "./fields.js";
import { askScope } from "./scopedialog.js";
import { suggestPlaces } from "./places.js";
import { patch, remove, timeText } from "./writes.js";

// createEntry shows the short form for a new entry. actions are the actions of the panel that create
// an event or a task: the form is for the first action, and a control switches to the others.
// values are the initial values of the fields by id. createEntry returns a promise of the new object,
// or null if none was created.
export async function createEntry(app, actions, values = {}) {
	const { words } = app;
	const [action] = actions;
	const keyOf = makeKeys();
	let next = null; // the form that replaces this one: { actions, values } or { isFull, values }
	let dialog;
	const replaceForm = (replacement) => {
		next = { ...replacement, values: { ...values, ...form.values() } };
		form.discardDraft();
		dialog.close();
	};
	const choose = (id) => replaceForm({ actions: [...actions].sort((a, b) => (b.id === id) - (a.id === id)) });
	const types = actions.map(({ id, label }) => ({ value: id, label }));
	const typeControl = actions.length > 1 && segmented(types, { label: words.isNew(), value: action.id, full: true, choose }).element;
	const moreFields = button({ label: words.calendar.moreFields(), kind: "plain", run: () => replaceForm({ isFull: true }) });
	const form = makeForm(app, {
		controls: shortFormControls(withDefaults(action.controls, values)), draftKey: `new ${action.id}`,
		cancel: () => dialog.close(), extra: [moreFields],
		send: async (body) => {
			const data = await app.dispatcher.perform(action, body, { key: keyOf(body) });
			dialog.close(data ?? {});
			announceNew(app, data);
		},
	});
	layOut(form, [], words);
	dialog = openDialog({
		words, title: action.label, body: [typeControl, form.body].flat().filter(Boolean), foot: form.foot, form: form.element,
		kind: "edit quick", isChanged: () => !next && (form.isChanged() || Boolean(values.title)), discarded: form.discardDraft,
	});
	form.focus();
	const data = await dialog.closed;
	if (!next) return data?.object ?? null;
	const { object_type: _, ...keptValues } = next.values;
	return next.isFull ? createInFullForm(app, action, keptValues) : createEntry(app, next.actions, keptValues);
}

// createInFullForm is like createEntry, but shows the full form of one action.
async function createInFullForm(app, action, values) {
	const { words } = app;
	const { controls, more } = arrangeControls(withDefaults(action.controls, values));
	const keyOf = makeKeys();
	let dialog;
	const form = makeForm(app, {
		controls, draftKey: `new whole ${action.id}`, cancel: () => dialog.close(),
		send: async (body) => {
			const data = await app.dispatcher.perform(action, body, { key: keyOf(body) });
			dialog.close(data ?? {});
			announceNew(app, data);
		},
	});
	layOut(form, more, words);
	dialog = openDialog({
		words, title: action.label, body: form.body, foot: form.foot, form: form.element,
		kind: "edit", isChanged: () => form.isChanged() || Boolean(values.title), discarded: form.discardDraft,
	});
	form.focus();
	return (await dialog.closed)?.object ?? null;
}

// announceNew announces the new entry in the data of a response, with its deletion as Undo.
function announceNew(app, data) {
	const { words } = app;
	const object = data?.object;
	const deletion = object && actionOf(object, "delete");
	const undo = deletion && { ...deletion, label: words.undo() };
	if (object) app.actions.announce({ undo, notice: data.notice }, words.calendar.created(object.title));
}

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
// returned. It returns a promise of the new object, or null if none was created.
export async function duplicateEntry(app, object) {
	const url = withQuery(app.store.service("time").content_source, { fields: "action_descriptors" });
	const actions = (await app.client.read(url)).data.action_descriptors;
	const { controls } = actionOf(object, "update");
	const values = Object.fromEntries(controls.filter(({ id }) => id !== "scope").map(({ id, default: value }) => [id, value]));
	const type = object.object_type === "task" ? "create_task" : "create_event";
	const action = actions.find(({ id }) => id === type);
	if (!values.start && values.end_timezone) values.timezone = values.end_timezone;
	return createInFullForm(app, { ...action, controls: controlsForCopy(action.controls, controls) }, values);
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

// makeForm returns a form of createForm with the additional property initial: its values before a
// draft was restored.
function makeForm(app, { controls, draftKey, ...options }) {
	const { words } = app;
	const sharedOptions = {
		controls, words, group: SIDE_BY_SIDE,
		options: (control, text, signal) => (control.type === "location" ? suggestPlaces(app, text) : app.actions.options(control, text, signal)),
	};
	const initial = createForm(sharedOptions).values(); // of a form without a draft
	const form = createForm({ ...sharedOptions, storage: app.drafts, draftKey, ...options });
	return { ...form, initial };
}

// layOut shows the title of a form without a visible label, the time zones after the line of the
// checkbox for all-day entries, and the fields with the ids in more in a section that can be closed.
function layOut(form, more, words) {
	const [list] = form.body;
	const fieldOf = (id) => list.querySelector(`[data-field="${id}"]`);
	const title = fieldOf("title");
	const [input, label] = [title?.querySelector("input"), title?.querySelector("label")];
	input?.classList.add("title-input");
	input?.setAttribute("placeholder", label.textContent);
	label?.classList.add("sr");
	const zone = fieldOf("timezone");
	if (zone) foldZone({ zone, endZone: fieldOf("end_timezone"), allDay: fieldOf("all_day") }, words);
	if (more.length > 0) foldMore(form, more.map(fieldOf), list, words);
}

// foldZone replaces the fields of the time zones by a button that shows them, unless one is another
// zone than that of the member. zone, endZone and allDay are the elements of the fields; the latter two
// may be null. An empty time zone of the end stands for that of the start.
function foldZone({ zone, endZone, allDay }, words) {
	const input = zone.querySelector("input");
	const endInput = endZone?.querySelector("input");
	const fields = endZone ? zone.parentElement : zone;
	fields.classList.add("zones");
	endInput?.setAttribute("placeholder", words.calendar.zoneOfStart());
	const name = input?.value || words.zone;
	const showZone = () => {
		fields.hidden = false;
		open.hidden = true;
		input.focus();
	};
	const open = button({ label: name.replaceAll("_", " "), icon: "globe", kind: "plain s", run: showZone });
	const isOther = !name.replaceAll(" ", "_").startsWith(words.zone) || Boolean(endInput?.value);
	fields.hidden = !isOther;
	open.hidden = isOther;
	const line = el("div", { class: "line wrap between zone-line" });
	(allDay ?? fields).before(line);
	line.append(...[allDay, open].filter(Boolean));
	const box = allDay?.querySelector("input");
	const hadNoZone = box?.checked && !input?.value; // times that the member adds are in the zone of the member
	const update = () => {
		line.classList.toggle("is-all-day", box.checked);
		if (hadNoZone) input.value = box.checked ? "" : words.zone;
	};
	box?.addEventListener("change", update);
	if (box) update();
}

// foldMore moves fields into a section that is closed until one of them has an error.
function foldMore(form, fields, list, words) {
	const content = el("div", { class: "fields" }, fields.filter(Boolean));
	const section = el("details", { class: "more-fields" }, el("summary", { text: words.calendar.moreFields() }), content);
	list.append(section);
	const openOnError = () => {
		const wrong = section.querySelector(".is-wrong");
		if (!wrong || section.open) return;
		section.open = true;
		wrong.querySelector("input, select, textarea")?.focus();
	};
	new MutationObserver(openOnError).observe(section, { subtree: true, attributes: true, attributeFilter: ["class"] });
}
