// Performs actions for the views: buttons, menus, forms, confirmations, undo and errors.

import { button, el } from "../parts/el.js";
import { confirm, openDialog } from "../parts/dialog.js";
import { makeKeys, newKey } from "../world/client.js";
import { withQuery } from "../world/dispatch.js";
import { createsEntry, openEditor } from "./editor.js";
import { routeOfPanel } from "./routes.js";
import { textOf } from "./problem.js";

// loadForms returns a promise of the module parts/form.js, which the first screen does not need.
export function loadForms() {
	return import("../parts/form.js");
}

// loadQuestions returns a promise of the functions of conflict.js and ways.js, which few rejected forms need.
async function loadQuestions() {
	const modules = await Promise.all([import("./conflict.js"), import("./ways.js")]);
	return Object.assign({}, ...modules);
}

// Actions performs actions and shows their results.
export class Actions {
	#ticked = new WeakMap(); // checkbox → the action with which the member has ticked it

	constructor(app) {
		this.app = app;
	}

	// perform performs an action. It asks for a confirmation if the action has the field confirm, and opens
	// the form of the action if it has visible controls and no values are given. Toasts show errors, and
	// the button Undo if the action can be undone. perform returns the data of the response, {} without data,
	// and null if the action has failed or was canceled. Options:
	//
	//   values, fields, etag, ordered, key  as for Dispatcher.perform
	//   doneText     a text to show afterwards; without it, a toast is shown only for Undo
	//   name         the name of the record that the action concerns, for the confirmation
	//   isConfirmed  whether the member has already confirmed the action
	async perform(action, { values = {}, doneText = "", name = "", isConfirmed = false, key = newKey(), ...options } = {}) {
		const hasFields = (action.controls ?? []).some(({ type }) => type !== "hidden");
		if (hasFields && Object.keys(values).length === 0) return this.openForm(action, { doneText, ...options });
		if (action.confirm && !isConfirmed && !(await this.#confirm(action, name))) return null;
		try {
			const data = await this.app.queue.perform(action, values, {
				label: [action.label, name].filter(Boolean).join(": "), key, ...options,
			});
			this.announce(data, doneText);
			return data ?? {};
		} catch (error) {
			this.showError(error, () => this.perform(action, { values, doneText, name, isConfirmed: true, key, ...options }));
			return null;
		}
	}

	// tick completes a task, or opens it again if done is false. action is the action that changes the
	// status of the task. While such a change is being sent, the dataset still contains the action of
	// the earlier status, so tick sets the status in the body. name is the title of the task. tick
	// returns the result of perform.
	tick(action, done, name) {
		const { words } = this.app;
		const currentBody = (action.command ?? action).body;
		const body = { ...currentBody, status: done ? "completed" : "needs_action" };
		const label = currentBody.status === body.status ? action.label : "";
		const tickAction = action.command ? { ...action, label, command: { ...action.command, body } } : { ...action, label, body };
		return this.perform(tickAction, { name, doneText: done ? words.frame.taskDone(name) : words.frame.taskOpen(name) });
	}

	// isTicked reports whether the queue contains a change that completes a task (true) or opens it again
	// (false). It returns undefined if the queue contains no change of its status. action and allAction are
	// those of tickBox, or undefined.
	isTicked(action, allAction) {
		const latestEntry = latestTick(this.app.queue, action, allAction);
		return latestEntry && (latestEntry.action.command ?? latestEntry.action).body.status === "completed";
	}

	// tickAction returns a promise of the action for tick: action, or allAction, which completes all occurrences
	// up to today and is undefined unless the task recurs and is overdue. To complete the task with the title
	// name, the member chooses; the promise is null if they cancel. If done is false, it is the action of the
	// change that the queue contains.
	async tickAction(action, allAction, done, name) {
		if (!allAction) return action;
		if (!done) return latestTick(this.app.queue, action, allAction)?.path === (allAction.command ?? allAction).url ? allAction : action;
		const { words } = this.app;
		const choice = (chosen, label, kind) => button({ label, kind, autofocus: Boolean(kind), run: () => dialog.close(chosen) });
		const foot = [choice(allAction, words.frame.allUpToToday()), choice(action, words.frame.onlyThisOne(), "primary")];
		const dialog = openDialog({ words, title: name, body: [el("p", { text: words.frame.whichDone() })], foot, kind: "ask" });
		return (await dialog.closed) ?? null;
	}

	// tickBox calls tick with the state of a checkbox and the action of tickAction, and restores the checkbox
	// if tick fails. To open a task again, it calls tick with the action that has completed it.
	async tickBox(action, box, name, allAction) {
		const done = box.checked;
		const chosen = (!done && this.#ticked.get(box)) || (await this.tickAction(action, allAction, done, name));
		if (chosen) this.#ticked.set(box, chosen);
		const data = chosen && (await this.tick(chosen, done, name));
		if (data === null && box.checked === done) box.checked = !done;
		return data;
	}

	// openForm shows the form of an action in a dialog, and performs the action with its values. The form of an
	// action that creates an entry is the editor. It returns a promise of the data of the response, or of null
	// if the member has closed the dialog. Options:
	//
	//   title       the title of the dialog
	//   submit      the label of the submit button
	//   fields, etag  as for Dispatcher.perform
	//   hints, locked, group, extra, options  as for createForm
	//   kind        CSS classes of the dialog
	//   prepare(form)  called before the dialog is shown
	//   controls    the controls of the form, if they differ from the controls of the action
	//   doneText    a text to show afterwards
	//   savesDraft  whether the values are stored as a draft
	async openForm(action, {
		title = action.label, submit = action.label, fields, etag, hints, locked, group, extra, controls = action.controls ?? [],
		doneText = "", savesDraft = true, kind, prepare = () => {},
		options = (control, text, signal) => this.options(control, text, signal),
	} = {}) {
		if (createsEntry(action)) return openEditor(this.app, action);
		const { words } = this.app;
		const { createForm } = await loadForms().catch(() => ({}));
		if (!createForm) return this.offerReload();
		const keyOf = makeKeys();
		let dialog;
		const form = createForm({
			controls, words, submit, hints, locked, group, extra, bad: action.destructive, cancel: () => dialog.close(null),
			storage: savesDraft ? this.app.drafts : undefined, draftKey: savesDraft ? draftKeyOf(action, controls) : undefined,
			options,
			guide: (error) => (error.guidance ?? []).map((guided) => ({
				label: guided.label, run: () => { dialog.close(null); this.followGuidance(guided); },
			})),
			send: async (body, file) => {
				const values = fileValues(controls, body, file);
				const data = await this.#send(action, controls, values, {
					fields, etag, key: keyOf([body, file?.name, file?.size, file?.lastModified]),
				});
				dialog.close(data ?? {});
				if (data) this.announce(data, doneText);
			},
		});
		prepare(form);
		dialog = openDialog({
			words, title, body: form.body, foot: form.foot, form: form.element, kind,
			isChanged: form.isChanged, discarded: form.discardDraft,
		});
		form.focus();
		return (await dialog.closed) ?? null;
	}

	// offerReload shows that a module of the app could not be loaded, with a button that loads the page
	// again. It returns null.
	offerReload() {
		const { words, toasts } = this.app;
		toasts.show(words.frame.failed(), { action: { label: words.frame.reload(), run: () => location.reload() } });
		return null;
	}

	// followGuidance performs an action of the guidance of an error, which the server suggests in place of
	// the rejected action. If the action opens a panel, followGuidance shows its route. If the dataset
	// contains an action with the same type and URL, followGuidance performs that one, which has a form.
	followGuidance(action) {
		const { session, dataset } = this.app.store;
		const route = action.method === "GET" && routeOfPanel(session, action.url);
		if (route) return this.app.go(route);
		return this.perform(dataset.actions?.find(({ type, command }) => type === action.type && command?.url === action.url) ?? action);
	}

	// options returns a promise of the options of a control that match a text, according to the server;
	// [] for a control without a search.
	async options(control, text, signal) {
		const url = control.options_url ?? control.search_url;
		if (!url) return [];
		const data = (await this.app.client.request("GET", withQuery(url, { q: text }), { signal })).data;
		return data?.options ?? [];
	}

	// button returns a button that performs an action. The button of an unavailable action is disabled,
	// and its title is the reason. Options: those of perform; label; icon; kind, CSS classes; iconOnly, to show
	// the icon alone.
	button(action, { label = action.label, icon, kind = "", iconOnly = false, ...options } = {}) {
		const { fallback } = action;
		const isUnavailable = action.availability && action.availability !== "enabled";
		const node = button({
			label, icon, kind: `${kind}${action.destructive && !kind.includes("primary") ? " bad" : ""}`, iconOnly,
			run: () => this.#run(node, action, options),
		});
		if (isUnavailable) {
			node.setAttribute("aria-disabled", "true");
			const reason = fallback && this.app.store.reason(action)?.message;
			if (reason) node.title = reason;
		}
		return node;
	}

	// items returns the items of a menu that perform actions. Options: those of perform.
	items(actions, options = {}) {
		return actions.map((action) => ({
			label: action.label, bad: action.destructive, disabled: action.availability && action.availability !== "enabled",
			run: () => this.perform(action, options),
		}));
	}

	// announce shows a toast after an action with the data of its response: the text with the notice of
	// the server, and the button Undo if the action can be undone. If the action is in the queue, the toast
	// says so instead.
	announce(data, text = "") {
		const { words, toasts } = this.app;
		const undo = data?.undo;
		if (undo) this.lastUndo = undo;
		if (data?.queued) return toasts.show(words.frame.queued());
		const message = [text || (undo ? words.frame.done() : ""), data?.notice].filter(Boolean).join(" ");
		if (message) toasts.show(message, { action: undo && { label: words.undo(), run: () => this.undo(undo) } });
		return undefined;
	}

	// undo performs the action that undoes another one: the field undo of a response, by default of the
	// latest response with that field. After a temporary error, lastUndo is set again.
	async undo(undo = this.lastUndo, key = newKey()) {
		if (!undo) return;
		this.lastUndo = null;
		try {
			await this.app.dispatcher.perform(undo, {}, { key });
			this.app.toasts.show(this.app.words.frame.undone());
		} catch (error) {
			if (error.retryable) this.lastUndo ??= undo;
			this.showError(error, () => this.undo(undo, key));
		}
	}

	// showError shows an error in a toast. The button of the toast performs the first action of the
	// guidance of the error or, after a temporary error, calls retry if it is given.
	showError(error, retry) {
		if (error.status === 401) return; // the app asks to sign in
		const { words, toasts } = this.app;
		const [guided] = error.guidance ?? [];
		const action = guided
			? { label: guided.label, run: () => this.followGuidance(guided) }
			: error.retryable && retry ? { label: words.tryAgain(), run: retry } : undefined;
		toasts.show(textOf(error, words), { action });
	}

	// #send performs an action with the values of its form, and returns the data of the response. If
	// another member has changed the record meanwhile, it asks for the version to keep. It sends the
	// values again with the new ETag, returns null if the member keeps the other version, or throws the
	// error if the member closes the dialog. If a series can follow its new start in several ways, it
	// asks for one of them.
	async #send(action, controls, values, options) {
		try {
			return await this.app.queue.perform(action, values, { label: action.label, ...options });
		} catch (error) {
			if (!error.current && error.code !== "recurrence_ambiguous") throw error;
			const { askVersion, askWay, etagOf, versions, waysOf } = await loadQuestions();
			const ways = waysOf(error);
			if (ways.length > 0) {
				const rrule = await askWay({ words: this.app.words, ways });
				if (rrule === null) throw error;
				return this.#send(action, controls, { ...values, rrule }, { ...options, key: newKey() });
			}
			const etag = etagOf(error.current);
			if (!etag) throw error;
			const answer = await askVersion({ words: this.app.words, rows: versions(controls, values, error.current) });
			if (answer === "theirs") return null;
			if (answer === null) throw error;
			const fields = { ...options.fields, ...("etag" in (action.command?.body ?? action.body ?? {}) && { etag }) };
			return this.#send(action, controls, values, { ...options, fields, etag: options.etag && etag, key: newKey() });
		}
	}

