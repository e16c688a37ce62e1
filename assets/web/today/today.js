// The view of Today: the schedule, the invitations without an answer, the latest activity and the tasks.

import { avatar } from "../parts/avatar.js";
import { button, el, icon, uid } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { notice } from "../parts/notice.js";
import { row, sectionHead } from "../parts/row.js";
import { bar, bellLink, selfButton } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { rightContextSurfaces } from "../frame/workspace.js";
import { firstSteps } from "./firststeps.js";
import { latestActivityRows } from "./latestactivity.js";
import { itemsOf } from "../generic/item.js";
import { onlineMembers } from "./onlinemembers.js";
import { scheduleRows, nextRows } from "./rows.js";
import { groupSchedule, spanOf } from "./schedule.js";
import { taskRows } from "./tasks.js";
import { invitationCard, questionsOf } from "./invitations.js";

const MAX_INVITATION_CARDS = 4; // maximum number of cards that wait for an answer
const MINUTE = 60_000; // milliseconds

// panels returns the paths of the panels of the view, which are stored for a visit without a connection.
export function panels(app, { url }) {
	return [url];
}

// open returns the view of Today. It shows the panel of today, and the entries of the following days,
// which are in the dataset.
export function open(app, route, match) {
	const { words } = app;
	const scope = app.scope();
	const head = el("div", {});
	const body = el("div", { class: "measure home" }, skeleton({ words, rows: 5 }));
	const sideNodes = el("section", {});
	const view = {
		title: words.today(), element: [head, el("div", { class: "pane" }, body)], sideNodes,
		close: () => scope.end(), update: (next) => next.kind === "today", keys: { n: () => openNew() },
	};
	let panel = null;
	let failure = null; // { error, retry } if the panel could not be read; retry() reads it again

	const openNew = () => head.querySelector(".new-btn")?.click();
	const show = () => keepFocus(app.frame.main, () => keepFocus(sideNodes, render));
	const render = () => {
		head.replaceChildren(todayBar(app, panel));
		if (!panel && failure) return body.replaceChildren(problem(failure.error, words, failure.retry));
		if (!panel) return undefined;
		const questions = questionsOf(panel);
		body.replaceChildren(
			dayHeading(app, panel, questions.length), contents(app, panel, questions),
			el("section", { class: "only-phone stack" }, ...besideOnPhone(app, panel)),
		);
		sideNodes.replaceChildren(...onlineMembers(app, itemsOf(panel, "presence")));
		return undefined;
	};
	show();
	scope.panel(
		match.url, ["time", "social", "messages"],
		(next) => { panel = next; failure = null; show(); },
		(error, wasShown, retry) => { failure = { error, retry }; show(); },
	);
	scope.on(["objects", "actions"], () => panel && show());
	scope.every(MINUTE, () => panel && show());
	return view;
}

// todayBar returns the bar of the view. panel is null before it has been read.
function todayBar(app, panel) {
	const { words } = app;
	const me = app.signedInMember();
	const server = app.store.session.shell?.server?.name ?? "";
	const forms = (panel?.action_descriptors ?? []).filter(({ type }) => type === "submit_form");
	const create = forms.length > 0 && menuButton(
		button({ label: words.isNew(), icon: "plus", kind: "primary not-phone new-btn" }),
		() => app.actions.items(forms), { label: words.isNew(), end: true },
	);
	const { badge } = app.store.session.shell?.dock?.items?.find(({ id }) => id === "social") ?? {};
	const unread = badge?.kind === "unread" ? badge.count : 0;
	return bar(app, {
		title: words.today(), hideTitle: true, kind: "home-bar",
		start: [el("span", { class: "house only-phone" }, icon("house", "i-l"), el("span", { class: "clip", dir: "auto", text: server }))],
		end: [bellLink(app, unread), selfButton(app, avatar({ ...me, size: "s" })), create].filter(Boolean),
	});
}

// dayHeading returns the date, and a sentence with the numbers of the entries that are not over and of the
// invitations without an answer. The sentence is left out if there are neither entries nor invitations,
// because emptyDay says the same then. invitationCount is the number of the invitations.
function dayHeading(app, panel, invitationCount) {
	const { words } = app;
	const schedule = itemsOf(panel, "schedule");
	const remainingCount = schedule.filter((item) => { const span = spanOf(item); return span.isAllDay || span.end > Date.now(); }).length;
	return el("div", { class: "hello" },
		el("p", { class: "hello-date", text: words.dayAndWeekday(panel.date ?? words.currentDay()) }),
		invitationCount + schedule.length > 0 && el("p", { class: "quiet", text: words.day.summary(remainingCount, invitationCount) }));
}

