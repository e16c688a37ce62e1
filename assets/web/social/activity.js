// Activity: notifications of the member, and the activity of all members.

import { avatar } from "../parts/avatar.js";
import { badge } from "../parts/badge.js";
import { button, el, icon, spoken } from "../parts/el.js";
import { empty, skeleton } from "../parts/empty.js";
import { replaceChildren } from "./frame.js";
import { answerControl } from "../generic/answers.js";
import { openRoute } from "../generic/item.js";
import { bar } from "../frame/bar.js";
import { routeOfPanel } from "../frame/routes.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { dayIn } from "../parts/day.js";
import { actionOf, formOf, objectOf, panelURL, routeOf, sectionOf } from "./data.js";
import { ICONS, agoOf, excerptOf, grouped, sentence } from "./feed.js";
import { invitationButtons, thumb } from "./rows.js";
import { eventOf } from "./times.js";

const SECTION = { notifications: "notifications", activity: "latest" };

// activityView returns the view of the notifications or of all activity.
export function activityView(app, view) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: "act-head" });
	const body = el("div", { class: "measure actwrap" }, skeleton({ words, rows: 6 }));
	const pages = new Pages(app, SECTION[view], scope, () => show());
	let panel = null;

	const show = () => {
		const section = sectionOf(panel, SECTION[view]);
		const { items } = pages;
		const pending = view === "notifications" ? sectionOf(panel, "invitations").items : [];
		const row = (item) => entryRow(app, item, pending);
		const shown = new Set(items.map(({ context }) => context?.id));
		const alone = pending.filter(({ id }) => !shown.has(id)).map((item) => ({ ...item, metadata: { ...item.metadata, kind: "invitation", unread: true }, context: { ...item.context, title: item.title }, invitation: item }));
		const groups = grouped([...alone, ...items], words.zone);
		replaceChildren(head, activityBar(app, panel, view));
		replaceChildren(body,
			el("div", { class: "only-phone" }, switcher(app, panel, view, "full")),
			groups.length > 0 ? groups.map(({ id, items: list }) => group(id === "new" ? words.isNew() : words.relativeDay(id), list.map(row))) : empty({ art: "cup", title: view === "notifications" ? words.social.allRead() : words.nothingYet(), text: section.summary }),
			pages.more(words.social.showOlder()));
		app.frame.refresh();
	};
	head.append(bar(app, { title: words.social.activity(), back: { kind: "today" } }));
	scope.panel(panelURL(store, { view }), ["social"], (found) => {
		panel = found;
		pages.setFirst(found);
		show();
	}, (error) => !panel && body.replaceChildren(problem(error, words, () => app.show())));
	scope.on(["objects", "actions"], () => panel && show());
	scope.every(60_000, () => panel && show());
	return { title: words.social.activity(), element: [head, el("div", { class: "pane" }, body)], close: () => scope.end() };
}

// switcher returns the control for notifications or all activity: two views of World.
function switcher(app, panel, view, kind = "") {
	const { words, store } = app;
	const labels = { notifications: words.social.forYou(), activity: words.social.everything() };
	return el("nav", { class: `seg ${kind}`, "aria-label": words.social.show() }, ["notifications", "activity"].map((id) => {
		const entry = panel.nav?.find((other) => other.id === id);
		const route = (entry && routeOfPanel(store.session, entry.action)) ?? routeOf(store, { view: id });
		return el("a", { href: app.href(route), "aria-current": id === view ? "page" : null }, labels[id], entry?.badge && badge(entry.badge.count, { words }));
	}));
}

function activityBar(app, panel, view) {
	const { words } = app;
	const all = formOf(panel, "read_notifications");
	return bar(app, {
		title: words.social.activity(), back: { kind: "today" }, start: [el("div", { class: "not-phone" }, switcher(app, panel, view))],
		end: all ? [button({ label: all.label, icon: "check", kind: "s plain", run: () => app.acts.act(all) })] : [],
	});
}

