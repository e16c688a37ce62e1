// The field in which a message or a reply is written.

import { loadDraft, removeDraft, saveDraft } from "./draft.js";
import { button, el, isTouch, uid } from "./el.js";
import { attachList } from "./list.js";
import { matchingActors, mentionAt, withMention } from "./mention.js";

const DRAFT_DELAY = 400; // milliseconds
const CLOSE_TO_LIMIT = 200; // characters left from which on the composer says it
const CONTROLS = [{ id: "body", type: "textarea", default: "" }]; // of a draft

// draftText returns the text of a draft, or "".
export function draftText(storage, key) {
	return loadDraft(storage, key, CONTROLS)?.body ?? "";
}

// composer returns { element, input, focus(), fill(text), grow(), end() }. Options: words; label,
// such as "Message to Bea"; sendLabel, of the button; limit, in characters; storage and draftKey,
// of the draft; kind, a class; send(text, stored), which calls stored as soon as the text outlasts
// the page: the draft stays until then; mentions, { label, self, actors() }: an @ offers the
// members that actors returns, without the one with the id self.
//
// Enter sends and Shift+Enter breaks the line; where the keyboard is on the screen, Enter
// breaks the line, and Ctrl+Enter or Command+Enter sends.
export function composer({ words, label, sendLabel, kind = "", limit = Infinity, storage, draftKey, send, mentions }) {
	const id = uid("composer");
	const input = el("textarea", {
		class: "input", id, rows: 1, placeholder: label, dir: "auto", autocomplete: "off", enterkeyhint: isTouch() ? "enter" : "send",
		value: draftText(storage, draftKey),
	});
	const note = el("p", { class: "composer-note tiny quiet", id: `${id}-note`, role: "status" });
	const submit = button({ label: sendLabel, icon: "send", only: true, kind: "primary", type: "submit" });
	const element = el("form", { class: `composer ${kind}`, novalidate: true, on: { submit: onSubmit } }, el("label", { class: "sr", for: id, text: label }), el("div", { class: "composer-field" }, note, input), submit);
	let timer = 0; // until the draft is stored; 0 if it is

	input.addEventListener("input", onInput);
	if (mentions) attachList(input, {
		words, label: mentions.label, inText: true, quiet: true, current: () => 0, pick: (option) => complete(option.value),
		typed: () => mentionAt(input.value, input.selectionStart),
		search: (text) => matchingActors(mentions.actors(), text, mentions.self).map((actor) => ({ value: actor.username, label: actor.display_name, detail: `@${actor.username}` })),
	});
	input.addEventListener("keydown", onKey); // after the list, whose Enter picks a member
	input.setAttribute("aria-describedby", note.id);
	addEventListener("pagehide", store);
	queueMicrotask(grow);

	function onInput() {
		grow();
		clearTimeout(timer);
		timer = setTimeout(store, DRAFT_DELAY);
	}

	// store stores what has changed since the last time. A composer without changes must not
	// replace the draft of another tab.
	function store() {
		if (!timer) return;
		stopTimer();
		saveDraft(storage, draftKey, CONTROLS, { body: input.value });
	}

	function stopTimer() {
		clearTimeout(timer);
		timer = 0;
	}

	// grow makes the field as high as its text; the style sheet limits it to six lines.
	function grow() {
		input.style.setProperty("height", "auto");
		input.style.setProperty("height", `${input.scrollHeight + input.offsetHeight - input.clientHeight}px`);
		const left = limit - [...input.value].length;
		note.textContent = left < 0 ? words.tooLong(limit, -left) : left < CLOSE_TO_LIMIT ? words.charactersLeft(left) : "";
		note.classList.toggle("wrong", left < 0);
	}

	function complete(username) {
		const { text, at } = withMention(input.value, input.selectionStart, username);
		fill(text);
		input.setSelectionRange(at, at);
	}

	function onKey(event) {
		if (event.defaultPrevented || event.key !== "Enter" || event.isComposing || event.keyCode === 229 || event.shiftKey || event.altKey) return;
		if (isTouch() && !event.ctrlKey && !event.metaKey) return;
		event.preventDefault();
		element.requestSubmit();
	}

	function onSubmit(event) {
		event.preventDefault();
		const text = input.value.trim();
		input.focus();
		if (text === "" || [...input.value].length > limit) return;
		saveDraft(storage, draftKey, CONTROLS, { body: text });
		fill("");
		send(text, () => draftText(storage, draftKey) === text && removeDraft(storage, draftKey));
	}

	function fill(text) {
		stopTimer();
		input.value = text;
		grow();
		if (text) onInput();
	}

	// end stores the draft when the composer leaves the page.
	function end() {
		store();
		removeEventListener("pagehide", store);
	}

	return { element, input, focus: () => input.focus({ preventScroll: true }), fill, grow, end };
}
