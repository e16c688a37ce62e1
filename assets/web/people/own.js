// The profile of the member: as other members see it, with the form that changes it.

import { avatar } from "../parts/avatar.js";
import { button, el } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { createForm } from "../parts/form.js";
import { sectionHead } from "../parts/row.js";
import { segmented } from "../parts/tabs.js";
import { bar, selfButton } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { withoutAudience } from "../frame/own.js";
import { presenceLine } from "../frame/person.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { choosePicture } from "./picture.js";

// ownView returns the view of the profile of the member.
export function ownView(app) {
	const { words, store } = app;
	const scope = app.scope();
	const social = store.service("social").content_source;
	const base = routeOfPanel(store.session, social);
	const head = el("div", { class: "prof-head" });
	const status = el("section", {});
	const edit = el("section", {});
	const body = el("div", { class: "measure own-page" }, skeleton({ words, rows: 4 }));
	const start = base && el("a", { class: "btn not-phone", href: app.href({ ...base, query: { view: "circles" } }), text: words.people.yourCircles() });
	const view = {
		title: words.people.profile(), noRail: true, close: () => scope.end(), update: () => false,
		element: [bar(app, { title: words.people.profile(), back: base ? { ...base, query: { view: "circles" } } : { kind: "today" }, end: [start, selfButton(app, avatar({ ...app.self(), size: "s" }))].filter(Boolean) }), el("div", { class: "pane" }, body)],
	};
	const url = withQuery(social, { view: "profile" });
	let form = null;
	let known = "";
	let latest = null; // panel

	const show = (panel) => {
		latest = panel;
		if (!head.isConnected) body.replaceChildren(head, el("div", { class: "two own-two" }, edit, status));
		showHead(app, head, panel);
		showStatus(app, status, panel);
		const update = panel.action_descriptors?.find(({ id }) => id === "update");
		const text = JSON.stringify(update?.controls ?? null);
		if (text === known || form?.isChanged()) return;
		known = text;
		form = update ? profileForm(app, update, saved) : null;
		keepFocus(edit, () => edit.replaceChildren(...[sectionHead(words.people.aboutYou()), form?.element].filter(Boolean)));
	};
	// saved shows a form with the saved profile, whose fields are not changed. If the profile cannot
	// be read, the next panel does so.
	const saved = async () => {
		form.discardDraft();
		form = null;
		known = "";
		await app.reader.read(url).then(() => form ?? show(latest), () => {});
	};
	scope.panel(url, ["social", "identity"], show, (error, wasShown) => wasShown || body.replaceChildren(problem(error, words, () => app.show())));
	return view;
}

function profileOf(panel) {
	return panel.sections?.find(({ id }) => id === "about")?.items?.[0];
}

function showHead(app, node, panel) {
	const { words } = app;
	const profile = profileOf(panel);
	const { actor } = profile;
	const present = { name: profile.title, id: actor?.member_id, color: actor?.color, image: actor?.avatar?.url ?? profile.metadata?.avatar?.url };
	const set = panel.action_descriptors?.find(({ id }) => id === "set_avatar");
	const remove = profile.actions?.find(({ id }) => id === "delete_avatar");
	const text = JSON.stringify([present, actor?.presence?.state, actor?.presence?.note, profile.metadata?.pronouns, Boolean(remove)]);
	if (node.dataset.shown === text) return;
	node.dataset.shown = text;
	const pronouns = profile.metadata?.pronouns;
	keepFocus(node, () => node.replaceChildren(avatar({ ...present, size: "l", presence: actor?.presence?.state }),
		el("div", { class: "grow" },
			el("h2", {}, el("bdi", { text: profile.title }), pronouns && [" ", el("span", { class: "quiet", dir: "auto", text: pronouns })]),
			el("p", { class: "quiet", dir: "auto", text: [actor?.username && `@${actor.username}`, presenceLine(actor, words)].filter(Boolean).join(" · ") })),
		el("div", { class: "line wrap" },
			set && button({ label: set.label, icon: "gallery", run: async () => { if ((await choosePicture(app, set, { present })) !== null) app.toasts.show(words.people.pictureSet()); } }),
			remove && app.acts.button(remove, { kind: "plain", done: words.people.pictureRemoved() }))));
}

// showStatus shows the presence, which is set at once.
function showStatus(app, node, panel) {
	const { words } = app;
	const action = panel.action_descriptors?.find(({ id }) => id === "set_presence");
	if (!action) return node.replaceChildren();
	const presence = profileOf(panel)?.actor?.presence ?? panel.sections?.find(({ id }) => id === "status")?.items?.[0]?.metadata;
	const audience = action.controls?.find(({ id }) => id === "visible_to");
	const visible = audience?.options?.find(({ value }) => value === (presence?.visible_to ?? audience.default))?.label;
	const text = JSON.stringify([presence?.state, presence?.note, visible, presence?.expires_at]);
	if (node.dataset.shown === text) return undefined;
	node.dataset.shown = text;
	const state = action.controls.find(({ id }) => id === "state");
	const control = segmented(state.options, {
		label: words.frame.presenceTitle(), value: presence?.state ?? "offline", full: true,
		choose: async (value) => { if ((await app.acts.act(withoutAudience(action), { values: { state: value } })) === null) control.set(presence?.state); },
	});
	const change = { ...action, controls: action.controls.map((other) => (other.id === "state" && presence?.state ? { ...other, default: presence.state } : other)) };
	keepFocus(node, () => node.replaceChildren(sectionHead(words.frame.presenceTitle()), el("div", { class: "stack-s" }, control.element,
		presence?.note && el("p", { dir: "auto", text: presence.note }),
		visible && el("p", { class: "quiet small", text: words.people.seenBy(visible) }),
		presence?.expires_at && presence.state !== "offline" && el("p", { class: "quiet small", text: words.people.until(words.when(presence.expires_at)) }),
		el("div", {}, button({ label: words.frame.presenceNote(), icon: "edit", kind: "s", run: () => app.acts.form(change, { title: words.frame.presenceTitle(), submit: words.save(), keep: false }) })))));
	return undefined;
}

// profileForm returns the form of the profile. saved is called after the profile was saved.
function profileForm(app, action, saved) {
	const { words } = app;
	const form = createForm({
		controls: action.controls, words, storage: app.drafts, draftKey: action.url, submit: words.save(),
		options: (control, text, signal) => app.acts.options(control, text, signal),
		send: async (values) => {
			await app.dispatcher.perform(action, values);
			app.toasts.show(words.people.saved());
			await saved();
		},
	});
	return form;
}
