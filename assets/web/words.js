// The texts of the app in the language of the member, and dates, times, numbers and lists in
// their locale and time zone.
//
// words/en.js and words/de.js have the same functions: each returns a text. What makeWords
// returns has these and the formats below, so that one object is all that a part needs.

import { addDays, dayIn, daysBetween, toDate, weekOf } from "./parts/day.js";

// LANGUAGES are the languages of the catalogue. The first is that of all other locales.
export const LANGUAGES = ["en", "de"];

// languageOf returns the language of the catalogue for a locale.
export function languageOf(locale) {
	const language = (locale ?? "").split("-")[0].toLowerCase();
	return LANGUAGES.includes(language) ? language : LANGUAGES[0];
}

// withRegion returns a locale for formats. A locale without a region, such as that of a new
// account, says nothing about clocks and the order of dates: it takes the region of the first
// of the languages of the browser that is the same language.
export function withRegion(locale, languages = []) {
	if (!/^[a-z]+$/i.test(locale ?? "")) return locale;
	return languages.find((name) => name.toLowerCase().startsWith(`${locale.toLowerCase()}-`)) ?? locale;
}

// loadWords returns the words of a member: see makeWords. It loads one language only.
//
// The catalogue has a part for each area of the app, such as words/en/calendar.js: its texts are
// in words.calendar after words.load("calendar"). `areas` are the parts to load at once.
export async function loadWords({ areas = [], ...options } = {}) {
	const language = languageOf(options.locale);
	const [{ catalog }, ...parts] = await importWords(language, areas);
	const words = makeWords(catalog, { ...options, language });
	const add = (name, part) => (words[name] ??= part.catalog(words));
	areas.forEach((name, i) => add(name, parts[i]));
	words.load = async (name) => words[name] ?? add(name, (await importWords(language, [name]))[1]);
	return words;
}

// importWords returns a promise of the modules of a language: the common one and those of areas.
export function importWords(language, areas) {
	return Promise.all(["", ...areas].map((name) => import(`./words/${language}${name && `/${name}`}.js`)));
}

// makeWords returns the texts of a catalog with the formats of a locale.
//
// Options: language; locale, a BCP 47 tag; zone, an IANA name; weekStart, a number from 1
// (Monday) to 7; now, which returns the present instant.
export function makeWords(catalog, { language = "en", locale = language, zone, weekStart = 1, now = Date.now } = {}) {
	const formats = makeFormats({ language, locale: checkedLocale(locale, language), zone: checkedZone(zone), weekStart, now });
	return { ...formats, ...catalog(formats) };
}

function checkedLocale(locale, language) {
	try {
		return Intl.getCanonicalLocales(locale)[0] ?? language;
	} catch {
		return language;
	}
}

// lastDay returns the last day of an entry of whole days: its end is the day after it.
function lastDay(start, end) {
	const first = start.date ?? start.date_time.slice(0, 10);
	const after = end?.date ?? end?.date_time?.slice(0, 10);
	return after && after > first ? addDays(after, -1) : first;
}

function checkedZone(zone) {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
		return zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
	} catch {
		return "UTC";
	}
}

