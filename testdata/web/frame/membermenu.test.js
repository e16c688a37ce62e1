import assert from "node:assert/strict";
import { test } from "node:test";
import { surfaceSection } from "../../../assets/web/frame/surfacesection.js";
import { openMemberSheet, signedInMember } from "../../../assets/web/frame/membermenu.js";
import { open } from "../../../assets/web/today/today.js";
import { openPage } from "../dom.js";

// texts returns an object whose functions return their names.
const texts = (more = {}) => new Proxy(more, { get: (own, name) => own[name] ?? (() => String(name)) });

// appWith returns an app of the member ann, whose presence is "online".
function appWith(more = {}) {
	const profile = { object_type: "profile", world_object_id: "wo_ann", state: { member_id: 1, presence: { state: "online" } } };
	const action = { controls: [{ id: "state", options: ["online", "busy", "away"].map((value) => ({ value, label: value })) }] };
	const app = {
		words: texts({ frame: texts(), day: texts(), zone: "UTC", currentDay: () => "2026-12-03" }),
		paths: { base: "" }, href: ({ kind, id = "" }) => `/${kind}/${id}`,
		store: {
			memberId: 1, session: {}, dataset: { member: { member_id: 1, display_name: "Ann" }, objects: [profile] }, hasActions: true,
			actionOn: () => action, service: () => undefined,
		},
		signedInMember: () => signedInMember(app.store), notificationsRoute: () => ({ kind: "today" }), ...more,
	};
	return app;
}

test("after a failure, the control of the presence shows the state that was set before", async () => {
	const document = openPage();
	const results = [];
	openMemberSheet(appWith({ actions: { perform: () => new Promise((done) => results.push(done)) } }));
	const buttons = document.querySelectorAll(".seg button");
	const pressed = () => buttons.find((button) => button.getAttribute("aria-pressed") === "true").textContent;
	const settle = async (data) => {
		results.shift()(data);
		await new Promise((done) => setTimeout(done));
	};
	buttons[1].click();
	assert.equal(pressed(), "busy");
	await settle(null);
	assert.equal(pressed(), "online");
	buttons[1].click();
	await settle({});
	buttons[2].click();
	await settle(null);
	assert.equal(pressed(), "busy");
	buttons[2].click();
	buttons[0].click();
	await settle(null);
	assert.equal(pressed(), "online", "the choice of the member meanwhile");
});

test("a panel in the side column that could not be read has a button that reads it again", () => {
	openPage();
	let fail;
	const scope = { panel: (url, services, show, onError) => (fail = onError) };
	const section = surfaceSection(appWith(), { surface_id: "s", title: "Notes", content_source: { url: "/notes" } }, scope);
	let count = 0;
	fail({ status: 503, message: "Busy." }, false, () => count++);
	section.querySelectorAll("button").find(({ textContent }) => textContent === "tryAgain").click();
	assert.equal(count, 1);
});

test("the list of the online members keeps the focus when Today is rendered again", () => {
	const document = openPage();
	let show;
	const scope = { panel: (url, services, onPanel) => (show = onPanel), on: () => {}, every: () => {} };
	const app = appWith({ frame: { main: document.createElement("main") }, scope: () => scope });
	app.store.dataset.objects.push({ object_type: "profile", world_object_id: "wo_bea", source: { resource_id: "2" }, state: {} });
	const view = open(app, {}, { url: "/today" });
	document.body.append(view.sideNodes);
	const actor = { member_id: 2, display_name: "Bea", presence: { state: "online" } };
	const panel = { sections: [{ id: "presence", items: [{ id: "2", title: "Bea", actor }] }] };
	show(panel);
	const link = () => view.sideNodes.querySelector("a");
	link().focus();
	show(panel);
	assert.equal(document.activeElement, link());
});
