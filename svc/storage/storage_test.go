package storage_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/svctest"
	"appliance/svc/words"
)

// wantCounted fails the test unless the usage of each member equals a recount.
func wantCounted(t *testing.T, db *store.DB, about string) {
	t.Helper()
	for _, row := range storetest.Rows(t, db, `SELECT u.member_id, u.octets, coalesce((SELECT sum(c.octets) FROM storage_counted AS c WHERE c.member_id = u.member_id), 0)
		FROM storage_usage AS u`) {
		var member, got, want int64
		if _, err := fmt.Sscan(row, &member, &got, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("%s: member %d: got a usage of %d bytes, want %d", about, member, got, want)
		}
	}
}

// countedRows lists rows that count towards the storage of member 1 with the size of their texts in
// bytes of UTF-8.
var countedRows = []struct {
	table, insert string
	octets        int
}{
	{"messages_thread", "INSERT INTO messages_thread VALUES ('t', 1, 2, 0, 0, 0)", 0},
	{"messages_message", "INSERT INTO messages_message VALUES (1, 'm', 't', 1, 1, 'héllo', 0)", 6 + 256},
	{"social_dm_thread", "INSERT INTO social_dm_thread VALUES ('d', 1, 2, 0, 0, 0)", 0},
	{"social_dm_message", "INSERT INTO social_dm_message VALUES ('m', 'd', 1, 1, 'héllo', 0)", 6 + 256},
	{"social_community", "INSERT INTO social_community VALUES ('c', 'Choir', 'sings', 'public', 'open', NULL, 0, 1, 0, 0, NULL)", 10 + 256},
	{"social_conversation", "INSERT INTO social_conversation VALUES ('v', 'Title', 'body', 'open', NULL, NULL, 1, 1, 'open', 0, 0, 1, 0, 0, 0)", 9 + 256},
	{"social_reply", "INSERT INTO social_reply VALUES ('r', 'v', 1, 1, 'héllo', NULL, 0)", 6 + 256},
	{"social_event", "INSERT INTO social_event VALUES ('e', 'v', 'Title', 'text', 0, 0, 'UTC', 0, 'FREQ=DAILY', 0, 0, 'here', NULL, NULL, 'public', NULL, NULL, 1, 1, NULL, 0, 0, 0, NULL)", 5 + 4 + 10 + 4 + 256},
	{"social_rsvp", "INSERT INTO social_rsvp VALUES ('e', 1, 'going', 'note', 0, 1)", 4},
	{"social_invitation", "INSERT INTO social_invitation VALUES ('i', NULL, 'e', 2, 1, 'pending', 0, 0, NULL)", 256},
	{"calendar_calendar", "INSERT INTO calendar_calendar VALUES ('k', 1, 'K', '', '#000000', 'UTC', 0, 'VEVENT', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)", 0},
	{"calendar_object", "INSERT INTO calendar_object VALUES (1, 'o', 'k', 's', 'u', 'VEVENT', 'T', '', 1000, 0, 0, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, 0)", 1000},
	{"calendar_trash", "INSERT INTO calendar_trash VALUES (1, 1, 0, 0)", 0},
	{"calendar_trashed", "INSERT INTO calendar_trashed VALUES (1, 'x', 1, 'k', 's', 'u', 'VEVENT', 'T', 0, '[]', x'010203')", 3},
	{"calendar_file", "INSERT INTO calendar_file VALUES (1, 1, 'p', '', 0, 'text/plain', '', 500, 0, 0, 0)", 500},
	{"identity_avatar", "INSERT INTO identity_avatar VALUES (1, 'k', 0, x'0102', x'030405')", 5 + 256},
	{"social_avatar", "INSERT INTO social_avatar VALUES ('c', 1, 'k', 0, x'0102', x'030405')", 5 + 256},
}

