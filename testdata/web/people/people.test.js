import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../app.js";
import { atEnd, later } from "../dom.js";
import { open } from "../../../assets/web/people/people.js";

test("the button that selects a list of members keeps the focus", async () => {
	const panel = { sections: [], action_descriptors: [] };
	const session = { shell: { dock: { items: [{ id: "people", action: { type: "open_panel", url: "/panels/social?view=people" } }] } } };
	const { app, main, document } = await openApp({ areas: ["people", "social"], read: () => panel, session });
	const route = (view) => [{ kind: "in", id: "people", query: { view } }, { url: "/panels/social?view=people" }];
	const view = open(app, ...route("circles"));
	atEnd(() => view.close());
	main.append(...view.element);
	await later();
	const [everyone] = main.querySelectorAll(".ppl-seg .seg button");
	everyone.focus();
	everyone.click();
	view.update(...route("people"));
	assert.equal(document.activeElement.textContent, "Everyone");
	assert.ok(main.contains(document.activeElement));
});

test("the button Try again keeps the focus when the list cannot be read again", async () => {
	let count = 0;
	const read = () => { throw Object.assign(new Error(`failure ${++count}`), { status: 503, retryable: true }); };
	const { app, main, document } = await openApp({ areas: ["people", "social"], read });
	const view = open(app, { kind: "in", id: "people", query: { view: "people" } }, { url: "/panels/social?view=people" });
	atEnd(() => view.close());
	main.append(...view.element);
	await later();
	const button = main.querySelector(".ppl-items .note button");
	button.focus();
	button.click();
	await later();
	assert.ok(count > 2);
	assert.equal(document.activeElement.textContent, "Try again");
	assert.ok(main.contains(document.activeElement));
});

test("a search shows once that the other members cannot be read", async () => {
	const person = { id: "2", title: "Bea", actor: { member_id: 2, username: "bea" }, metadata: {}, actions: [] };
	const people = { sections: [{ id: "people", items: [person], page: { next: "/next" } }], action_descriptors: [] };
	const read = (url) => {
		if (url !== "/next") return people;
		throw Object.assign(new Error("no connection"), { status: 0 });
	};
	const { app, main, shown } = await openApp({ areas: ["people", "social"], read });
	const view = open(app, { kind: "in", id: "people", query: { view: "people" } }, { url: "/panels/social?view=people" });
	atEnd(() => view.close());
	main.append(...view.element);
	await later();
	const input = main.querySelector("input");
	for (const text of ["c", "ce", "cem"]) {
		input.type(text);
		await later();
	}
	assert.deepEqual(shown, ["no connection"]);
	input.type("");
	input.type("d");
	await later();
	assert.equal(shown.length, 2, "another search tries again");
});

test("after a member was blocked, the list of members is shown", async () => {
	const block = { id: "block", type: "social.block", label: "Block", method: "POST", url: "/world/social/profiles/2/block" };
	const person = { id: "2", title: "Bea", actor: { member_id: 2, username: "bea" }, metadata: {}, actions: [block] };
	const read = (url) => (url.includes("id=2")
		? { title: "Bea", sections: [{ id: "about", items: [person] }], action_descriptors: [] }
		: { sections: [{ id: "people", items: [person] }], action_descriptors: [] });
	const { app, main, document } = await openApp({ areas: ["people", "social"], read });
	const visits = [];
	Object.assign(app, { go: (route, options) => visits.push([route.query, options]), actions: { ...app.actions, perform: async () => ({}) } });
	const view = open(app, { kind: "in", id: "people", query: { view: "people", id: "2" } }, { url: "/panels/social?view=people" });
	atEnd(() => view.close());
	main.append(...view.element);
	await later();
	main.querySelector(".ppl-one [aria-haspopup]").click();
	document.querySelector(".menu button").click();
	await later();
	assert.deepEqual(visits, [[{ view: "circles" }, { replace: true }]]);
});

test("the row of a member names the shared communities beside the presence", async () => {
	const via = [{ id: "c1", title: "The house" }, { id: "c2", title: "Choir" }];
	const actor = { member_id: 2, username: "bea", presence: { state: "online" } };
	const circle = { id: "inner_circle", items: [{ id: "2", title: "Bea", actor, metadata: { via }, actions: [] }] };
	const people = { id: "people", items: [
		{ id: "2", title: "Bea", actor, metadata: { circle: { depth: 1 } }, actions: [] },
		{ id: "3", title: "Cem", actor: { member_id: 3, username: "cem" }, metadata: {}, actions: [] },
	] };
	const session = { shell: { dock: { items: [{ id: "people", action: { type: "open_panel", url: "/panels/social?view=people" } }] } } };
	const { app, main } = await openApp({ areas: ["people", "social"], read: () => ({ sections: [circle, people], action_descriptors: [] }), session });
	const view = open(app, { kind: "in", id: "people", query: { view: "people" } }, { url: "/panels/social?view=people" });
	atEnd(() => view.close());
	main.append(...view.element);
	await later();
	const subs = [...main.querySelectorAll(".ppl-items .row-sub")].map((sub) => sub.textContent);
	assert.deepEqual(subs, ["Online · you share The house and Choir", "@cem"]);
});
