package load

import (
	"encoding/xml"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// mixedMembers is the number of members who use the server during the attacks.
const mixedMembers = 50

// 50 members use the server, which has one processor, while clients on the other processor run all
// attacks at once. The process survives, all requests of the members succeed, and no acknowledged
// write is lost. With the flag -mixed, which is for an idle machine, 99 % of the requests must take
// less than a second.
func TestMixedLoad(t *testing.T) {
	svctest.Long(t)
	pinned := pin(t)
	s := newServer(t, func(cmd *exec.Cmd) {
		cmd.Args = append(cmd.Args, "--registration", "open", "--rate-limits", "writes=0,reads=0,registrations=0,failures=0,failures-address=0")
		if pinned {
			cmd.Args = append([]string{"taskset", "-c", "0"}, cmd.Args...)
			cmd.Path = "/usr/bin/taskset"
		}
	})
	members := make([]*mixedMember, mixedMembers)
	for i := range members {
		members[i] = s.newMixedMember(i)
	}
	stop := make(chan struct{})
	var users, attackers sync.WaitGroup
	for _, m := range members {
		users.Go(func() { m.run(stop) })
	}
	for i, attack := range s.attacks() {
		attackers.Go(func() {
			for round := 0; ; round++ {
				select {
				case <-stop:
					return
				default:
					attack(20+i, round)
				}
			}
		})
	}
	select {
	case <-time.After(*mixedLoadDuration):
	case <-s.Exited:
	}
	close(stop)
	users.Wait()
	attackers.Wait()
	all, byRequest := []time.Duration{}, make(map[string][]time.Duration)
	writes := 0
	for _, m := range members {
		m.wantObjects()
		for request, delays := range m.delays {
			byRequest[request] = append(byRequest[request], delays...)
			all = append(all, delays...)
		}
		writes += len(m.etags)
	}
	t.Logf("%v, processors separated: %t, %d members, %d objects: %s", *mixedLoadDuration, pinned, len(members), writes, formatDelays(all))
	for _, request := range slices.Sorted(maps.Keys(byRequest)) {
		t.Logf("%s: %s", request, formatDelays(byRequest[request]))
	}
	p99 := all[len(all)*99/100]
	s.wantAlive(refusedRequests, refusedConnections, "request bodies arrived too slowly")
	if isSet("mixed") && p99 > maxDelay {
		t.Errorf("got a 99th percentile of %v, want at most %v", p99, maxDelay)
	}
}

// formatDelays sorts delays and returns their distribution.
func formatDelays(delays []time.Duration) string {
	slices.Sort(delays)
	at := func(thousandths int) time.Duration {
		return delays[len(delays)*thousandths/1000].Round(time.Millisecond)
	}
	return fmt.Sprintf("%d requests: median %v, p90 %v, p99 %v, p99.9 %v, max %v", len(delays), at(500), at(900), at(990), at(999), delays[len(delays)-1].Round(time.Millisecond))
}

// pin moves this process to the second processor until the test ends. It reports whether that was
// possible.
func pin(t *testing.T) bool {
	if runtime.NumCPU() < 2 {
		return false
	}
	set := func(processors string) error {
		return exec.Command("/usr/bin/taskset", "-a", "-p", "-c", processors, strconv.Itoa(os.Getpid())).Run()
	}
	if err := set("1"); err != nil {
		t.Logf("the processors are not separated: %v", err)
		return false
	}
	t.Cleanup(func() {
		if err := set(fmt.Sprint("0-", runtime.NumCPU()-1)); err != nil {
			t.Log(err)
		}
	})
	return true
}

// mixedMember is a member who reads and writes.
type mixedMember struct {
	*apptest.Client
	dav      *apptest.Client
	calendar string
	etag     string            // of the last dataset
	etags    map[string]string // of acknowledged objects, by path
	written  int
	tasks    []string                   // paths of open tasks, the oldest first
	delays   map[string][]time.Duration // by kind of request
}

// newMixedMember registers a member, whose requests come from one of ten addresses.
func (s *server) newMixedMember(i int) *mixedMember {
	s.T.Helper()
	name := fmt.Sprint("m", i)
	c := s.Unauthenticated()
	c.Name = name
	c.HTTP = &http.Client{Transport: transportFrom(100 + i%10)}
	c.Do("POST", "/identity/register", map[string]any{"email": name + "@example.org", "username": name, "display_name": name, "password": apptest.Password}).Want(201)
	c = c.SignIn(apptest.Password).AsRuntime()
	m := &mixedMember{Client: c, dav: c.Basic().With("Depth", "1"), calendar: c.DefaultCalendar(), etags: make(map[string]string), delays: make(map[string][]time.Duration)}
	m.dav.Do("PROPFIND", m.calendar, apptest.PropfindETags).Want(207) // the server has hashed the password
	return m
}

// run makes a random request about three times a second until stop is closed.
func (m *mixedMember) run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Duration(100+rand.IntN(400)) * time.Millisecond):
		}
		switch rand.IntN(6) {
		case 0:
			a := m.send(m.With("If-None-Match", m.etag), "GET", "/world/runtime", "", 200, 304)
			if a != nil {
				m.etag = a.Header.Get("ETag")
			}
		case 1:
			m.send(m.dav, "REPORT", m.calendar, apptest.SyncCollection(""), 207)
		case 2:
			m.send(m.Client, "POST", "/world/messages", `{"recipient": "bea", "body": "Tea?"}`, 201)
		case 3:
			m.send(m.Client, "GET", "/world/panels/time", "", 200)
		case 4:
			m.addTask()
		default:
			m.put()
		}
	}
}

