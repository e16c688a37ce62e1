// Keyboard shortcuts.

import { el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";

const STORAGE_KEY = "shortcuts"; // in localStorage: "off" if the member has switched them off

// Keys handles the shortcuts of the app and of the present view, while no field has the focus.
export class Keys {
	#prefix = ""; // the previous key, which may begin a shortcut of two keys
	#prefixAt = 0; // time stamp of the previous key, in milliseconds

	constructor(app) {
		this.app = app;
		document.addEventListener("keydown", (event) => this.#onKey(event));
	}

	// isOn reports whether the shortcuts are enabled on this device.
	get isOn() {
		return localStorage.getItem(STORAGE_KEY) !== "off";
	}

	set isOn(on) {
		if (on) localStorage.removeItem(STORAGE_KEY);
		else localStorage.setItem(STORAGE_KEY, "off");
	}

	#onKey(event) {
		const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
		if (!this.isOn || event.defaultPrevented || hasModifier || handlesKey(event.target, event.key)) return;
		if (document.querySelector("dialog[open]") || document.querySelector(".popup, [role=menu]")) return;
		const key = event.key;
		const sequence = event.timeStamp - this.#prefixAt < 1500 ? `${this.#prefix} ${key}` : "";
		this.#prefix = key;
		this.#prefixAt = event.timeStamp;
		const run = (sequence && this.#commands()[sequence]) || this.app.frame.view?.keys?.[key] || this.#commands()[key];
		if (!run || run(event) === false) return;
		event.preventDefault();
		this.#prefix = "";
	}

	// #commands returns the functions of the shortcuts of the app. A function that returns false has
	// not handled the key.
	#commands() {
		const { app } = this;
		const hasItem = (id) => app.store.session?.shell?.dock?.items?.some((item) => item.id === id);
		const goTo = (id) => () => hasItem(id) && app.go({ kind: "in", id });
		return {
			"/": () => app.openFind(),
			"?": () => this.showSheet(),
			"g t": () => app.go({ kind: "today" }), "g c": goTo("time"), "g m": goTo("messages"), "g s": goTo("social"), "g a": goTo("field"),
			u: () => app.actions.lastUndo && app.actions.undo(),
			j: () => moveInRows(1), k: () => moveInRows(-1),
			Escape: () => (document.body.classList.contains("deep") || app.router.route.kind === "at" ? app.router.back() : false),
		};
	}

	// showSheet opens a dialog with the list of the shortcuts and the switch that disables them.
	showSheet() {
		const { words } = this.app;
		const entry = ([keys, text]) =>
			el("div", {}, el("dt", {}, keys.split(" ").map((key) => el("kbd", { text: key }))), el("dd", { text }));
		const list = el("dl", { class: "keys-list" }, words.frame.shortcuts().map(entry));
		const input = el("input", { type: "checkbox", checked: this.isOn, on: { change: () => (this.isOn = input.checked) } });
		const label = el("label", { class: "switch keys-switch" }, input, el("span", { text: words.frame.shortcutsOn() }));
		openDialog({ words, title: words.frame.shortcutsTitle(), body: [list, label] });
	}
}

// handlesKey reports whether the focused element handles a key itself: fields and maps handle all keys,
// a grid only keys with a name of several letters, such as ArrowUp.
function handlesKey(node, key) {
	if (!(node instanceof Element) || node.matches("[type=checkbox], [type=radio]")) return false;
	if (node.closest("input, textarea, select, [contenteditable], [role=application]")) return true;
	return key.length > 1 && node.closest("[role=grid]") !== null;
}

// moveInRows moves the focus to the next or previous row of the content. It returns false if there
// is none.
function moveInRows(step) {
	const rows = [...document.querySelectorAll("main a.row, main button.row")].filter((row) => row.offsetParent !== null);
	if (rows.length === 0) return false;
	const at = rows.indexOf(document.activeElement);
	const first = step > 0 ? 0 : rows.length - 1;
	rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? first : at + step))].focus();
	return true;
}
