// The card of a place: its details and its actions. An item is defined in items.js.

import { copyText } from "../parts/copy.js";
import { button, el, icon, isTouch } from "../parts/el.js";
import { menuButton } from "../parts/menu.js";
import { EVENT_TYPE, openEditor } from "../frame/editor.js";
import { openWith } from "../frame/prefilledform.js";
import { minutesOnFoot } from "./items.js";
import { mapAppURL } from "./mapapp.js";
import { hoursDetails } from "./openinghours.js";
import { eventRows, menuNodes } from "../read/tables.js";
import { pageOfAddress, translateOf } from "../read/page.js";
import { hostOf, listOf, phoneURL, plainText } from "../read/untrusted.js";

// placeCard returns the content of the card of an item, as a list of nodes. Options:
//
//   titleId       id of the heading
//   close         function () that closes the card
//   searchAround  function () that searches around the place, or null
//   read          function (surface, node) that lets the server read the website of the place; surface is
//                 that of the finding, node the button that was activated
export function placeCard(app, place, { titleId, close, searchAround, read }) {
	const { words } = app;
	const item = withPage(app.store, place);
	const text = words.around;
	const minutes = minutesOnFoot(item.distance);
	const distance = item.distance !== null && text.distance(item.distance);
	const sub = [item.detail, distance, minutes && text.onFoot(words.minutes(minutes))].filter(Boolean).join(" · ");
	return [
		el("div", { class: "place-top" },
			el("div", { class: "grow" },
				el("h2", { id: titleId, tabindex: "-1", dir: "auto", text: item.title }),
				sub && el("p", { class: "quiet small", dir: "auto", text: sub })),
			carryButton(app, item), button({ label: words.close(), icon: "close", iconOnly: true, kind: "plain s", run: close })),
		el("div", { class: "place-body stack" },
			actionLine(app, item, searchAround), facts(app, item, read), ...pageNodes(app, item), attributionLine(app, item)),
	];
}

// withPage returns an item with the telephone number and the address that its website contains, if the
// item has none.
function withPage(store, item) {
	const page = item.website && pageOfAddress(store, item.website);
	const business = page?.parts?.find(({ kind }) => kind === "business")?.content;
	if (!business) return item;
	return { ...item, phone: item.phone || plainText(listOf(business.phones)[0]), address: item.address || plainText(business.address?.text) };
}

// carryButton returns the button that adds the place to the workspace or removes it, or undefined or null if
// the member may do neither.
function carryButton(app, item) {
	const { store, words } = app;
	const object = carriedPlace(store, item.id);
	if (object) {
		const remove = store.actionOn(object.world_object_id, "remove_from_workspace");
		return remove && button({
			label: words.frame.letGoOf(item.title), icon: "carry", iconOnly: true, kind: "plain s", "aria-pressed": "true",
			run: () => app.actions.perform(remove, { doneText: words.frame.letGoDone(item.title) }),
		});
	}
	const open = store.actionOn(item.id, "open_finding") ?? item.request;
	return open && button({
		label: words.frame.carry(), icon: "carry", iconOnly: true, kind: "plain s",
		run: () => app.actions.perform(open, { doneText: words.around.carried(item.title) }),
	});
}

// carriedPlace returns the object of the workspace for the place with an id, or undefined.
export function carriedPlace(store, id) {
	return store.dataset?.objects?.find(({ object_type: type, source }) => type === "place" && source?.resource_id === id);
}

