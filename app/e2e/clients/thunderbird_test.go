package clients

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// thunderbirdPrefs are the settings of a new profile. Marionette, the remote
// control of Mozilla's programs, listens on a free port and logs it.
const thunderbirdPrefs = `
user_pref("marionette.port", 0);
user_pref("remote.log.level", "Info");
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("calendar.timezone.local", "Europe/Berlin");
`

// Scripts that run in the main process of Thunderbird. The test checks the
// value that each returns.
const (
	thunderbirdHeader = `
const [url, password, day, nextDay] = args;
const module = path => ChromeUtils.importESModule("resource:///modules/" + path);
const { cal } = module("calendar/calUtils.sys.mjs");
const { CalEvent } = module("CalEvent.sys.mjs");
const { CalTodo } = module("CalTodo.sys.mjs");
const auth = cal.auth.Prompt.prototype;
auth.asyncPromptAuth = (channel, callback, context, level, info) => {
  Object.assign(info, { username: "ann", password });
  Services.tm.dispatchToMainThread(() => callback.onAuthAvailable(context, info));
  return { QueryInterface: ChromeUtils.generateQI(["nsICancelable"]), cancel() {} };
};
let calendar = cal.manager.getCalendars().find(c => c.type == "caldav");
if (!calendar) {
  const found = await cal.provider.detection.detect("ann", password, url, true, [], {});
  calendar = [...found.values()][0][0];
  cal.manager.registerCalendar(calendar);
}
const refresh = async () => {
  const observer = new Proxy({ QueryInterface: ChromeUtils.generateQI(["calIObserver"]) }, { get: (target, name) => target[name] ?? (() => {}) });
  await new Promise(resolve => { observer.onLoad = resolve; calendar.addObserver(observer); calendar.refresh(); });
  calendar.removeObserver(observer);
};
const titles = async () => {
  await refresh();
  return (await calendar.getItemsAsArray(calendar.ITEM_FILTER_ALL_ITEMS, 0, null, null)).map(item => item.title).sort();
};
await titles();
const text = (kind, uid, ...lines) => ["BEGIN:VCALENDAR", "BEGIN:" + kind, "UID:" + uid, "DTSTAMP:20260101T000000Z", ...lines,
  "END:" + kind, "END:VCALENDAR", ""].join("\r\n");
`
	thunderbirdWrite = thunderbirdHeader + `
await calendar.addItem(new CalEvent(text("VEVENT", "water", "DTSTART:" + day + "T080000Z", "DTEND:" + day + "T090000Z",
  "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Water", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Water", "TRIGGER:-PT5M", "END:VALARM")));
await calendar.addItem(new CalTodo(text("VTODO", "seeds", "SUMMARY:Buy seeds")));
const series = await calendar.getItem("water"), changed = series.clone();
const moved = series.recurrenceInfo.getOccurrenceFor(cal.createDateTime(nextDay + "T080000Z")).clone();
[moved.startDate, moved.endDate] = [cal.createDateTime(nextDay + "T180000Z"), cal.createDateTime(nextDay + "T190000Z")];
changed.recurrenceInfo.modifyException(moved, true);
await calendar.modifyItem(changed, series);
const item = await calendar.getItem("water");
await Cc["@mozilla.org/calendar/alarm-service;1"].getService(Ci.calIAlarmService).dismissAlarm(item, item.getAlarms()[0]);
while (!(await calendar.getItem("water")).alarmLastAck) { await new Promise(resolve => setTimeout(resolve, 50)); }
return [calendar.name, ...await titles()].join();
`
	thunderbirdRead = thunderbirdHeader + `
const before = await titles();
await calendar.deleteItem(await calendar.getItem("seeds"));
return [...before, "|", ...await titles()].join();
`
	thunderbirdDates = thunderbirdHeader + `
const zone = cal.timezoneService.getTimezone("Europe/Berlin");
const [start, end] = [day, nextDay].map(date => cal.createDateTime(date.replaceAll("-", "") + "T000000").getInTimezone(zone));
const iso = time => time.getInTimezone(zone).icalString.replace(/(....)(..)(..)T(..)(..)../, "$1-$2-$3 $4:$5");
const { ITEM_FILTER_TYPE_EVENT, ITEM_FILTER_CLASS_OCCURRENCES } = Ci.calICalendar;
await refresh();
const items = await calendar.getItemsAsArray(ITEM_FILTER_TYPE_EVENT | ITEM_FILTER_CLASS_OCCURRENCES, 0, start, end);
return items.map(item => iso(item.startDate) + " " + iso(item.endDate).slice(11) + " " + item.title + "\n").sort().join("");
`
)