// maxTasks limits the open tasks of a member, so that the load does not grow during the test.
const maxTasks = 50

// addTask creates a task and, if there are too many, deletes the oldest.
func (m *mixedMember) addTask() {
	if a := m.send(m.Client, "POST", tasksPath, `{"object_type": "task", "title": "Taxes"}`, 201); a != nil {
		m.tasks = append(m.tasks, tasksPath+"/"+a.Str("object.id"))
	}
	if len(m.tasks) > maxTasks {
		m.send(m.Client, "DELETE", m.tasks[0], "", 200, 204)
		m.tasks = m.tasks[1:]
	}
}

const tasksPath = "/world/time/objects"

// put creates or replaces one of 50 objects.
func (m *mixedMember) put() {
	m.written++
	path := fmt.Sprintf("%sn%d.ics", m.calendar, m.written%50)
	text := apptest.VEvent(path, "DTSTART:20261201T090000Z", fmt.Sprint("SUMMARY:Version ", m.written))
	if a := m.send(m.dav, "PUT", path, text, 201, 204); a != nil {
		m.etags[path] = a.Header.Get("ETag")
	}
}

// send sends a request, measures it, and returns the response. If the status is
// not one of want, it fails the test and returns nil.
func (m *mixedMember) send(c *apptest.Client, method, path, body string, want ...int) *apptest.Answer {
	begin := time.Now()
	a, err := c.Try(method, path, body)
	request := method + " " + path
	if strings.HasPrefix(path, m.calendar) {
		request = method + " in the calendar"
	} else if strings.HasPrefix(path, tasksPath+"/") {
		request = method + " a task"
	}
	m.delays[request] = append(m.delays[request], time.Since(begin))
	switch {
	case err != nil:
		m.T.Errorf("%s: %s %s: %v", m.Name, method, path, err)
	case !slices.Contains(want, a.Status):
		m.T.Errorf("%s: %s %s: got status %d, want one of %v\n%.300s", m.Name, method, path, a.Status, want, a.Body)
	default:
		return a
	}
	return nil
}

// wantObjects fails the test unless the calendar has the acknowledged objects.
func (m *mixedMember) wantObjects() {
	m.T.Helper()
	var answer apptest.Multistatus
	if err := xml.Unmarshal([]byte(m.dav.Do("PROPFIND", m.calendar, apptest.PropfindETags).Want(207).Body), &answer); err != nil {
		m.T.Fatal(err)
	}
	got := apptest.NewReplica(answer).ETags
	maps.DeleteFunc(got, func(path, _ string) bool { return m.etags[path] == "" }) // tasks have other names
	if !maps.Equal(got, m.etags) {
		m.T.Errorf("%s: got the objects %v, want %v", m.Name, got, m.etags)
	}
}

// attacks returns the attacks of several members and of clients without an account.
// Each attack is called repeatedly, with its own address and the number of the round.
func (s *server) attacks() []func(from, round int) {
	calendar, dav := s.ann.DefaultCalendar(), s.ann.Basic()
	id := s.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	event, file := largeEvent("UID", ";COUNT=1"), largeCalendar(20<<20)
	put := requestHead("PUT", calendar+"stalled.ics", dav.Headers["Authorization"], 1<<20) + strings.Repeat("x", 1<<20-1)
	waitUntilClosed := func(stalled []*stalledRequest) {
		for _, r := range stalled {
			r.isClosed(maxStall)
			r.Close()
		}
	}
	return []func(from, round int){
		func(from, round int) {
			path := func(i int) string { return fmt.Sprintf("%sn%d-%d.ics", calendar, round%3, i) }
			sendAtOnce(60, from, dav, "PUT", path, "text/calendar", func(i int) string {
				return strings.Replace(event, "UID:UID", fmt.Sprint("UID:", round%3, "-", i), 1)
			})
		},
		func(from, round int) {
			sendAtOnce(60, from, s.ann, "POST", constantFunc("/world/time/objects"), "application/json", constantFunc(manyValues))
		},
		func(from, round int) {
			sendAtOnce(6, from, s.ann, "POST", constantFunc("/world/calendars/"+id+"/import"), "text/calendar", constantFunc(file))
		},
		func(from, round int) {
			var stalled []*stalledRequest
			for range 100 {
				if r := s.stall(from, put); r != nil {
					stalled = append(stalled, r)
				}
			}
			waitUntilClosed(stalled)
		},
		func(from, round int) { waitUntilClosed(s.stallLogins(400, from)) },
		func(from, round int) {
			sendAtOnce(100, from, s.Unauthenticated(), "POST", constantFunc("/identity/login"), "application/json",
				func(i int) string { return fmt.Sprintf(`{"login": "ann", "password": "guess %d"}`, round*100+i) })
		},
	}
}

// isSet reports whether a flag was given.
func isSet(name string) (set bool) {
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}
