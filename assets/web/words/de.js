// German texts that several areas of the app use.

// catalog returns the texts as functions, see makeWords in words.js. All languages have the same functions
// with the same parameters. Numbers are formatted here, while days, times, durations and sizes are passed
// as formatted texts.
export const catalog = ({ plural, number, list }) => ({
	// Common words
	today: () => "Heute",
	tomorrow: () => "Morgen",
	next: () => "Als Nächstes",
	own: (text) => `Du: ${text}`, // a text that the member wrote
	waitingForYou: () => "Wartet auf dich",
	lately: () => "Zuletzt",
	toDo: () => "Zu tun",
	carried: () => "Mitgenommen",
	going: () => "Dabei",
	maybe: () => "Vielleicht",
	notGoing: () => "Nicht dabei",
	noAnswer: () => "Keine Antwort",
	isNew: () => "Neu",
	change: () => "Bearbeiten",
	undo: () => "Rückgängig",
	takeBack: () => "Zurücknehmen",
	tryAgain: () => "Noch einmal",
	notSent: () => "Nicht gesendet",
	nothingYet: () => "Hier ist noch nichts",
	more: (count) => `${number(count)} weitere`,

	// Components
	save: () => "Speichern",
	cancel: () => "Abbrechen",
	close: () => "Schließen",
	remove: () => "Entfernen",
	removeItem: (name) => `${name} entfernen`,
	add: () => "Hinzufügen",
	addTo: (label) => `Hinzufügen: ${label}`,
	choose: () => "Auswählen",
	noChoice: () => "Keine Auswahl",
	previous: () => "Zurück",
	following: () => "Weiter",
	discardTitle: () => "Eingaben verwerfen?",
	discardText: () => "Sie sind noch nicht gespeichert.",
	discard: () => "Verwerfen",
	keepEditing: () => "Weiter bearbeiten",
	newCount: (count) => `${number(count)} neu`,
	unread: () => "ungelesen",
	loading: () => "Wird geladen",
	notices: () => "Meldungen",
	presence: (state) => ({ online: "online", away: "abwesend", busy: "beschäftigt", offline: "offline" })[state] ?? state,
	error: () => "Fehler",
	requestID: (id) => `Anfrage-ID für den Betreiber: ${id}`,
	options: (count) => plural(count, { one: "1 Möglichkeit", other: `${number(count)} Möglichkeiten` }),
	noOptions: () => "Nichts gefunden",
	copy: () => "Kopieren",
	copyItem: (label) => `Kopieren: ${label}`,
	copied: () => "Kopiert",
	notCopied: () => "Markiere den Text und kopiere ihn",
	shownOnce: () => "Das wird nur einmal angezeigt.",
	download: () => "Herunterladen",

	// Forms
	requiredField: (label) => `${label} fehlt.`,
	yes: () => "Ja",
	no: () => "Nein",
	confirmField: () => "Bestätige dies zuerst.",
	notANumber: () => "Das ist keine Zahl.",
	notADay: () => "Das ist kein Tag. Versuche 3.12., Fr oder morgen.",
	notATime: () => "Das ist keine Uhrzeit. Versuche 9:30.",
	notADuration: () => "Das ist keine Dauer. Versuche 45 min oder 1:30.",
	notAColor: () => "Das ist keine Farbe. Versuche #3b82f6.",
	notAZone: () => "Diese Zeitzone ist unbekannt. Wähle eine aus der Liste.",
	dayWithoutTime: () => "Gib eine Uhrzeit ein oder wähle Ganztägig.",
	timeWithoutDay: () => "Ein Tag fehlt.",
	tooLong: (max, excess) => `Höchstens ${number(max)} Zeichen: ${number(excess)} zu viel.`,
	charactersLeft: (count) => `Noch ${number(count)} Zeichen`,
	endsBeforeStart: () => "Das ist vor dem Beginn.",
	fileTooLarge: (size) => `Die Datei ist größer als ${size}.`,
	fileType: (types) => `Wähle eine Datei vom Typ ${list(types, "disjunction")}.`,
	fileLimit: (types, size) => [
		types.length > 0 ? list(types, "disjunction") : "", size ? `höchstens ${size}` : "",
	].filter(Boolean).join(", "),
	draftRestored: () => "Dein Entwurf wurde wiederhergestellt.",
	discardDraft: () => "Entwurf verwerfen",
	showPassword: () => "Passwort anzeigen",
	pickDay: () => "Tag auswählen",
	timeOf: (label) => `${label}: Uhrzeit`,
	dayOf: (label) => `${label}: Tag`,
	ownColor: () => "Andere Farbe",

	// Durations and reminders. minutes returns the duration of count minutes: in weeks, days or hours if it is
	// a multiple of one of them, or else in hours and minutes.
	minutes: (count) => {
		for (const [size, one, other] of [[10080, "Woche", "Wochen"], [1440, "Tag", "Tage"], [60, "Stunde", "Stunden"]]) {
			if (count && count % size === 0) return plural(count / size, { one: `1 ${one}`, other: `${number(count / size)} ${other}` });
		}
		const hours = Math.floor(count / 60);
		const minuteText = plural(count % 60, { one: "1 Minute", other: `${number(count % 60)} Minuten` });
		return hours ? `${plural(hours, { one: "1 Stunde", other: `${number(hours)} Stunden` })} ${minuteText}` : minuteText;
	},
	// related is the parameter RELATED of RFC 5545, "start" or "end".
	alarmAt: (related) => (related === "end" ? "Zum Ende" : "Zum Beginn"),
	alarmBefore: (duration, related) => (related === "end" ? `${duration} vor dem Ende` : `${duration} vorher`),
	alarmAfter: (duration, related) => (related === "end" ? `${duration} nach dem Ende` : `${duration} nach dem Beginn`),
	alarmOn: (time) => `Am ${time}`,
	alarmAtPlace: (proximity) => (
		({ arrive: "Bei der Ankunft an einem Ort", depart: "Beim Verlassen eines Orts" })[proximity] ?? "An einem Ort"),
	alarmByEmail: (text) => `${text}, per E-Mail`,
	alarmReadOnly: () => "Ändere sie in der App, die sie angelegt hat.",

	// Recurrence. freq is FREQ of RFC 5545, date the day of the month, from 1 to 31, and nth the position of a
	// weekday in the month, from 1 to 5, or from -1, the last one, to -5.
	repeatNever: () => "Nie",
	repeatCustom: () => "Eigene Regel",
	repeatPreset: (name, weekday, date, nth) => ({
		daily: "Jeden Tag",
		weekdays: "Jeden Werktag, Montag bis Freitag",
		weekly: `Jede Woche am ${weekday}`,
		fortnightly: `Alle 2 Wochen am ${weekday}`,
		monthly: `Jeden Monat am ${date}.`,
		monthly_nth: `Jeden Monat am ${nthName(nth)} ${weekday}`,
		yearly: "Jedes Jahr",
	})[name],
	repeatKept: (rule) => `Diese Regel bleibt unverändert: ${rule}`,
	repeatEvery: (interval, freq) => (interval === 1 ? `${EACH[freq]} ${UNITS[freq][0]}` : `Alle ${number(interval)} ${UNITS[freq][1]}`),
	repeatUnit: (interval, freq) => plural(interval, { one: UNITS[freq][0], other: UNITS[freq][1] }),
	repeatOn: (weekdays) => `am ${list(weekdays)}`,
	repeatOnWeekdays: () => "an Werktagen",
	repeatOnNth: (nth, weekday) => `am ${nthName(nth)} ${weekday}`,
	repeatOnDate: (date) => `am ${date}.`,
	repeatOnLastDay: () => "am letzten Tag",
	repeatOnDay: (day) => `am ${day}`,
	repeatUntil: (day) => `bis ${day}`,
	repeatCount: (count) => plural(count, { one: "einmal", other: `${number(count)}-mal` }),
	repeatTotal: (count) => plural(count, { one: "einmal", other: `${number(count)}-mal` }),
	repeatNext: (days) => `Nächste: ${days.join(", ")}`,
	every: () => "Alle",
	interval: () => "Abstand",
	unit: () => "Einheit",
	onDays: () => "am",
	weekdays: () => "Tage",
	ends: () => "Endet",
	endsNever: () => "nie",
	endsOn: () => "an einem Tag",
	endsAfter: () => "nach einer Anzahl",
	lastDayBeforeStart: () => "Der letzte Tag ist vor dem Beginn.",
	lastDay: () => "Letzter Tag",
	times: () => "Mal",
});

// UNITS maps a frequency of RFC 5545 to the singular and the plural of its unit.
const UNITS = { DAILY: ["Tag", "Tage"], WEEKLY: ["Woche", "Wochen"], MONTHLY: ["Monat", "Monate"], YEARLY: ["Jahr", "Jahre"] };

// EACH maps a frequency to the word "jeder" in the accusative, in the gender of the unit.
const EACH = { DAILY: "Jeden", WEEKLY: "Jede", MONTHLY: "Jeden", YEARLY: "Jedes" };

// nthName returns the ordinal word for nth, in the dative. nth is 1 to 5, or -1, the last one, to -5.
function nthName(nth) {
	return {
		1: "ersten", 2: "zweiten", 3: "dritten", 4: "vierten", 5: "fünften",
		"-1": "letzten", "-2": "vorletzten", "-3": "drittletzten", "-4": "viertletzten", "-5": "fünftletzten",
	}[nth];
}
