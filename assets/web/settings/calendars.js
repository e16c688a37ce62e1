// The page for the calendars of the member and the trash.

import { reorder } from "../calendar/order.js";
import { button, el } from "../parts/el.js";
import { colorProps } from "../parts/person.js";
import { confirm } from "../parts/dialog.js";
import { openSecret } from "../parts/secret.js";
import { showImport } from "./importreport.js";
import { buttonOf, line, listCard, roundMark, moreButton, section, urlOf } from "./cards.js";
import { sectionOf } from "../parts/panel.js";
import { formOf } from "./pages.js";

// OBJECT_ICONS are the icons of trashed objects by type.
const OBJECT_ICONS = { calendar: "calendar", task: "task", todo: "task" };

// calendarParts returns the parts for Slots: the calendars in their order, and the trash.
export function calendarParts(app, panel, block) {
	const { words } = app;
	const calendars = sectionOf(panel, "calendars");
	const trash = sectionOf(panel, "trash");
	const create = formOf(panel, "create_calendar");
	const empty = formOf(panel, "empty_trash");
	return [
		{
			key: "calendars", data: [calendars, create],
			make: () => section(calendars.title, {
				lead: words.settings.calendarsLead(),
				end: [create && button({
					label: create.label, icon: "plus", kind: "s", "aria-haspopup": "dialog",
					run: () => block.openForm(create, { title: create.label, submit: create.label, hints: hintsOf(words) }),
				})],
			}, listCard(
				calendars.items.map((item, i) => calendarLine(app, block, item, i, calendars.items)),
				{ label: calendars.title, empty: calendars.summary },
			)),
		},
		trash && {
			key: "trash", data: [trash, empty],
			make: () => section(trash.title, {
				lead: trash.items.length > 0 ? "" : trash.summary,
				end: [empty && buttonOf(block, empty)],
			}, listCard(trash.items.map((item) => trashLine(app, block, item)), { label: trash.title })),
		},
	];
}

// calendarLine returns the row of a calendar: its switch for the visibility, and its menu. calendars are the
// items of all calendars, index is its index in them.
function calendarLine(app, block, item, index, calendars) {
	const { words } = app;
	const color = colorProps(item.metadata.color);
	const arrange = formOf(item, "arrange", "calendar");
	const isVisible = arrange?.controls.find(({ id }) => id === "visible")?.default === true;
	const visibleSwitch = arrange && el("label", { class: "switch", title: words.settings.visible() },
		el("input", {
			type: "checkbox", role: "switch", checked: isVisible, "aria-label": words.settings.visibleOf(item.title),
			on: { change: (event) => setVisible(app, block, arrange, event.target) },
		}));
	return line({
		picture: el("span", { class: `place-ic cal-dot ${color.class}`, vars: color.vars }, el("span", { class: "dot big" })),
		title: item.title, sub: item.summary,
		end: [visibleSwitch, moreButton(words, item.title, () => calendarItems(app, block, item, { arrange, index, calendars }))],
	});
}

// setVisible sends the state of the switch of a calendar, and restores the switch after a failure, unless the
// member has changed it again.
async function setVisible(app, block, arrange, input) {
	const visible = input.checked;
	if ((await block.perform(arrange, { values: { visible } })) === null && input.checked === visible) input.checked = !visible;
}

