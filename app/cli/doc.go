// Package cli implements the command line: one function per command, and the
// exit statuses.
//
// # Files
//
//   - cli.go: Run, the command tree, exit statuses, prompts
//   - serve.go: serve
//   - setup.go: setup
//   - members.go: admin members
//   - calendar.go: calendar
//   - data.go: backup, restore, migrate
//   - doctor.go: doctor
//   - harness.go: harness
//   - about.go: version, config, schema, man, and help topics
//   - filesystem_linux.go: free space and type of a file system
//   - filesystem_other.go: the same where it is not supported
package cli
