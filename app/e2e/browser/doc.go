// Package browser tests the pages of the server in Chromium without a window, as a
// new user meets them. The tests need -long and the program.
//
// Every page that a test opens is checked on a phone and on a wide screen, light
// and dark: width, contrast, labels, errors in the console. The flag -screenshots
// names a directory for pictures of all of them.
//
// # Files
//
//   - main_test.go: TestMain
//   - browser_test.go: a browser, and the steps that a person takes in it
//   - check_test.go: checks of every page, screenshots
//   - server_test.go: a server with HTTPS
//   - signin_test.go: set-up, sign-in, pages for everyone
//   - account_test.go: the account page
//   - factor_test.go: authenticator apps, recovery codes, passkeys
//   - webapp_test.go: the web app
//   - offline_test.go: the web app without a connection, and what it stores
//   - link_test.go: invitations and reset links
//   - testdata/find.js: finds an element by its visible name
//   - testdata/check.js: the checks that run in a page
package browser
