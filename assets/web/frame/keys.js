// Shortcuts of the keyboard.

import { el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";

const STORED = "shortcuts"; // "off" if the member has switched them off

// Keys handles the shortcuts outside of fields: those of the app and those of the view.
export class Keys {
	#prefix = "";
	#prefixAt = 0;

	constructor(app) {
		this.app = app;
		document.addEventListener("keydown", (event) => this.#onKey(event));
	}

	get isOn() {
		return localStorage.getItem(STORED) !== "off";
	}

	set isOn(on) {
		if (on) localStorage.removeItem(STORED);
		else localStorage.setItem(STORED, "off");
	}

	#onKey(event) {
		if (!this.isOn || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isField(event.target, event.key)) return;
		if (document.querySelector("dialog[open]") || document.querySelector(".popup, [role=menu]")) return;
		const key = event.key;
		const two = event.timeStamp - this.#prefixAt < 1500 ? `${this.#prefix} ${key}` : "";
		this.#prefix = key;
		this.#prefixAt = event.timeStamp;
		const run = (two && this.#commands()[two]) || this.app.frame.view?.keys?.[key] || this.#commands()[key];
		if (!run || run(event) === false) return;
		event.preventDefault();
		this.#prefix = "";
	}

	#commands() {
		const { app } = this;
		const goTo = (id) => () => app.store.session?.shell?.dock?.items?.some((item) => item.id === id) && app.go({ kind: "in", id });
		return {
			"/": () => app.openFind(),
			"?": () => this.showSheet(),
			"g t": () => app.go({ kind: "today" }), "g c": goTo("time"), "g m": goTo("messages"), "g s": goTo("social"), "g a": goTo("field"),
			u: () => app.acts.lastUndo && app.acts.undo(),
			j: () => moveInRows(1), k: () => moveInRows(-1),
			Escape: () => document.body.classList.contains("deep") || app.router.route.kind === "at" ? app.router.back() : false,
		};
	}

	// showSheet shows all shortcuts, with the switch for them.
	showSheet() {
		const { words } = this.app;
		const list = el("dl", { class: "keys-list" }, words.frame.shortcuts().map(([keys, text]) => el("div", {}, el("dt", {}, keys.split(" ").map((key) => el("kbd", { text: key }))), el("dd", { text }))));
		const input = el("input", { type: "checkbox", checked: this.isOn, on: { change: () => (this.isOn = input.checked) } });
		openDialog({ words, title: words.frame.shortcutsTitle(), body: [list, el("label", { class: "switch keys-switch" }, input, el("span", { text: words.frame.shortcutsOn() }))] });
	}
}

// isField reports whether the focused element handles a key: fields and maps handle all keys, a grid
// those that move the focus.
function isField(node, key) {
	if (!(node instanceof Element) || node.matches("[type=checkbox], [type=radio]")) return false;
	if (node.closest("input, textarea, select, [contenteditable], [role=application]")) return true;
	return key.length > 1 && node.closest("[role=grid]") !== null;
}

// moveInRows moves the focus to the next or previous row of the content.
function moveInRows(step) {
	const rows = [...document.querySelectorAll("main a.row, main button.row")].filter((row) => row.offsetParent !== null);
	if (rows.length === 0) return false;
	const at = rows.indexOf(document.activeElement);
	rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step))].focus();
	return true;
}
