package identity

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"appliance/app/apptest"
)

// Members take with them what they wrote and what was written to them. Covers
// SH-26 for messages.
func TestExportHasMessages(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	thread := ann.SendMessage("bea", "Hello")
	bea.SendInThread(thread, "Hello back")
	bea.SendMessage("cid", "Not for Ann")
	whole := ann.Do("GET", "/world/identity/export").Want(200)
	if got := fmt.Sprint(whole.Values("message_threads", "title"), whole.Values("messages", "body")); got != "[Bea] [Hello back Hello]" {
		t.Errorf("the export has %s", got)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if status, out, errs := h.RunCommand("", "admin", "members", "export", "cid", dir); status != 0 {
		t.Fatal(out, errs)
	}
	text, err := os.ReadFile(filepath.Join(dir, "messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 1 || apptest.At(list[0], "body") != "Not for Ann" {
		t.Errorf("the file of %s has %s, %v", cid.Name, text, err)
	}
}
