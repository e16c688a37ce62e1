// The first page of operators: the state of the server, and the first rows of the members, invitations and
// backups.

import { dayIn } from "../parts/day.js";
import { el, icon } from "../parts/el.js";
import { notice } from "../parts/notice.js";
import { Block } from "../settings/block.js";
import { hrefOf, section } from "../settings/cards.js";
import { sectionOf } from "../parts/panel.js";
import { pageView } from "../settings/shell.js";
import { withQuery } from "../world/dispatch.js";
import { backUpButton, inviteButton, keepCurrent } from "./actions.js";
import { membersTable } from "./members.js";
import { backupCard, invitationCard } from "./server.js";
import { readyCount, stateOf } from "./state.js";

const MEMBER_ROWS = 10; // maximum number of rows of the table of members
const LIST_ROWS = 5; // maximum number of rows of the other lists

// openOverview returns the view of the page. Each part of the page is a Block with a panel of its own, so that
// an error replaces only this part.
export function openOverview(app, route, match) {
	const { words } = app;
	const scope = app.scope();
	const lists = el("div", { class: "two oper-two", hidden: true });
	const makeBlock = (view, parts, { query = {}, ...options } = {}) => {
		const url = withQuery(match.url, { ...query, view });
		const block = new Block(app, scope, { ...options, url, parts: (panel) => parts(panel, block) });
		keepCurrent(scope, block);
		return block;
	};
	// makeList returns the Block of the view id, which shows the first rows of the view and a link to its page.
	// content(panel, block) returns the nodes of the rows.
	const makeList = (id, content, options) => makeBlock(id, (panel, block) => {
		const end = [el("a", {
			class: "quiet small", href: app.href({ kind: "operator", id }),
			"aria-label": words.operator.allOf(panel.title), text: words.operator.all(),
		})];
		return [{
			key: id, data: [panel.sections, panel.summary, words.currentDay()],
			make: () => section(panel.title, { end }, content(panel, block)),
		}];
	}, options);
	const overview = makeBlock("overview", (panel) => {
		view.setTitle(panel.title);
		return overviewParts(app, panel);
	}, { settled: () => (lists.hidden = false) }); // if they were shown earlier, the overview would move them down
	const members = makeList(
		"members", (panel, block) => membersTable(app, panel, block),
		{ query: { limit: MEMBER_ROWS }, hasMore: false, acted: () => overview.reload() }, // its tile has the numbers of members
	);
	const invitations = makeList("invitations", (panel, block) => (
		invitationCard(app, block, sectionOf(panel, "invitations"), { limit: LIST_ROWS, brief: true })
	));
	const backups = makeList("backups", (panel) => [
		el("p", { class: "quiet lead", text: panel.summary }), backupCard(app, sectionOf(panel, "backups"), LIST_ROWS),
	]);
	lists.append(members.element, el("div", { class: "stack-l" }, invitations.element, backups.element));
	const view = pageView(app, {
		route: { ...route, id: "overview" }, scope, title: words.frame.operator(), back: { kind: "settings" },
		content: el("div", { class: "stack-l" }, overview.element, lists), wide: true,
		end: () => [backUpButton(app, overview, "not-phone", backups), inviteButton(app, invitations)],
	});
	return view;
}

// overviewParts returns the parts for Slots of the panel "overview": the warnings, the tiles, and a hint on the
// name of the server.
function overviewParts(app, panel) {
	const warnings = panel.health?.warnings ?? [];
	return [
		warnings.length > 0 && {
			key: "warnings", data: warnings,
			make: () => el("div", { class: "stack-s" }, warnings.map(({ state, message, remedy }) => notice({
				kind: state === "problem" ? "bad" : "warn", title: message, text: remedy,
			}))),
		},
		{ key: "tiles", data: [tileData(panel), app.words.currentDay()], make: () => tileGrid(tiles(app, panel)) },
		{
			key: "name", data: serverName(app),
			make: () => el("p", { class: "quiet small", dir: "auto", text: app.words.operator.nameHint(serverName(app)) }),
		},
	];
}

