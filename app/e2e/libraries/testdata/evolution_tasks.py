"""Creates, reads and ticks tasks on a CalDAV server through evolution-data-server, as Evolution does.

Arguments: those of eds.py. Reads one JSON object per line from standard input,
and prints one per line:

    {"create": {"uid", "start", "due", "rule"}}  prints {}
    {"tick": uid, "stored": text}                prints {}
    {"read": uid, "stored": text}                prints {"done", "due", "overdue"}

text is the task on the server. A time is local, as in 2026-11-05T18:00:00, or a
date; times are in the time zone TZ.
"""
import datetime
import json
import os
import sys
import time
import zoneinfo

from eds import connect_all  # first, because it selects the versions of the libraries
from gi.repository import ECal, ICalGLib

NONE = ECal.OperationFlags.NONE
zone = zoneinfo.ZoneInfo(os.environ["TZ"])


def line(name, text):
    value = text.replace("-", "").replace(":", "")
    return f"{name};TZID={os.environ['TZ']}:{value}" if "T" in value else f"{name};VALUE=DATE:{value}"


def create(client, task):
    lines = ["BEGIN:VTODO", "UID:" + task["uid"], "SUMMARY:" + task["uid"], "RRULE:" + task["rule"]]
    lines += [line(name, task[key]) for name, key in (("DTSTART", "start"), ("DUE", "due")) if task[key]]
    component = ICalGLib.Component.new_from_string("\r\n".join([*lines, "END:VTODO", ""]))
    client.create_object_sync(component, NONE, None)


def form(component):
    """Returns what the server has changed in a task if it differs."""
    properties = ("DTSTART", "DUE", "STATUS", "SEQUENCE", "LAST-MODIFIED", "RECURRENCE-ID")
    lines = component.as_ical_string().replace("\r\n ", "").splitlines()
    return sorted(line for line in lines if line.startswith(properties))


def tasks(client, uid, stored):
    """Returns the components of a task, once the client has read what the server stores."""
    calendar = ICalGLib.Component.new_from_string(stored)
    want, component = [], calendar.get_first_component(ICalGLib.ComponentKind.VTODO_COMPONENT)
    while component:
        want.append(form(component))
        component = calendar.get_next_component(ICalGLib.ComponentKind.VTODO_COMPONENT)
    client.refresh_sync(None)
    for _ in range(100):  # the refresh continues in the background
        components = [c.get_icalcomponent() for c in client.get_objects_for_uid_sync(uid, None)[1]]
        if sorted(map(form, components)) == sorted(want):
            break
        time.sleep(0.1)
    return components


def due_of(component):
    due = component.get_due()
    return component.get_dtstart() if due.is_null_time() else due


def is_done(component):
    status = component.get_first_property(ICalGLib.PropertyKind.STATUS_PROPERTY)  # get_status fails without one
    return status is not None and status.get_value_as_string() in ("COMPLETED", "CANCELLED")


def next_open(components):
    """Returns the task, or the override of it, that is open and due first; None if there is none."""
    still_open = [c for c in components if not is_done(c)]
    return min(still_open, key=lambda c: due_of(c).as_timet(), default=None)


def tick(client, components):
    component = next_open(components)
    ECal.util_mark_task_complete_sync(component, int(time.time()), client, None)
    kind = ECal.ObjModType.THIS if ECal.util_component_is_instance(component) else ECal.ObjModType.ALL
    client.modify_object_sync(component, kind, NONE, None)


def read(components):
    component = next_open(components)
    if not component:
        return {"done": True, "due": "", "overdue": False}
    due = due_of(component)
    if due.is_date():
        day = datetime.date(due.get_year(), due.get_month(), due.get_day())
        return {"done": False, "due": day.isoformat(), "overdue": day < datetime.datetime.now(zone).date()}
    at = datetime.datetime.fromtimestamp(due.as_timet_with_zone(due.get_timezone()), zone)
    return {"done": False, "due": f"{at:%Y-%m-%dT%H:%M:%S}", "overdue": at < datetime.datetime.now(zone)}


(client,) = connect_all("tasks")
for text in sys.stdin:
    request, answer = json.loads(text), {}
    if "create" in request:
        create(client, request["create"])
    else:
        components = tasks(client, request.get("tick") or request.get("read"), request["stored"])
        answer = read(components) if "read" in request else tick(client, components) or {}
    print(json.dumps(answer), flush=True)
