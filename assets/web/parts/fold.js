// Texts as searches compare them, without DOM.

// fold returns a text without accents and case, "" for no text.
export function fold(text) {
	return String(text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
