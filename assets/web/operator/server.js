// The pages of operators for invitations, backups, services, regions of the map and providers.

import { el } from "../parts/el.js";
import { emptyView, progressBar } from "../parts/empty.js";
import { notice } from "../parts/notice.js";
import { tag } from "../parts/badge.js";
import { buttonOf, line, listCard, roundMark, section } from "../settings/cards.js";
import { sectionOf } from "../parts/panel.js";
import { inviteOptions } from "./actions.js";
import { doneShare } from "./state.js";

// invitationParts returns the part for Slots with the invitations that have not expired, including used ones.
export function invitationParts(app, panel, block) {
	const list = sectionOf(panel, "invitations");
	if (list.items.length === 0) return [{
		key: "none", data: list,
		make: () => emptyView({
			art: "chair", title: list.summary, text: app.words.operator.invitationsText(), action: inviteOptions(app, block), level: 2,
		}),
	}];
	return [{
		key: "invitations", data: [list, app.words.currentDay()],
		make: () => section(list.title, { lead: app.words.operator.invitationsLead() }, invitationCard(app, block, list)),
	}];
}

// invitationCard returns the list of the invitations in a section. Options: limit, the maximum number of rows;
// brief, whether the buttons show icons alone.
export function invitationCard(app, block, list, { limit = Infinity, brief = false } = {}) {
	return listCard(list.items.slice(0, limit).map((item) => line({
		picture: roundMark("invite"), title: item.title, sub: item.summary,
		end: (item.actions ?? []).map((action) => buttonOf(block, action, { name: item.title, icon: brief ? "trash" : undefined })),
	})), { label: list.title, empty: list.summary });
}

// backupParts returns the parts for Slots: the latest backup job unless it is done, and the list of backups.
export function backupParts(app, panel) {
	const { words } = app;
	const job = panel.backup_job;
	const list = sectionOf(panel, "backups");
	return [
		job && job.state !== "done" && { key: "job", data: job, make: () => jobNode(words, job) },
		{ key: "backups", data: list, make: () => section(list.title, { lead: panel.summary }, backupCard(app, list)) },
	];
}

// jobNode returns the progress of a running backup, or a notice for a failed one.
function jobNode(words, job) {
	const text = words.operator;
	if (job.state === "failed") return notice({ kind: "bad", title: text.backupFailed(), text: job.message });
	const size = [
		text.backupRunning(), job.total_bytes > 0 && text.used(words.bytes(job.done_bytes), words.bytes(job.total_bytes)),
	].filter(Boolean).join(" · ");
	return el("div", { class: "card" }, el("div", { class: "card-body" },
		progressBar({ label: text.backupRunning(), part: doneShare(job), text: size }).element));
}

// backupCard returns the list of the backups in a section, which may be undefined. limit is the maximum number of
// rows.
export function backupCard(app, list, limit = Infinity) {
	const items = (list?.items ?? []).slice(0, limit);
	return listCard(items.map((item) => line({
		picture: item.metadata.verified ? roundMark("check", "ok") : roundMark("warning", "no"), title: item.title, sub: item.summary,
	})), { label: list?.title, empty: list?.summary });
}

// serviceParts returns the part for Slots with the state of each service.
export function serviceParts(app, panel) {
	const list = sectionOf(panel, "services");
	return [{
		key: "services", data: list,
		make: () => section(list.title, {}, listCard(list.items.map((item) => line({
			picture: item.metadata.state === "ready" ? roundMark("check", "ok") : roundMark("warning", "no"), title: item.title, sub: item.summary,
		})), { label: list.title })),
	}];
}

// regionParts returns the part for Slots with the regions of the map.
export function regionParts(app, panel, block) {
	const { words } = app;
	const list = sectionOf(panel, "map_regions");
	return [{
		key: "regions", data: list,
		make: () => section(list.title, { lead: words.operator.regionsLead() }, listCard(list.items.map((item) => line({
			picture: roundMark("map"), title: item.title,
			sub: [item.summary, item.metadata.file_size > 0 && words.bytes(item.metadata.file_size)].filter(Boolean).join(" · "),
			tags: item.metadata.status === "importing" ? [tag(words.operator.importing(), { tone: "accent" })] : [],
			end: (item.actions ?? []).map((action) => buttonOf(block, action, {
				label: words.remove(), name: item.title, doneText: words.operator.removed(item.title),
			})),
		})), { label: list.title, empty: list.summary })),
	}];
}

// providerParts returns the part for Slots with the providers that all members see, and the failures of their
// feeds.
export function providerParts(app, panel, block) {
	const { words } = app;
	const list = sectionOf(panel, "providers");
	const feedsOf = new Map((panel.providers ?? []).map(({ id, feeds }) => [id, feeds ?? []]));
	return [{
		key: "providers", data: [list, panel.providers],
		make: () => section(list.title, { lead: words.operator.providersLead() }, listCard(list.items.map((item) => line({
			picture: item.metadata.state === "ready" ? roundMark("layers", "ok") : roundMark("warning", "no"), title: item.title,
			sub: [
				item.summary,
				...(feedsOf.get(item.id) ?? []).filter(({ failure }) => failure)
					.map(({ title, host, failure }) => `${title || host}: ${failure}`),
			].join(" · "),
			end: (item.actions ?? []).filter(({ method }) => method !== "GET").map((action) => (action.type === "admin.provider.remove"
				? buttonOf(block, action, { label: words.remove(), name: item.title, doneText: words.operator.removed(item.title) })
				: buttonOf(block, action, { name: item.title, doneText: words.operator.changed(item.title, action.id) }))),
		})), { label: list.title, empty: list.summary })),
	}];
}