func TestUsageCountsTheTextsOfEachTable(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.AddMembers(t, db, "ann", "bea")
	want := 0
	for _, c := range countedRows {
		storetest.Exec(t, db, c.insert)
		want += c.octets
		got := strings.Join(storetest.Rows(t, db, "SELECT octets FROM storage_usage ORDER BY member_id"), " ")
		if got != fmt.Sprint(want, " 0") {
			t.Fatalf("after a row of %s: got %s, want %d 0", c.table, got, want)
		}
		wantCounted(t, db, c.table)
	}
}

// changeStatements are statements that update or delete rows; ? is a random number. They also include
// statements that no service runs.
var changeStatements = []string{
	"UPDATE messages_message SET body = substr('some text', 1 + ? % 9)",
	"UPDATE messages_message SET sender_id = 1 + ? % 2",
	"DELETE FROM messages_message WHERE ? % 4 = 0",
	"UPDATE social_dm_message SET body = substr('some text', 1 + ? % 9)",
	"UPDATE social_dm_message SET sender_id = 1 + ? % 2",
	"DELETE FROM social_dm_message WHERE ? % 4 = 0",
	"DELETE FROM social_dm_thread WHERE ? % 4 = 0",
	"UPDATE social_conversation SET title = substr('some text', 1 + ? % 9)",
	"UPDATE social_conversation SET author_id = 1 + ? % 2",
	"DELETE FROM social_conversation WHERE ? % 4 = 0 AND NOT EXISTS (SELECT 1 FROM social_event)",
	"UPDATE social_reply SET body = substr('some text', 1 + ? % 9)",
	"DELETE FROM social_reply WHERE ? % 4 = 0",
	"UPDATE social_community SET name = 'x', summary = substr('some text', 1 + ? % 9)",
	"DELETE FROM social_community WHERE ? % 4 = 0 AND NOT EXISTS (SELECT 1 FROM social_avatar)",
	"UPDATE social_event SET rrule = iif(? % 2, NULL, 'FREQ=WEEKLY'), description = '', location = 'far away'",
	"UPDATE social_event SET host_id = 1 + ? % 2",
	"DELETE FROM social_event WHERE ? % 4 = 0",
	"UPDATE social_rsvp SET note = substr('some text', 1 + ? % 9)",
	"DELETE FROM social_rsvp WHERE ? % 4 = 0",
	"UPDATE social_invitation SET inviter_id = 1 + ? % 2",
	"DELETE FROM social_invitation WHERE ? % 4 = 0",
	"UPDATE calendar_object SET size = ? % 1000",
	"DELETE FROM calendar_object WHERE ? % 4 = 0",
	"UPDATE calendar_calendar SET owner_id = nullif(? % 3, 0)",
	"DELETE FROM calendar_calendar WHERE ? % 4 = 0",
	"UPDATE calendar_trash SET member_id = nullif(? % 3, 0)",
	"DELETE FROM calendar_trashed WHERE ? % 4 = 0",
	"DELETE FROM calendar_trash WHERE ? % 4 = 0 AND NOT EXISTS (SELECT 1 FROM calendar_trashed)",
	"UPDATE calendar_file SET size = ? % 1000",
	"DELETE FROM calendar_file WHERE ? % 4 = 0",
	"UPDATE identity_avatar SET picture = zeroblob(? % 1000), thumb = x''",
	"UPDATE OR IGNORE identity_avatar SET member_id = 1 + ? % 2", // the other member may have an avatar
	"DELETE FROM identity_avatar WHERE ? % 4 = 0",
	"UPDATE social_avatar SET thumb = zeroblob(? % 1000)",
	"UPDATE social_avatar SET member_id = 1 + ? % 2",
	"DELETE FROM social_avatar WHERE ? % 4 = 0",
}

