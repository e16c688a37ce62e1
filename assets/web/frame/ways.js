// The dialog in which a member chooses the rule of a series that has moved, if several rules fit its
// new start.

import { button, el, uid } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";

// waysOf returns the rules of an error of the server that says that a series can follow its start in
// several ways, as a list of { rrule, label, next, moved_from, moved_to, ends }, see the manual. It is empty
// for other errors.
export function waysOf(error) {
	return error.code === "recurrence_ambiguous" ? error.fields?.[0]?.options ?? [] : [];
}

// askWay shows the rules of waysOf in a dialog. It returns a promise of the rule that the member has
// chosen, or of null if the member has closed the dialog.
export async function askWay({ words, ways }) {
	const name = uid("way");
	const inputs = ways.map(({ rrule }, i) => el("input", { type: "radio", name, value: rrule, checked: i === 0, autofocus: i === 0 }));
	const dayText = (time) => words.dayShort(time.slice(0, 10));
	const labels = ways.map(({ label, ...way }, i) => (
		el("label", { class: "check" }, inputs[i], el("span", {},
			el("b", { dir: "auto", text: label }),
			effectsOf(way, words, dayText).map((text) => el("span", { class: "quiet", text }))))
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

// effectsOf returns sentences about what a rule of waysOf does to the moved date and to others.
function effectsOf({ next, moved_from: from, moved_to: to, ends }, words, dayText) {
	const [oldDay, newDay] = [dayText(from), to && dayText(to)];
	let moved = words.frame.dateMoves(oldDay, newDay);
	if (!to) moved = words.frame.dateEnds(oldDay);
	else if (newDay === oldDay) moved = words.frame.dateStays(oldDay);
	return [
		moved, ends.length > 0 && words.frame.datesEnd(ends.map(dayText)), next.length > 0 && words.frame.nextDates(next.map(dayText)),
	].filter(Boolean);
}
