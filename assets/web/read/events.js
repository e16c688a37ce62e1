// Reads the times of the events of a page, without DOM. A time of World is an instant, for which the
// event has the UTC offset of its place; a local time without a zone; or a day.

const OFFSET = /^([+-])(\d{2}):(\d{2})$/;

// timesOf returns the times of an event at its place: { day, time, endDay, endTime, offset }. The times
// are texts such as "19:30", "" for an all-day event. endDay and endTime are "" if they are unknown, and
// offset if the start is not an instant. timesOf returns null if the start is neither a time nor a day.
export function timesOf({ start, end, utc_offset: offset = "", all_day: allDay = false }) {
	const first = localTime(start, offset);
	if (!first) return null;
	const last = localTime(end, offset);
	const isAllDay = allDay || first.time === "";
	return {
		day: first.day, time: isAllDay ? "" : first.time, endDay: last?.day ?? "", endTime: isAllDay ? "" : last?.time ?? "",
		offset: first.isInstant ? offset : "",
	};
}

// localTime returns a time as { day, time, isInstant } at the given UTC offset, or null if it is invalid.
function localTime(text, offset) {
	if (typeof text !== "string") return null;
	const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(text) ?? [];
	if (!day || Number.isNaN(Date.parse(day))) return null;
	if (!time) return { day, time: "", isInstant: false };
	if (!/(Z|[+-]\d{2}:\d{2})$/.test(text)) return { day, time, isInstant: false };
	const instant = Date.parse(text);
	if (Number.isNaN(instant)) return null;
	const localText = new Date(instant + minutesOf(offset) * 60_000).toISOString();
	return { day: localText.slice(0, 10), time: localText.slice(11, 16), isInstant: true };
}

// minutesOf returns the minutes of a UTC offset such as +01:00; 0 without one.
function minutesOf(offset) {
	const [, sign, hours, minutes] = OFFSET.exec(offset ?? "") ?? [];
	return sign ? (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0;
}

// entryOf returns the values of the controls with which the action create_time_object creates a calendar
// entry for an event, or null if the event has no valid start. zone is the time zone of the member, in
// which the times of the entry are. where is the text of the location, source the URL of the page, which
// is added to the description. Without an end, or with the day of the start as its end, a timed entry takes
// one hour; with a later day as its end, it takes until the end of that day. An end before the start is replaced
// by the start.
export function entryOf(event, { zone, where = "", source = "" }) {
	const times = timesOf(event);
	if (!times) return null;
	const values = { title: event.name, location: where, description: [event.description, source].filter(Boolean).join("\n\n") };
	if (times.time === "") {
		return {
			...values, all_day: true, start: times.day,
			end: times.endDay && times.endDay >= times.day ? dayAfter(times.endDay) : dayAfter(times.day),
		};
	}
	const inZone = (text) => (/(Z|[+-]\d{2}:\d{2})$/.test(text) ? wallTime(Date.parse(text), zone) : `${text.slice(0, 16)}:00`);
	const start = inZone(event.start);
	const last = localTime(event.end, event.utc_offset);
	const end = last?.time ? inZone(event.end)
		: last && last.day > times.day ? `${dayAfter(last.day)}T00:00:00`
			: wallTime(Date.parse(`${start}Z`) + 3_600_000, "UTC");
	return { ...values, all_day: false, start, end: end > start ? end : start, timezone: zone };
}

function dayAfter(day) {
	return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

// wallTime returns an instant as the local time in a zone, without an offset: 2026-12-01T09:00:00.
// instant is in milliseconds since 1970.
export function wallTime(instant, zone) {
	const part = {};
	const format = new Intl.DateTimeFormat("en-US", {
		timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23",
		year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
	});
	for (const { type, value } of format.formatToParts(instant)) part[type] = value;
	return `${part.year.padStart(4, "0")}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`;
}
