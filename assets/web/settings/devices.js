// The page that connects devices: set-up steps for calendar programs, and device passwords.

import { copyButton, copyField } from "../parts/copy.js";
import { button, el } from "../parts/el.js";
import { notice } from "../parts/notice.js";
import { qrCode } from "../parts/qrcode.js";
import { openSecret } from "../parts/secret.js";
import { segmented } from "../parts/tabs.js";
import { buttonOf, line, listCard, roundMark, section } from "./cards.js";
import { sectionOf } from "../parts/panel.js";
import { deviceIcon, formOf, platformOf } from "./pages.js";

const PLATFORMS = ["iphone", "mac", "android", "other"];

// deviceParts returns the parts for Slots: the set-up steps, and the list of the device passwords.
export function deviceParts(app, panel, block) {
	const { words } = app;
	const list = sectionOf(panel, "device_passwords");
	const create = formOf(panel, "create_device", "member.device");
	return [
		panel.caldav && {
			key: "connect", data: [panel.caldav, panel.action_descriptors], make: () => connectSection(app, panel, block),
		},
		{
			key: "devices", data: [list, create, words.currentDay()],
			make: () => section(list.title, {
				lead: list.items.length > 0 ? words.settings.devicesLead() : list.summary,
				end: [create && button({
					label: create.label, icon: "plus", kind: "s", "aria-haspopup": "dialog",
					run: () => createPassword(app, panel, block, create),
				})],
			}, listCard(list.items.map((item) => deviceLine(app, block, item)), { label: list.title })),
		},
	];
}

// deviceLine returns the row of a device password.
function deviceLine(app, block, item) {
	const { words } = app;
	const [remove] = item.actions ?? [];
	const { created_at: created, last_used_at: used } = item.metadata;
	return line({
		picture: roundMark(deviceIcon(item.title)), title: item.title, sub: words.settings.created(words.when(created)),
		time: used ? words.settings.used(words.when(used)) : words.settings.neverUsed(), dateTime: used ?? created,
		end: remove
			? [buttonOf(block, remove, { label: words.remove(), name: item.title, doneText: words.settings.deviceRemoved(item.title) })]
			: [],
	});
}

// createPassword creates a device password with its form, and shows it once, together with the server
// and the user name. form is the action.
async function createPassword(app, panel, block, form) {
	const { words } = app;
	const data = await block.openForm(form, {
		title: form.label, submit: words.settings.create(), hints: { label: words.settings.deviceHint() },
	});
	const device = data?.device_password;
	if (!device) return;
	await openSecret({
		words, title: words.settings.passwordOf(device.label), text: words.settings.passwordText(),
		entries: [{ label: words.settings.password(), value: device.password }, ...accountEntries(app, panel)],
	});
}

// accountEntries returns the user name and the server for a calendar program, as a list of
// { label, value }; [] if the panel has none.
function accountEntries(app, panel) {
	const { words } = app;
	const { caldav } = panel;
	return caldav ? [
		{ label: words.settings.userName(), value: caldav.username },
		{ label: words.settings.server(), value: app.client.address(caldav.caldav_path) },
	] : [];
}

