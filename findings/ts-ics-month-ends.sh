#!/bin/sh
# ts-ics places an event of the last day of each month on the day before it, and one of the last Friday at midnight; a start
# on the 31st moves to the 28th for good.
#
# Seen with ts-ics 2.4.6 and, for comparison, ical.js 2.2.1 (Node 20); extendByRecurrenceRule is called with what
# convertIcsCalendar has read, for DTSTART:20260130T090000Z or the 31st and COUNT=3:
#   BYMONTHDAY=-1
#     ts-ics  2026-02-27T09:00 2026-03-30T09:00 2026-04-29T09:00
#     ical.js 2026-01-31T09:00 2026-02-28T09:00 2026-03-31T09:00
#   BYDAY=-1FR
#     ts-ics  2026-02-27T00:00 2026-03-27T00:00 2026-04-24T00:00
#     ical.js 2026-01-30T09:00 2026-02-27T09:00 2026-03-27T09:00
#   no part
#     ts-ics  2026-01-31T09:00 2026-02-28T09:00 2026-03-28T09:00
#     ical.js 2026-01-31T09:00 2026-03-31T09:00 2026-05-31T09:00
# RFC 5545, section 3.3.10: -1 is the last day of the month; a rule without times takes them from DTSTART; an occurrence of a
# date that does not exist is ignored. Section 3.8.5.3: DTSTART is the first occurrence and counts.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund ts-ics@2.4.6 ical.js@2.2.1 >&2
cat >seen.mjs <<'END'
import ICAL from "ical.js";
import { convertIcsCalendar, extendByRecurrenceRule } from "ts-ics";

for (const [part, day] of [["BYMONTHDAY=-1", 31], ["BYDAY=-1FR", 30], ["", 31]]) {
	console.log(part || "no part");
	const text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z",
		`DTSTART:202601${day}T090000Z`, "SUMMARY:Rent", `RRULE:FREQ=MONTHLY;${part && `${part};`}COUNT=3`, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
	const [event] = convertIcsCalendar(undefined, text).events;
	const dates = extendByRecurrenceRule(event.recurrenceRule, { start: event.start.date, end: new Date("2027-01-01T00:00:00Z") });
	console.log("  ts-ics ", ...dates.map((date) => date.toISOString().slice(0, 16)));
	const series = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent")).iterator();
	console.log("  ical.js", ...[1, 2, 3].map(() => series.next().toString().slice(0, 16)));
}
END
TZ=UTC node seen.mjs | tee seen
cat >want <<'END'
BYMONTHDAY=-1
  ts-ics  2026-02-27T09:00 2026-03-30T09:00 2026-04-29T09:00
  ical.js 2026-01-31T09:00 2026-02-28T09:00 2026-03-31T09:00
BYDAY=-1FR
  ts-ics  2026-02-27T00:00 2026-03-27T00:00 2026-04-24T00:00
  ical.js 2026-01-30T09:00 2026-02-27T09:00 2026-03-27T09:00
no part
  ts-ics  2026-01-31T09:00 2026-02-28T09:00 2026-03-28T09:00
  ical.js 2026-01-31T09:00 2026-03-31T09:00 2026-05-31T09:00
END
diff want seen
