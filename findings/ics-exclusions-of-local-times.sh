#!/bin/sh
# A series that the npm library ics writes with local times keeps the occurrence that was to be left out: the exclusion is
# written in UTC, so that it excludes nothing in another library that reads the file.
#
# Seen with ics 3.12.0 and ical.js 2.2.1 (Node 20) in the time zone America/New_York:
#   DTSTART:20260105T090000
#   EXDATE:20260106T140000Z
#   2026-01-05T09:00:00 2026-01-06T09:00:00 2026-01-07T09:00:00
# The event was created with startInputType and startOutputType "local", a daily rule and exclusionDates [[2026, 1, 6, 9, 0]].
# RFC 5545, sections 3.3.5 and 3.8.5.1: an occurrence of a local time (form 1) is that hour in every time zone, and no time
# in UTC (form 2) is the same. There is no option for the form of exclusions. In the time zone UTC the error does not show.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund ics@3.12.0 ical.js@2.2.1 >&2
cat >seen.mjs <<'END'
import ICAL from "ical.js";
import { createEvent } from "ics";

const { error, value } = createEvent({
	uid: "1", title: "Tea", startInputType: "local", startOutputType: "local", start: [2026, 1, 5, 9, 0], duration: { hours: 1 },
	recurrenceRule: "FREQ=DAILY;COUNT=3", exclusionDates: [[2026, 1, 6, 9, 0]],
});
if (error) throw error;
for (const name of ["DTSTART", "EXDATE"]) console.log(value.split(/\r\n/).find((line) => line.startsWith(name)));
const series = new ICAL.Event(new ICAL.Component(ICAL.parse(value)).getFirstSubcomponent("vevent")).iterator();
const occurrences = [];
for (let next = series.next(); next; next = series.next()) occurrences.push(next.toString());
console.log(occurrences.join(" "));
END
TZ=America/New_York node seen.mjs | tee seen
cat >want <<'END'
DTSTART:20260105T090000
EXDATE:20260106T140000Z
2026-01-05T09:00:00 2026-01-06T09:00:00 2026-01-07T09:00:00
END
diff want seen
