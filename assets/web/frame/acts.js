// Actions as members meet them: buttons, menus, forms, questions, and the way back.

import { button } from "../parts/el.js";
import { confirm, openDialog } from "../parts/dialog.js";
import { makeKeys, newKey } from "../world/client.js";
import { withQuery } from "../world/dispatch.js";
import { askVersion, etagOf, versions } from "./conflict.js";
import { routeOfPanel } from "./routes.js";
import { textOf } from "./problem.js";

// ASKED are the types of actions that cannot be undone, so that the app asks before them.
const ASKED = new Set([
	"social.event.cancel", "social.community.delete", "social.community.member.remove", "social.community.leave", "member.sessions.delete_all", "member.sessions.delete_others",
	"member.session.delete", "member.device.delete", "delete_calendar", "delete_trashed", "empty_trash", "delete_calendar_feed",
	"admin.member.delete", "admin.member.disable", "admin.region.remove", "admin.provider.remove", "admin.device.remove", "admin.invitation.revoke",
]);

// loadForms returns a promise of the module of forms, which the first screen does not need.
export function loadForms() {
	return import("../parts/form.js");
}

// destroys reports whether an action removes something, for its colour.
export function destroys(action) {
	const type = action.type ?? action.id ?? "";
	if (/unblock/.test(type)) return false;
	return (action.command?.method ?? action.method) === "DELETE" || /(^|[._])(delete|remove|cancel|disable|leave|revoke|block)(_|$)/.test(type);
}

// Acts performs actions and shows their results.
export class Acts {
	constructor(app) {
		this.app = app;
	}

