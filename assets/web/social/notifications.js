// The view of the notifications of the member.

import { avatar } from "../parts/avatar.js";
import { button, el, icon, screenReaderText } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { replaceChildren } from "./frame.js";
import { answerControl } from "../generic/answercontrol.js";
import { openRoute } from "../generic/item.js";
import { bar } from "../frame/bar.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { dayIn } from "../parts/day.js";
import { actionOf, formOf, panelURL, routeOf, sectionOf } from "./data.js";
import { ICONS, agoOf, excerptOf, groupItems, sentence } from "./feed.js";
import { invitationButtons, thumbURL } from "./rows.js";
import { eventOf } from "./times.js";

// notificationsView returns the view of the notifications, the unread ones first.
export function notificationsView(app) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: "act-head" });
	const body = el("div", { class: "measure actwrap" }, skeleton({ words, rows: 6 }));
	const pages = new Pages(app, "notifications", scope, () => show());
	let panel = null;

	const show = () => {
		const section = sectionOf(panel, "notifications");
		const { items } = pages;
		const pendingInvitations = sectionOf(panel, "invitations").items;
		const row = (item) => entryRow(app, item, pendingInvitations);
		const notifiedIds = new Set(items.map(({ context }) => context?.id));
		const unnotified = pendingInvitations.filter(({ id }) => !notifiedIds.has(id)).map(entryOfInvitation);
		const groups = groupItems([...unnotified, ...items], words.zone);
		replaceChildren(head, notificationsBar(app, panel));
		replaceChildren(body,
			groups.length > 0
				? groups.map(({ id, items: list }) => group(id === "new" ? words.isNew() : words.relativeDay(id), list.map(row)))
				: emptyView({ art: "cup", title: words.social.allRead(), text: section.summary }),
			pages.more(words.social.showOlder()));
		app.frame.refresh();
	};
	head.append(notificationsBar(app, null));
	scope.panel(panelURL(store, { view: "notifications" }), ["social"], (newPanel) => {
		panel = newPanel;
		pages.setFirst(newPanel);
		show();
	}, (error) => !panel && body.replaceChildren(problem(error, words, () => app.show())));
	scope.on(["objects", "actions"], () => panel && show());
	scope.every(60_000, () => panel && show());
	return { title: words.social.notifications(), element: [head, el("div", { class: "pane" }, body)], close: () => scope.end() };
}

// entryOfInvitation returns the entry of a pending invitation that no notification on the page
// reports: an unread item with the field `invitation`.
function entryOfInvitation(item) {
	return {
		...item, metadata: { ...item.metadata, kind: "invitation", unread: true }, context: { ...item.context, title: item.title },
		invitation: item,
	};
}

// notificationsBar returns the bar of the view, with the action that marks all notifications as read. panel is
// null until it has arrived.
function notificationsBar(app, panel) {
	const markAll = formOf(panel, "read_notifications");
	return bar(app, {
		title: app.words.social.notifications(), back: { kind: "today" },
		end: markAll ? [button({ label: markAll.label, icon: "check", kind: "s plain", run: () => app.actions.perform(markAll) })] : [],
	});
}

// group returns the section of the unread entries or of a day.
function group(title, rows) {
	const items = rows.map((row) => el("li", {}, row));
	return el("section", { "aria-label": title }, el("h2", { class: "group-head", text: title }), el("ul", { class: "rows" }, items));
}

// entryRow returns the row of a notification. The row of a pending invitation has
// the controls that answer it; pendingInvitations are the invitations without an answer.
function entryRow(app, item, pendingInvitations) {
	const { words } = app;
	const { actor, metadata: data, context } = item;
	const invitation = item.invitation ?? (data.kind === "invitation" ? pendingInvitations.find(({ id }) => id === context?.id) : null);
	const name = actor?.display_name ?? "";
	const route = routeOfEntry(app, item, invitation);
	const text = entryText(app, item, { invitation });
	const excerpt = excerptOf(item);
	const details = invitation ? invitationDetails(app, invitation) : excerpt ? words.social.quoted(excerpt) : "";
	const isNew = data.unread;
	const picture = avatar({ name: name || item.title, id: actor?.member_id, color: actor?.color, image: thumbURL(actor) });
	return el("div", { class: `row act${isNew ? " is-unread" : ""}` },
		el("span", { class: "av-ic", "aria-hidden": "true" }, picture, el("span", { class: "ic" }, icon(ICONS[data.kind] ?? "bell"))),
		el("span", { class: "row-main" },
			el("span", { class: "act-t" }, route ? el("a", { href: app.href(route), on: { click: () => markRead(app, item) } }, text) : text),
			details && el("span", { class: "row-sub clip", dir: "auto", text: details }),
			invitation && answerButtons(app, invitation)),
		el("time", { class: "quiet tiny", datetime: data.created_at, text: ageText(app, data.created_at, isNew) }),
		isNew && el("span", { class: "unread" }, screenReaderText(words.unread())));
}

