// The list of members, by circle or by name, and that of blocked members.

import { avatar } from "../parts/avatar.js";
import { el } from "../parts/el.js";
import { empty } from "../parts/empty.js";
import { row } from "../parts/row.js";
import { presenceLine } from "../frame/person.js";
import { byCircle, byLetter, matching } from "./model.js";

// peopleList returns the nodes of the list. Options: people; mode, "circles" or "people"; query,
// what is searched; current, the id of the chosen member; hrefOf(person).
export function peopleList(app, { people, mode, query, current, hrefOf }) {
	const { words, store } = app;
	const { compare } = new Intl.Collator(words.locale, { sensitivity: "base", numeric: true });
	const found = query ? matching(people, query) : people;
	if (found.length === 0) return [el("p", { class: "quiet ppl-none", role: "status", text: query ? words.noOptions() : words.people.noOtherMember() })];
	const rowsOf = (list, label) => el("ul", { class: "rows inbox-list", "aria-label": label }, list.map((person) => el("li", {}, personRow(app, person, { isCurrent: person.id === current, href: hrefOf(person) }))));
	if (mode === "people") return byLetter(found, compare).flatMap(({ letter, people: list }) => [el("h2", { class: "group-head", text: letter }), rowsOf(list, letter)]);
	const others = found.filter(({ id }) => Number(id) !== store.memberId);
	return byCircle(others, compare).flatMap(({ depth, people: list }) => [
		el("h2", { class: "group-head" }, words.people.circle(depth), " ", el("span", { class: "quiet", text: [words.number(list.length), words.people.why(depth)].filter(Boolean).join(" · ") })),
		rowsOf(list, words.people.circle(depth)),
	]);
}

function personRow(app, person, { isCurrent, href }) {
	const { words } = app;
	const { actor, name } = person;
	const sub = presenceLine(actor, words) || words.list(person.via.map(({ title }) => title)) || (person.username && `@${person.username}`);
	return row({ words, title: name, sub, href, current: isCurrent, picture: avatar({ name, id: person.id, color: actor?.color, image: actor?.avatar?.url, presence: actor?.presence?.state }) });
}

// blockedList returns the nodes of the list of blocked members, each with the button that ends
// the block.
export function blockedList(app, items, block) {
	const { words } = app;
	if (items.length === 0) return [empty({ art: "chair", title: words.people.noneBlocked(), text: words.people.blockedText(), level: 2, action: block && { label: block.label, icon: "block", run: () => app.acts.form(block) } })];
	return [
		el("p", { class: "quiet small ppl-none", text: words.people.blockedText() }),
		el("ul", { class: "rows inbox-list", "aria-label": words.people.blocked() }, items.map((item) => el("li", {}, row({
			words, title: item.title, sub: item.metadata?.created_at ? words.people.blockedSince(words.when(item.metadata.created_at)) : "",
			picture: avatar({ name: item.title, id: item.id, color: item.actor?.color, image: item.actor?.avatar?.url }),
			mark: el("span", { class: "line" }, (item.actions ?? []).filter(({ method }) => method !== "GET").map((action) => app.acts.button(action, { kind: "s", done: words.people.unblocked(item.title) }))),
		})))),
		block && el("div", { class: "ppl-none" }, app.acts.button(block, { icon: "block", kind: "s" })),
	];
}