// calendarItems returns the items of the menu of a calendar. arrange, index and calendars are those of
// calendarLine.
function calendarItems(app, block, item, { arrange, index, calendars }) {
	const { words } = app;
	const form = (id) => formOf(item, id, "calendar");
	const action = (id) => item.actions?.find((candidate) => candidate.id === id);
	const [update, importing, exporting, feed, stop, remove] = [
		form("update"), form("import"), action("open_export"), form("create_feed"), action("delete_feed"), action("delete"),
	];
	const moveTo = (to) => () => move(app, block, calendars, index, to);
	return [
		update && { label: update.label, icon: "edit", run: () => block.openForm(update, { title: item.title, hints: hintsOf(words) }) },
		arrange && index > 0 && { label: words.settings.earlier(), icon: "up", run: moveTo(index - 1) },
		arrange && index < calendars.length - 1 && { label: words.settings.later(), icon: "down", run: moveTo(index + 1) },
		null,
		{ label: words.settings.address(), icon: "link", run: () => showAddress(app, item) },
		feed && { label: feed.label, icon: "globe", run: () => share(app, block, item, feed, Boolean(stop)) },
		stop && {
			label: stop.label, icon: "lock", bad: stop.destructive,
			run: () => block.perform(stop, { name: item.title, doneText: words.settings.stopped(item.title) }),
		},
		null,
		importing && { label: importing.label, icon: "upload", run: () => importFile(app, block, item, importing) },
		exporting && {
			label: exporting.label, icon: "download", run: () => location.assign(app.client.address(urlOf(exporting))),
		},
		remove && {
			label: remove.label, icon: "trash", bad: remove.destructive,
			run: () => block.perform(remove, { doneText: words.settings.inTrash(item.title) }),
		},
	];
}

// hintsOf returns the hints of the form of a calendar.
function hintsOf(words) {
	return { timezone: words.settings.calendarZoneHint() };
}

// move moves a calendar of a list from one index to another, and announces its new position unless that fails.
async function move(app, block, calendars, from, to) {
	const forms = calendars.map((item) => formOf(item, "arrange", "calendar"));
	const orders = forms.map((form) => form?.controls.find(({ id }) => id === "order")?.default);
	let hasFailed = false;
	await reorder(orders, from, to, async (index, order) => {
		const data = forms[index] && await app.actions.perform(forms[index], { values: { order } });
		hasFailed ||= data === null;
		return data;
	});
	await block.reload();
	if (!hasFailed) app.say(app.words.frame.moved(calendars[from].title, to + 1, calendars.length));
}

// importFile imports a file into a calendar with the form of the action, and shows the report.
async function importFile(app, block, item, action) {
	const data = await block.openForm(action, { title: action.label, submit: action.label });
	if (data?.report) await showImport(app, app.words.settings.importedInto(item.title), data.report);
}

// showAddress shows the CalDAV address of a calendar, which other calendar programs ask for.
function showAddress(app, item) {
	const { words } = app;
	return openSecret({
		words, title: item.title, text: words.settings.addressText(),
		entries: [{ label: words.settings.caldavAddress(), value: app.client.address(item.metadata.caldav_path) }], isSecret: false,
	});
}

// share creates a link with which a client without an account can read a calendar, and shows it once.
// With isReplaced, the calendar already has a link, which stops working.
async function share(app, block, item, action, isReplaced) {
	const { words } = app;
	const title = words.settings.feedTitle(item.title);
	if (isReplaced && !(await confirm({ words, title, text: words.settings.feedEnds(), confirmLabel: action.label, bad: true }))) return;
	const data = await block.openForm(action, {
		title, submit: action.label, hints: { shows: words.settings.feedHint() }, keep: false,
	});
	if (!data?.feed?.path) return;
	const shown = action.controls.find(({ id }) => id === "shows")?.options.find(({ value }) => value === data.feed.shows)?.label ?? "";
	await openSecret({
		words, title, text: words.settings.feedText(shown),
		entries: [{ label: words.settings.link(), value: app.client.address(data.feed.path) }],
	});
}

// trashLine returns the row of a trashed calendar or entry.
function trashLine(app, block, item) {
	const { words } = app;
	const action = (id) => item.actions?.find((candidate) => candidate.id === id);
	const [restore, remove] = [action("restore"), action("delete")];
	return line({
		picture: roundMark(OBJECT_ICONS[item.metadata.object_type] ?? "calendar"), title: item.title, sub: item.summary,
		end: [
			restore && buttonOf(block, restore, { name: item.title, doneText: words.settings.restored(item.title) }),
			remove && moreButton(words, item.title, () => [
				{ label: remove.label, icon: "trash", bad: remove.destructive, run: () => block.perform(remove, { name: item.title }) },
			]),
		],
	});
}
