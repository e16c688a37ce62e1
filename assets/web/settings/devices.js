// Devices: how a calendar program is connected, and the passwords of the devices.

import { copyButton, copyField } from "../parts/copy.js";
import { button, el } from "../parts/el.js";
import { notice } from "../parts/notice.js";
import { qr } from "../parts/qr.js";
import { openSecret } from "../parts/secret.js";
import { segmented } from "../parts/tabs.js";
import { buttonOf, line, listCard, mark, section } from "./cards.js";
import { sectionOf } from "../parts/panel.js";
import { deviceIcon, formOf, platformOf } from "./pages.js";

const PLATFORMS = ["iphone", "mac", "android", "other"];

// deviceParts shows the steps to connect a device, and the device passwords.
export function deviceParts(app, panel, block) {
	const { words } = app;
	const list = sectionOf(panel, "device_passwords");
	const create = formOf(panel, "create_device", "member.device");
	return [
		panel.caldav && { key: "connect", data: [panel.caldav, panel.action_descriptors], make: () => connectPart(app, panel, block) },
		{
			key: "devices", data: [list, create, words.currentDay()], make: () => section(list.title, {
				lead: list.items.length > 0 ? words.settings.devicesLead() : list.summary, end: [create && button({ label: create.label, icon: "plus", kind: "s", "aria-haspopup": "dialog", run: () => createPassword(app, panel, block, create) })],
			}, listCard(list.items.map((item) => deviceLine(app, block, item)), { label: list.title })),
		},
	];
}

function deviceLine(app, block, item) {
	const { words } = app;
	const [remove] = item.actions ?? [];
	const { created_at: created, last_used_at: used } = item.metadata;
	return line({
		picture: mark(deviceIcon(item.title)), title: item.title, sub: words.settings.created(words.when(created)), time: used ? words.settings.used(words.when(used)) : words.settings.neverUsed(), dateTime: used ?? created,
		end: remove ? [buttonOf(block, remove, { label: words.remove(), name: item.title, done: words.settings.deviceRemoved(item.title) })] : [],
	});
}

// createPassword creates a device password, and shows it once with what else a program asks for.
async function createPassword(app, panel, block, form) {
	const { words } = app;
	const data = await block.form(form, { title: form.label, submit: words.settings.create(), hints: { label: words.settings.deviceHint() } });
	const device = data?.device_password;
	if (!device) return;
	await openSecret({
		words, title: words.settings.passwordOf(device.label), text: words.settings.passwordText(),
		entries: [{ label: words.settings.password(), value: device.password }, ...access(app, panel)],
	});
}

// access returns what a calendar program asks for beside the password.
function access(app, panel) {
	const { words } = app;
	const { caldav } = panel;
	return caldav ? [{ label: words.settings.userName(), value: caldav.username }, { label: words.settings.server(), value: app.client.address(caldav.caldav_path) }] : [];
}

// connectPart shows the steps for each kind of device. The link that sets up a device exists
// in this node only.
function connectPart(app, panel, block) {
	const { words } = app;
	const setUp = formOf(panel, "set_up_device", "member.device");
	const create = formOf(panel, "create_device", "member.device");
	const isSecure = location.protocol === "https:";
	const body = el("div", { class: "connect-body" });
	let setup = null; // { setup_url, expires_at, qr, only_local } after the member has asked for it
	const show = (platform) => body.replaceChildren(...stepsOf(app, { platform, setup, isSecure, setUp, create, begin, password: () => createPassword(app, panel, block, create) }));
	const begin = async (platform) => {
		const controls = setUp.controls.map((control) => (control.id === "label" ? { ...control, default: words.settings.platform(platform) } : control));
		const data = await block.form(setUp, { title: setUp.label, submit: words.settings.showLink(), hints: { label: words.settings.deviceHint() }, controls });
		if (!data?.device_setup) return;
		setup = data.device_setup;
		show(platform);
		body.querySelector(".open-here, .copy-text")?.focus();
	};
	const first = platformOf(navigator.userAgent);
	const choice = segmented(PLATFORMS.map((value) => ({ value, label: words.settings.platform(value) })), { label: words.settings.deviceKind(), value: first, full: true, choose: show });
	show(first);
	const byHand = access(app, panel);
	return section(words.settings.connect(), { lead: words.settings.connectLead() }, el("div", { class: "card" }, el("div", { class: "seg-wrap" }, choice.element), body,
		el("div", { class: "card-foot by-hand" }, byHand.map(({ label, value }) => el("span", { class: "by-hand-line" }, el("span", { class: "quiet small", text: label }), el("code", { dir: "ltr", text: value }), copyButton(value, { label, words, kind: "s" }))))));
}

function stepsOf(app, { platform, setup, isSecure, setUp, create, begin, password }) {
	const { words } = app;
	const text = words.settings;
	const list = (steps) => el("ol", { class: "steps" }, steps.map((step) => el("li", { text: step })));
	const needsHTTPS = !isSecure && platform !== "other"; // the server creates no link without HTTPS
	const warning = needsHTTPS && el("div", { class: "connect-note" }, notice({ kind: "warn", title: text.needsHTTPS(), text: text.needsHTTPSText() }));
	const manual = needsHTTPS || platform === "other" || !setUp;
	if (manual) {
		const act = create && button({ label: create.label, icon: "key", kind: "s", "aria-haspopup": "dialog", run: password });
		return [warning, el("div", { class: "connect one" }, el("div", { class: "stack" }, list(text.manualSteps(platform)), el("div", {}, act)))].filter(Boolean);
	}
	const isOver = setup && Date.parse(setup.expires_at) <= Date.now();
	if (!setup || isOver) {
		const act = button({ label: text.showLink(), icon: "link", kind: "s primary", "aria-haspopup": "dialog", run: () => begin(platform) });
		return [el("div", { class: "connect one" }, el("div", { class: "stack" }, isOver && el("p", { class: "quiet", text: text.linkOver() }), list(text.linkSteps(platform)), el("div", {}, act)))];
	}
	const picture = qr(setup.qr ?? setup.qr_svg, text.qrLabel());
	const until = el("span", { class: "quiet tiny", text: text.goodUntil(words.time(setup.expires_at)) });
	const here = platform === platformOf(navigator.userAgent) && el("a", { class: "btn primary s open-here", href: setup.setup_url, text: text.openHere() });
	return [
		el("div", { class: picture ? "connect" : "connect one" }, picture && el("div", { class: "qr-wrap" }, picture, until), list(text.linkSteps(platform).slice(1))),
		el("div", { class: "connect-link stack-s" }, here, copyField(setup.setup_url, { label: text.link(), words }), !picture && until, setup.only_local && notice({ kind: "warn", text: text.onlyLocal() })),
	];
}
