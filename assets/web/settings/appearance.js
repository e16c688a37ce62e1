// The page for language, time zone, theme, keyboard shortcuts, days and weeks.

import { el, uid } from "../parts/el.js";
import { card, changeButton, section, setting } from "./cards.js";
import { sectionOf } from "../parts/panel.js";
import { formOf } from "./pages.js";

const THEME_KEY = "theme"; // in localStorage; early.js reads it before the first paint

// THEMES are the themes as [value, CSS class of the preview]. "" is the theme of the system.
const THEMES = [["", "sys"], ["light", "lt"], ["dark", "dk"]];

// appearanceParts returns the parts of the page for Slots. World stores the settings of the panel for
// all devices of the member; the browser stores the settings of the part "device".
export function appearanceParts(app, panel, block) {
	const { words } = app;
	const items = [...(sectionOf(panel, "language_and_time_zone")?.items ?? [])];
	const days = sectionOf(panel, "days_and_weeks")?.items ?? [];
	const [language, preferences] = [formOf(panel, "appearance"), formOf(panel, "set_preferences")];
	return [
		items.length > 0 && {
			key: "language", data: [items, language],
			make: () => section(
				sectionOf(panel, "language_and_time_zone").title, { lead: words.settings.languageLead() },
				card(items.map((item) => languageLine(app, block, language, item))),
			),
		},
		{
			key: "device", data: null,
			make: () => section(words.settings.look(), { lead: words.settings.lookLead() }, card(themeChoice(words), shortcutSwitch(app))),
		},
		days.length > 0 && {
			key: "days", data: [days, preferences],
			make: () => section(
				sectionOf(panel, "days_and_weeks").title, { lead: words.settings.daysLead() },
				card(days.map((item) => dayLine(app, block, preferences, item))),
			),
		},
	];
}

// themeChoice returns the radio buttons of the themes.
function themeChoice(words) {
	const name = uid("theme");
	const presentTheme = localStorage.getItem(THEME_KEY) ?? "";
	const choice = ([value, picture]) => el("label", { class: "theme" },
		el("input", { type: "radio", name, value, checked: value === presentTheme, on: { change: () => setTheme(value) } }),
		el("span", { class: `theme-pic ${picture}`, "aria-hidden": "true" }, el("i"), el("i"), el("i")),
		el("span", { text: words.settings.theme(value || "system") }));
	return el("fieldset", { class: "themes" },
		el("legend", { class: "label", text: words.settings.colors() }), el("div", { class: "theme-row" }, THEMES.map(choice)));
}

// setTheme applies a theme and stores it for this device. "" is the theme of the system.
function setTheme(value) {
	if (value) {
		localStorage.setItem(THEME_KEY, value);
		document.documentElement.dataset.theme = value;
	} else {
		localStorage.removeItem(THEME_KEY);
		delete document.documentElement.dataset.theme;
	}
}

// shortcutSwitch returns the switch that enables the keyboard shortcuts on this device.
function shortcutSwitch(app) {
	const { words } = app;
	const input = el("input", {
		type: "checkbox", role: "switch", checked: app.keys.isOn, on: { change: () => (app.keys.isOn = input.checked) },
	});
	return el("div", { class: "setting" },
		el("label", { class: "switch between-x" },
			el("span", { class: "setting-text" },
				el("span", { text: words.frame.shortcutsTitle() }), el("span", { class: "quiet small", text: words.settings.shortcutsHint() })),
			input));
}

// languageLine returns the line of the language or of the time zone. A change loads the page again,
// because all texts and times depend on them.
function languageLine(app, block, form, item) {
	const { words } = app;
	const control = form?.controls.find(({ id }) => id === item.id);
	const value = control?.options?.find((option) => option.value === item.summary)?.label ?? item.summary;
	const open = async () => (await block.openForm(form, { title: item.title, controls: [control] })) !== null && app.reload();
	return setting(item.title, { value, control: control && changeButton(words, item.title, open) });
}

// dayLine returns the line of an item of days and weeks. That of the week has a select element for
// the first day; a change loads the page again. That of the day has a button that opens the form with
// all other preferences.
function dayLine(app, block, form, item) {
	const { words } = app;
	const week = form?.controls.find(({ id }) => id === "week_start");
	if (item.id !== "week" || !week) {
		const controls = form?.controls.filter(({ id }) => id !== "week_start") ?? [];
		return setting(item.title, {
			value: item.summary, hint: words.settings.dayHint(),
			control: form && changeButton(words, item.title,
				() => block.openForm(form, { title: item.title, controls, group: [["day_start", "day_end"]] })),
		});
	}
	const id = uid("week");
	const select = el("select", { class: "input auto", id },
		week.options.map(({ value, label }) => el("option", { value, text: label, selected: value === week.default })));
	select.addEventListener("change", async () => {
		if ((await block.perform(form, { values: { week_start: select.value } })) !== null) app.reload();
		else select.value = week.default;
	});
	return el("div", { class: "setting" }, el("label", { for: id, text: item.title }), select);
}
