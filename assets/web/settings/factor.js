// The page for the second factor: the authenticator app, passkeys and recovery codes.

import { el } from "../parts/el.js";
import { tag } from "../parts/badge.js";
import { openDialog } from "../parts/dialog.js";
import { loadForms } from "../frame/actions.js";
import { copyField } from "../parts/copy.js";
import { createPasskey } from "../parts/passkey.js";
import { qrCode } from "../parts/qrcode.js";
import { openSecret } from "../parts/secret.js";
import { changeButton, line, listCard, roundMark, section } from "./cards.js";
import { formOf, groupCharacters, withActionType } from "./pages.js";

// SECTION_ICONS are the icons of the items by the id of their section.
const SECTION_ICONS = { authenticator_app: "device", passkeys: "key", recovery_codes: "shield" };

// factorParts returns the parts for Slots: whether the second factor is enabled, and a section for each
// kind of factor with its actions.
export function factorParts(app, panel, block) {
	const { words } = app;
	const { second_factor: factor } = panel;
	const form = (id) => formOf(panel, id);
	const [enroll, confirm, remove, renew, begin] = [
		"enroll_totp", "confirm_totp", "remove_totp", "renew_recovery_codes", "begin_passkey",
	].map(form);
	const state = tag(factor?.enabled ? words.settings.on() : words.settings.off(), { tone: factor?.enabled ? "good" : "" });
	const formButton = (action, options) => changeButton(
		words, action.label, () => block.openForm(action, { title: action.label, submit: action.label, ...options }), action.label,
	);
	const codesButton = (action) => changeButton(words, action.label, () => performWithCodes(app, block, action), action.label);
	const buttons = { // by the id of the section
		authenticator_app: [
			confirm && codesButton(confirm), enroll && changeButton(words, enroll.label, () => addApp(app, block, enroll), enroll.label),
			remove && formButton(remove),
		],
		passkeys: [begin && changeButton(words, begin.label, () => addPasskey(app, panel, block, begin), begin.label)],
		recovery_codes: [renew && codesButton(renew)],
	};
	return [
		{
			key: "state", data: [panel.summary, factor?.enabled],
			make: () => el("div", { class: "line line-3 top" }, state, el("p", { dir: "auto", text: panel.summary })),
		},
		...(panel.sections ?? []).map((part) => ({
			key: part.id, data: [part, panel.action_descriptors],
			make: () => section(part.title, { lead: part.items.length > 0 ? "" : part.summary, end: buttons[part.id] ?? [] },
				listCard(part.items.map((item) => line({
					picture: roundMark(SECTION_ICONS[part.id] ?? "shield"), title: item.title, sub: item.summary,
					end: (item.action_descriptors ?? []).map((descriptor) => withActionType(descriptor, "member.passkey")).map((action) => changeButton(
						words, action.label, () => block.openForm(action, { title: action.label, submit: action.label }), words.remove(),
					)),
				})), { label: part.title })),
		})),
	];
}

// performWithCodes performs an action with its form, and shows the new recovery codes of the response.
async function performWithCodes(app, block, action) {
	const data = await block.openForm(action, { title: action.label, submit: action.label, savesDraft: false });
	if (data) await showCodes(app, data.recovery_codes);
}

// showCodes shows recovery codes, if there are any. The promise is resolved when the dialog is closed.
async function showCodes(app, codes) {
	const { words } = app;
	if (!codes?.length) return;
	await openSecret({ words, title: words.settings.codes(), text: words.settings.codesText(), codes, file: words.settings.codesFile() });
}

// addApp adds an authenticator app: it asks for the password, shows the secret key, confirms the first
// code, and shows the recovery codes. If the member closes the dialog with the key, the panel has the
// action confirm_totp, with which they can continue.
async function addApp(app, block, enroll) {
	const { words } = app;
	const data = await block.openForm(enroll, { title: enroll.label, submit: words.settings.goOn(), savesDraft: false });
	if (!data?.totp) return;
	const confirm = formOf(block.panel, "confirm_totp");
	if (!confirm) return;
	const codes = await confirmApp(app, data.totp, confirm);
	await block.reload();
	await showCodes(app, codes);
}

// confirmApp shows the secret key and the field for the first code in a dialog. It returns a promise of
// the recovery codes, or of undefined if the member has closed the dialog. totp is { secret, uri, qr }.
async function confirmApp(app, totp, confirm) {
	const { words } = app;
	const text = words.settings;
	const { createForm } = await loadForms();
	let dialog;
	const form = createForm({
		controls: confirm.controls, words, submit: confirm.label, cancel: () => dialog.close(), send: async (values) => {
			const data = await app.dispatcher.perform(confirm, values);
			dialog.close(data?.recovery_codes ?? []);
		},
	});
	const picture = qrCode(totp.qr ?? totp.qr_svg, text.appQR());
	const body = el("div", { class: "stack" },
		el("p", { text: picture ? text.appScan() : text.appEnter() }), picture && el("div", { class: "qr-wrap" }, picture),
		el("div", { class: "field" },
			el("span", { class: "label", text: text.appKey() }), copyField(groupCharacters(totp.secret), { label: text.appKey(), words })),
		el("p", {}, el("a", { class: "link", href: totp.uri, text: text.appOpen() })), form.body);
	dialog = openDialog({ words, title: confirm.label, body: [body], foot: form.foot, form: form.element });
	form.focus();
	return dialog.closed;
}

// addPasskey registers a passkey: the server returns the options, the browser creates the passkey, and
// the server stores it.
async function addPasskey(app, panel, block, begin) {
	const { words } = app;
	const data = await block.openForm(begin, { title: begin.label, submit: words.settings.goOn(), savesDraft: false });
	if (!data?.options) return;
	try {
		const passkey = await createPasskey(data.options);
		const label = words.settings.passkeyName(words.dayShort(words.currentDay()));
		const answer = await app.dispatcher.perform({
			method: "POST", url: panel.actions.add_passkey, type: "member.passkey.add",
			body: { challenge: data.challenge, label, passkey },
		});
		await block.reload();
		await showCodes(app, answer?.recovery_codes);
	} catch (error) {
		if (error.name === "InvalidStateError") app.toasts.show(words.settings.passkeyKnown());
		else if (error instanceof DOMException) app.toasts.show(words.settings.passkeyStopped());
		else app.actions.showError(error);
	}
}
