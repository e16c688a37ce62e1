"""Uses a CalDAV server through evolution-data-server.

Arguments: those of eds.py, and a date as YYYYMMDD. Prints one line per
observation.
"""
import sys
import time

from eds import connect_all  # first, because it selects the versions of the libraries
from gi.repository import ECal, ICalGLib

day = sys.argv[5]
NONE = ECal.OperationFlags.NONE


def component(kind, *lines):
    return ICalGLib.Component.new_from_string("\r\n".join(["BEGIN:" + kind, *lines, "END:" + kind, ""]))


def show(label, client):
    client.refresh_sync(None)
    for _ in range(100):  # the refresh continues in the background
        titles = sorted(c.get_summary() or "" for c in client.get_object_list_sync("#t", None)[1])
        if titles:
            break
        time.sleep(0.1)
    print(label, ", ".join(titles), flush=True)


events, tasks, memos = connect_all("events", "tasks", "memos")
show("events", events)
show("tasks", tasks)
events.create_object_sync(component("VEVENT", "UID:choir", f"DTSTART:{day}T190000Z", "DURATION:PT1H", "SUMMARY:Choir", "RRULE:FREQ=DAILY;COUNT=3"), NONE, None)
tasks.create_object_sync(component("VTODO", "UID:errand", "SUMMARY:Errand", f"DUE:{day}T120000Z"), NONE, None)
memos.create_object_sync(component("VJOURNAL", "UID:memo", "SUMMARY:Memo", f"DTSTART;VALUE=DATE:{day}"), NONE, None)
moved = component("VEVENT", "UID:choir", f"RECURRENCE-ID:{day}T190000Z", f"DTSTART:{day}T203000Z", "DURATION:PT1H", "SUMMARY:Choir moved")
events.modify_object_sync(moved, ECal.ObjModType.THIS, NONE, None)
events.create_object_sync(component("VEVENT", "UID:dentist", f"DTSTART:{day}T080000Z", "DURATION:PT1H", "SUMMARY:Dentist",
    "BEGIN:VALARM", "X-EVOLUTION-ALARM-UID:ring", "ACTION:DISPLAY", "DESCRIPTION:Dentist", "TRIGGER:-PT15M", "END:VALARM"), NONE, None)
print("dismissed", events.discard_alarm_sync("dentist", None, "ring", NONE, None), flush=True)
show("memos", memos)
