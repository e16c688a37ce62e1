// The page of one member for operators.

import { avatar } from "../parts/avatar.js";
import { dayIn } from "../parts/day.js";
import { button, el } from "../parts/el.js";
import { details } from "../parts/row.js";
import { buttonOf, card, hrefOf, line, listCard, roundMark, section } from "../settings/cards.js";
import { sectionOf } from "../parts/panel.js";
import { deviceIcon, withActionType } from "../settings/pages.js";
import { showLink } from "./actions.js";
import { roleTag } from "./members.js";

// FORMS_WITH_RESULT are the ids of the forms whose result showResult shows, in place of a text that the member
// is changed.
const FORMS_WITH_RESULT = ["reset_password", "export", "delete"];

// memberParts returns the parts for Slots: the member, the buttons that change the member, the sessions and the
// device passwords. It returns [] if the panel does not contain the member.
export function memberParts(app, panel, block) {
	const { words } = app;
	const [member] = panel.members;
	const [item] = sectionOf(panel, "members")?.items ?? [];
	if (!member || !item) return [];
	const forms = (panel.action_descriptors ?? []).map((form) => withActionType(form, "admin.member"));
	const list = (id) => sectionOf(panel, id);
	const lists = ["sessions", "device_passwords"].map(list).filter(Boolean);
	return [
		{ key: "who", data: [member, item, words.currentDay()], make: () => memberCard(app, member, item, forms, block) },
		{
			key: "acts", data: forms,
			make: () => section(words.operator.administer(), {}, el("div", { class: "line wrap" },
				forms.filter(({ id }) => id !== "update").map((form) => formButton(app, block, form, member)))),
		},
		...lists.map((part) => ({
			key: part.id, data: [part, words.currentDay()],
			make: () => section(part.title, {}, listCard(part.items.map((entry) => line({
				picture: roundMark(deviceIcon(entry.title)), title: entry.title, sub: entry.summary,
				end: (entry.actions ?? []).map((action) => buttonOf(block, action, { label: words.remove(), name: entry.title })),
			})), { label: part.title, empty: part.summary })),
		})),
	];
}

// memberCard returns the card with the names, the role and the account data of a member, the button of the form
// "update", and the link to the entries of the audit log about the member, an action of item.
function memberCard(app, member, item, forms, block) {
	const { words } = app;
	const text = words.operator;
	const update = forms.find(({ id }) => id === "update");
	const audit = item.actions?.find(({ id }) => id === "open_audit");
	const href = audit && hrefOf(app, audit.url);
	const { storage } = member;
	return card(
		el("div", { class: "line line-3 wrap" },
			avatar({ name: member.display_name, id: member.id, color: member.color, image: member.avatar?.url, size: "l" }),
			el("div", { class: "grow" },
				el("p", { class: "strong", dir: "auto", text: member.display_name }),
				el("p", { class: "quiet small", dir: "ltr", text: `@${member.username}` })),
			roleTag(member, words),
			update && button({
				label: update.label, icon: "edit", kind: "s", "aria-haspopup": "dialog", run: () => block.openForm(update, { title: update.label }),
			})),
		details([
			[text.email(), member.email], [text.wasHere(), member.last_seen_at ? words.when(member.last_seen_at) : text.never()],
			[text.joined(), words.dayShort(dayIn(words.zone, new Date(member.created_at)))],
			[text.secondFactor(), member.second_factor ? words.settings.on() : words.settings.off()],
			...(storage ? [[text.storage(), text.used(words.bytes(storage.used_bytes), words.bytes(storage.limit_bytes))]] : []),
		]),
		href && el("p", {}, el("a", { class: "link", href, text: audit.label })));
}

// formButton returns the button of a form that changes a member. A form with visible controls, which ask for
// the password of the operator, is opened in a dialog. Another form is sent with block.perform.
function formButton(app, block, form, member) {
	const name = member.display_name;
	const hasFields = form.controls.some(({ type }) => type !== "hidden");
	const run = () => (hasFields
		? openForm(app, block, form, name)
		: block.perform(form, { name, doneText: app.words.operator.changed(name, form.id) }));
	return button({
		label: form.label, kind: `s${form.destructive ? " bad" : ""}`, "aria-haspopup": hasFields ? "dialog" : null, run,
	});
}

// openForm shows a form with the password of the operator, and then its result. After the form "delete", the
// Block does not read its panel again, because the app leaves the page of the member. name is the name of the member.
async function openForm(app, block, form, name) {
	const options = {
		title: form.label, submit: form.label, savesDraft: false,
		hints: form.id === "delete" ? { current_password: app.words.operator.deletionKeeps(name) } : {},
		doneText: FORMS_WITH_RESULT.includes(form.id) ? "" : app.words.operator.changed(name, form.id),
	};
	const data = form.id === "delete" ? await app.actions.openForm(form, options) : await block.openForm(form, options);
	if (data) await showResult(app, form, data, name);
}

// showResult shows the result of a form. After the form "delete" it shows a toast and the page of the members.
// It shows a link for a new password in a dialog, and downloads the exported data.
function showResult(app, form, data, name) {
	const text = app.words.operator;
	if (form.id === "delete") {
		app.toasts.show(text.deleted(name));
		return app.go({ kind: "operator", id: "members" }, { replace: true });
	}
	if (data.link) return showLink(app, data, { title: text.resetTitle(name), text: text.resetText(name) });
	if (form.id === "export") return downloadJSON(data, `${name}.json`);
	return undefined;
}

// downloadJSON downloads data as a JSON file.
function downloadJSON(data, name) {
	const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, "\t")], { type: "application/json" }));
	el("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
