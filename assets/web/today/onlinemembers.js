// The list of the online members beside Today.

import { avatar, presenceText } from "../parts/avatar.js";
import { el, uid } from "../parts/el.js";
import { openRoute } from "../generic/item.js";

// onlineMembers returns the nodes of the list: its heading, and the other members in items, each
// with the note of their presence.
export function onlineMembers(app, items) {
	const { words, store } = app;
	const others = items.filter(({ actor }) => actor && actor.member_id !== store.memberId);
	const id = uid("present");
	const head = el("div", { class: "rail-head" }, el("h2", { id, text: words.day.whoIsThere() }));
	if (others.length === 0) return [head, el("p", { class: "quiet small", text: words.day.noOtherMember() })];
	return [head, el("ul", { class: "stack-s here-list", "aria-labelledby": id }, others.map((item) => el("li", {}, memberLine(app, item))))];
}

function memberLine(app, item) {
	const { words } = app;
	const { actor } = item;
	const state = actor.presence?.state;
	const route = openRoute(app, item);
	const { display_name: name, member_id: id, color } = actor;
	const note = actor.presence?.note;
	return el(route ? "a" : "span", { class: "line line-3", href: route ? app.href(route) : null },
		avatar({ name, id, color, image: actor.avatar?.url, size: "s", presence: state }), state && presenceText(state, words),
		el("span", { class: "grow clip" },
			el("bdi", { text: name }), note && el("span", { class: "quiet small", dir: "auto", text: ` · ${note}` })));
}
