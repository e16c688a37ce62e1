import assert from "node:assert/strict";
import { test } from "node:test";
import { reconcile, setAttribute, setClass, setText } from "../../../assets/web/grid/dom.js";

// element is the part of an Element that the module uses; log collects the writes.
function element(name, log) {
	const node = {
		name, nodes: [], attributes: new Map(), parent: null,
		get firstChild() { return this.nodes[0] ?? null; },
		get nextSibling() { return this.parent.nodes[this.parent.nodes.indexOf(this) + 1] ?? null; },
		remove() { log.push(`remove ${name}`); this.parent.nodes.splice(this.parent.nodes.indexOf(this), 1); },
		insertBefore(child, before) {
			log.push(`insert ${child.name}`);
			if (child.parent && this.nodes.includes(child)) this.nodes.splice(this.nodes.indexOf(child), 1);
			this.nodes.splice(before ? this.nodes.indexOf(before) : this.nodes.length, 0, child);
			child.parent = this;
		},
		hasAttribute(key) { return this.attributes.has(key); },
		getAttribute(key) { return this.attributes.get(key) ?? null; },
		setAttribute(key, value) { log.push(`set ${key}`); this.attributes.set(key, String(value)); },
		removeAttribute(key) { log.push(`unset ${key}`); this.attributes.delete(key); },
	};
	return node;
}

function setUp() {
	const log = [];
	const parent = element("parent", log);
	const kind = { create: (data) => element(data, log), update: (node, data) => (node.data = data) };
	const show = (...keys) => {
		log.length = 0;
		reconcile(parent, keys.map((key) => [key, kind, key]));
		assert.deepEqual(parent.nodes.map(({ name }) => name), keys);
		return [...log];
	};
	return { log, parent, show };
}

test("nodes of the same keys are kept without a write", () => {
	const { parent, show } = setUp();
	assert.deepEqual(show("a", "b", "c"), ["insert a", "insert b", "insert c"]);
	const [a] = parent.nodes;
	assert.deepEqual(show("a", "b", "c"), []);
	assert.equal(parent.nodes[0], a);
});

test("only nodes that are new, gone or out of order are written", () => {
	const { show } = setUp();
	show("a", "b", "c", "d");
	assert.deepEqual(show("a", "c", "d"), ["remove b"]);
	assert.deepEqual(show("a", "x", "c", "d"), ["insert x"]);
	assert.deepEqual(show("d", "a", "x", "c"), ["insert d"]);
	assert.deepEqual(show(), ["remove d", "remove a", "remove x", "remove c"]);
});

test("nodes of other code stay at the end", () => {
	const { log, parent } = setUp();
	const kind = { create: (data) => element(data, log) };
	reconcile(parent, [["a", kind, "a"]]);
	parent.insertBefore(element("preview", log), null);
	reconcile(parent, [["a", kind, "a"], ["b", kind, "b"]]);
	assert.deepEqual(parent.nodes.map(({ name }) => name), ["a", "b", "preview"]);
});

test("attributes, classes and texts are only written when they differ", () => {
	const log = [];
	const node = element("n", log);
	for (const value of ["1", 1, "2", undefined, undefined, false, null]) setAttribute(node, "x", value);
	assert.deepEqual(log, ["set x", "set x", "unset x"]);
	let writes = 0;
	const counting = { get className() { return this.c ?? ""; }, set className(value) { writes++; this.c = value; }, get textContent() { return this.t ?? ""; }, set textContent(value) { writes++; this.t = value; } };
	setClass(counting, "a", false, "b");
	setClass(counting, "a", undefined, "b");
	setText(counting, "text");
	setText(counting, "text");
	assert.equal(writes, 2);
	assert.equal(counting.className, "a b");
});