function group(title, rows) {
	return el("section", { "aria-label": title }, el("h2", { class: "group-head", text: title }), el("ul", { class: "rows" }, rows.map((row) => el("li", {}, row))));
}

// entryRow returns the row of a notification or an activity, with the answers to an invitation.
function entryRow(app, item, pending) {
	const { words } = app;
	const { actor, metadata: data, context } = item;
	const invitation = item.invitation ?? (data.kind === "invitation" ? pending.find(({ id }) => id === context?.id) : null);
	const name = actor?.display_name ?? "";
	const template = context ? words.social.happened(data.kind, invitation?.metadata.kind ?? context.type) : "";
	const text = template ? sentence(template, { who: name, what: context.title }).map((part) => (part.strong ? el("b", { dir: "auto", text: part.text }) : part.text))
		: [el("b", { dir: "auto", text: item.title }), context?.title && item.title !== context.title && ` ${item.summary}`];
	const route = routeOfEntry(app, item, invitation);
	const excerpt = excerptOf(item);
	const details = invitation ? invitationDetails(app, invitation) : excerpt ? words.social.quoted(excerpt) : "";
	const isNew = data.unread;
	return el("div", { class: `row act${isNew ? " is-unread" : ""}` },
		el("span", { class: "av-ic", "aria-hidden": "true" }, avatar({ name: name || item.title, id: actor?.member_id, color: actor?.color, image: thumb(actor) }), el("span", { class: "ic" }, icon(ICONS[data.kind] ?? "bell"))),
		el("span", { class: "row-main" }, el("span", { class: "act-t" }, route ? el("a", { href: app.href(route), on: { click: () => markRead(app, item) } }, text) : text),
			details && el("span", { class: "row-sub clip", dir: "auto", text: details }), invitation && answers(app, invitation)),
		el("time", { class: "quiet tiny", datetime: data.created_at, text: ago(app, data.created_at) }), isNew && el("span", { class: "unread" }, spoken(words.unread())));
}

// routeOfEntry returns the route to which an entry leads: that of an invitation is the
// community or the event, if the member sees it.
function routeOfEntry(app, item, invitation) {
	const target = invitation?.context;
	if (target?.id && objectOf(app.store, target.id)) return routeOf(app.store, { view: invitation.metadata.kind === "event" ? "events" : "communities", id: target.id });
	return openRoute(app, item);
}

// markRead marks a notification as read when the member opens it.
function markRead(app, item) {
	const action = actionOf(item, "mark_read");
	if (action) app.dispatcher.perform(action).catch(() => {}); // it stays new
}

function invitationDetails(app, invitation) {
	const { words, store } = app;
	const object = objectOf(store, invitation.context?.id);
	const { state } = object ?? {};
	const expires = invitation.metadata.expires_at;
	const about = !state ? "" : invitation.metadata.kind === "event" ? [words.whenEvent(eventOf(object)), words.social.going(state.rsvp?.counts?.going ?? 0)].join(" · ") : words.social.communityFacts(state.visibility, state.member_count);
	return [about, invitation.metadata.kind !== "event" && expires && words.social.until(words.dayShort(dayIn(words.zone, Date.parse(expires))))].filter(Boolean).join(" · ");
}

function answers(app, invitation) {
	const { store } = app;
	const object = invitation.metadata.kind === "event" && objectOf(store, invitation.context?.id);
	const rsvp = object && store.actionOn(object.world_object_id, "social.event.rsvp");
	if (!rsvp) return invitationButtons(app, invitation);
	const { element } = answerControl(app, rsvp, { title: object.title, value: object.state.rsvp?.mine ?? "none" });
	element.classList.remove("full");
	element.classList.add("act-b");
	return element;
}

function ago(app, at) {
	const { words } = app;
	const { minutes, hours } = agoOf(at, { now: Date.now(), zone: words.zone });
	if (minutes !== undefined) return words.social.minutesAgo(minutes);
	return hours ? words.social.hoursAgo(hours) : words.time(at);
}
