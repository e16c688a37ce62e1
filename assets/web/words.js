// The texts of the app in the language of the member, and the formats of dates, times, numbers and lists in the
// locale and the time zone of the member.
//
// The catalog of a language has messages by area and key, see words/message.js. makeWords returns an object with a
// function for each message and the formats, so that components need only this object.

import { addDays, dayIn, daysBetween, toDate, weekOf } from "./parts/day.js";
import { JOINED } from "./words/joined.js";
import { compileMessage } from "./words/message.js";

// servedCatalogs returns the catalogs of the server:
//
//   languages             the languages with a catalog. The first one is the default for other languages
//   read(language, area)  returns a promise of the messages of an area by key
//
// assets is the path of the files of the app.
export function servedCatalogs(assets, languages) {
	const areas = new Map(); // path → promise
	const request = async (path) => {
		const response = await fetch(path);
		if (!response.ok) throw new Error(`${path}: status ${response.status}`);
		return response.json();
	};
	return {
		languages,
		read: (language, area) => {
			const path = `${assets}words/${language}/${area}.json`;
			if (!areas.has(path)) areas.set(path, request(path).catch((error) => (areas.delete(path), Promise.reject(error))));
			return areas.get(path);
		},
	};
}

// languageOf returns the language of the catalog for a locale, which may be null or undefined.
export function languageOf(locale, languages) {
	const language = (locale ?? "").split("-")[0].toLowerCase();
	return languages.includes(language) ? language : languages[0];
}

// localeOf returns the locale of formats: the language of the catalog for a locale, so that the names of days and
// months are in the language of the texts, with the first region of these: that of formats, the choice of the
// member, which may be null; that of the locale; and that of the first locale with the same language in accepted,
// the languages of the browser.
export function localeOf({ locale, formats = null }, languages, accepted = []) {
	const language = languageOf(locale, languages);
	const browserLocale = accepted.find((name) => name.toLowerCase().startsWith(`${language}-`));
	const region = [formats, locale, browserLocale].map(regionOf).find(Boolean);
	return region ? `${language}-${region}` : language;
}

// regionOf returns the region of a locale, such as AT, or undefined.
function regionOf(locale) {
	try {
		return new Intl.Locale(locale).region;
	} catch {
		return undefined;
	}
}

// loadWords loads the catalog for a locale, and returns a promise of the result of makeWords. Options: catalogs, see
// servedCatalogs; areas; and those of makeWords except language, which follows from the locale.
//
// The catalog has a part for each area of the app. words.load("calendar") returns a promise of the texts of this
// part, and adds them as words.calendar. areas are the names of the parts to load at once.
export async function loadWords({ catalogs, areas = [], ...options }) {
	const language = languageOf(options.locale, catalogs.languages);
	const [common, ...parts] = await Promise.all(["common", ...areas].map((area) => catalogs.read(language, area)));
	const words = makeWords(common, { ...options, language });
	const add = (area, messages) => (words[area] ??= textsOf(area, messages, words));
	areas.forEach((area, i) => add(area, parts[i]));
	words.load = async (area) => words[area] ?? add(area, await catalogs.read(language, area));
	return words;
}

// makeWords returns an object with the texts of the area "common" of a catalog and the formats of makeFormats.
// Options:
//
//   language   the language of the catalog
//   locale     a BCP 47 tag; the language replaces an invalid one
//   zone       the IANA name of a time zone; by default that of the browser, and UTC if it is unknown
//   weekStart  the first day of the week, from 1 (Monday) to 7
//   now()      returns the present instant in milliseconds since 1970
export function makeWords(messages, { language = "en", locale = language, zone, weekStart = 1, now = Date.now } = {}) {
	const formats = makeFormats({ language, locale: checkedLocale(locale, language), zone: checkedZone(zone), weekStart, now });
	return { ...formats, ...textsOf("common", messages, formats) };
}

// textsOf returns the texts of an area of a catalog as functions. The message with the key "grid.now" becomes the
// function now of the object grid.
export function textsOf(area, messages, words) {
	const tools = { number: words.number, plural: words.plural, ordinal: words.ordinal };
	const texts = {};
	for (const [key, message] of Object.entries(messages)) {
		const [name, part] = key.split(".");
		const text = compileMessage(message, tools);
		if (part) (texts[name] ??= {})[part] = text;
		else texts[name] = text;
	}
	return { ...texts, ...JOINED[area]?.(texts, words) };
}

// checkedLocale returns a locale in canonical form, or the language if the locale is invalid.
function checkedLocale(locale, language) {
	try {
		return Intl.getCanonicalLocales(locale)[0] ?? language;
	} catch {
		return language;
	}
}

