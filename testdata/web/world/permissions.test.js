import assert from "node:assert/strict";
import { test } from "node:test";
import { permittedPanel } from "../../../assets/web/world/permissions.js";
import { Store } from "../../../assets/web/world/store.js";

// object returns the object of an event with permissions.
const object = (permissions) => ({
	world_object_id: "wo_1", object_type: "event", source: { kind: "service", service: "social", resource_id: "evt_1" }, permissions,
});

const actions = [
	{ action_id: "act_open", type: "social.event.open", target: { kind: "object", world_object_id: "wo_1" } },
	{ action_id: "act_reply", type: "social.event.reply", target: { kind: "object", world_object_id: "wo_1" } },
	{ action_id: "act_update", type: "social.event.update", target: { kind: "object", world_object_id: "wo_1" } },
	{ action_id: "act_create", type: "social.event.create", target: { kind: "workspace" } },
];

function storeWith(permissions) {
	const store = new Store();
	store.setDataset({ member: { member_id: 1 }, objects: [object(permissions)], actions });
	return store;
}

test("actions that an object does not permit are left out (R-04)", () => {
	const ids = (permissions) => {
		const store = storeWith(permissions);
		assert.deepEqual(store.actionsOn("wo_1"), store.actions(["act_open", "act_reply", "act_update"]));
		return store.actionsOn("wo_1").map(({ action_id: id }) => id);
	};
	assert.deepEqual(ids({ can_reply: true, can_update: true }), ["act_open", "act_reply", "act_update"]);
	assert.deepEqual(ids({ can_reply: true, can_update: false }), ["act_open", "act_reply"]);
	assert.deepEqual(ids({}), ["act_open"]);
	assert.deepEqual(ids(undefined), ["act_open"]);
	assert.equal(storeWith({}).actionOn("workspace", "social.event.create").action_id, "act_create");
});

test("permissions that change apply to actions that do not", () => {
	const store = storeWith({});
	assert.equal(store.actionOn("wo_1", "social.event.reply"), undefined);
	store.setDataset({ ...store.dataset, objects: [object({ can_reply: true })] });
	assert.equal(store.actionOn("wo_1", "social.event.reply")?.action_id, "act_reply");
});

test("a panel has no forms, items and URLs that its objects do not permit (R-04)", () => {
	const form = (id) => ({ id, type: "submit_form" });
	const panel = {
		sections: [
			{ id: "event", items: [{ id: "evt_1", actions: [{ id: "cancel", type: "social.event.cancel" }, { id: "open", type: "open_panel" }] }] },
			{ id: "replies", items: [{ id: "rep_1", actions: [] }] },
		],
		action_descriptors: [form("reply"), form("update"), form("create_event")],
	};
	const permitted = (permissions) => permittedPanel(panel, (id) => storeWith(permissions).objectOfRecord(id));
	assert.equal(permitted({ can_reply: true, can_update: true, can_delete: true }), panel);
	const { sections, action_descriptors: forms } = permitted({});
	assert.deepEqual(forms.map(({ id }) => id), ["create_event"]);
	assert.deepEqual(sections[0].items[0].actions.map(({ id }) => id), ["open"]);
	assert.equal(sections[1], panel.sections[1]);
});

test("entries of the calendar have the permissions of their own (R-04)", () => {
	const entry = (permissions) => ({
		id: "tob_1", permissions, actions: { open: "/time/1", delete: "/time/1/delete" },
		action_descriptors: [{ id: "update", type: "submit_form" }, { id: "move", type: "submit_form" }],
	});
	const [all, none] = permittedPanel({ appointments: [entry({ can_update: true, can_delete: true }), entry({})] }, () => undefined).appointments;
	assert.deepEqual(all, entry({ can_update: true, can_delete: true }));
	assert.deepEqual([none.actions, none.action_descriptors], [{ open: "/time/1" }, []]);
	assert.deepEqual(permittedPanel({ object: entry({}) }, () => undefined).object, none);
});

test("a thread without permissions has no reply box (R-04)", () => {
	const panel = { selected_thread: { id: "thr_1", actions: { send_message: "/send", mark_read: "/read" } }, action_descriptors: [{ id: "send_message", type: "submit_form" }] };
	const { selected_thread: thread, action_descriptors: forms } = permittedPanel(panel, () => ({ permissions: {} }));
	assert.deepEqual([thread.actions, forms], [{ mark_read: "/read" }, []]);
});
