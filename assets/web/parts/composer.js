// The form in which a member writes a message or a reply.

import { loadDraft, removeDraft, saveDraft } from "./draft.js";
import { button, el, isComposing, isTouch, uid } from "./el.js";
import { attachList } from "./list.js";
import { matchingActors, mentionAt, withMention } from "./mention.js";

const DRAFT_DELAY = 400; // milliseconds between a change and the storing of the draft
const CLOSE_TO_LIMIT = 200; // number of remaining characters below which the composer shows it
const CONTROLS = [{ id: "body", type: "textarea", default: "" }]; // the controls of a draft, see draft.js

// draftText returns the text of the stored draft with a key, or "".
export function draftText(storage, key) {
	return loadDraft(storage, key, CONTROLS)?.body ?? "";
}

// addToDraft puts a text before the text of the stored draft with a key.
export function addToDraft(storage, key, text) {
	saveDraft(storage, key, CONTROLS, { body: joinLines(text, draftText(storage, key)) });
}

// joinLines returns two texts as lines of one text. The second one may be empty.
function joinLines(text, rest) {
	return rest.trim() ? `${text}\n${rest}` : text;
}

// composer returns { element, input, focus(), fill(text), add(text), grow(), end() }. The input contains
// the text of the stored draft. fill replaces the text, and add puts a text before it. grow fits the height of the input to the text,
// which requires that the element is in the page. end stores the draft, and must be called when the
// element is removed from the page. Options:
//
//   label, sendLabel   such as "Message to Bea", and the label of the button
//   kind               a class of the element
//   limit              maximum length of the text, in Unicode code points
//   storage, draftKey  where the draft is stored, see draft.js
//   send(text, stored) sends a text. It must call stored when the text is queued, sent or discarded:
//                      until then the draft is kept, so that the text is not lost with the page
//   mentions           { label, self, actors() }, if members can be mentioned: after an @, the
//                      composer suggests the actors except the member with the id self; label is the
//                      label of the suggestions
//
// Enter sends, and Shift+Enter inserts a line break. With a touch screen, Enter inserts a line
// break, and Ctrl+Enter or Command+Enter sends.
export function composer({ words, label, sendLabel, kind = "", limit = Infinity, storage, draftKey, send, mentions }) {
	const id = uid("composer");
	const input = el("textarea", {
		class: "input", id, rows: 1, placeholder: label, dir: "auto", autocomplete: "off", enterkeyhint: isTouch() ? "enter" : "send",
		value: draftText(storage, draftKey),
	});
	const note = el("p", { class: "composer-note tiny quiet", id: `${id}-note`, role: "status" });
	const submit = button({ label: sendLabel, icon: "send", iconOnly: true, kind: "primary", type: "submit" });
	const element = el("form", { class: `composer ${kind}`, novalidate: true, on: { submit: onSubmit } },
		el("label", { class: "sr", for: id, text: label }), el("div", { class: "composer-field" }, note, input), submit);
	let timer = 0; // timer of store, or 0 if the draft has no unstored changes

	input.addEventListener("input", onInput);
	if (mentions) attachList(input, {
		words, label: mentions.label, inText: true, hidesEmpty: true, current: () => 0, pick: (option) => completeMention(option.value),
		searchText: () => mentionAt(input.value, input.selectionStart),
		search: (text) => matchingActors(mentions.actors(), text, mentions.self).map((actor) => (
			{ value: actor.username, label: actor.display_name, detail: `@${actor.username}` })),
	});
	input.addEventListener("keydown", onKeydown); // after the listener of the list, which handles Enter while it is open
	input.setAttribute("aria-describedby", note.id);
	addEventListener("pagehide", store);
	queueMicrotask(grow);

	function onInput() {
		grow();
		clearTimeout(timer);
		timer = setTimeout(store, DRAFT_DELAY);
	}

	// store stores the draft if it has unstored changes. Without changes it must not replace the
	// draft, which another tab may have stored.
	function store() {
		if (!timer) return;
		stopTimer();
		saveDraft(storage, draftKey, CONTROLS, { body: input.value });
	}

	function stopTimer() {
		clearTimeout(timer);
		timer = 0;
	}

	// grow also shows the number of remaining characters. The style sheet limits the height to six
	// lines.
	function grow() {
		input.style.setProperty("height", "auto");
		input.style.setProperty("height", `${input.scrollHeight + input.offsetHeight - input.clientHeight}px`);
		const remainingCount = limit - [...input.value].length;
		note.textContent = remainingCount < 0 ? words.tooLong(limit, -remainingCount)
			: remainingCount < CLOSE_TO_LIMIT ? words.charactersLeft(remainingCount) : "";
		note.classList.toggle("wrong", remainingCount < 0);
	}

	// complete replaces the typed beginning of a mention with a user name.
	function completeMention(username) {
		const { text, at } = withMention(input.value, input.selectionStart, username);
		fill(text);
		input.setSelectionRange(at, at);
	}

	// onKeydown sends the text with Enter.
	function onKeydown(event) {
		if (event.defaultPrevented || event.key !== "Enter" || isComposing(event) || event.shiftKey || event.altKey) return;
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

	function end() {
		store();
		removeEventListener("pagehide", store);
	}

	const add = (text) => fill(joinLines(text, input.value));
	return { element, input, focus: () => input.focus({ preventScroll: true }), fill, add, grow, end };
}