	// act performs an action of a button. It asks first if the action cannot be undone, opens
	// its form if it has visible controls and no values are given, and shows errors and the way
	// back in a toast. Controls without a value have their default. It returns the data of the response, or null if nothing was done. Options:
	//
	//   values, fields, etag, key  those of Dispatcher.perform
	//   done    a text to show afterwards; without it, only Undo is shown
	//   name    of what the action is about, for the question
	//   ask     whether to ask first, or the text of the question
	async act(action, { values = {}, done = "", name = "", ask = ASKED.has(action.type), key = newKey(), ...options } = {}) {
		const hasFields = (action.controls ?? []).some(({ type }) => type !== "hidden");
		if (hasFields && Object.keys(values).length === 0) return this.form(action, { name });
		if (ask && !(await this.#confirm(action, name, ask))) return null;
		try {
			const data = await this.app.queue.perform(action, values, { label: [action.label, name].filter(Boolean).join(": "), key, ...options });
			this.announce(data, done);
			return data ?? {};
		} catch (error) {
			this.showError(error, () => this.act(action, { values, done, name, ask: false, key, ...options }));
			return null;
		}
	}

	// tick completes a task, or opens it again, with the action for either: while a tick is being
	// sent, the task has the action of before, and the other one differs only in the status. It
	// returns what act returns.
	tick(action, done, name) {
		const { words } = this.app;
		const own = (action.command ?? action).body;
		const body = { ...own, status: done ? "completed" : "needs_action" };
		const label = own.status === body.status ? action.label : "";
		const ticked = action.command ? { ...action, label, command: { ...action.command, body } } : { ...action, label, body };
		return this.act(ticked, { name, done: done ? words.frame.taskDone(name) : words.frame.taskOpen(name) });
	}

	// tickBox does the same as a checkbox says, which changes back if that fails.
	async tickBox(action, box, name) {
		const done = box.checked;
		const data = await this.tick(action, done, name);
		if (data === null && box.checked === done) box.checked = !done;
		return data;
	}

	// form shows the form of an action in a dialog, and performs it. It returns a promise of
	// the data of the response, or null if the member has closed the dialog. Options: title;
	// submit, the label of the button; fields and etag, those of Dispatcher.perform; hints,
	// locked, group and extra, those of createForm; controls, to show others than those of the
	// action; kind, a class of the dialog; done, a text to show afterwards; keep, whether what
	// the member enters is stored as a draft.
	async form(action, { title = action.label, submit = action.label, fields, etag, hints, locked, group, extra, controls = action.controls ?? [], kind = "", done = "", keep = true } = {}) {
		const { words } = this.app;
		const { createForm } = await loadForms().catch(() => ({}));
		if (!createForm) return this.offerReload();
		const keyOf = makeKeys();
		let dialog;
		const form = createForm({
			controls, words, submit, hints, locked, group, extra, bad: destroys(action), cancel: () => dialog.close(null),
			storage: keep ? this.app.drafts : undefined, draftKey: keep ? draftKeyOf(action, controls) : undefined,
			options: (control, text, signal) => this.options(control, text, signal),
			guide: (error) => (error.guidance ?? []).map((guided) => ({ label: guided.label, run: () => { dialog.close(null); this.follow(guided); } })),
			send: async (body, file) => {
				const values = fileValues(controls, body, file);
				const data = await this.#send(action, controls, values, { fields, etag, key: keyOf([body, file?.name, file?.size, file?.lastModified]) });
				dialog.close(data ?? {});
				if (data) this.announce(data, done);
			},
		});
		dialog = openDialog({ words, title, body: form.body, foot: form.foot, form: form.element, kind, isChanged: form.isChanged, discarded: form.discardDraft });
		form.focus();
		return (await dialog.closed) ?? null;
	}

	// offerReload says that a module of the app could not be loaded. It returns null.
	offerReload() {
		const { words, toasts } = this.app;
		toasts.show(words.frame.failed(), { action: { label: words.frame.reload(), run: () => location.reload() } });
		return null;
	}

	// follow takes an action that an error names instead of the rejected one. It opens the route
	// of a panel. The form of another action is that of the dataset.
	follow(guided) {
		const { session, dataset } = this.app.store;
		const route = guided.method === "GET" && routeOfPanel(session, guided.url);
		if (route) return this.app.go(route);
		return this.act(dataset.actions?.find(({ type, command }) => type === guided.type && command?.url === guided.url) ?? guided);
	}

	// options returns a promise of the options of a control that contain a text.
	async options(control, text, signal) {
		const url = control.options_url ?? control.search_url;
		if (!url) return [];
		const data = (await this.app.client.request("GET", withQuery(url, { q: text }), { signal })).data;
		return data?.options ?? [];
	}

	// button returns a button that performs an action. Options: those of act; label; icon; kind,
	// classes of the button; only, to show the icon alone.
	button(action, { label = action.label, icon, kind = "", only = false, ...options } = {}) {
		const { fallback } = action;
		const isOff = action.availability && action.availability !== "enabled";
		const node = button({ label, icon, kind: `${kind}${destroys(action) && !kind.includes("primary") ? " bad" : ""}`, only, run: () => this.#run(node, action, options) });
		if (isOff) {
			node.setAttribute("aria-disabled", "true");
			const reason = fallback && this.app.store.reason(action)?.message;
			if (reason) node.title = reason;
		}
		return node;
	}

	// items returns the actions as items of a menu.
	items(actions, options = {}) {
		return actions.map((action) => ({ label: action.label, bad: destroys(action), disabled: action.availability && action.availability !== "enabled", run: () => this.act(action, options) }));
	}

	// announce shows a text after an action, with Undo if there is a way back.
	announce(data, text = "") {
		const { words, toasts } = this.app;
		const undo = data?.undo;
		if (undo) this.lastUndo = undo;
		if (data?.queued) return toasts.show(words.frame.queued());
		const shown = text || (undo ? words.frame.done() : "");
		if (shown) toasts.show(shown, { action: undo && { label: words.undo(), run: () => this.undo(undo) } });
		return undefined;
	}

	// undo undoes the latest action that can be undone. After an error that may pass, it still can.
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

	// showError shows an error of an action, with the action that the server offers instead.
	showError(error, retry) {
		if (error.status === 401) return; // the app asks to sign in
		const { words, toasts } = this.app;
		const [guided] = error.guidance ?? [];
		const action = guided ? { label: guided.label, run: () => this.follow(guided) } : error.retryable && retry ? { label: words.tryAgain(), run: retry } : undefined;
		toasts.show(textOf(error, words), { action });
	}

	// #send performs an action with the values of its form. If another member has changed the
	// record, it shows both versions, and sends the values again if the member keeps them. It
	// returns null if they do not.
	async #send(action, controls, values, options) {
		try {
			return await this.app.queue.perform(action, values, { label: action.label, ...options });
		} catch (error) {
			const etag = etagOf(error.current);
			if (!etag) throw error;
			const answer = await askVersion({ words: this.app.words, rows: versions(controls, values, error.current) });
			if (answer === "theirs") return null;
			if (answer === null) throw error;
			const fields = { ...options.fields, ...("etag" in (action.command?.body ?? action.body ?? {}) && { etag }) };
			return this.#send(action, controls, values, { ...options, fields, etag: options.etag && etag, key: newKey() });
		}
	}

	async #run(node, action, options) {
		if (node.getAttribute("aria-disabled") === "true" || node.getAttribute("aria-busy") === "true") return;
		node.setAttribute("aria-busy", "true");
		await this.act(action, options).finally(() => node.removeAttribute("aria-busy"));
	}

	#confirm(action, name, ask) {
		const { words } = this.app;
		return confirm({ words, title: name ? words.frame.askAbout(action.label, name) : action.label, text: ask === true ? words.frame.cannotUndo() : ask, act: action.label, cancel: words.frame.back(), bad: destroys(action) });
	}
}

// draftKeyOf names the draft of a form. The forms of two communities, of two recipients, or of a
// task and an event differ in their hidden values only. The version of a record is none of them: a
// draft outlasts a change by another member.
export function draftKeyOf({ action_id: actionId, id, url, body }, controls) {
	const hidden = controls.filter((control) => control.type === "hidden" && control.id !== "etag").map((control) => [control.id, control.default]);
	return JSON.stringify([actionId ?? id, url, body, hidden]);
}

function fileValues(controls, body, file) {
	const control = file && controls.find(({ type }) => type === "file");
	return control ? { ...body, [control.id]: file } : body;
}
