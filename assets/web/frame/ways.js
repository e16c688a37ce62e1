// The dialog in which a member chooses the rule of a series that has moved, if several rules fit its
// new start.

import { button, el, uid } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";

// waysOf returns the rules of an error of the server that says that a series can follow its start in
// several ways, as a list of { rrule, label, next } with the next dates. It is empty for other errors.
export function waysOf(error) {
	return error.code === "recurrence_ambiguous" ? error.fields?.[0]?.options ?? [] : [];
}

// askWay shows the rules of waysOf in a dialog. It returns a promise of the rule that the member has
// chosen, or of null if the member has closed the dialog.
export async function askWay({ words, ways }) {
	const name = uid("way");
	const inputs = ways.map(({ rrule }, i) => el("input", { type: "radio", name, value: rrule, checked: i === 0, autofocus: i === 0 }));
	const labels = ways.map(({ label, next }, i) => (
		el("label", { class: "check" }, inputs[i], el("span", {},
			el("b", { dir: "auto", text: label }),
			next.length > 0 && el("span", { class: "quiet", text: words.frame.nextDates(next.map((time) => words.dayShort(time.slice(0, 10)))) })))
	));
	const choice = el("fieldset", { class: "choice" }, el("legend", { class: "sr", text: words.frame.whichWay() }), labels);
	const form = el("form", { on: { submit: (event) => {
		event.preventDefault();
		dialog.close(inputs.find(({ checked }) => checked).value);
	} } });
	const cancel = button({ label: words.cancel(), run: () => dialog.close(null) });
	const save = el("button", { type: "submit", class: "btn primary", text: words.save() });
	const dialog = openDialog({
		words, title: words.frame.whichWay(), body: [el("p", { class: "scope-text", text: words.frame.whichWayText() }), choice],
		foot: [cancel, save], form, kind: "ask",
	});
	return (await dialog.closed) ?? null;
}