// makeFormats returns functions for numbers, lists, days and times. Days are texts such as
// "2026-12-03", times of day texts such as "09:30", instants numbers or texts of RFC 3339.
function makeFormats({ language, locale, zone, weekStart, now }) {
	const cache = new Map();
	const kept = (name, options, make) => {
		const key = name + JSON.stringify(options);
		if (!cache.has(key)) cache.set(key, make());
		return cache.get(key);
	};
	// Days of fields and grids are Gregorian, so all dates are.
	const dates = (options) => kept("date", options, () => new Intl.DateTimeFormat(locale, { timeZone: zone, calendar: "gregory", ...options }));
	const days = (options) => (day) => dates({ ...options, timeZone: "UTC" }).format(toDate(day));
	const today = () => dayIn(zone, now());
	const yearOf = (day) => (day.slice(0, 4) === today().slice(0, 4) ? undefined : "numeric");
	const instant = (value) => new Date(value);

	// Lists and plurals are in sentences, so they need the language of the catalog.
	const spoken = languageOf(locale) === locale.split("-")[0] ? locale : language;

	const formats = {
		language, locale, zone, weekStart,
		currentDay: today,
		hasDayPeriods: dates({ timeStyle: "short" }).resolvedOptions().hourCycle.startsWith("h1"), // whether times are such as 9:30 AM
		rules: new Intl.PluralRules(spoken),

		// plural returns the form of a count: { one, other } and what else the language has.
		plural: (count, forms) => forms[formats.rules.select(count)] ?? forms.other,
		ordinal: (count, forms) => forms[kept("ordinal", {}, () => new Intl.PluralRules(spoken, { type: "ordinal" })).select(count)] ?? forms.other,
		number: (value, options = {}) => kept("number", options, () => new Intl.NumberFormat(locale, options)).format(value),
		list: (items, type = "conjunction") => kept("list", { type }, () => new Intl.ListFormat(spoken, { type })).format(items),
		bytes: (size) => {
			const step = Math.min(3, Math.floor(Math.log2(Math.max(size, 1)) / 10));
			const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][step];
			return formats.number(size / 1024 ** step, { style: "unit", unit, unitDisplay: step ? "short" : "long", maximumFractionDigits: 1 });
		},

		weekday: (weekday, width = "long") => dates({ weekday: width, timeZone: "UTC" }).format(Date.UTC(2026, 0, 4 + weekday)),
		month: days({ month: "long", year: "numeric" }), // December 2026
		dayAndMonth: days({ day: "numeric", month: "long" }), // 3 December
		dayAndWeekday: days({ weekday: "long", day: "numeric", month: "long" }), // Thursday, 3 December
		dayField: days({ weekday: "short", day: "numeric", month: "short", year: "numeric" }), // Thu, 3 Dec 2026
		dayFull: days({ weekday: "long", day: "numeric", month: "long", year: "numeric" }), // Thursday, 3 December 2026
		dayShort: (day) => days({ day: "numeric", month: "short", year: yearOf(day) })(day), // 3 Dec
		date: (day) => days({ day: "numeric", month: "long", year: yearOf(day) })(day), // 3 December
		clock: (time) => dates({ timeStyle: "short", timeZone: "UTC" }).format(new Date(`2026-01-01T${time}:00Z`)), // 09:30
		time: (value) => dates({ timeStyle: "short" }).format(instant(value)),

		// when returns a short time: of today 13:42, of this week Wed, of this year 14 Nov,
		// else 14 Nov 2025.
		when: (value) => {
			const day = dayIn(zone, instant(value));
			if (day === today()) return formats.time(value);
			if (weekOf(day, weekStart) === weekOf(today(), weekStart)) return dates({ weekday: "short" }).format(instant(value));
			return formats.dayShort(day);
		},

		// dueText returns the day on which a task is due: today, tomorrow and yesterday as such.
		dueText: (day) => (Math.abs(daysBetween(today(), day)) < 2 ? formats.relativeDay(day) : formats.weekdayOrDay(day)),

		// weekdayOrDay returns a day of the next six as Fri, and others as 3 Dec.
		weekdayOrDay: (day) => {
			const offset = daysBetween(today(), day);
			return offset > 0 && offset < 7 ? days({ weekday: "short" })(day) : formats.dayShort(day);
		},

		// relativeDay returns today, tomorrow and yesterday as such, and other days in full.
		relativeDay: (day) => {
			const offset = daysBetween(today(), day);
			if (Math.abs(offset) > 1) return days({ weekday: "long", day: "numeric", month: "long", year: yearOf(day) })(day);
			const text = kept("relative", {}, () => new Intl.RelativeTimeFormat(language, { numeric: "auto" })).format(offset, "day");
			return text[0].toLocaleUpperCase(language) + text.slice(1);
		},

		// range returns two instants as a range with day and time. Another zone than that of
		// the member is named.
		range: (start, end, inZone = zone) => {
			const other = checkedZone(inZone);
			const year = [start, end].some((value) => yearOf(dayIn(other, instant(value)))) ? "numeric" : undefined;
			const hour = dates({ timeStyle: "short" }).resolvedOptions().hourCycle.startsWith("h2") ? "2-digit" : "numeric";
			const format = dates({ weekday: "short", day: "numeric", month: "short", year, hour, minute: "2-digit", timeZone: other });
			const text = format.formatRange(instant(start), instant(end));
			return other === zone ? text : `${text} (${formats.zoneName(other, start)})`;
		},

		// whenEvent returns the start and end of a calendar entry or an event of World, with its day.
		whenEvent: ({ start, end, all_day: allDay }) => {
			if (!start) return "";
			if (allDay || !start.utc) return formats.dayRange(start.date ?? start.date_time.slice(0, 10), lastDay(start, end));
			return end?.utc ? formats.range(start.utc, end.utc) : formats.range(start.utc, start.utc);
		},

		// dayRange returns two days as a range; the last day is included.
		dayRange: (first, last) => {
			const format = dates({ weekday: "short", day: "numeric", month: "short", year: yearOf(first) ?? yearOf(last), timeZone: "UTC" });
			return first === last ? format.format(toDate(first)) : format.formatRange(toDate(first), toDate(last));
		},

		// zoneName returns the name of a zone with its offset: Europe/Berlin, GMT+1.
		zoneName: (name, value = now()) => {
			const parts = dates({ timeZone: name, timeZoneName: "shortOffset" }).formatToParts(instant(value));
			return `${name.replaceAll("_", " ")}, ${parts.find(({ type }) => type === "timeZoneName").value}`;
		},
	};
	return formats;
}