// After random statements, also with cascades, the usage of each member equals a
// recount.
func TestUsageEqualsARecountAfterRandomStatements(t *testing.T) {
	steps := 50
	if svctest.IsLong() {
		steps = 150
	}
	for seed := range svctest.Seeds(10) {
		db, _ := storetest.Open(t)
		storetest.AddMembers(t, db, "ann", "bea")
		random := rand.New(rand.NewPCG(seed, 9))
		for range steps {
			for _, c := range countedRows { // inserts deleted rows again if their parent rows exist
				if random.IntN(3) == 0 {
					_ = storetest.TryExec(t, db, c.insert)
				}
			}
			statement := changeStatements[random.IntN(len(changeStatements))]
			storetest.Exec(t, db, statement, random.IntN(1000))
			wantCounted(t, db, statement)
		}
	}
}

func TestUsagesAreThoseOfEachMember(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.AddMembers(t, db, "ann", "bea")
	storetest.Exec(t, db, countedRows[0].insert)
	l := storage.New(300)
	err := db.Read(t.Context(), func(tx *store.Tx) error {
		all, err := l.Usages(tx, []svc.MemberID{1, 2, 77})
		for _, id := range []svc.MemberID{1, 2, 77} {
			one, oneErr := l.Usage(tx, id)
			if id == 77 { // member 77 has no row yet
				one, oneErr = storage.Usage{Limit: 300}, nil
			}
			if all[id] != one || oneErr != nil {
				t.Errorf("member %d: got %+v, want %+v (%v)", id, all[id], one, oneErr)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Charge rejects a write by which a member exceeds the limit. A write that stores
// less is possible above the limit.
func TestChargeLimitsGrowthOnly(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.AddMembers(t, db, "ann", "bea")
	for _, c := range countedRows[:2] {
		storetest.Exec(t, db, c.insert)
	}
	l := storage.New(300)
	for _, c := range []struct {
		limit int64
		size  int
		full  bool
	}{{300, 44, false}, {300, 45, true}, {299, 44, false}, {200, 43, false}, {200, 44, true}, {0, 5000, false}, {100, 5, false}} {
		l.Limit = c.limit
		err := db.Lookup(t.Context(), func(tx *store.Tx) error { // reads what write has committed
			return l.Charge(tx, 1, func() error {
				storetest.Exec(t, db, "UPDATE messages_message SET body = ?", strings.Repeat("x", c.size))
				return nil
			})
		})
		if full := svc.KindOf(err) == svc.OverQuota; full != c.full || !full && err != nil {
			t.Errorf("limit %d, size %d: got %v, want over quota: %t", c.limit, c.size, err, c.full)
		}
	}
	failed := errors.New("failed")
	if err := db.Lookup(t.Context(), func(tx *store.Tx) error { return l.Charge(tx, 1, func() error { return failed }) }); !errors.Is(err, failed) {
		t.Errorf("failed write: got %v, want its error", err)
	}
	l.Limit = 300
	err := db.Read(t.Context(), func(tx *store.Tx) error {
		u, err := l.Usage(tx, 1)
		if u != (storage.Usage{Used: 261, Limit: 300}) {
			t.Errorf("got usage %+v, want 261 of 300", u)
		}
		return errors.Join(err, l.Check(tx, 1, 39), l.Check(tx, 2, 300), l.Check(tx, 1, -500))
	})
	if err != nil {
		t.Errorf("Check within the limit: got %v", err)
	}
	err = db.Read(t.Context(), func(tx *store.Tx) error { return l.Check(tx, 1, 40) })
	if svc.KindOf(err) != svc.OverQuota || !strings.Contains(err.Error(), "300 bytes") {
		t.Errorf("Check beyond the limit: got %v, want an error that names the limit", err)
	}
}

func TestFormatSize(t *testing.T) {
	for octets, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KB", 1536: "1.5 KB", 12 << 20: "12 MB", 12<<20 + 400<<10: "12.4 MB", 2 << 30: "2048 MB", 2<<30 + 5: "2048 MB"} {
		if got := storage.FormatSize(words.English, octets); got != want {
			t.Errorf("%d: got %s, want %s", octets, got, want)
		}
	}
}
