"""Lists the dates of a calendar through evolution-data-server.

Arguments: those of eds.py, and the dates at the start and the end of the range.
Waits, for at most ten seconds, until the dates are those in the file "want",
because the client reads changes in the background. Then prints them.
"""
import datetime
import sys
import time
import zoneinfo

from eds import connect_all

berlin = zoneinfo.ZoneInfo("Europe/Berlin")
first, last = (int(datetime.datetime.fromisoformat(d).replace(tzinfo=berlin).timestamp()) for d in sys.argv[5:7])
with open("want") as file:
    want = file.read()


def local(t):
    return datetime.datetime.fromtimestamp(t.as_timet_with_zone(t.get_timezone()), berlin)


def dates(client):
    lines = []
    def add(component, start, end, *_):
        lines.append(f"{local(start):%Y-%m-%d %H:%M} {local(end):%H:%M} {component.get_summary()}\n")
        return True
    client.generate_instances_sync(first, last, None, add)
    return "".join(sorted(lines))


(events,) = connect_all("events")
events.refresh_sync(None)
for _ in range(100):
    if dates(events) == want:
        break
    time.sleep(0.1)
print("dates")
print(dates(events), flush=True)
