// Package pages serves the pages that work without the web app: sign-in, set-up,
// registration, reset of a password, set-up of a device, the account page, the manual, and
// errors.
//
// # Files
//
//   - pages.go: Server, its routes, and the rendering of templates
//   - errorpage.go: errors
//   - address.go: the page that names the address of the server
//   - signin.go: the pages for sign-in, registration and password reset
//   - factorpage.go: the second step of the sign-in page
//   - account.go: the account page
//   - setup.go: the set-up page
//   - devicesetup.go: the page that sets up a device
//   - profile.go: configuration profiles of Apple devices
package pages
