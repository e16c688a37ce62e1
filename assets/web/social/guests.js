// The guests of an event and their answers.

import { avatar } from "../parts/avatar.js";
import { button, el } from "../parts/el.js";
import { tag } from "../parts/badge.js";
import { invite, replaceChildren } from "./frame.js";
import { row } from "../parts/row.js";
import { ORDER, actionOf, countsAfter, formOf, guestsOf, routeOf, sectionOf } from "./data.js";
import { list, thumb } from "./rows.js";

const TONES = { going: "good", maybe: "warn", declined: "", none: "" };

// Guests is the column with the answers to an event.
export class Guests {
	#panel = null;
	#item = null;

	constructor(app) {
		this.app = app;
		this.element = el("aside", { class: "ev-side", "aria-label": app.words.social.whoComes() });
	}

	show(panel, item) {
		this.#panel = panel;
		this.#item = item;
		this.#show(item.metadata.rsvp ?? "none");
	}

	// answered shows an answer of the member that the server does not know yet.
	answered(answer) {
		this.#show(answer);
	}

	#show(answer) {
		const { app } = this;
		const { words, store } = app;
		const item = this.#item;
		const panel = this.#panel;
		const form = formOf(panel, "invite");
		const counts = countsAfter(item.counts, item.metadata.rsvp ?? "none", answer);
		const items = guestsOf(withAnswer(sectionOf(panel, "guests").items, store, answer, app.self()), { host: item.host?.member_id, self: store.memberId });
		const guests = new Set(items.map(({ actor }) => actor?.member_id));
		const pending = sectionOf(panel, "invitations").items.filter(({ metadata, actor }) => metadata.state === "pending" && !guests.has(actor?.member_id));
		const revokes = new Map(sectionOf(panel, "invitations").items.map((invitation) => [invitation.actor?.member_id, actionOf(invitation, "revoke")]));
		const isCancelled = item.metadata.status === "cancelled";
		replaceChildren(this.element,
			el("div", { class: "section-head" }, el("h2", { text: words.social.whoComes() }), form && button({ label: form.label, icon: "invite", kind: "s plain", run: () => invite(app, form) })),
			!isCancelled && counts && this.#tally(counts),
			!isCancelled && item.capacity > 0 && counts && this.#places(counts.going, item.capacity),
			list([...items, ...pending].map((guest) => this.#row(guest, item, revokes.get(guest.actor?.member_id))), "", words.social.guests()),
		);
	}

	#tally(counts) {
		const { words } = this.app;
		const parts = ORDER.filter((answer) => counts[answer] > 0 || answer === "going").map((answer) => words.social.tally(answer, counts[answer]));
		return el("p", { class: "tally" }, parts.flatMap((text, i) => [i > 0 && el("span", { class: "quiet", text: " · " }), ...strongNumbers(text)]));
	}

	#places(taken, capacity) {
		const text = this.app.words.social.places(taken, capacity);
		const part = Math.min(100, Math.round((taken / capacity) * 100));
		const fill = el("i", { class: "c-pine", vars: { "--part": `${part}%` } });
		return el("div", {}, el("div", { class: "progress places", role: "img", "aria-label": text }, fill), el("p", { class: "quiet tiny cap", text }));
	}

	#row(guest, item, revoke) {
		const { app } = this;
		const { words, store } = app;
		const { actor, metadata: data } = guest;
		const response = data.response ?? "none";
		const isSelf = actor?.member_id === store.memberId;
		const sub = [isSelf && words.social.you(), actor?.member_id === item.host?.member_id && words.social.hostTitle(), data.note].filter(Boolean).join(" · ");
		const label = { going: words.going(), maybe: words.maybe(), declined: words.notGoing(), none: words.noAnswer() }[response] ?? guest.summary;
		const route = actor?.member_id ? routeOf(store, { view: "people", id: String(actor.member_id) }) : null;
		return row({
			words, title: guest.title, sub, picture: avatar({ name: guest.title, id: actor?.member_id, color: actor?.color, image: thumb(actor), presence: actor?.presence?.state }),
			mark: tag(label, { tone: TONES[response] }), href: route ? app.href(route) : undefined,
			actions: revoke ? () => app.acts.items([revoke], { name: guest.title }) : undefined, actionsLabel: words.frame.moreFor(guest.title),
		});
	}
}

// withAnswer returns the guests with an answer of the member.
function withAnswer(items, store, answer, me) {
	const own = items.find(({ actor }) => actor?.member_id === store.memberId);
	if (own) return items.map((item) => (item === own && own.metadata.response !== answer ? { ...own, metadata: { ...own.metadata, response: answer } } : item));
	if (answer === "none") return items;
	return [...items, { id: String(store.memberId), title: me.name, metadata: { response: answer, note: "" }, actor: { member_id: store.memberId, display_name: me.name, color: me.color } }];
}

// strongNumbers returns the nodes of a text with its numbers emphasized.
function strongNumbers(text) {
	return text.split(/(\p{Nd}+)/u).filter(Boolean).map((part) => (/^\p{Nd}+$/u.test(part) ? el("b", { text: part }) : part));
}
