// The list of members, grouped by circle or sorted by name.

import { avatar } from "../parts/avatar.js";
import { el } from "../parts/el.js";
import { row } from "../parts/row.js";
import { presenceLine } from "../frame/person.js";
import { byCircle, byLetter, matchingPeople } from "./model.js";

// peopleList returns the nodes of the list of members. Options:
//
//   people   the members, as peopleOf returns them
//   mode     "circles" for groups by circle without the member, or "people" for groups by first letter
//   query    the text of a search, "" for none
//   current  the id of the chosen member
//   hrefOf   a function that returns the address of a member
export function peopleList(app, { people, mode, query, current, hrefOf }) {
	const { words, store } = app;
	const { compare } = new Intl.Collator(words.locale, { sensitivity: "base", numeric: true });
	const matches = query ? matchingPeople(people, query) : people;
	if (matches.length === 0) {
		const text = query ? words.noOptions() : words.people.noOtherMember();
		return [el("p", { class: "quiet ppl-none", role: "status", text })];
	}
	const rowOf = (person) => el("li", {}, personRow(app, person, { isCurrent: person.id === current, href: hrefOf(person) }));
	const rowsOf = (list, label) => el("ul", { class: "rows inbox-list", "aria-label": label }, list.map(rowOf));
	if (mode === "people") {
		const groups = byLetter(matches, compare);
		return groups.flatMap(({ letter, people: list }) => [el("h2", { class: "group-head", text: letter }), rowsOf(list, letter)]);
	}
	const others = matches.filter(({ id }) => Number(id) !== store.memberId);
	return byCircle(others, compare).flatMap(({ depth, people: list }) => {
		const text = [words.number(list.length), words.people.why(depth)].filter(Boolean).join(" · ");
		return [
			el("h2", { class: "group-head" }, words.people.circle(depth), " ", el("span", { class: "quiet", text })),
			rowsOf(list, words.people.circle(depth)),
		];
	});
}

// personRow returns the row of a member. The second line is the presence and the private communities that
// both members share, or else the user name.
function personRow(app, person, { isCurrent, href }) {
	const { words } = app;
	const { actor, name } = person;
	const shared = person.via.map(({ title }) => title);
	const facts = [presenceLine(actor, words), shared.length > 0 && words.people.youShare(words.list(shared))].filter(Boolean);
	const sub = facts.join(" · ") || (person.username && `@${person.username}`);
	const picture = avatar({
		name, id: person.id, color: actor?.color, image: actor?.avatar?.url, presence: actor?.presence?.state,
	});
	return row({ words, title: name, sub, href, current: isCurrent, picture });
}
