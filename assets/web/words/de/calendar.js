// German texts of the calendar.

// catalog returns words.calendar as functions that return texts, see loadWords in words.js. Days and
// times are passed as texts.
export const catalog = ({ plural, number }) => ({
	// Bar, side column, breadcrumbs and invitations
	before: () => "Früher",
	after: () => "Später",
	view: (label) => (label ? `Ansicht: ${label}` : "Ansicht"),
	calendars: () => "Kalender",
	readOnly: () => "nur lesbar",
	moveUp: () => "Nach oben",
	moveDown: () => "Nach unten",
	changeCalendar: () => "Kalender bearbeiten",
	deleteCalendar: () => "Kalender löschen",
	calendarName: () => "Kalender",
	tasksName: () => "Aufgaben",
	toCalendar: () => "Zum Kalender",
	asks: (name) => (name ? `${name} lädt dich ein · noch keine Antwort` : "noch keine Antwort"),

	weekDays: (count) => (count === 1 ? "1 Tag auf einmal" : `${number(count)} Tage auf einmal`),

	// Grid, see createGrid
	grid: {
		allDay: () => "Ganz\u00adtägig",
		more: (count) => `${number(count)} weitere`,
		moreOn: (count, day) => `${number(count)} weitere am ${day}`,
		week: (count) => `KW ${number(count)}`,
		hours: () => "Stunden",
		again: () => "noch einmal",
		day: ({ date: day, isToday, isChosen, count }) => [
			day, isToday && "heute", isChosen && "ausgewählt",
			count > 0 && plural(count, { one: "1 Eintrag", other: `${number(count)} Einträge` }),
		].filter(Boolean).join(", "),
		create: () => "Neu",
		createOn: (day) => `Neu am ${day}`,
		entry: ({ date: day, time, state, done, recurring, zone, zoneTime }) => [
			time, day, { cancelled: "abgesagt", hatched: "nicht bestätigt" }[state], done && "erledigt", recurring && "wiederholt sich",
			zone && `${zoneTime} in ${zone.replaceAll("_", " ")}`,
		].filter(Boolean).join(", "),
		moving: ({ title, date: day, time }) => `${title}: ${day}, ${time}`,
		nothing: () => "An diesem Tag ist nichts.",
		now: (time) => `Es ist ${time}`,
		freeUntil: (time) => `frei bis ${time}`,
		skippedDay: () => "Die Uhren haben diesen Tag übersprungen.",
	},

	// Agenda
	allDay: () => "ganztägig",
	until: (day) => `bis ${day}`,
	due: () => "fällig",
	starts: (time) => `Beginnt ${time}`,
	nothingUntil: (day) => `Bis ${day} ist nichts geplant`,

	// Tasks
	newTask: () => "Neue Aufgabe",
	complete: (title) => `Als erledigt markieren: ${title}`,
	nothingToDo: () => "Nichts zu tun.",
	taskGroup: (id) => ({
		overdue: "Überfällig", today: "Heute", week: "Diese Woche", later: "Später", never: "Ohne Datum", done: "Erledigt",
	})[id] ?? id,

	// Forms and the notices after a change
	erase: () => "Löschen",
	move: () => "Verschieben",
	saveWhich: () => "Speichern …",
	changeTitle: (type) => (type === "task" ? "Aufgabe bearbeiten" : "Termin bearbeiten"),
	savedEntry: (title) => `${title} ist gespeichert.`,
	deleted: (title) => `${title} ist gelöscht.`,
	moved: (title, when) => `${title} ist jetzt: ${when}.`,

	// Scope of a change to a recurring entry
	whichOnes: () => "Für welche Wiederholungen?",
	onlyOn: (day) => `Nur ${day}`,
	fromOn: (day) => `${day} und später`,
	movedText: (title, from, to) => `${title}: von ${from} auf ${to} verschoben.`,
	changeText: (title, when) => `${title}, ${when}`,
	deleteText: (title) => `${title} wiederholt sich.`,

	// Conflict with another change of a series
	dateHasMoved: (from, to) => (
		`Die Serie wurde inzwischen geändert: Der Termin vom ${from} ist jetzt am ${to}. Wähle, welche Version bleibt.`
	),
	dateIsGone: (day, canApply) => `Die Serie hat am ${day} keinen Termin mehr. ` + (canApply
		? "Wende deine Änderungen auf die ganze Serie an, oder schließe diesen Dialog und kopiere deinen Text."
		: "Schließe diesen Dialog, um deinen Text zu kopieren."),
	applyToSeries: () => "Auf die ganze Serie anwenden",

	// Values of checkboxes
	yes: () => "ja",
	no: () => "nein",

	// View of an entry
	whereThisIs: () => "Navigationspfad",
	when: () => "Wann",
	where: () => "Wo",
	repeats: () => "Wiederholt sich",
	inCalendar: () => "Kalender",
	fromSocial: () => "Das ist eine Veranstaltung aus Social. Du wählst Kalender, Farbe und Erinnerung.",
	socialEvent: () => "Veranstaltung",
	toSocial: () => "Gespräch und Gäste",
	counts: ({ going = 0, maybe = 0, declined = 0, none = 0 }) => [
		[going, "dabei"], [maybe, "vielleicht"], [declined, "nicht dabei"], [none, "ohne Antwort"],
	].filter(([count]) => count > 0).map(([count, name]) => `${number(count)} ${name}`).join(" · "),
	reminder: () => "Erinnerung",
	categories: () => "Kategorien",
	priority: () => "Priorität",
	visibleToOthers: () => "Sichtbar für andere",
	restriction: (value) => ({
		private: "Privat: Andere sehen diesen Eintrag nicht.", confidential: "Vertraulich: Andere sehen nur, dass du beschäftigt bist.",
	})[value],
	willYouCome: () => "Kommst du?",
	isCancelled: (byHost) => (byHost ? "Die Veranstaltung wurde abgesagt." : "Dieser Eintrag ist abgesagt."),
	showDay: () => "Im Kalender anzeigen",
	duplicate: () => "Duplizieren",
});
