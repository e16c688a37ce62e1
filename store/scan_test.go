package store

import (
	"fmt"
	"strings"
	"testing"
)

// Values of SQLite are converted to Go values, or the error names the column.
func TestRowsAreScanned(t *testing.T) {
	db := open(t)
	type name string
	type inner struct {
		Size int64 `db:"size"`
	}
	type all struct {
		inner
		Name  name     `db:"name"`
		Data  []byte   `db:"data"`
		Is    bool     `db:"yes"`
		Share float64  `db:"share"`
		At    *Millis  `db:"at"`
		None  *string  `db:"none"`
		Empty []byte   `db:"empty"`
		Whole float64  `db:"whole"`
		Text  string   `db:"blob"`
		Deep  *float64 `db:"deep"`
	}
	const text = `SELECT 7 AS size, 'Käse' AS name, x'00ff' AS data, 1 AS yes, 0.5 AS share, 1000 AS at, NULL AS none, x'' AS empty, 3 AS whole, x'61' AS blob, 2.5 AS deep`
	err := db.Read(t.Context(), func(tx *Tx) error {
		var one all
		if err := tx.Get(&one, query(text), nil); err != nil {
			return err
		}
		got := fmt.Sprint(one.Size, one.Name, one.Data, one.Is, one.Share, *one.At, one.None, len(one.Empty), one.Whole, one.Text, *one.Deep)
		if want := fmt.Sprint(7, "Käse", []byte{0, 255}, true, 0.5, 1000, nil, 0, 3, "a", 2.5); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		list := []int{1, 2, 3}
		if err := tx.Select(&list, query("SELECT value FROM json_each('[5,6]')"), nil); err != nil || fmt.Sprint(list) != "[5 6]" {
			t.Errorf("list: got %v (%v), want [5 6]", list, err)
		}
		if err := tx.Select(&list, query("SELECT 1 WHERE 0"), nil); err != nil || list == nil || len(list) > 0 {
			t.Errorf("no rows: got %v (%v), want an empty list", list, err)
		}
		var n int
		if err := tx.Get(&n, query("SELECT 1 WHERE 0"), nil); !IsNoRows(err) {
			t.Errorf("no row: got %v, want sql.ErrNoRows", err)
		}
		for _, c := range []struct {
			text string
			into any
			want string // in the error
		}{
			{"SELECT NULL AS a", new(int), "column a: cannot scan NULL into int"},
			{"SELECT 'x' AS a", new(int), "column a: cannot scan string into int"},
			{"SELECT 300 AS a", new(int8), "column a: cannot scan int64 into int8"},
			{"SELECT 2 AS a", new(bool), "column a: cannot scan int64 into bool"},
			{"SELECT 1.5 AS a", new(int), "column a: cannot scan float64 into int"},
			{"SELECT 1 AS a", new(string), "column a: cannot scan int64 into string"},
			{"SELECT 1 AS a, 2 AS b", new(int), "cannot scan 2 columns into int"},
			{"SELECT 1 AS size, 2 AS other", new(inner), "column other has no field"},
			{"SELECT abs(-9223372036854775808) AS a", new(int), "integer overflow"},
		} {
			if err := tx.Get(c.into, query(c.text), nil); err == nil || IsNoRows(err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.text, err, c.want)
			}
		}
		return tx.Get(&n, query("SELECT 1"), nil) // the connection is still usable
	})
	if err != nil {
		t.Error(err)
	}
}
