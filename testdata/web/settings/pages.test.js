import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceIcon, detailOf, formOf, mergePages, platformOf, groupCharacters, withActionType, usedShare } from "../../../assets/web/settings/pages.js";
import { bytesOf, textOf } from "../../../assets/web/parts/passkey.js";
import { requestOf } from "../../../assets/web/world/dispatch.js";

const page = (ids, next) => ({ title: "Audit log", sections: [{ id: "audit_log", title: "Audit log", items: ids.map((id) => ({ id })) }], audit: ids.map((id) => ({ id })), page: { next } });

test("more pages continue the lists of the first one", () => {
	const merged = mergePages([page([9, 8], "?cursor=a"), page([7], "?cursor=b"), page([6], null)], ["audit"]);
	assert.deepEqual(merged.sections[0].items.map(({ id }) => id), [9, 8, 7, 6]);
	assert.deepEqual(merged.audit.map(({ id }) => id), [9, 8, 7, 6]);
	assert.equal(merged.page.next, null);
	assert.equal(merged.title, "Audit log");
});

test("a section that is whole in each page, and an item that has moved to another page, are not repeated", () => {
	const calendars = { id: "calendars", items: [{ id: "work" }, { id: "home" }] };
	const sections = (...ids) => [calendars, { id: "trash", items: ids.map((id) => ({ id })) }];
	const merged = mergePages([{ sections: sections(9, 8), page: { next: "?a" } }, { sections: sections(8, 7), page: { next: null } }]);
	assert.deepEqual(merged.sections.map(({ items }) => items.map(({ id }) => id)), [["work", "home"], [9, 8, 7]]);
	const lists = mergePages([page([2, 1], "?a"), page([1, 0], null)], ["audit"]);
	assert.deepEqual(lists.audit.map(({ id }) => id), [2, 1, 0]);
});

test("one page stays as it is", () => {
	const only = page([1], null);
	assert.equal(mergePages([only], ["audit"]), only);
});

test("a section that a later page lacks keeps its items", () => {
	const [first, second] = [page([2], "?cursor=a"), { sections: [], page: { next: null } }];
	assert.deepEqual(mergePages([first, second], ["audit"]).sections[0].items, [{ id: 2 }]);
});

test("forms of panels have the types of their actions", () => {
	const form = { id: "sign_out_others", type: "submit_form", method: "DELETE", url: "/sessions", controls: [] };
	assert.equal(withActionType(form, "member").type, "member.sessions.delete_others");
	assert.equal(withActionType({ id: "delete", type: "submit_form" }, "admin.member").type, "admin.member.delete");
	assert.equal(formOf({ action_descriptors: [form] }, "sign_out_others").type, "member.sessions.delete_others");
	assert.equal(formOf({ action_descriptors: [form] }, "create_device"), undefined);
	assert.equal(formOf(undefined, "update"), undefined);
});

test("a form with one field sends the present values of the others", () => {
	const form = { id: "update", method: "PATCH", url: "/me", controls: [{ id: "display_name", type: "text", default: "Ann" }, { id: "timezone", type: "timezone", default: "Europe/Berlin" }] };
	assert.deepEqual(requestOf(withActionType(form, "member"), { display_name: "Anna" }).body, { display_name: "Anna", timezone: "Europe/Berlin" });
});

test("the name of a device determines its icon", () => {
	for (const [name, icon] of [["Bea's iPhone", "device"], ["Pixel 8", "device"], ["iPad in the kitchen", "tablet"], ["Firefox on Linux", "laptop"], ["curl/7.88.1", "server"], ["", "laptop"]]) assert.equal(deviceIcon(name), icon, name);
});

test("the steps begin with the device in the hand", () => {
	assert.equal(platformOf("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)"), "iphone");
	assert.equal(platformOf("Mozilla/5.0 (Linux; Android 14; Pixel 8)"), "android");
	assert.equal(platformOf("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"), "mac");
	assert.equal(platformOf("Mozilla/5.0 (X11; Linux x86_64)"), "iphone");
});

test("the detail of an entry is its summary without the time", () => {
	assert.equal(detailOf("25 November 2026, 20:04 · Ann · password 127.0.0.1"), "Ann · password 127.0.0.1");
	assert.equal(detailOf("25 November 2026, 20:04"), "");
	assert.equal(detailOf(undefined), "");
});

test("keys are in groups of four", () => {
	assert.equal(groupCharacters("DE2JU3WNHZ"), "DE2J U3WN HZ");
	assert.equal(groupCharacters(""), "");
});

test("used storage is a share of its limit", () => {
	assert.equal(usedShare({ used_bytes: 5, limit_bytes: 20 }), 0.25);
	assert.equal(usedShare({ used_bytes: 30, limit_bytes: 20 }), 1);
	assert.equal(usedShare({ used_bytes: 30, limit_bytes: 0 }), 0);
	assert.equal(usedShare(undefined), 0);
});

test("bytes of passkeys survive base64url", () => {
	const bytes = Uint8Array.from([0, 62, 63, 250, 251, 255]);
	const text = textOf(bytes.buffer);
	assert.doesNotMatch(text, /[+/=]/);
	assert.deepEqual(bytesOf(text), bytes);
});
