// Passkeys: the options of the server as bytes, and the answer of the browser as JSON
// (WebAuthn §5.1).

// createPasskey returns a promise of a new passkey in its JSON form.
export async function createPasskey(options) {
	const publicKey = creationOptions(options.publicKey ?? options);
	return registrationOf(await navigator.credentials.create({ publicKey }));
}

function creationOptions(options) {
	const withBytes = (list = []) => list.map((entry) => ({ ...entry, id: bytesOf(entry.id) }));
	return { ...options, challenge: bytesOf(options.challenge), user: { ...options.user, id: bytesOf(options.user.id) }, excludeCredentials: withBytes(options.excludeCredentials) };
}

function registrationOf({ id, rawId, type, authenticatorAttachment, response }) {
	return {
		id, rawId: textOf(rawId), type, authenticatorAttachment: authenticatorAttachment ?? undefined, clientExtensionResults: {},
		response: { clientDataJSON: textOf(response.clientDataJSON), attestationObject: textOf(response.attestationObject), transports: response.getTransports?.() ?? [] },
	};
}

// bytesOf returns the bytes of a text in base64url.
export function bytesOf(text) {
	return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

// textOf returns bytes as a text in base64url.
export function textOf(buffer) {
	return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
