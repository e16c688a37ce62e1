import assert from "node:assert/strict";
import { test } from "node:test";
import { communityOf, countsAfter, guestsOf, isClosedEvent, matchingItems, ownCommunities, placesOf } from "../../../assets/web/social/data.js";
import { eventOf, sortByNext, nextOf } from "../../../assets/web/social/times.js";

const community = (id, title, state = "active") => ({ object_type: "community", title, source: { resource_id: id }, state: { membership: { state } } });
const conversation = (where, more) => ({ object_type: "conversation", state: { context: { kind: where ? "community" : "open", id: where }, unread_count: 0, marked_unread: false, ...more } });

// navOf returns a navigation with entries for ids, of which the one with the id current is selected.
const navOf = (ids, current) => ids.map((id) => ({ id, label: id, action: `/panels/social?view=${id}`, selected: id === current }));
const views = ["dashboard", "conversations", "communities", "events", "people", "activity", "notifications", "dms", "profile", "circles", "invitations", "blocks"];

test("all views of Social have five tabs", () => {
	const currentOf = (view) => placesOf(navOf(views, view)).filter(({ isCurrent }) => isCurrent).map(({ id }) => id).join();
	assert.deepEqual(placesOf(navOf(views)).map(({ id, entry }) => [id, entry.id]), [["lately", "dashboard"], ["talk", "conversations"], ["events", "events"], ["communities", "communities"], ["people", "people"]]);
	assert.deepEqual(views.map(currentOf), ["lately", "talk", "communities", "events", "people", "lately", "", "", "", "people", "lately", ""]);
});

test("an unknown entry of the navigation is a further tab, and a place without entries has none", () => {
	const places = placesOf(navOf(["polls", "events", "more"], "polls"));
	assert.deepEqual(places.map(({ id, entry, isCurrent }) => [id, entry.label, isCurrent]), [["events", "events", false], ["", "polls", true]]);
	assert.deepEqual(placesOf(undefined), []);
});

test("the communities of the member begin with those that have unread posts", () => {
	const objects = [community("g", "Garden"), community("h", "House"), community("f", "Flea market", "none"), conversation("h", { unread_count: 4 }), conversation("h", { marked_unread: true }), conversation("g"), conversation(null, { unread_count: 2 })];
	assert.deepEqual(ownCommunities(objects).map(({ object, unread }) => [object.title, unread]), [["House", 2], ["Garden", 0]]);
});

test("a request to join is among the communities of the member", () => {
	assert.equal(ownCommunities([community("r", "Rowing", "requested")]).length, 1);
});

test("only conversations of a community have one", () => {
	assert.equal(communityOf(conversation("h")), "h");
	assert.equal(communityOf(conversation(null)), null);
	assert.equal(communityOf(undefined), null);
});

test("a search finds all words, in titles, texts and names, without accents", () => {
	const items = [{ title: "Käse am Freitag", body: "Wer bringt Brot?", actor: { display_name: "Bea" } }, { title: "Ladder", last_reply: { excerpt: "behind the shed", actor: { display_name: "Émil" } } }];
	const titles = (text) => matchingItems(items, text).map(({ title }) => title);
	assert.deepEqual(titles("kase brot"), ["Käse am Freitag"]);
	assert.deepEqual(titles("emil SHED"), ["Ladder"]);
	assert.deepEqual(titles("  "), items.map(({ title }) => title));
	assert.deepEqual(titles("(*"), []);
});

test("an answer moves one guest between the counts", () => {
	const counts = { going: 3, maybe: 1, declined: 0, none: 2 };
	assert.deepEqual(countsAfter(counts, "none", "going"), { going: 4, maybe: 1, declined: 0, none: 1 });
	assert.deepEqual(countsAfter(counts, "declined", "maybe"), { going: 3, maybe: 2, declined: 0, none: 2 });
	assert.equal(countsAfter(counts, "going", "going"), counts);
	assert.equal(countsAfter(null, "none", "going"), null);
});

test("guests stand by their answers, the host first and the member first among equals", () => {
	const guest = (id, title, response) => ({ title, actor: { member_id: id }, metadata: { response } });
	const list = [guest(5, "Dora", "declined"), guest(3, "Emil", "going"), guest(1, "Ann", "going"), guest(4, "Bea", "going"), guest(6, "Fay", "none"), guest(2, "Cem", "maybe")];
	assert.deepEqual(guestsOf(list, { host: 4, self: 1 }).map(({ title }) => title), ["Bea", "Ann", "Emil", "Cem", "Dora", "Fay"]);
});

