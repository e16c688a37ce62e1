// Package config defines the settings of the server: their names, defaults and
// checks, and the source of each value.
//
// # Files
//
//   - portable.go: settings in backups
//   - settings.go: Settings and its checks
//   - load.go: merging of defaults, file, environment and flags
//   - mistakes.go: advice for misspelt names and missing quotes
//   - outbound.go: checks of the servers that this server contacts
//   - paths.go: files in the data directory
//   - address.go: the URL of the running server, for commands
//   - profile.go: the name and the address of the server that the set-up stores
//   - write.go: changes to the settings file
//   - factorkey.go: the key of second factors
//
// # Why
//
// kong could read the environment and a file itself, but then the file
// overrides the environment, and unknown keys are ignored. Load therefore
// merges the sources first and gives kong one list of arguments.
package config
