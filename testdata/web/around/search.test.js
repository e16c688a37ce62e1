import assert from "node:assert/strict";
import { test } from "node:test";
import { Search, keyOf, latestOf } from "../../../assets/web/around/search.js";
import { Field } from "../../../assets/web/around/field.js";

const ACTION = { method: "POST", url: "/find", body: {} };
const panel = (metadata = {}, title = "tea") => ({ composer: { action: ACTION }, findings: [{ finding_id: "old" }], sections: [{ id: "recent", items: [{ title, metadata: { scope: "everywhere", applied_scope: "everywhere", status: "ok", place: null, created_at: new Date().toISOString(), ...metadata } }] }] });
const empty = { composer: { action: ACTION }, findings: [], sections: [] };

function appWith(answer) {
	const asked = [];
	const perform = async (action, values, { fields, signal } = {}) => {
		asked.push({ action, values, fields, signal });
		const result = typeof answer === "function" ? answer(asked.length) : answer;
		if (result instanceof Error) throw result;
		return result;
	};
	return { asked, dispatcher: { perform }, store: { session: null } };
}

test("a question is asked once, and again when the member wants it", async () => {
	const app = appWith({ status: "ok", findings: [{ finding_id: "new" }] });
	const search = new Search(app);
	const question = { query: "tea", scope: "everywhere", origin: null };
	const options = { panel: empty, changed: () => {} };
	await search.run(question, options);
	await search.run(question, options);
	assert.equal(app.asked.length, 1);
	assert.deepEqual(app.asked[0].fields, { query: "tea", scope: "everywhere" });
	assert.equal(search.findings[0].finding_id, "new");
	await search.run(question, { ...options, again: true });
	assert.equal(app.asked.length, 2);
});

test("after a reload, the results of the latest question are not asked for again", async () => {
	const app = appWith({ status: "ok", findings: [] });
	const search = new Search(app);
	await search.run({ query: "tea", scope: "everywhere", origin: null }, { panel: panel(), changed: () => {} });
	assert.equal(app.asked.length, 0);
	assert.equal(search.findings[0].finding_id, "old");
});

test("older, other and failed questions are asked", () => {
	const question = { query: "tea", scope: "everywhere" };
	assert.ok(latestOf(panel(), question));
	assert.equal(latestOf(panel({ created_at: "2026-01-01T00:00:00Z" }), question), null);
	assert.equal(latestOf(panel({ status: "provider_error" }), question), null);
	assert.equal(latestOf(panel({}, "coffee"), question), null);
	assert.equal(latestOf(panel({ scope: "nearby" }), { query: "tea", scope: "nearby" }), null);
	assert.equal(latestOf(null, question), null);
});

test("an answer to an earlier question does not replace that to a later one", async () => {
	const answers = [];
	const app = { dispatcher: { perform: () => new Promise((done) => answers.push(done)) } };
	const search = new Search(app);
	const first = search.run({ query: "a", scope: "everywhere" }, { panel: empty, changed: () => {} });
	const second = search.run({ query: "b", scope: "everywhere" }, { panel: empty, changed: () => {} });
	answers[1]({ status: "ok", findings: [{ finding_id: "b" }] });
	answers[0]({ status: "ok", findings: [{ finding_id: "a" }] });
	await Promise.all([first, second]);
	assert.equal(search.findings[0].finding_id, "b");
});

test("a view that is opened during a search is told about its results", async () => {
	let answer;
	const app = { dispatcher: { perform: () => new Promise((done) => (answer = done)) } };
	const search = new Search(app);
	const question = { query: "tea", scope: "everywhere" };
	const calls = [];
	const first = search.run(question, { panel: empty, changed: () => calls.push("first") });
	await search.run(question, { panel: empty, changed: () => calls.push("second") });
	answer({ status: "ok", findings: [] });
	await first;
	assert.deepEqual(calls, ["first", "second"]);
});

