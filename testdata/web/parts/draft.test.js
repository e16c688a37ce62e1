import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDraft, removeDraft, saveDraft } from "../../../assets/web/parts/draft.js";

// memory returns a storage of a Map.
function memory() {
	const map = new Map();
	return { map, getItem: (key) => map.get(key) ?? null, setItem: (key, value) => map.set(key, value), removeItem: (key) => map.delete(key) };
}

const controls = [
	{ id: "title", type: "text", default: "Choir" }, { id: "secret", type: "password" }, { id: "list", type: "text", multiple: true }, { id: "etag", type: "hidden", default: "1" }, { id: "flag", type: "checkbox" },
];

test("a draft has the values that differ from the defaults, without secrets", () => {
	const storage = memory();
	saveDraft(storage, "a", controls, { title: "Choir", secret: "x", list: ["b"], etag: "2", flag: false });
	assert.deepEqual(JSON.parse(storage.getItem("a")), { list: ["b"] });
	assert.deepEqual(loadDraft(storage, "a", controls), { list: ["b"] });
	saveDraft(storage, "a", controls, { title: "Choir", list: [], flag: false });
	assert.equal(storage.map.size, 0);
});

test("a draft of other controls or of another shape is not used", () => {
	const storage = memory();
	storage.setItem("a", JSON.stringify({ gone: "x", list: "no list", flag: "yes", secret: "x", title: "Supper" }));
	assert.deepEqual(loadDraft(storage, "a", controls), { title: "Supper" });
	storage.setItem("a", "{");
	assert.equal(loadDraft(storage, "a", controls), null);
	assert.equal(loadDraft(storage, "none", controls), null);
	removeDraft(storage, "a");
	assert.equal(storage.map.size, 0);
});

test("a storage that fails is no error", () => {
	const fail = () => { throw new Error("QuotaExceededError"); };
	const storage = { getItem: fail, setItem: fail, removeItem: fail };
	saveDraft(storage, "a", controls, { title: "x" });
	removeDraft(storage, "a");
	assert.equal(loadDraft(storage, "a", controls), null);
});
