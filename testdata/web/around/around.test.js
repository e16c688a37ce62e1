import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../../assets/web/around/around.js";
import { later, openPage } from "../dom.js";

// texts returns an object whose functions return their names.
const texts = (more = {}) => new Proxy(more, { get: (own, name) => own[name] ?? (() => String(name)) });

// setUp returns the view of Find without a map, and panel, the arguments with which it reads the panel of Find.
function setUp(query = {}, find = { content_source: "/find" }) {
	const document = openPage();
	const addresses = [];
	const read = {};
	const scope = {
		signal: new AbortController().signal, add: () => {}, on: () => {},
		panel: (url, services, show, fail) => Object.assign(read, { show, fail }),
	};
	const app = {
		words: texts({ around: texts(), frame: texts(), list: String }), scope: () => scope, href: ({ kind }) => `/${kind}`,
		signedInMember: () => ({ name: "Ann", id: 1 }),
		store: {
			session: {}, dataset: { objects: [] }, service: () => find, finding: () => undefined,
		},
		connection: { subscribe: () => () => {} }, frame: { refresh: () => {} },
		router: { set: (route) => addresses.push(route) }, go: (route) => addresses.push(route), say: () => {},
	};
	const view = open(app, { kind: "find", id: "", query }, { area: "around" });
	document.body.append(view.element);
	return { document, view, read, addresses };
}

const PANEL = {
	composer: { action: {}, scopes: [{ value: "everywhere", label: "Everywhere" }, { value: "nearby", label: "Near me" }] }, sections: [],
};

test("the scope that is chosen without a query remains, and has the focus, when the view is shown again", () => {
	const { document, view, read, addresses } = setUp();
	read.show(PANEL);
	const scopes = () => view.element.querySelectorAll(".finder-scopes button");
	const pressed = () => scopes().map((button) => button.getAttribute("aria-pressed"));
	assert.deepEqual(pressed(), ["true", "false"]);
	scopes()[1].focus();
	scopes()[1].click();
	view.show();
	assert.deepEqual(pressed(), ["false", "true"]);
	assert.deepEqual(addresses, [{ kind: "find", id: "", query: { scope: "nearby" } }]);
	assert.equal(document.activeElement, scopes()[1]);
});

test("after a failed first read of the panel of Find, a button reads it again", () => {
	const { view, read } = setUp({ q: "tea", scope: "everywhere" });
	let count = 0;
	read.fail({ status: 0, code: "network" }, false, () => count++);
	const retry = view.element.querySelectorAll("button").find(({ textContent }) => textContent === "tryAgain");
	retry.click();
	assert.equal(count, 1);
	view.search.run = () => count++;
	read.show(PANEL);
	assert.equal(count, 2, "the search runs when the panel is known");
});

test("a search around a place that fails does not show the places around the earlier position", async () => {
	const { view, addresses } = setUp();
	const { app, field } = view;
	const dock = { items: [{ id: "field", action: { type: "open_field" } }] };
	app.store.session = { shell: { dock }, field_runtime: { origin: { latitude: 1, longitude: 1 } } };
	app.actions = { showError: () => {} };
	view.pane.onField = () => {};
	field.lookAround = () => Promise.reject(Object.assign(new Error("network"), { status: 0 }));
	await view.searchAround({ latitude: 2, longitude: 2 }, { showsAll: true });
	assert.deepEqual(addresses, []);
	field.lookAround = async () => {};
	await view.searchAround({ latitude: 2, longitude: 2 }, { showsAll: true });
	assert.deepEqual(addresses, [{ kind: "in", id: "field" }]);
});

test("the summary of the results is not presented to screen readers again while it does not change", () => {
	const { view } = setUp({ q: "tea", scope: "everywhere" });
	assert.equal(view.summary.textContent, "searching");
	const { firstChild } = view.summary;
	view.show();
	assert.equal(view.summary.firstChild, firstChild);
});

test("places are shown beside the notice that the server is loading others, and no number of places is shown instead", async () => {
	const { view } = setUp();
	const source = { status: "degraded", message: "Places are being loaded." };
	const action = { type: "read_field_area", method: "GET", url: "/world/field/objects", body: {} };
	view.app.store.session = { field_runtime: { origin: null, source, actions: [action] } };
	const responses = [{ count: 0, objects: [] }, { count: 1, objects: [{ id: "p", type: "place", title: "Kiosk", location: { latitude: 1, longitude: 1 } }] }];
	view.app.dispatcher = { perform: async () => responses.shift() };
	for (const [summary, title] of [["", ""], ["places inView", "Kiosk"]]) {
		view.pane.area = await view.field.readArea({ south: 0, west: 0, north: 2, east: 2 });
		view.show();
		assert.equal(view.list.querySelector(".note")?.textContent, "Places are being loaded.");
		assert.equal(view.summary.textContent, summary);
		assert.equal(view.list.querySelector(".row .strong")?.textContent ?? "", title);
	}
});

test("without anything to search, the search input still suggests known objects, and a notice states the reason", async () => {
	const { view } = setUp({}, { content_source: "/find", status: "unavailable", message: "There is nothing to search yet." });
	view.app.store.dataset.objects = [{ object_type: "community", title: "Garden", world_object_id: "c" }];
	assert.equal(view.element.querySelector("form").hidden, false);
	assert.equal(view.list.querySelector(".note").textContent, "There is nothing to search yet.");
	view.head.input.focus();
	view.head.input.type("gard");
	await later();
	assert.match(document.body.textContent, /Garden/);
});
