package world

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/svctest"
	"appliance/world/worldtest"
)

// nodeRuntime is the example runtime in testdata, in a process of its own.
type nodeRuntime struct {
	t      *testing.T
	input  io.Writer
	output *bufio.Reader
}

// startRuntime starts the example runtime for a member.
func startRuntime(t *testing.T, c *apptest.Client) *nodeRuntime {
	t.Helper()
	apptest.NeedPrograms(t, "node")
	p := exec.Command("/usr/bin/node", "../../../testdata/runtime/runtime.mjs", c.URL)
	p.Env = append(os.Environ(), "TOKEN="+c.Token, "POLL_SECONDS=0.02")
	r := &nodeRuntime{t: t}
	var output io.Reader
	input, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.input = input
	if output, err = p.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	r.output = bufio.NewReaderSize(output, 1<<20)
	t.Cleanup(func() {
		fmt.Fprintln(input, "quit")
		input.Close()
		if err := p.Wait(); err != nil {
			t.Errorf("got %v from the runtime, want success", err)
		}
	})
	if greeting := r.line(); !strings.HasSuffix(greeting, " objects") {
		t.Fatalf("got %q, want the number of objects", greeting)
	}
	return r
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
func (r *nodeRuntime) do(command string) string {
	r.t.Helper()
	if _, err := fmt.Fprintln(r.input, command); err != nil {
		r.t.Fatal(err)
	}
	return r.line()
}

// wantDataset fails the test unless the runtime has the dataset that the server returns,
// apart from the times of reading.
func (r *nodeRuntime) wantDataset(c *apptest.Client) {
	r.t.Helper()
	r.do("sync")
	want := c.With("X-Service-Runtime", "example/1.0").Do("GET", "/world/runtime").Want(200).Body
	if err := worldtest.EqualJSON(withoutTimes(r.t, r.do("json")), withoutTimes(r.t, want)); err != nil {
		r.t.Error(err)
	}
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
	r := startRuntime(t, ann)
	act := func(label, values string) string {
		t.Helper()
		for _, a := range ann.Runtime().Do("GET", "/world/runtime").Want(200).List("actions") {
			if apptest.At(a, "label") == label {
				return r.do("do " + apptest.At(a, "action_id").(string) + " " + values)
			}
		}
		t.Fatalf("got no action %s in the dataset", label)
		return ""
	}
	for _, c := range []struct{ label, values, want string }{
		{"New task", `{"title": "Taxes"}`, "Done."},
		{"New task", `{"name": "Taxes"}`, "Error: New task has no control name."},
		{"Focus", "", "The object is focused."},
	} {
		r.do("sync")
		if got := act(c.label, c.values); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s: got %q, want %q", c.label, c.values, got, c.want)
		}
	}
	r.wantDataset(ann)
	ann.WantWorkspace("Taxes*")
}

// While three members write, the example runtime follows the changes, below a path: at the
// end it has the dataset of the server. Covers B-99, B-104 and B-105.
func TestNodeRuntimeFollowsChanges(t *testing.T) {
	writes := 200
	if svctest.IsLong() {
		writes = 2000
	}
	p := apptest.NewPopulation(t, 3, func(s *config.Settings) { s.BaseURL = "http://example.org/home/garden" })
	h := &randomWorkload{Population: p, rand: apptest.NewRand(10501)}
	r := startRuntime(t, p.Client(1))
	for i := range writes {
		v, other := apptest.Pick(h.rand, h.Viewers...), apptest.Pick(h.rand, h.Viewers...)
		if h.rand.OneIn(4) {
			h.dispatch(v)
		} else {
			err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
				operations := step{h, tx, v, other}.operations()
				delete(operations, "disable or enable a member") // ends the session of the runtime
				name := apptest.Pick(h.rand, slices.Sorted(maps.Keys(operations))...)
				h.about = name
				return operations[name]()
			})
			h.wantServiceError(err)
		}
		h.Clock.Advance(time.Duration(h.rand.IntN(3)) * time.Second)
		if i%100 == 99 {
			r.wantDataset(p.Client(1))
		}
	}
	r.wantDataset(p.Client(1))
	var count struct{ Datasets, Changes int }
	if err := json.Unmarshal([]byte(r.do("sync")), &count); err != nil || count.Changes < 2 {
		t.Errorf("got %+v, %v, want answers with only changes", count, err)
	}
}
