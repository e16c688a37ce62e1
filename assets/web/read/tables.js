// Renders the structured parts of a page: business, opening hours, menu, events and contact.

import { button, el, icon } from "../parts/el.js";
import { openWith } from "../frame/prefilledform.js";
import { weekOfPage } from "../around/hours.js";
import { hoursTable, openLine } from "../around/openinghours.js";
import { entryOf, timesOf } from "./events.js";
import { pictureNode } from "./blocks.js";
import { hostOf, listOf, mailURL, phoneURL, plainText, shortText, webURL } from "./untrusted.js";

const HUES = ["bark", "sea", "pine", "clay", "plum", "harbour"]; // of the date boxes of events

// menuNodes returns the nodes of the sections of a menu. level is the level of the headings. depth is
// the depth of nested sections, for which menuNodes calls itself up to a depth of 3.
export function menuNodes(content, words, level = 2, depth = 0) {
	if (depth > 3) return [];
	return listOf(content.sections).flatMap((section) => [
		section.name && el(`h${Math.min(level + depth, 6)}`, { class: "menu-h", dir: "auto", text: shortText(section.name) }),
		section.description && el("p", { class: "quiet small", dir: "auto", text: plainText(section.description) }),
		listOf(section.items).length > 0 && el("ul", { class: "menu-list" }, listOf(section.items).map((item) => el("li", {},
			el("span", { dir: "auto" },
				plainText(item.name),
				[item.description, listOf(item.diets).map(plainText).join(", ")].filter(Boolean).map((text) => el("small", { text: plainText(text) }))),
			el("span", { class: "num" }, listOf(item.prices).map((price) => (
				el("span", { class: "block", dir: "auto", text: priceText(price, content.currency, words) })
			)))))),
		...menuNodes(section, words, level, depth + 1),
	].filter(Boolean));
}

// priceText returns the label and the amount of a price, or only one of them. defaultCurrency is the
// currency of a price that states none. Without a valid currency, the amount is only a number.
export function priceText({ amount, currency, label }, defaultCurrency, words) {
	const code = plainText(currency || defaultCurrency).toUpperCase();
	const value = Number(amount);
	const text = amount === undefined || amount === "" || Number.isNaN(value)
		? ""
		: /^[A-Z]{3}$/.test(code)
			? words.number(value, { style: "currency", currency: code })
			: words.number(value, { minimumFractionDigits: 2 });
	return [plainText(label), text].filter(Boolean).join(" ");
}

// eventRows returns the list of the events of a page, each with a button that adds it to the calendar if
// the member may create entries. source is the URL of the page, for the description of the entry.
export function eventRows(app, content, { source = "" } = {}) {
	const { words, store } = app;
	const create = store.actionsOn("workspace").find(({ type, command }) => (
		type === "create_time_object" && command?.body?.object_type === "calendar_event"
	));
	const events = listOf(content.events).filter((event) => plainText(event?.name));
	return el("ul", { class: "rows" },
		events.map((event, i) => el("li", {}, eventRow(app, event, { create, source, hue: HUES[i % HUES.length] }))),
		events.length === 0 && el("li", { class: "quiet", text: words.nothingYet() }));
}

// eventRow returns the row of an event. create is the action that creates a calendar entry, or
// undefined.
function eventRow(app, event, { create, source, hue }) {
	const { words } = app;
	const times = timesOf(event);
	const name = shortText(event.name);
	const where = placeText(event.location, words);
	const values = create && entryOf({ ...event, name, description: plainText(event.description) }, { zone: words.zone, where, source });
	const isCancelled = event.status === "cancelled";
	const offers = listOf(event.offers).map((offer) => priceText(offer, "", words)).filter(Boolean);
	const state = event.status && event.status !== "scheduled" ? words.read.eventStatus(event.status) : "";
	const timeText = times ? eventWhen(times, words) : "";
	return el("div", { class: "row" },
		times && el("span", { class: `datebox s c-${hue}`, "aria-hidden": "true" },
			el("span", { text: words.read.monthShort(times.day) }), el("b", { text: words.number(Number(times.day.slice(8))) })),
		el("span", { class: "row-main" },
			el("span", { class: `wrap-text${isCancelled ? " struck" : ""}`, dir: "auto", text: name }),
			el("span", { class: "row-sub", dir: "auto", text: [state, timeText, where].filter(Boolean).join(" · ") }),
			offers.length > 0 && el("span", { class: "row-sub", dir: "auto", text: words.list(offers) })),
		values && !isCancelled && button({
			label: words.read.addEvent(name), icon: "plus", iconOnly: true, kind: "s plain", run: () => openWith(app, create, values),
		}));
}

// eventWhen returns the text of the times of an event, see timesOf. It contains the UTC offset of the
// event if the time zone of the member has another one at that time.
export function eventWhen({ day, time, endDay, endTime, offset }, words) {
	const first = words.read.eventDay(day);
	const isSameDay = !endDay || endDay === day;
	if (!time) return isSameDay ? first : words.read.span(first, words.read.eventDay(endDay));
	const end = endTime ? (isSameDay ? words.clock(endTime) : `${words.read.eventDay(endDay)}, ${words.clock(endTime)}`) : "";
	const text = `${first}, ${words.clock(time)}`;
	const otherOffset = offset && offset !== offsetOf(`${day}T${time}:00${offset}`, words.zone) ? ` (UTC${offset})` : "";
	return (end ? words.read.span(text, end) : text) + otherOffset;
}

