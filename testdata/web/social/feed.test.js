import assert from "node:assert/strict";
import { test } from "node:test";
import { agoOf, excerptOf, groupItems, newestOf, sentence } from "../../../assets/web/social/feed.js";
import { loadWords } from "../words.js";

const entry = (id, at, unread = false) => ({ id, metadata: { created_at: at, unread } });

test("new entries come first, then one group for each day of the member", () => {
	const groups = groupItems([entry("a", "2026-11-26T12:00:00Z"), entry("b", "2026-11-26T10:00:00Z", true), entry("c", "2026-11-25T23:30:00Z"), entry("d", "2026-11-25T12:00:00Z")], "Europe/Berlin");
	assert.deepEqual(groups.map(({ id, items }) => [id, items.map((item) => item.id).join("")]), [["new", "b"], ["2026-11-26", "ac"], ["2026-11-25", "d"]]);
	assert.deepEqual(groupItems([], "UTC"), []);
});

test("times are short: minutes, hours of today, then the time of day", () => {
	const options = { now: Date.parse("2026-11-26T12:42:00Z"), zone: "Europe/Berlin" };
	assert.deepEqual(agoOf("2026-11-26T12:20:00Z", options), { minutes: 22 });
	assert.deepEqual(agoOf("2026-11-26T12:42:30Z", options), { minutes: 0 });
	assert.deepEqual(agoOf("2026-11-26T10:00:00Z", options), { hours: 2 });
	assert.deepEqual(agoOf("2026-11-26T07:00:00Z", options), {});
	assert.deepEqual(agoOf("2026-11-25T22:30:00Z", { ...options, now: Date.parse("2026-11-26T00:00:00Z") }), {});
});

test("an excerpt belongs to the entry of the same member and time", () => {
	const reply = { actor: { member_id: 4 }, metadata: { kind: "reply", created_at: "2026-11-26T12:00:00Z" }, last_reply: { actor: { member_id: 4 }, excerpt: "Yes", created_at: "2026-11-26T12:00:00Z" } };
	assert.equal(excerptOf(reply), "Yes");
	assert.equal(excerptOf({ ...reply, actor: { member_id: 5 } }), "");
	assert.equal(excerptOf({ ...reply, metadata: { kind: "reply", created_at: "2026-11-26T11:00:00Z" } }), "");
	assert.equal(excerptOf({ ...reply, metadata: { ...reply.metadata, kind: "rsvp" } }), "");
	assert.equal(excerptOf({ ...reply, last_reply: null }), "");
});

test("a sentence emphasizes the names, whatever they contain", async () => {
	assert.deepEqual(sentence("{who} replied in {what}", { who: "Bea", what: "{who} <b>cooks</b>?" }), [{ text: "Bea", name: "who", strong: true }, { text: " replied in " }, { text: "{who} <b>cooks</b>?", name: "what", strong: true }]);
	const { happened } = (await loadWords({ locale: "en", areas: ["social"] })).social;
	assert.equal(happened("invitation", "event"), "{who} invites you to {what}");
	assert.equal(happened("of a later version", "event"), "");
});

test("Lately has the newest entry of each record", () => {
	const about = (id, where) => ({ id, context: where ? { id: where } : undefined });
	assert.deepEqual(newestOf([about("a", "x"), about("b", "y"), about("c", "x"), about("d")]).map(({ id }) => id), ["a", "b", "d"]);
});
