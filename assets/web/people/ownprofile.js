// The view of the member's own profile: its head, the presence, and the form that changes the profile.

import { avatar } from "../parts/avatar.js";
import { button, el } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { createForm } from "../parts/form.js";
import { sectionHead } from "../parts/row.js";
import { bar, selfButton } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { presenceControl } from "../frame/membermenu.js";
import { presenceLine } from "../frame/person.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { choosePicture } from "./picture.js";

// ownProfileView returns the view of the profile of the member.
export function ownProfileView(app) {
	const { words, store } = app;
	const scope = app.scope();
	const social = store.service("social").content_source;
	const base = routeOfPanel(store.session, social);
	const head = el("div", { class: "prof-head" });
	const status = el("section", {});
	const edit = el("section", {});
	const body = el("div", { class: "measure own-page" }, skeleton({ words, rows: 4 }));
	const circlesRoute = base && { ...base, query: { view: "circles" } };
	const circlesLink = base && el("a", { class: "btn not-phone", href: app.href(circlesRoute), text: words.people.yourCircles() });
	const viewBar = bar(app, {
		title: words.people.profile(), back: circlesRoute ?? { kind: "today" },
		end: [circlesLink, selfButton(app, avatar({ ...app.signedInMember(), size: "s" }))].filter(Boolean),
	});
	const view = {
		title: words.people.profile(), usesFullWidth: true, close: () => scope.end(), update: () => false,
		element: [viewBar, el("div", { class: "pane" }, body)],
	};
	const url = withQuery(social, { view: "profile" });
	let form = null;
	let shownControls = ""; // JSON of the controls of the form
	let latestPanel = null; // the latest panel

	// show shows a panel. It keeps a form with unsaved changes.
	const show = (panel) => {
		latestPanel = panel;
		if (!head.isConnected) body.replaceChildren(head, el("div", { class: "two own-two" }, edit, status));
		showHead(app, head, panel);
		showStatus(app, status, panel);
		const update = panel.action_descriptors?.find(({ id }) => id === "update");
		const text = JSON.stringify(update?.controls ?? null);
		if (text === shownControls || form?.isChanged()) return;
		shownControls = text;
		form = update ? profileForm(app, update, replaceForm) : null;
		keepFocus(edit, () => edit.replaceChildren(...[sectionHead(words.people.aboutYou()), form?.element].filter(Boolean)));
	};
	// replaceForm replaces the form by one with the saved profile. It reads the profile; if that fails, the
	// next panel that arrives replaces the form.
	const replaceForm = async () => {
		form.discardDraft();
		form = null;
		shownControls = "";
		await app.reader.read(url).then(() => form ?? show(latestPanel), () => {});
	};
	scope.panel(url, ["social", "identity"], show, (error, wasShown) => {
		if (!wasShown) body.replaceChildren(problem(error, words, () => app.show()));
	});
	return view;
}

// profileOf returns the item of the profile in a panel, or undefined.
function profileOf(panel) {
	return panel.sections?.find(({ id }) => id === "about")?.items?.[0];
}

// showHead renders the picture, the name and the presence into a node, and the buttons that set and
// remove the picture. It does nothing if they have not changed.
function showHead(app, node, panel) {
	const { words } = app;
	const profile = profileOf(panel);
	const { actor } = profile;
	const image = actor?.avatar?.url ?? profile.metadata?.avatar?.url;
	const avatarOptions = { name: profile.title, id: actor?.member_id, color: actor?.color, image };
	const set = panel.action_descriptors?.find(({ id }) => id === "set_avatar");
	const remove = profile.actions?.find(({ id }) => id === "delete_avatar");
	const pronouns = profile.metadata?.pronouns;
	const text = JSON.stringify([avatarOptions, actor?.presence?.state, actor?.presence?.note, pronouns, Boolean(remove)]);
	if (node.dataset.shown === text) return;
	node.dataset.shown = text;
	const setPicture = async () => {
		if ((await choosePicture(app, set, { present: avatarOptions })) !== null) app.toasts.show(words.people.pictureSet());
	};
	const presence = [actor?.username && `@${actor.username}`, presenceLine(actor, words)].filter(Boolean).join(" · ");
	keepFocus(node, () => node.replaceChildren(avatar({ ...avatarOptions, size: "l", presence: actor?.presence?.state }),
		el("div", { class: "grow" },
			el("h2", {}, el("bdi", { text: profile.title }), pronouns && [" ", el("span", { class: "quiet", dir: "auto", text: pronouns })]),
			el("p", { class: "quiet", dir: "auto", text: presence })),
		el("div", { class: "line wrap" },
			set && button({ label: set.label, icon: "gallery", run: setPicture }),
			remove && app.actions.button(remove, { kind: "plain", doneText: words.people.pictureRemoved() }))));
}

// showStatus renders the presence into a node: a control that sets the state at once, the note, the
// audience, and the time when the presence expires. It does nothing if they have not changed.
function showStatus(app, node, panel) {
	const { words } = app;
	const action = panel.action_descriptors?.find(({ id }) => id === "set_presence");
	if (!action) return node.replaceChildren();
	const status = panel.sections?.find(({ id }) => id === "status")?.items?.[0]?.metadata;
	const presence = profileOf(panel)?.actor?.presence ?? status;
	const audience = action.controls?.find(({ id }) => id === "visible_to");
	const audienceLabel = audience?.options?.find(({ value }) => value === (presence?.visible_to ?? audience.default))?.label;
	const text = JSON.stringify([presence?.state, presence?.note, audienceLabel, presence?.expires_at]);
	if (node.dataset.shown === text) return undefined;
	node.dataset.shown = text;
	const withPresentState = (other) => (other.id === "state" && presence?.state ? { ...other, default: presence.state } : other);
	const change = { ...action, controls: action.controls.map(withPresentState) };
	const showForm = () => app.actions.openForm(change, { title: words.frame.presenceTitle(), submit: words.save(), savesDraft: false });
	const hasExpiry = presence?.expires_at && presence.state !== "offline";
	keepFocus(node, () => node.replaceChildren(sectionHead(words.frame.presenceTitle()), el("div", { class: "stack-s" },
		presenceControl(app, action, { state: presence?.state ?? "offline" }),
		presence?.note && el("p", { dir: "auto", text: presence.note }),
		audienceLabel && el("p", { class: "quiet small", text: words.people.seenBy(audienceLabel) }),
		hasExpiry && el("p", { class: "quiet small", text: words.people.until(words.when(presence.expires_at)) }),
		el("div", {}, button({ label: words.frame.presenceNote(), icon: "edit", kind: "s", run: showForm })))));
	return undefined;
}

// profileForm returns the form of the profile, see createForm. onSaved is called after the server has
// saved the profile; the form stays busy until the promise that it returns is resolved.
function profileForm(app, action, onSaved) {
	const { words } = app;
	const form = createForm({
		controls: action.controls, words, storage: app.drafts, draftKey: action.url, submit: words.save(),
		options: (control, text, signal) => app.actions.options(control, text, signal),
		send: async (values) => {
			await app.dispatcher.perform(action, values);
			app.toasts.show(words.people.saved());
			await onSaved();
		},
	});
	return form;
}
