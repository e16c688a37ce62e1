// The side of the page: the dock, the carried entries, and the member; on a phone the dock below.

import { avatar, presenceText } from "../parts/avatar.js";
import { badge } from "../parts/badge.js";
import { ICONS, el, icon, spoken } from "../parts/el.js";
import { openMenu } from "../parts/menu.js";
import { aboveOneself, carried, stacksBeside } from "./workspace.js";

const ON_PHONE = 4; // items of the dock on a phone, beside Today

// Side shows the dock and the stacks.
export class Side {
	// element is the column, dock the bar on phones.
	element = el("header", { class: "side" });
	dock = el("nav", { class: "dock" });

	constructor(app) {
		this.app = app;
	}

	// show shows the session with the present item of the dock, or the surface or object that
	// is in the centre.
	show({ dock, surface, object } = {}) {
		const { app } = this;
		const { words, store } = app;
		const items = dockItems(app);
		const server = store.session.shell?.server?.name ?? location.hostname;
		this.element.replaceChildren(
			el("a", { class: "house", href: app.href({ kind: "today" }) }, icon("house", "i-l"), el("span", { class: "clip", dir: "auto", text: server })),
			el("button", { type: "button", class: "search-btn", "aria-label": words.frame.findOrGo(), "aria-keyshortcuts": "/", on: { click: () => app.openFind() } },
				icon("search"), el("span", { text: words.frame.findOrGo() }), el("kbd", { text: "/", "aria-hidden": "true" })),
			el("nav", { "aria-label": server }, el("div", { class: "nav" }, items.map((item) => this.#item(item, item.id === dock && !surfaceIsOther(surface, item))))),
			...this.#stacks(surface, object),
			el("div", { class: "side-end" }, aboveOneself(store).map((other) => this.#item({ route: { kind: "on", id: other.surface_id }, label: other.title, icon: iconNamed(other.icon), badge: other.badge?.count }, other.surface_id === surface?.surface_id)), this.#me()),
		);
		this.dock.setAttribute("aria-label", words.frame.dock());
		this.dock.replaceChildren(...onPhone(items).map((item) => this.#dockItem(item, item.id === dock)));
	}

	#item({ route, label, icon: name, badge: count }, isCurrent) {
		return el("a", { class: "nav-item", href: this.app.href(route), "aria-current": isCurrent ? "page" : null, title: label }, icon(name), el("span", { class: "clip", dir: "auto", text: label }), badge(count, { words: this.app.words }));
	}

	#dockItem({ route, label, icon: name, badge: count }, isCurrent) {
		return el("a", { href: this.app.href(route), "aria-current": isCurrent ? "page" : null }, icon(name), el("span", { class: "clip", dir: "auto", text: label }), badge(count, { words: this.app.words }));
	}

	// #stacks returns the carried entries, and each other stack that is not shown elsewhere.
	#stacks(surface, object) {
		const { words } = this.app;
		const entries = carried(this.app);
		const lists = [
			entries.length > 0 && this.#list(words.carried(), entries, surface, object),
			...stacksBeside(this.app).map(({ title, entries: others }) => this.#list(title, others, surface, object)),
		];
		return lists.filter(Boolean);
	}

	#list(title, entries, surface, object) {
		const list = el("div", { class: "nav" });
		const nodes = entries.map((entry) => this.#carriedItem(entry, entries, list, entry.id === (surface?.surface_id ?? object?.world_object_id)));
		list.append(...nodes);
		return el("nav", { "aria-label": title }, el("div", { class: "side-head" }, el("span", { dir: "auto", text: title })), list);
	}

	#carriedItem(entry, entries, list, isCurrent) {
		const { app } = this;
		const { words } = app;
		const link = el("a", { class: "nav-item", href: app.href(entry.route), "aria-current": isCurrent ? "page" : null, title: entry.title, draggable: entry.move ? "true" : null, "aria-keyshortcuts": entry.move ? "Alt+ArrowUp Alt+ArrowDown" : null },
			icon(iconNamed(entry.icon)), el("span", { class: "clip", dir: "auto", text: entry.title }), badge(entry.badge, { words }));
		link.addEventListener("keydown", (event) => this.#onKey(event, entry, entries));
		if (entry.move) makeDraggable(link, entry, entries, list);
		const items = [
			{ label: words.frame.open(), icon: "right", run: () => app.go(entry.route) },
			...(entry.acts ?? []),
			entry.letGo && { label: words.frame.letGo(), icon: "close", run: entry.letGo },
		].filter(Boolean);
		link.addEventListener("contextmenu", (event) => {
			event.preventDefault();
			openMenu(link, items, { label: entry.title });
		});
		const close = entry.letGo && el("button", { type: "button", class: "let-go", "aria-label": words.frame.letGoOf(entry.title), title: words.frame.letGo(), on: { click: entry.letGo } }, icon("close", "i-s"));
		return el("div", { class: "carried" }, link, close);
	}

	#onKey(event, entry, entries) {
		if (event.key === "Delete" && entry.letGo) {
			event.preventDefault();
			return entry.letGo();
		}
		if (!event.altKey || !entry.move || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
		event.preventDefault();
		const from = entries.indexOf(entry);
		const to = from + (event.key === "ArrowUp" ? -1 : 1);
		if (to < 0 || to >= entries.length) return;
		entry.move(to);
		this.app.say(this.app.words.frame.moved(entry.title, to + 1, entries.length));
	}

	// #me returns the button with the member and their presence, which opens the menu of what
	// is theirs.
	#me() {
		const { app } = this;
		const { words } = app;
		const self = app.self();
		const node = el("button", { type: "button", class: "me", "aria-haspopup": "menu", "aria-expanded": "false", on: { click: () => app.openOwnMenu(node) } },
			avatar({ ...self, name: self.name, presence: self.presence }),
			el("span", {}, el("span", { class: "strong clip", dir: "auto", text: self.name }), el("br"), el("span", { class: "quiet tiny clip", dir: "auto", text: [self.presence && words.frame.presence(self.presence), self.note].filter(Boolean).join(" · ") })),
			self.presence ? presenceText(self.presence, words) : spoken(words.frame.ownMenu()), icon("more"));
		return node;
	}
}

function surfaceIsOther(surface, item) {
	return surface && item.surfaceId && item.surfaceId !== surface.surface_id;
}

// iconNamed returns the name of an icon, or that of the one for unknown names.
function iconNamed(name) {
	return ICONS.has(name) ? name : "puzzle";
}

// dockItems returns Today and the items of the dock in the order of the server.
export function dockItems(app) {
	const { words, store } = app;
	const items = store.session.shell?.dock?.items ?? [];
	return [
		{ id: "today", label: words.today(), icon: "house", route: { kind: "today" }, isEssential: true },
		...items.map((item) => ({
			id: item.id, label: item.label, icon: iconNamed(item.icon), badge: item.badge?.count, route: { kind: "in", id: item.id, query: {} },
			isEssential: item.essential, surfaceId: item.action?.type === "focus_surface" ? item.action.body?.surface_id : null,
		})),
	];
}

// onPhone returns the items of the bar on a phone: Today and the first essential ones.
export function onPhone(items) {
	return [items[0], ...items.slice(1).filter(({ isEssential }) => isEssential).slice(0, ON_PHONE)];
}

// makeDraggable lets the pointer move an entry to another position of its list.
function makeDraggable(link, entry, entries, list) {
	link.addEventListener("dragstart", (event) => {
		event.dataTransfer.effectAllowed = "move";
		event.dataTransfer.setData("text/plain", entry.title);
		list.dragged = entry;
		link.classList.add("is-dragged");
	});
	link.addEventListener("dragend", () => {
		list.dragged = null;
		link.classList.remove("is-dragged");
	});
	link.addEventListener("dragover", (event) => {
		if (!list.dragged || list.dragged === entry) return;
		event.preventDefault();
	});
	link.addEventListener("drop", (event) => {
		if (!list.dragged || list.dragged === entry) return;
		event.preventDefault();
		list.dragged.move(entries.indexOf(entry));
	});
}
