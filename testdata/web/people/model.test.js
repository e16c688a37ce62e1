import assert from "node:assert/strict";
import { test } from "node:test";
import { byCircle, byLetter, invitationTargets, letterOf, matchingPeople, nextEvents, peopleOf, threadWith } from "../../../assets/web/people/model.js";
import { ringsOf } from "../../../assets/web/people/circledrawing.js";

const { compare } = new Intl.Collator("en", { sensitivity: "base" });
const item = (id, title, depth) => ({ id, title, actor: { member_id: Number(id), username: title.toLowerCase() }, metadata: { circle: depth ? { depth } : null } });
const names = (groups) => groups.map(({ depth, letter, people }) => `${depth ?? letter}: ${people.map(({ name }) => name).join(" ")}`);

test("members stand in their circles, the others last", () => {
	const circles = { sections: [{ id: "inner_circle", items: [{ id: "2", title: "Cem", metadata: { via: [{ title: "The house" }] } }] }, { id: "trusted_circle", items: [{ id: "9", title: "Zoe", metadata: {} }] }] };
	const people = peopleOf([item("3", "Émil", 0), item("2", "Cem", 1), item("4", "Bea", 1)], circles);
	assert.deepEqual(names(byCircle(people, compare)), ["1: Bea Cem", "2: Zoe", "0: Émil"]);
	assert.deepEqual(people.find(({ id }) => id === "2").via, [{ title: "The house" }]);
	assert.deepEqual(names(byCircle(peopleOf([item("3", "Emil", 2)], null), compare)), ["2: Emil"], "without the panel of circles");
});

test("letters have no accents", () => {
	assert.deepEqual(names(byLetter(peopleOf([item("1", "Émil"), item("2", "Emma"), item("3", "ann"), item("4", "7up"), item("5", "Юлия")], null), compare)), ["#: 7up", "A: ann", "E: Émil Emma", "Ю: Юлия"]);
	assert.equal(letterOf("", compare), "#");
	assert.equal(letterOf("\u200f", compare), "#");
	assert.equal(letterOf("김", compare), "\u1100", "names in Korean are grouped by their first consonant");
});

test("a letter of the language of the member with a mark has a group of its own", () => {
	const people = peopleOf([item("1", "Åsa"), item("2", "Anna"), item("3", "Zoe"), item("4", "Émil")], null);
	const groups = (locale) => names(byLetter(people, new Intl.Collator(locale, { sensitivity: "base", numeric: true }).compare));
	assert.deepEqual(groups("sv"), ["A: Anna", "E: Émil", "Z: Zoe", "Å: Åsa"]);
	assert.deepEqual(groups("de"), ["A: Anna Åsa", "E: Émil", "Z: Zoe"]);
});

test("a search compares the beginnings of words", () => {
	const people = peopleOf([item("1", "Anna-Maria Öz"), item("2", "Johanna")], null);
	assert.deepEqual(matchingPeople(people, "maria oz").map(({ id }) => id), ["1"]);
	assert.deepEqual(matchingPeople(people, "@joh").map(({ id }) => id), ["2"]);
	assert.deepEqual(matchingPeople(people, "anna").map(({ id }) => id), ["1"]);
});

test("only permitted invitations are offered, and none to shared communities", () => {
	const actions = { c1: { url: "/c1" }, c2: { url: "/c2" } };
	const store = {
		dataset: { objects: ["c1", "c2", "c3"].map((id) => ({ object_type: "community", world_object_id: id, title: id, source: { resource_id: id }, state: {} })) },
		actionOn: (id, type) => (type === "social.community.invite" ? actions[id] : undefined),
	};
	assert.deepEqual(invitationTargets(store, ["c2"]).map(({ title }) => title), ["c1"]);
});

test("the thread with a member is the latest one", () => {
	const thread = (id, type, at, other) => ({ world_object_id: id, object_type: type, state: { last_message_at: at, participants: [{ id: 1, is_self: true }, { id: other, is_self: false }] } });
	const store = { dataset: { objects: [thread("a", "message_thread", "2026-11-25T10:00:00Z", 4), thread("b", "social_dm", "2026-11-25T11:00:00Z", 4), thread("c", "social_dm", "2026-11-25T12:00:00Z", 5)] } };
	assert.equal(threadWith(store, "4").world_object_id, "b");
	assert.equal(threadWith(store, "1"), undefined);
});

test("events to come of the host and of shared communities are next", () => {
	const event = (title, start, state) => ({ object_type: "event", title, state: { start, timezone: "Europe/Berlin", ...state } });
	const store = { dataset: { objects: [
		event("old", "2026-11-01T10:00:00", { host: { id: 4 } }), event("late", "2026-12-05T10:00:00", { community_id: "c1" }), event("soon", "2026-11-28T18:00:00", { host: { id: 4 } }),
		event("cancelled", "2026-11-28T18:00:00", { host: { id: 4 }, status: "cancelled" }), event("other", "2026-11-28T18:00:00", { host: { id: 5 } }), event("whole day", "2026-11-29", { host: { id: 4 }, all_day: true }),
	] } };
	const next = nextEvents(store, "4", ["c1"], { now: Date.parse("2026-11-25T12:00:00Z") });
	assert.deepEqual(next.map(({ object, start }) => [object.title, start.utc ?? start.date]), [["soon", "2026-11-28T17:00:00.000Z"], ["whole day", "2026-11-29"], ["late", "2026-12-05T09:00:00.000Z"]]);
});

test("an event of a whole day is one of the next until the day ends where the member is", () => {
	const state = { start: "2026-11-26", end: "2026-11-27", timezone: "Europe/Berlin", all_day: true, host: { id: 4 } };
	const store = { dataset: { objects: [{ object_type: "event", title: "Harvest", state }] } };
	const count = (zone, now) => nextEvents(store, "4", [], { now: Date.parse(now), zone }).length;
	assert.equal(count("America/New_York", "2026-11-27T02:00:00Z"), 1, "21:00 on that day");
	assert.equal(count("America/New_York", "2026-11-27T06:00:00Z"), 0);
	assert.equal(count("Pacific/Auckland", "2026-11-26T12:00:00Z"), 0, "01:00 on the next day");
});

test("the rings have room for some members and count the others", () => {
	const people = Array.from({ length: 10 }, (_, i) => ({ id: String(i), depth: 1 }));
	const [inner, trusted, extended, ...others] = ringsOf(people);
	assert.deepEqual([inner.shown.length, inner.rest, trusted.shown.length, extended.radius, others.length], [7, 3, 0, 146, 0]);
	for (const { x, y } of inner.shown) assert.ok(Math.abs(Math.hypot(x - 160, y - 160) - inner.radius) < 0.2);
	assert.equal(ringsOf([{ id: "1", depth: 0 }]).length, 4, "a ring for members outside of the circles");
});
