// Package process tests the program as a child process: start, signals, commands
// beside a running server, systemd and kill -9.
//
// # Files
//
//   - main_test.go: TestMain, and the termination of a server
//   - start_test.go: the first start on an empty directory, and the set-up link
//   - conflict_test.go: two servers on one data directory or port
//   - commands_test.go: commands while a server is running
//   - calendarcommands_test.go: import and export of calendars, and the trash
//   - import_test.go: an import that is killed
//   - mapscommands_test.go: commands for regions
//   - restore_test.go: restore without the key of second factors
//   - address_test.go: the links that commands print beside a server
//   - reload_test.go: SIGHUP
//   - stop_test.go: requests in progress when the server terminates
//   - port_linux_test.go: the sockets that the server listens on, from /proc
//   - systemd_linux_test.go: notifications, socket activation and the unit
//   - faults_test.go: certificates that clients refuse, files that do not belong together, a wrong clock
//   - owner_linux_test.go: files of another user, and a read-only file system
//   - diskfull_linux_test.go: writes, reads, start and end on a full disk
//   - kill_test.go: acknowledged writes and sync tokens after kill -9
//   - writer_test.go: a client that records which writes were acknowledged
//   - follow_test.go: mirrors that follow changes of Social during kill -9
//   - overlay_test.go: the replacement of findings during kill -9
//   - maps_test.go: imports of map data that are killed or interrupted
package process
