// Texts that are joined from several messages or need a choice, in the same way in all languages.
//
// JOINED has a function for each area of the catalogs with such texts. Its parameters are the texts of the area, as
// functions, and the result of makeWords with the formats. The functions that it returns are added to the texts, and
// replace those with the same name.

const MINUTES_OF = { weeks: 10080, days: 1440, hours: 60 };

// Keys of the keyboard, by the name of their text.
const SHORTCUTS = {
	find: "/", today: "g t", calendar: "g c", messages: "g m", social: "g s", around: "g a", new: "n", nextPrevious: "j k",
	open: "Enter", back: "Esc", edit: "e", undo: "u", views: "1 … 5", earlierLater: "[ ]", todayInCalendar: ".", thisList: "?",
};

const TWO_DAYS = 172_800_000; // in milliseconds

export const JOINED = {
	common: (text, { list }) => ({
		fileType: (types) => text.fileTypes(list(types, "disjunction")),
		fileLimit: (types, size) => joined([types.length > 0 && list(types, "disjunction"), size && text.atMost(size)], ", "),

		// minutes returns a duration of count minutes: in weeks, days or hours if it is a multiple of one of them, or
		// else in hours and minutes.
		minutes: (count) => {
			for (const [unit, size] of Object.entries(MINUTES_OF)) if (count && count % size === 0) return text[unit](count / size);
			return joined([count > 60 && text.hours(Math.floor(count / 60)), text.minutesOnly(count % 60)], " ");
		},

		// freq is FREQ of RFC 5545, date the day of the month, from 1 to 31, and nth the position of a weekday in the
		// month, from 1 to 5, or from -1, the last one, to -5.
		repeatPreset: (name, weekday, date, nth) => text.repeatPreset(name, weekday, date, text.nth(nth)),
		repeatOn: (weekdays) => text.repeatOnList(list(weekdays)),
		repeatOnNth: (nth, weekday) => text.repeatOnNth(text.nth(nth), weekday),
		repeatNext: (days) => text.repeatNextList(days.join(", ")),
	}),

	around: (text, { number }) => ({
		cluster: (count) => text.cluster(count, number(count, { notation: "compact" })),

		// distance rounds to 1 m below 100 m, to 10 m below 1 km, to 0.1 km below 10 km, and else to 1 km.
		distance: (metres) => (metres < 995
			? number(metres < 100 ? Math.round(metres) : Math.round(metres / 10) * 10, { style: "unit", unit: "meter" })
			: number(metres / 1000, { style: "unit", unit: "kilometer", maximumFractionDigits: metres < 9950 ? 1 : 0 })),
	}),

	calendar: (text) => ({
		view: (label) => (label ? text.viewOf(label) : text.anyView()),
		asks: (name) => (name ? text.asksYouBy(name) : text.asksYou()),
		counts: (counts) => joined(Object.keys(text.counts).map((answer) => counts[answer] > 0 && text.counts[answer](counts[answer])), " · "),

		// Texts of the grid, see createGrid
		grid: {
			...text.grid,
			day: ({ date, isToday, isChosen, count }) => joined([
				date, isToday && text.grid.isToday(), isChosen && text.grid.isChosen(), count > 0 && text.grid.entries(count),
			], ", "),
			entry: ({ date, time, state, done, recurring, zone, zoneTime }) => joined([
				time, date, text.grid[state]?.(), done && text.grid.done(), recurring && text.grid.recurring(),
				zone && text.grid.inZone(zoneTime, zone.replaceAll("_", " ")),
			], ", "),
			moving: ({ title, date, time }) => text.grid.moving(title, date, time),
		},
	}),

	day: (text) => ({
		// summary takes the numbers of the remaining entries of the day and of the invitations without an answer.
		summary: (remaining, unanswered) => joined([
			remaining > 0 && text.moreEntries(remaining), unanswered > 0 && text.questions(unanswered),
		], " ") || text.nothingMore(),
	}),

	frame: (text) => ({
		offlineSince: (time) => (time ? text.offlineAt(time) : text.offline()),
		unreachableSince: (time) => (time ? text.unreachableAt(time) : text.unreachable()),
		datesEnd: (days) => text.datesEndList(days.join(", ")),
		nextDates: (days) => text.nextDatesList(days.join(", ")),
		shortcuts: () => Object.entries(SHORTCUTS).map(([name, keys]) => [keys, text.shortcuts[name]()]), // pairs of keys and text
	}),

	messages: (text) => ({
		twoPeople: () => text.twoPeopleLink().split(/[[\]]/), // the texts before, of and after a link
	}),

	operator: (text) => ({
		inviteText: (day, email) => (email ? text.inviteAddress(day, email) : text.inviteAnyone(day)),
	}),

	people: (text) => ({
		// depth is 0 for no circle, 1 for the inner, 2 for the trusted and 3 for the extended circle.
		because: (depth, communities) => (depth === 1 && communities ? text.becauseShared(communities) : text.because(depth)),
	}),

	// day, monthShort and eventDay take a date such as "2026-12-03"; other days and times are texts.
	read: (text, { monthShort, dayAndYear, dayRange, relativeDay, currentDay }) => ({
		day: dayAndYear,
		monthShort,
		eventDay: (day) => (Math.abs(Date.parse(day) - Date.parse(currentDay())) < TWO_DAYS ? relativeDay(day) : dayRange(day, day)),
		source: (...facts) => facts.filter(Boolean).map((fact) => ` · ${fact}`).join("").trim(), // follows the host of the page
		reading: (host) => (host ? text.readingPageOf(host) : text.readingPage()),
		rating: (value, best, count, item) => joined([item, text.ratingOf(value, best), count > 0 && text.ratings(count)], " · "),
	}),

	settings: (text) => ({
		linkSteps: (platform) => linesOf(text.linkSteps[platform]),
		manualSteps: (platform) => linesOf(text.manualSteps[platform] ?? text.manualSteps.other),
	}),

	social: (text) => ({
		communityFacts: (visibility, count) => joined([text.communityIs(visibility), count > 0 && text.memberCount(count)], " · "),
		isCancelled: (name) => (name ? text.isCancelledBy(name) : text.isCancelledNow()),
		noteTo: (name) => (name ? text.noteToNamed(name) : text.noteToHost()),
		inCalendarText: (name) => (name ? text.inCalendarOf(name) : text.inCalendarOnly()),
		places: (taken, capacity) => (taken < capacity ? text.placesFree(capacity - taken, capacity) : text.placesTaken(capacity)),

		// happened returns a template, in which {who} stands for the name of the actor and {what} for the title of the
		// object. kind is that of an entry of the activity, type that of the object. Unknown kinds have no template.
		happened: (kind, type) => text.happened(kind, type, "{who}", "{what}"),
	}),
};

// joined joins the texts that are not empty.
function joined(texts, separator) {
	return texts.filter(Boolean).join(separator);
}

// linesOf returns the lines of a text, or none without a text.
function linesOf(text) {
	return text?.().split("\n") ?? [];
}
