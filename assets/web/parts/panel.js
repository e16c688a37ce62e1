// Parts of World's panels, without DOM.

// sectionOf returns the section of a panel with an id, or undefined.
export function sectionOf(panel, id) {
	return panel?.sections?.find((section) => section.id === id);
}
