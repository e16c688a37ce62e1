// German texts of the editor.

// catalog returns words.editor as functions that return texts, see loadWords in words.js.
export const catalog = () => ({
	moreFields: () => "Mehr",
	zoneOfStart: () => "Wie beim Beginn",
	changeEvent: () => "Veranstaltung bearbeiten",
	created: (title) => `${title} ist in deinem Kalender.`,
	published: (title) => `${title} ist in Social und in deinem Kalender.`,
	ownCalendar: () => "Nur dein Kalender",
	becomesEvent: () => "Das wird eine Veranstaltung, weil du sie teilst: Alle, die sie sehen, können antworten.",
	becomesEntry: () => "Das wird ein Termin in deinem Kalender, weil du ihn mit niemandem teilst.",
});
