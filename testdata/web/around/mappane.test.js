import assert from "node:assert/strict";
import { test } from "node:test";
import { MapPane } from "../../../assets/web/around/mappane.js";
import { PageEvent, openPage } from "../dom.js";

// setUp returns a MapPane, the element of its view, and the positions around which it has searched.
function setUp(field = { layer: null, origin: { latitude: 52, longitude: 13 }, radii: [] }) {
	const document = openPage();
	const node = () => document.createElement("div");
	const text = new Proxy({}, { get: (_, name) => () => name });
	const searches = [];
	const view = {
		finder: node(), head: { element: node() }, body: node(), card: node(), element: node(), query: "",
		scope: { add: () => {}, signal: new AbortController().signal },
		field, show: () => {},
		app: {
			words: { around: text, number: String }, store: { session: {} }, client: { address: (path) => path }, actions: { showError: () => {} },
			connection: { subscribe: (listener) => (view.onConnection = listener) },
		},
		searchAround: (position) => searches.push(position),
	};
	document.body.append(view.element);
	view.element.clientWidth = 800;
	view.element.clientHeight = 600;
	const pane = new MapPane(view, { center: { latitude: 52, longitude: 13 }, zoom: 15 });
	const canvas = view.element.querySelector(".mapcanvas");
	const openMenu = () => canvas.dispatchEvent(new PageEvent("contextmenu", { bubbles: true, button: 0, pointerType: "", clientX: 0, clientY: 0 }));
	return { document, view, pane, canvas, searches, openMenu };
}

test("closing the menu of the map returns the focus to the map, and removes the anchor of the menu", () => {
	const { document, view, pane, canvas, searches, openMenu } = setUp();
	openMenu();
	assert.equal(document.activeElement.getAttribute("role"), "menuitem");
	document.activeElement.dispatchEvent(new PageEvent("keydown", { bubbles: true, key: "Escape" }));
	assert.equal(document.activeElement, canvas);
	assert.equal(view.element.querySelectorAll(".press").length, 0);

	openMenu();
	document.querySelector(".menu button").click();
	assert.equal(searches.length, 1);
	assert.equal(document.activeElement, canvas);
	assert.equal(view.element.querySelectorAll(".press").length, 0);

	openMenu();
	openMenu(); // at the anchor of the first menu, which does not count as outside of it
	assert.equal(document.querySelectorAll(".menu").length, 1);
	assert.equal(view.element.querySelectorAll(".press").length, 1);
	document.body.dispatchEvent(new PageEvent("pointerdown", { bubbles: true }));
	assert.equal(document.querySelector(".menu"), null);
	assert.equal(view.element.querySelectorAll(".press").length, 0);
	pane.close();
});

test("the places of the area are read again when the server is reachable again", async () => {
	let isUp = false;
	let count = 0;
	const readArea = async () => {
		count++;
		if (!isUp) throw Object.assign(new Error("network"), { status: 0 });
		return { objects: [], clusters: [] };
	};
	const { view, pane } = setUp({ layer: { url_template: "/{z}/{x}/{y}" }, origin: null, radii: [], readArea });
	const settled = () => new Promise((done) => setTimeout(done));
	pane.onField();
	await settled();
	isUp = true;
	view.onConnection({ state: "unreachable" });
	view.onConnection({ state: "online" });
	await settled();
	assert.deepEqual([count, pane.area], [2, { objects: [], clusters: [] }]);
	view.onConnection({ state: "online" });
	await settled();
	assert.equal(count, 2);
	pane.close();
});

test("a second click on the button of the radius closes its menu", () => {
	const { document, view, pane } = setUp({
		layer: null, origin: { latitude: 52, longitude: 13 }, radii: [{ value: 500, selected: true }, { value: 1000, selected: false }],
	});
	const button = view.element.querySelectorAll(".map-tools button").at(-1);
	const click = () => {
		button.dispatchEvent(new PageEvent("pointerdown", { bubbles: true }));
		button.click();
		return [document.querySelectorAll(".menu").length, button.getAttribute("aria-expanded")];
	};
	assert.deepEqual(click(), [1, "true"]);
	assert.deepEqual(click(), [0, "false"]);
	pane.close();
});
