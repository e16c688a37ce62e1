package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
)

// BackupOptions selects what a backup contains. The zero value selects the whole database.
type BackupOptions struct {
	// EmptyPrefix begins the names of the tables of which a backup contains the schema alone,
	// because their rows can be made again; "" for none.
	EmptyPrefix string

	// Note describes the backup, as JSON; see ReadNote.
	Note string
}

// ReadNote returns the note of the backup at path, or "" if it has none.
func ReadNote(ctx context.Context, path string) (note string, err error) {
	pool, err := openPool(path, "mode=ro")
	if err != nil {
		return "", err
	}
	defer pool.Close()
	err = pool.GetContext(ctx, &note, "SELECT note FROM store_backup")
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return note, err
}

func writeNote(ctx context.Context, path, note string) error {
	pool, err := openPool(path, "mode=rw")
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, "INSERT OR REPLACE INTO store_backup (id, note) VALUES (1, ?)", note)
	return err
}

// schemaObject is a table, an index or a trigger.
type schemaObject struct {
	Type string `db:"type"`
	Name string `db:"name"`
	SQL  string `db:"sql"`
}

func (o schemaObject) isVirtual() bool { return strings.HasPrefix(o.SQL, "CREATE VIRTUAL") }

// copyTables copies the database at path to the empty file dest table by table, in one read
// transaction. Tables whose names begin with emptyPrefix stay empty. A crash leaves a file that
// cannot be used; the caller makes the complete one durable.
func copyTables(ctx context.Context, path, dest, emptyPrefix string, progress func(done, total int64)) error {
	pool, err := openPool(dest, "_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=foreign_keys(0)")
	if err != nil {
		return err
	}
	defer pool.Close()
	c, err := pool.Connx(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	source, err := dataSource(path, "mode=ro")
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, "ATTACH ? AS source", source); err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := copySchema(ctx, c, emptyPrefix, progress); err != nil {
		_, _ = c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // ends the read transaction; the file is removed
		return err
	}
	if _, err := c.ExecContext(ctx, "COMMIT"); err != nil {
		return err
	}
	_, err = c.ExecContext(ctx, "DETACH source")
	return err
}

// copySchema is copyTables in the transaction of c, to which the database is attached as source.
func copySchema(ctx context.Context, c *sqlx.Conn, emptyPrefix string, progress func(done, total int64)) error {
	var objects []schemaObject
	// A table precedes its indexes and triggers, and a virtual table the tables that it creates.
	err := c.SelectContext(ctx, &objects, `SELECT type, name, sql FROM source.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
		ORDER BY type <> 'table', sql NOT LIKE 'CREATE VIRTUAL%', rowid`)
	if err != nil {
		return err
	}
	for i, o := range objects {
		if err := copyObject(ctx, c, o, strings.HasPrefix(o.Name, emptyPrefix)); err != nil {
			return fmt.Errorf("copying %s: %w", o.Name, err)
		}
		if progress != nil {
			progress(int64(i+1), int64(len(objects)))
		}
	}
	for _, name := range []string{"application_id", "user_version"} {
		var value int64
		if err := c.GetContext(ctx, &value, "PRAGMA source."+name); err != nil {
			return err
		}
		if _, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA main.%s = %d", name, value)); err != nil {
			return err
		}
	}
	return nil
}

// copyObject creates an object of the schema and, unless it stays empty, copies the rows of a table.
// The rows of a virtual table are those of the tables that it creates.
func copyObject(ctx context.Context, c *sqlx.Conn, o schemaObject, stayEmpty bool) error {
	var exists bool
	if err := c.GetContext(ctx, &exists, "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = ?)", o.Name); err != nil {
		return err
	}
	if !exists {
		if _, err := c.ExecContext(ctx, o.SQL); err != nil {
			return err
		}
	}
	if o.Type != "table" || o.isVirtual() || stayEmpty {
		return nil
	}
	name := `"` + strings.ReplaceAll(o.Name, `"`, `""`) + `"`
	if _, err := c.ExecContext(ctx, "DELETE FROM main."+name); err != nil { // a virtual table begins with some rows
		return err
	}
	columns, err := columnsOf(ctx, c, o.Name)
	if err != nil {
		return err
	}
	_, err = c.ExecContext(ctx, "INSERT INTO main."+name+" ("+columns+") SELECT "+columns+" FROM source."+name)
	return err
}

// columnsOf returns the columns of a table, with the rowid if it is no column: rows of other
// tables may refer to it, such as the latest notification that a member has read.
func columnsOf(ctx context.Context, c *sqlx.Conn, table string) (columns string, err error) {
	err = c.GetContext(ctx, &columns, `
		SELECT CASE WHEN l.wr = 0 AND NOT (sum(i.pk > 0) = 1 AND sum(i.pk > 0 AND i.type = 'INTEGER') = 1) THEN 'rowid, ' ELSE '' END ||
			group_concat('"' || replace(i.name, '"', '""') || '"', ', ')
		FROM pragma_table_list AS l, pragma_table_info(l.name, 'source') AS i WHERE l.schema = 'source' AND l.name = ?`, table)
	return columns, err
}
