// Members, circles, threads and events from the panels and objects of Social, without DOM.

import { endsAfter, eventOf, sortByNext } from "../social/times.js";
import { fold } from "../parts/fold.js";

// CIRCLES are the ids of the sections of the panel of circles. The index is the depth of the circle.
const CIRCLES = ["", "inner_circle", "trusted_circle", "extended_circle"];

// peopleOf returns the members as { id, name, username, actor, depth, via, actions }. depth is 1 in the
// inner circle, 2 in the trusted circle, 3 in the extended circle, and 0 outside of the circles. via are
// the communities because of which a member is in a circle. items are the items of the panel with all
// members, circles is the panel of the circles or null.
export function peopleOf(items, circles) {
	const people = new Map();
	for (const item of items) people.set(item.id, personOf(item, item.metadata?.circle?.depth ?? 0));
	CIRCLES.forEach((id, depth) => {
		for (const item of circles?.sections?.find((section) => id && section.id === id)?.items ?? []) {
			const person = people.get(item.id) ?? personOf(item, depth);
			people.set(item.id, { ...person, depth, via: item.metadata?.via ?? [] });
		}
	});
	return [...people.values()];
}

function personOf(item, depth) {
	return {
		id: item.id, name: item.title, username: item.actor?.username ?? "", actor: item.actor ?? null,
		depth, via: [], actions: item.actions ?? [],
	};
}

// byCircle returns the members grouped by circle, as { depth, people }. The circles are in the order of
// their depth, followed by the members outside of the circles. Empty groups are left out. compare
// compares two names.
export function byCircle(people, compare) {
	const groupOf = (depth) => ({ depth, people: byName(people.filter((person) => person.depth === depth), compare) });
	return [1, 2, 3, 0].map(groupOf).filter((group) => group.people.length > 0);
}

// byLetter returns the members sorted by name and grouped by the first letter, as { letter, people }.
// compare compares two names.
export function byLetter(people, compare) {
	const groups = [];
	for (const person of byName(people, compare)) {
		const letter = letterOf(person.name, compare);
		if (groups.at(-1)?.letter === letter) groups.at(-1).people.push(person);
		else groups.push({ letter, people: [person] });
	}
	return groups;
}

// letterOf returns the first letter of a name in upper case, or "#" if the name does not begin with a
// letter. It has no diacritics, unless it is another letter for compare: in Swedish, Å follows Z.
export function letterOf(name, compare) {
	const [first = ""] = name.trim().normalize("NFC");
	if (!/\p{L}/u.test(first)) return "#";
	const [base, ...marks] = first.normalize("NFD");
	const isOther = marks.length > 0 && marks.every((mark) => /\p{M}/u.test(mark)) && compare(first, base) !== 0;
	return (isOther ? first : base).toLocaleUpperCase();
}

function byName(people, compare) {
	return [...people].sort((a, b) => compare(a.name, b.name));
}

// matchingPeople returns the members that match a search: each word of the text is the beginning of a word of
// the name or of the user name. It ignores case and diacritics.
export function matchingPeople(people, text) {
	const searchWords = fold(text).replace(/^@/, "").split(/\s+/).filter(Boolean);
	return people.filter(({ name, username }) => {
		const words = [...fold(name).split(/[\s-]+/), fold(username)];
		return searchWords.every((word) => words.some((other) => other.startsWith(word)));
	});
}

// invitationTargets returns the communities and events to which a member can be invited, as { title, action }.
// shared are the ids of the communities of which that member already is a member.
export function invitationTargets(store, shared = []) {
	const types = { community: "social.community.invite", event: "social.event.invite" };
	const isCandidate = ({ object_type: type, source, state }) => (
		types[type] && !shared.includes(source?.resource_id) && state?.status !== "cancelled");
	const inviteAction = (object) => store.actionOn(object.world_object_id, types[object.object_type]);
	return (store.dataset?.objects ?? []).filter(isCandidate)
		.map((object) => ({ title: object.title, action: inviteAction(object) })).filter(({ action }) => action);
}

// threadWith returns the object of the thread with a member that has the latest message, or undefined.
export function threadWith(store, memberId) {
	const isMember = (person) => Number(person.id) === Number(memberId) && !person.is_self;
	const threads = (store.dataset?.objects ?? []).filter(({ object_type: type, state }) => (
		(type === "message_thread" || type === "social_dm") && state?.participants?.some(isMember)));
	return threads.sort((a, b) => (Date.parse(b.state.last_message_at) || 0) - (Date.parse(a.state.last_message_at) || 0))[0];
}

// nextEvents returns the next events that a member hosts or that belong to a shared community. Each
// event is its next occurrence, as eventOf returns it, with its object; they are sorted by start. shared
// are the ids of the shared communities. Options: now, in milliseconds since 1970; zone, the time zone of
// the signed-in member; limit, the maximum number of events.
export function nextEvents(store, memberId, shared, { now, zone = "UTC", limit = 3 }) {
	const isShared = (state) => Number(state?.host?.id) === Number(memberId) || shared.includes(state?.community_id);
	const events = (store.dataset?.objects ?? []).filter(({ object_type: type, state }) => (
		type === "event" && !["cancelled", "ended"].includes(state?.status) && isShared(state)));
	return sortByNext(events.map((object) => ({ ...eventOf(object, now, zone), object })), now, zone)
		.filter(({ start, end }) => start && endsAfter(end ?? start, now, zone)).slice(0, limit);
}
