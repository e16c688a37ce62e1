// The first steps of a new member, which Today shows as long as it is empty.

import { el, icon } from "../parts/el.js";
import { rows } from "../parts/row.js";

// firstSteps returns the rows that link to the first steps.
export function firstSteps(app) {
	const { words, store } = app;
	const text = words.day;
	const social = store.service("social") && { kind: "in", id: "social" };
	const isOperator = store.service("operator") && store.dataset?.member?.is_operator;
	const hasSettings = store.service("settings");
	const steps = [
		isOperator && [text.inviteMembers(), text.inviteMembersText(), "invite", { kind: "operator", id: "invitations" }],
		hasSettings && [text.connectDevice(), text.connectDeviceText(), "device", { kind: "settings", id: "devices" }],
		social && [text.seeMembers(), text.seeMembersText(), "people", { ...social, query: { view: "people" } }],
		hasSettings && [text.completeProfile(), text.completeProfileText(), "person", { kind: "settings", id: "profile" }],
	].filter(Boolean);
	return rows(steps.map(([title, sub, name, route]) => ({
		title, sub, picture: el("span", { class: "row-icon" }, icon(name)), href: app.href(route), words,
	})));
}