// Thunderbird discovers the calendar, creates an event and a task, moves an
// occurrence, dismisses an alarm and loads changes made in World. Covers C-11,
// C-12 and T-18.
func TestThunderbirdSharesObjectsWithWorld(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "thunderbird")
	f := newFixture(t)
	tb := startThunderbird(t)
	args := []any{f.server.URL + "/caldav/", apptest.Password, f.icalDate(1), f.icalDate(2)}

	tb.wantResult(thunderbirdWrite, args, "Calendar,Buy seeds,Water")
	f.wantObjects("Buy seeds", f.date(1)+"T08:00:00Z Water", f.date(2)+"T18:00:00Z Water", f.date(3)+"T08:00:00Z Water")
	text := f.ann.Basic().Do("GET", f.ann.DefaultCalendar()+"water.ics").Want(200).Body
	if !strings.Contains(text, "X-MOZ-LASTACK:") {
		t.Errorf("event: got\n%s\nwant the time at which the alarm was dismissed", text)
	}

	f.patch("Buy seeds", map[string]any{"title": "Buy bulbs"})
	f.delete("Water")
	f.create(map[string]any{"object_type": "calendar_event", "title": "Überwintern", "start": f.date(5) + "T09:00:00Z"})
	tb.wantResult(thunderbirdRead, args, "Buy bulbs,Überwintern,|,Überwintern")
	f.wantObjects(f.date(5) + "T09:00:00Z Überwintern")
}

// thunderbird is a Thunderbird process without windows, with a connection to
// its Marionette server. Each message is JSON, preceded by its length and a
// colon.
type thunderbird struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

var marionettePort = regexp.MustCompile(`Listening on port (\d+)`)

func startThunderbird(t *testing.T) *thunderbird {
	t.Helper()
	desktop := newDevice(t, "desktop")
	desktop.write("profile/user.js", thunderbirdPrefs)
	cmd := exec.CommandContext(t.Context(), "/usr/bin/thunderbird", "--headless", "--no-remote", "--marionette",
		"--remote-allow-system-access", "--profile", filepath.Join(desktop.dir, "profile"))
	cmd.Env = []string{"HOME=" + desktop.dir, "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"}
	output, err := cmd.StdoutPipe()
	if err == nil {
		cmd.Stderr = cmd.Stdout
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })

	var log strings.Builder
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		log.WriteString(lines.Text() + "\n")
		if m := marionettePort.FindStringSubmatch(lines.Text()); m != nil {
			go io.Copy(io.Discard, output)
			return connectThunderbird(t, "127.0.0.1:"+m[1])
		}
	}
	t.Fatalf("Thunderbird: got\n%s\nwant the port of Marionette", &log)
	return nil
}

func connectThunderbird(t *testing.T, address string) *thunderbird {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	tb := &thunderbird{t, conn, bufio.NewReader(conn)}
	tb.receive() // the greeting of Marionette
	tb.command("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"unhandledPromptBehavior": "ignore"}}})
	tb.command("WebDriver:SetTimeouts", map[string]any{"script": 120_000})
	tb.command("Marionette:SetContext", map[string]any{"value": "chrome"})
	return tb
}

func (tb *thunderbird) receive() []byte {
	tb.t.Helper()
	length, err := tb.in.ReadString(':')
	var message []byte
	if err == nil {
		n, _ := strconv.Atoi(strings.TrimSuffix(length, ":"))
		message = make([]byte, n)
		_, err = io.ReadFull(tb.in, message)
	}
	if err != nil {
		tb.t.Fatal(err)
	}
	return message
}

// command performs a command, which must succeed.
func (tb *thunderbird) command(name string, params map[string]any) (result struct{ Value any }) {
	tb.t.Helper()
	message, err := json.Marshal([]any{0, 1, name, params})
	if err == nil {
		_, err = tb.conn.Write(append([]byte(strconv.Itoa(len(message))+":"), message...))
	}
	if err != nil {
		tb.t.Fatal(err)
	}
	var failure any
	response := tb.receive()
	if err := json.Unmarshal(response, &[]any{new(int), new(int), &failure, &result}); err != nil || failure != nil {
		tb.t.Fatalf("%s: got %s, want success", name, response)
	}
	return result
}

// wantResult runs a script when the main window is ready, and fails the test
// unless it returns want.
func (tb *thunderbird) wantResult(script string, args []any, want string) {
	tb.t.Helper()
	const runWhenReady = `
const done = arguments[arguments.length - 1];
const { setTimeout } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
const run = () => {
  if (Services.wm.getMostRecentWindow("mail:3pane")?.document.readyState != "complete") { setTimeout(run, 50); return; }
  (async (...args) => { SCRIPT })(...arguments).then(done, e => done(e + "\n" + e.stack));
};
run();`
	got := tb.command("WebDriver:ExecuteAsyncScript", map[string]any{"script": strings.Replace(runWhenReady, "SCRIPT", script, 1), "args": args}).Value
	if got != want {
		tb.t.Fatalf("script: got %v, want %q", got, want)
	}
}
