// Creates or uses a passkey in a form with the attribute data-passkey, "create" or "get". data-options
// contains the options as JSON (WebAuthn, section 5.1.9). data-unsupported, data-known and data-failed
// contain the error messages.
"use strict";

const toBytes = (text) =>
	Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

const toText = (buffer) =>
	btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// decode returns the options with the base64url texts replaced by bytes.
function decode(options) {
	const descriptor = (d) => ({ ...d, id: toBytes(d.id) });
	const publicKey = { ...options, challenge: toBytes(options.challenge) };
	if (options.user) publicKey.user = { ...options.user, id: toBytes(options.user.id) };
	if (options.allowCredentials) publicKey.allowCredentials = options.allowCredentials.map(descriptor);
	if (options.excludeCredentials) publicKey.excludeCredentials = options.excludeCredentials.map(descriptor);
	return publicKey;
}

// encode returns a credential as JSON.
function encode(credential) {
	const response = { clientDataJSON: toText(credential.response.clientDataJSON) };
	for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
		if (credential.response[name]) response[name] = toText(credential.response[name]);
	}
	if (credential.response.getTransports) response.transports = credential.response.getTransports();
	return JSON.stringify({
		id: credential.id,
		rawId: toText(credential.rawId),
		type: credential.type,
		authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
		clientExtensionResults: {},
		response,
	});
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
	const problem = form.querySelector(".problem");
	const show = (text) => {
		problem.textContent = text;
		problem.hidden = false;
	};
	form.hidden = false;
	if (!window.PublicKeyCredential) {
		show(form.dataset.unsupported);
		continue;
	}
	// If the browser has rendered the page before it ran this script, it has ignored autofocus in
	// the form, which was hidden then. The focus stays if the member has filled in the focused field.
	if (!document.activeElement?.value) form.querySelector("[autofocus]")?.focus();
	form.addEventListener("submit", async (event) => {
		if (form.elements.passkey.value) return;
		event.preventDefault();
		problem.hidden = true;
		const publicKey = decode(JSON.parse(form.dataset.options));
		try {
			const credential = form.dataset.passkey === "create"
				? await navigator.credentials.create({ publicKey })
				: await navigator.credentials.get({ publicKey });
			form.elements.passkey.value = encode(credential);
			form.submit();
		} catch (error) {
			show(error.name === "InvalidStateError" ? form.dataset.known : form.dataset.failed);
		}
	});
}
