// The address that opens a place in the map app of a device, without DOM.

// mapAppURL returns a geo: address (RFC 5870) with the name as Android reads it, or, for devices
// of Apple, the maps: address that their app has instead. platform is navigator.platform.
export function mapAppURL({ latitude, longitude, title }, platform) {
	const position = `${latitude},${longitude}`;
	const name = encodeURIComponent(title).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`); // the name is in parentheses
	if (/^(iPhone|iPad|iPod|Mac)/.test(platform)) return `maps:?ll=${position}&q=${name}`;
	return `geo:${position}?q=${position}${title ? `(${name})` : ""}`;
}
