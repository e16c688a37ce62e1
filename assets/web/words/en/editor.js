// English texts of the editor.

// catalog returns words.editor as functions that return texts, see loadWords in words.js.
export const catalog = () => ({
	moreFields: () => "More",
	zoneOfStart: () => "As at the start",
	changeEvent: () => "Edit event",
	created: (title) => `${title} is in your calendar.`,
	published: (title) => `${title} is in Social, and in your calendar.`,
	ownCalendar: () => "Only your calendar",
	becomesEvent: () => "This becomes a Social event, because you share it: everyone who sees it can answer.",
	becomesEntry: () => "This becomes an entry in your calendar, because you share it with no one.",
});
