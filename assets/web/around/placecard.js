// The card of a place: its details and its actions.

import { copyText } from "../parts/copy.js";
import { button, el, icon, isTouch } from "../parts/el.js";
import { menuButton } from "../parts/menu.js";
import { minutesOnFoot } from "./items.js";
import { mapAppURL } from "./mapapp.js";
import { hoursDetails } from "./openness.js";
import { eventRows, menuNodes } from "../read/tables.js";
import { pageOfAddress, translateOf } from "../read/page.js";
import { hostOf, list, phoneURL, plain } from "../read/safe.js";

// placeCard returns the content of the card of an item, as a list of nodes. Options: titleId;
// close(); lookHere(), to look around the place, or null; read(surface), which reads its page.
export function placeCard(app, place, { titleId, close, lookHere, read }) {
	const { words } = app;
	const item = withPage(app.store, place);
	const text = words.around;
	const walk = minutesOnFoot(item.distance);
	const sub = [item.detail, item.distance !== null && text.distance(item.distance), walk && text.onFoot(words.minutes(walk))].filter(Boolean).join(" · ");
	return [
		el("div", { class: "place-top" },
			el("div", { class: "grow" }, el("h2", { id: titleId, tabindex: "-1", dir: "auto", text: item.title }), sub && el("p", { class: "quiet small", dir: "auto", text: sub })),
			carryButton(app, item), button({ label: words.close(), icon: "close", only: true, kind: "plain s", run: close })),
		el("div", { class: "place-body stack" }, actionLine(app, item, lookHere), facts(app, item, read), ...pageNodes(app, item), credit(app, item)),
	];
}

// withPage returns an item with the telephone number and the address that its page has, if it has
// none itself.
function withPage(store, item) {
	const page = item.website && pageOfAddress(store, item.website);
	const business = page?.parts?.find(({ kind }) => kind === "business")?.content;
	return business ? { ...item, phone: item.phone || plain(list(business.phones)[0]), address: item.address || plain(business.address?.text) } : item;
}

// carryButton returns the button that carries the place or lets it go, or null.
function carryButton(app, item) {
	const { store, words } = app;
	const object = carriedPlace(store, item.id);
	if (object) {
		const remove = store.actionOn(object.world_object_id, "remove_from_workspace");
		return remove && button({ label: words.frame.letGoOf(item.title), icon: "carry", only: true, kind: "plain s", "aria-pressed": "true", run: () => app.acts.act(remove, { done: words.frame.letGoDone(item.title) }) });
	}
	const open = store.actionOn(item.id, "open_finding") ?? item.request;
	return open && button({ label: words.frame.carry(), icon: "carry", only: true, kind: "plain s", run: () => app.acts.act(open, { done: words.around.carried(item.title) }) });
}

// carriedPlace returns the object of a place in the workspace, or undefined.
export function carriedPlace(store, id) {
	return store.dataset?.objects?.find(({ object_type: type, source }) => type === "place" && source?.resource_id === id);
}

function actionLine(app, item, lookHere) {
	const { store, words } = app;
	const text = words.around;
	const where = addressOf(item);
	const meet = store.actionOn("workspace", "social.event.create");
	const entry = store.actionsOn("workspace").find(({ type, command }) => type === "create_time_object" && command?.body?.object_type === "calendar_event");
	const send = store.actionOn("workspace", "start_thread");
	const talk = store.actionOn("workspace", "social.conversation.create");
	const call = phoneURL(item.phone);
	const mapApp = item.latitude !== null && { label: text.mapApp(), icon: "map", href: mapAppURL(item, navigator.platform) };
	const here = [
		entry && { label: text.toCalendar(), icon: "calendar", run: () => openWith(app, entry, { location: where }) },
		talk && { label: text.talkAbout(), icon: "talk", run: () => openWith(app, talk, { title: item.title, body: shared(item) }) },
		lookHere && { label: text.lookAround(), icon: "locate", run: lookHere },
	].filter(Boolean);
	const more = [
		...here,
		here.length > 0 && null,
		!isTouch() && mapApp,
		{ label: text.copyAddress(), icon: "copy", run: async () => app.toasts.show((await copyText(where, menu)) ? text.addressCopied() : words.notCopied()) },
		navigator.share && { label: text.share(), icon: "upload", run: () => share(item) },
	].filter((entry) => entry === null || entry);
	const menu = menuButton(button({ label: words.frame.moreFor(item.title), icon: "more", only: true, kind: "s" }), () => more, { label: words.frame.moreFor(item.title), end: true });
	return el("div", { class: "line wrap" },
		meet && button({ label: text.meetHere(), icon: "people", kind: "s primary", run: () => openWith(app, meet, { location: where }) }),
		isTouch() && mapApp && el("a", { class: "btn s", href: mapApp.href }, icon("map"), mapApp.label),
		call && el("a", { class: "btn s", href: call }, icon("phone"), text.call()),
		item.website && el("a", { class: "btn s", href: item.website, target: "_blank", rel: "noopener noreferrer" }, icon("globe"), text.website()),
		send && button({ label: text.sendTo(), icon: "send", kind: "s", run: () => openWith(app, send, { body: shared(item) }) }),
		menu);
}

