package world

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/world/worldtest"
)

// nodeRuntime is the example runtime in testdata, in a process of its own.
type nodeRuntime struct {
	t       *testing.T
	input   io.Writer
	output  *bufio.Reader
	changed chan struct{} // has an element if the dataset has changed since the last receive
	panels  chan string   // services whose panels have changed
	problem chan string   // the latest line that reports no change
	process *exec.Cmd
}

// startRuntime starts the example runtime for a member. url is the base URL, which may be
// that of a proxy.
func startRuntime(t *testing.T, url, token string, environ ...string) *nodeRuntime {
	t.Helper()
	apptest.NeedPrograms(t, "node")
	p := exec.Command("/usr/bin/node", "../../../testdata/runtime/runtime.mjs", url)
	p.Env = append(append(os.Environ(), "TOKEN="+token, "MAX_WAIT_SECONDS=0.1"), environ...)
	r := &nodeRuntime{t: t, changed: make(chan struct{}, 1), panels: make(chan string, 1000), problem: make(chan string, 1), process: p}
	var output, messages io.Reader
	var err error
	if r.input, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if output, err = p.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if messages, err = p.StderrPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		r.readMessages(messages)
	}()
	r.output = bufio.NewReaderSize(output, 1<<20)
	t.Cleanup(func() {
		r.input.(io.Closer).Close() // the end of the input ends the program
		<-read
		if err := p.Wait(); err != nil && p.ProcessState.ExitCode() != 1 {
			t.Errorf("got %v from the runtime, want success", err)
		}
	})
	return r
}

// startRuntimeOf starts the example runtime for a member and waits for the dataset.
func startRuntimeOf(t *testing.T, c *apptest.Client, environ ...string) *nodeRuntime {
	t.Helper()
	r := startRuntime(t, c.URL, c.Token, environ...)
	r.wantGreeting()
	return r
}

// readMessages reads the lines that the runtime writes to its standard error.
func (r *nodeRuntime) readMessages(messages io.Reader) {
	for lines := bufio.NewScanner(messages); lines.Scan(); {
		switch service, isChange := strings.CutPrefix(lines.Text(), "changed: "); {
		case service == "dataset":
			select {
			case r.changed <- struct{}{}:
			default:
			}
			continue
		case isChange:
			select {
			case r.panels <- service:
			default: // the test does not wait for panels
			}
			continue
		}
		select {
		case <-r.problem:
		default:
		}
		r.problem <- lines.Text()
	}
}

// wantGreeting waits for the line that the runtime writes when it has the dataset.
func (r *nodeRuntime) wantGreeting() {
	r.t.Helper()
	if greeting := r.line(); !strings.HasSuffix(greeting, " objects") {
		r.t.Fatalf("got %q, want the number of objects", greeting)
	}
}

