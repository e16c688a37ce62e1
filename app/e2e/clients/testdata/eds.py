"""Connects to a CalDAV server through evolution-data-server, as Evolution and GNOME do.

The first arguments of a script are the host and port of the server, the user
name and the password.
"""
import sys
import threading
import time

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
from gi.repository import ECal, EDataServer, GLib

host, port, user, password = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
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
    if not registry.ref_source("test-" + kind):  # an earlier script has added it
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


def connect_all(*kinds):
    """Discovers the calendars and returns a client for each kind of the calendar named Calendar."""
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    registry = EDataServer.SourceRegistry.new_sync(None)
    probe = source("probe", "/", EDataServer.SOURCE_EXTENSION_CALENDAR)
    found = EDataServer.webdav_discover_sources_sync(probe, f"http://{host}:{port}/", 0, credentials(), None)
    names = sorted(s.display_name for s in found.out_discovered_sources)
    print("discovered", ", ".join(sorted(set(names))), flush=True)
    path = next(GLib.Uri.parse(s.href, 0).get_path() for s in found.out_discovered_sources if s.display_name == "Calendar")
    return [connect(registry, kind, path) for kind in kinds]
