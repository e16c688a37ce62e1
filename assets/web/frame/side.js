// The navigation of the page: a column with the dock, the stacks and the member, and the bar of a phone.

import { avatar, presenceText } from "../parts/avatar.js";
import { badge } from "../parts/badge.js";
import { ICONS, el, icon, screenReaderText } from "../parts/el.js";
import { menuButton, openMenu } from "../parts/menu.js";
import { carriedEntries, leftContextSurfaces, otherStacks } from "./workspace.js";

const PHONE_ITEMS = 4; // maximum number of items in the bar of a phone after Today

// Side renders the navigation.
export class Side {
	element = el("header", { class: "side" }); // the column
	dock = el("nav", { class: "dock" }); // the bar of a phone
	#inputs = []; // what the shown navigation depends on

	constructor(app) {
		this.app = app;
	}

	// show renders the navigation for the present session. The parameter is the result of matchRoute: its
	// item of the dock, surface or object is current. It does nothing if the same navigation is shown.
	show({ dock, surface, object } = {}) {
		const { app } = this;
		const { words, store } = app;
		const inputs = [store.session, store.dataset, dock, surface, object];
		if (inputs.every((input, i) => input === this.#inputs[i])) return;
		this.#inputs = inputs;
		const items = dockItems(app);
		const current = itemShown(app, dock);
		const server = store.session.shell?.server?.name ?? location.hostname;
		this.element.replaceChildren(
			el("a", { class: "house", href: app.href({ kind: "today" }) },
				icon("house", "i-l"), el("span", { class: "clip", dir: "auto", text: server })),
			el("button",
				{
					type: "button", class: "search-btn", "aria-label": words.frame.findOrGo(), "aria-keyshortcuts": "/",
					on: { click: () => app.openFind() },
				},
				icon("search"), el("span", { class: "clip", text: words.frame.findOrGo() }), el("kbd", { text: "/", "aria-hidden": "true" })),
			el("nav", { "aria-label": server },
				el("div", { class: "nav" }, items.map((item) => this.#item(item, item.id === current && !showsOtherSurface(surface, item))))),
			...this.#stacks(surface, object),
			el("div", { class: "side-end" },
				leftContextSurfaces(store).map((other) => this.#item({
					route: { kind: "on", id: other.surface_id }, label: other.title, icon: iconNamed(other.icon), badge: other.badge?.count,
				}, other.surface_id === surface?.surface_id)),
				this.#me()),
		);
		this.dock.setAttribute("aria-label", words.frame.dock());
		this.dock.replaceChildren(...phoneItems(items).map((item) => this.#dockItem(item, item.id === current)));
	}

	// #item returns the link of an item in the column.
	#item({ route, label, icon: name, badge: count }, isCurrent) {
		return el("a",
			{ class: "nav-item", href: this.app.href(route), "aria-current": isCurrent ? "page" : null, title: label },
			icon(name), el("span", { class: "clip", dir: "auto", text: label }), badge(count, { words: this.app.words }));
	}

	// #dockItem returns the link of an item in the bar of a phone.
	#dockItem({ route, label, icon: name, badge: count }, isCurrent) {
		return el("a",
			{ href: this.app.href(route), "aria-current": isCurrent ? "page" : null },
			icon(name), el("span", { class: "clip", dir: "auto", text: label }), badge(count, { words: this.app.words }));
	}

	// #stacks returns the lists of the carried entries and of otherStacks.
	#stacks(surface, object) {
		const { words } = this.app;
		const entries = carriedEntries(this.app);
		const lists = [
			entries.length > 0 && this.#list(words.carried(), entries, surface, object),
			...otherStacks(this.app).map(({ title, entries: others }) => this.#list(title, others, surface, object)),
		];
		return lists.filter(Boolean);
	}

	// #list returns a list of entries, see carriedEntries, with a title. The entry of the surface or the object
	// is current.
	#list(title, entries, surface, object) {
		const list = el("div", { class: "nav" });
		const nodes = entries.map((entry) => (
			this.#carriedItem(entry, entries, list, entry.id === (surface?.surface_id ?? object?.world_object_id))
		));
		list.append(...nodes);
		return el("nav", { "aria-label": title }, el("div", { class: "side-head" }, el("span", { dir: "auto", text: title })), list);
	}

	// #carriedItem returns the link of an entry with its context menu and the button that removes it. The
	// pointer and the keyboard can move it within entries, whose nodes are in list.
	#carriedItem(entry, entries, list, isCurrent) {
		const { app } = this;
		const { words } = app;
		const link = el("a",
			{
				class: "nav-item", href: app.href(entry.route), "aria-current": isCurrent ? "page" : null, title: entry.title,
				draggable: entry.move ? "true" : null, "aria-keyshortcuts": entry.move ? "Alt+ArrowUp Alt+ArrowDown" : null,
			},
			icon(iconNamed(entry.icon)), el("span", { class: "clip", dir: "auto", text: entry.title }), badge(entry.badge, { words }));
		link.addEventListener("keydown", (event) => this.#onKey(event, entry, entries));
		if (entry.move) makeDraggable(link, entry, entries, list);
		const items = [
			{ label: words.frame.open(), icon: "right", run: () => app.go(entry.route) },
			...(entry.moveItems ?? []),
			entry.remove && { label: words.frame.letGo(), icon: "close", run: entry.remove },
		].filter(Boolean);
		let hideMenu = () => {};
		link.addEventListener("contextmenu", (event) => {
			event.preventDefault();
			hideMenu();
			hideMenu = openMenu(link, items, { label: entry.title });
		});
		const close = entry.remove && el("button", {
			type: "button", class: "let-go", "aria-label": words.frame.letGoOf(entry.title), title: words.frame.letGo(),
			on: { click: entry.remove },
		}, icon("close", "i-s"));
		return el("div", { class: "carried" }, link, close);
	}

	// #onKey handles the keys of an entry: Delete removes it, Alt with an arrow key moves it.
	async #onKey(event, entry, entries) {
		if (event.key === "Delete" && entry.remove) {
			event.preventDefault();
			entry.remove();
			return;
		}
		if (!event.altKey || !entry.move || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
		event.preventDefault();
		const from = entries.indexOf(entry);
		const to = from + (event.key === "ArrowUp" ? -1 : 1);
		if (to < 0 || to >= entries.length) return;
		if ((await entry.move(to)) !== null) this.app.say(this.app.words.frame.moved(entry.title, to + 1, entries.length));
	}

	// #me returns the button with the name and the presence of the member, which opens their menu.
	#me() {
		const { app } = this;
		const { words } = app;
		const self = app.signedInMember();
		const node = el("button", { type: "button", class: "me" },
			avatar({ ...self, name: self.name, presence: self.presence }),
			el("span", {},
				el("span", { class: "strong clip", dir: "auto", text: self.name }), el("br"),
				el("span", {
					class: "quiet tiny clip", dir: "auto",
					text: [self.presence && words.frame.presence(self.presence), self.note].filter(Boolean).join(" · "),
				})),
			self.presence ? presenceText(self.presence, words) : screenReaderText(words.frame.ownMenu()), icon("more"));
		return menuButton(node, () => app.memberMenuItems(), { label: words.frame.ownMenu() });
	}
}

// showsOtherSurface reports whether an item of the dock focuses another surface than the current one.
function showsOtherSurface(surface, item) {
	return surface && item.surfaceId && item.surfaceId !== surface.surface_id;
}

// iconNamed returns the name of an icon, or "puzzle" for an unknown one.
function iconNamed(name) {
	return ICONS.has(name) ? name : "puzzle";
}

// itemShown returns the id of the item that is shown for an item of the dock: of items that open the same
// screen, only one is shown.
function itemShown(app, id) {
	const items = app.store.session.shell?.dock?.items ?? [];
	const { part_of: whole } = items.find((item) => item.id === id) ?? {};
	return items.some((item) => item.id === whole) ? whole : id;
}

// dockItems returns Today and the shown items of the dock in the order of the server, see itemShown, as a list of
// { id, label, icon, badge, route, isEssential, surfaceId }. surfaceId is the id of the surface that the
// item focuses, or null; isEssential is whether the bar of a phone may contain the item.
export function dockItems(app) {
	const { words, store } = app;
	const items = store.session.shell?.dock?.items ?? [];
	return [
		{ id: "today", label: words.today(), icon: "house", route: { kind: "today" }, isEssential: true },
		...items.filter(({ id }) => itemShown(app, id) === id).map((item) => ({
			id: item.id, label: item.label, icon: iconNamed(item.icon), badge: item.badge?.count, route: { kind: "in", id: item.id, query: {} },
			isEssential: item.essential, surfaceId: item.action?.type === "focus_surface" ? item.action.body?.surface_id : null,
		})),
	];
}

// phoneItems returns the items for the bar of a phone: Today and the first PHONE_ITEMS essential items.
// items is the result of dockItems.
export function phoneItems(items) {
	return [items[0], ...items.slice(1).filter(({ isEssential }) => isEssential).slice(0, PHONE_ITEMS)];
}

// makeDraggable enables drag and drop for the link of an entry: a drop on it moves the dragged entry of
// the same list to its position. The property list.dragged is the dragged entry, or null.
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