test("an event of the dataset has the instants of its wall times", () => {
	const state = { start: "2026-11-28T18:00:00", end: "2026-11-28T22:00:00", timezone: "Europe/Berlin", all_day: false };
	assert.equal(eventOf({ title: "Supper", state }).start.utc, "2026-11-28T17:00:00.000Z");
	assert.equal(eventOf({ title: "Summer", state: { ...state, start: "2026-07-01T18:00:00" } }).start.utc, "2026-07-01T16:00:00.000Z");
	const days = eventOf({ title: "Boots", state: { start: "2026-12-06", end: "2026-12-07", timezone: "Europe/Berlin", all_day: true } });
	assert.deepEqual([days.start.date, days.start.utc, days.end.date], ["2026-12-06", null, "2026-12-07"]);
	assert.equal(eventOf({ title: "Open end", state: { ...state, end: null } }).end, null);
});

test("an event that repeats stands at its next occurrence, at the same time of the clock", () => {
	const time = (wall, utc) => ({ date: null, date_time: wall, timezone: "Europe/Berlin", utc });
	const event = { start: time("2026-10-20T18:00:00", "2026-10-20T16:00:00Z"), end: time("2026-10-20T20:00:00", "2026-10-20T18:00:00Z"), metadata: { rrule: "FREQ=WEEKLY;BYDAY=TU" } };
	const at = (now) => nextOf(event, Date.parse(now)).start.utc;
	assert.equal(at("2026-10-01T12:00:00Z"), "2026-10-20T16:00:00.000Z");
	assert.equal(at("2026-10-20T17:30:00Z"), "2026-10-20T16:00:00.000Z", "it is going on");
	assert.equal(at("2026-10-20T18:30:00Z"), "2026-10-27T17:00:00.000Z", "after the change of clocks");
	assert.equal(at("2027-03-31T00:00:00Z"), "2027-04-06T16:00:00.000Z");
	assert.equal(nextOf({ ...event, metadata: { rrule: "FREQ=WEEKLY;COUNT=2" } }, Date.parse("2027-01-01T00:00:00Z")).start, event.start, "it is over");
	assert.equal(nextOf({ ...event, metadata: { rrule: "FREQ=SECONDLY" } }, Date.parse("2027-01-01T00:00:00Z")).start, event.start, "an unknown rule");
	const days = { start: { date: "2026-12-06", utc: null }, end: { date: "2026-12-07", utc: null }, metadata: { rrule: "FREQ=YEARLY" } };
	assert.equal(nextOf(days, Date.parse("2026-12-06T20:00:00Z")).start.date, "2026-12-06");
	const once = { title: "Supper", start: time("2026-11-28T18:00:00", "2026-11-28T17:00:00Z"), metadata: {} };
	assert.deepEqual(sortByNext([event, once], Date.parse("2026-11-25T20:00:00Z")).map(({ title }) => title), ["Supper", undefined]);
	assert.equal(nextOf(days, Date.parse("2026-12-07T20:00:00Z")).start.date, "2027-12-06");
});

test("a daily event that began many years ago stands at its next occurrence", () => {
	const time = (day, clock) => ({ date: null, date_time: `${day}T${clock}:00`, timezone: "Europe/Berlin", utc: `${day}T${clock}:00Z` });
	const event = { start: time("2012-05-01", "18:00"), end: time("2012-05-01", "19:00"), metadata: { rrule: "FREQ=DAILY" } };
	assert.equal(nextOf(event, Date.parse("2026-11-26T12:00:00Z")).start.utc, "2026-11-26T17:00:00.000Z");
});

test("the days of an event that repeats are those of the member", () => {
	const event = { start: { date: "2026-11-26", utc: null }, end: { date: "2026-11-27", utc: null }, metadata: { rrule: "FREQ=WEEKLY" } };
	const day = (now, zone) => nextOf(event, Date.parse(now), zone).start.date;
	assert.equal(day("2026-11-27T02:00:00Z", "America/New_York"), "2026-11-26", "21:00 on that day");
	assert.equal(day("2026-11-26T12:00:00Z", "Pacific/Auckland"), "2026-12-03", "01:00 on the next day");
});

test("an event of a public community is not private", () => {
	const isClosed = (type, visibility) => isClosedEvent({ context: { type } }, visibility && { state: { visibility } });
	assert.deepEqual(
		[isClosed("open"), isClosed("community", "public"), isClosed("community", "private"), isClosed("circle"), isClosed("invited")],
		[false, false, true, true, true],
	);
});
