// The forms for calendar entries and tasks: a short one for new ones, and the whole one.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { createForm } from "../parts/form.js";
import { segmented } from "../parts/tabs.js";
import { makeKeys } from "../world/client.js";
import { withQuery } from "../world/dispatch.js";
import { actionOf, keyOf as entryKey, timesOf } from "./entries.js";
import { SIDE_BY_SIDE, arranged, changedFields, quick, scopesFor, withDefaults } from "./fields.js";
import { askScope } from "./ask.js";
import { suggestPlaces } from "./places.js";
import { patch, remove, timeText } from "./writes.js";

// createEntry shows the short form for a new entry. actions are the forms of the panel for new
// entries and tasks, the first one is shown; values are those to begin with. It returns a promise
// of the new object, or null.
export async function createEntry(app, actions, values = {}) {
	const { words } = app;
	const [action] = actions;
	const keyOf = makeKeys();
	let next = null; // how the member goes on: with another action, or with the whole form
	let dialog;
	const goOn = (to) => {
		next = { ...to, values: { ...values, ...form.values() } };
		form.discardDraft();
		dialog.close();
	};
	const kinds = actions.length > 1 && segmented(actions.map(({ id, label }) => ({ value: id, label })), {
		label: words.isNew(), value: action.id, full: true, choose: (id) => goOn({ actions: [...actions].sort((a, b) => (b.id === id) - (a.id === id)) }),
	}).element;
	const form = makeForm(app, { controls: quick(withDefaults(action.controls, values)), draftKey: `new ${action.id}`, cancel: () => dialog.close(), extra: [button({ label: words.calendar.moreFields(), kind: "plain", run: () => goOn({ whole: true }) })], send: async (body) => {
		const data = await app.dispatcher.perform(action, body, { key: keyOf(body) });
		dialog.close(data ?? {});
		announceNew(app, data);
	} });
	arrange(form, [], words);
	dialog = openDialog({ words, title: action.label, body: [kinds, form.body].flat().filter(Boolean), foot: form.foot, form: form.element, kind: "edit quick", isChanged: () => !next && form.isChanged(), discarded: form.discardDraft });
	form.focus();
	const data = await dialog.closed;
	if (!next) return data?.object ?? null;
	const { object_type: _, ...kept } = next.values;
	return next.whole ? createWhole(app, action, kept) : createEntry(app, next.actions, kept);
}

// createWhole shows the whole form for a new entry.
async function createWhole(app, action, values) {
	const { words } = app;
	const { controls, more } = arranged(withDefaults(action.controls, values));
	const keyOf = makeKeys();
	let dialog;
	const form = makeForm(app, { controls, draftKey: `new whole ${action.id}`, cancel: () => dialog.close(), send: async (body) => {
		const data = await app.dispatcher.perform(action, body, { key: keyOf(body) });
		dialog.close(data ?? {});
		announceNew(app, data);
	} });
	arrange(form, more, words);
	dialog = openDialog({ words, title: action.label, body: form.body, foot: form.foot, form: form.element, kind: "edit", isChanged: () => form.isChanged() || Boolean(values.title), discarded: form.discardDraft });
	form.focus();
	return (await dialog.closed)?.object ?? null;
}

function announceNew(app, data) {
	const { words } = app;
	const object = data?.object;
	const erase = object && actionOf(object, "delete");
	if (object) app.acts.announce({ undo: erase && { ...erase, label: words.undo() } }, words.calendar.created(object.title));
}

// readEntry reads an entry with the controls of its actions, of a series the occurrence.
export async function readEntry(app, object) {
	const { recurrence_id: occurrence } = object.state.occurrence ?? {};
	const url = actionOf(object, "open")?.url ?? object.actions.open;
	return (await app.client.request("GET", withQuery(url, occurrence ? { recurrence_id: occurrence } : {}))).data.object;
}

// duplicateEntry shows the whole form for a new entry with the values of another one. It returns
// a promise of the new object, or null.
export async function duplicateEntry(app, object) {
	const url = withQuery(app.store.service("time").content_source, { fields: "action_descriptors" });
	const actions = (await app.client.read(url)).data.action_descriptors;
	const { controls } = actionOf(object, "update");
	const values = Object.fromEntries(controls.filter(({ id }) => id !== "scope").map(({ id, default: value }) => [id, value]));
	return createWhole(app, actions.find(({ id }) => id === (object.object_type === "task" ? "create_task" : "create_event")), values);
}

