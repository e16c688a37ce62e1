// How the server is: warnings, tiles, and the latest of the members, invitations and backups.

import { dayIn } from "../parts/day.js";
import { el, icon } from "../parts/el.js";
import { notice } from "../parts/notice.js";
import { Block } from "../settings/block.js";
import { hrefOf, section } from "../settings/cards.js";
import { sectionOf } from "../parts/panel.js";
import { shell } from "../settings/shell.js";
import { withQuery } from "../world/dispatch.js";
import { backUpButton, inviteButton, keepCurrent } from "./acts.js";
import { membersTable } from "./members.js";
import { backupCard, invitationCard } from "./server.js";
import { readyCount, stateOf } from "./state.js";

const MEMBERS = 10; // rows of the table of members
const LATEST = 5; // rows of the other lists

// openOverview returns the view of the server. Each part is a panel of its own and fails alone.
export function openOverview(app, route, located) {
	const { words } = app;
	const scope = app.scope();
	const rest = el("div", { class: "two oper-two", hidden: true });
	const block = (view, parts, { query = {}, ...options } = {}) => {
		const url = withQuery(located.url, { ...query, view });
		const made = new Block(app, scope, { ...options, url, parts: (panel) => parts(panel, made) });
		keepCurrent(scope, made);
		return made;
	};
	// list returns the block of a view with the first rows of its list.
	const list = (id, content, options) => block(id, (panel, self) => {
		const end = [el("a", { class: "quiet small", href: app.href({ kind: "operator", id }), "aria-label": words.operator.allOf(panel.title), text: words.operator.all() })];
		return [{ key: id, data: [panel.sections, panel.summary, words.currentDay()], make: () => section(panel.title, { end }, content(panel, self)) }];
	}, options);
	const overview = block("overview", (panel) => {
		view.setTitle(panel.title);
		return overviewParts(app, panel);
	}, { settled: () => (rest.hidden = false) }); // otherwise the rest would move down
	const members = list("members", (panel, self) => membersTable(app, panel, self), { query: { limit: MEMBERS }, hasMore: false });
	const invitations = list("invitations", (panel, self) => invitationCard(app, self, sectionOf(panel, "invitations"), { most: LATEST, brief: true }));
	const backups = list("backups", (panel) => [el("p", { class: "quiet lead", text: panel.summary }), backupCard(app, sectionOf(panel, "backups"), LATEST)]);
	rest.append(members.element, el("div", { class: "stack-l" }, invitations.element, backups.element));
	const view = shell(app, {
		route: { ...route, id: "overview" }, scope, title: words.frame.operator(), back: { kind: "settings" }, content: el("div", { class: "stack-l" }, overview.element, rest), wide: true,
		end: () => [backUpButton(app, overview, "not-phone", backups), inviteButton(app, invitations)],
	});
	return view;
}

function overviewParts(app, panel) {
	const warnings = panel.health?.warnings ?? [];
	return [
		warnings.length > 0 && { key: "warnings", data: warnings, make: () => el("div", { class: "stack-s" }, warnings.map(({ state, message, remedy }) => notice({ kind: state === "problem" ? "bad" : "warn", title: message, text: remedy }))) },
		{ key: "tiles", data: [tileData(panel), app.words.currentDay()], make: () => tileGrid(tiles(app, panel)) },
		{ key: "name", data: serverName(app), make: () => el("p", { class: "quiet small", dir: "auto", text: app.words.operator.nameHint(serverName(app)) }) },
	];
}

function serverName(app) {
	return app.store.session.shell?.server?.name ?? "";
}

// tileData returns what the tiles show, with sizes to a megabyte: the free space changes all
// the time.
function tileData({ health, counts, version, sections }) {
	return [health.warnings, health.services, Math.round((health.free_bytes ?? 0) / 1e8), Math.round(health.database.size_bytes / 1e6), health.database.damaged, health.database.checked_at, health.last_backup?.name, health.certificate_expires_at, counts, version, sections?.length];
}

function tiles(app, panel) {
	const { words } = app;
	const text = words.operator;
	const { health, counts, version } = panel;
	const { database, last_backup: backup, certificate_expires_at: certificate } = health;
	const items = sectionOf(panel, "server")?.items ?? [];
	const titleOf = (id) => items.find((item) => item.id === id)?.title;
	const hrefTo = (id) => hrefOf(app, items.find((item) => item.id === id)?.actions?.[0]?.url);
	const tile = (id, { icon: name, value, sub, checks = [id], title = titleOf(id) }) => tileOf({ name, title, value, sub, href: hrefTo(id), state: stateOf(health.warnings, ...checks) });
	const { ready, all } = readyCount(health.services);
	return [
		tile("services", { icon: "server", value: text.ready(ready, all), sub: ready === all ? text.allReady() : text.someNotReady(), checks: ["service"] }),
		tile("backup", { icon: "backup", value: backup ? words.time(backup.created_at) : text.none(), sub: backup ? words.relativeDay(dayIn(words.zone, new Date(backup.created_at))) : text.noBackup(), checks: ["backups"] }),
		tile("disk", { icon: "columns", value: health.free_bytes === null ? text.unknown() : text.free(words.bytes(health.free_bytes)), sub: text.databaseSize(words.bytes(database.size_bytes)) }),
		tile("database", { icon: "layers", value: database.damaged ? text.damaged() : text.intact(), sub: database.checked_at ? text.checked(words.when(database.checked_at)) : text.notChecked() }),
		tile("members", { icon: "people", value: text.active(counts.active), sub: text.recent(counts.recent), checks: [] }),
		certificate && tile("certificate", { icon: "lock", title: text.certificate(), value: words.dayShort(certificate.slice(0, 10)), sub: text.certificateUntil() }),
		tile("version", { icon: "info", value: version, sub: serverName(app), checks: ["clock"] }),
	].filter(Boolean);
}

function tileGrid(nodes) {
	return el("div", { class: `tiles${nodes.length % 3 === 0 ? " threes" : ""}` }, nodes);
}

function tileOf({ name, title, value, sub, href, state }) {
	const tone = { ok: "", warning: "warn", problem: "bad" }[state] ?? "warn";
	return el(href ? "a" : "div", { class: "tile", href }, el("p", { class: "tile-t" }, icon(name), el("span", { dir: "auto", text: title })), el("p", { class: "tile-v clip", text: value }),
		el("p", { class: `tile-s ${tone}` }, tone ? icon("warning") : el("span", { class: "dot c-pine" }), el("span", { dir: "auto", text: sub })));
}