	// #run performs the action of a button, unless the button is disabled or busy.
	async #run(node, action, options) {
		if (node.getAttribute("aria-disabled") === "true" || node.getAttribute("aria-busy") === "true") return;
		node.setAttribute("aria-busy", "true");
		await this.perform(action, options).finally(() => node.removeAttribute("aria-busy"));
	}

	// #confirm asks for a confirmation of an action, and returns a promise of whether it is given. name
	// is that of perform.
	#confirm(action, name) {
		const { words } = this.app;
		return confirm({
			words, title: name ? words.frame.askAbout(action.label, name) : action.label,
			text: action.confirm, confirmLabel: action.label, cancel: words.frame.back(), bad: action.destructive,
		});
	}
}

// latestTick returns the latest entry of the queue with one of the actions of tickBox, which may be undefined,
// that the server has not rejected; undefined if there is none.
function latestTick(queue, ...actions) {
	const entries = actions.flatMap((action) => (action ? queue.entriesOf(action) : []));
	return entries.filter(({ kind, state }) => kind === "tick" && state !== "failed").sort((a, b) => a.id - b.id).at(-1);
}

// draftKeyOf returns the key of the draft of a form. It contains the hidden values, because the forms
// for two communities, for two recipients, or for a task and an event may differ only in them. It does
// not contain the ETag, so that a draft remains after a change of the record by another member.
export function draftKeyOf({ action_id: actionId, id, url, body }, controls) {
	const hidden = controls
		.filter((control) => control.type === "hidden" && control.id !== "etag")
		.map((control) => [control.id, control.default]);
	return JSON.stringify([actionId ?? id, url, body, hidden]);
}

// fileValues returns the values of a form with the chosen file as the value of the file control.
function fileValues(controls, body, file) {
	const control = file && controls.find(({ type }) => type === "file");
	return control ? { ...body, [control.id]: file } : body;
}