// offsetOf returns the UTC offset of a zone at an instant, such as +01:00. instant is a text.
export function offsetOf(instant, zone) {
	const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(new Date(instant));
	const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
	return name.replace("GMT", "") || "+00:00";
}

// placeText returns the name and the address of the location of an event, or the text for an online
// event.
function placeText(location, words) {
	if (!location) return "";
	if (location.virtual) return words.read.online();
	const [name, address] = [plainText(location.name), plainText(location.address?.text)];
	return name && address && !address.startsWith(name) ? `${name}, ${address}` : address || name;
}

// hoursNodes returns the opening hours of a page. place is the item of the place with this website, or
// null; it has the time zone, and whether the place is open. Hours that World could not parse are shown
// as their text.
export function hoursNodes(app, content, place) {
	const { words } = app;
	const week = weekOfPage(content);
	const line = place && openLine(place, words);
	const texts = [...(week ? [] : listOf(content.raw)), ...listOf(content.unparsed)].map(plainText).filter(Boolean);
	return [
		line && el("p", {}, line),
		week && hoursTable(week, words, place?.zone),
		listOf(content.exceptions).length > 0 && el("ul", { class: "plain-list small" },
			listOf(content.exceptions).map((exception) => el("li", { dir: "auto", text: exceptionText(exception, words) }))),
		...texts.map((text) => el("p", { class: "quiet small", dir: "auto", text })),
	].filter(Boolean);
}

// exceptionText returns the days of an exception, and their hours or that they are closed.
function exceptionText({ from, through, closed, periods }, words) {
	const isDay = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") && !Number.isNaN(Date.parse(text));
	const days = isDay(from)
		? (isDay(through) && through !== from ? words.read.span(words.dayShort(from), words.dayShort(through)) : words.dayShort(from))
		: "";
	return [
		days,
		closed ? words.around.closedDay() : listOf(periods).map(({ open, close }) => `${plainText(open)}–${plainText(close)}`).join(", "),
	].filter(Boolean).join(": ");
}

// businessNodes returns the description of a business, its logo or first picture, and its facts. The
// opening hours, the menu and the events are parts of their own.
export function businessNodes(app, content) {
	const { words } = app;
	const images = [content.logo, ...listOf(content.images)].filter(Boolean).slice(0, 1);
	const { rating } = content;
	return [
		listOf(content.cuisines).length > 0 && el("p", { class: "quiet", dir: "auto", text: words.list(content.cuisines.map(plainText)) }),
		content.description && el("p", { dir: "auto", text: plainText(content.description) }),
		...images.map((image) => pictureNode(app, image)),
		factList(app, {
			addresses: [content.address?.text], phones: content.phones, emails: content.emails,
			urls: [content.url, content.menu_url, ...listOf(content.same_as)],
			others: [
				[words.read.prices(), content.price_range],
				rating && [
					words.read.ratingLabel(),
					words.read.rating(plainText(rating.value), plainText(rating.best) || "5", Number(rating.count) || 0, ""),
				],
			],
		}),
	].filter(Boolean);
}

// contactNodes returns a section for each contact point, and the address and the URL of the page.
export function contactNodes(app, content) {
	return listOf(content.points).map((point) => el("section", {},
		point.type && el("h2", { class: "small", dir: "auto", text: plainText(point.type) }),
		factList(app, {
			phones: [point.phone], emails: [point.email],
			others: [
				[app.words.around.hours(), point.hours],
				[app.words.read.languages(), listOf(point.languages).map(plainText).join(", ")],
			],
		})))
		.concat(factList(app, { addresses: [content.address?.text], urls: [content.url] }) ?? []);
}

// factList returns a definition list of contact details without repetitions, or null if there are none.
// others is a list of [label, value]; it may contain falsy values. URLs that webURL rejects are left out.
function factList(app, { addresses = [], phones = [], emails = [], urls = [], others = [] }) {
	const { words } = app;
	const fact = (name, label, content) => el("div", {},
		el("dt", {}, icon(name), el("span", { class: "sr", text: label })), el("dd", {}, content));
	const link = (href, text, isOut) => (
		href
			? el("a", { class: "link", href, dir: "auto", text, ...(isOut && { target: "_blank", rel: "noopener noreferrer" }) })
			: el("span", { dir: "auto", text })
	);
	const texts = (values) => [...new Set(listOf(values).map(plainText).filter(Boolean))];
	const facts = [
		...texts(addresses).map((text) => fact("pin", words.around.address(), [
			el("span", { dir: "auto", text }),
			el("a", {
				class: "link small", href: app.href({ kind: "find", query: { q: text, scope: "everywhere" } }), text: words.read.onMap(),
			}),
		])),
		...texts(phones).map((text) => fact("phone", words.around.phone(), link(phoneURL(text), text))),
		...texts(emails).map((text) => fact("mail", words.read.email(), link(mailURL(text), text))),
		...texts(urls).map(webURL).filter(Boolean).map((url) => fact("globe", words.around.website(), link(url, hostOf(url), true))),
		...others.filter((pair) => pair && plainText(pair[1])).map(([label, value]) => fact("info", label, [
			el("span", { class: "quiet small", text: label }), el("span", { dir: "auto", text: plainText(value) }),
		])),
	];
	return facts.length > 0 ? el("dl", { class: "facts tight" }, facts) : null;
}
