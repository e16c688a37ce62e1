#!/bin/sh
# libical reads RDATE with a time zone as UTC, and leaves out its periods. A daily event at a time that a clock change
# skips is an hour late on the day after it, too, and takes the second of two equal times.
#
# Seen with libical 3.0.16-1+b1 of Debian 12 (icalcomponent_foreach_recurrence, called from Python; system zone data):
#   DTSTART;TZID=Europe/Berlin:20260701T090000 RDATE;TZID=Europe/Berlin:20260710T090000
#     20260701T070000Z 20260710T090000Z
#   DTSTART:20260701T090000Z RDATE:20260710T090000Z RDATE;VALUE=PERIOD:20260711T090000Z/PT2H
#     20260701T090000Z 20260710T090000Z
#   DTSTART;TZID=Europe/Berlin:20260328T023000 RRULE:FREQ=DAILY;COUNT=4
#     20260328T013000Z 20260329T013000Z 20260330T013000Z 20260331T003000Z
#   DTSTART;TZID=Europe/Berlin:20261024T023000 RRULE:FREQ=DAILY;COUNT=2
#     20261024T003000Z 20261025T013000Z
# RFC 5545, section 3.8.5.2: RDATE is a set of DATE, DATE-TIME or PERIOD values, with the TZID that it names: 9:00 in
# Berlin in July is 7:00 UTC. Section 3.3.10: each instance has the local time of DTSTART: 2:30 on 30 March is 0:30 UTC.
# Section 3.3.5: a time that does not exist is read with the offset before the change (only 29 March), one that exists
# twice is the first: 0:30 UTC.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libical3 gir1.2-ical-3.0 python3-gi libgirepository-1.0-1 2>/dev/null
ls libical3_*.deb
for package in *.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(ls usr/lib/*/libical.so.3)")
cat >seen.py <<'END'
import datetime
import gi
gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib

for lines in (
    ["DTSTART;TZID=Europe/Berlin:20260701T090000", "RDATE;TZID=Europe/Berlin:20260710T090000"],
    ["DTSTART:20260701T090000Z", "RDATE:20260710T090000Z", "RDATE;VALUE=PERIOD:20260711T090000Z/PT2H"],
    ["DTSTART;TZID=Europe/Berlin:20260328T023000", "RRULE:FREQ=DAILY;COUNT=4"],
    ["DTSTART;TZID=Europe/Berlin:20261024T023000", "RRULE:FREQ=DAILY;COUNT=2"],
):
    print(*lines)
    event = ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z", *lines, "DURATION:PT1H", "END:VEVENT"]
    component = ICalGLib.Component.new_from_string("\r\n".join(event + [""]))
    starts = []
    component.foreach_recurrence(
        ICalGLib.Time.new_from_string("20260101T000000Z"), ICalGLib.Time.new_from_string("20270101T000000Z"),
        lambda _, span, *__: starts.append(datetime.datetime.fromtimestamp(span.get_start(), datetime.timezone.utc)))
    print(" ", *(start.strftime("%Y%m%dT%H%M%SZ") for start in starts))
END
PYTHONPATH=usr/lib/python3/dist-packages LD_LIBRARY_PATH=$lib GI_TYPELIB_PATH=$lib/girepository-1.0 /usr/bin/python3 seen.py | tee seen
cat >want <<'END'
DTSTART;TZID=Europe/Berlin:20260701T090000 RDATE;TZID=Europe/Berlin:20260710T090000
  20260701T070000Z 20260710T090000Z
DTSTART:20260701T090000Z RDATE:20260710T090000Z RDATE;VALUE=PERIOD:20260711T090000Z/PT2H
  20260701T090000Z 20260710T090000Z
DTSTART;TZID=Europe/Berlin:20260328T023000 RRULE:FREQ=DAILY;COUNT=4
  20260328T013000Z 20260329T013000Z 20260330T013000Z 20260331T003000Z
DTSTART;TZID=Europe/Berlin:20261024T023000 RRULE:FREQ=DAILY;COUNT=2
  20261024T003000Z 20261025T013000Z
END
diff want seen
