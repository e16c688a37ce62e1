// The URL that opens a place in the map app of the device, without DOM.

// mapAppURL returns the URL of a place: a geo: URI (RFC 5870) with the name in the form that
// Android reads, or a maps: URL on Apple's devices, which do not support geo:. platform is
// navigator.platform.
export function mapAppURL({ latitude, longitude, title }, platform) {
	const position = `${latitude},${longitude}`;
	// In a geo: URI the name is in parentheses, which encodeURIComponent does not encode.
	const name = encodeURIComponent(title).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
	if (/^(iPhone|iPad|iPod|Mac)/.test(platform)) return `maps:?ll=${position}&q=${name}`;
	return `geo:${position}?q=${position}${title ? `(${name})` : ""}`;
}