// openWith opens the form of an action with values in some of its controls, as far as it has them.
export function openWith(app, action, values) {
	const controls = action.controls.map((control) => (values[control.id] !== undefined ? { ...control, default: cut(values[control.id], control.max_length) } : control));
	return app.acts.form({ ...action, controls }, { keep: false, done: app.words.frame.done() });
}

const cut = (text, length) => (length && typeof text === "string" ? text.slice(0, length) : text);

const addressOf = (item) => [item.title, item.address].filter(Boolean).join(", ");

// shared returns a place as a text for other members.
function shared(item) {
	return [addressOf(item), item.website].filter(Boolean).join("\n");
}

// share opens the dialog of the device that sends a place to other apps. A member who closes it
// has changed their mind.
function share(item) {
	return navigator.share({ title: item.title, text: shared(item) }).catch(() => {});
}

function facts(app, item, read) {
	const { words } = app;
	const text = words.around;
	const fact = (name, label, ...content) => el("div", {}, el("dt", {}, icon(name), el("span", { class: "sr", text: label })), el("dd", {}, content));
	const hours = hoursDetails(item, words);
	const page = item.website && pageOfAddress(app.store, item.website);
	const finding = page && !page.isRead && translateOf(page.surface);
	return el("dl", { class: "facts tight" },
		hours && fact("clock", text.hours(), hours),
		item.address && fact("pin", text.address(), el("span", { dir: "auto", text: item.address })),
		item.phone && fact("phone", text.phone(), phoneURL(item.phone) ? el("a", { class: "link", href: phoneURL(item.phone), dir: "ltr", text: item.phone }) : el("span", { dir: "auto", text: item.phone })),
		item.website && fact("globe", text.website(),
			el("a", { class: "link clip", href: item.website, target: "_blank", rel: "noopener noreferrer", text: hostOf(item.website) }),
			page?.isRead && el("span", { class: "quiet" }, text.pageGave(words.list(page.parts.map(({ kind }) => words.read.partOf(kind)))), " ", el("a", { class: "link", href: app.href({ kind: "on", id: page.parts[0].id }), text: text.readIt() })),
			finding && el("span", {}, button({ label: text.readPage(), icon: "article", kind: "s act-b", run: (event) => read(page.surface, event.currentTarget) }))));
}

// pageNodes returns the menu and the events that the page of the place describes.
function pageNodes(app, item) {
	const { words } = app;
	const page = item.website && pageOfAddress(app.store, item.website);
	if (!page?.isRead) return [];
	const menu = page.parts.find(({ kind }) => kind === "menu");
	const events = page.parts.find(({ kind }) => kind === "events");
	const readAt = page.source?.read_at;
	return [
		menu && el("section", {}, el("div", { class: "section-head" }, el("h2", { text: words.read.part("menu") }), readAt && el("span", { class: "quiet small", text: words.read.readOn(words.when(readAt)) })), menuNodes(menu.content, words, 3)),
		events && el("section", {}, el("div", { class: "section-head" }, el("h2", { text: words.around.eventsThere() })), eventRows(app, events.content)),
	].filter(Boolean);
}

function credit(app, item) {
	const { attribution } = item;
	if (!attribution) return null;
	const label = attribution.label;
	return el("p", { class: "quiet tiny" }, /^https?:/.test(attribution.url) ? el("a", { href: attribution.url, target: "_blank", rel: "noopener noreferrer", text: label }) : label);
}