// connectSection returns the section with the set-up steps of each platform. The link that sets up a
// device is a secret; it is kept only in the variables of this call.
function connectSection(app, panel, block) {
	const { words } = app;
	const setUp = formOf(panel, "set_up_device", "member.device");
	const create = formOf(panel, "create_device", "member.device");
	const isSecure = location.protocol === "https:";
	const body = el("div", { class: "connect-body" });
	let deviceSetup = null; // { setup_url, expires_at, qr, notice } after createLink
	const show = (platform) => body.replaceChildren(...stepNodes(app, {
		platform, deviceSetup, isSecure, setUp, create, createLink, openPasswordForm: () => createPassword(app, panel, block, create),
	}));
	const createLink = async (platform) => {
		const controls = setUp.controls.map((control) => (
			control.id === "label" ? { ...control, default: words.settings.platform(platform) } : control
		));
		const data = await block.openForm(setUp, {
			title: setUp.label, submit: words.settings.showLink(), hints: { label: words.settings.deviceHint() }, controls,
		});
		if (!data?.device_setup) return;
		deviceSetup = data.device_setup;
		show(platform);
		body.querySelector(".open-here, .copy-text")?.focus();
	};
	const first = platformOf(navigator.userAgent);
	const choice = segmented(
		PLATFORMS.map((value) => ({ value, label: words.settings.platform(value) })),
		{ label: words.settings.deviceKind(), value: first, full: true, choose: show },
	);
	show(first);
	const byHand = accountEntries(app, panel);
	return section(words.settings.connect(), { lead: words.settings.connectLead() },
		el("div", { class: "card" }, el("div", { class: "seg-wrap" }, choice.element), body,
			el("div", { class: "card-foot by-hand" }, byHand.map(({ label, value }) => el("span", { class: "by-hand-line" },
				el("span", { class: "quiet small", text: label }), el("code", { dir: "ltr", text: value }),
				copyButton(value, { label, words, kind: "s" }))))));
}

// stepNodes returns the nodes with the set-up steps of a platform. Before a link has been created, or
// after it has expired, they contain the button that creates it; afterwards the link and its QR code.
// For the platform "other", and if no link can be created, they contain the button that creates a
// device password. Options:
//
//   platform
//   deviceSetup  the created link, see connectSection, or null
//   isSecure     whether the page was loaded over HTTPS
//   setUp        the action that creates a link, or undefined; createLink(platform) performs it
//   create       the action that creates a device password, or undefined; openPasswordForm()
//                performs it
function stepNodes(app, { platform, deviceSetup, isSecure, setUp, create, createLink, openPasswordForm }) {
	const { words } = app;
	const text = words.settings;
	const list = (steps) => el("ol", { class: "steps" }, steps.map((step) => el("li", { text: step })));
	const needsHTTPS = !isSecure && platform !== "other"; // the server creates no link without HTTPS
	const warning = needsHTTPS && el("div", { class: "connect-note" },
		notice({ kind: "warn", title: text.needsHTTPS(), text: text.needsHTTPSText() }));
	const isManual = needsHTTPS || platform === "other" || !setUp;
	if (isManual) {
		const passwordButton = create && button({
			label: create.label, icon: "key", kind: "s", "aria-haspopup": "dialog", run: openPasswordForm,
		});
		return [
			warning,
			el("div", { class: "connect one" },
				el("div", { class: "stack" }, list(text.manualSteps(platform)), el("div", {}, passwordButton))),
		].filter(Boolean);
	}
	const hasExpired = deviceSetup && Date.parse(deviceSetup.expires_at) <= Date.now();
	if (!deviceSetup || hasExpired) {
		const linkButton = button({
			label: text.showLink(), icon: "link", kind: "s primary", "aria-haspopup": "dialog", run: () => createLink(platform),
		});
		return [el("div", { class: "connect one" },
			el("div", { class: "stack" },
				hasExpired && el("p", { class: "quiet", text: text.linkOver() }),
				list(text.linkSteps(platform)), el("div", {}, linkButton)))];
	}
	const picture = qrCode(deviceSetup.qr ?? deviceSetup.qr_svg, text.qrLabel());
	const until = el("span", { class: "quiet tiny", text: text.goodUntil(words.time(deviceSetup.expires_at)) });
	const here = platform === platformOf(navigator.userAgent)
		&& el("a", { class: "btn primary s open-here", href: deviceSetup.setup_url, text: text.openHere() });
	return [
		el("div", { class: picture ? "connect" : "connect one" },
			picture && el("div", { class: "qr-wrap" }, picture, until), list(text.linkSteps(platform).slice(1))),
		el("div", { class: "connect-link stack-s" }, here, copyField(deviceSetup.setup_url, { label: text.link(), words }),
			!picture && until, deviceSetup.notice && notice({ kind: "warn", text: deviceSetup.notice })),
	];
}
