package find

import (
	"os"
	"regexp"
	"testing"
)

// Find writes only its own tables. Covers P-12.
func TestStatementsUseTablesOfFindOnly(t *testing.T) {
	text, err := os.ReadFile("../../sql/queries/find.sql")
	if err != nil {
		t.Fatal(err)
	}
	tables := regexp.MustCompile(`(?:FROM|INTO|UPDATE|JOIN)\s+([a-z]+)_[a-z_]+`).FindAllSubmatch(text, -1)
	if len(tables) < 15 {
		t.Fatalf("got %d uses of tables, want more", len(tables))
	}
	for _, table := range tables {
		if name := string(table[1]); name != "find" && name != "json" {
			t.Errorf("got %s, want a table of Find", table[0])
		}
	}
}