// serverName returns the name of the server, or "".
function serverName(app) {
	return app.store.session.shell?.server?.name ?? "";
}

// tileData returns the data of the panel that the tiles show, for Slots. The sizes are rounded, because they change
// with almost every read: the free space to 100 MB, the size of the database to 1 MB.
function tileData({ health, counts, version, sections }) {
	return [
		health.warnings, health.services, Math.round((health.free_bytes ?? 0) / 1e8), Math.round(health.database.size_bytes / 1e6),
		health.database.damaged, health.database.checked_at, health.last_backup?.name, health.certificate_expires_at,
		health.time_zones?.version, counts, version, sections?.length,
	];
}

// tiles returns the tiles, which show the state of the parts of the server.
function tiles(app, panel) {
	const { words } = app;
	const text = words.operator;
	const { health, counts, version } = panel;
	const { database, last_backup: backup, certificate_expires_at: certificate, time_zones: zones } = health;
	const items = sectionOf(panel, "server")?.items ?? [];
	const titleOf = (id) => items.find((item) => item.id === id)?.title;
	const hrefTo = (id) => hrefOf(app, items.find((item) => item.id === id)?.actions?.[0]?.url);
	// tile returns the tile with an id. The title and the link come from the item with this id in the
	// section "server". checks are the checks whose warnings the tile shows by its color and icon. isKnown is whether
	// the state is known.
	const tile = (id, { icon: iconName, value, sub, checks = [id], title = titleOf(id), isKnown = true }) => (
		tileOf({ iconName, title, value, sub, href: hrefTo(id), state: stateOf(health.warnings, ...checks), isKnown })
	);
	const { ready, all } = readyCount(health.services);
	return [
		tile("services", {
			icon: "server", value: text.ready(ready, all), sub: ready === all ? text.allReady() : text.someNotReady(), checks: ["service"],
		}),
		tile("backup", {
			icon: "backup", value: backup ? words.time(backup.created_at) : text.none(),
			sub: backup ? words.relativeDay(dayIn(words.zone, new Date(backup.created_at))) : text.noBackup(), checks: ["backups"],
		}),
		tile("disk", {
			icon: "columns", value: health.free_bytes === null ? text.unknown() : text.free(words.bytes(health.free_bytes)),
			sub: text.databaseSize(words.bytes(database.size_bytes)),
		}),
		tile("database", {
			icon: "layers", value: database.damaged ? text.damaged() : database.checked_at ? text.intact() : text.unknown(),
			sub: database.checked_at ? text.checked(words.when(database.checked_at)) : text.notChecked(), isKnown: Boolean(database.checked_at),
		}),
		tile("members", { icon: "people", value: text.active(counts.active), sub: text.recent(counts.recent), checks: [] }),
		certificate && tile("certificate", {
			icon: "lock", title: text.certificate(), value: words.dayShort(dayIn(words.zone, new Date(certificate))), sub: text.certificateUntil(),
		}),
		tile("version", { icon: "info", value: version, sub: serverName(app), checks: ["clock"] }),
		zones && tile("time_zones", {
			icon: "clock", value: zones.version, sub: words.dayShort(dayIn(words.zone, new Date(zones.released_at))), checks: ["time zones"],
		}),
	].filter(Boolean);
}

// tileGrid returns the grid of the tiles. On a wide screen it has three columns if that leaves no gap.
function tileGrid(nodes) {
	return el("div", { class: `tiles${nodes.length % 3 === 0 ? " threes" : ""}` }, nodes);
}

// tileOf returns a tile, a link if href is not undefined. state is the result of stateOf.
function tileOf({ iconName, title, value, sub, href, state, isKnown }) {
	const tone = { ok: "", warning: "warn", problem: "bad" }[state] ?? "warn";
	return el(href ? "a" : "div", { class: "tile", href },
		el("p", { class: "tile-t" }, icon(iconName), el("span", { dir: "auto", text: title })),
		el("p", { class: "tile-v", text: value }),
		el("p", { class: `tile-s ${tone}` },
			tone ? icon("warning") : el("span", { class: isKnown ? "dot c-pine" : "dot" }), el("span", { dir: "auto", text: sub })));
}
