// Package browser tests the pages of the server and the web app in headless Chromium with
// an empty profile. The tests need the program and, except for one, -long.
//
// Every page of the server that a test opens is checked on a phone and on a wide screen,
// light and dark: width, contrast, labels, errors in the console. The flag -screenshots
// names a directory for screenshots of all of them.
//
// In the web app, elements are found by role and accessible name, as a screen reader
// announces them. No test may cause a message in the console or a shift of the layout. The
// environment variable AXE_CORE names the file axe.min.js of axe-core; without it, the
// screens are checked without axe, and the test of the server's pages is skipped.
//
// # Files
//
//   - main_test.go: TestMain
//   - browser_test.go: a browser tab and the actions of a user in it
//   - check_test.go: checks of every page, screenshots
//   - server_test.go: a server with HTTPS
//   - signin_test.go: set-up, sign-in, public pages
//   - account_test.go: the account page
//   - factor_test.go: authenticator apps, recovery codes, passkeys
//   - offline_test.go: the web app without a connection, and what it stores
//   - webtab_test.go: a tab with the web app and the actions of a member in it
//   - stub_test.go: a proxy that changes the responses of the server
//   - populated_test.go: a server with data for every screen
//   - webapp_test.go: the web app in one and in two tabs
//   - journeys_test.go: journeys of one and of two members
//   - requirements_test.go: data of unknown types, and failures
//   - screens_test.go, axe_test.go: all screens of the web app
//   - link_test.go: invitations and reset links
//   - session_test.go: sessions that end while the web app is open, passkeys, new versions
//   - reading_test.go: new and unread messages
//   - failures_test.go: parts that cannot be read, and writes that the server rejects
//   - forms_test.go: dialogs, drafts and fields
//   - editor_test.go: the editor of calendar entries and Social events
//   - week_test.go, month_test.go: the looks of the calendar
//   - firstvisit_test.go: requests and bytes of a first visit
//   - monthspeed_test.go: the time until a month is painted
//   - speed_test.go: second visits and months beside those of an earlier build, which the environment
//     variable EARLIER_BUILD names
//   - grid_test.go, map_test.go, touch_test.go: touch gestures on the calendar and the map
//   - hostile_test.go: pages with hostile content
//   - language_test.go: pages in German
//   - pseudo_test.go: untranslated and cut texts, with a language generated from English
//   - testdata/find.js: finds an element by its visible name
//   - testdata/check.js: the checks that run in a page
//   - testdata/pseudo.js: finds untranslated and cut texts
//   - testdata/shifts.js: records shifts of the layout
package browser
