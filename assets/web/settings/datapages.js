// The pages for blocked members and for the data of the member, and the page for unknown views.

import { avatar } from "../parts/avatar.js";
import { button, el } from "../parts/el.js";
import { progressBar } from "../parts/empty.js";
import { buttonOf, card, changeButton, downloadLink, line, listCard, roundMark, section, setting } from "./cards.js";
import { sectionOf } from "../parts/panel.js";
import { formOf, withActionType, usedShare } from "./pages.js";

// blockedParts returns the part for Slots with the blocked members.
export function blockedParts(app, panel, block) {
	const { words } = app;
	const list = sectionOf(panel, "blocked_members") ?? panel.sections[0];
	const form = formOf(panel, "block");
	const open = () => block.openForm(form, { title: form.label, submit: form.label });
	return [{
		key: "blocked", data: [list, form],
		make: () => section(list.title, {
			lead: words.settings.blockedLead(),
			end: [form && button({ label: form.label, icon: "plus", kind: "s", "aria-haspopup": "dialog", run: open })],
		}, listCard(list.items.map((item) => line({
			picture: avatar({ name: item.title, id: item.actor?.member_id ?? item.id, color: item.actor?.color }),
			title: item.title, sub: item.summary,
			end: (item.actions ?? []).filter(({ method }) => method !== "GET").map((action) => buttonOf(block, action)),
		})), { label: list.title, empty: list.summary })),
	}];
}

// dataParts returns the parts for Slots: the storage that the member uses, the link to the file with
// all their data, and the other forms of the panel.
export function dataParts(app, panel, block) {
	const { words } = app;
	const list = sectionOf(panel, "your_data");
	const item = (id) => list?.items.find((candidate) => candidate.id === id);
	const [storage, file] = [item("storage"), item("export")];
	const action = file?.actions?.find(({ id }) => id === "open_export");
	const forms = (panel.action_descriptors ?? []).map((form) => withActionType(form, "member"));
	return [
		storage && {
			key: "storage", data: [storage, panel.storage],
			make: () => section(storage.title, { lead: panel.summary },
				card(progressBar({ label: storage.title, part: usedShare(panel.storage), text: storage.summary }).element)),
		},
		file && {
			key: "export", data: [file],
			make: () => section(file.title, {}, card(setting(action?.label ?? file.title, {
				hint: file.summary, control: action && downloadLink(app, action, { label: words.download() }),
			}))),
		},
		forms.length > 0 && { key: "others", data: forms, make: () => formButtons(app, block, forms) },
	];
}

// otherParts returns the parts for Slots of a panel for which the app has no page: its sections and
// forms.
export function otherParts(app, panel, block) {
	const forms = (panel.action_descriptors ?? []).map((form) => withActionType(form, "member"));
	return [
		...(panel.sections ?? []).map((part) => ({
			key: part.id, data: part,
			make: () => section(part.title, { lead: part.summary }, listCard((part.items ?? []).map((item) => line({
				picture: roundMark("puzzle"), title: item.title, sub: item.summary,
				end: (item.actions ?? []).filter(({ method }) => method !== "GET")
					.map((action) => buttonOf(block, action, { name: item.title })),
			})), { label: part.title })),
		})),
		forms.length > 0 && { key: "forms", data: forms, make: () => formButtons(app, block, forms) },
	];
}

// formButtons returns a button for each form, which opens it.
function formButtons(app, block, forms) {
	return el("div", { class: "line wrap" }, forms.map((form) => changeButton(
		app.words, form.label, () => block.openForm(form, { title: form.label, submit: form.label }), form.label,
	)));
}
