// Normalizes texts for searches, without DOM.

// fold returns a text in lower case and without diacritics; "" for null and undefined.
export function fold(text) {
	return String(text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
