// The page of the members of the server for operators: the search and the table.

import { avatar } from "../parts/avatar.js";
import { tag } from "../parts/badge.js";
import { el, icon } from "../parts/el.js";
import { hrefOf, moreButton } from "../settings/cards.js";
import { sectionOf } from "../parts/panel.js";
import { formOf } from "../settings/pages.js";
import { addMemberButton } from "./actions.js";

const SEARCH_DELAY = 250; // milliseconds between the last typed character and the search

// membersParts returns the parts for Slots: the search with the button for a new member, and the table.
export function membersParts(app, panel, block) {
	const form = formOf(panel, "open_members", "admin");
	return [
		form && { key: "find", data: form.controls.map(({ id }) => id), make: () => searchForm(app, block, form) },
		{ key: "members", data: [panel.sections, app.words.currentDay()], make: () => membersTable(app, panel, block) },
	];
}

// searchForm returns the fields of the form that finds members by a text and by their status. After a change,
// the Block shows the members that match, and the address of the page contains the values.
function searchForm(app, block, form) {
	const { words } = app;
	const { query, ...route } = app.router.route;
	const values = { q: query.q ?? "", status: query.status ?? "" };
	let timer = 0;
	block.scope.add(() => clearTimeout(timer)); // otherwise the search would replace the address of the next view
	const search = () => {
		app.router.set({ ...route, query: values });
		block.setQuery(values);
	};
	const [text, status] = ["q", "status"].map((id) => form.controls.find((control) => control.id === id));
	const input = text && el("input", {
		class: "bare-input", type: "search", value: values.q, "aria-label": text.label, placeholder: text.label, autocomplete: "off",
	});
	input?.addEventListener("input", () => {
		values.q = input.value.trim();
		clearTimeout(timer);
		timer = setTimeout(search, SEARCH_DELAY);
	});
	const select = status && el("select", { class: "input auto", "aria-label": status.label },
		status.options.map(({ value, label }) => el("option", { value, text: label, selected: value === values.status })));
	select?.addEventListener("change", () => {
		values.status = select.value;
		search();
	});
	return el("form",
		{
			class: "line wrap find-members", role: "search", "aria-label": words.operator.findMember(),
			on: { submit: (event) => event.preventDefault() },
		},
		input && el("div", { class: "input grow" }, icon("search"), input), select, addMemberButton(app, block));
}

// membersTable returns the table of the members in a panel, or a text if there are none.
export function membersTable(app, panel, block) {
	const { words } = app;
	const text = words.operator;
	const list = sectionOf(panel, "members");
	if (!list?.items.length) return el("p", { class: "quiet", dir: "auto", text: list?.summary || words.nothingYet() });
	const membersById = new Map((panel.members ?? []).map((member) => [String(member.id), member]));
	const head = [["", text.name()], ["not-phone", text.email()], ["not-phone", text.role()], ["", text.wasHere()]]
		.map(([kind, label]) => el("th", { scope: "col", class: kind, text: label }));
	return el("div", { class: "card table-card" }, el("table", { class: "table members" },
		el("thead", {}, el("tr", {}, head, el("th", { scope: "col" }, el("span", { class: "sr", text: text.actions() })))),
		el("tbody", {}, list.items.map((item) => memberRow(app, block, item, membersById.get(String(item.id)))))));
}

// memberRow returns the row of a member. item is an item of the section; member, the record of the panel, has the
// color and the picture, and may be undefined.
function memberRow(app, block, item, member) {
	const { words } = app;
	const { email, last_seen_at: seen } = item.metadata;
	const open = item.actions?.find(({ id }) => id === "open");
	const href = open && hrefOf(app, open.url);
	const name = el("span", { class: "clip", dir: "auto", text: item.title });
	return el("tr", {},
		el("th", { scope: "row" }, el("span", { class: "line line-3" },
			avatar({ name: item.title, id: item.id, color: member?.color, image: member?.avatar?.url, size: "s" }),
			href ? el("a", { class: "clip line-link", href, dir: "auto", text: item.title }) : name)),
		el("td", { class: "not-phone quiet" }, el("span", { class: "clip", dir: "ltr", text: email })),
		el("td", { class: "not-phone" }, roleTag(item.metadata, words)),
		el("td", { class: "quiet num", text: seen ? words.when(seen) : words.operator.never() }),
		el("td", {}, moreButton(words, item.title, () => menuItems(app, block, item, href))));
}

// roleTag returns a node with the role of an active member, or with the status of a disabled or deleted member.
export function roleTag({ status, is_operator: isOperator }, words) {
	if (status !== "active") return tag(words.operator.status(status), { tone: "warn" });
	return isOperator ? tag(words.operator.isOperator(), { tone: "accent" }) : el("span", { text: words.operator.isMember() });
}

// menuItems returns the items of the menu of a member: the page of the member with the path href, if it is not
// undefined, and the actions.
function menuItems(app, block, item, href) {
	const { words } = app;
	const actions = (item.actions ?? []).filter(({ method }) => method !== "GET");
	return [
		href && { label: words.frame.open(), icon: "right", href },
		...actions.map((action) => ({
			label: action.label, bad: action.destructive,
			run: () => block.perform(action, { name: item.title, doneText: words.operator.changed(item.title, action.id) }),
		})),
	].filter(Boolean);
}
