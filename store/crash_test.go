package store

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"appliance/svc/svctest"
)

var (
	crashWriterPath = flag.String("crash.victim", "", "run as the process that the test kills, writing to this database")
	crashRound      = flag.Int("crash.round", 0, "prefix of the rows that the victim writes")
)

// A process that is killed under load loses no acknowledged write, and its file
// stays intact. Covers PT-38.
func TestKilledProcessKeepsAcknowledgedWrites(t *testing.T) {
	if *crashWriterPath != "" {
		writeUntilKilled(t)
		return
	}
	path := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	execFile(t, path, testTables)
	rounds := 8
	if svctest.IsLong() {
		rounds = 25
	}
	var acknowledged []string
	for round := range rounds {
		acknowledged = append(acknowledged, killVictim(t, path, round)...)
		wantIntact(t, path, acknowledged)
	}
	t.Logf("%d writes acknowledged in %d rounds", len(acknowledged), rounds)
}

// killVictim starts a process that writes, kills it after a random number of
// acknowledged writes and returns all writes that it acknowledged.
func killVictim(t *testing.T, path string, round int) (lines []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcessKeepsAcknowledgedWrites$", "-crash.victim="+path, fmt.Sprint("-crash.round=", round))
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killAfter := 1 + rand.IntN(400)
	scanner := bufio.NewScanner(stdout)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
		if len(lines) == killAfter {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || len(lines) < killAfter {
		t.Fatalf("round %d: the victim exited after %d of %d writes: %v", round, len(lines), killAfter, err)
	}
	return lines
}

// wantIntact verifies that the database is intact and contains the acknowledged
// rows.
func wantIntact(t *testing.T, path string, acknowledged []string) {
	t.Helper()
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var result string
	err = db.Read(t.Context(), func(tx *Tx) error { return tx.Get(&result, query("PRAGMA integrity_check"), nil) })
	if err != nil || result != "ok" {
		t.Fatalf("integrity_check: got %q (%v), want ok", result, err)
	}
	var missing []string
	err = db.Read(t.Context(), func(tx *Tx) error {
		return tx.Select(&missing, query("SELECT value FROM json_each(:all) WHERE value NOT IN (SELECT v FROM item)"),
			Args{"all": JSONArray(acknowledged)})
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(missing) > 0 {
		t.Fatalf("%d acknowledged writes are missing, the first is %s", len(missing), missing[0])
	}
}

// writeUntilKilled writes until it is killed and prints each acknowledged row.
func writeUntilKilled(t *testing.T) {
	db, err := Open(t.Context(), *crashWriterPath, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := 0; ; i++ {
				v := fmt.Sprintf("%d-%d-%d", *crashRound, w, i)
				if err := db.Write(context.Background(), add(v)); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Println(v)
			}
		})
	}
	all.Wait()
}
