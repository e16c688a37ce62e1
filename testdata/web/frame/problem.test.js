import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonOf } from "../../../assets/web/frame/problem.js";

test("an unsent write has a reason: the message of the server, or its age", () => {
	const words = { frame: { pendingAsks: () => "old", failed: () => "failed" } };
	assert.equal(reasonOf({ status: 403, code: "forbidden", message: "Only members may do this." }, words), "Only members may do this.");
	assert.equal(reasonOf({ status: 400, code: "", message: "" }, words), "failed");
	assert.equal(reasonOf(null, words), "old");
});
