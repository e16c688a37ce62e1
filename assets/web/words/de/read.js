// German texts of the reader of web pages.

// catalog returns words.read as functions that return texts, see loadWords in words.js. Its parameter
// has the formats of makeWords. day, monthShort and eventDay take a date such as "2026-12-03"; other days and
// times are passed as texts.
export const catalog = ({ number, plural, monthShort, dayAndYear, dayRange, relativeDay, currentDay }) => ({
	part: (kind) => ({
		article: "Artikel", business: "Angaben", hours: "Öffnungszeiten", menu: "Speisekarte", events: "Veranstaltungen",
		gallery: "Bilder", contact: "Kontakt",
	})[kind] ?? kind,
	partOf: (kind) => ({
		article: "einen Text", business: "eine Beschreibung", hours: "Öffnungszeiten", menu: "eine Speisekarte",
		events: "Veranstaltungen", gallery: "Bilder", contact: "Kontaktdaten",
	})[kind] ?? kind,
	fromPage: () => "Von dieser Seite",
	aboutPage: () => "Über diese Seite",
	by: (names) => `Von ${names}`,
	// day returns a day without its weekday, such as 3 December 2026.
	day: dayAndYear,
	// source begins with a separator, because the host of the page precedes it.
	source: (readAt, language, wordCount) => ["", readAt, language, wordCount].filter((text, i) => i === 0 || text).join(" · ").trim(),
	readAt: (time, isToday) => (isToday ? `heute um ${time} gelesen` : `gelesen: ${time}`),
	readOn: (time) => `gelesen: ${time}`,
	wordCount: (count) => plural(count, { one: "1 Wort", other: `${number(count)} Wörter` }),
	talkAbout: () => "Darüber reden",
	openPage: () => "Seite öffnen",
	openIt: () => "Öffnen",
	largerText: () => "Größerer Text",
	smallerText: () => "Kleinerer Text",
	readAgain: () => "Neu lesen",
	readHere: () => "Hier lesen",
	wasRead: () => "Die Seite wurde neu gelesen.",
	reading: (host) => (host ? `Der Server liest die Seite von ${host}.` : "Der Server liest die Seite."),
	unreadable: () => "Die Seite konnte nicht gelesen werden",
	oldText: (reason) => `Das ist eine frühere Version des Textes. ${reason}`,
	notRead: () => "Diese Seite ist nicht mehr gespeichert",
	findAgain: () => "Suche sie noch einmal, oder öffne sie unter ihrer Adresse.",
	saved: (title) => `${title} ist gespeichert.`,
	whyTitle: () => "Warum es so aussieht",
	why: () => "Der Server hat die Seite gelesen und ihren Text behalten. Skripte, Werbung und Tracker hat er nicht ausgeführt.",
	eventsOnPage: () => "Veranstaltungen auf dieser Seite",
	truncated: () => "Der Text der Seite ist länger.",
	noText: () => "Die Seite hat keinen Text, der sich hier lesen lässt.",
	noPicture: () => "Das Bild konnte nicht geladen werden.",
	noPictures: () => "Die Seite hat keine Bilder, die sich hier anzeigen lassen.",
	showPicture: (caption) => `Anzeigen: ${caption}`,
	pictureNumber: (index, count) => `Bild ${number(index)} von ${number(count)}`,
	previousPicture: () => "Vorheriges Bild",
	nextPicture: () => "Nächstes Bild",
	addEvent: (name) => `${name} in den Kalender eintragen`,
	monthShort,
	// eventDay formats yesterday, today and tomorrow as relative days, such as "gestern", and other days as
	// dates. 172,800,000 ms are two days.
	eventDay: (day) => (Math.abs(Date.parse(day) - Date.parse(currentDay())) < 172_800_000
		? relativeDay(day)
		: dayRange(day, day)),
	span: (first, last) => `${first} – ${last}`,
	eventStatus: (status) => ({
		cancelled: "Abgesagt",
		postponed: "Verschoben",
		rescheduled: "Auf eine andere Zeit verlegt",
		moved_online: "Nur online",
	})[status] ?? status,
	online: () => "Online",
	onMap: () => "Auf der Karte anzeigen",
	email: () => "E-Mail",
	languages: () => "Sprachen",
	prices: () => "Preise",
	ratingLabel: () => "Bewertung",
	rating: (value, best, count, item) => [
		item, `${value} von ${best}`,
		count > 0 ? plural(count, { one: "1 Bewertung", other: `${number(count)} Bewertungen` }) : "",
	].filter(Boolean).join(" · "),
});
