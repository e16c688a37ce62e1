import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser } from "../../../assets/web/world/sse.js";

const text = 'retry: 3000\nid: r1\n\n: comment\n\nevent: changed\r\nid: r2\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata:x\ndata\nunknown: y\n\n';

test("events are parsed as the HTML standard defines", () => {
	assert.deepEqual(new EventParser().push(text), [
		{ type: "message", data: "", retry: 3000, id: "r1" }, { type: "message", data: "" },
		{ type: "changed", data: '{"a":\n1}', id: "r2" }, { type: "message", data: "x\n" },
	]);
});

test("the parts of a stream can end anywhere", () => {
	const want = new EventParser().push(text);
	for (let cut = 1; cut < text.length; cut++) {
		const parser = new EventParser();
		assert.deepEqual([...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))], want, `cut at ${cut}`);
	}
	const parser = new EventParser();
	assert.deepEqual([...text].flatMap((character) => parser.push(character)), want);
});

test("fields that are invalid are ignored, and an event without its end is none", () => {
	assert.deepEqual(new EventParser().push("retry: soon\nid: a\0b\n\nevent: changed\ndata: 1\n"), [{ type: "message", data: "" }]);
});
