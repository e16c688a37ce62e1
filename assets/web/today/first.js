// The first steps of a new member, while Today has nothing to show.

import { el, icon } from "../parts/el.js";
import { rows } from "../parts/row.js";

// firstSteps returns the rows of what a new member can do first.
export function firstSteps(app) {
	const { words, store } = app;
	const text = words.day;
	const social = store.service("social") && { kind: "in", id: "social" };
	const steps = [
		store.service("operator") && store.dataset?.member?.is_operator && [text.inviteMembers(), text.inviteMembersText(), "invite", { kind: "operator", id: "invitations" }],
		store.service("settings") && [text.connectDevice(), text.connectDeviceText(), "device", { kind: "settings", id: "devices" }],
		social && [text.seeMembers(), text.seeMembersText(), "people", { ...social, query: { view: "people" } }],
		store.service("settings") && [text.completeProfile(), text.completeProfileText(), "person", { kind: "settings", id: "profile" }],
	].filter(Boolean);
	return rows(steps.map(([title, sub, name, to]) => ({ title, sub, picture: el("span", { class: "row-icon" }, icon(name)), href: app.href(to), words })));
}
