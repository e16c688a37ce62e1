// The view of a web page that the server has read: one of its parts, and links to the other parts.

import { button, el, icon } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { notice } from "../parts/notice.js";
import { details, sectionHead } from "../parts/row.js";
import { textOf } from "../frame/problem.js";
import { moveItems } from "../frame/workspace.js";
import { itemOfFinding, itemOfSurface } from "../around/items.js";
import { keepFocus } from "../frame/focus.js";
import { openWith } from "../frame/prefilledform.js";
import { articleNodes } from "./blocks.js";
import { galleryNode, picturesOf } from "./gallery.js";
import { firstPart, pageOf, pageOfObject, translateOf } from "./page.js";
import { keepPosition, restorePosition } from "./position.js";
import { hostOf, listOf, plainText, shortText } from "./untrusted.js";
import { businessNodes, contactNodes, eventRows, hoursNodes, menuNodes } from "./tables.js";
import { sizeItems } from "./textsize.js";

// ICONS are the icons of the kinds of parts.
const ICONS = {
	article: "article", business: "shops", hours: "clock", menu: "menu", events: "calendar", gallery: "gallery", contact: "phone",
};

const FAILURE_PAUSE = 60_000; // milliseconds after a failed read before the view reads the page again by itself
const SCROLL_DEBOUNCE = 150; // milliseconds after the last scroll event before the position is stored

// open returns the view of a page.
export function open(app, route, match) {
	return new ReadView(app, route, match);
}

// ReadView is a view, see Frame. It shows one part of a page. When a member opens the finding of a page
// that has not been read, the view lets the server read it, and then shows its first part.
class ReadView {
	usesFullWidth = true;
	#currentRead = null; // object that identifies the read of the present page in progress, or null
	#error = null; // error of the latest request to read the page
	#scrollTimer = 0;

