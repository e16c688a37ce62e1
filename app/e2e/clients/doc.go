// Package clients tests the server with CalDAV clients from Debian. The tests
// need -long and the programs.
//
// # Files
//
//   - main_test.go: TestMain
//   - fixture_test.go: a server, and its contents over the JSON API
//   - device_test.go: a directory in which programs run
//   - synced_test.go: two devices with vdirsyncer
//   - vdirsyncer_test.go: changes on two devices and in World
//   - khal_test.go: khal and todoman on the files of vdirsyncer
//   - calcurse_test.go: calcurse-caldav
//   - cadaver_test.go: cadaver, a WebDAV shell
//   - pythoncaldav_test.go: scripts with python3-caldav
//   - evolution_test.go: the calendar library of Evolution and GNOME
//   - thunderbird_test.go: Thunderbird without windows
//   - series_test.go: a series edited in World, as each client shows it
//   - litmus_test.go: litmus, a WebDAV test suite
package clients
