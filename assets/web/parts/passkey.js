// Creates and uses passkeys. It converts the options of the server from JSON, and the credentials of
// the browser to JSON (WebAuthn, section 5.1). Older browsers lack the methods for that.

// hasPasskeys reports whether the browser supports passkeys, which requires HTTPS.
export function hasPasskeys() {
	return Boolean(globalThis.PublicKeyCredential);
}

// createPasskey creates a passkey, and returns a promise of its RegistrationResponseJSON.
export async function createPasskey(options) {
	const { challenge, user, excludeCredentials, ...others } = options.publicKey ?? options;
	const publicKey = {
		...others, challenge: bytesOf(challenge), user: { ...user, id: bytesOf(user.id) },
		excludeCredentials: withBytes(excludeCredentials),
	};
	const credential = await navigator.credentials.create({ publicKey });
	const { response } = credential;
	const transports = response.getTransports?.() ?? [];
	return jsonOf(credential, { attestationObject: textOf(response.attestationObject), transports });
}

// usePasskey signs a challenge with a passkey, and returns a promise of the
// AuthenticationResponseJSON.
export async function usePasskey(options) {
	const { challenge, allowCredentials, ...others } = options.publicKey ?? options;
	const publicKey = { ...others, challenge: bytesOf(challenge), allowCredentials: withBytes(allowCredentials) };
	const credential = await navigator.credentials.get({ publicKey });
	const { authenticatorData, signature, userHandle } = credential.response;
	return jsonOf(credential, {
		authenticatorData: textOf(authenticatorData), signature: textOf(signature),
		...(userHandle && { userHandle: textOf(userHandle) }),
	});
}

// withBytes returns credential descriptors with their ids as bytes.
function withBytes(list = []) {
	return list.map((entry) => ({ ...entry, id: bytesOf(entry.id) }));
}

// jsonOf returns the JSON of a credential. parts are the fields of its response that depend on its
// kind.
function jsonOf({ id, rawId, type, authenticatorAttachment, response }, parts) {
	return {
		id, rawId: textOf(rawId), type, authenticatorAttachment: authenticatorAttachment ?? undefined, clientExtensionResults: {},
		response: { clientDataJSON: textOf(response.clientDataJSON), ...parts },
	};
}

// bytesOf decodes base64url.
export function bytesOf(text) {
	return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

// textOf encodes an ArrayBuffer as base64url without padding.
export function textOf(buffer) {
	return btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
