// The control with which a member answers an event.

import { segmented } from "../parts/tabs.js";

// answerControl returns { element, value, set(value) }: a segmented control with the answers to an
// event except "none". It shows a chosen answer at once, and that of the server again if the server
// rejects the write. set shows the answer that the server has; while an answer is being sent, it has no
// effect, because the server may not have received that answer yet. action is the action that sends an answer. Options:
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
	let stored = value; // the answer that the server has
	let sent = value; // the visible answer
	let sending = 0; // number of answers that are being sent
	const shown = (answer) => (answer === "none" ? null : answer);
	const chosen = segmented(options, { label, value: shown(value), full: true, answer: true, choose: (next) => answer(next) });

	async function answer(next) {
		sent = next;
		changed(next);
		const name = options.find((option) => option.value === next)?.label ?? next;
		const values = { ...(note && { note: note() }), [control.id]: next };
		sending++;
		const data = await app.actions.perform(action, { values, done: app.words.frame.answered(name) }).finally(() => sending--);
		if (data !== null) stored = next;
		if (data !== null || sent !== next) return;
		sent = stored;
		chosen.set(shown(sent));
		changed(sent);
	}

	function set(next) {
		if (sending > 0) return;
		stored = sent = next;
		chosen.set(shown(next));
	}
	return { element: chosen.element, get value() { return sent; }, set };
}