test("a search that failed is asked again", async () => {
	const app = appWith((count) => (count === 1 ? new Error("network") : { status: "ok", findings: [] }));
	const search = new Search(app);
	const question = { query: "tea", scope: "everywhere" };
	await search.run(question, { panel: empty, changed: () => {} });
	assert.equal(search.status, "failed");
	await search.run(question, { panel: empty, changed: () => {} });
	assert.equal(search.status, "done");
});

test("a question nearby depends on the position, one everywhere does not", () => {
	const here = { latitude: 1, longitude: 2 };
	assert.notEqual(keyOf("tea", "nearby", here), keyOf("tea", "nearby", { latitude: 3, longitude: 2 }));
	assert.equal(keyOf("tea", "everywhere", here), keyOf(" tea ", "everywhere", null));
});

const CONTROLS = ["lat", "lon", "radius"].map((id) => ({ id }));
const runtime = (more) => ({ origin: null, radius_meters: 1000, controls: [{ id: "categories", label: "Categories", items: [{ id: "food", label: "Food" }, { id: "coffee", label: "Coffee" }] }, { id: "radius", items: [{ value: 500, label: "500 m" }, { value: 1000, label: "1000 m" }] }], actions: [{ type: "set_field_origin", url: "/s", method: "GET", body: {}, controls: CONTROLS }], ...more });

test("the field is read by the published action, with a position that is not too exact", async () => {
	const answer = { field_runtime: runtime({ origin: { latitude: 35.8989, longitude: 14.5146 } }) };
	const app = appWith(answer);
	app.store.session = { field_runtime: runtime() };
	const field = new Field(app);
	assert.equal(field.origin, null);
	await field.lookAround({ latitude: 35.898912345, longitude: 14.514612345 }, { name: "Valletta" });
	assert.deepEqual(app.asked[0].values, { lat: 35.8989, lon: 14.5146, radius: 1000 });
	assert.deepEqual(field.origin, { latitude: 35.8989, longitude: 14.5146 });
	assert.equal(field.name, "Valletta");
	await field.chooseCategories(["coffee"]);
	assert.deepEqual(app.asked[1].fields, { categories: "coffee" });
	assert.deepEqual(field.filter.items.map(({ selected }) => selected), [false, true]);
	await field.chooseRadius(500);
	assert.equal(app.asked[2].values.radius, 500);
	assert.deepEqual(field.radii.map(({ selected }) => selected), [true, false]);
	field.forget();
	assert.equal(field.origin, null);
});

test("without the published action, nothing is read", async () => {
	const app = appWith({});
	app.store.session = { field_runtime: runtime({ actions: [] }) };
	const field = new Field(app);
	await field.lookAround({ latitude: 1, longitude: 1 });
	assert.equal(await field.readArea({ south: 1, west: 1, north: 2, east: 2 }), null);
	assert.equal(app.asked.length, 0);
});

test("a change of the radius or the categories during a move of the field does not undo the move", async () => {
	const reads = [];
	const perform = (_, values, { fields, signal }) => new Promise((done, failed) => {
		reads.push({ values, fields, done });
		signal.addEventListener("abort", () => failed(new DOMException("", "AbortError")));
	});
	const at = (latitude) => ({ field_runtime: runtime({ origin: { latitude, longitude: 14 } }) });
	const field = new Field({ dispatcher: { perform }, store: { session: at(35) } });
	const move = field.lookAround({ latitude: 36, longitude: 14 }, { name: "Gozo" }).catch(({ name }) => name);
	const change = field.chooseCategories(["food"]);
	assert.equal(await move, "AbortError");
	assert.deepEqual([reads[1].values.lat, reads[1].fields.categories], [36, "food"]);
	reads[1].done(at(36));
	await change;
	assert.deepEqual([field.origin.latitude, field.name], [36, "Gozo"]);
});

test("after a failed read, the field keeps its radius and its categories", async () => {
	const app = appWith(new Error("network"));
	app.store.session = { field_runtime: runtime({ origin: { latitude: 35, longitude: 14 } }) };
	const field = new Field(app);
	await assert.rejects(field.chooseRadius(500));
	await assert.rejects(field.chooseCategories(["food"]));
	assert.equal(field.radius, 1000);
	assert.equal(field.categories, null);
});