	constructor(app, route, match) {
		this.app = app;
		this.scope = app.scope();
		this.head = el("header", { class: "bar" });
		this.body = el("div", { class: "pane" });
		this.element = [this.head, this.body];
		this.keys = { e: () => this.#openMenu() };
		this.#setRoute(route, match);
		this.scope.on(["session", "objects", "actions"], () => this.#refresh());
		requestAnimationFrame(() => { // by then App has shown the view and has set the scroll position
			this.#showCurrentPart();
			if (this.body.scrollTop === 0 && scrollY === 0) this.#restorePosition();
		});
		document.addEventListener("scroll", () => this.#onScroll(), { capture: true, passive: true, signal: this.scope.signal });
	}

	// isTemporary reports whether the surface is about to be replaced by the surfaces of the parts.
	get isTemporary() {
		return this.#currentRead !== null;
	}

	// #showCurrentPart scrolls the navigation of the parts, which can be wider than the screen of a
	// phone, so that the present part is in the middle.
	#showCurrentPart() {
		const currentLink = this.body.querySelector(".art-parts [aria-current]");
		if (!currentLink) return;
		const middle = (node) => node.getBoundingClientRect().left + node.offsetWidth / 2;
		currentLink.parentNode.scrollLeft += middle(currentLink) - middle(currentLink.parentNode);
	}

	// close ends the view.
	close() {
		clearTimeout(this.#scrollTimer);
		this.scope.end();
	}

	// update shows another route in the view, and returns whether it belongs to the area of the view.
	update(route, match) {
		if (match.area !== "read") return false;
		const previousPartId = this.part?.id;
		const pageBefore = this.page;
		this.#error = null;
		this.#setRoute(route, match, pageBefore);
		this.#showCurrentPart();
		if (previousPartId === this.part?.id) return true;
		this.body.scrollTop = 0;
		scrollTo(0, 0);
		this.#restorePosition();
		return true;
	}

	#onScroll() {
		clearTimeout(this.#scrollTimer);
		this.#scrollTimer = setTimeout(() => this.#keepPosition(), SCROLL_DEBOUNCE);
	}

	// #positionKey is the key of the reading position in the sessionStorage. It contains the member,
	// because members may share a tab.
	get #positionKey() {
		return `${this.app.store.memberId} ${this.part.id}`;
	}

	// #keepPosition stores the reading position. The bar may cover the upper edge of the article.
	#keepPosition() {
		const article = this.body.querySelector("article.prose");
		if (article?.isConnected) {
			keepPosition(
				sessionStorage, this.#positionKey, article,
				Math.max(0, this.body.getBoundingClientRect().top, this.head.getBoundingClientRect().bottom),
			);
		}
	}

	#restorePosition() {
		const article = this.body.querySelector("article.prose");
		if (article) restorePosition(sessionStorage, this.#positionKey, article);
	}

	// #setRoute shows a route, and reads a page that has not been read, unless the latest read has failed
	// within FAILURE_PAUSE. It also reads the page of a finding without a translation if the page has
	// parts: they belong to an earlier finding, because the member carries them, and can be out of date.
	// previousPage is the page that the view has shown. If the route has another page, a read of the previous one in
	// progress ends without an effect on the view.
	#setRoute(route, match, previousPage) {
		Object.assign(this, { route, match });
		if (previousPage && previousPage.surface?.surface_id !== this.#pageOf(match).surface?.surface_id) this.#currentRead = null;
		this.#show();
		const translate = translateOf(this.page.surface);
		const failure = this.page.failure;
		const isPaused = failure && Date.now() - Date.parse(failure.at) < FAILURE_PAUSE;
		const isNew = !this.page.isRead
			|| (match.surface === this.page.surface && !this.page.surface.runtime_state?.translation);
		if (isNew && !this.object && translate && !isPaused && !this.#currentRead) this.read();
	}

	// #refresh renders the view again if its surface or object, or the workspace, has changed.
	#refresh() {
		const { surface, object } = this.match;
		const record = surface ? this.app.store.surface(surface.surface_id) : this.app.store.object(object?.world_object_id);
		if (!record) return; // App shows the view for a missing route
		this.match = { ...this.match, [surface ? "surface" : "object"]: record };
		const key = JSON.stringify([record, this.app.store.session.surface_runtime?.revision]);
		if (key === this.key) return;
		this.#show();
	}

	// #pageOf returns the page of the result of matchRoute.
	#pageOf({ surface, object }) {
		return surface ? pageOf(this.app.store.session, surface) : pageOfObject(this.app.store, object);
	}

