// The control with which a member answers an event.

import { segmented } from "../parts/tabs.js";

// answerControl returns { element, value, set(value) }: a segmented control with the answers to an
// event except "none". It shows a chosen answer at once, and the previous one again if the server
// rejects the write. action is the action that sends an answer. Options:
//
//   title    the title of the event
//   value    the present answer
//   note     a function that returns the note to send with the answer
//   label    the label of the control
//   changed  called with the visible answer when it changes
export function answerControl(app, action, {
	title, value = "none", note, label = app.words.frame.willYouCome(title), changed = () => {},
}) {
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
