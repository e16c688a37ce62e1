// The bar of the calendar: the visible period, the views, and the button for new entries.

import { button, el, icon, isPhone } from "../parts/el.js";
import { menuButton } from "../parts/menu.js";
import { segmented } from "../parts/tabs.js";
import { bar } from "../frame/bar.js";
import { VIEWS } from "./ranges.js";

// createBar returns { element, update({ title, view, nav, canCreate }) }. update shows the title of
// the period, the present view, the views in nav, the navigation of the panel, and the button for
// new entries. on has the functions of the buttons: step(count) to the next or previous period,
// today(), choose(view), create() and, in the week of a phone, phoneDays() and showDays(count).
// pick(anchor), which opens a calendar for a day, and calendars() are in the menu of narrow windows,
// which have no column beside the grid.
export function createBar(app, on) {
	const { words } = app;
	const text = words.calendar;
	const step = (label, icon, count) => button({ label, icon, iconOnly: true, kind: "s", run: () => on.step(count) });
	const today = button({ label: words.today(), kind: "s not-phone", run: on.today });
	const pair = el("span", { class: "pair" }, step(text.before(), "left", -1), today, step(text.after(), "right", 1));
	const steps = el("div", { class: "line cal-step" }, pair, button({ label: words.today(), kind: "s only-phone", run: on.today }));
	const views = el("span", { class: "cal-views" });
	let items = [];
	const name = el("span", {}); // contains the name of the present view
	const pick = menuButton(el("button", { type: "button", class: "btn cal-pick" }, icon("sliders"), name, icon("down", "i-s")), () => [
		...items.map(({ id, label }) => ({ label, checked: id === drawnState.view, run: () => on.choose(id) })), null,
		...dayItems(),
		{ label: words.pickDay(), icon: "calendar", run: () => on.pick(pick) },
		{ label: text.calendars(), icon: "eye", run: on.calendars },
	], { label: text.view(""), end: true });
	// dayItems returns the items that choose the number of days of a week on a phone.
	const dayItems = () => {
		if (drawnState.view !== "week" || !isPhone()) return [];
		const itemOf = (count) => ({ label: text.weekDays(count), checked: count === on.phoneDays(), run: () => on.showDays(count) });
		return [...[7, 3, 1].map(itemOf), null];
	};
	const create = button({ label: words.isNew(), icon: "plus", kind: "primary cal-new", run: on.create });
	create.setAttribute("aria-label", words.isNew());
	create.lastChild.replaceWith(el("span", { class: "not-phone", text: words.isNew() }));
	const element = bar(app, { title: "", start: [steps], end: [views, pick, create] });
	element.classList.add("cal-bar");
	const heading = element.querySelector("h1");
	heading.setAttribute("aria-live", "polite");
	let drawnState = {};
	let control = null;

	function update({ title, view, nav = [], canCreate }) {
		if (heading.textContent !== title) heading.textContent = title;
		steps.hidden = nav.length === 0 || view === "tasks"; // they appear together with the views, to avoid a layout shift
		create.hidden = !canCreate;
		items = VIEWS.map((id) => nav.find((entry) => entry.id === id)).filter(Boolean);
		views.hidden = pick.hidden = items.length === 0;
		const key = JSON.stringify(items.map(({ id, label }) => [id, label]));
		if (key !== drawnState.key) {
			const options = items.map(({ id, label }) => ({ value: id, label }));
			control = segmented(options, { label: text.view(""), value: view, choose: on.choose });
			views.replaceChildren(control.element);
		} else if (control.value !== view) {
			control.set(view);
		}
		const label = items.find(({ id }) => id === view)?.label ?? "";
		pick.setAttribute("aria-label", text.view(label));
		name.textContent = label;
		drawnState = { view, key };
	}
	return { element, update };
}
