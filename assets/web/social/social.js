// The area Social: the latest activity, conversations, events, communities, and notifications.

import { communitiesView } from "./communities.js";
import { partView } from "./community.js";
import { communityOf, panelURL } from "./data.js";
import { eventView } from "./event.js";
import { eventsView, invitationView, invitationsView } from "./lists.js";
import { latelyView } from "./lately.js";
import { notificationsView } from "./notifications.js";
import { conversationsView } from "./conversations.js";
import { parametersOf } from "../frame/routes.js";

// VIEW_OF maps the type of an object to the view that shows it.
const VIEW_OF = { community: "communities", conversation: "conversations", event: "events" };

const COMMUNITY_TABS = ["events", "members", "about"]; // the tabs of a community besides the tab of its conversations

// open returns the view of a route, or null if Social has none for the route. match is the result of
// matchRoute for the route.
export function open(app, route, match) {
	const target = targetOf(app, route, match);
	const view = viewOf(app, target);
	if (!view) return null;
	const { update } = view;
	if (update) view.update = (next, nextMatch) => {
		const nextTarget = targetOf(app, next, nextMatch);
		if (JSON.stringify(nextTarget) === JSON.stringify(target)) return false; // the caller opens a new view, which reads again
		if (!update(nextTarget)) return false;
		Object.assign(target, nextTarget);
		return true;
	};
	return view;
}

// panels returns the paths of the panels that are stored for a visit without a connection.
export function panels({ store }) {
	return [panelURL(store, { view: "dashboard" })];
}

// targetOf returns the target of a route: { view, id, part }, the parameters of its panel, and
// { community, conversation }, the ids of the community and the conversation that it shows. Missing
// values are "".
export function targetOf(app, route, { object, url } = {}) {
	const { store } = app;
	const parameters = object ? { view: VIEW_OF[object.object_type], id: object.source.resource_id } : parametersOf(url ?? "");
	const values = route.kind === "at" ? { ...route.query, ...parameters } : { ...parameters, ...route.query };
	const { view = "dashboard", id = "", part = "" } = values;
	const target = { view, id, part: COMMUNITY_TABS.includes(part) ? part : "", community: "", conversation: "" };
	if (view === "communities") target.community = id;
	if (view === "conversations" && id) {
		target.conversation = id;
		target.community = communityOf(store.objectOfRecord(id)) ?? "";
	}
	return target;
}

// viewOf returns a new view of a target, or null if there is none.
function viewOf(app, target) {
	const { view, id, part, community } = target;
	switch (view) {
		case "dashboard":
		case "activity":
			return latelyView(app);
		case "communities":
			if (!id) return communitiesView(app);
			return part ? partView(app, { community, part }) : conversationsView(app, { ...target });
		case "conversations":
			return conversationsView(app, { ...target });
		case "events":
			return id ? eventView(app, id) : eventsView(app);
		case "notifications":
			return id ? invitationView(app, view, id) : notificationsView(app);
		case "invitations":
			return id ? invitationView(app, view, id) : invitationsView(app);
	}
	return null;
}
