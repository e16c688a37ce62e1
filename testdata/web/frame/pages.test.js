import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Pages } from "../../../assets/web/frame/pages.js";

// panel returns a panel with a section of items with the ids, and the path of its next page.
const panel = (ids, next = null) => ({ sections: [{ id: "members", items: [...ids].map((id) => ({ id })), page: { next } }] });

// pagesOf returns Pages of an app with the responses, and what it has asked and shown.
function pagesOf(responses) {
	const asked = [];
	const errors = [];
	const controller = new AbortController();
	const client = {
		read: async (path) => {
			asked.push(path);
			if (!responses[path]) throw new Error(path);
			return { data: responses[path] };
		},
	};
	const changes = [];
	const pages = new Pages({ client, actions: { showError: (error, again) => errors.push(error.message, typeof again) } }, "members", controller, () => changes.push(ids()));
	const ids = () => pages.items.map(({ id }) => id).join("");
	return { pages, asked, errors, changes, controller, ids };
}

test("further pages stay when the first one changes, and no item appears twice", async () => {
	const { pages, asked, changes, ids } = pagesOf({ "/2": panel("bc", "/3"), "/3": panel("d") });
	pages.setFirst(panel("ab", "/2"));
	assert.deepEqual([ids(), pages.hasMore], ["ab", true]);
	assert.equal(await pages.readMore(), true);
	assert.deepEqual([ids(), pages.hasMore], ["abc", true]);
	pages.setFirst(panel("xab", "/2"));
	assert.equal(await pages.readMore(), true);
	assert.deepEqual([ids(), pages.hasMore, asked, changes], ["xabcd", false, ["/2", "/2", "/3"], ["abc", "xabc", "xabcd"]]);
});

test("further pages are read again when the first one changes", async () => {
	const responses = { "/2": panel("cd", "/3"), "/3": panel("ef", "/4") };
	const { pages, asked, errors, ids } = pagesOf(responses);
	pages.setFirst(panel("ab", "/2"));
	await pages.readMore();
	await pages.readMore();
	assert.equal(ids(), "abcdef");
	Object.assign(responses, { "/2": panel("d", "/3"), "/3": panel("fg", "/4") });
	pages.setFirst(panel("ab", "/2"));
	await setTimeout(1);
	assert.deepEqual([ids(), asked.splice(0)], ["abdfg", ["/2", "/3", "/2", "/3"]]);
	delete responses["/3"];
	pages.setFirst(panel("a", "/2"));
	await setTimeout(1);
	assert.deepEqual([ids(), errors], ["adfg", []], "a page that does not arrive");
	pages.setFirst(panel("ad"));
	assert.deepEqual([ids(), pages.hasMore], ["ad", false], "a list of one page");
});

test("a page that is asked for twice is read once", async () => {
	const { pages, asked, ids } = pagesOf({ "/2": panel("b", "/3") });
	pages.setFirst(panel("a", "/2"));
	await Promise.all([pages.readMore(), pages.readMore()]);
	assert.deepEqual([ids(), asked], ["ab", ["/2"]]);
});

test("a section without pages has none after the first", () => {
	const { pages, ids } = pagesOf({});
	pages.setFirst({ sections: [{ id: "members", items: [{ id: "a" }] }] });
	assert.deepEqual([ids(), pages.hasMore], ["a", false]);
	pages.setFirst({ sections: [] });
	assert.deepEqual([ids(), pages.hasMore], ["", false]);
});

test("a page that does not arrive can be read again, and its error is shown while the view is open", async () => {
	const { pages, errors, controller, ids } = pagesOf({});
	pages.setFirst(panel("a", "/2"));
	assert.equal(await pages.readMore(), false);
	assert.deepEqual([ids(), pages.hasMore, errors], ["a", true, ["/2", "function"]]);
	controller.abort();
	assert.equal(await pages.readMore(), false);
	assert.deepEqual(errors, ["/2", "function"]);
});

test("a first page that changes during the request for the next page leaves no gap", async () => {
	const responses = { "/after-b": panel("cd"), "/after-a": panel("bcd") };
	const { pages, asked, ids } = pagesOf(responses);
	pages.setFirst(panel("ab", "/after-b"));
	const reading = pages.readMore();
	pages.setFirst(panel("xa", "/after-a"));
	assert.equal(await reading, true);
	assert.deepEqual([ids(), asked], ["xabcd", ["/after-b", "/after-a"]]);
});
