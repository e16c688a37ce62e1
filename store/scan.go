package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/jmoiron/sqlx/reflectx"
)

// preparedStatement is a statement that is prepared on one connection.
type preparedStatement struct {
	*statement
	driverStmt
}

// driverStmt is a prepared statement of the driver.
type driverStmt interface {
	driver.StmtQueryContext
	driver.StmtExecContext
	Close() error
}

// get reads the first row into dest, a pointer to a struct with db tags or to a
// single value. It returns [sql.ErrNoRows] if there is no row.
func (p *preparedStatement) get(ctx context.Context, dest any, args []driver.NamedValue) error {
	v := reflect.ValueOf(dest).Elem()
	found := false
	err := p.eachRow(ctx, args, v.Type(), func(r resultRow) (more bool, err error) {
		found = true
		return false, r.into(v)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// readAll reads all rows into the slice that dest points to and reuses its capacity.
// The slice is empty, not nil, if there are no rows.
func (p *preparedStatement) readAll(ctx context.Context, dest any, args []driver.NamedValue) error {
	list := reflect.ValueOf(dest).Elem()
	if list.IsNil() {
		list.Set(reflect.MakeSlice(list.Type(), 0, 0))
	}
	list.SetLen(0)
	return p.eachRow(ctx, args, list.Type().Elem(), func(r resultRow) (more bool, err error) {
		n := list.Len()
		list.Grow(1)
		list.SetLen(n + 1)
		list.Index(n).SetZero()
		return true, r.into(list.Index(n))
	})
}

// eachRow runs the statement and calls do with each row until do returns false or an
// error. into is the type of the values that do scans the rows into.
func (p *preparedStatement) eachRow(ctx context.Context, args []driver.NamedValue, into reflect.Type, do func(resultRow) (more bool, err error)) (err error) {
	rows, err := p.QueryContext(ctx, args)
	if err != nil {
		return err
	}
	defer func() {
		if errClose := rows.Close(); err == nil { // Close also reports errors of the statement itself
			err = errClose
		}
	}()
	r := resultRow{columns: rows.Columns()}
	if r.fields, err = p.fieldsOf(into, r.columns); err != nil {
		return err
	}
	r.values = make([]driver.Value, len(r.columns))
	for {
		if err := rows.Next(r.values); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil { // the driver only looks at ctx until the first row
			return err
		}
		if more, err := do(r); err != nil || !more {
			return err
		}
	}
}

// resultRow is a row of a query result.
type resultRow struct {
	columns []string
	values  []driver.Value
	fields  [][]int // field index of each column; nil for a single value
}

// into scans the row into v.
func (r resultRow) into(v reflect.Value) error {
	for i, value := range r.values {
		at := v
		if r.fields != nil {
			at = v.FieldByIndex(r.fields[i])
		}
		if err := assign(at, value); err != nil {
			return fmt.Errorf("column %s: %w", r.columns[i], err)
		}
	}
	return nil
}

// fieldsOf returns the index of the field of t for each column, or nil if t is not
// a struct.
func (st *statement) fieldsOf(t reflect.Type, columns []string) ([][]int, error) {
	if known, ok := st.fields.Load(t); ok {
		return known.([][]int), nil
	}
	var fields [][]int
	if t.Kind() != reflect.Struct {
		if len(columns) != 1 {
			return nil, fmt.Errorf("cannot scan %d columns into %s", len(columns), t)
		}
	} else {
		fields = fieldMapper.TraversalsByName(t, columns)
		for i, index := range fields {
			if len(index) == 0 {
				return nil, fmt.Errorf("column %s has no field in %s", columns[i], t)
			}
		}
	}
	st.fields.Store(t, fields)
	return fields, nil
}

var fieldMapper = reflectx.NewMapperFunc("db", strings.ToLower)

// assign stores a value of SQLite in v or, if v is a pointer, in a new value.
// Integers fit integer and float types, 0 and 1 also bool; texts and blobs fit
// strings and byte slices; NULL becomes a nil pointer or slice.
func assign(v reflect.Value, value driver.Value) error {
	if value == nil {
		if v.Kind() != reflect.Pointer && v.Kind() != reflect.Slice {
			return fmt.Errorf("cannot scan NULL into %s", v.Type())
		}
		v.SetZero()
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	isBytes := v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
	switch x := value.(type) {
	case int64:
		switch {
		case v.CanInt() && !v.OverflowInt(x):
			v.SetInt(x)
			return nil
		case v.Kind() == reflect.Bool && (x == 0 || x == 1):
			v.SetBool(x == 1)
			return nil
		case v.CanFloat():
			v.SetFloat(float64(x))
			return nil
		}
	case float64:
		if v.CanFloat() {
			v.SetFloat(x)
			return nil
		}
	case string:
		if v.Kind() == reflect.String {
			v.SetString(x)
			return nil
		}
		if isBytes {
			v.SetBytes([]byte(x))
			return nil
		}
	case []byte:
		if v.Kind() == reflect.String {
			v.SetString(string(x))
			return nil
		}
		if isBytes {
			v.SetBytes(x)
			return nil
		}
	}
	return fmt.Errorf("cannot scan %T into %s", value, v.Type()) // without the value, which may be secret
}
