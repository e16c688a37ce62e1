// The list of the guests of an event, with their answers.

import { avatar } from "../parts/avatar.js";
import { button, el, isPhone } from "../parts/el.js";
import { tag } from "../parts/badge.js";
import { invite, replaceChildren } from "./frame.js";
import { row } from "../parts/row.js";
import { ANSWERS, actionOf, countsAfter, formOf, guestsOf, routeOf, sectionOf } from "./data.js";
import { list, thumbURL } from "./rows.js";

const TONE_OF = { going: "good", maybe: "warn", declined: "", none: "" };
const MAX_MENTIONS = 20; // maximum number of mentions in a reply, a limit of World
const PHONE_ROWS = 6; // rows that a phone shows before the button that shows all

// Guests is the column with the guests of an event and their answers. After show, `tally` contains
// the numbers of members by answer, or null if the event is cancelled or has no numbers.
export class Guests {
	#panel = null; // panel of the event
	#item = null; // item of the event
	#members = []; // items of the members of the community
	#total = 0; // number of members of the community, 0 if #members contains all of them
	#answer = "none"; // answer of the member, which may be being sent
	#showsAll = false; // whether a phone shows all rows

	// remind is called with the user names of the members without an answer, to begin a reply that
	// mentions them.
	constructor(app, { remind }) {
		Object.assign(this, { app, remind });
		this.element = el("aside", { class: "ev-side", "aria-label": app.words.social.whoComes() });
	}

	// show shows the guests of a panel. item is the item of the event, and answer the visible answer of the
	// member. canRemind is whether the member may remind the members without an answer.
	show(panel, item, { canRemind, answer }) {
		this.#panel = panel;
		this.#item = item;
		this.canRemind = canRemind;
		this.setAnswer(answer);
	}

