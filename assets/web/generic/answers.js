// Answers to an event, in place.

import { segmented } from "../parts/tabs.js";

// answerControl returns the control for the answer to an event, without "No answer"; it shows
// a new answer at once, and the one before if the server rejects it. action is the one with
// the controls of the answer. Options: title, of the event; value, the present answer; note, a
// function that returns the note to send; changed(value), called when the shown answer changes.
// It returns { element, value, set(value) }; value is the shown answer.
export function answerControl(app, action, { title, value = "none", note, label = app.words.frame.willYouCome(title), changed = () => {} }) {
	const control = action.controls.find(({ type }) => type === "selector");
	const options = (control?.options ?? []).filter((option) => option.value !== "none");
	let sent = value;
	const shown = (answer) => (answer === "none" ? null : answer);
	const chosen = segmented(options, { label, value: shown(value), full: true, answer: true, choose: (next) => answer(next) });

	async function answer(next) {
		const before = sent;
		sent = next;
		changed(next);
		const name = options.find((option) => option.value === next)?.label ?? next;
		const values = { ...(note && { note: note() }), [control.id]: next };
		if ((await app.acts.act(action, { values, done: app.words.frame.answered(name) })) !== null || sent !== next) return;
		sent = before;
		chosen.set(shown(before));
		changed(before);
	}
	return { element: chosen.element, get value() { return sent; }, set: (next) => { sent = next; chosen.set(shown(next)); } };
}
