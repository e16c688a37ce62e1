// Signing in again over the screen, after the session has ended.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { hasPasskeys, usePasskey } from "../parts/passkey.js";
import { loadForms } from "./acts.js";
import { textOf } from "./problem.js";

const EXPIRED = Symbol("expired"); // result of the second step if the password is needed again

// askSignIn asks for the password in a dialog that covers the screen, and then for the second
// factor of an account that has one. It returns a promise of whether the member has signed in:
// false if they have closed the dialog. elsewhere is an AbortSignal that is aborted if they have
// signed in in another tab.
export async function askSignIn(app, elsewhere) {
	const { words } = app;
	let stay = true; // the choice of the member, also if the password is needed again
	for (let text = words.frame.signInAgainText(); ; text = words.frame.factorExpired()) {
		const challenge = await askPassword(app, elsewhere, text, stay);
		stay = challenge?.stay ?? stay;
		const result = challenge?.methods ? await askFactor(app, elsewhere, challenge) : challenge;
		if (result !== EXPIRED) return result === true;
	}
}

// askPassword returns a promise that is true after the sign-in, the challenge of an account with
// a second factor, or undefined if the member has closed the dialog.
function askPassword(app, elsewhere, text, stay) {
	const { words, store } = app;
	const controls = [
		{ id: "login", type: "text", label: words.frame.login(), required: true, default: store.dataset?.member?.username ?? "" },
		{ id: "current_password", type: "password", label: words.frame.password(), required: true, default: "" },
		{ id: "stay", type: "checkbox", label: words.frame.stay(), default: stay },
	];
	const send = async ({ current_password: password, ...given }) => {
		try {
			return await signIn(app, { password, ...given });
		} catch (error) {
			if (error.secondFactor) return { ...error.secondFactor, stay: given.stay };
			throw worded(error, words, words.frame.wrongPassword());
		}
	};
	return ask(app, elsewhere, { title: words.frame.signInAgain(), text, controls, send });
}

// askFactor returns a promise that is true after the sign-in, EXPIRED, or undefined if the member
// has closed the dialog or the browser supports no method of the challenge.
async function askFactor(app, elsewhere, { challenge, methods, passkey_options: options, stay }) {
	const { words } = app;
	const hasApp = methods.includes("totp");
	const hasRecovery = methods.includes("recovery_code");
	const hasKey = methods.includes("passkey") && hasPasskeys();
	const hasCode = hasApp || hasRecovery;
	if (!hasCode && !hasKey) return undefined; // the sign-in page says more
	const controls = hasCode ? [{ id: "code", type: "text", label: hasApp ? words.frame.factorCode(hasRecovery) : words.frame.recoveryCode(), required: true, default: "" }] : [];
	const answer = async (values) => {
		try {
			return await signIn(app, { challenge, stay, ...values });
		} catch (error) {
			if (error.code === "challenge_expired") return EXPIRED;
			throw worded(error, words, values.passkey ? words.frame.passkeyRejected() : words.frame.wrongCode());
		}
	};
	const withPasskey = async () => {
		const passkey = await usePasskey(options).catch(() => {
			throw { message: words.frame.passkeyUnused(), fields: [] };
		});
		return answer({ passkey });
	};
	const title = words.frame.factorTitle();
	if (!hasCode) return ask(app, elsewhere, { title, text: words.frame.factorPasskey(), controls, submit: words.frame.usePasskey(), send: withPasskey });
	return ask(app, elsewhere, { title, controls, send: answer, other: hasKey && { label: words.frame.usePasskey(), send: withPasskey } });
}

// ask shows a form of the sign-in. It returns a promise of what `send` returns. `other` is
// another way to answer, as { label, send }.
async function ask(app, elsewhere, { title, text, controls, submit = app.words.frame.signIn(), send, other }) {
	const { words } = app;
	const { createForm } = await loadForms();
	const tryOther = () => other.send().then((result) => dialog.close(result), (error) => form.setErrors(error));
	const form = createForm({ controls, words, submit, extra: other ? [button({ label: other.label, icon: "key", run: tryOther })] : [], send: async (values) => dialog.close(await send(values)) });
	const dialog = openDialog({ words, title, body: [text && el("p", { class: "quiet", text }), ...form.body].filter(Boolean), foot: form.foot, form: form.element, kind: "sign-in" });
	const fields = [...form.element.querySelectorAll(".fields input")];
	for (const input of fields) input.inputMode = "text"; // recovery codes have letters
	(fields.find((input) => input.value === "") ?? form).focus();
	elsewhere.addEventListener("abort", () => dialog.close(true));
	return dialog.closed;
}

// signIn sends the credentials, or the answer to a challenge. The response sets the cookies of
// the session. Its token is not used: scripts have no credentials.
async function signIn(app, body) {
	await app.client.write("POST", app.paths.login, { body });
	return true;
}

// worded returns an error of a form. rejected is the text for wrong credentials.
function worded(error, words, rejected) {
	return { message: error.status === 401 ? rejected : textOf(error, words), fields: [] };
}
