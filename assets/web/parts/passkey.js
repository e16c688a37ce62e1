// Passkeys: the options of the server as bytes, and the answer of the browser as JSON
// (WebAuthn §5.1).

// hasPasskeys reports whether the browser supports passkeys. Without HTTPS it does not.
export function hasPasskeys() {
	return Boolean(globalThis.PublicKeyCredential);
}

// createPasskey returns a promise of a new passkey in its JSON form.
export async function createPasskey(options) {
	const { challenge, user, excludeCredentials, ...others } = options.publicKey ?? options;
	const publicKey = { ...others, challenge: bytesOf(challenge), user: { ...user, id: bytesOf(user.id) }, excludeCredentials: withBytes(excludeCredentials) };
	const credential = await navigator.credentials.create({ publicKey });
	return jsonOf(credential, { attestationObject: textOf(credential.response.attestationObject), transports: credential.response.getTransports?.() ?? [] });
}

// usePasskey returns a promise of the answer of a passkey to a challenge in its JSON form.
export async function usePasskey(options) {
	const { challenge, allowCredentials, ...others } = options.publicKey ?? options;
	const credential = await navigator.credentials.get({ publicKey: { ...others, challenge: bytesOf(challenge), allowCredentials: withBytes(allowCredentials) } });
	const { authenticatorData, signature, userHandle } = credential.response;
	return jsonOf(credential, { authenticatorData: textOf(authenticatorData), signature: textOf(signature), ...(userHandle && { userHandle: textOf(userHandle) }) });
}

function withBytes(list = []) {
	return list.map((entry) => ({ ...entry, id: bytesOf(entry.id) }));
}

function jsonOf({ id, rawId, type, authenticatorAttachment, response }, parts) {
	return {
		id, rawId: textOf(rawId), type, authenticatorAttachment: authenticatorAttachment ?? undefined, clientExtensionResults: {},
		response: { clientDataJSON: textOf(response.clientDataJSON), ...parts },
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