// entryText returns the nodes of the sentence that describes a notification or an entry of the activity. For a kind without a sentence,
// they are the title of the item, followed by its summary if the context has another title. isActorStrong is whether the
// name of the actor is bold.
export function entryText(app, item, { invitation, isActorStrong = true } = {}) {
	const { words } = app;
	const { actor, metadata: data, context } = item;
	const template = context ? words.social.happened(data.kind, invitation?.metadata.kind ?? context.type) : "";
	if (!template) return [el("b", { dir: "auto", text: item.title }), context?.title && item.title !== context.title && ` ${item.summary}`];
	const parts = sentence(template, { who: actor?.display_name ?? "", what: context.title });
	const isStrong = ({ strong, name }) => strong && (isActorStrong || name !== "who");
	return parts.map((part) => (isStrong(part) ? el("b", { dir: "auto", text: part.text }) : part.text));
}

// routeOfEntry returns the route of an entry: for an invitation, the route of the community or the event
// if the dataset contains it, or else the route that the item opens, or null.
function routeOfEntry(app, item, invitation) {
	const target = invitation?.context;
	if (target?.id && app.store.objectOfRecord(target.id)) {
		return routeOf(app.store, { view: invitation.metadata.kind === "event" ? "events" : "communities", id: target.id });
	}
	return openRoute(app, item);
}

// markRead marks a notification as read when the member opens it.
function markRead(app, item) {
	const action = actionOf(item, "mark_read");
	if (action) app.dispatcher.perform(action).catch(() => {}); // after a failure it stays unread
}

// invitationDetails returns the text below an invitation: the time of the event and the number of
// members who are going, or the facts about the community and the last day of the invitation.
function invitationDetails(app, invitation) {
	const { words, store } = app;
	const object = store.objectOfRecord(invitation.context?.id);
	const { state } = object ?? {};
	const isEvent = invitation.metadata.kind === "event";
	const expires = invitation.metadata.expires_at;
	const about = !state ? ""
		: isEvent ? [words.whenEvent(eventOf(object, Date.now(), words.zone)), words.social.going(state.rsvp?.counts?.going ?? 0)].join(" · ")
			: words.social.communityFacts(state.visibility, state.member_count);
	const until = !isEvent && expires && words.social.until(words.dayShort(dayIn(words.zone, Date.parse(expires))));
	return [about, until].filter(Boolean).join(" · ");
}

// answerButtons returns the controls that answer an invitation. For an event that the member can
// answer, it is the answer control of the event: the server updates the invitation with the answer.
function answerButtons(app, invitation) {
	const { store } = app;
	const object = invitation.metadata.kind === "event" && store.objectOfRecord(invitation.context?.id);
	const rsvp = object && store.actionOn(object.world_object_id, "social.event.rsvp");
	const element = rsvp
		? answerControl(app, rsvp, { title: object.title, value: object.state.rsvp?.mine ?? "none" }).element
		: invitationButtons(app, invitation);
	element?.classList.remove("full");
	element?.classList.add("act-b");
	return element;
}

// ageText returns the age of an entry in words, or its time of day, see agoOf. An unread entry of an earlier
// day has its day instead, because the group of unread entries does not name it.
function ageText(app, at, isNew) {
	const { words } = app;
	const { minutes, hours } = agoOf(at, { now: Date.now(), zone: words.zone });
	if (minutes !== undefined) return words.social.minutesAgo(minutes);
	if (hours) return words.social.hoursAgo(hours);
	return isNew ? words.when(at) : words.time(at);
}
