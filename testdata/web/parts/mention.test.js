import test from "node:test";
import assert from "node:assert/strict";

import { matchingActors, mentionAt, withMention } from "../../../assets/web/parts/mention.js";

test("a mention begins with an @ at the start of a word", () => {
	for (const [text, want] of [["@", ""], ["@be", "be"], ["Hello @Jör", "Jör"], ["(@a.b-c", "a.b-c"], ["ann@example", null], ["@ann ", null], ["no", null], ["@@ann", null]]) {
		assert.equal(mentionAt(text, text.length), want, text);
	}
	assert.equal(mentionAt("@ann and @b", 3), "an", "at the position, not at the end");
});

test("a completed mention is followed by one space, and so is the position", () => {
	assert.deepEqual(withMention("Hello @B", 8, "bea"), { text: "Hello @bea ", at: 11 });
	assert.deepEqual(withMention("@B is late", 2, "bea"), { text: "@bea is late", at: 5 });
	assert.deepEqual(withMention("@B, no", 2, "bea"), { text: "@bea , no", at: 5 });
	assert.deepEqual(withMention("Hi @be", 0, "bea"), { text: "Hi @be", at: 0 }, "where there is none");
});

test("members are found by their user names and by the words of their names", () => {
	const actor = (id, username, name) => ({ member_id: id, username, display_name: name });
	const actors = [actor(3, "zed", "Jörg Adler"), actor(2, "bea", "Bea"), actor(2, "bea", "Bea"), actor(1, "ann", "Ann"), null, { member_id: 9, display_name: "No user name" }];
	const names = (text) => matchingActors(actors, text, 1).map(({ username }) => username);
	assert.deepEqual(names(""), ["bea", "zed"]);
	assert.deepEqual(names("jor"), ["zed"]);
	assert.deepEqual(names("ad"), ["zed"]);
	assert.deepEqual(names("Z"), ["zed"]);
	assert.deepEqual(names("nn"), []);
});
