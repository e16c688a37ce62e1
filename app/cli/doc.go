// Package cli implements the command line: one function per command, and the
// exit statuses.
//
// # Files
//
//   - cli.go: Run, the command tree, exit statuses, prompts
//   - usage.go: errors in the command line
//   - completion.go: values that the shell completes
//   - translate.go: the command translate
//   - restore.go: the report of restore
//   - serve.go: serve
//   - setup.go: setup
//   - members.go: admin members
//   - access.go: admin members: sessions, second factors, operators, audit
//   - calendar.go: calendar
//   - maps.go: maps
//   - priority_linux.go: the priority of an import beside a server
//   - priority_other.go: the same on other systems
//   - providers.go: provider: add, list, sync, remove
//   - feeds.go: provider add --feed
//   - provider_check.go: provider check
//   - data.go: backup, restore, migrate
//   - doctor.go: doctor
//   - doctor_certificate.go: doctor: the certificate
//   - harness.go: harness
//   - about.go: version, config, schema, man, and help topics
package cli