// lastDay returns the last day of an all-day entry. start and end are times of World. The end is the day
// after the last one, and may be missing.
function lastDay(start, end) {
	const first = start.date ?? start.date_time.slice(0, 10);
	const dayAfter = end?.date ?? end?.date_time?.slice(0, 10);
	return dayAfter && dayAfter > first ? addDays(dayAfter, -1) : first;
}

// checkedZone returns zone, the time zone of the browser if zone is empty, or UTC if the browser does not know zone.
function checkedZone(zone) {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
		return zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
	} catch {
		return "UTC";
	}
}

// makeFormats returns functions that format numbers, lists, days and times. A day is a string such as
// "2026-12-03", a time of day a string such as "09:30", and an instant a number of milliseconds since 1970 or
// an RFC 3339 string.
function makeFormats({ language, locale, zone, weekStart, now }) {
	const cache = new Map();
	// cached returns the result of make from the cache. The formatters of Intl are slow to create.
	const cached = (name, options, make) => {
		const key = name + JSON.stringify(options);
		if (!cache.has(key)) cache.set(key, make());
		return cache.get(key);
	};
	// dateFormat returns a formatter of dates and times. The calendar is Gregorian in all locales, as in fields and
	// grids. dayFormat returns a function that formats a day.
	const dateFormat = (options) => cached("date", options, () => (
		new Intl.DateTimeFormat(locale, { timeZone: zone, calendar: "gregory", ...options })
	));
	const dayFormat = (options) => (day) => dateFormat({ ...options, timeZone: "UTC" }).format(toDate(day));
	const today = () => dayIn(zone, now());
	// yearOf returns the option year of a formatter: dates of this year are shown without the year.
	const yearOf = (day) => (day.slice(0, 4) === today().slice(0, 4) ? undefined : "numeric");
	const instant = (value) => new Date(value);

	// textLocale is the locale of lists and plurals. Texts contain them, so their language must be the language of
	// the catalog.
	const textLocale = locale.split("-")[0] === language ? locale : language;

	const formats = {
		language, locale, zone, weekStart,
		currentDay: today,
		hasDayPeriods: dateFormat({ timeStyle: "short" }).resolvedOptions().hourCycle.startsWith("h1"), // whether times have AM and PM

		// plural and ordinal return the plural category of a number and of an ordinal number.
		plural: (value) => cached("plural", {}, () => new Intl.PluralRules(textLocale)).select(value),
		ordinal: (value) => cached("ordinal", {}, () => new Intl.PluralRules(textLocale, { type: "ordinal" })).select(value),

		// number formats a number with options of Intl.NumberFormat, and list a list with a type of Intl.ListFormat.
		number: (value, options = {}) => cached("number", options, () => new Intl.NumberFormat(locale, options)).format(value),
		list: (items, type = "conjunction") => cached("list", { type }, () => new Intl.ListFormat(textLocale, { type })).format(items),

		// bytes returns a number of bytes in the largest suitable unit; a kilobyte has 1024 bytes.
		bytes: (size) => {
			const step = Math.min(3, Math.floor(Math.log2(Math.max(size, 1)) / 10));
			const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][step];
			return formats.number(size / 1024 ** step, { style: "unit", unit, unitDisplay: step ? "short" : "long", maximumFractionDigits: 1 });
		},

		// weekday returns the name of a weekday, from 1 (Monday) to 7.
		weekday: (weekday, width = "long") => dateFormat({ weekday: width, timeZone: "UTC" }).format(Date.UTC(2026, 0, 4 + weekday)),

		// Formats of a day, with examples.
		month: dayFormat({ month: "long", year: "numeric" }), // December 2026
		monthShort: dayFormat({ month: "short" }), // Dec
		dayAndMonth: dayFormat({ day: "numeric", month: "long" }), // 3 December
		dayAndYear: dayFormat({ day: "numeric", month: "long", year: "numeric" }), // 3 December 2026
		dayAndWeekday: dayFormat({ weekday: "long", day: "numeric", month: "long" }), // Thursday, 3 December
		dayField: dayFormat({ weekday: "short", day: "numeric", month: "short", year: "numeric" }), // Thu, 3 Dec 2026
		dayFull: dayFormat({ weekday: "long", day: "numeric", month: "long", year: "numeric" }), // Thursday, 3 December 2026
		dayShort: (day) => dayFormat({ day: "numeric", month: "short", year: yearOf(day) })(day), // 3 Dec
		date: (day) => dayFormat({ day: "numeric", month: "long", year: yearOf(day) })(day), // 3 December

		// clock returns a time of day, and time the time of an instant, for example 09:30 or 9:30 AM.
		clock: (time) => dateFormat({ timeStyle: "short", timeZone: "UTC" }).format(new Date(`2026-01-01T${time}:00Z`)),
		time: (value) => dateFormat({ timeStyle: "short" }).format(instant(value)),

		// when returns the time of an instant of today, such as 13:42; the weekday of a day of this week, such as Wed;
		// or the date of another day, such as 14 Nov or, in another year, 14 Nov 2025.
		when: (value) => {
			const day = dayIn(zone, instant(value));
			if (day === today()) return formats.time(value);
			if (weekOf(day, weekStart) === weekOf(today(), weekStart)) return dateFormat({ weekday: "short" }).format(instant(value));
			return formats.dayShort(day);
		},

		// dueText returns the due date of a task: Today, Tomorrow or Yesterday, or the text of weekdayOrDay.
		dueText: (day) => (Math.abs(daysBetween(today(), day)) < 2 ? formats.relativeDay(day) : formats.weekdayOrDay(day)),

		// weekdayOrDay returns the weekday of one of the next six days, such as Fri, and another day as 3 Dec.
		weekdayOrDay: (day) => {
			const offset = daysBetween(today(), day);
			return offset > 0 && offset < 7 ? dayFormat({ weekday: "short" })(day) : formats.dayShort(day);
		},

		// relativeDay returns Today, Tomorrow or Yesterday, or another day with its weekday and date.
		relativeDay: (day) => {
			const offset = daysBetween(today(), day);
			if (Math.abs(offset) > 1) return dayFormat({ weekday: "long", day: "numeric", month: "long", year: yearOf(day) })(day);
			const text = cached("relative", {}, () => new Intl.RelativeTimeFormat(language, { numeric: "auto" })).format(offset, "day");
			return text[0].toLocaleUpperCase(language) + text.slice(1);
		},

		// range returns a range of two instants with their days and times in the time zone inZone. If that is not the
		// time zone of the member, the text contains its name.
		range: (start, end, inZone = zone) => {
			const rangeZone = checkedZone(inZone);
			const year = [start, end].some((value) => yearOf(dayIn(rangeZone, instant(value)))) ? "numeric" : undefined;
			const hour = formats.hasDayPeriods ? "numeric" : "2-digit";
			const format = dateFormat({ weekday: "short", day: "numeric", month: "short", year, hour, minute: "2-digit", timeZone: rangeZone });
			const text = format.formatRange(instant(start), instant(end)).replaceAll(" Uhr", ""); // no other German time has it
			return rangeZone === zone ? text : `${text} (${formats.zoneName(rangeZone, start)})`;
		},

		// rangeInZones returns a range of times as range does, with the start and the end in time zones of
		// their own.
		rangeInZones: (start, end, startZone, endZone) => {
			if (startZone === endZone || end <= start) return formats.range(start, end, startZone);
			const text = (value, inZone) => {
				const zoneName = inZone === zone ? ` (${formats.zoneName(inZone, value)})` : "";
				return formats.range(value, value, inZone) + zoneName;
			};
			return `${text(start, startZone)} – ${text(end, endZone)}`;
		},

		// whenEvent returns the range of days or times of a calendar entry or an event, or "" without a start. The
		// parameter contains the fields start, end and all_day of World; end may be missing.
		whenEvent: ({ start, end, all_day: allDay }) => {
			if (!start) return "";
			if (allDay || !start.utc) return formats.dayRange(start.date ?? start.date_time.slice(0, 10), lastDay(start, end));
			return end?.utc ? formats.range(start.utc, end.utc) : formats.range(start.utc, start.utc);
		},

		// dayRange returns a range of two days, which includes the last day.
		dayRange: (first, last) => {
			const format = dateFormat({ weekday: "short", day: "numeric", month: "short", year: yearOf(first) ?? yearOf(last), timeZone: "UTC" });
			return first === last ? format.format(toDate(first)) : format.formatRange(toDate(first), toDate(last));
		},

		// zoneName returns the name of a time zone with its offset at an instant, such as Europe/Berlin, GMT+1.
		zoneName: (name, value = now()) => {
			const parts = dateFormat({ timeZone: name, timeZoneName: "shortOffset" }).formatToParts(instant(value));
			return `${name.replaceAll("_", " ")}, ${parts.find(({ type }) => type === "timeZoneName").value}`;
		},
	};
	return formats;
}