// actionLine returns the buttons and the menu with the actions on a place that the member may perform.
function actionLine(app, item, searchAround) {
	const { store, words } = app;
	const text = words.around;
	const address = addressOf(item);
	const createEvent = store.actionOn("workspace", EVENT_TYPE);
	const createEntry = store.actionsOn("workspace")
		.find(({ type, command }) => type === "create_time_object" && command?.body?.object_type === "calendar_event");
	const startThread = store.actionOn("workspace", "start_thread");
	const createConversation = store.actionOn("workspace", "social.conversation.create");
	const phone = phoneURL(item.phone);
	const mapApp = item.latitude !== null && { label: text.mapApp(), icon: "map", href: mapAppURL(item, navigator.platform) };
	const placeItems = [
		createEntry && { label: text.toCalendar(), icon: "calendar", run: () => openEditor(app, createEntry, { location: address }) },
		createConversation && {
			label: text.talkAbout(), icon: "talk", run: () => openWith(app, createConversation, { title: item.title, body: sharedText(item) }),
		},
		searchAround && { label: text.lookAround(), icon: "locate", run: searchAround },
	].filter(Boolean);
	const copyAddress = async () => app.toasts.show((await copyText(address, menu)) ? text.addressCopied() : words.notCopied());
	const menuItems = [
		...placeItems, null,
		!isTouch() && mapApp,
		{ label: text.copyAddress(), icon: "copy", run: copyAddress },
		navigator.share && { label: text.share(), icon: "upload", run: () => share(item) },
	];
	const label = words.frame.moreFor(item.title);
	const menu = menuButton(button({ label, icon: "more", iconOnly: true, kind: "s" }), () => menuItems, { label, end: true });
	return el("div", { class: "line wrap" },
		createEvent && button({
			label: text.meetHere(), icon: "people", kind: "s primary", run: () => openEditor(app, createEvent, { location: address }),
		}),
		isTouch() && mapApp && el("a", { class: "btn s", href: mapApp.href }, icon("map"), mapApp.label),
		phone && el("a", { class: "btn s", href: phone }, icon("phone"), text.call()),
		item.website && el("a", { class: "btn s", ...externalLink(item.website) }, icon("globe"), text.website()),
		startThread && button({
			label: text.sendTo(), icon: "send", kind: "s", run: () => openWith(app, startThread, { body: sharedText(item) }),
		}),
		menu);
}

// externalLink returns the attributes of a link to another site, which opens in a new tab.
const externalLink = (url) => ({ href: url, target: "_blank", rel: "noopener noreferrer" });

// addressOf returns the name and the address of a place.
const addressOf = (item) => [item.title, item.address].filter(Boolean).join(", ");

// sharedText returns the text about a place for messages to other members.
function sharedText(item) {
	return [addressOf(item), item.website].filter(Boolean).join("\n");
}

// share opens the dialog of the device that sends a place to other apps. It ignores errors: the promise is
// rejected if the member closes the dialog.
function share(item) {
	return navigator.share({ title: item.title, text: sharedText(item) }).catch(() => {});
}

// facts returns the list with the opening hours, the address, the phone number and the website of a place.
function facts(app, item, read) {
	const { words } = app;
	const text = words.around;
	const fact = (iconName, label, ...content) => el("div", {},
		el("dt", {}, icon(iconName), el("span", { class: "sr", text: label })), el("dd", {}, content));
	const hours = hoursDetails(item, words);
	const page = item.website && pageOfAddress(app.store, item.website);
	const canRead = page && !page.isRead && translateOf(page.surface);
	const phone = phoneURL(item.phone);
	return el("dl", { class: "facts tight" },
		hours && fact("clock", text.hours(), hours),
		item.address && fact("pin", text.address(), el("span", { dir: "auto", text: item.address })),
		item.phone && fact("phone", text.phone(), phone
			? el("a", { class: "link", href: phone, dir: "ltr", text: item.phone })
			: el("span", { dir: "auto", text: item.phone })),
		item.website && fact("globe", text.website(),
			el("a", { class: "link clip", ...externalLink(item.website), text: hostOf(item.website) }),
			page?.isRead && el("span", { class: "quiet" },
				text.pageGave(words.list(page.parts.map(({ kind }) => words.read.partOf(kind)))), " ",
				el("a", { class: "link", href: app.href({ kind: "on", id: page.parts[0].id }), text: text.readIt() })),
			canRead && el("span", {}, button({
				label: text.readPage(), icon: "article", kind: "s act-b", run: (event) => read(page.surface, event.currentTarget),
			}))));
}

// pageNodes returns the menu and the events on the website of a place, as a list of nodes. It is empty if
// the server has not read the website.
function pageNodes(app, item) {
	const { words } = app;
	const page = item.website && pageOfAddress(app.store, item.website);
	if (!page?.isRead) return [];
	const menu = page.parts.find(({ kind }) => kind === "menu");
	const events = page.parts.find(({ kind }) => kind === "events");
	const readAt = page.source?.read_at;
	return [
		menu && el("section", {},
			el("div", { class: "section-head" },
				el("h2", { text: words.read.part("menu") }),
				readAt && el("span", { class: "quiet small", text: words.read.readOn(words.when(readAt)) })),
			menuNodes(menu.content, words, 3)),
		events && el("section", {},
			el("div", { class: "section-head" }, el("h2", { text: words.around.eventsThere() })), eventRows(app, events.content)),
	].filter(Boolean);
}

// attributionLine returns the attribution of the source of a place, or null if it has none.
function attributionLine(app, item) {
	const { attribution } = item;
	if (!attribution) return null;
	const { label, url } = attribution;
	return el("p", { class: "quiet tiny" }, /^https?:/.test(url) ? el("a", { ...externalLink(url), text: label }) : label);
}
