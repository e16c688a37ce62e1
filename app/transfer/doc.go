// Package transfer moves the data of a member into and out of the server: imports
// of calendars from files and other CalDAV servers, and exports.
//
// # Files
//
//   - importer.go: Importer, which stores entries in batches
//   - source.go: Sources, which imports files, directories and other servers
//   - filesource.go: reads files and directories
//   - serversource.go: reads the calendars of another server
//   - davclient.go: discovery of a member's calendars on a CalDAV server
//   - export.go: everything stored about a member, as JSON
//   - exportfiles.go: the export as a directory of files, and calendars as files
//   - filename.go: FileName, which derives a file name from a title
package transfer
