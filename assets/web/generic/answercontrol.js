// The control with which a member answers an event.

import { segmented } from "../parts/tabs.js";

// answerControl returns { element, value, set(value) }: a segmented control with the answers to an
// event except "none". It shows a chosen answer at once, and the answer of the server again if the server
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
	let storedAnswer = value; // the answer that the server has
	let shownAnswer = value; // the visible answer
	let sendCount = 0; // number of answers that are being sent
	const buttonValue = (answer) => (answer === "none" ? null : answer);
	const buttonGroup = segmented(options, { label, value: buttonValue(value), full: true, answer: true, choose: (next) => answer(next) });

	async function answer(next) {
		shownAnswer = next;
		changed(next);
		const name = options.find((option) => option.value === next)?.label ?? next;
		const values = { ...(note && { note: note() }), [control.id]: next };
		sendCount++;
		const data = await app.actions.perform(action, { values, doneText: app.words.frame.answered(name) }).finally(() => sendCount--);
		if (data !== null) storedAnswer = next;
		if (data !== null || shownAnswer !== next) return;
		shownAnswer = storedAnswer;
		buttonGroup.set(buttonValue(shownAnswer));
		changed(shownAnswer);
	}

	function set(next) {
		if (sendCount > 0) return;
		storedAnswer = shownAnswer = next;
		buttonGroup.set(buttonValue(next));
	}
	return { element: buttonGroup.element, get value() { return shownAnswer; }, set };
}
