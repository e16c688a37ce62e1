// Signs the member in again after the session has ended, in a dialog over the present view.

import { button, el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { hasPasskeys, usePasskey } from "../parts/passkey.js";
import { loadForms } from "./actions.js";
import { textOf } from "./problem.js";

const EXPIRED = Symbol("expired"); // result of askFactor if the challenge has expired

// askSignIn asks for the password and, if the account has one, for the second factor. It asks for the
// password again if the challenge of the second factor has expired. It returns a promise of whether the
// member has signed in; false if they have closed the dialog. elsewhere is an AbortSignal that is
// aborted when the member has signed in in another tab.
export async function askSignIn(app, elsewhere) {
	const { words } = app;
	let stay = true; // value of the checkbox in the form of the password
	for (let text = words.frame.signInAgainText(); ; text = words.frame.factorExpired()) {
		const challenge = await askPassword(app, elsewhere, text, stay);
		stay = challenge?.stay ?? stay;
		const result = challenge?.methods ? await askFactor(app, elsewhere, challenge) : challenge;
		if (result !== EXPIRED) return result === true;
	}
}

// askPassword shows the form of the password. text is shown above it, stay is the value of its checkbox.
// It returns a promise of true after the sign-in; of { challenge, methods, passkey_options, stay } for
// an account with a second factor; or of undefined if the member has closed the dialog.
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
			throw formError(error, words, words.frame.wrongPassword());
		}
	};
	return showForm(app, elsewhere, { title: words.frame.signInAgain(), text, controls, send });
}

// askFactor shows the form of the second factor for the challenge in the result of askPassword. It
// returns a promise of true after the sign-in; of EXPIRED; or of undefined if the member has closed the
// dialog or the browser supports no method of the challenge.
async function askFactor(app, elsewhere, { challenge, methods, passkey_options: options, stay }) {
	const { words } = app;
	const hasApp = methods.includes("totp");
	const hasRecovery = methods.includes("recovery_code");
	const hasKey = methods.includes("passkey") && hasPasskeys();
	const hasCode = hasApp || hasRecovery;
	if (!hasCode && !hasKey) return undefined; // App opens the sign-in page, which explains it
	const controls = hasCode ? [{
		id: "code", type: "text", label: hasApp ? words.frame.factorCode(hasRecovery) : words.frame.recoveryCode(),
		required: true, default: "",
	}] : [];
	const answer = async (values) => {
		try {
			return await signIn(app, { challenge, stay, ...values });
		} catch (error) {
			if (error.code === "challenge_expired") return EXPIRED;
			throw formError(error, words, values.passkey ? words.frame.passkeyRejected() : words.frame.wrongCode());
		}
	};
	const withPasskey = async () => {
		const passkey = await usePasskey(options).catch(() => {
			throw { message: words.frame.passkeyUnused(), fields: [] };
		});
		return answer({ passkey });
	};
	const title = words.frame.factorTitle();
	if (!hasCode) {
		return showForm(app, elsewhere, {
			title, text: words.frame.factorPasskey(), controls, submit: words.frame.usePasskey(), send: withPasskey,
		});
	}
	return showForm(app, elsewhere, {
		title, controls, send: answer, alternative: hasKey && { label: words.frame.usePasskey(), send: withPasskey },
	});
}

// showForm shows a form of the sign-in in a dialog. It returns a promise of the result of send(values),
// of true when elsewhere is aborted, or of undefined if the member has closed the dialog. alternative is
// { label, send } of another button, which sends no values.
async function showForm(app, elsewhere, { title, text, controls, submit = app.words.frame.signIn(), send, alternative }) {
	const { words } = app;
	const { createForm } = await loadForms();
	const tryAlternative = () => alternative.send().then((result) => dialog.close(result), (error) => form.setErrors(error));
	const form = createForm({
		controls, words, submit, extra: alternative ? [button({ label: alternative.label, icon: "key", run: tryAlternative })] : [],
		send: async (values) => dialog.close(await send(values)),
	});
	const dialog = openDialog({
		words, title, body: [text && el("p", { class: "quiet", text }), ...form.body].filter(Boolean),
		foot: form.foot, form: form.element, kind: "sign-in",
	});
	const fields = [...form.element.querySelectorAll(".fields input")];
	for (const input of fields) input.inputMode = "text"; // recovery codes have letters
	(fields.find((input) => input.value === "") ?? form).focus();
	elsewhere.addEventListener("abort", () => dialog.close(true));
	return dialog.closed;
}

// signIn sends the credentials, or the answer to a challenge. The response sets the cookies of the
// session. The token in the response is ignored, because scripts must not have access to credentials.
async function signIn(app, body) {
	await app.client.write("POST", app.paths.login, { body });
	return true;
}

// formError returns an error for createForm. rejected is the text for wrong credentials (401).
function formError(error, words, rejected) {
	return { message: error.status === 401 ? rejected : textOf(error, words), fields: [] };
}
