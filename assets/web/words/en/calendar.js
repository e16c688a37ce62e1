// English texts of the calendar.

// catalog returns words.calendar as functions that return texts, see loadWords in words.js. Days and
// times are passed as texts.
export const catalog = ({ plural, number }) => ({
	// Bar, side column, breadcrumbs and invitations
	before: () => "Earlier",
	after: () => "Later",
	view: (label) => (label ? `View: ${label}` : "View"),
	calendars: () => "Calendars",
	readOnly: () => "read only",
	moveUp: () => "Move up",
	moveDown: () => "Move down",
	changeCalendar: () => "Edit the calendar",
	deleteCalendar: () => "Delete the calendar",
	calendarName: () => "Calendar",
	tasksName: () => "Tasks",
	toCalendar: () => "Go to the calendar",
	asks: (name) => (name ? `${name} invites you · no answer yet` : "no answer yet"),

	weekDays: (count) => (count === 1 ? "1 day at a time" : `${number(count)} days at a time`),

	// Grid, see createGrid
	grid: {
		allDay: () => "All day",
		more: (count) => `${number(count)} more`,
		moreOn: (count, day) => `${number(count)} more on ${day}`,
		week: (count) => `W ${number(count)}`,
		hours: () => "Hours",
		again: () => "again",
		day: ({ date: day, isToday, isChosen, count }) => [
			day, isToday && "today", isChosen && "chosen",
			count > 0 && plural(count, { one: "1 entry", other: `${number(count)} entries` }),
		].filter(Boolean).join(", "),
		create: () => "New",
		createOn: (day) => `New on ${day}`,
		entry: ({ date: day, time, state, done, recurring, zone, zoneTime }) => [
			time, day, { cancelled: "cancelled", hatched: "not confirmed" }[state], done && "done", recurring && "repeats",
			zone && `${zoneTime} in ${zone.replaceAll("_", " ")}`,
		].filter(Boolean).join(", "),
		moving: ({ title, date: day, time }) => `${title}: ${day}, ${time}`,
		nothing: () => "Nothing on this day.",
		now: (time) => `It is ${time}`,
		freeUntil: (time) => `free until ${time}`,
		skippedDay: () => "The clocks skipped this day.",
	},

	// Agenda
	allDay: () => "all day",
	until: (day) => `until ${day}`,
	due: () => "due",
	starts: (time) => `Starts ${time}`,
	nothingUntil: (day) => `Nothing is planned until ${day}`,

	// Tasks
	newTask: () => "New task",
	complete: (title) => `Mark as done: ${title}`,
	nothingToDo: () => "Nothing to do.",
	taskGroup: (id) => ({
		overdue: "Overdue", today: "Today", week: "This week", later: "Later", never: "No date", done: "Done",
	})[id] ?? id,

	// Forms and the notices after a change
	erase: () => "Delete",
	move: () => "Move",
	saveWhich: () => "Save…",
	changeTitle: (type) => (type === "task" ? "Edit task" : "Edit calendar event"),
	savedEntry: (title) => `${title} is saved.`,
	deleted: (title) => `${title} is deleted.`,
	moved: (title, when) => `${title} is now on ${when}.`,

	// Scope of a change to a recurring entry
	whichOnes: () => "Which occurrences?",
	onlyOn: (day) => `Only ${day}`,
	fromOn: (day) => `${day} and later`,
	movedText: (title, from, to) => `${title}: you moved ${from} to ${to}.`,
	changeText: (title, when) => `${title}, ${when}`,
	deleteText: (title) => `${title} repeats.`,

	// Conflict with another change of a series
	dateHasMoved: (from, to) => `The series was changed in the meantime: its date of ${from} is now on ${to}. Choose the version to keep.`,
	dateIsGone: (day, canApply) => `The series no longer has a date on ${day}. ` + (canApply
		? "Apply your changes to the whole series, or close this and copy your text."
		: "Close this to copy your text."),
	applyToSeries: () => "Apply to the whole series",

	// Values of checkboxes
	yes: () => "yes",
	no: () => "no",

	// View of an entry
	whereThisIs: () => "Breadcrumbs",
	when: () => "When",
	where: () => "Where",
	repeats: () => "Repeats",
	inCalendar: () => "Calendar",
	fromSocial: () => "This is a Social event. You choose the calendar, the color and the reminder.",
	socialEvent: () => "Event",
	toSocial: () => "Conversation and guests",
	counts: ({ going = 0, maybe = 0, declined = 0, none = 0 }) => [
		[going, "going"], [maybe, "maybe"], [declined, "not going"], [none, "no answer"],
	].filter(([count]) => count > 0).map(([count, name]) => `${number(count)} ${name}`).join(" · "),
	reminder: () => "Reminder",
	categories: () => "Categories",
	priority: () => "Priority",
	visibleToOthers: () => "Visible to others",
	restriction: (value) => ({
		private: "Private: others do not see this entry.", confidential: "Confidential: others see only that you are busy.",
	})[value],
	willYouCome: () => "Will you come?",
	isCancelled: (byHost) => (byHost ? "The host has cancelled this event." : "This entry is cancelled."),
	showDay: () => "Show in the calendar",
	duplicate: () => "Duplicate",
});
