// Package sql embeds the migrations, the schema and the queries.
//
// # Files
//
//   - embed.go: Files and Schema
//   - migrations/NNNN_name.sql: the migrations, numbered and forward only
//   - queries/<service>.sql: the queries of a service, by name; <service>_<package>.sql for its sub-packages
//   - queries/thread.sql: the queries of all services with threads, see store.BindTables
//   - schema.sql: the schema after all migrations; start reading here
package sql

import "embed"

// Files contains migrations/ and queries/.
//
//go:embed migrations/*.sql queries/*.sql
var Files embed.FS

// Schema is schema.sql. A test of package store compares it with the migrations.
//
//go:embed schema.sql
var Schema string
