// The menu of the signed-in member, its sheet on a phone, and the renewal of their presence.

import { avatar } from "../parts/avatar.js";
import { openDialog } from "../parts/dialog.js";
import { el, icon } from "../parts/el.js";
import { segmented } from "../parts/tabs.js";
import { dockItems, phoneItems } from "./side.js";
import { carriedEntries } from "./workspace.js";

// RENEWAL_INTERVAL is the time between two renewals of the presence, in milliseconds. The server removes a
// presence that has not been renewed for five minutes.
const RENEWAL_INTERVAL = 140_000;

// signedInMember returns the signed-in member as { name, id, color, image, presence, note, objectId }. presence is
// the state or null; objectId is the id of their profile in the dataset, or undefined. The parameter is
// the store.
export function signedInMember({ dataset }) {
	const member = dataset?.member ?? {};
	const profile = dataset?.objects?.find(({ object_type: type, state }) => type === "profile" && state?.member_id === member.member_id);
	const presence = profile?.state?.presence;
	return {
		name: member.display_name ?? "", id: member.member_id, color: member.color, image: member.avatar?.url,
		presence: presence?.state ?? null, note: presence?.note ?? "", objectId: profile?.world_object_id,
	};
}

// memberMenuItems returns the items of the menu of the signed-in member.
export function memberMenuItems(app) {
	const { words } = app;
	return [
		...presenceItems(app), null, ...linkItems(app), null,
		{ label: words.frame.shortcutsTitle(), icon: "keyboard", keys: "?", run: () => app.keys.showSheet() }, signOutItem(app),
	];
}

// openMemberSheet opens the dialog with the menu of the signed-in member on a phone. It also contains the
// items of the dock that do not fit into the bar, and the carried entries.
export function openMemberSheet(app) {
	const { words } = app;
	const me = signedInMember(app.store);
	const items = dockItems(app);
	const phoneSet = new Set(phoneItems(items));
	const link = ({ label, icon: name, route, href, run, badge, bad }) => el(
		route || href ? "a" : "button",
		{
			class: `row${bad ? " bad" : ""}`, href: route ? app.href(route) : href, type: route || href ? null : "button",
			on: { click: () => { dialog.close(); run?.(); } },
		},
		icon(name), el("span", { class: "row-main" }, el("span", { class: "clip", dir: "auto", text: label })),
		badge > 0 && el("span", { class: "badge", text: String(badge) }),
	);
	const list = (entries) => el("ul", { class: "rows flat" }, entries.filter(Boolean).map((entry) => el("li", {}, link(entry))));
	const carriedItems = carriedEntries(app).map(({ title, icon: name, route, badge }) => ({ label: title, icon: name, route, badge }));
	const action = presenceAction(app);
	const presence = action && presenceControl(app, action, { state: me.presence, note: me.note });
	const dialog = openDialog({
		words, title: me.name, kind: "own", body: [
			el("div", { class: "stack" },
				el("div", { class: "line line-3" }, avatar({ ...me, size: "l" }), el("div", { class: "grow" }, presence)),
				list(items.filter((item) => !phoneSet.has(item))),
				carriedItems.length > 0 && el("div", {}, el("h3", { class: "side-head", text: words.carried() }), list(carriedItems)),
				list([...linkItems(app), signOutItem(app)])),
		],
	});
}

// linkItems returns the items that are links: the activity, the settings, the pages of the operator and the manual.
function linkItems(app) {
	const { words, store } = app;
	return [
		{ label: words.frame.notifications(0), icon: "bell", route: app.notificationsRoute() },
		store.service("settings") && { label: words.frame.settings(), icon: "gear", route: { kind: "settings" } },
		store.service("operator") && store.dataset?.member?.is_operator && {
			label: words.frame.operator(), icon: "server", route: { kind: "operator" },
		},
		{ label: words.frame.help(), icon: "help", href: `${app.paths.base}/help/` },
	].filter(Boolean).map(({ route, ...item }) => (route ? { ...item, href: app.href(route) } : item));
}

// signOutItem returns the item that ends the session, or undefined.
function signOutItem(app) {
	const action = app.store.session.shell?.actions?.find(({ type }) => type === "member.sign_out");
	return action ? { label: action.label, icon: "out", run: () => app.signOut(action) } : undefined;
}

// presenceAction returns the action that sets the presence, or undefined.
function presenceAction(app) {
	const { objectId } = signedInMember(app.store);
	return objectId && app.store.actionOn(objectId, "social.presence.set");
}

// stateOptions returns the options { value, label } of the state of the presence; action may be
// undefined.
function stateOptions(action) {
	return action?.controls?.find(({ id }) => id === "state")?.options ?? [];
}

// presenceItems returns the items that set the state of the presence, and the item that opens the form
// with its note and visibility; [] without the action.
function presenceItems(app) {
	const action = presenceAction(app);
	const me = signedInMember(app.store);
	const items = stateOptions(action).map(({ value, label }) => ({
		label, checked: value === me.presence, run: () => setPresence(app, action, value, me.note),
	}));
	return action ? [...items, {
		label: app.words.frame.presenceNote(), icon: "edit",
		run: () => app.actions.openForm(action, { title: app.words.frame.presenceTitle(), submit: app.words.save() }),
	}] : [];
}

// presenceControl returns the segmented control that sets the state of the presence with an action. state is the present
// state, and note the present note, by default that of the action. After a failure it shows the latest state that
// was set, unless the member has chosen another one meanwhile.
export function presenceControl(app, action, { state, note }) {
	let presentState = state;
	const control = segmented(stateOptions(action), {
		label: app.words.frame.presenceTitle(), value: presentState, full: true,
		choose: async (value) => {
			if ((await setPresence(app, action, value, note)) !== null) presentState = value;
			else if (control.value === value) control.set(presentState);
		},
	});
	return control.element;
}

function setPresence(app, action, state, note) {
	return app.actions.perform(withoutAudience(action), { values: { state, note }, ordered: true });
}

// withoutAudience returns the action that sets the presence, with the controls of state and note only.
// The server keeps the audience if the request contains none. The default of the control of the audience
// can be older than the latest change, and would then restore an earlier audience.
export function withoutAudience(action) {
	return { ...action, controls: action.controls?.filter(({ id }) => id === "state" || id === "note") };
}

// renewPresence begins to set the presence of the member again before it expires, while the page is
// visible and the server responds. It sets none for a member without a presence. After a pause of the
// page, for example of a locked phone, the dataset may contain an earlier presence: the renewal is left
// out until the next interval.
export function renewPresence(app) {
	let latestTime = Date.now(); // time of the latest interval
	setInterval(() => {
		const hasPaused = Date.now() - latestTime > 1.5 * RENEWAL_INTERVAL;
		latestTime = Date.now();
		if (hasPaused) return;
		const action = presenceAction(app);
		const { presence, note } = signedInMember(app.store);
		if (document.hidden || !action || !presence || presence === "offline" || app.connection.state !== "online") return;
		app.dispatcher.perform(withoutAudience(action), { state: presence, note }).catch(() => {}); // the next interval tries again
	}, RENEWAL_INTERVAL);
}
