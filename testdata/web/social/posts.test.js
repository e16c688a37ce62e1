import assert from "node:assert/strict";
import { test } from "node:test";
import { firstNew, isFollowing, mergePosts } from "../../../assets/web/social/posts.js";

const post = (id, member = 2, at = "2026-11-26T12:00:00Z", body = id) => ({ id, body, actor: { member_id: member }, metadata: { created_at: at } });
const ids = (posts) => posts.map(({ id }) => id).join("");

test("the latest page replaces its posts, and older posts stay", () => {
	const known = ["a", "b", "c", "d"].map((id) => post(id));
	assert.equal(ids(mergePosts(known, [post("c"), post("d"), post("e")])), "abcde");
	assert.equal(mergePosts(known, [{ ...post("d"), body: "changed" }])[3].body, "changed");
	assert.equal(ids(mergePosts([], [post("a")])), "a");
	assert.equal(ids(mergePosts(known, [])), "");
});

test("posts with a gap before the latest page are left out", () => {
	assert.equal(ids(mergePosts([post("a"), post("b")], [post("x"), post("y")])), "xy");
});

test("posts that another member may not see any more go", () => {
	assert.equal(ids(mergePosts([post("a"), post("b"), post("c")], [post("a"), post("c")])), "ac");
});

test("the line is above the first post of another member that is not read", () => {
	const posts = [post("a"), post("b"), post("c", 1), post("d")];
	assert.equal(firstNew(posts, { readUpTo: "a", unread: 2, self: 1 }), 1);
	assert.equal(firstNew(posts, { readUpTo: "b", unread: 1, self: 1 }), 3);
	assert.equal(firstNew(posts, { readUpTo: null, unread: 3, self: 1 }), 0);
	assert.equal(firstNew(posts, { readUpTo: "d", unread: 0, self: 1 }), -1);
	assert.equal(firstNew(posts, { readUpTo: "on an older page", unread: 60, self: 1 }), 0);
});

test("posts of one member within five minutes follow one another", () => {
	assert.ok(isFollowing(post("b", 2, "2026-11-26T12:04:59Z"), post("a")));
	assert.ok(!isFollowing(post("b", 2, "2026-11-26T12:05:00Z"), post("a")));
	assert.ok(!isFollowing(post("b", 3), post("a")));
	assert.ok(!isFollowing(post("a"), undefined));
});
