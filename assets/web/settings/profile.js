// The pages for the account of the member, their password and their sessions.

import { avatar } from "../parts/avatar.js";
import { el } from "../parts/el.js";
import { tag } from "../parts/badge.js";
import { buttonOf, card, changeButton, line, listCard, roundMark, section, setting } from "./cards.js";
import { sectionOf } from "../parts/panel.js";
import { deviceIcon, formOf } from "./pages.js";

// profileParts returns the parts for Slots: the profile that other members see, and the sign-in
// details.
export function profileParts(app, panel, block) {
	const { words } = app;
	const me = app.signedInMember();
	const ownActions = me.objectId ? app.store.actionsOn(me.objectId) : [];
	const items = sectionOf(panel, "account")?.items ?? [];
	const itemOf = (id) => items.find((item) => item.id === id);
	const update = formOf(panel, "update");
	const details = formOf(panel, "sign_in_details");
	return [
		{
			key: "who", data: [me, ownActions, panel.member, update],
			make: () => section(words.settings.seen(), {}, profileCard(app, block, { me, ownActions, update, panel })),
		},
		{
			key: "details", data: [items, details],
			make: () => section(words.settings.signIn(), { lead: words.settings.signInLead() }, card(
				["email", "username"].map(itemOf).filter(Boolean).map((item) => setting(item.title, {
					value: item.summary,
					control: details && changeButton(words, item.title,
						() => block.openForm(details, { title: item.title, controls: controlsFor(details, item.id) })),
				})))),
		},
	];
}

// controlsFor returns the controls of the form of the sign-in details that change the item with an id,
// "email" or "username": all except the field of the other item, which keeps its value.
function controlsFor(form, id) {
	const others = ["email", "username"].filter((other) => other !== id);
	return form.controls.filter((control) => !others.includes(control.id));
}

// profileCard returns the card of the profile, with the buttons that change the display name, the color
// and the picture. me is App.signedInMember(), ownActions are the actions on the profile, and update is the form
// of the account.
function profileCard(app, block, { me, ownActions, update, panel }) {
	const { words } = app;
	const action = (type) => ownActions.find((candidate) => candidate.type === type);
	const picture = action("social.profile.avatar.set");
	const remove = action("social.profile.avatar.delete") ?? action("social.profile.avatar.remove");
	const profile = action("social.profile.update");
	const color = profile?.controls?.find(({ id }) => id === "color");
	const name = update?.controls.find(({ id }) => id === "display_name");
	const openForm = (form, options) => () => block.openForm(form, options);
	return card(
		el("div", { class: "line line-3 wrap" },
			avatar({ ...me, presence: null, size: "l" }),
			el("div", { class: "grow" },
				el("p", { class: "strong", dir: "auto", text: me.name }),
				el("p", { class: "quiet small clip", dir: "ltr" }, `@${panel.member.username}`)),
			profile && el("a", {
				class: "btn s plain", href: app.href({ kind: "at", id: me.objectId }), text: words.settings.openProfile(),
			})),
		name && setting(name.label, {
			value: name.default,
			control: changeButton(words, name.label, () => block.openForm(update, { title: name.label, controls: [name] })),
		}),
		color && setting(color.label, {
			control: el("span", { class: "line" },
				el("span", {
					class: `dot big ${me.color && !me.color.startsWith("#") ? `c-${me.color}` : ""}`,
					vars: me.color?.startsWith("#") ? { "--c": me.color } : {},
				}),
				changeButton(words, color.label, openForm(profile, { title: color.label, controls: [color] }))),
		}),
		picture && setting(words.settings.picture(), {
			hint: words.settings.pictureHint(),
			control: el("span", { class: "line" },
				remove && buttonOf(block, remove), changeButton(words, words.settings.picture(), openForm(picture), words.choose())),
		}),
	);
}

// passwordParts returns the part for Slots that changes the password.
export function passwordParts(app, panel, block) {
	const { words } = app;
	const form = formOf(panel, "change_password");
	const rule = sectionOf(panel, "password")?.summary;
	return [{
		key: "password", data: [panel.summary, rule, form],
		make: () => section(panel.title, { lead: panel.summary }, card(setting(words.settings.yourPassword(), {
			hint: rule,
			control: form && changeButton(words, panel.title, () => block.openForm(form, {
				title: form.label, submit: form.label, hints: { new_password: rule }, doneText: words.settings.passwordChanged(),
			})),
		}))),
	}];
}

// sessionParts returns the part for Slots with the sessions of the member, the current one first. Each
// has a button that ends it; two more buttons end all other sessions, and all sessions.
export function sessionParts(app, panel, block) {
	const { words } = app;
	const items = [...(sectionOf(panel, "sessions")?.items ?? [])]
		.sort((a, b) => Number(b.metadata.current) - Number(a.metadata.current));
	const forms = ["sign_out_others", "sign_out_everywhere"].map((id) => formOf(panel, id)).filter(Boolean);
	const visibleForms = forms.filter(({ id }) => id !== "sign_out_others" || items.length > 1);
	return [{
		key: "sessions", data: [items, visibleForms, words.currentDay()],
		make: () => section(words.settings.whereSignedIn(), {
			lead: words.settings.sessionsLead(), end: visibleForms.map((form) => endSessionsButton(app, block, form)),
		}, listCard(items.map((item) => sessionLine(app, block, item)), { label: panel.title, empty: panel.summary })),
	}];
}

// endSessionsButton returns the button of a form that ends several sessions.
function endSessionsButton(app, block, form) {
	const endsCurrent = form.id === "sign_out_everywhere";
	return buttonOf(endsCurrent ? signOutBlock(app) : block, form, {
		doneText: endsCurrent ? "" : app.words.settings.signedOutOthers(),
	});
}

// signOutBlock returns an object for buttonOf that performs an action with App.signOut, because the
// action ends the current session.
function signOutBlock(app) {
	return { perform: (action, options) => app.signOut(action, options) };
}

// sessionLine returns the row of a session.
function sessionLine(app, block, item) {
	const { words } = app;
	const { current, created_at: created, last_used_at: used, address } = item.metadata;
	const [action] = item.actions ?? [];
	const sub = [words.settings.since(words.when(created)), address].filter(Boolean).join(" · ");
	return line({
		picture: roundMark(deviceIcon(item.title)), title: item.title,
		tags: current ? [tag(words.settings.here(), { tone: "good" })] : [], sub,
		time: current ? null : words.settings.used(words.when(used)), dateTime: used,
		end: action ? [
			current
				? buttonOf(signOutBlock(app), action, { name: item.title })
				: buttonOf(block, action, { name: item.title, doneText: words.settings.signedOut(item.title) }),
		] : [],
	});
}
