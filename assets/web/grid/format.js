// Formats times and days in a locale, without DOM. The texts are cached, because a grid needs the same
// few texts hundreds of times.

import { DAY, MINUTE, isAmbiguous, wallAt } from "./zone.js";

const MAX_CACHED_TEXTS = 2000; // a cache with more texts is cleared

// createFormat returns functions that format instants of a time zone and days, as numbers of days since
// 1970-01-01, in a locale, by default that of the browser. hour12 selects a clock of 12 or 24 hours, by
// default that of the locale.
export function createFormat(locale, zone, hour12) {
	const formatter = (options) => new Intl.DateTimeFormat(locale, { calendar: "gregory", timeZone: "UTC", ...options });
	const days = (options) => {
		let dayFormat; // created at the first use
		return cache((day) => (dayFormat ??= formatter(options)).format(day * DAY));
	};

	// The option hour12 of Intl would make some locales count the hours from 1 to 24.
	const hourCycle = hour12 === undefined ? undefined : hour12 ? "h12" : "h23";
	const clock = { hour: "numeric", minute: "2-digit", hourCycle };
	const is24 = /h2/.test(formatter(clock).resolvedOptions().hourCycle);
	if (is24) clock.hour = "2-digit";
	const hourFormat = formatter({ hour: "numeric", hourCycle });
	const clockFormat = formatter(clock);
	const minuteText = cache((minute) => clockFormat.format(minute * MINUTE));
	const rangeFormat = formatter({ day: "numeric", month: "long" });
	const numberFormat = new Intl.NumberFormat(locale, { useGrouping: false });
	const zoneClock = cache((other) => formatter({ ...clock, timeZone: other }));
	let zoneFormat;

	// timeText returns the local time of an instant. If the clocks show that time twice, it includes the
	// name of the offset: "02:30 CET".
	const timeText = (instant) => {
		const wall = wallAt(zone, instant);
		const text = minuteText(Math.floor((wall - Math.floor(wall / DAY) * DAY) / MINUTE));
		if (!isAmbiguous(zone, instant)) return text;
		zoneFormat ??= formatter({ hour: "numeric", timeZone: zone, timeZoneName: "short" });
		return `${text} ${zoneFormat.formatToParts(instant).find(({ type }) => type === "timeZoneName").value}`;
	};

	return {
		// mark returns the label of a time in minutes after midnight. On a clock of 12 hours, a full hour
		// has no minutes: "9 AM".
		mark: (minute) => (is24 || minute % 60 ? minuteText(minute) : hourFormat.format(minute * MINUTE)),
		time: timeText,
		timeIn: (other, instant) => zoneClock(other).format(instant),
		range: (start, end) => (end > start ? `${timeText(start)}–${timeText(end)}` : timeText(start)),
		days: (first, last) => rangeFormat.formatRange(first * DAY, last * DAY), // "26–28 November"
		integer: (number) => numberFormat.format(number),
		number: days({ day: "numeric" }),
		numberAndMonth: days({ day: "numeric", month: "short" }), // "1 Nov"
		weekday: days({ weekday: "short" }),
		weekdayLong: days({ weekday: "long" }),
		weekdayNarrow: days({ weekday: "narrow" }),
		date: days({ weekday: "long", day: "numeric", month: "long" }),
		dateShort: days({ day: "numeric", month: "long" }),
		month: days({ month: "long", year: "numeric" }),
	};
}

// cache returns a function that caches the results of compute.
function cache(compute) {
	const results = new Map();
	return (key) => {
		let value = results.get(key);
		if (value === undefined) {
			if (results.size > MAX_CACHED_TEXTS) results.clear();
			results.set(key, (value = compute(key)));
		}
		return value;
	};
}
