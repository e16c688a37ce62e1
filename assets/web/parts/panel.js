// Reads panels, without DOM.

// sectionOf returns the section with an id of a panel, which may be undefined, or undefined.
export function sectionOf(panel, id) {
	return panel?.sections?.find((section) => section.id === id);
}
