// The guests of an event and their answers.

import { avatar } from "../parts/avatar.js";
import { button, el, isPhone } from "../parts/el.js";
import { tag } from "../parts/badge.js";
import { invite, replaceChildren } from "./frame.js";
import { row } from "../parts/row.js";
import { ORDER, actionOf, countsAfter, formOf, guestsOf, routeOf, sectionOf } from "./data.js";
import { list, thumb } from "./rows.js";

const TONES = { going: "good", maybe: "warn", declined: "", none: "" };
const MOST_MENTIONS = 20; // of one reply, to which World limits them
const MOST = 6; // rows on a phone, above the conversation, until the member wants all

// Guests is the column with the answers to an event. remind(usernames) begins a reply to the
// members without an answer.
export class Guests {
	#panel = null;
	#item = null;
	#members = []; // of the community of the event
	#total = 0;
	#showsAll = false;

	constructor(app, { remind }) {
		Object.assign(this, { app, remind });
		this.element = el("aside", { class: "ev-side", "aria-label": app.words.social.whoComes() });
	}

	show(panel, item, { canRemind }) {
		this.#panel = panel;
		this.#item = item;
		this.canRemind = canRemind;
		this.#show(item.metadata.rsvp ?? "none");
	}

	// setMembers takes the members of the community of the event, as items, and their number if
	// these are not all of them, otherwise 0.
	setMembers(items, total) {
		this.#members = items;
		this.#total = total;
		if (this.#item) this.#show(this.#item.metadata.rsvp ?? "none");
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
		const known = withAnswer(sectionOf(panel, "guests").items, store, answer, app.self());
		const items = guestsOf(known, { host: item.host?.member_id, self: store.memberId });
		const shown = new Set(items.map(({ actor }) => actor?.member_id));
		const pending = sectionOf(panel, "invitations").items.filter(({ metadata, actor }) => metadata.state === "pending" && !shown.has(actor?.member_id));
		for (const { actor } of pending) shown.add(actor?.member_id);
		const others = item.is_over ? [] : this.#members.filter(({ actor, metadata }) => metadata.state === "active" && !shown.has(actor?.member_id)).map((member) => ({ ...member, metadata: { response: "none", note: "" } }));
		const revokes = new Map(sectionOf(panel, "invitations").items.map((invitation) => [invitation.actor?.member_id, actionOf(invitation, "revoke")]));
		const isCancelled = item.metadata.status === "cancelled";
		const counts = countsAfter(item.counts, item.metadata.rsvp ?? "none", answer);
		this.tally = isCancelled || !counts ? null : { ...counts, none: Math.max(counts.none + others.length, this.#total - counts.going - counts.maybe - counts.declined) };
		const all = [...items, ...pending, ...(isCancelled ? [] : others)];
		const rows = isPhone() && !this.#showsAll && all.length > MOST + 1 ? all.slice(0, MOST) : all;
		const silent = all.filter(({ actor, metadata }) => (metadata.response ?? "none") === "none" && actor?.username && actor.member_id !== store.memberId).map(({ actor }) => actor.username);
		replaceChildren(this.element,
			el("div", { class: "section-head" }, el("h2", { text: words.social.whoComes() }), form && button({ label: form.label, icon: "invite", kind: "s plain", run: () => invite(app, form) })),
			this.tally && this.#tally(this.tally),
			this.tally && item.capacity > 0 && this.#places(this.tally.going, item.capacity),
			list(rows.map((guest) => this.#row(guest, item, revokes.get(guest.actor?.member_id))), "", words.social.guests()),
			rows.length < all.length && el("p", { class: "older" }, button({ label: words.social.showAll(all.length), kind: "s", run: () => { this.#showsAll = true; this.#show(answer); } })),
			this.canRemind && !isCancelled && silent.length > 0 && el("p", { class: "older" }, button({ label: words.social.remind(), icon: "bell", kind: "s", run: () => this.remind(silent.slice(0, MOST_MENTIONS)) })),
		);
	}

	#tally(counts) {
		const { words } = this.app;
		return el("p", { class: "tally" }, tallyTexts(counts, words).flatMap((text, i) => [i > 0 && el("span", { class: "quiet", text: " · " }), ...strongNumbers(text)]));
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

// tallyTexts returns the numbers of the answers in words: those going, and the others if there
// are any.
export function tallyTexts(counts, words) {
	return ORDER.filter((answer) => counts[answer] > 0 || answer === "going").map((answer) => words.social.tally(answer, counts[answer]));
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
