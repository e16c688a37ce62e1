package libraries

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// engineZone is the time zone in which the engines run, and that of the member.
const engineZone = "Europe/Berlin"

// progress is the state of a task as a program reads it.
type progress struct {
	Done    bool   `json:"done"`
	Due     string `json:"due"` // of the first open occurrence: a local time or a date
	Overdue bool   `json:"overdue"`
}

// engine is the calendar library of another program. It creates, ticks and reads tasks.
type engine interface {
	fmt.Stringer
	create(f *tickFixture, task map[string]any)
	tick(f *tickFixture, uid string)
	read(f *tickFixture, uid string) progress
}

// conversation is a process that answers each line of its standard input, which is in JSON,
// with one line.
type conversation struct {
	t     *testing.T
	lines *bufio.Reader
	input io.Writer
}

// converse starts a process in a folder of its own. The end of its input ends it, and not the
// context of the test: dbus-run-session then ends the programs that it has started.
func converse(t *testing.T, environment []string, name string, arguments ...string) conversation {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(name, arguments...)
	cmd.Env = append([]string{"HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "TZ=" + engineZone}, environment...)
	input, err1 := cmd.StdinPipe()
	output, err2 := cmd.StdoutPipe()
	messages, err3 := os.Create(filepath.Join(dir, "messages"))
	cmd.Stderr = messages
	if err := errors.Join(err1, err2, err3, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		_ = cmd.Wait() // a program that has failed gave no answer
		messages.Close()
		if text, _ := os.ReadFile(messages.Name()); t.Failed() {
			t.Logf("messages of %s:\n%s", name, text)
		}
	})
	return conversation{t, bufio.NewReader(output), input}
}

// ask sends a request and reads the answer. It skips lines that are not in JSON.
func (c conversation) ask(request map[string]any, answer any) {
	c.t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.input.Write(append(line, '\n')); err != nil {
		c.t.Fatal(err)
	}
	for {
		line, err := c.lines.ReadBytes('\n')
		if err != nil {
			c.t.Fatalf("%v: got %v, want an answer", request, err)
		}
		if json.Unmarshal(line, answer) == nil {
			return
		}
	}
}

// kde is KCalendarCore. It has no connection to a server: the test stores what it writes.
type kde struct{ conversation }

// newKDE compiles and starts the program with KCalendarCore.
func newKDE(t *testing.T, _ *tickFixture) engine {
	t.Helper()
	apptest.NeedPrograms(t, "g++", "pkg-config", "../include/KF5/KCalendarCore/KCalendarCore/Todo")
	program := filepath.Join(t.TempDir(), "kcalendarcore")
	flags, err := exec.CommandContext(t.Context(), "pkg-config", "--cflags", "--libs", "KF5CalendarCore", "Qt5Core").Output()
	if err != nil {
		t.Fatal(err)
	}
	arguments := append([]string{"-fPIC", "-Wall", "-o", program, "testdata/kcalendarcore.cpp"}, strings.Fields(string(flags))...)
	if output, err := exec.CommandContext(t.Context(), "g++", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("g++: got %v, want a program\n%s", err, output)
	}
	return kde{converse(t, nil, program)}
}

func (kde) String() string { return "KCalendarCore" }

// write stores the text that the program answers.
func (e kde) write(f *tickFixture, uid string, request map[string]any) {
	f.t.Helper()
	var answer struct{ Text string }
	e.ask(request, &answer)
	f.put(uid, answer.Text)
}

func (e kde) create(f *tickFixture, task map[string]any) {
	f.t.Helper()
	e.write(f, task["uid"].(string), map[string]any{"create": task})
}

func (e kde) tick(f *tickFixture, uid string) {
	f.t.Helper()
	e.write(f, uid, map[string]any{"tick": f.stored(uid)})
}

func (e kde) read(f *tickFixture, uid string) (p progress) {
	f.t.Helper()
	e.ask(map[string]any{"read": f.stored(uid)}, &p)
	return p
}

// evolution is evolution-data-server, which is connected to the server.
type evolution struct{ conversation }

// newEvolution starts evolution-data-server, and connects it to the server.
func newEvolution(t *testing.T, f *tickFixture) engine {
	t.Helper()
	apptest.NeedPrograms(t, "dbus-run-session", "python3", "../libexec/evolution-calendar-factory", "../lib/python3/dist-packages/gi")
	server, err := url.Parse(f.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs("../clients/testdata")
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/evolution_tasks.py")
	if err != nil {
		t.Fatal(err)
	}
	return evolution{converse(t, []string{"GSETTINGS_BACKEND=memory", "GIO_USE_VFS=local", "PYTHONPATH=" + modules, "PYTHONDONTWRITEBYTECODE=1"},
		"dbus-run-session", "--", "/usr/bin/python3", script, server.Hostname(), server.Port(), "ann", apptest.Password)}
}

func (evolution) String() string { return "evolution-data-server" }

func (e evolution) create(f *tickFixture, task map[string]any) {
	f.t.Helper()
	e.ask(map[string]any{"create": task}, new(struct{}))
}

func (e evolution) tick(f *tickFixture, uid string) {
	f.t.Helper()
	e.ask(map[string]any{"tick": uid, "stored": f.stored(uid)}, new(struct{}))
}

func (e evolution) read(f *tickFixture, uid string) (p progress) {
	f.t.Helper()
	e.ask(map[string]any{"read": uid, "stored": f.stored(uid)}, &p)
	return p
}
