// English texts of the reader of web pages.

// catalog returns words.read as functions that return texts, see loadWords in words.js. Its parameter
// has the formats of makeWords. day, monthShort and eventDay take a date such as "2026-12-03"; other days and
// times are passed as texts.
export const catalog = ({ number, plural, monthShort, dayAndYear, dayRange, relativeDay, currentDay }) => ({
	part: (kind) => ({
		article: "Article", business: "About", hours: "Opening hours", menu: "Menu", events: "Events", gallery: "Pictures",
		contact: "Contact",
	})[kind] ?? kind,
	partOf: (kind) => ({
		article: "a text", business: "a description", hours: "opening hours", menu: "a menu", events: "events",
		gallery: "pictures", contact: "contact details",
	})[kind] ?? kind,
	fromPage: () => "From this page",
	aboutPage: () => "About this page",
	by: (names) => `By ${names}`,
	// day returns a day without its weekday, such as 3 December 2026.
	day: dayAndYear,
	// source begins with a separator, because the host of the page precedes it.
	source: (readAt, language, wordCount) => ["", readAt, language, wordCount].filter((text, i) => i === 0 || text).join(" · ").trim(),
	readAt: (time, isToday) => (isToday ? `read here today at ${time}` : `read here on ${time}`),
	readOn: (time) => `read: ${time}`,
	wordCount: (count) => plural(count, { one: "1 word", other: `${number(count)} words` }),
	talkAbout: () => "Talk about it",
	openPage: () => "Open the page",
	openIt: () => "Open",
	largerText: () => "Larger text",
	smallerText: () => "Smaller text",
	readAgain: () => "Read it again",
	readHere: () => "Read it here",
	wasRead: () => "The page was read again.",
	reading: (host) => (host ? `The server reads the page of ${host}.` : "The server reads the page."),
	unreadable: () => "The page could not be read",
	oldText: (reason) => `This is an earlier version of the text. ${reason}`,
	notRead: () => "This page is no longer stored",
	findAgain: () => "Search for it again, or open it at its address.",
	saved: (title) => `${title} is saved.`,
	whyTitle: () => "Why it looks like this",
	why: () => "The server read the page and kept its text. It did not run scripts, advertisements or trackers.",
	eventsOnPage: () => "Events on this page",
	truncated: () => "The text of the page is longer.",
	noText: () => "The page has no text that can be read here.",
	noPicture: () => "The picture could not be loaded.",
	noPictures: () => "The page has no pictures that can be shown here.",
	showPicture: (caption) => `Show: ${caption}`,
	pictureNumber: (index, count) => `Picture ${number(index)} of ${number(count)}`,
	previousPicture: () => "Previous picture",
	nextPicture: () => "Next picture",
	addEvent: (name) => `Add ${name} to your calendar`,
	monthShort,
	// eventDay returns yesterday, today and tomorrow as such. 172,800,000 ms are two days.
	eventDay: (day) => (Math.abs(Date.parse(day) - Date.parse(currentDay())) < 172_800_000
		? relativeDay(day)
		: dayRange(day, day)),
	span: (first, last) => `${first} – ${last}`,
	eventStatus: (status) => ({
		cancelled: "Cancelled",
		postponed: "Postponed",
		rescheduled: "Moved to another time",
		moved_online: "Online only",
	})[status] ?? status,
	online: () => "Online",
	onMap: () => "Show on the map",
	email: () => "E-mail",
	languages: () => "Languages",
	prices: () => "Prices",
	ratingLabel: () => "Rating",
	rating: (value, best, count, item) => [
		item, `${value} of ${best}`,
		count > 0 ? plural(count, { one: "1 rating", other: `${number(count)} ratings` }) : "",
	].filter(Boolean).join(" · "),
});