// editEntry shows the form of an entry. It returns a promise of the changed object, or null.
// deletion are the functions of remove.
export async function editEntry(app, object, deletion) {
	const { words } = app;
	const action = actionOf(object, "update");
	if (!action?.controls) return null;
	const { controls, more } = arranged(action.controls);
	const repeats = scopesFor(action).length > 0;
	let dialog;
	let before;
	const canDelete = ["delete_occurrence", "delete"].some((id) => actionOf(object, id));
	const erase = canDelete && button({ label: words.calendar.erase(), icon: "trash", kind: "plain bad", run: async () => { if (await remove(app, object, deletion)) dialog.close({ deleted: true }); } });
	const send = async (body) => {
		const changed = changedFields(before, body);
		if (Object.keys(changed).length === 0) return dialog.close();
		const fields = repeats ? await withScope(app, object, changed, form.follows("rrule")) : changed;
		if (!fields) return false;
		const data = await patch(app, action, fields);
		dialog.close(data ?? {});
		if (data) app.toasts.show(words.calendar.savedEntry(data.object?.title ?? object.title));
		return undefined;
	};
	const form = makeForm(app, { controls, send, draftKey: `${entryKey(object)} ${object.state.etag}`, submit: repeats ? words.calendar.saveWhich() : words.save(), extra: erase ? [erase] : [], cancel: () => dialog.close() });
	before = form.initial;
	arrange(form, more, words);
	dialog = openDialog({ words, title: words.calendar.changeTitle(object.object_type), body: form.body, foot: form.foot, form: form.element, kind: "edit", isChanged: form.isChanged, discarded: form.discardDraft });
	form.focus();
	return (await dialog.closed) ?? null;
}

// withScope asks which occurrences of a series a change is for. It returns the fields to send, or
// null if the member does not decide. ruleFollows is whether the rule has changed only because the
// start has: then one occurrence can be changed alone, without its rule.
async function withScope(app, object, fields, ruleFollows) {
	const { words } = app;
	const { rrule, ...others } = fields;
	const chosen = ruleFollows ? others : fields;
	const text = words.calendar.changeText(object.title, timeText(timesOf(object, words.zone) ?? { allDay: true, start: words.currentDay(), end: words.currentDay() }, words));
	const scope = await askScope(app, { options: scopesFor(actionOf(object, "update"), chosen), object, text, act: words.save() });
	if (scope === null) return null;
	// The server gives the rest of a series what is left of its number.
	const isLeft = scope === "this" || (scope === "this_and_future" && /COUNT=/.test(rrule));
	return { ...(isLeft ? chosen : fields), ...(scope && { scope }) };
}

// makeForm returns a form with the values before a draft was restored as `initial`.
function makeForm(app, { controls, draftKey, ...options }) {
	const { words } = app;
	const shared = { controls, words, group: SIDE_BY_SIDE, options: (control, text, signal) => (control.type === "location" ? suggestPlaces(app, text) : app.acts.options(control, text, signal)) };
	const initial = createForm(shared).values(); // of a form without a draft
	const form = createForm({ ...shared, storage: app.drafts, draftKey, ...options });
	return { ...form, initial };
}

// arrange gives the form its look: the title large, whole days and the zone in one line, and rare
// fields under "More".
function arrange(form, more, words) {
	const [list] = form.body;
	const fieldOf = (id) => list.querySelector(`[data-field="${id}"]`);
	const title = fieldOf("title");
	const [input, label] = [title?.querySelector("input"), title?.querySelector("label")];
	input?.classList.add("title-input");
	input?.setAttribute("placeholder", label.textContent);
	label?.classList.add("sr");
	const zone = fieldOf("timezone");
	const allDay = fieldOf("all_day");
	if (zone) foldZone(zone, allDay, words);
	if (more.length > 0) foldMore(form, more.map(fieldOf), list, words);
}

// foldZone shows the time zone as a button which opens its field. It is open if the zone is not
// that of the member.
function foldZone(zone, allDay, words) {
	const input = zone.querySelector("input");
	const name = input?.value || words.zone;
	const open = button({ label: name.replaceAll("_", " "), icon: "globe", kind: "plain s", run: () => { zone.hidden = false; open.hidden = true; input.focus(); } });
	const isOther = !name.replaceAll(" ", "_").startsWith(words.zone);
	zone.hidden = !isOther;
	open.hidden = isOther;
	const line = el("div", { class: "line wrap between zone-line" });
	(allDay ?? zone).before(line);
	line.append(...[allDay, open].filter(Boolean));
	const box = allDay?.querySelector("input");
	const isWhole = box?.checked && !input?.value; // a time that the member adds is one of the zone that is shown
	const update = () => {
		line.classList.toggle("is-all-day", box.checked);
		if (isWhole) input.value = box.checked ? "" : words.zone;
	};
	box?.addEventListener("change", update);
	if (box) update();
}

function foldMore(form, fields, list, words) {
	const box = el("details", { class: "more-fields" }, el("summary", { text: words.calendar.moreFields() }), el("div", { class: "fields" }, fields.filter(Boolean)));
	list.append(box);
	const openIfWrong = () => {
		const wrong = box.querySelector(".is-wrong");
		if (!wrong || box.open) return;
		box.open = true;
		wrong.querySelector("input, select, textarea")?.focus();
	};
	new MutationObserver(openIfWrong).observe(box, { subtree: true, attributes: true, attributeFilter: ["class"] });
}
