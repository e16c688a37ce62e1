// Creates or uses a passkey for a form with data-passkey ("create" or "get"). The
// attribute data-options contains the options in their JSON form (WebAuthn §5.1.9), the
// attributes data-unsupported, data-known and data-failed the messages about problems.
"use strict";

const toBytes = (text) =>
	Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

const toText = (buffer) =>
	btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// decode returns options with bytes in place of base64url texts.
function decode(options) {
	const descriptor = (d) => ({ ...d, id: toBytes(d.id) });
	const decoded = { ...options, challenge: toBytes(options.challenge) };
	if (options.user) decoded.user = { ...options.user, id: toBytes(options.user.id) };
	if (options.allowCredentials) decoded.allowCredentials = options.allowCredentials.map(descriptor);
	if (options.excludeCredentials) decoded.excludeCredentials = options.excludeCredentials.map(descriptor);
	return decoded;
}

// encode returns a credential in its JSON form.
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
	// A browser that has shown the page before it ran this script has ignored autofocus in the
	// form, which was hidden. The focus stays in a field that has been filled in meanwhile.
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
