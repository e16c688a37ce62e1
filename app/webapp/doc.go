// Package webapp serves the web app: its page, the modules and style sheets in assets/web,
// its service worker and its manifest.
//
// # Files
//
//   - webapp.go: Server and its routes, the page and the files of the web app
//   - chunk.go: chunks, the files with the modules that pages load together
//   - module.go: the imports and exports of a module
//   - compact.go: removal of comments and indentation
//   - appmanifest.go: the manifest and the icons of the installed web app
package webapp
