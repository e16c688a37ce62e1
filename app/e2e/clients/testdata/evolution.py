"""Uses a CalDAV server through evolution-data-server, as Evolution and GNOME do.

Arguments: the host and port of the server, the user name, the password, and a
date as YYYYMMDD. Prints one line per observation.
"""
import sys
import threading
import time

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
gi.require_version("ICalGLib", "3.0")
from gi.repository import ECal, EDataServer, GLib, ICalGLib

host, port, user, password, day = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5]
NONE = ECal.OperationFlags.NONE
KINDS = {
    "events": (ECal.ClientSourceType.EVENTS, EDataServer.SOURCE_EXTENSION_CALENDAR),
    "tasks": (ECal.ClientSourceType.TASKS, EDataServer.SOURCE_EXTENSION_TASK_LIST),
    "memos": (ECal.ClientSourceType.MEMOS, EDataServer.SOURCE_EXTENSION_MEMO_LIST),
}


def credentials():
    c = EDataServer.NamedParameters.new()
    c.set("username", user)
    c.set("password", password)
    return c


def source(name, path, extension):
    s = EDataServer.Source.new_with_uid("test-" + name, None)
    s.set_display_name(name)
    s.set_parent("caldav-stub")
    s.get_extension(extension).set_backend_name("caldav")
    a = s.get_extension(EDataServer.SOURCE_EXTENSION_AUTHENTICATION)
    a.set_host(host)
    a.set_port(port)
    a.set_user(user)
    a.set_method("plain/password")
    s.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_resource_path(path)
    s.get_extension(EDataServer.SOURCE_EXTENSION_SECURITY).set_method("none")
    return s


def connect_client(s, kind):
    for _ in range(100):  # the calendar factory learns of a new source in the background
        try:
            return ECal.Client.connect_sync(s, kind, 0, None)
        except GLib.Error as e:
            error = e
            time.sleep(0.1)
    raise error


def connect(registry, kind, path):
    registry.commit_source_sync(source(kind, path, KINDS[kind][1]), None)
    s = registry.ref_source("test-" + kind)
    # The password is passed directly, because there is no key ring.
    s.connect("credentials-required", lambda s, *_: threading.Thread(target=s.invoke_authenticate_sync, args=(credentials(), None)).start())
    client = connect_client(s, KINDS[kind][0])
    for _ in range(300):
        if s.get_connection_status() == EDataServer.SourceConnectionStatus.CONNECTED:
            return client
        time.sleep(0.1)
    sys.exit(kind + ": not connected")


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


threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
registry = EDataServer.SourceRegistry.new_sync(None)
probe = source("probe", "/", EDataServer.SOURCE_EXTENSION_CALENDAR)
found = EDataServer.webdav_discover_sources_sync(probe, f"http://{host}:{port}/", 0, credentials(), None)
names = sorted(s.display_name for s in found.out_discovered_sources)
print("discovered", ", ".join(sorted(set(names))), flush=True)
path = next(GLib.Uri.parse(s.href, 0).get_path() for s in found.out_discovered_sources if s.display_name == "Calendar")

events, tasks, memos = (connect(registry, kind, path) for kind in KINDS)
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