// failureOf returns the notice that replaces the items of a service that is not available; undefined if
// it is available.
function failureOf(panel, service) {
	const fallback = panel.fallbacks?.find(({ scope }) => scope?.service === service);
	return fallback && notice({ kind: "warn", text: fallback.message });
}

// contents returns the sections of the view. questions is the result of questionsOf.
function contents(app, panel, questions) {
	const { words } = app;
	const text = words.day;
	const groups = groupSchedule(itemsOf(panel, "schedule"), { now: Date.now(), zone: words.zone });
	const next = nextRows(app);
	const link = (label, route) => route && el("a", { class: "quiet small", href: app.href(route), text: label });
	const routeOfService = (id) => routeOfPanel(app.store.session, app.store.service(id)?.content_source);
	const week = routeOfService("time");
	const newTask = panel.action_descriptors?.find(({ id }) => id === "create_task");
	const schedule = itemsOf(panel, "schedule").length > 0
		? scheduleRows(app, groups)
		: failureOf(panel, "time") ?? emptyDay(app, panel, next);
	const isNew = !panel.fallbacks?.length && questions.length + next.length === 0
		&& ["schedule", "lately", "tasks"].every((id) => itemsOf(panel, id).length === 0);
	const rest = questions.length - MAX_INVITATION_CARDS;
	const restLink = rest > 0 && link(text.moreWaiting(rest), routeOfService("social"));
	const cards = questions.slice(0, MAX_INVITATION_CARDS).map((item) => invitationCard(app, item));
	const waiting = cards.length > 0 && section(words.waitingForYou(), [restLink], el("div", { class: "stack-s" }, cards));
	return el("div", { class: `two wide-start${waiting ? " waits-first" : ""}` },
		waiting,
		el("div", { class: "stack-l" },
			isNew && section(text.firstSteps(), [], firstSteps(app)),
			section(text.schedule(), [link(text.theWeek(), week && { ...week, query: { view: "week" } })], schedule),
			next.length > 0 && section(words.next(), [], el("ul", { class: "rows plain-rows" }, next.map(({ row }) => el("li", {}, row))))),
		el("div", { class: "stack-l" },
			section(
				words.lately(), [link(text.allActivity(), routeOfService("social"))],
				failureOf(panel, "social") ?? latestActivityRows(app, itemsOf(panel, "lately")),
			),
			section(words.toDo(), [
				link(text.allTasks(), week && { ...week, query: { view: "tasks" } }),
				newTask && button({
					label: newTask.label, icon: "plus", iconOnly: true, kind: "plain s", run: () => app.actions.openForm(newTask),
				}),
			], failureOf(panel, "time") ?? taskRows(app, itemsOf(panel, "tasks")))));
}

// section returns a section with a title. end are nodes beside the title.
function section(title, end, content) {
	const head = sectionHead(title, ...end.filter(Boolean));
	const id = uid("section");
	head.querySelector("h2").id = id;
	return el("section", { "aria-labelledby": id }, head, content);
}

// besideOnPhone returns the content of the side column, which a phone shows at the end of the view:
// links to the surfaces, and the present members.
function besideOnPhone(app, panel) {
	const links = rightContextSurfaces(app.store, null).map((surface) => row({
		title: surface.title, picture: el("span", { class: "row-icon" }, icon(surface.icon)),
		href: app.href({ kind: "on", id: surface.surface_id }), count: surface.badge?.count, words: app.words,
	}));
	return [
		links.length > 0 && el("ul", { class: "rows" }, links.map((link) => el("li", {}, link))),
		...onlineMembers(app, itemsOf(panel, "presence")),
	].filter(Boolean);
}

// emptyDay returns the replacement of an empty schedule: the first entry of next, which is the result of
// nextRows, and a button for a new entry.
function emptyDay(app, panel, next) {
	const { words } = app;
	const [first] = next;
	const create = panel.action_descriptors?.find(({ id }) => id === "create_event");
	const action = create && { label: create.label, icon: "plus", run: () => app.actions.openForm(create) };
	return emptyView({
		art: "cup", title: words.day.nothing(),
		text: first ? words.day.nextIs(first.title, first.when) : words.day.nothingPlanned(), action,
	});
}
