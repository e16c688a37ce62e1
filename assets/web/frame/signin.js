// Signing in again over the screen, after the session has ended.

import { el } from "../parts/el.js";
import { openDialog } from "../parts/dialog.js";
import { loadForms } from "./acts.js";

// askSignIn shows the form of the sign-in page in a dialog that covers the screen. It returns a
// promise that is true when the member has signed in, and false if the sign-in page itself is
// needed, such as for a second factor, or if the member has closed the dialog.
export async function askSignIn(app) {
	const { words, paths } = app;
	const controls = [
		{ id: "login", type: "text", label: words.frame.login(), required: true, default: app.store.dataset?.member?.username ?? "" },
		{ id: "password", type: "password", label: words.frame.password(), required: true, default: "" },
	];
	const { createForm } = await loadForms();
	const form = createForm({
		controls, words, submit: words.frame.signIn(),
		send: async ({ login, password }) => dialog.close(await signIn(paths.signIn, { login, password }, words)),
	});
	const dialog = openDialog({ words, title: words.frame.signInAgain(), body: [el("p", { class: "quiet", text: words.frame.signInAgainText() }), ...form.body], foot: form.foot, form: form.element, kind: "sign-in" });
	(form.element.querySelector("input[type=password]") ?? form).focus();
	return (await dialog.closed) === true;
}

// signIn sends the form of the sign-in page, whose answer sets the cookie of the session. The
// response to correct credentials is a redirect; an HTML page asks for a second factor.
async function signIn(url, values, words) {
	const response = await fetch(url, { method: "POST", body: new URLSearchParams(values), credentials: "same-origin", redirect: "manual" }).catch(() => null);
	if (!response) throw { message: words.frame.network(), fields: [] };
	if (response.type === "opaqueredirect") return true;
	if (response.ok) return false;
	throw { message: response.status === 429 ? words.frame.tooManySignIns() : words.frame.wrongPassword(), fields: [] };
}
