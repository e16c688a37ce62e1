// Package sql holds the schema and the statements as text, embedded.
//
//   - migrations/NNNN_name.sql  the history, forward only
//   - queries/<service>.sql     every statement, by name; <service>_<package>.sql of its sub-packages
//   - schema.sql                what all migrations add up to: read this one
package sql

import "embed"

// Files holds migrations/ and queries/.
//
//go:embed migrations/*.sql queries/*.sql
var Files embed.FS

// Schema is the sum of all migrations, kept by a test of package store.
//
//go:embed schema.sql
var Schema string
