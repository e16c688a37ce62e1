// The audit log of the server.

import { dayIn } from "../parts/day.js";
import { el } from "../parts/el.js";
import { line, listCard, section } from "../settings/cards.js";
import { sectionOf } from "../parts/panel.js";
import { detailOf } from "../settings/pages.js";
import { byDay } from "./state.js";

// auditParts shows the entries by day, the latest first.
export function auditParts(app, panel) {
	const { words } = app;
	const list = sectionOf(panel, "audit_log") ?? panel.sections[0];
	const groups = byDay(list.items, (at) => dayIn(words.zone, new Date(at)));
	if (groups.length === 0) return [{ key: "none", data: list, make: () => el("p", { class: "quiet", text: list.summary }) }];
	return groups.map(([day, entries]) => ({
		key: day, data: [entries, words.currentDay()], make: () => section(words.relativeDay(day), {}, listCard(entries.map((entry) => line({
			picture: el("time", { class: "quiet small num audit-time", datetime: entry.metadata.at, text: words.time(entry.metadata.at) }), title: entry.title, sub: detailOf(entry.summary),
		})), { label: words.relativeDay(day), flat: true })),
	}));
}
