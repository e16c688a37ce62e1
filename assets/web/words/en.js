// English texts that several areas of the app use.

// catalog returns the texts as functions, see makeWords in words.js. All languages have the same functions
// with the same parameters. Numbers are formatted here, while days, times, durations and sizes are passed
// as formatted texts.
export const catalog = ({ plural, ordinal, number, list }) => ({
	// Common words
	today: () => "Today",
	tomorrow: () => "Tomorrow",
	next: () => "Next",
	own: (text) => `You: ${text}`, // a text that the member wrote
	waitingForYou: () => "Waiting for you",
	lately: () => "Lately",
	toDo: () => "To do",
	carried: () => "Carried",
	going: () => "Going",
	maybe: () => "Maybe",
	notGoing: () => "Not going",
	noAnswer: () => "No answer",
	isNew: () => "New",
	change: () => "Edit",
	undo: () => "Undo",
	takeBack: () => "Take back",
	tryAgain: () => "Try again",
	notSent: () => "Not sent",
	nothingYet: () => "Nothing here yet",
	more: (count) => `${number(count)} more`,

	// Components
	save: () => "Save",
	cancel: () => "Cancel",
	close: () => "Close",
	remove: () => "Remove",
	removeItem: (name) => `Remove ${name}`,
	add: () => "Add",
	addTo: (label) => `Add: ${label}`,
	choose: () => "Choose",
	noChoice: () => "None",
	previous: () => "Previous",
	following: () => "Next",
	discardTitle: () => "Discard what you have entered?",
	discardText: () => "It is not saved yet.",
	discard: () => "Discard",
	keepEditing: () => "Keep editing",
	newCount: (count) => `${number(count)} new`,
	unread: () => "unread",
	loading: () => "Loading",
	notices: () => "Notices",
	presence: (state) => ({ online: "online", away: "away", busy: "busy", offline: "offline" })[state] ?? state,
	error: () => "Error",
	requestID: (id) => `Request ID for the operator: ${id}`,
	options: (count) => plural(count, { one: "1 choice", other: `${number(count)} choices` }),
	noOptions: () => "Nothing found",
	copy: () => "Copy",
	copyItem: (label) => `Copy: ${label}`,
	copied: () => "Copied",
	notCopied: () => "Select the text and copy it",
	shownOnce: () => "This is shown only once.",
	download: () => "Download",

	// Forms
	requiredField: (label) => `${label} is missing.`,
	yes: () => "Yes",
	no: () => "No",
	confirmField: () => "Confirm this first.",
	notANumber: () => "This is not a number.",
	notADay: () => "This is not a day. Try 3 Dec, fri or tomorrow.",
	notATime: () => "This is not a time. Try 9:30.",
	notADuration: () => "This is not a duration. Try 45 min or 1:30.",
	notAColor: () => "This is not a color. Try #3b82f6.",
	notAZone: () => "This time zone is unknown. Choose one from the list.",
	dayWithoutTime: () => "Enter a time, or choose All day.",
	timeWithoutDay: () => "A day is missing.",
	tooLong: (max, excess) => `At most ${number(max)} characters: ${number(excess)} too many.`,
	charactersLeft: (count) => plural(count, { one: "1 character left", other: `${number(count)} characters left` }),
	endsBeforeStart: () => "This is before it starts.",
	fileTooLarge: (size) => `The file is larger than ${size}.`,
	fileType: (types) => `Choose a file of the type ${list(types, "disjunction")}.`,
	fileLimit: (types, size) => [
		types.length > 0 ? list(types, "disjunction") : "", size ? `at most ${size}` : "",
	].filter(Boolean).join(", "),
	draftRestored: () => "Your draft was restored.",
	discardDraft: () => "Discard the draft",
	showPassword: () => "Show the password",
	pickDay: () => "Pick a day",
	timeOf: (label) => `${label}: time`,
	dayOf: (label) => `${label}: day`,
	ownColor: () => "Another color",

	// Durations and reminders. minutes returns the duration of count minutes: in weeks, days or hours if it is
	// a multiple of one of them, or else in hours and minutes.
	minutes: (count) => {
		for (const [size, one, other] of [[10080, "week", "weeks"], [1440, "day", "days"], [60, "hour", "hours"]]) {
			if (count && count % size === 0) return plural(count / size, { one: `1 ${one}`, other: `${number(count / size)} ${other}` });
		}
		const hours = Math.floor(count / 60);
		const minuteText = plural(count % 60, { one: "1 minute", other: `${number(count % 60)} minutes` });
		return hours ? `${plural(hours, { one: "1 hour", other: `${number(hours)} hours` })} ${minuteText}` : minuteText;
	},
	// related is the parameter RELATED of RFC 5545, "start" or "end".
	alarmAt: (related) => (related === "end" ? "When it ends" : "When it starts"),
	alarmBefore: (duration, related) => (related === "end" ? `${duration} before it ends` : `${duration} before`),
	alarmAfter: (duration, related) => (related === "end" ? `${duration} after it ends` : `${duration} after it starts`),
	alarmOn: (time) => `On ${time}`,
	alarmAtPlace: (proximity) => (
		({ arrive: "On arriving at a place", depart: "On leaving a place" })[proximity] ?? "At a place"),
	alarmByEmail: (text) => `${text}, by email`,
	alarmReadOnly: () => "Change it in the app that added it.",

	// Recurrence. freq is FREQ of RFC 5545, date the day of the month, from 1 to 31, and nth the position of a
	// weekday in the month, from 1 to 5, or from -1, the last one, to -5.
	repeatNever: () => "Never",
	repeatCustom: () => "Custom",
	repeatPreset: (name, weekday, date, nth) => ({
		daily: "Every day",
		weekdays: "Every weekday, Monday to Friday",
		weekly: `Every week on ${weekday}`,
		fortnightly: `Every 2 weeks on ${weekday}`,
		monthly: `Every month on the ${date}${ordinal(date, { one: "st", two: "nd", few: "rd", other: "th" })}`,
		monthly_nth: `Every month on the ${nthName(nth)} ${weekday}`,
		yearly: "Every year",
	})[name],
	repeatKept: (rule) => `This rule is kept unchanged: ${rule}`,
	repeatEvery: (interval, freq) => {
		const unit = UNITS[freq];
		return interval === 1 ? `Every ${unit}` : `Every ${number(interval)} ${unit}s`;
	},
	repeatUnit: (interval, freq) => plural(interval, { one: UNITS[freq], other: `${UNITS[freq]}s` }),
	repeatOn: (weekdays) => `on ${list(weekdays)}`,
	repeatOnWeekdays: () => "on weekdays",
	repeatOnNth: (nth, weekday) => `on the ${nthName(nth)} ${weekday}`,
	repeatOnDate: (date) => `on the ${date}${ordinal(date, { one: "st", two: "nd", few: "rd", other: "th" })}`,
	repeatOnLastDay: () => "on the last day",
	repeatOnDay: (day) => `on ${day}`,
	repeatUntil: (day) => `until ${day}`,
	repeatCount: (count) => plural(count, { one: "once", other: `${number(count)} times` }),
	repeatTotal: (count) => plural(count, { one: "once", other: `${number(count)} times` }),
	repeatNext: (days) => `Next: ${days.join(", ")}`,
	every: () => "Every",
	interval: () => "Interval",
	unit: () => "Unit",
	onDays: () => "on",
	weekdays: () => "Days",
	ends: () => "Ends",
	endsNever: () => "never",
	endsOn: () => "on a day",
	endsAfter: () => "after a number of times",
	lastDayBeforeStart: () => "The last day is before it starts.",
	lastDay: () => "Last day",
	times: () => "times",
});

// UNITS maps a frequency of RFC 5545 to the name of its unit.
const UNITS = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" };

// nthName returns the ordinal word for nth, which is 1 to 5, or -1, the last one, to -5.
function nthName(nth) {
	return {
		1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth",
		"-1": "last", "-2": "second to last", "-3": "third to last", "-4": "fourth to last", "-5": "fifth to last",
	}[nth];
}
