#!/bin/sh
# ical.js loses the first date of a series that has RDATE and no rule, and keeps a date that EXDATE excludes if both the
# rule and RDATE have it. A birthday on 29 February is on 1 March in other years, unless the rule names the day.
#
# Seen with ical.js 2.2.1 (Node 20), iterator of ICAL.Event:
#   DTSTART:20260701T090000Z RDATE:20260710T090000Z,20260711T090000Z
#     2026-07-10T09:00:00Z 2026-07-11T09:00:00Z
#   DTSTART:20260701T090000Z RRULE:FREQ=WEEKLY;COUNT=2 RDATE:20260708T090000Z EXDATE:20260708T090000Z
#     2026-07-01T09:00:00Z 2026-07-08T09:00:00Z
#   DTSTART;VALUE=DATE:20240229 RRULE:FREQ=YEARLY;COUNT=3
#     2024-02-29 2025-03-01 2026-03-01
#   DTSTART;VALUE=DATE:20240229 RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3
#     2024-02-29 2028-02-29 2032-02-29
# RFC 5545, section 3.8.5.2: DTSTART is the first instance of the set, whether a rule or RDATE defines the others. Section
# 3.8.5.1: EXDATE excludes instances however they were included. Section 3.3.10: a date that does not exist is ignored; a
# rule without BYMONTHDAY takes the day from DTSTART, so that the last two series are the same.
# In the second series, EXDATE works if only one of the two has the date.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund ical.js@2.2.1 >&2
cat >seen.mjs <<'END'
import ICAL from "ical.js";

for (const lines of [
	["DTSTART:20260701T090000Z", "RDATE:20260710T090000Z,20260711T090000Z"],
	["DTSTART:20260701T090000Z", "RRULE:FREQ=WEEKLY;COUNT=2", "RDATE:20260708T090000Z", "EXDATE:20260708T090000Z"],
	["DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY;COUNT=3"],
	["DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3"],
]) {
	console.log(...lines);
	const text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z",
		...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
	const series = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent")).iterator();
	const dates = [];
	for (let next; (next = series.next()); ) dates.push(next.toString());
	console.log(" ", ...dates);
}
END
TZ=UTC node seen.mjs | tee seen
cat >want <<'END'
DTSTART:20260701T090000Z RDATE:20260710T090000Z,20260711T090000Z
  2026-07-10T09:00:00Z 2026-07-11T09:00:00Z
DTSTART:20260701T090000Z RRULE:FREQ=WEEKLY;COUNT=2 RDATE:20260708T090000Z EXDATE:20260708T090000Z
  2026-07-01T09:00:00Z 2026-07-08T09:00:00Z
DTSTART;VALUE=DATE:20240229 RRULE:FREQ=YEARLY;COUNT=3
  2024-02-29 2025-03-01 2026-03-01
DTSTART;VALUE=DATE:20240229 RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3
  2024-02-29 2028-02-29 2032-02-29
END
diff want seen