// line reads a line.
func (r *nodeRuntime) line() string {
	r.t.Helper()
	line, err := r.output.ReadString('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// do sends a command and returns the line of its result.
func (r *nodeRuntime) sendCommand(command string) string {
	r.t.Helper()
	if _, err := fmt.Fprintln(r.input, command); err != nil {
		r.t.Fatal(err)
	}
	return r.line()
}

// wantDataset waits until the runtime has the dataset that the server returns, except for the times
// at which sources were read. The test does not make the runtime read.
func (r *nodeRuntime) wantDataset(c *apptest.Client) {
	r.t.Helper()
	r.waitFor(func() error {
		want := c.With("X-Service-Runtime", "example/1.0").Do("GET", "/world/runtime").Want(200).Body
		return worldtest.EqualJSON(withoutTimes(r.t, r.sendCommand("json")), withoutTimes(r.t, want))
	})
}

// waitFor calls check after each change until it succeeds.
func (r *nodeRuntime) waitFor(check func() error) {
	r.t.Helper()
	for err := check(); err != nil; err = check() {
		select {
		case <-r.changed:
		case <-time.After(waitTimeout):
			r.t.Fatalf("got no change in %v, want the current data: %v", waitTimeout, err)
		}
	}
}

// wantPanel waits until the panel of a service has changed.
func (r *nodeRuntime) wantPanel(service string) {
	r.t.Helper()
	for got := ""; got != service; {
		select {
		case got = <-r.panels:
		case <-time.After(waitTimeout):
			r.t.Fatalf("got no change of the panel of %s in %v", service, waitTimeout)
		}
	}
}

// waitTimeout is the time limit for a message of the runtime. It is much longer than any interval
// of the server.
const waitTimeout = time.Minute

// counts returns the numbers of responses and events of the runtime.
func (r *nodeRuntime) counts() (c struct{ Datasets, Changes, Unchanged, Panels, Events, Streams int }) {
	r.t.Helper()
	if err := json.Unmarshal([]byte(r.sendCommand("sync")), &c); err != nil {
		r.t.Fatal(err)
	}
	return c
}

// withoutTimes returns a dataset without the times at which its sources were read.
func withoutTimes(t *testing.T, text string) []byte {
	t.Helper()
	var d map[string]any
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	for _, s := range d["sources"].([]any) {
		delete(s.(map[string]any), "read_at")
		delete(s.(map[string]any), "age_seconds")
	}
	return []byte(store.JSON(d))
}

// The example runtime dispatches the actions of the dataset, below a path. Covers B-99
// and B-105.
func TestNodeRuntimeDispatchesActions(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.BaseURL = "http://example.org/home/garden" })
	ann := s.Member("ann")
	r := startRuntimeOf(t, ann)
	act := func(command, label, values string) string {
		t.Helper()
		for _, a := range ann.AsRuntime().Do("GET", "/world/runtime").Want(200).List("actions") {
			if apptest.At(a, "label") == label {
				return r.sendCommand(command + " " + apptest.At(a, "action_id").(string) + " " + values)
			}
		}
		t.Fatalf("got no action %s in the dataset", label)
		return ""
	}
	for _, c := range []struct{ command, label, values, want string }{
		{"do", "New task", `{"title": "Taxes"}`, "Done."},
		{"do", "New task", `{"name": "Taxes"}`, "Error: New task has no control name."},
		{"do", "Focus", "", "The object is focused."},
		{"do", "Sign out everywhere else", "", "All your other sessions end. Calendar apps with a device password stay connected. To perform the action, enter: confirm act_"},
		{"confirm", "Sign out everywhere else", "", "Done."},
	} {
		r.sendCommand("sync")
		if got := act(c.command, c.label, c.values); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s %s: got %q, want %q", c.command, c.label, c.values, got, c.want)
		}
	}
	r.wantDataset(ann)
	ann.WantWorkspace("Taxes*")
}

// The runtime keeps its copy of a panel current, and dispatches an action with a file. Covers
// B-104.
func TestNodeRuntimeKeepsAPanel(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	r := startRuntimeOf(t, ann)
	summary := func() string {
		t.Helper()
		return apptest.At(jsonOf(t, r.sendCommand("panel messages")), "summary").(string)
	}
	if got := summary(); got != "No unread messages" {
		t.Errorf("got the summary %q, want no messages", got)
	}
	r.wantPanel("messages")
	bea.SendMessage("ann", "Hello")
	r.wantPanel("messages")
	if got := summary(); got != "1 unread" {
		t.Errorf("got the summary %q, want one message", got)
	}
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	r.wantDataset(ann)
	picture := t.TempDir() + "/picture.png"
	if err := os.WriteFile(picture, s.AvatarFile(1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, a := range ann.AsRuntime().Do("GET", "/world/runtime").Want(200).List("actions") {
		if apptest.At(a, "type") == "social.profile.avatar.set" {
			if got := r.sendCommand("do " + apptest.At(a, "action_id").(string) + ` {"file": "` + picture + `"}`); got != "Done." {
				t.Errorf("picture: got %q, want Done.", got)
			}
		}
	}
	if ann.Do("GET", "/world/social/profile").Want(200).At("profile.avatar") == nil {
		t.Error("got no avatar, want the picture that the runtime sent")
	}
	r.sendCommand("panel settings")
	r.wantPanel("settings")
	ann.Do("PATCH", "/world/identity/me", `{"display_name": "Anna"}`).Want(200)
	r.wantPanel("settings")
	if got := r.sendCommand("panel nothing"); got != "Error: There is no service nothing." {
		t.Errorf("got %q, want an error", got)
	}
}

// The runtime ends when its session has ended. Covers B-104.
func TestNodeRuntimeEndsWithItsSession(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	r := startRuntimeOf(t, ann.SignIn(apptest.Password))
	ann.Do("DELETE", "/world/identity/sessions").Want(200)
	for { // the output ends with the program
		if _, err := r.output.ReadString('\n'); err != nil {
			break
		}
	}
	if got, want := <-r.problem, ann.With("Authorization", "Bearer x").Do("GET", "/world/stream").Want(401).Str("error.message"); got != want {
		t.Errorf("got the message %q, want %q", got, want)
	}
}

// jsonOf decodes a text.
func jsonOf(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
