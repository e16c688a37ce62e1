// The members as the panels of Social have them, without DOM.

import { eventOf, inOrder } from "../social/times.js";
import { fold } from "../parts/fold.js";

// CIRCLES are the sections of the panel of circles, by depth.
const CIRCLES = ["", "inner_circle", "trusted_circle", "extended_circle"];

// peopleOf returns the members of the panels with all members and with the circles: { id, name,
// username, actor, depth, via, actions }. depth is 1 for the inner circle, 2 for the trusted
// and 3 for the extended one, and 0 for others. via are the communities that connect.
export function peopleOf(everybody, circles) {
	const people = new Map();
	for (const item of everybody) people.set(item.id, personOf(item, item.metadata?.circle?.depth ?? 0));
	CIRCLES.forEach((id, depth) => {
		for (const item of circles?.sections?.find((section) => id && section.id === id)?.items ?? []) {
			const known = people.get(item.id) ?? personOf(item, depth);
			people.set(item.id, { ...known, depth, via: item.metadata?.via ?? [] });
		}
	});
	return [...people.values()];
}

function personOf(item, depth) {
	return { id: item.id, name: item.title, username: item.actor?.username ?? "", actor: item.actor ?? null, depth, via: [], actions: item.actions ?? [] };
}

// byCircle returns the members in the order of their circles, those outside of all circles last:
// [{ depth, people }]. Empty circles are left out.
export function byCircle(people, compare) {
	return [1, 2, 3, 0].map((depth) => ({ depth, people: byName(people.filter((person) => person.depth === depth), compare) })).filter((group) => group.people.length > 0);
}

// byLetter returns the members in the order of the alphabet: [{ letter, people }].
export function byLetter(people, compare) {
	const groups = [];
	for (const person of byName(people, compare)) {
		const letter = letterOf(person.name);
		if (groups.at(-1)?.letter === letter) groups.at(-1).people.push(person);
		else groups.push({ letter, people: [person] });
	}
	return groups;
}

// letterOf returns the letter under which a name is listed: without accents, # for none.
export function letterOf(name) {
	const [first = ""] = name.trim().normalize("NFD");
	return /\p{L}/u.test(first) ? first.toLocaleUpperCase() : "#";
}

function byName(people, compare) {
	return [...people].sort((a, b) => compare(a.name, b.name));
}

// matching returns the members whose name or user name has a word that begins with each word of
// a text.
export function matching(people, text) {
	const wanted = fold(text).replace(/^@/, "").split(/\s+/).filter(Boolean);
	return people.filter(({ name, username }) => {
		const words = [...fold(name).split(/[\s-]+/), fold(username)];
		return wanted.every((word) => words.some((other) => other.startsWith(word)));
	});
}

// invitations returns the communities and events to which a member can be invited: [{ title,
// action }]. shared are the ids of the communities in which they are already.
export function invitations(store, shared = []) {
	const types = { community: "social.community.invite", event: "social.event.invite" };
	return (store.dataset?.objects ?? []).filter(({ object_type: type, source, state }) => types[type] && !shared.includes(source?.resource_id) && state?.status !== "cancelled")
		.map((object) => ({ title: object.title, action: store.actionOn(object.world_object_id, types[object.object_type]) })).filter(({ action }) => action);
}

// threadWith returns the object of the latest thread with a member, or undefined.
export function threadWith(store, memberId) {
	const threads = (store.dataset?.objects ?? []).filter(({ object_type: type, state }) => (type === "message_thread" || type === "social_dm")
		&& state?.participants?.some((person) => Number(person.id) === Number(memberId) && !person.is_self));
	return threads.sort((a, b) => (Date.parse(b.state.last_message_at) || 0) - (Date.parse(a.state.last_message_at) || 0))[0];
}

// nextEvents returns the events that are not over and that a member hosts, or of a community that
// both are in, the next first, at their next occurrences: items with their object. now is in
// milliseconds.
export function nextEvents(store, memberId, shared, { now, most = 3 }) {
	const events = (store.dataset?.objects ?? []).filter(({ object_type: type, state }) => type === "event" && !["cancelled", "ended"].includes(state?.status)
		&& (Number(state?.host?.id) === Number(memberId) || shared.includes(state?.community_id)));
	return inOrder(events.map((object) => ({ ...eventOf(object, now), object })), now).filter(({ start, end }) => isAhead(end ?? start, now)).slice(0, most);
}

function isAhead(time, now) {
	return Boolean(time) && Date.parse(time.utc ?? time.date) > now;
}
