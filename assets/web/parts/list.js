// A list of suggestions below a text field (ARIA combobox with a list).

import { el, uid } from "./el.js";
import { catchEscape, showPopup } from "./popup.js";

// MOST limits the suggestions that are shown. A day has as many quarter-hours.
const MOST = 96;

// attachList shows suggestions while the member types.
//
// Options: search(text, signal), which returns a list of { value, label, detail } or a promise
// of one; pick(option); words; label, the name of the list; delay before a search, in
// milliseconds; fewest characters; current(options), which returns the index to begin with;
// openOnFocus; quiet, to show nothing instead of "Nothing found"; typed(), which returns the text
// to search for, or null for none; inText, whether the suggestions complete a part of a longer
// text, whose field keeps its role and its keys while there are none. Enter picks the active
// suggestion; without one it sends the form.
//
// It returns { close, isOpen }.
export function attachList(input, { search, pick, words, label, delay = 0, fewest = 0, current = () => -1, openOnFocus = false, quiet = false, inText = false, typed = () => input.value.trim() }) {
	const list = el("div", { class: "menu options", role: "listbox", id: uid("list"), "aria-label": label });
	let options = [];
	let active = -1;
	let hide = null;
	let timer = 0;
	let running = null;
	let at = 0; // position of the text to search for

	const combobox = { role: "combobox", "aria-expanded": "false", autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
	for (const [name, value] of Object.entries({ "aria-autocomplete": "list", ...(!inText && combobox) })) input.setAttribute(name, value);

	const isOpen = () => hide !== null;
	const hasMoved = () => inText && input.selectionStart !== at; // away from what is completed

	function open(found) {
		options = found.slice(0, MOST);
		active = -1;
		list.replaceChildren(...options.map((option, i) => {
			const node = el("div", { role: "option", id: `${list.id}-${i}`, "aria-selected": "false" }, el("span", { class: "grow", dir: "auto", text: option.label }), option.detail && el("span", { class: "quiet small", dir: "auto", text: option.detail }));
			node.addEventListener("click", () => choose(i));
			return node;
		}));
		if (options.length === 0) list.replaceChildren(el("div", { class: "quiet small", role: "option", "aria-disabled": "true", "aria-selected": "false", text: words.noOptions() }));
		if (!hide) {
			hide = showPopup(list, input.closest(".input") ?? input, { width: true, close: closed });
			if (!inText) input.setAttribute("aria-expanded", "true");
			input.setAttribute("aria-controls", list.id);
		}
		mark(current(options));
	}

	function closed() {
		hide = null;
		if (!inText) input.setAttribute("aria-expanded", "false");
		input.removeAttribute("aria-controls");
		input.removeAttribute("aria-activedescendant");
	}

	function close() {
		clearTimeout(timer);
		running?.abort();
		hide?.();
	}

	function mark(index) {
		list.children[active]?.setAttribute("aria-selected", "false");
		active = index;
		const node = active >= 0 ? list.children[active] : null;
		if (!node) return input.removeAttribute("aria-activedescendant");
		node.setAttribute("aria-selected", "true");
		node.scrollIntoView({ block: "nearest" });
		input.setAttribute("aria-activedescendant", node.id);
	}

	function choose(index) {
		const option = options[index];
		close();
		if (option) pick(option);
	}

	function update(wait = delay) {
		clearTimeout(timer);
		running?.abort();
		const text = typed();
		at = input.selectionStart;
		if (text === null || text.length < fewest) return close();
		const { signal } = (running = new AbortController());
		timer = setTimeout(async () => {
			try {
				const found = await search(text, signal);
				if (signal.aborted || document.activeElement !== input || hasMoved()) return;
				if (quiet && found.length === 0) hide?.();
				else open(found);
			} catch (error) {
				// A list that does not load leaves a text field.
				if (!signal.aborted) close();
			}
		}, wait);
	}

	list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the field
	input.addEventListener("input", () => update());
	if (openOnFocus) input.addEventListener("click", () => isOpen() || update(0));
	input.addEventListener("blur", close);
	for (const type of ["keyup", "click"]) input.addEventListener(type, () => hasMoved() && close());
	input.addEventListener("keydown", (event) => {
		if (hasMoved()) close(); // keys may follow each other before they are released
		if (isOpen() && catchEscape(event, close)) return;
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			if (!isOpen() && inText) return;
			event.preventDefault();
			if (!isOpen()) return update(0);
			const step = event.key === "ArrowDown" ? 1 : -1;
			if (options.length > 0) mark(active < 0 && step < 0 ? options.length - 1 : (active + step + options.length) % options.length);
		} else if (event.key === "Enter" && isOpen() && active >= 0) {
			event.preventDefault();
			choose(active);
		} else if (event.key === "Tab") {
			close();
		}
	});
	return { close, isOpen };
}
