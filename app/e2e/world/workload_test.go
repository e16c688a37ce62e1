package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/svctest"
	"appliance/world"
	"appliance/world/dataset"
)

// randomWorkload performs random writes of several members.
type randomWorkload struct {
	*apptest.Population
	rand  apptest.Rand
	about string // the latest step, for failure messages

	earlier []world.Dispatch // actions of earlier datasets
}

// advance performs a random step: an operation, an action of the workspace, or
// the passing of time.
func (h *randomWorkload) advance() {
	h.T.Helper()
	if h.rand.OneIn(8) {
		pause := time.Duration(h.rand.IntN(600)) * time.Second
		if h.rand.OneIn(4) {
			pause = time.Duration(h.rand.IntN(72)) * time.Hour
		}
		h.about = fmt.Sprint("after ", pause)
		h.Clock.Advance(pause)
		return
	}
	v, other := apptest.Pick(h.rand, h.Viewers...), apptest.Pick(h.rand, h.Viewers...)
	if h.rand.OneIn(4) {
		h.dispatch(v)
		return
	}
	err := h.DB.Write(h.T.Context(), func(tx *store.Tx) error {
		operations := step{h, tx, v, other}.operations()
		name := apptest.Pick(h.rand, slices.Sorted(maps.Keys(operations))...)
		h.about = fmt.Sprintf("after member %v: %s (%v)", v, name, other)
		return operations[name]()
	})
	h.wantServiceError(err)
}

// wantServiceError fails the test if err is an internal error.
func (h *randomWorkload) wantServiceError(err error) {
	h.T.Helper()
	if e := (*svc.Error)(nil); err != nil && !errors.As(err, &e) {
		h.T.Fatalf("%s: got %v, want success or an error of the service", h.about, err)
	}
}

// dispatch sends a workspace action, either of the member's dataset or of an earlier
// dataset of any member.
func (h *randomWorkload) dispatch(v svc.Viewer) {
	h.T.Helper()
	actions := h.workspaceActions(v)
	h.earlier = append(h.earlier, actions[:min(3, len(actions))]...)
	if len(actions) == 0 || h.rand.OneIn(6) {
		actions = h.earlier
	}
	if len(actions) == 0 {
		return
	}
	in := apptest.Pick(h.rand, actions...)
	err := h.DB.Write(h.T.Context(), func(tx *store.Tx) error { _, err := h.App.World.Perform(tx, v, in); return err })
	h.about = fmt.Sprintf("after member %v dispatched %s (%v)", v, in.ActionID, err)
	h.wantServiceError(err)
}

// workspaceActions returns the actions of the workspace in the member's dataset.
// Actions other than focus occur four times, so that they are chosen more often.
func (h *randomWorkload) workspaceActions(v svc.Viewer) (list []world.Dispatch) {
	h.T.Helper()
	var seen dataset.Dataset
	_ = json.Unmarshal(h.read(h.App.World, v), &seen) // no actions if the member is disabled
	for _, a := range seen.Actions {
		id, found := strings.CutPrefix(a.Command.URL, "/world/actions/")
		if !found {
			continue
		}
		in := world.Dispatch{ActionID: id}
		in.Before, _ = a.Command.Body["before"].(string)
		in.After, _ = a.Command.Body["after"].(string)
		if a.Type == "order_workspace" {
			order := slices.Clone(seen.Workspace.Order)
			h.rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			in.Order = (*world.ObjectIDs)(&order)
		}
		list = append(list, in)
		if !strings.HasPrefix(a.Type, "focus_") {
			list = append(list, in, in, in)
		}
	}
	return list
}

// read returns the dataset of a member, or the error text if the member is
// disabled.
func (h *randomWorkload) read(w *world.World, v svc.Viewer) []byte {
	h.T.Helper()
	a, err := w.Read(h.T.Context(), v, dataset.Request{})
	h.wantServiceError(err)
	if err != nil {
		return []byte(err.Error())
	}
	var b bytes.Buffer
	if _, err := a.Body.WriteTo(&b); err != nil {
		h.T.Fatal(err)
	}
	return b.Bytes()
}

// excerptStart returns an offset 200 bytes before the first difference of two
// texts.
func excerptStart(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return max(0, n-200)
}

// After random writes, a World with a cache composes the same dataset as a World
// with an empty cache. Covers PT-47 and B-84.
func TestCachedDatasetEqualsTheUncachedOne(t *testing.T) {
	steps := 90
	if svctest.IsLong() {
		steps = 300
	}
	for seed := range svctest.Seeds(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := &randomWorkload{Population: apptest.NewPopulation(t, 6), rand: apptest.NewRand(8400 + seed)}
			for range steps {
				h.advance()
				for _, v := range h.Viewers {
					if h.rand.OneIn(3) {
						continue // so that the next read of this member finds older cache entries
					}
					if got, want := h.read(h.App.World, v), h.read(h.App.NewWorld(), v); !bytes.Equal(got, want) {
						from := excerptStart(got, want)
						t.Fatalf("%s: member %v: got the dataset\n%.500s\nwant\n%.500s", h.about, v, got[from:], want[from:])
					}
				}
			}
		})
	}
}
