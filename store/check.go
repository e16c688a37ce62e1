package store

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
)

// Check examines the structure of an open database in steps, one table with its
// indexes at a time. Each step reads the whole table; reads and writes continue
// meanwhile.
type Check struct {
	db     *DB
	pool   *sqlx.DB
	tables []string // still to examine
}

// checkCache limits the page cache of the connection of a Check, in KiB.
const checkCache = "1024"

// NewCheck begins a check. The caller must Close it.
func (db *DB) NewCheck(ctx context.Context) (*Check, error) {
	pool, err := openPool(db.path, "mode=ro&_pragma=cache_size(-"+checkCache+")")
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	c := &Check{db: db, pool: pool}
	err = pool.SelectContext(ctx, &c.tables, `SELECT 'sqlite_schema' UNION ALL SELECT name FROM sqlite_schema WHERE type = 'table'`)
	if err = c.note(err); err != nil {
		pool.Close()
		return nil, err
	}
	return c, nil // without tables if the schema is damaged
}

// Close releases the connection of the check.
func (c *Check) Close() error { return c.pool.Close() }

// Next examines the next table, and reports whether there are more. Damage is recorded for
// [DB.Damage] and ends the check. The error reports other failures.
func (c *Check) Next(ctx context.Context) (more bool, err error) {
	if len(c.tables) == 0 {
		return false, nil
	}
	table := c.tables[0]
	c.tables = c.tables[1:]
	var result string
	// The name may be that of a table that was dropped meanwhile: then the result is "ok".
	if err := c.pool.GetContext(ctx, &result, `SELECT quick_check FROM pragma_quick_check(?) LIMIT 1`, table); err != nil {
		return false, c.note(err)
	}
	if result != "ok" {
		c.db.damage.record(fmt.Errorf("table %s of %s is damaged: %s", table, c.db.path, result))
		return false, nil
	}
	return len(c.tables) > 0, nil
}

// note records err and returns nil if it means that the file is damaged.
func (c *Check) note(err error) error {
	if c.db.NoteDamage(err); err == nil || IsDamage(err) {
		return nil
	}
	return fmt.Errorf("checking %s: %w", c.db.path, err)
}
