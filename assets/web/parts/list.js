// Lists of suggestions below text fields: a combobox with a listbox as in the ARIA Authoring
// Practices Guide.

import { el, isComposing, uid } from "./el.js";
import { catchEscape, showPopup } from "./popup.js";

// MAX_OPTIONS is the maximum number of suggestions, the number of quarter-hours of a day.
const MAX_OPTIONS = 96;

// attachList shows suggestions for the text that the member types into an input or a textarea. The
// arrow keys open the list and change the active suggestion, and Enter picks it. Without an active
// suggestion, Enter has its usual effect, such as to submit the form. attachList returns
// { close(), isOpen() }. Options:
//
//   search(text, signal)  returns a list of suggestions { value, label, detail }, or a promise of it
//   pick(option)      called with the suggestion that the member has picked
//   label             the label of the list
//   delay             milliseconds before a search
//   minLength         minimum number of characters for a search
//   current(options)  returns the index of the suggestion that is active at first, or -1
//   openOnFocus       whether a click into the field opens the list
//   hidesEmpty        whether an empty list is hidden, instead of the text "Nothing found"
//   searchText()      returns the text to search for, or null to close the list
//   inText            whether a suggestion replaces only a part of the text: the field is no
//                     combobox then, the arrow keys do not open the list, and the list closes when
//                     the cursor moves
export function attachList(input, {
	search, pick, words, label, delay = 0, minLength = 0, current = () => -1, openOnFocus = false, hidesEmpty = false, inText = false,
	searchText = () => input.value.trim(),
}) {
	const list = el("div", { class: "menu options", role: "listbox", id: uid("list"), "aria-label": label });
	let options = []; // displayed suggestions
	let activeIndex = -1; // index of the active suggestion, or -1
	let hidePopup = null; // null if the list is closed
	let timer = 0; // timer of the next search
	let controller = null; // AbortController of the latest search
	let cursor = 0; // cursor position at the latest search

	const combobox = { role: "combobox", "aria-expanded": "false", autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
	for (const [name, value] of Object.entries({ "aria-autocomplete": "list", ...(!inText && combobox) })) input.setAttribute(name, value);

	const isOpen = () => hidePopup !== null;
	const hasMoved = () => inText && input.selectionStart !== cursor;

	function open(suggestions) {
		options = suggestions.slice(0, MAX_OPTIONS);
		activeIndex = -1;
		list.replaceChildren(...options.map((option, i) => {
			const node = el("div", { role: "option", id: `${list.id}-${i}`, "aria-selected": "false" },
				el("span", { class: "grow", dir: "auto", text: option.label }),
				option.detail && el("span", { class: "quiet small", dir: "auto", text: option.detail }));
			node.addEventListener("click", () => choose(i));
			return node;
		}));
		if (options.length === 0) {
			list.replaceChildren(el("div", {
				class: "quiet small", role: "option", "aria-disabled": "true", "aria-selected": "false", text: words.noOptions(),
			}));
		}
		if (!hidePopup) {
			hidePopup = showPopup(list, input.closest(".input") ?? input, { width: true, close: onClose });
			if (!inText) input.setAttribute("aria-expanded", "true");
			input.setAttribute("aria-controls", list.id);
		}
		setActive(current(options));
	}

	function onClose() {
		hidePopup = null;
		if (!inText) input.setAttribute("aria-expanded", "false");
		input.removeAttribute("aria-controls");
		input.removeAttribute("aria-activedescendant");
	}

	function close() {
		clearTimeout(timer);
		controller?.abort();
		hidePopup?.();
	}

	// setActive makes the suggestion with an index active, or none if it is -1.
	function setActive(index) {
		list.children[activeIndex]?.setAttribute("aria-selected", "false");
		activeIndex = index;
		const node = activeIndex >= 0 ? list.children[activeIndex] : null;
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

	// update searches for the typed text after a number of milliseconds, and shows the result.
	function update(wait = delay) {
		clearTimeout(timer);
		controller?.abort();
		const text = searchText();
		cursor = input.selectionStart;
		if (text === null || text.length < minLength) return close();
		const { signal } = (controller = new AbortController());
		timer = setTimeout(async () => {
			try {
				const suggestions = await search(text, signal);
				if (signal.aborted || document.activeElement !== input || hasMoved()) return;
				if (hidesEmpty && suggestions.length === 0) hidePopup?.();
				else open(suggestions);
			} catch (error) {
				// The field can be used without suggestions.
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
		if (isComposing(event)) return;
		if (hasMoved()) close(); // the keyup event of the key that has moved the cursor may follow later
		if (isOpen() && catchEscape(event, close)) return;
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			if (!isOpen() && inText) return;
			event.preventDefault();
			if (!isOpen()) return update(0);
			const step = event.key === "ArrowDown" ? 1 : -1;
			const { length } = options;
			if (length > 0) setActive(activeIndex < 0 && step < 0 ? length - 1 : (activeIndex + step + length) % length);
		} else if (event.key === "Enter" && isOpen() && activeIndex >= 0) {
			event.preventDefault();
			choose(activeIndex);
		} else if (event.key === "Tab") {
			close();
		}
	});
	return { close, isOpen };
}
