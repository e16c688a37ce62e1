import assert from "node:assert/strict";
import { test } from "node:test";
import { Side } from "../../../assets/web/frame/side.js";
import { PageEvent, openPage } from "../dom.js";

// texts returns an object whose functions return their names.
const texts = (more = {}) => new Proxy(more, { get: (own, name) => own[name] ?? (() => String(name)) });

test("a second click on the button of the member closes its menu", () => {
	openPage();
	const app = {
		words: texts({ frame: texts() }), href: () => "/", signedInMember: () => ({ name: "Ann", id: 1 }),
		store: { session: {}, dataset: { objects: [] } }, memberMenuItems: () => [{ label: "Settings" }],
	};
	const side = new Side(app);
	side.show();
	document.body.append(side.element);
	const button = side.element.querySelector(".me");
	const click = () => {
		button.dispatchEvent(new PageEvent("pointerdown", { bubbles: true }));
		button.click();
		return [document.querySelectorAll(".menu").length, button.getAttribute("aria-expanded")];
	};
	assert.deepEqual(click(), [1, "true"]);
	assert.deepEqual(click(), [0, "false"]);
});

test("the new position of a carried entry is announced, unless it could not be moved", async () => {
	for (const [data, want] of [[{}, ["a 2/2"]], [null, []]]) {
		openPage();
		const said = [];
		const surfaces = ["a", "b"].map((id) => ({ surface_id: id, title: id, icon: "pin" }));
		const stacks = [{ stack_id: "carry_primary", surface_order: ["a", "b"], commands: { reorder_stack: "/reorder" } }];
		const app = {
			words: texts({ frame: texts({ moved: (title, at, all) => `${title} ${at}/${all}` }) }),
			href: ({ id }) => `/${id}`, signedInMember: () => ({ name: "Ann", id: 1 }),
			store: {
				session: { surface_runtime: { stacks, surfaces } }, dataset: { objects: [] }, setSurfaces: () => {},
				surface: (id) => surfaces.find(({ surface_id: other }) => other === id), object: () => undefined,
			},
			actions: { perform: async () => data }, say: (text) => said.push(text),
		};
		const side = new Side(app);
		side.show();
		side.element.querySelector("[href=/a]").dispatchEvent(new PageEvent("keydown", { bubbles: true, key: "ArrowDown", altKey: true }));
		await new Promise((done) => setTimeout(done));
		assert.deepEqual(said, want);
	}
});