	// #show renders the view for the present state of the store.
	#show() {
		const { app, match } = this;
		const { surface } = match;
		this.object = surface ? null : match.object;
		this.page = this.#pageOf(match);
		this.part = surface ? this.page.parts.find(({ id }) => id === surface.surface_id) ?? this.page.parts[0] : this.page.parts[0];
		this.key = JSON.stringify([surface ?? match.object, app.store.session.surface_runtime?.revision]); // see #refresh
		this.title = this.part?.title || this.page.title;
		keepFocus(this.head, () => this.head.replaceChildren(...this.#bar()));
		keepFocus(this.body, () => this.body.replaceChildren(this.#content()));
		if (this.app.frame.view === this) this.app.frame.refresh();
	}

	// read lets the server read the page, and then shows its first part. again is whether the page has
	// been read before: then the present part remains visible, and toasts announce the result.
	async read({ again = false } = {}) {
		const { app } = this;
		const action = translateOf(this.page.surface, { refresh: again });
		if (!action || this.#currentRead) return;
		const reading = (this.#currentRead = {});
		this.#error = null;
		if (!again) this.#show();
		const failure = await app.dispatcher.perform(action).then(() => null, (error) => error);
		if (this.#currentRead !== reading) return; // the view shows another page
		this.#currentRead = null;
		this.#error = failure;
		if (this.scope.signal.aborted) return;
		const page = pageOf(app.store.session, app.store.surface(this.page.surface.surface_id) ?? this.page.surface);
		if (again && this.#error) app.actions.showError(this.#error, () => this.read({ again: true }));
		else if (again) app.toasts.show(app.words.read.wasRead());
		const first = firstPart(page);
		if (!this.#error && !again && page.isRead && first !== this.match.surface?.surface_id) {
			return app.go({ kind: "on", id: first }, { replace: true });
		}
		this.#refresh();
		this.#show();
		if (!again) app.frame.focusTitle();
	}

	#openMenu() {
		this.head.querySelector("[aria-haspopup=menu]")?.click();
	}

	// ------------------------------------------------------------------ the bar

	// #bar returns the nodes of the bar.
	#bar() {
		const { app, page } = this;
		const { words, store } = app;
		const startConversation = store.actionOn("workspace", "social.conversation.create");
		const host = hostOf(page.url) || plainText(page.source?.host);
		const back = button({
			label: words.frame.back(), icon: "back", iconOnly: true, kind: "plain s only-phone", run: () => app.router.back({ kind: "find" }),
		});
		const menu = this.#menuItems();
		return [
			back,
			el("p", { class: "src" },
				icon("globe"),
				el("span", { class: "clip" },
					el("span", { class: "strong", text: host }), " ", el("span", { class: "quiet", text: this.#sourceText() }))),
			el("span", { class: "grow not-phone" }),
			startConversation && page.url && button({
				label: words.read.talkAbout(), icon: "send", kind: "s not-phone", run: () => this.#openConversationForm(startConversation),
			}),
			page.url && el("a",
				{ class: "btn s not-phone", href: page.url, target: "_blank", rel: "noopener noreferrer" },
				icon("out"), words.read.openPage()),
			menu.some(Boolean) && menuButton(
				button({ label: words.frame.moreFor(this.title), icon: "more", iconOnly: true, kind: "plain" }),
				() => this.#menuItems(), { label: words.frame.moreFor(this.title), end: true },
			),
		].filter(Boolean);
	}

	// #sourceText returns the time of the latest read, the language and the number of words of the page.
	#sourceText() {
		const { words } = this.app;
		const { source } = this.page;
		if (!source?.read_at) return "";
		const count = source.word_count > 0 ? words.read.wordCount(source.word_count) : "";
		return words.read.source(
			words.read.readAt(words.when(source.read_at), isToday(source.read_at, words)),
			languageName(source.language, words), count,
		);
	}

	// #openConversationForm opens the form of a new conversation about the page.
	#openConversationForm(action) {
		const { page } = this;
		return openWith(this.app, action, { title: this.title, body: page.url });
	}

	// #menuItems returns the items of the menu in the bar.
	#menuItems() {
		const { app, page, part, match } = this;
		const { words, store } = app;
		const startConversation = store.actionOn("workspace", "social.conversation.create");
		const send = store.actionOn("workspace", "start_thread");
		const surface = part?.surface ?? match.surface;
		const save = store.actionOn(surface?.service_binding?.resource_id, "save_object");
		const remove = surface?.removable && surface.commands?.remove_surface
			? { method: "POST", url: surface.commands.remove_surface, body: {} }
			: null;
		const drop = this.object && store.actionOn(this.object.world_object_id, "remove_from_workspace");
		const removeAndLeave = async (action) => (
			(await app.actions.perform(action, { doneText: words.frame.letGoDone(this.title) }))
			&& !store.surface(surface?.surface_id) && app.router.back({ kind: "today" })
		);
		return [
			page.isRead && translateOf(page.surface) && {
				label: words.read.readAgain(), icon: "undo", run: () => this.read({ again: true }),
			},
			startConversation && page.url && {
				label: words.read.talkAbout(), icon: "talk", run: () => this.#openConversationForm(startConversation),
			},
			send && page.url && {
				label: words.around.sendTo(), icon: "send", run: () => openWith(app, send, { body: `${this.title}\n${page.url}` }),
			},
			...(part?.kind === "article" ? sizeItems(words, () => { this.#show(); this.#restorePosition(); }) : []),
			page.url && {
				label: words.read.openPage(), icon: "out", run: () => window.open(page.url, "_blank", "noopener,noreferrer"),
			},
			null,
			...(page.isRead && surface ? moveItems(app, surface) : []),
			save && { label: save.label, icon: "download", run: () => app.actions.perform(save, { doneText: words.read.saved(this.title) }) },
			remove && { label: words.frame.letGo(), icon: "close", run: () => removeAndLeave(remove) },
			!remove && drop && { label: words.frame.letGo(), icon: "close", run: () => removeAndLeave(drop) },
		];
	}

	// -------------------------------------------------------------- the content

	// #content returns the current part with the navigation of the parts, or a text if the page has no part.
	#content() {
		const { app, page, part } = this;
		if (!part) {
			return el("div", { class: "measure art-unread" }, this.object && !page.isRead ? this.#savedNodes() : this.#unreadNodes());
		}
		return el("div", { class: `art-grid${page.parts.length < 2 ? " one-part" : ""}` },
			this.#partsNav(), this.#main(part), this.#side(part, app));
	}

	// #partsNav returns the navigation of the parts, or an empty element if the page has only one.
	#partsNav() {
		const { app, page, part } = this;
		const { words } = app;
		if (page.parts.length < 2) return el("div", {});
		return el("nav", { class: "art-parts", "aria-label": words.read.fromPage() },
			el("p", { class: "side-head", text: words.read.fromPage() }),
			page.parts.map((other) => {
				const count = countOf(other, app);
				return el("a",
					{ class: "nav-item", href: app.href({ kind: "on", id: other.id }), "aria-current": other === part ? "true" : null },
					icon(ICONS[other.kind]), el("span", { class: "clip", text: words.read.part(other.kind) }),
					count > 1 && el("span", { class: "quiet end-x num", text: words.number(count) }));
			}));
	}

	// #main returns a part. The title of a part that is neither an article nor a business is its kind,
	// such as "Menu"; the name of the business or of the article is above it.
	#main(part) {
		const { app } = this;
		const { words } = app;
		const failureNotice = this.page.failure && notice({ kind: "warn", text: words.read.oldText(this.page.failure.reason) });
		if (part.kind === "article") return el("div", {}, failureNotice, articleNodes(app, part));
		const name = shortText(part.content.name) || part.title;
		const label = part.kind === "business" ? "" : words.read.part(part.kind);
		const nodes = {
			business: () => businessNodes(app, part.content),
			hours: () => hoursNodes(app, part.content, this.#placeItem()),
			menu: () => menuNodes(part.content, words),
			events: () => [eventRows(app, part.content, { source: this.page.url })],
			gallery: () => [galleryNode(app, part.content)],
			contact: () => contactNodes(app, part.content),
		}[part.kind]();
		const title = part.kind === "business" || !label || name === label ? name : label;
		const sub = title === name ? "" : businessName(this.page) || (
			part.kind === "menu" || part.kind === "hours"
				? name
				: this.page.parts[0].kind === "article" ? this.page.parts[0].title : ""
		);
		return el("div", { class: "art-part stack" },
			failureNotice, sub && sub !== title && el("p", { class: "kicker", dir: "auto", text: sub }),
			el("h1", { class: "art-title", tabindex: "-1", dir: "auto", text: title }),
			nodes.length > 0 ? nodes : el("p", { class: "quiet", text: words.nothingYet() }));
	}

	// #placeItem returns the item of the place whose website is this page, or null. The item has the
	// time zone of the place, and whether it is open.
	#placeItem() {
		const { store } = this.app;
		const isPlaceOfPage = (item) => item && item.kind === "place" && item.website === this.page.url;
		const findings = listOf(store.dataset?.findings).map(itemOfFinding);
		const surfaces = listOf(store.session.surface_runtime?.surfaces)
			.filter(({ surface_type: type }) => type === "map_surface").map(itemOfSurface);
		return [...findings, ...surfaces].find(isPlaceOfPage) ?? null;
	}

	// #side returns the column beside a part: an explanation, and the events of the page.
	#side(part, app) {
		const { words } = app;
		const events = part.kind !== "events" && this.page.parts.find(({ kind }) => kind === "events");
		const translate = this.page.isRead && translateOf(this.page.surface);
		return el("aside", { class: "art-side", "aria-label": words.read.aboutPage() },
			el("div", { class: "well stack-s" },
				el("p", { class: "strong small", text: words.read.whyTitle() }), el("p", { class: "quiet small", text: words.read.why() }),
				translate && button({
					label: words.read.readAgain(), icon: "undo", kind: "s", run: (event) => this.#readAgain(event.currentTarget),
				})),
			events && el("section", { class: "stack-s" },
				sectionHead(words.read.eventsOnPage()), eventRows(app, events.content, { source: this.page.url })));
	}

	// #readAgain reads the page again. node is the button, which is busy meanwhile.
	async #readAgain(node) {
		node.setAttribute("aria-busy", "true");
		await this.read({ again: true });
		node.removeAttribute("aria-busy");
	}

	// #unreadNodes returns the content while the server reads the page, or for a page that has not been
	// read or cannot be read.
	#unreadNodes() {
		const { app, page } = this;
		const { words } = app;
		const title = el("h1", { class: "art-title", tabindex: "-1", dir: "auto", text: page.title });
		const summary = page.summary && el("p", { dir: "auto", text: page.summary });
		if (this.#currentRead) {
			return el("div", { class: "stack" }, title, summary,
				el("p", { class: "quiet small", role: "status", text: words.read.reading(hostOf(page.url)) }), skeleton({ words, rows: 4 }));
		}
		const reason = this.#error ? textOf(this.#error, words) : page.failure?.reason;
		const translate = translateOf(page.surface);
		const open = page.url && el("a",
			{ class: "btn primary", href: page.url, target: "_blank", rel: "noopener noreferrer" },
			icon("out"), words.read.openIt());
		const readButton = translate && button({
			label: reason ? words.tryAgain() : words.read.readHere(), icon: reason ? "undo" : "article", run: () => this.read(),
		});
		return el("div", { class: "stack" }, title, summary,
			reason && notice({ kind: "warn", title: words.read.unreadable(), text: reason }),
			el("div", { class: "line wrap" }, open, readButton));
	}

	// #savedNodes returns the content for a saved page whose surfaces do not exist any more: the summaries
	// and details of its parts.
	#savedNodes() {
		const { app, page } = this;
		const { words } = app;
		const open = page.url && el("a",
			{ class: "btn primary", href: page.url, target: "_blank", rel: "noopener noreferrer" },
			icon("out"), words.read.openPage());
		const parts = listOf(page.saved);
		return el("div", { class: "stack" },
			el("h1", { class: "art-title", tabindex: "-1", dir: "auto", text: page.title }),
			page.summary && el("p", { dir: "auto", text: page.summary }), el("div", { class: "line wrap" }, open),
			parts.map((part) => el("section", {},
				sectionHead(plainText(part.title) || words.read.part(part.kind)),
				part.summary && part.summary !== page.summary && el("p", { class: "small", dir: "auto", text: plainText(part.summary) }),
				listOf(part.details).length > 0 && details(listOf(part.details).map(([label, value]) => [plainText(label), plainText(value)])))),
			parts.length === 0 && emptyView({ art: "lamp", title: words.read.notRead(), text: words.read.findAgain(), level: 2 }));
	}
}

// countOf returns the number of pictures or events of a part, 0 for other kinds.
function countOf({ kind, content }, app) {
	if (kind === "gallery") return picturesOf(content, (path) => app.client.address(path), app.paths.session).length;
	return kind === "events" ? listOf(content.events).length : 0;
}

// businessName returns the name of the business that a page describes, or "".
function businessName({ parts }) {
	return shortText(parts.find(({ kind }) => kind === "business")?.content.name);
}

// isToday reports whether an instant is in the present day of the time zone of the member.
function isToday(instant, words) {
	return words.currentDay() === new Intl.DateTimeFormat("en-CA", { timeZone: words.zone }).format(new Date(instant));
}

// languageName returns the name of a language in the language of the member. It returns "" for the
// language of the member itself, for an invalid tag, and without a tag.
function languageName(tag, words) {
	if (!tag || tag.split("-")[0] === words.locale.split("-")[0]) return "";
	try {
		return new Intl.DisplayNames(words.language, { type: "language" }).of(tag) ?? "";
	} catch {
		return "";
	}
}
