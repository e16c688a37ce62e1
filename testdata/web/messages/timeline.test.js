import assert from "node:assert/strict";
import { test } from "node:test";
import { firstNew, isAfter, mergeHistory, prepend, timeline } from "../../../assets/web/messages/timeline.js";

const ANN = 1;
const BEA = 4;
const dayOf = (at) => at.slice(0, 10);
const message = (id, senderId, at) => ({ id, senderId, name: senderId === ANN ? "Ann" : "Bea", body: id, entities: [], at });
const shown = (messages, options = {}) => timeline(messages, { self: ANN, dayOf, ...options }).map(({ kind, key, isMore }) => (kind === "message" ? `${key}${isMore ? "+" : ""}` : kind === "meta" ? "time" : kind === "day" ? key : kind));

test("messages within five minutes are a group with the time below", () => {
	const list = [message("a", BEA, "2026-11-25T10:00:00Z"), message("b", BEA, "2026-11-25T10:05:00Z"), message("c", BEA, "2026-11-25T10:10:01Z"), message("d", ANN, "2026-11-25T10:10:30Z")];
	assert.deepEqual(shown(list), ["day 2026-11-25", "a", "b+", "time", "c", "time", "d", "time"]);
	const times = timeline(list, { self: ANN, dayOf }).filter(({ kind }) => kind === "meta");
	assert.deepEqual(times.map(({ at, isMine }) => [at, isMine]), [["2026-11-25T10:05:00Z", false], ["2026-11-25T10:10:01Z", false], ["2026-11-25T10:10:30Z", true]]);
});

test("a new day begins a group", () => {
	const list = [message("a", BEA, "2026-11-25T23:58:00Z"), message("b", BEA, "2026-11-26T00:01:00Z")];
	assert.deepEqual(shown(list), ["day 2026-11-25", "a", "time", "day 2026-11-26", "b", "time"]);
});

test("New stands before the first message of others after the read cursor", () => {
	const list = [message("a", BEA, "2026-11-25T10:00:00Z"), message("b", ANN, "2026-11-25T10:01:00Z"), message("c", BEA, "2026-11-25T10:02:00Z"), message("d", BEA, "2026-11-25T10:03:00Z")];
	assert.equal(firstNew({ messages: list, previous: null }, "a", ANN), "c");
	assert.equal(firstNew({ messages: list, previous: null }, "c", ANN), "d");
	assert.equal(firstNew({ messages: list, previous: null }, "d", ANN), null);
	assert.equal(firstNew({ messages: list, previous: null }, null, ANN), "a", "nothing was read");
	assert.equal(firstNew({ messages: list, previous: "/earlier" }, "older", ANN), null, "the cursor is in a page that is not read yet");
	assert.deepEqual(shown(list, { newId: "d" }), ["day 2026-11-25", "a", "time", "b", "time", "c", "time", "new", "d", "time"]);
});

test("names stand above the groups of others if there are several", () => {
	const list = [message("a", BEA, "2026-11-25T10:00:00Z"), message("b", BEA, "2026-11-25T10:01:00Z"), message("c", ANN, "2026-11-25T10:02:00Z")];
	assert.deepEqual(shown(list, { named: true }), ["day 2026-11-25", "name", "a", "b+", "time", "c", "time"]);
});

test("a message that is not sent has a line of its own", () => {
	const list = [{ ...message(null, ANN, "2026-11-25T10:00:00Z"), key: "k1", state: "failed" }, { ...message(null, ANN, "2026-11-25T10:01:00Z"), key: "k2", state: "sending" }];
	assert.deepEqual(shown(list), ["day 2026-11-25", "k1", "time", "k2", "time"]);
});

test("a newer page continues the history", () => {
	const at = (id) => message(id, BEA, "2026-11-25T10:00:00Z");
	const ids = ({ messages, previous }) => [messages.map(({ id }) => id).join(""), previous];
	const history = { messages: ["a", "b", "c", "d"].map(at), previous: "/p1" };
	assert.deepEqual(ids(mergeHistory(history, { messages: ["c", "d", "e"].map(at), previous: "/p3" })), ["abcde", "/p1"]);
	assert.deepEqual(ids(mergeHistory(history, { messages: ["c", "e"].map(at), previous: "/p3" })), ["abce", "/p1"], "d was deleted");
	assert.deepEqual(ids(mergeHistory(history, { messages: ["x", "y"].map(at), previous: "/p9" })), ["xy", "/p9"], "there may be messages between");
	assert.deepEqual(ids(mergeHistory({ messages: [], previous: null }, { messages: ["a"].map(at), previous: null })), ["a", null]);
	assert.deepEqual(ids(prepend(history, { messages: ["y", "z", "a"].map(at), previous: null })), ["yzabcd", null]);
	assert.equal(isAfter(history.messages, "c", "a"), true);
	assert.equal(isAfter(history.messages, "a", "c"), false);
	assert.equal(isAfter(history.messages, "a", "unknown"), true);
});

test("the work grows with the number of messages", () => {
	const list = Array.from({ length: 500 }, (_, i) => message(`m${i}`, i % 3 ? ANN : BEA, new Date(Date.UTC(2026, 10, 1) + i * 90_000).toISOString()));
	let computed = 0;
	timeline(list, { self: ANN, dayOf: (at) => (computed++, dayOf(at)) });
	assert.ok(computed <= 4 * list.length, `${computed} days computed`);
});

test("a message that was not sent on an earlier day has that day, and the next one its own", () => {
	const list = [
		message("a", BEA, "2026-11-25T10:00:00Z"), message("b", BEA, "2026-11-26T10:00:00Z"), message("old", ANN, "2026-11-25T11:00:00Z"),
		message("c", ANN, "2026-11-26T12:00:00Z"),
	];
	const days = timeline(list, { self: ANN, dayOf }).filter(({ kind }) => kind === "day");
	assert.deepEqual(days.map(({ day }) => day), ["2026-11-25", "2026-11-26", "2026-11-25", "2026-11-26"]);
	assert.equal(new Set(days.map(({ key }) => key)).size, 4, "the log has an element for each key");
});
