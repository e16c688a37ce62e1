import assert from "node:assert/strict";
import { test } from "node:test";
import { calendarParts } from "../../../assets/web/settings/calendars.js";
import { PageEvent, openPage } from "../dom.js";

// texts returns an object whose functions return their names.
const texts = (more = {}) => new Proxy(more, { get: (own, name) => own[name] ?? (() => String(name)) });

const calendar = (id, order) => ({
	id, title: id, metadata: {},
	action_descriptors: [{
		id: "arrange", label: "Show or hide", controls: [{ id: "visible", default: true }, { id: "order", default: order }],
	}],
});

// setUp returns the list of two calendars, the texts for screen readers, and what resolves the actions of a Block.
function setUp(act) {
	openPage();
	const said = [];
	const app = {
		words: texts({ frame: texts({ moved: (title, at, all) => `${title} ${at}/${all}` }), settings: texts() }),
		actions: { perform: act }, say: (text) => said.push(text),
	};
	const block = { reload: async () => {}, perform: act };
	const panel = { sections: [{ id: "calendars", title: "Calendars", items: [calendar("work", 0), calendar("home", 1)] }] };
	const list = calendarParts(app, panel, block)[0].make();
	document.body.append(list);
	return { list, said };
}

const settled = () => new Promise((done) => setTimeout(done));

test("the new position of a calendar is announced, unless it could not be moved", async () => {
	for (const [data, want] of [[{}, ["work 2/2"]], [null, []]]) {
		const { list, said } = setUp(async () => data);
		list.querySelector("[aria-haspopup=menu]").click();
		document.querySelectorAll(".menu button").find(({ textContent }) => textContent === "later").click();
		await settled();
		assert.deepEqual(said, want);
	}
});

test("a failure restores the switch of a calendar, unless the member has changed it again", async () => {
	const answers = [];
	const { list } = setUp(() => new Promise((done) => answers.push(done)));
	const box = list.querySelector("input");
	const set = (checked) => {
		box.checked = checked;
		box.dispatchEvent(new PageEvent("change", { bubbles: true }));
	};
	set(false);
	answers.shift()(null);
	await settled();
	assert.equal(box.checked, true);
	set(false);
	set(true);
	answers.shift()(null);
	await settled();
	assert.equal(box.checked, true);
});