	// setMembers sets the items of members of the community. total is the number of members of the
	// community, or 0 if items contains all of them.
	setMembers(items, total) {
		this.#members = items;
		this.#total = total;
		if (this.#item) this.#show();
	}

	// setAnswer shows an answer of the member that is being sent.
	setAnswer(answer) {
		this.#answer = answer;
		this.#show();
	}

	// #show renders the column: the guests, the pending invitations and, unless the event is over or
	// cancelled, the other members of the community.
	#show() {
		const { app } = this;
		const answer = this.#answer;
		const { words, store } = app;
		const item = this.#item;
		const panel = this.#panel;
		const form = formOf(panel, "invite");
		const guestItems = withAnswer(sectionOf(panel, "guests").items, store, answer, app.signedInMember());
		const items = guestsOf(guestItems, { host: item.host?.member_id, self: store.memberId });
		const listedIds = new Set(items.map(({ actor }) => actor?.member_id));
		const invitations = sectionOf(panel, "invitations").items;
		const pendingInvitations = invitations.filter(({ metadata, actor }) => metadata.state === "pending" && !listedIds.has(actor?.member_id));
		for (const { actor } of pendingInvitations) listedIds.add(actor?.member_id);
		const isOther = ({ actor, metadata }) => metadata.state === "active" && !listedIds.has(actor?.member_id);
		const withoutAnswer = (member) => ({ ...member, metadata: { response: "none", note: "" } });
		const others = item.is_over ? [] : this.#members.filter(isOther).map(withoutAnswer);
		const revokes = new Map(invitations.map((invitation) => [invitation.actor?.member_id, actionOf(invitation, "revoke")]));
		const isCancelled = item.metadata.status === "cancelled";
		const counts = countsAfter(item.counts, item.metadata.rsvp ?? "none", answer);
		this.tally = isCancelled || !counts ? null : {
			...counts,
			none: Math.max(counts.none + others.length, this.#total - counts.going - counts.maybe - counts.declined),
		};
		const allGuests = [...items, ...pendingInvitations, ...(isCancelled ? [] : others)];
		const rows = isPhone() && !this.#showsAll && allGuests.length > PHONE_ROWS + 1 ? allGuests.slice(0, PHONE_ROWS) : allGuests;
		const isSilent = ({ actor, metadata }) => (
			(metadata.response ?? "none") === "none" && actor?.username && actor.member_id !== store.memberId);
		const silent = allGuests.filter(isSilent).map(({ actor }) => actor.username);
		const showAll = () => { this.#showsAll = true; this.#show(); };
		const remind = () => this.remind(silent.slice(0, MAX_MENTIONS));
		const olderLine = (options) => el("p", { class: "older" }, button({ kind: "s", ...options }));
		replaceChildren(this.element,
			el("div", { class: "section-head" }, el("h2", { text: words.social.whoComes() }),
				form && button({ label: form.label, icon: "invite", kind: "s plain", run: () => invite(app, form) })),
			this.tally && this.#tallyLine(this.tally),
			this.tally && item.capacity > 0 && this.#placesBar(this.tally.going, item.capacity),
			list(rows.map((guest) => this.#row(guest, item, revokes.get(guest.actor?.member_id))), "", words.social.guests()),
			rows.length < allGuests.length && olderLine({ label: words.social.showAll(allGuests.length), run: showAll }),
			this.canRemind && !isCancelled && silent.length > 0 && olderLine({ label: words.social.remind(), icon: "bell", run: remind }),
		);
	}

	// #tallyLine returns the line with the numbers of members by answer.
	#tallyLine(counts) {
		const { words } = this.app;
		const separator = () => el("span", { class: "quiet", text: " · " });
		const nodes = tallyTexts(counts, words).flatMap((text, i) => [i > 0 && separator(), ...strongNumbers(text)]);
		return el("p", { class: "tally" }, nodes);
	}

	// #placesBar returns the bar that shows the share of the capacity that is taken, with a text. takenCount is the
	// number of members who are going.
	#placesBar(takenCount, capacity) {
		const text = this.app.words.social.places(takenCount, capacity);
		const part = Math.min(100, Math.round((takenCount / capacity) * 100));
		const fill = el("i", { class: "c-pine", vars: { "--part": `${part}%` } });
		return el("div", {},
			el("div", { class: "progress places", role: "img", "aria-label": text }, fill), el("p", { class: "quiet tiny cap", text }));
	}

	// #row returns the row of a guest. item is the item of the event. revoke is the action that revokes
	// the invitation of the guest, undefined for none.
	#row(guest, item, revoke) {
		const { app } = this;
		const { words, store } = app;
		const { actor, metadata: data } = guest;
		const response = data.response ?? "none";
		const isSelf = actor?.member_id === store.memberId;
		const isHost = actor?.member_id === item.host?.member_id;
		const sub = [isSelf && words.social.you(), isHost && words.social.hostTitle(), data.note].filter(Boolean).join(" · ");
		const labels = { going: words.going(), maybe: words.maybe(), declined: words.notGoing(), none: words.noAnswer() };
		const label = labels[response] ?? guest.summary;
		const route = actor?.member_id ? routeOf(store, { view: "people", id: String(actor.member_id) }) : null;
		return row({
			words, title: guest.title, sub,
			picture: avatar({
				name: guest.title, id: actor?.member_id, color: actor?.color, image: thumbURL(actor), presence: actor?.presence?.state,
			}),
			mark: tag(label, { tone: TONE_OF[response] }), href: route ? app.href(route) : undefined,
			actions: revoke ? () => app.actions.items([revoke], { name: guest.title }) : undefined,
			actionsLabel: words.frame.moreFor(guest.title),
		});
	}
}

// tallyTexts returns a text such as "3 going" for each answer that a member has given, and always for
// "going".
export function tallyTexts(counts, words) {
	const isShown = (answer) => counts[answer] > 0 || answer === "going";
	return ANSWERS.filter(isShown).map((answer) => words.social.tally(answer, counts[answer]));
}

// withAnswer returns the items of guests with an answer of the member. It adds an item for a member
// who is not a guest, unless the answer is "none". self is the result of app.signedInMember().
function withAnswer(items, store, answer, self) {
	const ownItem = items.find(({ actor }) => actor?.member_id === store.memberId);
	if (ownItem) {
		if (ownItem.metadata.response === answer) return items;
		const changedItem = { ...ownItem, metadata: { ...ownItem.metadata, response: answer } };
		return items.map((item) => (item === ownItem ? changedItem : item));
	}
	if (answer === "none") return items;
	const actor = { member_id: store.memberId, display_name: self.name, color: self.color };
	return [...items, { id: String(store.memberId), title: self.name, metadata: { response: answer, note: "" }, actor }];
}

// strongNumbers returns the nodes of a text. Its numbers are elements that emphasize them.
function strongNumbers(text) {
	return text.split(/(\p{Nd}+)/u).filter(Boolean).map((part) => (/^\p{Nd}+$/u.test(part) ? el("b", { text: part }) : part));
}
