// The audit log of the server.

import { dayIn } from "../parts/day.js";
import { el } from "../parts/el.js";
import { line, listCard, section } from "../settings/cards.js";
import { sectionOf } from "../parts/panel.js";
import { detailOf } from "../settings/pages.js";
import { byDay } from "./state.js";

// auditParts returns the parts of the view for Slots: the entries of the panel by day, the latest
// first.
export function auditParts(app, panel) {
	const { words } = app;
	const list = sectionOf(panel, "audit_log") ?? panel.sections[0];
	const groups = byDay(list.items, (at) => dayIn(words.zone, new Date(at)));
	if (groups.length === 0) return [{ key: "none", data: list, make: () => el("p", { class: "quiet", text: list.summary }) }];
	return groups.map(([day, entries]) => ({
		key: day, data: [entries, words.currentDay()],
		make: () => {
			const list = listCard(entries.map((entry) => entryLine(entry, words)), { label: words.relativeDay(day), flat: true });
			return section(words.relativeDay(day), {}, list);
		},
	}));
}

// entryLine returns the row of an entry: a sentence, and a control that shows the codes by which the command line
// names the entry.
function entryLine({ metadata, title, summary }, words) {
	const { at, action, actor, member_id: member, detail } = metadata;
	const codes = [action, actor, member, detail].filter(Boolean).join(" ");
	const time = el("time", { class: "quiet small num audit-time", datetime: at, text: words.time(at) });
	return line({
		picture: time, title, sub: detailOf(summary),
		end: el("details", { class: "small quiet" }, el("summary", { text: words.operator.codes() }), el("code", { dir: "ltr", text: codes })),
	});
}
