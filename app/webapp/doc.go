// Package webapp serves the web app: its page, the modules and style sheets in assets/web,
// its service worker and its manifest.
//
// # Files
//
//   - webapp.go: Server and its routes, the page and the files of the web app
//   - webcomments.go: removal of the comments of modules
//   - appmanifest.go: the manifest and the icons of the installed web app
package webapp
