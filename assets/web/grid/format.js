// Texts of times and days in a locale, without DOM. They are cached, because a grid asks
// for the same few of them hundreds of times.

import { DAY, MINUTE, isAmbiguous, wallAt } from "./zone.js";

// createFormat returns the functions for texts in a locale (undefined: that of the browser)
// and a zone. hour12 selects between 12 and 24 hours; undefined: as usual in the locale.
export function createFormat(locale, zone, hour12) {
	const formatter = (options) => new Intl.DateTimeFormat(locale, { calendar: "gregory", timeZone: "UTC", ...options });
	const days = (options) => {
		let made;
		return cache((day) => (made ??= formatter(options)).format(day * DAY));
	};

	// Not hour12, by which some locales count the hours from 1 to 24.
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

	// timeText returns the time of an instant, with the name of the offset if clocks show
	// the time twice: "02:30 CET".
	const timeText = (instant) => {
		const wall = wallAt(zone, instant);
		const text = minuteText(Math.floor((wall - Math.floor(wall / DAY) * DAY) / MINUTE));
		if (!isAmbiguous(zone, instant)) return text;
		zoneFormat ??= formatter({ hour: "numeric", timeZone: zone, timeZoneName: "short" });
		return `${text} ${zoneFormat.formatToParts(instant).find(({ type }) => type === "timeZoneName").value}`;
	};

	return {
		// mark returns the text of a number of minutes after midnight, short on the hour: "9 AM".
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

function cache(compute) {
	const known = new Map();
	return (key) => {
		let value = known.get(key);
		if (value === undefined) {
			if (known.size > 2000) known.clear();
			known.set(key, (value = compute(key)));
		}
		return value;
	};
}
